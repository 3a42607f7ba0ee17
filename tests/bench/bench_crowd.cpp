#include <benchmark/benchmark.h>

#include "core/bake/bake.h"
#include "core/crowd/crowd.h"
#include "core/crowd/crowd_spawn.h"
#include "tests/support/bake_rigs.h"

namespace {

// One tick of a crowd: every actor moved on and its record brought up to date.
void crowdUpdate(benchmark::State& state) {
  const ck::Atlas atlas = ck::bake(ck::test::swingingLimb(), {})->atlas;
  const std::vector<std::string> names = {"Closed", "Open end", "Away"};
  const ck::SpawnSettings spawn{.count = static_cast<int>(state.range(0)), .clipCount = 3};
  const std::vector<ck::Actor> actors = ck::spawnActors(spawn);
  ck::Crowd crowd(actors, ck::crowdClips(atlas, names));
  for (auto _ : state) {
    crowd.advance(1.0 / 60.0);
    benchmark::DoNotOptimize(crowd.instances().frames().data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

}  // namespace

BENCHMARK(crowdUpdate)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
