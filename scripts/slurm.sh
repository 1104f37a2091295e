#!/usr/bin/env bash
# Runs an experiment on a Slurm cluster: a job array with one task for each run, and a job that writes
# the report after them. Trials, and runs from which others start, are arrays of their own that the others
# wait for. A run that is stopped before its time limit resumes in the same job, later.
#
#   scripts/slurm.sh [--dry-run] [--set KEY=VALUE]... EXPERIMENT.yaml OUTPUT [-- OPTION...]
#
#   OUTPUT           the experiment's folder, on a file system that all nodes share
#   --set KEY=VALUE  overrides one key, such as experiment.data=/shared/owt2
#   --dry-run        prints both job scripts and submits nothing
#   OPTION           options of sbatch, such as --time=04:00:00 --gres=gpu:1 --cpus-per-task=8 --mem=16G
#
# Called again, it submits the runs that are neither finished nor in the queue.
set -euo pipefail

fail() {
  echo "slurm: $1" >&2
  exit 2
}

settings=() names=() dry='' signal=B:TERM@120
while [[ $# -gt 0 && $1 != -- ]]; do
  case $1 in
    --dry-run) dry=yes ;;
    --set) [[ $# -gt 1 ]] || fail "--set: expected KEY=VALUE" && settings+=(--set "$2") && shift ;;
    -h | --help) sed -n '2,/^set /s/^# \{0,1\}//p' "$0" && exit 0 ;;
    -*) fail "unknown option $1; --help lists the options, and options of sbatch follow --" ;;
    *) names+=("$1") ;;
  esac
  shift
done
[[ ${#names[@]} == 2 ]] || fail "expected EXPERIMENT.yaml and OUTPUT, found '${names[*]-}'; see --help"
launcher=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)/lengthwise
output=$(realpath -m "${names[1]}")
[[ -e $output/report/report.json || -z $(ls "$output/report" 2>/dev/null) ]] ||
  fail "$output/report: expected a folder that is absent or empty, or has a report; name another OUTPUT"
experiment=("$launcher" run --config "$(realpath -m "${names[0]}")" ${settings[@]+"${settings[@]}"})
again=$(printf '%q ' "$0" ${settings[@]+"${settings[@]}"} "${names[@]}" "$@")
[[ $# == 0 ]] || shift
options=$([[ $# == 0 ]] || printf '%q ' "$@")
# The options of a test job: the same without the signal, which srun does not take.
request=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --signal) signal=${2:-} && shift ;;
    --signal=*) signal=${1#*=} ;;
    *) request+=("$1") ;;
  esac
  shift
done
[[ $signal =~ ^B:TERM@([0-9]+)$ ]] ||
  fail "--signal=$signal: expected B:TERM@SECONDS, because the script of the job passes SIGTERM on to the run"
lead=${BASH_REMATCH[1]} # seconds from the signal to the time limit
# Slurm finds the jobs of an experiment by this name.
name=lengthwise-$(basename "$output" | tr -c 'A-Za-z0-9._\n-' _)-$(cksum <<<"$output" | cut -d' ' -f1)
all=$("${experiment[@]}" --list)
names=() groups=() group=0 # a run waits for all runs of smaller groups
while read -r line; do
  if [[ $line ]]; then names+=("$line") groups+=("$group"); else group=$((group + 1)); fi
done <<<"$all"

# The first lines of a job script: header NAME LOG
header() {
  cat <<EOF
#!/bin/bash
#SBATCH --job-name=$1 --chdir="$PWD"
#SBATCH --output="$2" --open-mode=append --requeue --signal=$signal
${options:+#SBATCH $options}
experiment=($(printf '%q ' "${experiment[@]}"))
output=$(printf '%q' "$output")
# For a job that asked for memory by processor.
[[ -z \${SLURM_MEM_PER_CPU:-} ]] || export SLURM_MEM_PER_NODE=\$((SLURM_MEM_PER_CPU * SLURM_CPUS_ON_NODE))
EOF
}

runs_script() {
  header "$name" "$output/logs/%A_%a.log"
  echo "names=($(printf '%q ' "${names[@]}"))"
  cat <<'EOF'
run=${names[SLURM_ARRAY_TASK_ID - 1]}
job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID # SLURM_JOB_ID of the last task means the whole array
log=$output/logs/slurm-$run
ln -sfn "$job.log" "$log.log"

# The names of the run's checkpoints and its numbers of finished cells, as one checksum.
progress() {
  find "$output/runs/$run" "$output/runs/.$run.partial" "$output/trials/$run" \( -path '*/checkpoints/step-*' -prune \
    -o -name progress.json -o -name DONE \) -print -type f -exec cat {} \; 2>/dev/null | sort | cksum
}
before=$(progress)
echo "slurm: $run on $SLURMD_NODENAME, restart ${SLURM_RESTART_COUNT:-0}, CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES-}"
"${experiment[@]}" --output "$output" --only "$run" &
process=$!
trap 'kill -TERM $process' TERM
while kill -0 $process 2>/dev/null; do wait $process; done # a signal ends a wait early
wait $process
code=$?

# 75: stopped, and can resume. 143: stopped before it began. A cancelled job is not queued again.
if [[ $code =~ ^(75|143)$ && $(squeue -h -j "$job" -o %T) == RUNNING ]]; then
  if [[ $(progress) != "$before" ]]; then
    rm -f "$log.stops"
  else
    echo "$job" >>"$log.stops"
  fi
  if [[ -e $log.stops && $(wc -l <"$log.stops") -ge 3 ]]; then
    rm "$log.stops"
    echo "slurm: $run stopped 3 times without a new checkpoint or result: give it more time with --time"
  elif trap '' TERM && scontrol requeue "$job"; then # the requeue signals all of this job
    echo "slurm: $run is queued again"
    exit 0
  fi
fi
echo "slurm: $run ended with exit code $code"
exit $code
EOF
}

report_script() {
  header "$name-report" "$output/logs/report.log"
  echo "again=$(printf '%q' "$again")"
  cat <<'EOF'
unfinished=$("${experiment[@]}" --unfinished "$output") || exit
[[ -n $unfinished ]] || exec "${experiment[@]}" --output "$output"
for run in $unfinished; do
  echo "== $run is not finished. The end of $output/logs/slurm-$run.log:"
  tail -n 8 "$output/logs/slurm-$run.log" || echo "no log: the job did not start, or its node does not see the folder"
done
echo "== No report, unfinished runs: $(wc -w <<<"$unfinished"). Correct the cause, then: $again"
exit 1
EOF
}

if [[ $dry ]]; then
  echo "# the runs: sbatch --array=1-${#names[@]}, an array for each group of run --list" && runs_script
  echo "# the report: sbatch --dependency=afterany:RUNS" && report_script
  exit
fi
command -v sbatch >/dev/null || fail "no sbatch on the PATH: call this script on a login node of a Slurm cluster"
unfinished=$("${experiment[@]}" --unfinished "$output")
if [[ -z $unfinished && -e $output/report/report.html ]]; then
  echo "slurm: all ${#names[@]} runs are finished: $output/report/report.html"
  exit
fi
# Lines with a task and its array: those in the queue, and those that follow.
placed=$(squeue -h -r -n "$name" -o '%K %F') || fail "Slurm does not answer, see above; scontrol ping asks its controller"

# The arrays with tasks of smaller groups, as a dependency: earlier GROUP
earlier() {
  while read -r task array; do
    if [[ $task && ${groups[task - 1]:-0} -lt $1 ]]; then echo "$array"; fi
  done <<<"$placed" | sort -u | paste -sd:
}

tasks=() # of each group
for i in $(seq ${#names[@]}); do
  if grep -qxF "${names[i - 1]}" <<<"$unfinished" && ! grep -q "^$i " <<<"$placed"; then
    group=${groups[i - 1]}
    tasks[group]+=${tasks[group]:+,}$i
  fi
done
if [[ $unfinished && ${#tasks[@]} == 0 ]]; then
  echo "slurm: all unfinished runs are in the queue already, as job $(earlier "${#names[@]}" | sed 's/:/, /g')"
  exit
fi
mkdir -p "$output/logs"
runs_script >"$output/logs/runs.sbatch"
report_script >"$output/logs/report.sbatch"

# seconds [DAYS-][[HOURS:]MINUTES:]SECONDS: also of a time without a limit
seconds() {
  awk -F'[-:]' '!/^[-0-9:]+$/ { print 10 ^ 9 } /^[-0-9:]+$/ {
    if (!/-/) { s = 0; for (i = 1; i <= NF; i++) s = 60 * s + $i } else s = 86400 * $1 + 3600 * $2 + 60 * $3 + $4
    print s }' <<<"$1"
}

# A run needs as much time to work as to stop, and no more than the partition gives: require_time LIMIT PARTITION
require_time() {
  local most
  most=$(sinfo -h -p "$2" -o %l | head -n 1)
  [[ $(seconds "$1") -le $(seconds "$most") ]] ||
    fail "a time limit of $1 is longer than the $most of the partition $2: set a shorter --time"
  [[ $(seconds "$1") -ge $((2 * lead)) ]] ||
    fail "a time limit of $1 is too short: a run stops and writes a checkpoint $lead seconds before its end. \
Set a longer --time, or a later signal, such as --signal=B:TERM@30"
}

# Asks a node, if one is free, whether it sees the folder: require_shared OPTION...
require_shared() {
  local node
  # shellcheck disable=SC2016 # the node expands it
  node=$(timeout 60 srun --quiet --immediate=15 --ntasks=1 "$@" --time=1 \
    sh -c 'test -e "$1" && echo fine || echo "$SLURMD_NODENAME"' sh "$output/logs/runs.sbatch" 2>/dev/null) ||
    echo "slurm: no node was free to check that nodes see $output"
  [[ -z $node || $node == fine ]] ||
    fail "node $node does not see $output: use a folder on a file system that all nodes share"
}

held=() # arrays wait until they are checked and the report depends on them
if [[ ${#tasks[@]} -gt 0 ]]; then
  refusal=$(sbatch --test-only "$output/logs/runs.sbatch" 2>&1) ||
    fail "$refusal
Slurm cannot run such a job: sinfo lists the partitions and their limits"
  trap '[[ ${#held[@]} == 0 ]] || scancel "${held[@]}"' EXIT
  for group in "${!tasks[@]}"; do
    after=$(earlier "$group")
    array=$(sbatch --parsable --hold ${after:+"--dependency=afterany:$after"} --array="${tasks[group]}" \
      "$output/logs/runs.sbatch") || fail "Slurm refused the jobs, see above; sinfo lists the partitions and their limits"
    held+=("${array%%;*}")
    for i in ${tasks[group]//,/ }; do placed+=$'\n'"$i ${array%%;*}"; done
  done
  read -r limit partition <<<"$(squeue -h -j "${held[0]}" -o '%l %P' | head -n 1)"
  require_time "$limit" "$partition"
  require_shared ${request[@]+"${request[@]}"}
fi
arrays=$(earlier "${#names[@]}")
scancel --quiet --name="$name-report" --state=PENDING # it would come before the new runs
rm -f "$output/logs/report.log"
report=$(sbatch --parsable ${arrays:+--dependency=afterany:$arrays} "$output/logs/report.sbatch") ||
  fail "Slurm refused the job of the report, see above"
for array in ${held[@]+"${held[@]}"}; do scontrol release "$array"; done
held=()
for i in $(tr , ' ' <<<"${tasks[*]-}"); do
  log=$output/logs/slurm-${names[i - 1]}.log
  rm -f "$log" # that of an earlier attempt
  echo "job $(grep "^$i " <<<"$placed" | cut -d' ' -f2)_$i: ${names[i - 1]}, log $log"
done
cat <<EOF
job ${report%%;*}: the report, $output/report/report.html, log $output/logs/report.log

watch: squeue --me -r; tail -F $(printf '%q' "$output")/logs/slurm-*.log
stop:  scancel --name=$name; scancel --name=$name-report
If a run fails, the log of the report has its name and the end of its log. Correct the cause, then call again:
  $again
EOF
