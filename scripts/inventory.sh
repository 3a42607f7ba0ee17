#!/usr/bin/env bash
# Writes anew what tests/data/inventory lists: all that the editor and the command line offer, printed
# from the programs as they were built last. Look at the difference before it is committed.
set -euo pipefail
cd "$(dirname "$0")/.."
CK_INVENTORY=write ctest --preset dev -R '[Ii]nventory' "$@"
git --no-pager diff --stat -- tests/data/inventory
