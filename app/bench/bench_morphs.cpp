#include <fmt/format.h>

#include <algorithm>

#include "app/bench/bench_rows.h"
#include "app/bench/bench_timing.h"
#include "core/morph/morph_sums.h"
#include "render/headless.h"
#include "render/morph/morph_accumulator.h"

namespace ck::cli {
namespace {

constexpr std::size_t kTargets = 50;
constexpr int kChanged[] = {1, 2, 5, 10, 20, 50};
constexpr int kQuickChanged[] = {1, 50};

// The character with its morphs repeated until there are enough.
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

BenchRow rowOf(std::string method, const Runs& runs, int changed, int passes) {
  BenchRow row;
  row.name = "morphs";
  row.method = std::move(method);
  row.wallMs = median(runs.wall) * 1e3;
  row.frameMs = median(runs.processor) * 1e3;
  row.changed = changed;
  row.passes = passes;
  row.runs = static_cast<int>(runs.wall.size());
  row.spread = spreadOf(runs.wall);
  return row;
}

// The bench of one difference set, with the data that all its cases share.
class MorphBench {
 public:
  MorphBench(const DifferenceSet& set, const render::ContextFacts& facts, const JobContext& job,
             BenchResult& result)
      : set_(set), facts_(facts), job_(job), result_(result) {}

  Result<void> onGpu(const std::string& method, const AccumulatorSettings& settings, int changed) {
    auto accumulator = render::MorphAccumulator::make(set_, settings, shaders_, facts_);
    if (!accumulator) return tl::unexpected(accumulator.error());
    Weights weights(changed);
    int passes = 0;
    const auto runs = measure(job_, 9, [&]() -> Result<void> {
      const auto work = (*accumulator)->update(weights.next(), false);
      if (!work) return tl::unexpected(work.error());
      passes = work->passes;
      (*accumulator)->wait();
      return {};
    });
    if (!runs) return tl::unexpected(runs.error());
    BenchRow row = rowOf(method, *runs, changed, passes);
    if (settings.path == MorphPath::Feedback) row.batch = settings.batch;
    result_.rows.push_back(std::move(row));
    return {};
  }

  Result<void> onProcessor(int changed) {
    FixedSums sums(set_);
    MorphPlanner planner(set_.morphs.size(), MorphSums::Fixed);
    Weights weights(changed);
    const auto runs = measure(job_, 9, [&]() -> Result<void> {
      sums.apply(planner.next(weights.next(), false));
      return {};
    });
    if (!runs) return tl::unexpected(runs.error());
    result_.rows.push_back(rowOf("cpu", *runs, changed, 0));
    return {};
  }

  Result<void> all(int changed, bool quick) {
    const int largest = render::largestMorphBatch();
    for (int batch = quick ? largest : 1; batch <= largest; ++batch) {
      if (auto ok = onGpu("feedback", {.batch = batch}, changed); !ok) return ok;
    }
    if (auto ok = onGpu("feedback-floats", {.sums = MorphSums::Float}, changed); !ok) return ok;
    // All morphs of the set, as a renderer without accumulators would add them.
    if (auto ok = onGpu("feedback-all", {.onlyChanged = false}, changed); !ok) return ok;
    result_.computeMissing =
        render::whyNotAccumulated(MorphPath::Compute, MorphSums::Fixed, facts_);
    if (result_.computeMissing.empty()) {
      auto ok = onGpu("compute", {.path = MorphPath::Compute}, changed);
      if (!ok) return ok;
    }
    return onProcessor(changed);
  }

 private:
  const DifferenceSet& set_;
  const render::ContextFacts& facts_;
  const JobContext& job_;
  BenchResult& result_;
  render::ShaderLibrary shaders_;
};

}  // namespace

Result<void> benchMorphs(const Stage& stage, const BenchDepth& depth, const JobContext& job,
                         BenchResult& result) {
  const Character& character = *stage.character;
  const Character face = withTargets(character);
  const MorphSet set = morphSetOf(face);
  if (set.empty()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: there are no morph targets to measure", character.name));
  }
  const DifferenceSet differences = differenceSet(face, set);
  const auto context = render::HeadlessContext::make();
  if (!context) return tl::unexpected(context.error());
  const auto facts = render::readContextFacts();
  if (!facts) return tl::unexpected(facts.error());
  result.renderer = facts->renderer;
  result.gl = facts->version;
  result.morphPlaces = static_cast<int>(differences.vertices.size());
  MorphBench bench(differences, *facts, job, result);
  const auto changes = depth.quick ? std::span<const int>(kQuickChanged) : std::span(kChanged);
  for (const int changed : changes) {
    if (auto ok = bench.all(changed, depth.quick); !ok) return ok;
  }
  return benchFaces(stage, depth, job, result);
}

}  // namespace ck::cli
