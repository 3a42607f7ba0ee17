#!/usr/bin/env bash
# Sets up and runs the whole test suite: first the parsers of outside bytes under the address and
# undefined-behaviour sanitizers, then everything.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install.sh

jobs=$(nproc)
status=0
scripts/build.sh asan asan_tests
ctest --preset asan -L hostile -j "$jobs" --no-tests=error || status=1

scripts/build.sh dev
ctest --preset dev -LE slow -j "$jobs" --no-tests=error || status=1
exit $status
