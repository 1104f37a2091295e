#!/usr/bin/env bash
# Measures a GPU in a few minutes and writes one page, OUT/gpu.md: are the results right, how fast is a
# training step, what does Table 3 say at a size that fits the minutes, and what do long texts cost?
#
#   scripts/gpu-report.sh [--minutes N] [--text FILE] [--device gpu:0|cpu] OUT
#
#   --minutes N      the time for everything; default: 10
#   --text FILE      the text of the table, a file or folder that the command prepare reads, at most 40 MB a
#                    minute (10 MB if compressed); of a longer .jsonl the beginning; default: a generated text
#   --device DEVICE  the device; default: gpu:0. cpu runs every part at a tiny size
#
# The most telling part runs first, each for its share of the time. The page is written after each part, and
# OUT/gpu-report.tar.gz, which has what to copy back. A part that exceeds its share is cut; what it had
# finished is on the page. The same command, started again, goes on with the parts that are not whole.
# Exit code: 0 if the page is whole and right, 75 if parts were cut, 1 if one failed or a difference exceeds
# its limit, 2 for wrong options, no card, or a libtorch that is rejected.
set -uo pipefail

fail() {
  echo "gpu-report: $1" >&2
  exit 2
}

minutes=10 text='' device=gpu:0 out=''
while [[ $# -gt 0 ]]; do
  case $1 in
    --minutes) minutes=${2:-} && shift ;;
    --text) text=${2:-} && shift && [[ -e $text ]] || fail "--text: expected a file or folder, found '$text'" ;;
    --device) device=${2:-} && shift ;;
    -h | --help) sed -n '2,/^set /s/^# \{0,1\}//p' "$0" && exit 0 ;;
    -*) fail "unknown option $1; --help lists the options" ;;
    *) [[ -z $out ]] && out=$1 || fail "expected one folder, found '$out' and '$1'" ;;
  esac
  shift
done
[[ $out ]] || fail "expected the folder of the report, found none; see --help"
[[ $minutes =~ ^[1-9][0-9]*$ ]] || fail "--minutes: expected a whole number of at least 1, found '$minutes'"
[[ $device =~ ^(gpu:[0-9]+|cpu)$ ]] || fail "--device: expected gpu:0 or cpu, found '$device'"

for each in awk find grep gzip nice paste realpath sed tar timeout; do
  command -v "$each" >/dev/null || fail "expected the program $each on the PATH, found none"
done
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
lengthwise=$root/scripts/lengthwise
conf=$root/conf
mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd -P)
[[ -z $text ]] || text=$(realpath -s "$text")
gpu='' card=''
processor=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
if [[ $device != cpu ]]; then
  gpu=${device#gpu:}
  # CUDA numbers cards as nvidia-smi does, and those that CUDA_VISIBLE_DEVICES lists from 0 on.
  export CUDA_DEVICE_ORDER=PCI_BUS_ID
  IFS=, read -ra visible <<<"${CUDA_VISIBLE_DEVICES:-}"
  chip=${visible[gpu]:-$gpu}
  # Without a card nvidia-smi prints the reason where the name would be.
  card=$(nvidia-smi --query-gpu=name --format=csv,noheader -i "$chip" 2>&1) && [[ $card ]] ||
    fail "--device: expected a card for $device, found none: nvidia-smi says '${card//$'\n'/ }'; --device cpu tries the command without a card"
  card=${card%%$'\n'*} # without warnings
fi
# What the table can read in its time on the fastest card, so that the preparation takes a small share.
limit=$((minutes * 40000000))
bytes=0
[[ -z $text ]] || bytes=$(find -L "$text" -type f -printf '%s %f\n' |
  awk '{ sum += $1 * (/[.](gz|tgz|zst|xz|zip|jar|parquet)([.]tar)?$/ ? 4 : 1) } END { printf "%d", sum }')
[[ $bytes -le $limit || $text == *.jsonl ]] ||
  fail "--text: expected at most $((limit / 1000000)) MB of text for $minutes minutes, found about $((bytes / 1000000)) MB in $text; unpack the beginning, such as zstd -dc FILE | head -c $limit >text.jsonl: of a .jsonl the beginning is read"
folder='' until=0 stopped='' aside='' torch='' guard=''
trap 'stopped=yes' TERM INT
trap 'for each in $torch $aside; do finish "$each"; done; [[ -z $guard ]] || { kill -KILL $(family "$guard"); wait "$guard"; } 2>/dev/null' EXIT

# Files appear whole: keep FILE <text
keep() {
  cat >"$1.partial" && mv "$1.partial" "$1"
}

# The results belong to one card, one libtorch and one text.
choice="device $device (${card:+$card, }$processor), libtorch ${PYTORCH_LIBRARY_PATH:-by default}, text ${text:-generated}"
[[ -e $out/choice ]] || keep "$out/choice" <<<"$choice"
[[ $(<"$out/choice") == "$choice" ]] ||
  fail "$out: expected $(<"$out/choice"), found $choice; choose another folder"

# A process and those that it started. Containers may lack ps and the lists of children in /proc.
family() {
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v first="$1" '
    function print_with(id, each) { print id; for (each in parent) if (parent[each] == id) print_with(each) }
    { id = $1; sub(/.*[)] /, ""); parent[id] = $2 }
    END { print_with(first) }'
}

# Waits for the end of this script, and kills what it leaves behind if it was killed.
guard() {
  local left
  trap '' TERM INT HUP
  while kill -0 $$ 2>/dev/null; do sleep 1; done
  mapfile -t left < <(grep -lsxz "GPU_REPORT=$GPU_REPORT" /proc/[0-9]*/environ | cut -d / -f 3)
  kill -KILL "${left[@]}"
}

# Ends a process and those that it started: asks, and kills after 10 seconds.
finish() {
  local all tenth
  mapfile -t all < <(family "$1")
  kill -TERM "${all[@]}" 2>/dev/null
  for ((tenth = 0; tenth < 100; tenth++)); do
    kill -0 "${all[@]}" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "${all[@]}" 2>/dev/null
}

# Waits for a process, at most until the part's time is up. 75: this script was asked to stop, 124: the
# time was up.
await() {
  local rc=0
  while [[ $rc == 0 ]] && kill -0 "$1" 2>/dev/null; do
    if [[ $stopped ]]; then
      rc=75
    elif ((SECONDS >= until)); then
      rc=124
    else
      sleep 0.1
    fi
  done
  [[ $rc == 0 ]] || finish "$1"
  wait "$1" 2>/dev/null || return "$((rc ? rc : $?))"
  return "$rc"
}

# Runs a command until the part's time is up, with its output in log.txt.
step() {
  [[ -z $stopped ]] || return 75
  ((SECONDS < until)) || return 124
  printf '\n$%s\n' "$(printf ' %q' "$@")" >>"$folder/log.txt"
  # In this process group, so that a signal to the group reaches every process.
  "$@" >>"$folder/log.txt" 2>&1 &
  await $!
}

# Runs bench, and again after an error that CUDA keeps for a whole process: the row of the error is stored.
bench() {
  local rc begin
  until
    begin=$(stat -c %s "$folder/log.txt" 2>/dev/null || echo 0)
    step "$lengthwise" bench "$@" --resume
    rc=$?
    [[ $rc != 1 ]] || ! tail -c "+$begin" "$folder/log.txt" | grep -q 'start the command again with --resume'
  do :; done
  return "$rc"
}

# The number of a column of a Markdown table, in the row of a variant and a length:
# number FILE HEADING VARIANT T
number() {
  [[ -e $1 ]] && awk -F ' *[|] *' -v heading="$2" -v variant="$3" -v length_="$4" '
    NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i }
    $place["variant"] == variant && $place["T"] == length_ { gsub(",", "", $place[heading]); print $place[heading] }' "$1"
}

# The rows of a Markdown table whose first cell matches, without times and empty columns: narrow FILE PATTERN
narrow() {
  [[ -e $1 ]] && awk -F ' *[|] *' -v pattern="$2" '
    NR <= 2 { for (i = 2; i < NF; i++) cell[NR, i] = $i; rows = 2 }
    NR > 2 && $2 ~ pattern { rows++; for (i = 2; i < NF; i++) { cell[rows, i] = $i; if ($i != "") used[i] = 1 } }
    END {
      for (r = 1; r <= rows && rows > 2; r++) {
        for (i = 2; i < NF; i++) if (used[i] && cell[1, i] !~ "^(ms|tokens/s)") printf "| %s ", cell[r, i]
        print "|"
      }
      print ""
    }' "$1"
}

# Which kernel of attention trainings chose, and the times of both: kernels LOG...
kernels() {
  grep -hso '[^ ]*, T = [0-9,]*: a training uses .* attention: .*' "$@" | sort -u | sed 's/^/- /'
}

# The tables of a Markdown file as CSV.
csv() {
  awk -F ' *[|] *' '/^[|]/ && !/^[|] :?-/ {
    for (i = 2; i < NF; i++) {
      cell = $i
      if (cell ~ /^[0-9,]+([.][0-9]+)?$/) gsub(",", "", cell)
      printf "%s%s", (i > 2 ? "," : ""), (cell ~ /,/ ? "\"" cell "\"" : cell)
    }
    print ""
  }'
}

# ---- Is it right?
part_right() {
  local rc
  bench --config "$conf/bench${gpu:+-gpu}.yaml" --parts agreement --output "$folder/bench" --set "device=$device"
  rc=$?
  # Bench has found differences and named them: the part has its answer.
  [[ $rc != 1 ]] || ! tail -n 1 "$folder/log.txt" | grep -q ' differs from ' || rc=0
  return "$rc"
}

# How many differences are within their limits, as a sentence of the page.
verdict() {
  grep -o '[0-9]* of [0-9]* differences are within their limits[.]' < <(folder=$out/right page_right)
}

page_right() {
  local table=$folder/bench/bench.md
  echo "One block's attention under each scheme (2 heads of width 64, 260 positions), values and gradients, against the"
  echo "plain-double reference; and the losses of small models, also with two replicas on the device, against a CPU's in"
  echo "float32. A cell is the largest difference, and its limit. The expected numbers were written on a CPU."
  [[ -z $gpu ]] || echo "A training in bfloat16 may choose cuDNN's attention for the schemes of its rows."
  echo
  [[ -e $table ]] || return 0
  awk -F ' *[|] *' 'NR > 2 { for (i = 2; i < NF; i++) if (split($i, part, " of ") == 2) { all++; good += part[1] ~ /^[0-9]/ && part[1] + 0 <= part[2] + 0 } }
    END { if (all) printf "**%d of %d differences are within their limits.**\n\n", good, all }' "$table"
  # What bench named after its latest call.
  awk '/^\$ / { n = 0 } / differs from | failed: / { line[n++] = $0 } END { for (i = 0; i < n; i++) print "- " line[i]; if (n) print "" }' "$folder/log.txt"
  narrow "$table" 'attention'
  narrow "$table" losses
}

# ---- How fast is a step?

# Copies the sizes of bench to a folder, in the section schemes only the first schemes or only the others:
# sizes first|others
sizes() {
  local file
  mkdir -p "$folder/$1"
  for file in bench.yaml bench-gpu.yaml bench-quick.yaml; do
    awk -v wanted="$1" '
      /^[a-z]/ { section = $1 }
      section == "schemes:" && /^  schemes:/ { heading = $0; next }
      section == "schemes:" && /^    [^ ]/ {
        if (wanted != ($1 ~ /^(none|alibi|kerple-log|t5|regulargpt):$/ ? "first" : "others")) next
        if (heading) print heading
        heading = ""
      }
      { print }' "$conf/$file" | keep "$folder/$1/$file"
  done
}

part_speed() {
  local peak=0 rc plain_rc=0 reserve=0 clocks='' begin=$SECONDS file settings reason
  if [[ $gpu ]]; then
    # By the full name, as other variants of a chip have other peaks.
    case $card in
      'NVIDIA H200' | 'NVIDIA H100 80GB HBM3') peak=9.89e14 ;;
      'NVIDIA A100'-SXM4-[48]0GB | 'NVIDIA A100-PCIE-40GB' | 'NVIDIA A100 80GB PCIe') peak=3.12e14 ;;
    esac
    file=bench-gpu.yaml settings=(--set schemes.steps=8 --set "schemes.peak_flops=$peak")
    nvidia-smi --query-gpu=clocks.sm,clocks.mem,power.draw,temperature.gpu --format=csv,nounits -i "$chip" -l 2 \
      >>"$folder/clocks.csv" 2>/dev/null &
    clocks=$!
  else
    file=bench-quick.yaml settings=(--set schemes.batch=16 --set schemes.micro_batch=16
      --set schemes.vocabulary=257)
  fi
  if [[ ! -e $folder/plain.md ]]; then
    while [[ -z $stopped && ! -e $out/torch.ready ]] && kill -0 "$torch" 2>/dev/null; do sleep 0.1; done
    finish "$torch" # no compiler runs beside the timed steps
    torch=''
    if [[ -e $out/torch.ready ]]; then
      reserve=$(((until - SECONDS) * 4 / 10))
    elif [[ -z $stopped ]]; then
      reason=$(tail -n 1 "$out/torch.txt")
      keep "$folder/plain.md" <<<"The same step in plain PyTorch was not timed: ${reason:-no answer of python3 within 60 s}."
    fi
  fi
  # The preparation would slow down steps that are bound by launches. It has a third of the time to end.
  while [[ $aside && -z $stopped ]] && kill -0 "$aside" 2>/dev/null && ((SECONDS < begin + (until - begin) / 3)); do sleep 0.1; done
  until=$((until - reserve))
  settings+=(--set "device=$device" --parts schemes --profile)
  sizes first
  sizes others
  bench --config "$folder/first/$file" "${settings[@]}" --output "$folder/bench"
  rc=$?
  # Bench has measured the schemes that did not fail.
  if [[ $rc -le 1 ]]; then
    bench --config "$folder/others/$file" "${settings[@]}" ${gpu:+--set schemes.lengths=[512]} \
      --output "$folder/others/bench" || rc=$?
  fi
  until=$((until + reserve))
  if [[ ! -e $folder/plain.md && -z $stopped ]]; then
    plain || plain_rc=$?
  fi
  [[ -z $clocks ]] || kill "$clocks" 2>/dev/null
  return "$((rc ? rc : plain_rc))"
}

# The same step in plain PyTorch, whose compiler keeps its results.
plain() {
  step "${python[@]}" --seconds "$(((until - SECONDS) * 9 / 10))" --output "$folder/plain.md.partial" &&
    mv "$folder/plain.md.partial" "$folder/plain.md"
}

page_speed() {
  local rows
  if [[ $gpu ]]; then
    echo "A training step of GPT-2 124M (12 layers, d = 768, V = 50,257) under each scheme: 32 sequences of T tokens, bfloat16."
    echo "MFU is 6 N + 12 layers d T operations a token over the card's dense peak, if its name is known. \`_scaled_dot_product_*\` names the kernel"
    echo "of attention; \`_softmax_backward_data\` means that all scores were in memory. T = 1,024 is measured for the first five"
    echo "schemes only. \`batch 32 in 2\` means 2 micro-batches. \`peak MB\` is the used memory of the whole device after the last step, with memory that libtorch keeps for"
    echo "later tensors; \`peak MB of tensors\` of plain PyTorch is without it, so the two columns cannot be compared."
  else
    echo "A training step of a tiny model under each scheme, 16 sequences in 1 micro-batch. It tries the command and says"
    echo "nothing about a GPU."
  fi
  echo
  for rows in "$folder/bench/bench.md" "$folder/others/bench/bench.md"; do
    [[ ! -e $rows ]] || { sed 's/aten:://g' "$rows" && echo; }
  done
  kernels "$folder/log.txt"
  rows=$folder/plain.md
  [[ -e $rows ]] || rows=$rows.partial # the finished rows of a program that was cut
  [[ ! -e $rows ]] || { echo && cat "$rows"; }
  if [[ -s $folder/clocks.csv ]]; then
    awk -F ', *' 'NR > 1 && $1 + 0 > 0 { n++; if (n == 1 || $1 < low) low = $1; if ($1 > high) high = $1; if ($3 > power) power = $3; if ($4 > heat) heat = $4 }
      END { if (n) printf "\nMeanwhile the clock of the multiprocessors was %d to %d MHz, the power at most %d W and %d degrees C.\n", low, high, power, heat }' "$folder/clocks.csv"
  fi
}

# ---- The table

# A text of words with Zipf frequencies, in documents that repeat their own words: 20 MB, or 2 MB on a CPU.
generate() {
  awk -v size="$([[ $gpu ]] && echo 20000000 || echo 2000000)" 'BEGIN {
    srand(1)
    split("ba ce di fo gu la me ni po ru sa te vi xo zu", part, " ")
    for (w = 1; w <= 5000; w++) for (i = 0; i < 2 + w % 3; i++) word[w] = word[w] part[1 + int(rand() * 15)]
    while (written < size) {
      line = ""
      for (n = 0; n < 2000; n++) {
        w = n > 50 && rand() < 0.3 ? own[int(rand() * n)] : int(exp(rand() * log(5000)))
        own[n] = w
        line = line word[w] (rand() < 0.1 ? ". " : " ")
      }
      printf "{\"text\": \"%s\"}\n", line
      written += length(line)
    }
  }'
}

# Prepares the text, at a lower priority, with tokens of GPT-2, or bytes on a CPU.
prepare() {
  local input=$text
  mkdir -p "$out/table"
  if [[ -z $text ]]; then
    input=$out/table/generated.jsonl
    [[ -e $input ]] || generate | keep "$input"
  elif ((bytes > limit)); then
    input=$out/table/beginning.jsonl
    [[ -e $input ]] || head -c "$limit" "$text" | sed '$d' | keep "$input" # the last line may be cut
  fi
  nice -n 5 "$lengthwise" prepare --input "$input" --output "$out/table/shards" \
    --tokenizer "$([[ $gpu ]] && echo gpt2 || echo bytes)" --set split.train=0.9 --set split.validation=0.05 \
    --set split.test=0.05 >>"$out/table/log.txt" 2>&1
}

# Writes the experiment, whose size fits the time: size SECONDS. Layers, width and steps follow from the
# tokens a second of the part speed. The time of a step is estimated as its operations at the measured speed
# plus 6 microseconds for each operator, which bounds small models on a GPU.
size() {
  local bench=$out/speed/bench/bench.md length=512 batch=32 vocabulary=50257 shapes='12,768 12,512 8,512 6,384 4,256 4,128'
  local tokens=60000000 full=12,768 alibi kerple t5 regular operators layers width steps parts_of_batch
  if [[ -z $gpu ]]; then
    length=64 batch=16 vocabulary=257 shapes=2,32 full=2,32
  fi
  alibi=$(number "$bench" tokens/s alibi "$length") kerple=$(number "$bench" tokens/s kerple-log "$length")
  t5=$(number "$bench" tokens/s t5 "$length") regular=$(number "$bench" tokens/s regulargpt "$length")
  operators=$(number "$bench" operators kerple-log "$length")
  parts_of_batch=$(grep -hso "batch $batch in [0-9]*" "$bench" | sort -u | sort -k 4 -n | tail -n 1 | cut -d ' ' -f 4)
  # Without a measurement: the numbers of a card at a tenth of an H100's peak.
  read -r layers width steps < <(awk -v seconds="$1" -v length_="$length" -v batch="$batch" -v v="$vocabulary" \
    -v shapes="$shapes" -v tokens="$tokens" -v full="$full" -v alibi="${alibi:-80000}" -v kerple="${kerple:-60000}" \
    -v t5="${t5:-60000}" -v regular="${regular:-40000}" -v operators="${operators:-5000}" -v most="$([[ $gpu ]] && echo 50000 || echo 40)" -v launch="$([[ $gpu ]] && echo 6e-6 || echo 0)" '
    function work(shape, part) { split(shape, part, ","); return 72 * part[1] * part[2] ^ 2 + 6 * v * part[2] + 12 * part[1] * part[2] * length_ }
    BEGIN {
      # Three dense columns, RegularGPT with all blocks, and four with half of them, each about half as long.
      whole = 1 / alibi + 1 / kerple + 1 / t5 + 3 / regular
      number_of = split(shapes, shape, " ")
      for (i = 1; i <= number_of; i++) {
        split(shape[i], part, ",")
        split(full, one, ",")
        each = whole * work(shape[i]) / work(full) + 8 * operators * part[1] / one[1] * launch / (batch * length_)
        steps = int(seconds / each / (batch * length_))
        if (steps * batch * length_ >= tokens || i == number_of) break
      }
      print part[1], part[2], (steps < 20 ? 20 : steps > most ? most : steps)
    }')
  local half=$((layers / 2)) chunks='32 64 128 256' lengths='512, 1024, 2048, 4096, 8192' samples=250 chunk
  [[ $gpu ]] || chunks='8 16 32 64' lengths='64, 128, 256, 512, 1024' samples=20
  keep "$folder/experiment.yaml" <<END
# Table 3 at a size that fits the time: the same layers, width and steps for all columns. RegularGPT C/K has
# half of the blocks and runs them twice at the training length; the last column has all blocks.
extends: ["$conf/experiments/table3.yaml"]
model: {layers: $layers, width: $width, heads: $((width >= 128 ? width / 64 : 2))}
optimizer:
  learning_rate: $(awk -v d="$width" 'BEGIN { print (d >= 768 ? "6.0e-4" : d >= 384 ? "1.0e-3" : "2.0e-3") }')
  positional_rate: $(awk -v s="$steps" 'BEGIN { r = 50000 / s; print (r > 50 ? 50 : r < 1 ? 1 : r) }')
  warmup_fraction: 0.1
training:
  length: $length
  batch: $batch
  micro_batch: $((batch / ${parts_of_batch:-1}))
  attention: $(grep -qs 'CUDA error' "$bench" && echo flash || echo auto) # cuDNN's may have failed
  steps: $steps
  precision: $([[ $gpu ]] && echo bfloat16 || echo float32)
  device: $device
  validation: {interval: $((steps / 4)), sequences: 64}
  checkpoint: {interval: $((steps / 4)), keep: 1}
  guard: {jump: 3.0}
experiment:
  data: "$folder/shards"
  seeds: [1]
  columns:
    - {name: regulargpt-${chunks%% *}-$half, model: {layers: $half}, position: {scheme: regulargpt, chunk: ${chunks%% *}}}
    - "$conf/position/alibi.yaml"
    - "$conf/position/t5.yaml"
    - "$conf/position/kerple-log.yaml"
$(for chunk in ${chunks#* }; do echo "    - {name: regulargpt-$chunk-$half, model: {layers: $half}, position: {scheme: regulargpt, chunk: $chunk}}"; done)
    - {name: regulargpt-$(cut -d ' ' -f 3 <<<"$chunks")-$layers, position: {scheme: regulargpt, chunk: $(cut -d ' ' -f 3 <<<"$chunks")}}
  measurements:
    - kind: perplexity
      lengths: [$lengths]
      protocols: [{name: aligned, samples: $samples}]
      seed: 2023
      within_document: false
      position_scaling: [none]
      memory_limit_megabytes: 0
      precision: float32
      device: $device
    - {kind: baseline, order: 5}
END
}

part_table() {
  local rc counted names runs=("$lengthwise" run --config "$folder/experiment.yaml" --output "$folder/experiment")
  await "$aside"
  rc=$?
  aside=
  [[ $rc == 0 ]] || return "$rc"
  # A resumed experiment keeps its size.
  [[ -e $folder/experiment.yaml ]] || size $(((until - SECONDS) * 6 / 10))
  names=$("$lengthwise" run --config "$folder/experiment.yaml" --list 2>>"$folder/log.txt" | grep -vx 'baselines\|' | paste -sd ,)
  until=$((until - 5)) # for the report of what is finished
  # The processors count n-grams while the device trains.
  nice -n 5 "${runs[@]}" --queue none --only baselines >>"$folder/baselines.txt" 2>&1 &
  aside=$!
  step "${runs[@]}" --queue none --only "$names"
  rc=$?
  [[ $rc == 0 ]] || finish "$aside"
  await "$aside"
  counted=$?
  aside=
  if [[ $rc == 0 && $counted != 75 && $counted != 124 ]]; then
    step "${runs[@]}" --queue none
    return $?
  fi
  [[ $rc != 0 ]] || rc=$counted
  until=$((until + 15))
  [[ ! -d $folder/experiment/runs ]] ||
    step "$lengthwise" report --results "$folder/experiment/runs" --output "$folder/experiment/report"
  return "$rc"
}

page_table() {
  local report=$folder/experiment/report
  echo "The columns of Table 3 of Chi et al. (2023), trained here with one seed, and the perplexity of the last token at longer"
  echo "texts, on the same targets at every length. \`5-gram, tokens read\` is a 5-gram model of the tokens that a column has"
  echo "read, \`5-gram\` one of the whole training split. RegularGPT C/K has windows of C and K blocks."
  echo
  [[ $text ]] || echo "**The text is generated: random words. The numbers compare schemes on this text only.**"
  [[ ! -e $folder/beginning.jsonl ]] || echo "The text is the first $(($(stat -c %s "$folder/beginning.jsonl") / 1000000)) MB of $(basename "$text")."
  if [[ -e $folder/experiment.yaml ]]; then
    awk '/^model:/ { gsub(/[^0-9]+/, " "); split($0, n, " "); printf "%d layers, d = %d, ", n[1], n[2] }
      /^  length:/ { length_ = $2 } /^  batch:/ { batch = $2 }
      /^  steps:/ { printf "%d steps of %d x %d tokens (%.2f million) in each column.\n", $2, batch, length_, $2 * batch * length_ / 1e6 }' "$folder/experiment.yaml"
  fi
  echo
  kernels "$folder/log.txt" "$folder"/experiment/logs/*.log
  figures "$report" 'Perplexity against length' 'perplexity-*'
}

# Some tables of a report, without the others, and some pictures: figures REPORT TITLE PICTURE...
figures() {
  local report=$1 title=$2 name picture
  shift 2
  [[ -e $report/table.md ]] || return 0
  echo
  awk -v title="$title" '/^## / { on = index($0, title) } on' "$report/table.md" | sed 's/^#/##/'
  for name in "$@"; do
    for picture in "$report"/$name.png; do
      [[ ! -e $picture ]] || printf '![%s](%s)\n\n' "$(basename "$picture" .png)" "${picture#"$out/"}"
    done
  done
  echo "All tables: [table.md](${report#"$out/"}/table.md), [report.html](${report#"$out/"}/report.html)."
}

# ---- Long texts and memory
part_extras() {
  local lengths=512,2048 samples=100 sizes=bench-gpu.yaml checkpoints run fields rc
  [[ $gpu ]] || lengths=64,256 samples=10 sizes=bench-quick.yaml
  bench --config "$conf/$sizes" --set "device=$device" --parts last-token --set repetitions=3 --output "$folder/bench"
  rc=$?
  [[ $rc -le 1 ]] || return "$rc"
  [[ -d $out/table/shards ]] || return 124 # the preparation was cut
  step "$lengthwise" train --config "$conf/train/regulargpt-128-12.yaml" --data "$out/table/shards" --dry-run \
    --output "$folder/none" --set "training.device=$device" --set training.micro_batch=16 || return $?
  mapfile -t checkpoints < <(for run in "$out"/table/experiment/runs/*/; do [[ ! -e ${run}evaluation/DONE ]] || echo "${run%/}"; done)
  [[ ${#checkpoints[@]} != 0 ]] || return 124 # the table has no column yet
  # A table that goes on has more columns later, which are another measurement.
  fields=$folder/receptive-field-${#checkpoints[@]}
  step "$lengthwise" receptive-field --checkpoint "${checkpoints[@]}" --data "$out/table/shards" --length "$lengths" \
    --samples "$samples" --set "device=$device" --output "$fields" || return $?
  step "$lengthwise" report --results "$fields" --output "$folder/report" || return $?
  [[ $rc == 0 ]] || return "$rc"
  [[ $(state table) == whole* ]] || return 124
}

page_extras() {
  local measured
  echo "The last token of a long text, from what it depends on (\`last position\`), from every position, and with dense masks"
  echo "(\`peak MB\` is the most memory of the process so far, without the device's):"
  echo
  [[ ! -e $folder/bench/bench.md ]] || cat "$folder/bench/bench.md"
  echo
  echo "The memory of a training of RegularGPT 128/12, 124 M parameters, 16 sequences of 512 tokens at a time, by its plan:"
  echo
  # Of the latest plan: an earlier attempt may have printed one, too.
  awk '/^memory / { n = 2; plan = "" } n-- > 0 { plan = plan "    " $0 "\n" } END { print plan }' "$folder/log.txt"
  measured=$(number "$out/speed/bench/bench.md" 'peak MB' regulargpt 512)
  [[ -z $gpu || -z $measured ]] || echo "Measured by the part speed: $measured MB."
  figures "$folder/report" 'Effective receptive field' 'receptive-field-[0-9]*'
}

# ---- The page
parts=(right speed table extras)
declare -A titles=([right]="Is it right?" [speed]="How fast is a step?" [table]="What does Table 3 say?" [extras]="Long texts and memory")

state() {
  if [[ -e $out/$1/state ]]; then cat "$out/$1/state"; else echo "not finished"; fi
}

# The card or the processor as its driver or Linux names it, and what bench found: memory, Java, libtorch, build.
machine() {
  local found
  if [[ $card ]]; then
    nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.max.sm,clocks.mem,power.limit \
      --format=csv -i "$chip"
  fi
  echo "$(uname -sr), $processor, processors: $(getconf _NPROCESSORS_ONLN)"
  for found in "$out"/*/bench/bench.txt; do
    [[ ! -e $found ]] || { head -n 3 "$found" && break; }
  done
}

page() {
  local part open=() folder
  for part in "${parts[@]}"; do
    [[ $(state "$part") == whole* ]] || open+=("$part: $(state "$part" | cut -d : -f 1)")
  done
  echo "# A measurement of ${card:-$processor}"
  echo
  if [[ ${#open[@]} == 0 ]]; then
    echo "Every part of this page is whole. $(verdict)"
  else
    printf '**This page is not whole.** %s.' "$(printf '%s; ' "${open[@]}" | sed 's/; $//')"
    echo " The same command, started again with this page's folder, goes on."
  fi
  printf '\n| part | question | state |\n|:---|:---|:---|\n'
  for part in "${parts[@]}"; do
    echo "| [$part]($part) | ${titles[$part]} | $(state "$part") |"
  done
  printf '\n%s\n' "$(machine | sed 's/^/    /')"
  for part in "${parts[@]}"; do
    folder=$out/$part
    [[ -d $folder ]] || continue
    printf '\n## %s\n\n' "${titles[$part]}"
    [[ $(state "$part") == whole* ]] || printf '**This part is not whole.**\n\n'
    "page_$part"
  done
  printf '\nEach folder has the log of its commands, log.txt; bench.csv and plain.csv have the tables as numbers.\n'
}

# Writes the page, and an archive of the page, tables, pictures and logs for the way back from the node.
publish() {
  page | sed "s|$out/||g" | cat -s | keep "$out/gpu.md"
  find "$out" -type f -size -1024k \( -name '*.md' -o -name '*.csv' -o -name '*.json' -o -name '*.jsonl' -o -name '*.txt' \
    -o -name '*.log' -o -name '*.png' -o -name '*.html' -o -name '*.yaml' -o -name choice -o -name state \) \
    ! -path "$out/speed/compiled/*" ! -path "$out/*/bench/traces/*" ! -name generated.jsonl ! -name beginning.jsonl -printf '%P\0' |
    tar -C "$out" --null -T - -czf - | keep "$out/gpu-report.tar.gz"
}

# Runs a part until a second of this run, unless it is whole: run NAME SECOND
run() {
  local part=$1 begin=$SECONDS rc table
  folder=$out/$part until=$2
  [[ $(state "$part") != whole* && -z $stopped ]] || return 0
  echo "== $part: ${titles[$part]} ($((until - SECONDS)) s)"
  mkdir -p "$folder"
  "part_$part"
  rc=$?
  case $rc in
    0) keep "$folder/state" <<<"whole, $((SECONDS - begin)) s" ;;
    75 | 124 | 137 | 143) keep "$folder/state" <<<"cut after $((SECONDS - begin)) s" ;;
    *) keep "$folder/state" <<<"failed with exit code $rc: $(tail -n 1 "$folder/log.txt" | cut -c1-300 | tr '|' '/')" ;;
  esac
  for table in "$folder"/bench/bench.md "$folder"/others/bench/bench.md "$folder"/plain.md; do
    [[ ! -e $table ]] || csv <"$table" | keep "${table%.md}.csv"
  done
  publish
  echo "   $(<"$folder/state")"
  # Without a device or a libtorch that is accepted every part would fail.
  [[ $part != right || $rc != 2 ]] || fail "$(tail -n 1 "$folder/log.txt")"
}

export GPU_REPORT=$$-$RANDOM # in the environment of each process that this script starts
guard >/dev/null 2>&1 &
guard=$!
# Tiny models are fastest with one thread.
[[ $gpu ]] || export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
end=$((minutes * 60))
publish
# Beside the first part, which times nothing: whether python3 has torch, which takes seconds to load; the
# compilation of its step, which takes minutes; and the text of the table.
export TORCHINDUCTOR_CACHE_DIR=$out/speed/compiled
python=(python3 "$root/scripts/plain-step.py" --device "${gpu:+cuda:}${gpu:-cpu}")
[[ $gpu ]] || python+=(--small)
rm -f "$out/torch.ready"
if [[ ! -e $out/speed/plain.md && $(state speed) != whole* ]]; then
  {
    timeout --foreground -k 1 60 "${python[@]}" --check && touch "$out/torch.ready" && nice -n 19 "${python[@]}" --warm
  } >"$out/torch.txt" 2>&1 &
  torch=$!
fi
if [[ $(state table) != whole* ]]; then
  prepare &
  aside=$!
fi
run right $((SECONDS + end * 25 / 100))
run speed $((end * 45 / 100))
run table $((end * 88 / 100))
run extras "$end"

publish
states=$(for part in "${parts[@]}"; do state "$part"; done)
echo "$out/gpu.md"
case $states in
  *failed*) exit 1 ;;
  *cut* | *not*) exit 75 ;;
esac
# Differences beyond their limits end with an error, though the page is whole.
read -r good _ all _ < <(verdict)
[[ ${good-} == "${all-}" ]] || exit 1
