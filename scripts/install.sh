#!/usr/bin/env bash
# scripts/install.sh [PART...]: installs the packages that are missing and says which. Debian and Ubuntu.
# Parts are those of scripts/packages.txt: build and run (the default), test, consumers, blender, plots. A package with
# a command in brackets is left out where the command is there.
set -euo pipefail
cd "$(dirname "$0")/.."

(($# > 0)) || set -- build run
missing=()
part= known=
while read -r package command; do
  case $package in
    '' | '#'*) continue ;;
    '['*) part=${package//[][]/} known+=" $part"; continue ;;
  esac
  [[ " $* " == *" $part "* ]] || continue
  command=${command//[()]/}
  if [[ -n $command ]] && command -v "$command" >/dev/null; then continue; fi
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $status == "install ok installed" ]] || missing+=("$package")
done <scripts/packages.txt
for name in "$@"; do
  [[ " $known " == *" $name "* ]] || { echo "$name: there is no such part; parts:$known" >&2; exit 2; }
done
if ((${#missing[@]} == 0)); then
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  echo "These packages are needed and this system has no apt-get; see README.md for other systems:" >&2
  printf '  %s\n' "${missing[@]}" >&2
  exit 1
fi
as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || {
    echo "Run as root, or install sudo; these packages are missing: ${missing[*]}" >&2
    exit 1
  }
  as_root=(sudo)
fi
echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
