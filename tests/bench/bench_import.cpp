#include <assimp/postprocess.h>
#include <benchmark/benchmark.h>

#include <assimp/Importer.hpp>
#include <chrono>

#include "core/base/files.h"
#include "core/import/worker/assembly/assemble.h"
#include "core/import/worker/formats/rig_reader.h"
#include "tests/support/rigs.h"

namespace {

double millisecondsOf(auto&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// The FBX reader beside Assimp's, in turn, from bytes in memory. Ours makes and checks the whole
// character; Assimp makes its scene of triangles. `ratio` says how many times as long Assimp takes.
void readFbx(benchmark::State& state, const char* model) {
  const auto path = ck::test::sharedModel(model);
  const auto bytes = path ? ck::readFile(*path, 1u << 30) : ck::Result<std::vector<std::byte>>();
  if (!path || !bytes) return state.SkipWithError("the folder of shared models is not there");
  double ours = 0.0;
  double theirs = 0.0;
  for (auto _ : state) {
    ours += millisecondsOf([&] {
      ck::worker::SourceFolder beside(*path);
      const ck::worker::Progress progress = [](float, std::string_view) {};
      auto scene = ck::worker::readFbx({*bytes, beside, progress});
      benchmark::DoNotOptimize(ck::worker::assembleCharacter(std::move(*scene)));
    });
    theirs += millisecondsOf([&] {
      Assimp::Importer importer;
      benchmark::DoNotOptimize(importer.ReadFileFromMemory(
          bytes->data(), bytes->size(), aiProcess_Triangulate | aiProcess_SortByPType, "fbx"));
    });
  }
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["ours_ms"] = ours / rounds;
  state.counters["assimp_ms"] = theirs / rounds;
  state.counters["ratio"] = theirs / ours;
  state.SetBytesProcessed(static_cast<std::int64_t>(rounds) *
                          static_cast<std::int64_t>(bytes->size()));
}

// The largest shared files: many nodes and clips, many vertices, long curves, text.
BENCHMARK_CAPTURE(readFbx, robot, "quaternius_robot/Robot.fbx");
BENCHMARK_CAPTURE(readFbx, man, "quaternius_man/Male_Casual.fbx");
BENCHMARK_CAPTURE(readFbx, skeleton, "ozz_pab/skeleton.fbx");
BENCHMARK_CAPTURE(readFbx, locomotions, "ozz_pab/locomotions.fbx");
BENCHMARK_CAPTURE(readFbx, text, "ufbx_sausage/maya_game_sausage_7500_ascii_combined.fbx");

}  // namespace
