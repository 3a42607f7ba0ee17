#!/usr/bin/env bash
# Installs the packages of scripts/packages.txt that are missing, and says which. Debian and Ubuntu.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t wanted < <(grep -v '^#' scripts/packages.txt)
missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $status == "install ok installed" ]] || missing+=("$package")
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
