#include "app/bench/bench_morphs.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/bench/bench_frames.h"
#include "core/crowd/actor.h"
#include "core/morph/morph_sums.h"
#include "render/morph/morph_accumulator.h"

namespace ck::cli {
namespace {

constexpr std::size_t kTargets = 50;
constexpr int kChanged[] = {1, 2, 5, 10, 20, 50};
constexpr int kQuickChanged[] = {1, 50};

// The character with the targets of each mesh repeated until there are enough. The meshes share the
// weights.
Character withTargets(Character character) {
  for (Mesh& mesh : character.meshes) {
    const std::size_t own = mesh.morphTargets.size();
    if (own == 0) continue;
    for (std::size_t t = own; t < kTargets; ++t) {
      mesh.morphTargets.push_back(mesh.morphTargets[t % own]);
      mesh.morphTargets.back().name += fmt::format(" {}", t / own + 1);
      mesh.defaultMorphWeights.push_back(0.0f);
    }
    mesh.morphTargets.resize(kTargets);
    for (std::size_t t = 0; t < kTargets; ++t) mesh.morphTargets[t].channel = static_cast<int>(t);
    mesh.defaultMorphWeights.assign(kTargets, 0.0f);
  }
  for (Clip& clip : character.clips) clip.morphTracks.clear();
  return character;
}

// Changes the weights of the first `changed` morphs in every run.
class Weights {
 public:
  explicit Weights(int changed) : changed_(static_cast<std::size_t>(changed)) {}
  std::span<const float> next() {
    ++step_;
    for (std::size_t m = 0; m < changed_; ++m) {
      weights_[m] = static_cast<float>((step_ * 37 + m * 11) % 100 + 1) * 0.01f;
    }
    return weights_;
  }

 private:
  std::size_t changed_;
  std::size_t step_ = 0;
  std::vector<float> weights_ = std::vector<float>(kTargets, 0.5f);
};

BenchRow morphRow(std::string method, const Runs& runs, int changed, int passes) {
  BenchRow row = rowOf("morphs", runs);
  row.method = std::move(method);
  row.frameMs = median(runs.processor) * 1e3;
  row.changed = changed;
  row.passes = passes;
  return row;
}

// The bench of one difference set, with the data that all its cases share.
class MorphBench {
 public:
  MorphBench(const DifferenceSet& set, const render::ContextFacts& facts, BenchRun& run)
      : set_(set), facts_(facts), run_(run) {}

  Result<void> onGpu(const std::string& method, const AccumulatorSettings& settings, int changed) {
    auto accumulator = render::MorphAccumulator::make(set_, settings, shaders_, facts_);
    if (!accumulator) return tl::unexpected(accumulator.error());
    Weights weights(changed);
    int passes = 0;
    const auto runs = measure(run_.job, 9, [&]() -> Result<void> {
      const auto work = (*accumulator)->update(weights.next(), false);
      if (!work) return tl::unexpected(work.error());
      passes = work->passes;
      (*accumulator)->wait();
      return {};
    });
    if (!runs) return tl::unexpected(runs.error());
    BenchRow row = morphRow(method, *runs, changed, passes);
    if (settings.path == MorphPath::Feedback) row.batch = settings.batch;
    run_.result.rows.push_back(std::move(row));
    return {};
  }

  Result<void> onProcessor(int changed) {
    FixedSums sums(set_);
    MorphPlanner planner(set_.morphs.size(), MorphSums::Fixed);
    Weights weights(changed);
    const auto runs = measure(run_.job, 9, [&]() -> Result<void> {
      sums.apply(planner.next(weights.next(), false));
      return {};
    });
    if (!runs) return tl::unexpected(runs.error());
    run_.result.rows.push_back(morphRow("cpu", *runs, changed, 0));
    return {};
  }

  Result<void> all(int changed) {
    const int largest = render::largestMorphBatch();
    for (int batch = run_.quick ? largest : 1; batch <= largest; ++batch) {
      if (auto ok = onGpu("feedback", {.batch = batch}, changed); !ok) return ok;
    }
    if (auto ok = onGpu("feedback-floats", {.sums = MorphSums::Float}, changed); !ok) return ok;
    // All morphs of the set, as a renderer without accumulators would add them.
    if (auto ok = onGpu("feedback-all", {.onlyChanged = false}, changed); !ok) return ok;
    run_.result.computeMissing =
        render::whyNotAccumulated(MorphPath::Compute, MorphSums::Fixed, facts_);
    if (run_.result.computeMissing.empty()) {
      auto ok = onGpu("compute", {.path = MorphPath::Compute}, changed);
      if (!ok) return ok;
    }
    return onProcessor(changed);
  }

 private:
  const DifferenceSet& set_;
  const render::ContextFacts& facts_;
  BenchRun& run_;
  render::ShaderLibrary shaders_;
};

// Actors with different morph weights, from their clips and their own.
std::vector<Actor> actorsWithFaces(const BenchRun& run, int count) {
  const MorphSet set = morphSetOf(*run.character);
  std::vector<Actor> actors = benchActors(run, count, *run.character, run.clips);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    setMorph(actors[i], set[i % set.size()].name, static_cast<float>(i % 97 + 1) / 97.0f);
  }
  return actors;
}

struct Way {
  const char* name;
  Method method;
  SkinOn skinOn;
};
constexpr Way kWays[] = {{"palette", Method::Palette, SkinOn::Gpu},
                         {"palette on the processor", Method::Palette, SkinOn::Cpu},
                         {"atlas", Method::Atlas, SkinOn::Gpu},
                         {"prepass", Method::Prepass, SkinOn::Gpu},
                         {"prepass on the processor", Method::Prepass, SkinOn::Cpu}};

// Measures the vertex stage of methods with the morphs of all actors and without.
Result<void> measureFaces(BenchRun& run, render::CrowdRenderer& renderer) {
  if (auto ok = renderer.setCharacter(run.character); !ok) return ok;
  if (auto ok = renderer.setAtlas(run.atlas); !ok) return ok;
  const std::vector<Actor> actors = actorsWithFaces(run, run.quick ? 80 : 1000);
  for (const Way& way : kWays) {
    for (const bool faces : {false, true}) {
      FrameCase one = frameCase(way.method, way.name);
      one.settings.view.pose.skinOn = way.skinOn;
      one.settings.view.pose.morphs.on = faces;
      one.settings.view.pose.morphs.nearMeters = 1e6;
      Crowd crowd(actors, run.clips);
      const render::Camera camera = benchCamera(crowd, run.character);
      const auto runs = measure(run.job, 9, [&] {
        crowd.advance(kBenchTickSeconds);
        return renderer.drawAndFinish(crowd, camera, one.settings, kBenchImage.width,
                                      kBenchImage.height, true);
      });
      if (!runs) return tl::unexpected(runs.error());
      BenchRow row = rowOf("faces", *runs);
      row.method = way.name;
      row.variant = faces ? "all near" : "none";
      row.actors = static_cast<int>(actors.size());
      row.vertexStageMs = median(runs->processor) * 1e3;
      row.spread = spreadOf(runs->processor);
      run.result.rows.push_back(std::move(row));
    }
  }
  return {};
}

}  // namespace

Result<void> benchMorphs(BenchRun& run) {
  const Character face = withTargets(*run.character);
  const MorphSet set = morphSetOf(face);
  if (set.empty()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: there are no morph targets to measure", run.character->name));
  }
  const auto drawing = makeRenderer(run.result);
  if (!drawing) return tl::unexpected(drawing.error());
  const DifferenceSet differences = differenceSet(face, set);
  run.result.morphPlaces = static_cast<int>(differences.vertices.size());
  MorphBench bench(differences, drawing->renderer->facts(), run);
  const auto changes = run.quick ? std::span<const int>(kQuickChanged) : std::span(kChanged);
  for (const int changed : changes) {
    if (auto ok = bench.all(changed); !ok) return ok;
  }
  return measureFaces(run, *drawing->renderer);
}

}  // namespace ck::cli
