#!/usr/bin/env bash
# Runs the whole pipeline: downloads text, prepares it, trains small models with several positional
# schemes, measures them far beyond their training length, and prints the tables.
#
#   scripts/quickstart.sh [--text DIR] [--offline] [DIR]
#
#   DIR          the folder for everything; default: ./quickstart
#   --text DIR   trains on your own text: a file or folder that the command prepare reads
#   --offline    downloads nothing: Maven's local repository has all files of an earlier quickstart
#
# If it is interrupted, the same command resumes. Finished steps are skipped.
set -euo pipefail

folder=quickstart
text=
offline=
while [[ $# -gt 0 ]]; do
  case $1 in
    -h | --help)
      sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    --offline) offline=-o ;;
    --text)
      [[ -e ${2:-} ]] || { echo "quickstart: --text needs a file or folder, found '${2:-}'" >&2; exit 2; }
      text=$(realpath "$2")
      shift
      ;;
    -*)
      echo "quickstart: no option $1; --help lists the options" >&2
      exit 2
      ;;
    *) folder=$1 ;;
  esac
  shift
done
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd -P)
lengthwise=$root/scripts/lengthwise

say() {
  printf '\n== %s\n' "$1"
}

# Maven's output as a line for each module and for each hundred downloads, and all errors.
modules() {
  awk '/^\[INFO\] Building Lengthwise [a-z-]+ [0-9]/ { print "  " $4; fflush() }
    /^\[INFO\] Downloaded from/ && ++files % 100 == 0 { print "  " files " files downloaded"; fflush() }
    /ERROR/ { print; fflush() }'
}

if [[ ! -d $root/eval/target/lengthwise/lib ]]; then
  say "Building: half a minute, and Maven's downloads (270 MB) if this is the first build"
  (cd "$root" && ./mvnw -B $offline package -Dmaven.test.skip) | modules
fi

if [[ -z $text ]]; then
  text=$folder/text
  if [[ ! -d $text ]]; then
    say "Fetching text: source archives of well-known libraries, 5 MB"
    rm -rf "$folder/.text.partial"
    (cd "$root" && ./mvnw -q -B $offline -f scripts/quickstart-text.xml generate-resources \
      -Dtext="$folder/.text.partial") || {
      echo "quickstart: the text was not fetched; start again with a network, or name your own: --text DIR" >&2
      exit 1
    }
    mv "$folder/.text.partial" "$text"
  fi
fi

say "Preparing token shards"
"$lengthwise" prepare --input "$text" --output "$folder/shards" --tokenizer bytes

say "Training five models and measuring each at 64 to 2,048 tokens: two minutes on two cores"
"$lengthwise" run \
  --config "$root/conf/experiments/quickstart.yaml" \
  --set experiment.data="$folder/shards" \
  --output "$folder/experiment"
