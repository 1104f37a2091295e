#!/usr/bin/env bash
# Writes an archive for a Linux machine without a network and without Java: a runtime image of this
# machine's JDK, the jars, conf/ and the launcher.
#
#   scripts/bundle.sh [--output DIR] [--with-hadoop] [--natives FLAVOR]
#   scripts/bundle.sh --check        unpacks a bundle in a temporary folder and runs the pipeline there
#
#   --output DIR      the folder for the archives; default: ./bundle
#   --with-hadoop     adds Hadoop's client, for hdfs:// and --engine mapreduce (50 MB)
#   --natives FLAVOR  writes a second archive with libtorch and DJL's library, to unpack in the same
#                     place: cu128, cu128-djl or cpu, see scripts/natives.sh --help
#
# Requires a JDK 17 or later, GNU tar, gzip, strip (binutils) and a build (./mvnw package
# -Dmaven.test.skip). The same jars, JDK and binutils give the same bytes. The archive is for the
# processor of this machine. Its runtime requires a C library at least as new as the one that the JDK
# was built for.
set -euo pipefail

fail() {
  echo "bundle: $1" >&2
  exit 2
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
packaged=$root/eval/target/lengthwise
output=bundle
with_hadoop=
flavor=
check=
while [[ $# -gt 0 ]]; do
  case $1 in
    --output) output=${2:?--output: expected a folder} && shift ;;
    --natives) flavor=${2:?--natives: expected cu128, cu128-djl or cpu} && shift ;;
    --with-hadoop) with_hadoop=yes ;;
    --check) check=yes flavor=cpu ;;
    -h | --help)
      sed -n '2,18s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    *) fail "unknown option $1; --help lists the options" ;;
  esac
  shift
done

# The names of this processor in the paths of native libraries inside jars.
case $(uname -s)-$(uname -m) in
  Linux-x86_64) platform=linux-x86_64 ours='linux-x86_64|linux-x86-64|linux/amd64|Linux/x86_64' ;;
  Linux-aarch64) platform=linux-aarch64 ours='linux-aarch64|linux/aarch64|Linux/arm64' ;;
  *) fail "expected Linux on x86_64 or aarch64, found $(uname -s) on $(uname -m)" ;;
esac
[[ -d $packaged/lib ]] || fail "not built yet: run (cd '$root' && ./mvnw -q package -Dmaven.test.skip)"
command -v strip >/dev/null || fail "no strip on the PATH: install binutils"
jdk=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
[[ -x $jdk/bin/jlink ]] || fail "$jdk has no jlink: set JAVA_HOME to a JDK"

limit=44000000 # bytes; --check fails if the archive without Hadoop and natives is larger
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[[ -z $check ]] || output=$work/archives
mkdir -p "$output"
version=$(basename "$packaged"/lib/lengthwise-eval-*.jar .jar)
version=${version#lengthwise-eval-}
name=lengthwise-$version-$platform
folder=$work/$name

# The modules that the classes need (jdeps --print-module-deps over the jars), and why:
#   java.desktop     plots, drawn with Java 2D
#   java.management  memory and options of this process: DJL, Log4j, benchmarks
#   jdk.management   the process's CPU time and the machine's memory, in benchmarks
#   java.logging     JLine and JNA log through it
#   java.naming      Log4j's lookups link to it
#   java.sql         DJL's and Gson's date types
#   java.compiler    DJL's translators link to it
#   jdk.unsupported  sun.misc.Unsafe and Signal: Arrow, JLine
modules=java.base,java.compiler,java.desktop,java.logging,java.management,java.naming,java.sql
modules=$modules,jdk.management,jdk.unsupported
# Hadoop's client logs in with these.
[[ -z $with_hadoop ]] || modules=$modules,java.security.jgss,java.security.sasl,jdk.security.auth

# Files of these modules that no command loads: windows, sound, printing, X11, beans' editors;
# XSLT, XPath and XML schemas; keytool and its kin, and the printer of bytecode. Java 2D without a
# screen stays for pictures, and the XML parser for Log4j.
unused='java\.desktop/((javax|sun|com/sun/java|com/sun)/swing|(javax|sun)/print|com/sun/media|javax/sound'
unused=$unused'|sun/awt/X11|sun/java2d/(opengl|xr|x11)|(sun|java)/applet|com/sun/(beans|accessibility)'
unused=$unused'|java/beans/beancontext)/'
unused=$unused'|java\.base/(sun/security/tools|jdk/internal/org/objectweb/asm/util)/'
# Hadoop writes its configuration by XSLT.
[[ $with_hadoop ]] ||
  unused=$unused'|java\.xml/com/sun/org/apache/(bcel|xalan|xpath|xerces/internal/impl/xs|xml/internal/(dtm|serializer))/'
unused_libraries='**/libjsound.so,**/libsplashscreen.so,**/libawt_xawt.so'

# Names the unused files of the JDK's modules. One of each package stays: a module needs a file in
# each package that it exports.
unused_files() {
  "$jdk/bin/jimage" list --verbose "$jdk/lib/modules" | unused="^/($unused)" awk '
    /^Module:/ {module = $2}
    NF == 4 && $1 ~ /^[0-9]+$/ {
      file = "/" module "/" $4
      package = file
      sub(/[^\/]*$/, "", package)
      if (file ~ ENVIRON["unused"] && kept[package]++) print file
    }'
}

link_runtime() {
  unused_files >"$work/unused"
  # Without compression here the archive becomes smaller, and Java starts faster.
  "$jdk/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages \
    --exclude-resources="@$work/unused" --exclude-files="$unused_libraries" \
    --output "$folder/runtime"
  find "$folder/runtime" -name '*.so' -exec strip --strip-unneeded {} +
}

# Parquet's reader does not start without these classes of Hadoop.
copy_classes_for_parquet() {
  local part=$work/for-parquet
  local classes=('io/compress/zlib/ZlibCompressor$CompressionLevel' io/Writable fs/{PathFilter,FileStatus,LocatedFileStatus}
    mapreduce/{InputFormat,RecordReader,JobContext,MRJobConfig}
    mapreduce/lib/input/{FileInputFormat,'FileInputFormat$1',InvalidInputException})
  classes=("${classes[@]/#/org/apache/hadoop/}")
  classes=("${classes[@]/%/.class}")
  mkdir "$part"
  (cd "$part" &&
    "$jdk/bin/jar" -xf "$packaged"/lib/hadoop-client-api-*.jar META-INF/LICENSE.txt META-INF/NOTICE.txt \
      "${classes[@]}" && "$jdk/bin/jar" -cfM "$folder/lib/hadoop-for-parquet.jar" .)
}

copy_jars() {
  mkdir "$folder/lib"
  local jar
  for jar in "$packaged"/lib/*.jar; do
    case $(basename "$jar") in
      pytorch-native-*) continue ;;
      hadoop-* | commons-logging-*) [[ $with_hadoop ]] || continue ;;
    esac
    cp "$jar" "$folder/lib"
  done
  [[ $with_hadoop ]] || copy_classes_for_parquet
  # Dropped: native libraries for other systems; files for builds and programmers; the tables of
  # tokenizers that prepare does not have; DJL's lists of models; what
  # protobuf has for generated messages, since TensorBoard's fields are written one by one; and the
  # collections of Parquet's writers.
  local dropped="(?!(.*/)?($ours)/).*\.(so|dll|dylib|jnilib|a)"
  dropped=$dropped'|META-INF/(maven|native-image|proguard)/.*|(.*/)?module-info\.class|.*/d3\.js'
  dropped=$dropped'|com/knuddels/.*/(o200k|cl100k|p50k)_base\.tiktoken|(nlp|cv)/.*'
  dropped=$dropped'|(com/)?google/protobuf/(Descriptor|Dynamic|Generated|JavaFeatures|TextFormat|descriptor|java_feat).*'
  dropped=$dropped'|shaded/parquet/it/unimi/dsi/fastutil/(objects|doubles|floats|booleans|shorts|chars)/.*'
  "$jdk/bin/java" "$root/scripts/Shrink.java" "$folder/lib" '(lengthwise|hadoop|commons-logging)-.*' "$dropped"
}

# Writes an archive: sorted, without owners, with one date, so equal content gives equal bytes.
# pack ARCHIVE LEVEL
pack() {
  local date
  date=$(sed -n 's/.*<project.build.outputTimestamp>\(.*\)<.*/\1/p' "$root/pom.xml")
  tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" --mode=u+rw,go+r,go-w \
    --format=gnu -cf - "$name" | gzip "-$2n" >"$output/$1.partial"
  mv "$output/$1.partial" "$output/$1"
  echo "$output/$1: $(($(stat -c %s "$output/$1") / 1000000)) MB"
}

# Unpacks the archives and runs the pipeline with an empty environment.
run_unpacked() {
  local there=$work/there
  mkdir -p "$there/text" "$there/home"
  cd "$there"
  local archive
  for archive in "$output"/*.tar.gz; do
    tar -C "$there" -xzf "$archive"
  done
  local number=0 file
  while IFS= read -r file; do
    cp "$file" "$there/text/$((number += 1)).txt"
  done < <(find "$root/eval/src" -name '*.java' | sort)
  lengthwise() {
    env -i PATH=/nonexistent HOME="$there/home" LENGTHWISE_OPTS="-Duser.home=$there/home" \
      "$there/$name/scripts/lengthwise" "$@"
  }
  # Each kind of input. DuckDB wrote the Parquet file, with Snappy, and zstd the other one.
  cp "$root"/scripts/bundle-inputs/text.* text/
  cp "$root/LICENSE" text/plain.txt
  gzip -c text/plain.txt >text/packed.txt.gz
  tar -C text -cf text/packed.tar plain.txt
  "$jdk/bin/jar" -cfM text/packed.zip -C text plain.txt
  lengthwise --version
  lengthwise prepare --input text --output tokenized --tokenizer "$root/scripts/bundle-inputs/tokenizer.json"
  lengthwise prepare --input text --output shards --tokenizer bytes \
    --set split.train=0.8 --set split.validation=0.1 --set split.test=0.1
  lengthwise train --config "$name/conf/train/regulargpt-64-6.yaml" --data shards --output runs/regulargpt \
    --set training.device=cpu --set training.precision=float32 --set training.steps=5 \
    --set training.batch=4 --set training.micro_batch=4 --set training.length=64 \
    --set training.validation.sequences=4 --set model.width=32 --set model.heads=2
  lengthwise evaluate --checkpoint runs/regulargpt --data shards --lengths 64,128 --set 'protocols=[{name: aligned, samples: 10}]' \
    --output results
  lengthwise report --results results --output report
  [[ -s report/report.html ]] || fail "the report is missing"
  [[ ! -e home/.djl.ai/pytorch ]] || fail "DJL unpacked its own libraries: $(ls -R home/.djl.ai)"
  local code=0
  lengthwise prepare --input hdfs://nowhere/text --output none --tokenizer bytes 2>refused || code=$?
  [[ $code == 2 ]] && grep -q 'with-hadoop' refused || fail "hdfs:// without Hadoop: $code, $(cat refused)"
  # The report needs bash and usual programs, and on a slow machine more than one call.
  for _ in 1 2 3 4 5; do
    code=0
    env -i PATH=/usr/bin:/bin HOME="$there/home" LENGTHWISE_OPTS="-Duser.home=$there/home" \
      "$there/$name/scripts/gpu-report.sh" --device cpu --minutes 3 gpu-report || code=$?
    [[ $code == 75 ]] || break
  done
  [[ $code == 0 ]] || fail "gpu-report.sh ended with $code, its page is: $(head -n 12 gpu-report/gpu.md)"
  echo "the bundle works without Java, network and other programs"
}

mkdir "$folder"
link_runtime
copy_jars
cp -r "$packaged/conf" "$packaged/scripts" "$packaged/LICENSE" "$folder"
pack "$name${with_hadoop:+-hadoop}.tar.gz" 9
if [[ -n $check && -z $with_hadoop ]]; then
  [[ $(stat -c %s "$output/$name.tar.gz") -le $limit ]] || fail "the archive is larger than $limit bytes"
fi
if [[ -n $flavor ]]; then
  mv "$folder" "$work/done"
  "$root/scripts/natives.sh" "$flavor" "$folder/natives"
  pack "$name-natives-$flavor.tar.gz" "$([[ -z $check ]] && echo 6 || echo 1)"
fi
[[ -z $check ]] || run_unpacked
