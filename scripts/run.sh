#!/usr/bin/env bash
# scripts/run.sh [FILE...]: installs what is missing, builds, and opens the editor on FILE or on the
# bundled sample. Without a display it does the same job with the command line and says where the
# results are.
set -euo pipefail
files=()
for file in "$@"; do
  [[ -e $file ]] || { echo "$file: there is no such file" >&2; exit 3; }
  files+=("$(realpath "$file")")
done
cd "$(dirname "$0")/.."
scripts/install.sh
scripts/build.sh release kiln kiln-import crowdkiln
bin=$PWD/build/release/bin

if [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]; then
  exec "$bin/crowdkiln" "${files[@]}"
fi

((${#files[@]} > 0)) || files=("$PWD/resources/samples/humanoid.glb")
name=$(basename "${files[0]}")
out=$PWD/build/out/${name%.*}
mkdir -p "$out"
echo "No display here: baking ${files[0]} with the command line instead."
"$bin/kiln" bake "${files[@]}" -o "$out" --export ckatlas,json,exr,png
"$bin/kiln" verify "$out" --against "${files[@]}"
"$bin/kiln" render "${files[@]}" -o "$out/crowd.png" --actors 100 --size 1280x720
echo "The atlas, its pictures and a picture of the crowd (crowd.png) are in $out"
