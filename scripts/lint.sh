#!/usr/bin/env bash
# scripts/lint.sh [REVISION]: runs clang-tidy over the sources that differ, themselves or
# their headers, from REVISION. By default that is where the branch left origin/main, or the last commit
# if nothing differs from there.
# Needs a build of the preset dev, because sources include what moc generates.
set -euo pipefail
cd "$(dirname "$0")/.."

base=${1:-}
if [[ -z $base ]]; then
  base=$(git merge-base origin/main HEAD 2>/dev/null || true)
  [[ -n $base && $base != $(git rev-parse HEAD) ]] || base=HEAD~1
fi
mapfile -t files < <({ git diff --name-only --diff-filter=d "$base"; git ls-files -o --exclude-standard; } |
  sed 's/\.h$/.cpp/' | grep -E '^(app|core|render|tests|ui)/.*\.cpp$' | grep -v '^tests/data/' |
  sort -u | xargs -r ls -d 2>/dev/null)
((${#files[@]} > 0)) || { echo "No source has changed since $base."; exit 0; }

# clang reads neither the precompiled headers nor all warning options of g++.
mkdir -p build/lint
sed -E 's/-Winvalid-pch -include [^ ]+//; s/-Wshadow=local//' \
  build/dev/compile_commands.json >build/lint/compile_commands.json
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy-14 -p build/lint --quiet
