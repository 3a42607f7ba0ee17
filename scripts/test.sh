#!/usr/bin/env bash
# Sets up and runs the whole test suite: first the parsers of outside bytes under the address and
# undefined-behaviour sanitizers, with half a minute of mutations for the FBX reader, then everything. Prints how
# long each part took.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc)
status=0
times=
trap 'printf "%s%5d s  in all\n" "$times" $SECONDS' EXIT
# part NAME COMMAND...: runs the command and notes its time.
part() {
  local name=$1 start=$SECONDS
  shift
  "$@"
  times+=$(printf '%5d s  %s' $((SECONDS - start)) "$name")$'\n'
}
fuzz() {
  scripts/fuzz.sh 30 >build/fuzz.log 2>&1 && return
  tail -n 40 build/fuzz.log
  status=1
}
tests() {
  ctest --preset "$1" "${@:2}" -j "$jobs" --no-tests=error || status=1
}

part "install what is missing" scripts/install.sh
part "build with sanitizers" scripts/build.sh asan asan_tests
part "hostile tests" tests asan -L hostile
part "fuzz the FBX reader" fuzz
part "build" scripts/build.sh dev
part "all tests" tests dev -LE slow
exit $status
