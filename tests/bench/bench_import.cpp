#include <assimp/postprocess.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cstdlib>
#include <ctime>

#include "core/import/worker/assembly/assemble.h"
#include "core/import/worker/formats/rig_reader.h"
#include "core/system/files.h"
#include "tests/support/reference_poses.h"
#include "tests/support/rigs.h"

namespace {

// Of the processor, because others may use the machine, too; both readers have one thread.
double millisecondsOf(auto&& work) {
  const auto now = [] {
    timespec time = {};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  };
  const double start = now();
  work();
  return now() - start;
}

struct Milliseconds {
  double ours = 0.0;
  double theirs = 0.0;
  bool bothRead = false;
};

// The FBX reader beside Assimp's, in turn, from bytes in memory. Ours makes and checks the whole
// character; Assimp makes its scene of triangles.
Milliseconds readOnce(const std::filesystem::path& path, const std::vector<std::byte>& bytes) {
  Milliseconds times;
  bool oursIsGood = false;
  bool theirsIsGood = false;
  times.ours = millisecondsOf([&] {
    ck::worker::SourceFolder beside(path);
    const ck::worker::Progress progress = [](float, std::string_view) {};
    auto scene = ck::worker::readFbx({bytes, beside, progress});
    if (!scene) return;
    const auto character = ck::worker::assembleCharacter(std::move(*scene));
    oursIsGood = character.has_value();
  });
  times.theirs = millisecondsOf([&] {
    Assimp::Importer importer;
    theirsIsGood = importer.ReadFileFromMemory(bytes.data(), bytes.size(),
                                               aiProcess_Triangulate | aiProcess_SortByPType,
                                               "fbx") != nullptr;
  });
  times.bothRead = oursIsGood && theirsIsGood;
  return times;
}

// `ratio` says how many times as long Assimp takes.
void readFbxFile(benchmark::State& state, const std::filesystem::path& path) {
  const auto bytes = ck::readFile(path, 1u << 30);
  if (!bytes) return state.SkipWithError(bytes.error().message.c_str());
  double ours = 0.0;
  double theirs = 0.0;
  for (auto _ : state) {
    const Milliseconds times = readOnce(path, *bytes);
    ours += times.ours;
    theirs += times.theirs;
  }
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["ours_ms"] = ours / rounds;
  state.counters["assimp_ms"] = theirs / rounds;
  state.counters["ratio"] = theirs / ours;
  state.SetBytesProcessed(static_cast<std::int64_t>(rounds) *
                          static_cast<std::int64_t>(bytes->size()));
}

void readFbx(benchmark::State& state, const char* model) {
  const auto path = ck::test::sharedModel(model);
  if (!path) return state.SkipWithError("the folder of shared models is not there");
  readFbxFile(state, *path);
}

// A file of one's own, e.g. of make_large_fbx.py.
void readNamedFbx(benchmark::State& state) {
  const char* file = std::getenv("CK_BENCH_FBX");
  if (file == nullptr) return state.SkipWithError("CK_BENCH_FBX names no file");
  readFbxFile(state, file);
}
BENCHMARK(readNamedFbx);

// All shared files that both read, each as often as it takes for a good time: the ratio of them
// together, how many take longer than with Assimp, and which most.
void readAllFbx(benchmark::State& state) {
  constexpr int kRounds = 15;
  const auto models = ck::test::sharedModel("reference");
  if (!models) return state.SkipWithError("the folder of shared models is not there");
  for (auto _ : state) {
    double ours = 0.0;
    double theirs = 0.0;
    double worst = 1e9;
    int files = 0;
    int slower = 0;
    for (const auto& path : ck::test::filesBelow(models->parent_path(), ".fbx")) {
      if (path.parent_path().filename() == "invalid") continue;  // some of these abort Assimp
      const auto bytes = ck::readFile(path, 1u << 30);
      Milliseconds least{.ours = 1e9, .theirs = 1e9, .bothRead = bytes.has_value()};
      for (int round = 0; round < kRounds && least.bothRead; ++round) {
        const Milliseconds times = readOnce(path, *bytes);
        least = {std::min(least.ours, times.ours), std::min(least.theirs, times.theirs),
                 times.bothRead};
      }
      if (!least.bothRead) continue;
      ++files;
      ours += least.ours;
      theirs += least.theirs;
      const double ratio = least.theirs / least.ours;
      slower += ratio < 1.0 ? 1 : 0;
      if (std::getenv("CK_BENCH_LIST") != nullptr) {
        fmt::print("{:7.3f} ms {:7.3f} ms {:5.2f} {}\n", least.ours, least.theirs, ratio,
                   ck::pathText(path.filename()));
      }
      if (ratio >= worst) continue;
      worst = ratio;
      state.SetLabel(fmt::format("slowest beside Assimp: {}", ck::pathText(path.filename())));
    }
    state.counters["files"] = files;
    state.counters["slower"] = slower;
    state.counters["least_ratio"] = worst;
    state.counters["ratio"] = theirs / ours;
  }
}
BENCHMARK(readAllFbx)->Iterations(1)->Unit(benchmark::kMillisecond);

// The largest shared files: many nodes and clips, many vertices, long curves, text.
BENCHMARK_CAPTURE(readFbx, robot, "quaternius_robot/Robot.fbx");
BENCHMARK_CAPTURE(readFbx, man, "quaternius_man/Male_Casual.fbx");
BENCHMARK_CAPTURE(readFbx, skeleton, "ozz_pab/skeleton.fbx");
BENCHMARK_CAPTURE(readFbx, locomotions, "ozz_pab/locomotions.fbx");
BENCHMARK_CAPTURE(readFbx, idle, "own_mixamo_style/idle.fbx");
BENCHMARK_CAPTURE(readFbx, exported, "magnum_corner/exported-animation.fbx");
BENCHMARK_CAPTURE(readFbx, pilgrim, "own_pilgrim/pilgrim.fbx");
BENCHMARK_CAPTURE(readFbx, text, "ufbx_sausage/maya_game_sausage_7500_ascii_combined.fbx");

}  // namespace
