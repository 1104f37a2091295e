#!/usr/bin/env bash
# Puts libtorch 2.7.1 and DJL's library into a folder. scripts/lengthwise uses natives/ in the
# repository, so a GPU node needs no other preparation. It builds Lengthwise first if necessary.
#
#   scripts/natives.sh FLAVOR [DIR]
#
#   cu128      for CUDA, from Maven Central only: GPUs with sm_80 or sm_90 (A100, H100, H200), x86_64,
#              glibc 2.35 or later (Ubuntu 22.04, Debian 12). Downloads 3.0 GB into Maven's repository
#              and unpacks 3.8 GB. NVIDIA's licence applies: https://docs.nvidia.com/cuda/eula
#   cu128-djl  for CUDA, as DJL downloads it from its own server; x86_64
#   cpu        for CPUs, from the build
#   DIR        the new folder; default: natives in the repository
#
# Requires a JDK 17 or later. If it is interrupted, start it again: finished downloads are kept.
set -euo pipefail

fail() {
  echo "natives: $1" >&2
  exit 2
}

case ${1:-} in
  cu128 | cu128-djl | cpu) ;;
  -h | --help)
    sed -n '2,15s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
  *) fail "expected cu128, cu128-djl or cpu, found '${1:-}'; --help explains them" ;;
esac
flavor=${1%-djl}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
target=${2:-$root/natives}
case $(uname -s)-$(uname -m) in
  Linux-x86_64) platform=linux-x86_64 ;;
  Linux-aarch64) platform=linux-aarch64 ;;
  *) fail "expected Linux on x86_64 or aarch64, found $(uname -s) on $(uname -m)" ;;
esac
[[ $flavor == cpu || $platform == linux-x86_64 ]] ||
  fail "$1: expected a machine with x86_64, found $(uname -m); DJL has no library for CUDA on it, use cpu"
[[ ! -e $target ]] || fail "$target exists already: remove it first, or name another folder"
jdk=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
[[ -x $jdk/bin/jar ]] || fail "$jdk has no jar command: set JAVA_HOME to a JDK"

lib=$root/eval/target/lengthwise/lib
[[ -d $lib ]] || (cd "$root" && ./mvnw -q -B package -Dmaven.test.skip)

# The folder gets its name when it is complete.
mkdir -p "$(dirname "$target")"
partial=$(cd "$(dirname "$target")" && pwd -P)/.$(basename "$target").partial
rm -rf "$partial"
mkdir "$partial"

# Moves files of a jar to the new folder: unpack JAR FOLDER-IN-THE-JAR
unpack() {
  (cd "$partial" && "$jdk/bin/jar" -xf "$1" "$2" && mv "$2"/* . && rm -r "${2%%/*}")
}

download_from_central() {
  local checksums=-Daether.trustedChecksumsSource.summaryFile
  (cd "$root" && ./mvnw -B -f scripts/natives/pom.xml generate-resources -Dnatives="$partial" \
    -Daether.artifactResolver.postProcessor.trustedChecksums=true \
    -Daether.artifactResolver.postProcessor.trustedChecksums.checksumAlgorithms=SHA-256 \
    $checksums=true $checksums.originAware=false $checksums.basedir="$root/scripts/natives")
  rm -r "$partial/markers"
}

# DJL downloads libtorch for a flavor. It then fails to load CUDA's libraries; that error is ignored.
download_from_djl() {
  cat >"$partial/Download.java" <<'JAVA'
class Download {
  public static void main(String[] arguments) {
    ai.djl.engine.Engine.getEngine("PyTorch");
  }
}
JAVA
  local jars
  jars=$(printf '%s\n' "$lib"/*.jar | grep -v pytorch-native-cpu | paste -sd:)
  OPT_OUT_TRACKING=true DJL_CACHE_DIR=$partial/djl PYTORCH_FLAVOR=$flavor \
    "$jdk/bin/java" -cp "$jars" "$partial/Download.java" >"$partial/log" 2>&1 || true
  mv "$partial/djl/pytorch"/*-"$flavor-$platform"/*.so* "$partial" 2>/dev/null ||
    fail "DJL could not download libtorch for $flavor: $(tail -n 3 "$partial/log")"
  rm -r "$partial/Download.java" "$partial/log" "$partial/djl"
}

case $1 in
  cu128) download_from_central ;;
  cu128-djl) download_from_djl ;;
  cpu) unpack "$lib"/pytorch-native-cpu-*.jar "pytorch/cpu/$platform" ;;
esac
# DJL counts devices with the CUDA runtime. It would prefer a runtime of the system to a longer name.
[[ $flavor == cpu ]] || ln -s "$(cd "$partial" && echo libcudart*.so*)" "$partial/libcudart.so"
# DJL looks for its own library next to libtorch, under the name of its version.
jni=$(ls "$lib"/pytorch-jni-*.jar)
djl=$(basename "$jni" .jar)
unpack "$jni" "jnilib/$platform/$flavor"
mv "$partial/libdjl_torch.so" "$partial/${djl##*-}-libdjl_torch.so"
mv "$partial" "$target"
