#!/bin/sh
# Writes classes.jsa into a runnable folder: the classes that a command loads when it starts, in the
# form in which the JVM keeps them in memory. The launcher uses the file if it fits the JVM and the
# class path, and then starts faster. The build runs this script:
#
#   scripts/class-archive.sh eval/target/lengthwise
set -eu
folder=$(CDPATH='' cd -- "$1" && pwd -P)
work=$folder/../class-archive
rm -rf "$work" "$folder/classes.jsa"
mkdir "$work"
cd "$work"
unset HADOOP_CONF_DIR PYTORCH_FLAVOR PYTORCH_LIBRARY_PATH

# prepare needs no native library and loads most classes that all commands share. The class path and
# the options are those of the launcher.
export LENGTHWISE_OPTS='-XX:ArchiveClassesAtExit=classes.jsa -Xlog:cds*=error -XX:TieredStopAtLevel=1'
if "$folder/scripts/lengthwise" prepare --tokenizer bytes --input "$folder"/lib/lengthwise-eval-*.jar \
  --output shards >log 2>&1 && [ -e classes.jsa ]; then
  # In one step: Java 17 crashes if an archive is not complete.
  mv classes.jsa "$folder"
else
  echo "no classes.jsa, so commands start slower; $work/log says why"
fi
