#!/usr/bin/env bash
# Builds DJL's library for the release of libtorch that a Python's PyTorch has.
#
#   scripts/build-jni.sh prepare DJL SOURCES   on a machine with a JDK: copies what the build reads (0.4 MB) from
#                                              a clone of DJL, checked out at the tag of the release in lib/
#   scripts/build-jni.sh build SOURCES OUT     on the node, without Java and network: needs g++, python3 with torch
#                                              and its headers, as pip installs them, and for CUDA the headers of
#                                              nvcc or of pip; PYTHON names another python3
#
# OUT has the library, and links to libtorch: Python's packages stay as they are. The build prints how to use it.
set -euo pipefail

fail() {
  echo "build-jni: $1" >&2
  exit 2
}

case $#:${1:-} in
  3:prepare | 3:build) ;;
  *:--help) sed -n '2,12s/^# \{0,1\}//p' "$0" && exit ;;
  *) fail "expected prepare or build, and two folders; --help explains them" ;;
esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
[[ -d $2 ]] || fail "$2: expected a folder, found none"
[[ ! -e $3 ]] || fail "$3 exists already: remove it first, or name another folder"
from=$(realpath "$2") out=$(realpath -m "$3")
partial=$out.partial
rm -rf "$partial"

prepare() {
  local java=$from/engines/pytorch/pytorch-engine/src/main/java native=$from/engines/pytorch/pytorch-native/src/main/native jdk
  [[ -d $native ]] || fail "$2: expected a clone of https://github.com/deepjavalibrary/djl, found no $native"
  jdk=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
  mkdir -p "$partial/classes"
  cp -r "$native"/* "$from/api/src/main/native/djl" "$jdk/include/jni.h" "$jdk"/include/*/jni_md.h "$from/LICENSE" "$partial"
  "$jdk/bin/javac" -h "$partial" -d "$partial/classes" -sourcepath "$java" "$java/ai/djl/pytorch/jni/PyTorchLibrary.java"
  rm -r "$partial/classes"
  sed -n 's/^djl = "\(.*\)"/\1/p' "$from/gradle/libs.versions.toml" >"$partial/release"
}

build() {
  local djl torch release lib=$partial/torch/lib each cuda=() libraries=(-ltorch -ltorch_cpu -lc10) compile
  djl=$(<"$from/release")
  for each in "$root"/lib/pytorch-jni-*.jar "$root"/eval/target/lengthwise/lib/pytorch-jni-*.jar; do
    [[ ! -e $each || $each == *-"$djl.jar" ]] || fail "$2: expected DJL's release of $each, found $djl"
  done
  torch=$("${PYTHON:-python3}" -c 'import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])') ||
    fail "PYTHON: expected a python3 with torch, found ${PYTHON:-python3}"
  [[ -e $torch/include/torch/script.h ]] || fail "expected PyTorch's headers in $torch/include, found none"
  release=$(sed -n "s/^__version__ = '\([0-9.]*\).*/\1/p" "$torch/version.py")
  compile=("${CXX:-g++}" -c -O1 -w -fPIC -std=c++20 -D_GLIBCXX_USE_CXX11_ABI=1 "-I$from" "-I$torch/include"
    "-I$torch/include/torch/csrc/api/include")
  if [[ -e $torch/lib/libtorch_cuda.so ]]; then
    libraries+=(-ltorch_cuda -lc10_cuda)
    cuda=(-DUSE_CUDA)
    for each in ${CUDA_HOME:+"$CUDA_HOME/include"} /usr/local/cuda/include "$torch"/../nvidia/*/include; do
      [[ ! -d $each ]] || cuda+=(-isystem "$each")
    done
  fi
  mkdir -p "$lib" "$partial/objects"
  cd "$partial/objects"
  # Only this file needs CUDA: it releases memory. DJL's own streams, the other use, are rejected by Lengthwise.
  "${compile[@]}" "${cuda[@]}" "$from"/*_system.cc &
  find "$from" -maxdepth 1 -name '*.cc' ! -name '*_system.cc' -print0 | xargs -0 -n 1 -P "$(nproc)" "${compile[@]}"
  wait $!
  "${CXX:-g++}" -shared -s -Wl,-z,defs '-Wl,-rpath,$ORIGIN' ./*.o -L"$torch/lib" "${libraries[@]}" -o "$lib/$djl-libdjl_torch.so"
  cd "$root" && rm -r "$partial/objects"
  # DJL loads each library of the folder: not those of Python and of PyTorch's tests.
  find "$torch/lib" -name '*.so*' ! -name '*test*' ! -name '*python*' ! -name '*backend_with*' ! -name '*aoti*' -exec ln -s -t "$lib" {} +
  ln -s "$torch/version.py" "$partial/torch" # names the release of the libraries now
  echo "$release" >"$lib/libdjl_torch.release" # of the build; the launcher reads it
  [[ ! -d $torch/../nvidia ]] || ln -s "$(realpath "$torch/../nvidia")" "$partial"
}

"$1" "$@"
mv "$partial" "$out"
if [[ $1 == build ]]; then echo "export PYTORCH_LIBRARY_PATH=$(printf %q "$out/torch/lib")"; fi
