#!/usr/bin/env bash
# scripts/coverage.sh [LEAST]: prints, for each source of the host that reads outside bytes, which share of its lines
# and branches is reached by the files that scripts/fuzz.sh begins with, by what it has kept in build/fuzz/corpus, if it
# was run, and by mutations of both: 20,000 runs of each target in all, the same ones for the same files. Ends with an error where the share of
# branches of all sources is below LEAST percent (0).
set -euo pipefail
cd "$(dirname "$0")/.."

least=${1:-0}
runs=20000
targets=()
for target in result project sidecar texts atlas; do
  [[ ! -f tests/fuzz/fuzz_$target.cpp ]] || targets+=("$target")
done
# A build of its own counts which branches run; only these sources are reported.
measured=(core/import/character_file.cpp core/scene/character.cpp core/base/{byte_stream,json_fields,csv,utf8}.cpp
  core/project/{project_json,actors_json,characters_json,placement,placement_csv}.cpp core/scene/clip_edit_json.cpp
  core/export/{sidecar_json,error_json}.cpp core/import/joint_map_file.cpp core/atlas/atlas_check.cpp core/container/*.cpp)
mkdir -p build
cmake --preset asan -B build/coverage -DCMAKE_CXX_FLAGS='-fprofile-instr-generate -fcoverage-mapping' \
  >build/coverage.log 2>&1 || { cat build/coverage.log >&2; exit 1; }
cmake --build build/coverage --target fuzz_readers
python3 -B tests/fuzz/make_seeds.py build/fuzz/seeds
rm -rf build/coverage/*.profraw build/coverage/new
objects=()
for target in "${targets[@]}"; do
  mkdir -p "build/fuzz/corpus/$target" "build/fuzz/seeds/$target" "build/coverage/new/$target"
  LLVM_PROFILE_FILE=build/coverage/$target.profraw ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
    "build/coverage/fuzz/fuzz_$target" -runs=$runs -seed=1 -timeout=60 -max_len=200000 "build/coverage/new/$target" \
    "build/fuzz/corpus/$target" "build/fuzz/seeds/$target" >"build/coverage/$target.log" 2>&1 || { tail -n 40 "build/coverage/$target.log"; exit 1; }
  objects+=(-object "build/coverage/fuzz/fuzz_$target")
done
llvm-profdata-14 merge -o build/coverage/all.profdata build/coverage/*.profraw
llvm-cov-14 export -summary-only -instr-profile build/coverage/all.profdata "${objects[@]:1}" "${measured[@]}" |
  python3 -c '
import json, os, sys
data = json.load(sys.stdin)["data"][0]
def row(name, summary):
    shares = ["%5d of %5d %5.1f %%" % (summary[k]["covered"], summary[k]["count"], summary[k]["percent"])
              for k in ("lines", "branches")]
    print("%-42s lines %s   branches %s" % (name, *shares))
for file in sorted(data["files"], key=lambda f: f["filename"]):
    row(os.path.relpath(file["filename"]), file["summary"])
row("all", data["totals"])
share = data["totals"]["branches"]["percent"]
if share < float(sys.argv[1]):
    sys.exit("scripts/coverage.sh: %.1f %% of the branches is less than %s %%" % (share, sys.argv[1]))' "$least"
