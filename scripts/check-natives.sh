#!/usr/bin/env bash
# Checks a libtorch for CUDA on a machine without a GPU.
#
#   scripts/check-natives.sh [NATIVES]      default: natives in the repository
#
# 1. No library misses a library or a symbol. The driver is not needed: libtorch opens it later.
# 2. train --dry-run names the CUDA build.
# 3. Two steps of RegularGPT, T5 and RoPE in bfloat16 on the CPU have the losses that the build for
#    CPUs has, to 0.1 %.
#
# Requires a JDK 17 or later and a build (./mvnw package -Dmaven.test.skip). Takes some minutes.
set -euo pipefail

fail() {
  echo "check-natives: $1" >&2
  exit 1
}

case ${1:-} in
  -h | --help)
    sed -n '2,11s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
unset LD_LIBRARY_PATH PYTORCH_LIBRARY_PATH PYTORCH_FLAVOR
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
natives=$(cd "${1:-$root/natives}" && pwd -P)
# This copy of the launcher has no natives/ next to it, so it can use both builds.
launcher=$root/eval/target/lengthwise/scripts/lengthwise
[[ -x $launcher ]] || fail "not built yet: run (cd '$root' && ./mvnw -q package -Dmaven.test.skip)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The dynamic linker resolves every symbol of a library and prints what is missing, as ldd -r does.
linker=$(echo /lib64/ld-linux-x86-64.so.*)
for library in "$natives"/*.so*; do
  LD_TRACE_LOADED_OBJECTS=1 LD_WARN=yes LD_BIND_NOW=yes \
    "$linker" --library-path "$natives" "$library" >>"$work/linked" 2>&1 || true
done
if grep -E 'undefined symbol|not found|cannot open' "$work/linked" | sort -u; then
  fail "these symbols or libraries are missing"
fi
echo "libraries: $(find "$natives" -name '*.so*' -type f | wc -l), missing symbols: none"

with_cuda() {
  PYTORCH_LIBRARY_PATH=$natives "$launcher" "$@"
}

mkdir "$work/text"
find "$root/eval/src/main" -name '*.java' -exec sh -c 'cp "$1" "$2/$(basename "$1").txt"' _ {} "$work/text" \;
"$launcher" prepare --input "$work/text" --output "$work/shards" --tokenizer bytes >"$work/log" 2>&1 ||
  fail "$(cat "$work/log")"

# train LAUNCHER SCHEME OPTION...
train() {
  "$1" train --config "$root/conf/train/$2.yaml" --data "$work/shards" --set training.device=cpu \
    --set training.steps=2 --set training.batch=4 --set training.micro_batch=4 --set training.length=256 \
    --set training.metrics_interval=1 --set training.validation.sequences=4 \
    --set model.layers=2 --set model.width=128 --set model.heads=2 "${@:3}" 2>"$work/log" ||
    fail "$(cat "$work/log")"
}

# losses RUN: those of the first validation, of both steps, and of the last validation
losses() {
  sed -n 's/.*"loss":\([-+.0-9eE]*\).*/\1/p' "$1/metrics.jsonl" | paste -sd ' '
}

train with_cuda rope --output "$work/none" --dry-run | grep 'devices' | grep 'for CUDA' ||
  fail "train --dry-run does not name a CUDA build"
for scheme in regulargpt-64-6 t5 rope; do
  train with_cuda "$scheme" --output "$work/cuda-$scheme"
  train "$launcher" "$scheme" --output "$work/cpu-$scheme"
  cuda=$(losses "$work/cuda-$scheme")
  cpu=$(losses "$work/cpu-$scheme")
  echo "$scheme: for CUDA $cuda, for CPUs $cpu"
  awk -v one="$cuda" -v other="$cpu" 'BEGIN {
    n = split(one, a, " "); m = split(other, b, " ")
    if (n != 4 || m != 4) exit 1
    for (i = 1; i <= n; i++) if (!(a[i] > 0 && (a[i] - b[i])^2 <= (0.001 * b[i])^2)) exit 1
  }' || fail "$scheme: expected the same four losses to 0.1 %"
done
