#include <benchmark/benchmark.h>

#include "core/bake/bake.h"
#include "core/container/atlas_file.h"
#include "core/error/bake_error.h"
#include "core/import/import_process.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"

namespace {

// Ten clips of ten seconds at 30 Hz on seven joints, made in code.
const ck::Character& madeCharacter() {
  static const ck::Character character = [] {
    static const char* const kNames[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    ck::Character limb = ck::test::limbCharacter();
    for (const char* name : kNames) {
      limb.clips.push_back(ck::test::swingClip(limb, {.name = name, .keyCount = 301}));
    }
    return limb;
  }();
  return character;
}

// The bundled humanoid, where it can be imported; else nullptr.
const ck::Character* sampleCharacter() {
  static const ck::Result<ck::Character> character = [] {
    ck::test::useBuiltImportWorker();
    return ck::importCharacter(ck::test::sampleHumanoid());
  }();
  return character ? &*character : nullptr;
}

std::size_t jointSamples(const ck::Atlas& atlas) {
  std::size_t frames = 0;
  for (const ck::AtlasClip& clip : atlas.clips) frames += static_cast<std::size_t>(clip.frameCount);
  return frames * atlas.joints.size();
}

void bakeWith(benchmark::State& state, const ck::Character& character) {
  ck::JobContext job;
  job.threadCount = static_cast<int>(state.range(0));
  std::size_t samples = 0;
  for (auto _ : state) {
    const auto result = ck::bake(character, {}, job);
    samples += jointSamples(result->atlas);
  }
  state.counters["jointSamples"] =
      benchmark::Counter(static_cast<double>(samples), benchmark::Counter::kIsRate);
}

void bakeMade(benchmark::State& state) {
  bakeWith(state, madeCharacter());
}

void bakeSample(benchmark::State& state) {
  const ck::Character* character = sampleCharacter();
  if (character == nullptr) {
    state.SkipWithError("the sample cannot be imported");
    return;
  }
  bakeWith(state, *character);
}

void measureSample(benchmark::State& state) {
  const ck::Character* character = sampleCharacter();
  if (character == nullptr) {
    state.SkipWithError("the sample cannot be imported");
    return;
  }
  ck::JobContext job;
  job.threadCount = static_cast<int>(state.range(0));
  const ck::Atlas atlas = ck::bake(*character, {})->atlas;
  for (auto _ : state) benchmark::DoNotOptimize(ck::measureBakeError(*character, atlas, job));
}

void writeAndReadContainer(benchmark::State& state) {
  const ck::Atlas atlas = ck::bake(madeCharacter(), {})->atlas;
  std::size_t bytes = 0;
  for (auto _ : state) {
    const auto file = ck::atlasToBytes(atlas);
    benchmark::DoNotOptimize(ck::atlasFromBytes(file));
    bytes += file.size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

}  // namespace

BENCHMARK(bakeMade)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(bakeSample)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(measureSample)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(writeAndReadContainer)->Unit(benchmark::kMicrosecond);
