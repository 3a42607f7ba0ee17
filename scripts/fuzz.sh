#!/usr/bin/env bash
# scripts/fuzz.sh [SECONDS] [TARGET...]: builds fuzz targets (preset asan) and feeds readers of outside bytes with
# mutations of the files that tests/fuzz/make_seeds.py gathers, under the address and undefined-behaviour sanitizers,
# each for 30 seconds if nothing is said. A TARGET is what follows "fuzz_" in a file of tests/fuzz, such as fbx; without one all of them
# run, as many at a time as there are processors. Prints the figures of every target; ends with an error and the
# input's path where one found something. Inputs that reach new code are kept in build/fuzz/corpus/TARGET, logs and
# findings in build/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=30
if [[ ${1-} =~ ^[0-9]+$ ]]; then
  seconds=$1
  shift
fi
targets=("$@")
if ((${#targets[@]} == 0)); then
  for file in tests/fuzz/fuzz_*.cpp; do
    name=${file##*/fuzz_}
    targets+=("${name%.cpp}")
  done
fi
for target in "${targets[@]}"; do
  [[ -f tests/fuzz/fuzz_$target.cpp ]] || { echo "scripts/fuzz.sh: there is no tests/fuzz/fuzz_$target.cpp" >&2; exit 2; }
done

scripts/build.sh asan fuzz_readers
python3 -B tests/fuzz/make_seeds.py build/fuzz/seeds

# run TARGET: mutates for $seconds. The timeout is by the clock on the wall, on machines that others use, too.
run() {
  local target=$1 seeds=build/fuzz/seeds/$1 corpus=build/fuzz/corpus/$1 log=build/fuzz/$1.log status=0
  mkdir -p "$corpus"
  [[ -d $seeds ]] || seeds=
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 "build/asan/fuzz/fuzz_$target" -max_total_time="$seconds" \
    -timeout=60 -rss_limit_mb=3000 -max_len=200000 -print_final_stats=1 -artifact_prefix="build/fuzz/$target-" \
    "$corpus" $seeds >"$log" 2>&1 || status=1
  if ((status == 0)); then
    awk -v target="$target" '/^stat::number_of_executed_units/ {inputs = $2} /cov: / {for (i = 1; i < NF; ++i) {
      if ($i == "cov:") edges = $(i + 1); if ($i == "corp:") kept = $(i + 1)}}
      END {printf "%-10s %9d inputs, %6d edges, corpus %s\n", target, inputs, edges, kept}' "$log"
  else
    tail -n 60 "$log"
    echo "scripts/fuzz.sh: a finding in fuzz_$target, see $log" >&2
  fi
  return $status
}
export -f run
export seconds
printf '%s\0' "${targets[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'run "$0"'
