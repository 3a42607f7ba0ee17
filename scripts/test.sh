#!/usr/bin/env bash
# scripts/test.sh [--without-consumers]: sets up and runs the whole test suite: first the parsers of outside
# bytes under the address and undefined-behaviour sanitizers, with half a minute of mutations for each of them,
# then everything. Prints how long each part took. --without-consumers leaves out what plays exported files in
# Chromium with three.js, Babylon.js and PlayCanvas, and does not install these. Where Blender cannot be installed, the
# tests of .blend files say that they skip.
set -euo pipefail
cd "$(dirname "$0")/.."

parts=(build run test consumers)
leave_out=slow
case ${1-} in
  '') ;;
  --without-consumers) parts=(build run test) leave_out='slow|consumers' ;;
  *) echo "usage: scripts/test.sh [--without-consumers]" >&2; exit 2 ;;
esac
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
install_blender() {
  scripts/install.sh blender || echo "Blender cannot be installed; the tests of .blend files skip" >&2
}
tests() {
  ctest --preset "$1" "${@:2}" -j "$jobs" --no-tests=error || status=1
}

part "install what is missing" scripts/install.sh "${parts[@]}"
part "install Blender" install_blender
part "build with sanitizers" scripts/build.sh asan
part "hostile tests" tests asan -L hostile
part "fuzz the readers" fuzz
part "build" scripts/build.sh dev
part "all tests" tests dev -LE "$leave_out"
exit $status
