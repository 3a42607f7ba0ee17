#!/usr/bin/env bash
# scripts/build.sh PRESET [TARGET...]: configures and builds one preset.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
targets=()
(($# == 0)) || targets=(--target "$@")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build --preset "$preset" "${targets[@]}"
