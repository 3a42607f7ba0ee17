#!/usr/bin/env bash
# scripts/fuzz.sh [SECONDS] [fbx|atlas]: feeds the FBX reader (fbx) or the reader of .ckatlas files (atlas),
# one after the other if none is named, with mutations of tests/data/fuzz/fbx and /atlas under the address
# and undefined-behaviour sanitizers, for 30 seconds each if nothing is said. Ends with an error and the
# input's path at the first finding. Inputs that reach new code are kept in build/fuzz/corpus-*.
set -euo pipefail
shopt -s extglob
cd "$(dirname "$0")/.."

seconds=${1:-30}
readers=${2:-fbx atlas}
mkdir -p build/fuzz
sources_fbx=(tests/fuzz/fuzz_fbx.cpp core/import/worker/fbx/*.cpp core/import/worker/assembly/*.cpp
  core/import/worker/text/*.cpp core/import/worker/confinement/source_folder.cpp
  core/base/{base64,byte_stream,files,log,result,transform,utf8}.cpp core/scene/!(*_json).cpp
  core/import/skin_joints.cpp
  core/anim/{clip_sampler,pose}.cpp core/skinning/cpu_skinning.cpp)
sources_atlas=(tests/fuzz/fuzz_atlas.cpp core/container/*.cpp core/atlas/*.cpp
  core/base/{byte_stream,files,log,parallel_for,result,transform,utf8,words}.cpp
  core/anim/playback.cpp)
export FLAGS="-std=c++20 -O1 -g1 -I. -DGLM_FORCE_EXPLICIT_CTOR -DGLM_FORCE_XYZW_ONLY -DFMT_SHARED -DSPDLOG_COMPILED_LIB -DSPDLOG_FMT_EXTERNAL -DSPDLOG_SHARED_LIB
  -ffp-contract=off -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined"
newest=$(find core tests/fuzz -name '*.h' -newer build/fuzz/stamp -print -quit 2>/dev/null || echo all)

build() {
  local -n sources=sources_$1
  local objects=() stale=() source object
  for source in "${sources[@]}"; do
    object=build/fuzz/${source//\//_}.o
    objects+=("$object")
    [[ -z $newest && $object -nt $source ]] || stale+=("$source" "$object")
  done
  if ((${#stale[@]} > 0)); then
    printf '%s\0' "${stale[@]}" | xargs -0 -n 2 -P "$(nproc)" bash -c 'clang++-14 $FLAGS -c "$0" -o "$1"'
  fi
  clang++-14 -fsanitize=address,undefined,fuzzer "${objects[@]}" -lspdlog -lfmt -lz -lxxhash -lwebp -lzstd \
    -o "build/fuzz/fuzz_$1"
}

for reader in $readers; do build "$reader"; done
touch build/fuzz/stamp
for reader in $readers; do
  mkdir -p "build/fuzz/corpus-$reader"
  # The timeout is by the clock on the wall, on machines that others use, too.
  (cd build/fuzz && ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 "./fuzz_$reader" \
    -max_total_time="$seconds" -timeout=60 -rss_limit_mb=3000 -max_len=200000 -print_final_stats=1 \
    "corpus-$reader" "../../tests/data/fuzz/$reader")
done
