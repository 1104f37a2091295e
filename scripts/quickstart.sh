#!/usr/bin/env bash
# Runs the whole pipeline: downloads text, prepares it, trains small models with several positional
# schemes, measures them far beyond their training length, and prints the tables.
#
#   scripts/quickstart.sh [DIR]      the folder for everything; default: ./quickstart
#
# If it is interrupted, the same command resumes. Finished steps are skipped.
set -euo pipefail

folder=${1:-quickstart}
case $folder in
  -h | --help)
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd -P)
lengthwise=$root/scripts/lengthwise

say() {
  printf '\n== %s\n' "$1"
}

if [[ ! -d $root/eval/target/lengthwise/lib ]]; then
  say "Building"
  (cd "$root" && ./mvnw -q -B package -Dmaven.test.skip)
fi

if [[ ! -d $folder/text ]]; then
  say "Fetching text: source archives of well-known libraries, about 20 MB"
  rm -rf "$folder/.text.partial"
  (cd "$root" && ./mvnw -q -B -f scripts/quickstart-text.xml generate-resources \
    -Dtext="$folder/.text.partial")
  mv "$folder/.text.partial" "$folder/text"
fi

say "Preparing token shards"
"$lengthwise" prepare --input "$folder/text" --output "$folder/shards" --tokenizer bytes

# At the end this prints the tables and the path of the report.
say "Training, evaluating, reporting"
"$lengthwise" run \
  --config "$root/conf/experiments/quickstart.yaml" \
  --set experiment.data="$folder/shards" \
  --output "$folder/experiment"
