#!/usr/bin/env bash
# scripts/test.sh [--without-consumers] [--all]: sets up and runs the whole test suite: the parsers of outside bytes
# under the address and undefined-behaviour sanitizers, with mutations for each of them, and everything that the
# programs are tested with. --without-consumers leaves out what plays exported files in Chromium with three.js,
# Babylon.js and PlayCanvas, and does not install these. --all also runs what takes long and rarely fails (label
# nightly), mutates six times as long, and lets more calls of the system fail. Where Blender cannot be installed, the tests of .blend files say that they
# skip. Prints how long each part took, by the clock and of the processors, and the longest tests.
set -euo pipefail
cd "$(dirname "$0")/.."

parts=(build run test consumers)
leave_out='slow|nightly'
fuzz_seconds=10
for argument in "$@"; do
  case $argument in
    --without-consumers) parts=(build run test) leave_out+='|consumers' ;;
    --all)
      leave_out=${leave_out/|nightly/} fuzz_seconds=60
      export CK_BOTH=1    # refusals as text and as documents (tests/cli/kiln_driver.py)
      export CK_POINTS=60 # calls that fail (tests/cli/failing_test.py)
      ;;
    *) echo "usage: scripts/test.sh [--without-consumers] [--all]" >&2; exit 2 ;;
  esac
done
jobs=$(nproc)
status=0
table=$(printf '%8s %9s  %s' clock processor part)$'\n'
clocks=$(mktemp)
# Sets $processor: seconds of all processors that what this script ran has taken.
count_processor() {
  times >"$clocks" # in a shell of its own it would count that shell
  processor=$(awk 'NR == 2 {gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4 + 0.5)}' "$clocks")
}
row() { printf '%6d s %7d s  %s' "$1" "$2" "$3"; }
# part NAME COMMAND...: runs the command and notes its time.
part() {
  local name=$1 start=$SECONDS before
  count_processor
  before=$processor
  shift
  "$@"
  count_processor
  table+=$(row $((SECONDS - start)) $((processor - before)) "$name")$'\n'
}
finish() {
  [[ ! -f build/dev/tests.xml ]] || python3 -B scripts/longest_tests.py 15 build/dev/tests.xml || true
  printf '%s' "$table"
  count_processor
  row $SECONDS "$processor" "in all"
  echo
  rm -f "$clocks"
}
trap finish EXIT
fuzz() {
  scripts/fuzz.sh "$fuzz_seconds" >build/fuzz.log 2>&1 && return
  tail -n 40 build/fuzz.log
  status=1
}
install_blender() {
  scripts/install.sh blender || echo "Blender cannot be installed; the tests of .blend files skip" >&2
}
# Tests of windows wait half of their time: one more than there are processors.
tests() {
  rm -f "build/$1/tests.xml"
  ctest --preset "$1" "${@:2}" -j $((jobs + 1)) --no-tests=error --output-junit tests.xml || status=1
}

part "install what is missing" scripts/install.sh "${parts[@]}"
part "install Blender" install_blender
part "build with sanitizers" scripts/build.sh asan
part "hostile tests" tests asan -L hostile
part "fuzz the readers" fuzz
part "build" scripts/build.sh dev
part "all tests" tests dev -LE "$leave_out"
exit $status
