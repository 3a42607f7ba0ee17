#!/usr/bin/env bash
# scripts/format.sh [--check]: formats the C++ sources, or prints what is not formatted and fails.
set -euo pipefail
cd "$(dirname "$0")/.."
how=(-i)
[[ ${1:-} != --check ]] || how=(--dry-run -Werror)
# The version is part of the name because versions format differently.
find app core render shaders tests ui '(' -name '*.cpp' -o -name '*.h' ')' -print0 |
  xargs -0 -n 50 -P "$(nproc)" clang-format-14 "${how[@]}"
