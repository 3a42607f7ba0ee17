#include <benchmark/benchmark.h>

#include "core/anim/clip_sampler.h"
#include "core/anim/live_poser.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"

namespace {

const ck::Character& sample() {
  static const ck::Character character = [] {
    ck::test::useBuiltImportWorker();
    return ck::importCharacter(ck::test::sampleHumanoid()).value();
  }();
  return character;
}

std::vector<ck::LivePose> manyPoses(int count, bool fades) {
  const ck::Character& character = sample();
  const int clips = static_cast<int>(character.clips.size());
  std::vector<ck::LivePose> poses;
  for (int i = 0; i < count; ++i) {
    const auto momentOf = [&](int clip) {
      const double length = character.clips[static_cast<std::size_t>(clip)].durationSeconds;
      return ck::LiveMoment{clip, length * ((i * 37) % 101) / 101.0, 0.0f};
    };
    ck::LivePose pose;
    pose.first = momentOf(i % clips);
    if (fades) pose.second = momentOf((i + 1) % clips);
    if (fades) pose.blend = 0.4f;
    poses.push_back(pose);
  }
  return poses;
}

void countJoints(benchmark::State& state, std::size_t poses) {
  state.counters["jointSamples"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(poses) *
                             static_cast<double>(sample().rig.joints.size()),
                         benchmark::Counter::kIsRate);
}

// Poses of a crowd on one thread: range(0) actors, range(1) whether two clips are blended.
void livePoses(benchmark::State& state) {
  const ck::LivePoser poser(sample().rig, sample().clips);
  const auto poses = manyPoses(static_cast<int>(state.range(0)), state.range(1) != 0);
  std::vector<glm::vec4> rows(poses.size() * poser.posedJoints().size() * 3);
  ck::JobContext job;
  job.threadCount = 1;
  for (auto _ : state) {
    poser.pose(poses, rows, job);
    benchmark::DoNotOptimize(rows.data());
  }
  countJoints(state, poses.size());
}

// The same by the reference, one actor after another in double.
void referencePoses(benchmark::State& state) {
  const ck::Rig& rig = sample().rig;
  const auto poses = manyPoses(static_cast<int>(state.range(0)), false);
  for (auto _ : state) {
    for (const ck::LivePose& pose : poses) {
      const ck::Clip& clip = sample().clips[static_cast<std::size_t>(pose.first.clip)];
      const double seconds = clip.startSeconds + pose.first.seconds;
      auto globals = ck::globalMatrices(rig, ck::sampleClip(rig, clip, seconds));
      benchmark::DoNotOptimize(globals.data());
    }
  }
  countJoints(state, poses.size());
}

}  // namespace

BENCHMARK(livePoses)->Args({1'000, 0})->Args({1'000, 1})->Unit(benchmark::kMillisecond);
BENCHMARK(referencePoses)->Args({1'000})->Unit(benchmark::kMillisecond);
