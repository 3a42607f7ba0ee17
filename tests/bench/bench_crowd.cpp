#include <benchmark/benchmark.h>

#include "core/bake/bake.h"
#include "core/crowd/crowd.h"
#include "core/crowd/crowd_spawn.h"
#include "tests/support/bake_rigs.h"

namespace {

struct Crowded {
  std::vector<ck::Actor> actors;
  std::vector<ck::CrowdClip> clips;
};

Crowded crowded(const benchmark::State& state) {
  const ck::Atlas atlas = ck::bake(ck::test::swingingLimb(), {})->atlas;
  const std::vector<std::string> names = {"Closed", "Open end", "Away"};
  const ck::SpawnSettings spawn{.count = static_cast<int>(state.range(0)), .clipCount = 3};
  return {ck::spawnActors(spawn), ck::crowdClips(atlas, names)};
}

// One tick of a crowd: every actor moved on and its record brought up to date.
void crowdUpdate(benchmark::State& state) {
  const auto [actors, clips] = crowded(state);
  ck::Crowd crowd(actors, clips);
  for (auto _ : state) {
    crowd.advance(1.0 / 60.0);
    benchmark::DoNotOptimize(crowd.instances().frames().data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// The crowd of a project that is opened.
void crowdMade(benchmark::State& state) {
  const auto [actors, clips] = crowded(state);
  for (auto _ : state) {
    const ck::Crowd crowd(actors, clips);
    benchmark::DoNotOptimize(crowd.size());
  }
}

// An edit of one actor, to another clip and back, without the tick that follows.
void crowdEdit(benchmark::State& state) {
  const auto [actors, clips] = crowded(state);
  ck::Crowd crowd(actors, clips);
  const std::size_t middle = actors.size() / 2;
  ck::Actor actor = actors[middle];
  for (auto _ : state) {
    actor.clip = (actor.clip + 1) % 3;
    crowd.update(middle, actor);
  }
}

}  // namespace

BENCHMARK(crowdMade)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(crowdEdit)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(crowdUpdate)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
