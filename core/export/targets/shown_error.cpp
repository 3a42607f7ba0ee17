#include "core/export/targets/shown_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "core/bake/bake_window.h"
#include "core/bake/pose/window_sampler.h"
#include "core/bake/vertex_error.h"
#include "core/base/parallel_for.h"
#include "core/error/error_moments.h"
#include "core/error/error_tally.h"
#include "core/morph/morph_set.h"

namespace ck {
namespace {

// The weights of the four inner moments of kShares, by Gauss and Legendre.
constexpr std::array<double, 4> kNodeWeights = {0.17392742256872692, 0.32607257743127307,
                                                0.32607257743127307, 0.17392742256872692};

struct ShownClip {
  int index = 0;                   // in the atlas
  BakeWindow window;               // of the source
  std::vector<Stretch> stretches;  // in seconds of the cycle
};

struct Inputs {
  const Character& character;
  const Atlas& atlas;
  const ShownBy& player;
  MorphSet morphs;
  VertexModel vertices;
  std::vector<std::size_t> firstVertices;  // of every mesh
};

struct Worst {
  double mm = -1.0;
  int vertex = -1;  // into VertexModel::places
  int clip = 0;
  double seconds = 0.0;
};

// A distance that is no number counts as the largest, so that it is found.
void improve(Worst& worst, const Worst& other) {
  if (!std::isnan(worst.mm) && !(other.mm <= worst.mm)) worst = other;
}

// Cuts a stretch where the player jumps or bends.
void cut(Stretch stretch, std::span<const double> corners, std::vector<Stretch>& parts) {
  constexpr double kInsetSeconds = 1e-7;
  const auto last = std::ranges::lower_bound(corners, stretch.to);
  for (auto at = std::ranges::upper_bound(corners, stretch.from); at != last; ++at) {
    const double length = std::min(*at - stretch.from, stretch.to - *at);
    const double inset = std::min(kInsetSeconds, 1e-3 * length);
    parts.push_back({stretch.from, *at - inset});
    stretch.from = *at + inset;
  }
  parts.push_back(stretch);
}

Result<ShownClip> shownClip(const Inputs& inputs, int index) {
  const AtlasClip& baked = inputs.atlas.clips[static_cast<std::size_t>(index)];
  auto window = bakedWindow(inputs.character, inputs.atlas.recipe, baked);
  if (!window) return tl::unexpected(window.error());
  ShownClip clip = {index, std::move(*window), {}};
  std::vector<Stretch> whole = stretchesOf(*clip.window.motion, baked, clip.window.closingSeconds,
                                           inputs.atlas.recipe.interpolate);
  for (Stretch& stretch : whole) {
    stretch.from = std::clamp(stretch.from - baked.startSeconds, 0.0, baked.durationSeconds);
    stretch.to = std::clamp(stretch.to - baked.startSeconds, 0.0, baked.durationSeconds);
  }
  if (baked.loop == LoopMode::PingPong) {
    const double cycle = cycleSeconds(baked);
    for (std::size_t i = whole.size(); i-- > 0;) {
      whole.push_back({cycle - whole[i].to, cycle - whole[i].from});
    }
  }
  const std::vector<double> corners = inputs.player.corners(index);
  for (const Stretch& stretch : whole) cut(stretch, corners, clip.stretches);
  return clip;
}

// Compares the moments of one clip. Holds scratch memory, so each thread needs its own.
class Comparison {
 public:
  Comparison(const Inputs& inputs, const ShownClip& clip)
      : inputs_(inputs),
        clip_(clip),
        baked_(inputs.atlas.clips[static_cast<std::size_t>(clip.index)]),
        sampler_(inputs.character.rig, *clip.window.motion, clip.window.closingSeconds),
        weights_(inputs.morphs, *clip.window.motion, clip.window.closingSeconds),
        comparison_(inputs.vertices),
        defaults_(defaultWeights(inputs.morphs)) {}

  Worst at(double seconds) {
    const double inClip = unitAt(baked_, seconds) * baked_.durationSeconds;
    const double fileSeconds = baked_.startSeconds + inClip;
    const std::span<const glm::dmat4> source = sampler_.skinMatrices(fileSeconds);
    const std::vector<float> morphs = weights_.at(fileSeconds);
    inputs_.player.poseAt(clip_.index, seconds, pose_);
    if (!pose_.positions.empty()) return atPositions(source, morphs, seconds);
    const std::vector<float>& drawn = pose_.morphWeights.empty() ? defaults_ : pose_.morphWeights;
    const auto worst = comparison_.worst({source, pose_.skinMatrices, morphs, drawn});
    return {1000.0 * worst.meters, worst.vertex, clip_.index, seconds};
  }

  // The errors of the last call in millimetres, of VertexModel::samples.
  void sample(std::vector<float>& mm) const {
    if (pose_.positions.empty()) {
      comparison_.sample(mm);
      return;
    }
    mm.clear();
    for (const std::uint32_t sample : inputs_.vertices.samples) mm.push_back(mm_[sample]);
  }

 private:
  Worst atPositions(std::span<const glm::dmat4> source, std::span<const float> morphs,
                    double seconds) {
    const VertexModel& model = inputs_.vertices;
    Worst worst = {-1.0, -1, clip_.index, seconds};
    mm_.resize(model.places.size());
    for (std::size_t v = 0; v < mm_.size(); ++v) {
      glm::dvec3 bind(model.positions[v]);
      for (std::uint32_t d = model.deltaStarts[v]; d < model.deltaStarts[v + 1]; ++d) {
        const VertexModel::Delta& delta = model.deltas[d];
        bind += static_cast<double>(morphs[delta.morph]) * glm::dvec3(delta.position);
      }
      glm::dvec3 posed(0.0);
      for (std::uint32_t i = model.influenceStarts[v]; i < model.influenceStarts[v + 1]; ++i) {
        const VertexModel::Influence& influence = model.influences[i];
        const double weight = static_cast<double>(influence.drawn) + influence.lost;
        posed += weight * glm::dvec3(source[influence.skinJoint] * glm::dvec4(bind, 1.0));
      }
      const VertexModel::Place& place = model.places[v];
      const std::size_t drawn = inputs_.firstVertices[static_cast<std::size_t>(place.mesh)] +
                                static_cast<std::size_t>(place.vertex);
      const double mm = 1000.0 * glm::distance(posed, pose_.positions[drawn]);
      mm_[v] = static_cast<float>(mm);
      improve(worst, {mm, static_cast<int>(v), clip_.index, seconds});
    }
    return worst;
  }

  const Inputs& inputs_;
  const ShownClip& clip_;
  const AtlasClip& baked_;
  WindowSampler sampler_;
  WindowWeights weights_;
  VertexComparison comparison_;
  std::vector<float> defaults_;
  ShownPose pose_;
  std::vector<float> mm_;  // one per vertex of the model
};

// A few stretches of one clip, compared by one thread.
struct Task {
  const ShownClip* clip = nullptr;
  std::size_t first = 0;
  std::size_t count = 0;
  ErrorTally tally;
  std::vector<Worst> worsts;  // one per stretch
};

std::vector<Task> tasksFor(const std::vector<ShownClip>& clips) {
  constexpr std::size_t kStretches = 32;
  std::vector<Task> tasks;
  for (const ShownClip& clip : clips) {
    for (std::size_t first = 0; first < clip.stretches.size(); first += kStretches) {
      Task& task = tasks.emplace_back();
      task.clip = &clip;
      task.first = first;
      task.count = std::min(kStretches, clip.stretches.size() - first);
    }
  }
  return tasks;
}

void measure(const Inputs& inputs, Task& task, const JobContext& job) {
  // A clip without length counts as a frame of film.
  constexpr double kStillSeconds = 1.0 / 24.0;
  Comparison comparison(inputs, *task.clip);
  std::vector<float> mm;
  const bool isStill = task.clip->stretches.size() == 1 && task.clip->stretches[0].to <= 0.0;
  for (std::size_t s = task.first; s < task.first + task.count && !job.stopRequested(); ++s) {
    const Stretch& stretch = task.clip->stretches[s];
    const double length = stretch.to - stretch.from;
    Worst& worst = task.worsts.emplace_back();
    for (std::size_t i = 0; i < kShares.size(); ++i) {
      const bool isEnd = i == 0 || i + 1 == kShares.size();
      improve(worst, comparison.at(stretch.from + kShares[i] * length));
      if (isEnd) continue;
      comparison.sample(mm);
      const double lasts = isStill ? kStillSeconds : length;
      if (lasts > 0.0) task.tally.add(mm, std::array{kNodeWeights[i - 1] * lasts});
    }
  }
}

// Looks more closely where the error is largest.
Result<Worst> refine(const Inputs& inputs, const std::vector<Task>& tasks, const JobContext& job) {
  // Between six moments of a stretch, a parabola rises by a ninth more than they show.
  constexpr double kDoubt = 1.2;
  constexpr std::size_t kMost = 64;
  constexpr int kParts = 16;
  struct Candidate {
    const ShownClip* clip;
    Stretch stretch;
    double mm;
  };
  Worst worst;
  for (const Task& task : tasks) {
    for (const Worst& found : task.worsts) improve(worst, found);
  }
  std::vector<Candidate> candidates;
  for (const Task& task : tasks) {
    for (std::size_t i = 0; i < task.worsts.size(); ++i) {
      if (kDoubt * task.worsts[i].mm < worst.mm) continue;
      candidates.push_back({task.clip, task.clip->stretches[task.first + i], task.worsts[i].mm});
    }
  }
  std::ranges::stable_sort(candidates, std::greater(), &Candidate::mm);
  candidates.resize(std::min(candidates.size(), kMost));
  std::vector<Worst> found(candidates.size());
  const bool done = parallelFor(candidates.size(), job, [&](std::size_t c) {
    Comparison comparison(inputs, *candidates[c].clip);
    const Stretch& stretch = candidates[c].stretch;
    for (int part = 1; part < kParts; ++part) {
      improve(found[c], comparison.at(stretch.from + (stretch.to - stretch.from) * part / kParts));
    }
  });
  if (!done) return fail(ErrorCode::Cancelled, "the measurement was stopped");
  for (const Worst& more : found) improve(worst, more);
  return worst;
}

ErrorFigure figureOf(const Inputs& inputs, const Worst& worst, const ErrorTally& tally) {
  ErrorFigure figure;
  if (worst.vertex < 0) return figure;
  const AtlasClip& clip = inputs.atlas.clips[static_cast<std::size_t>(worst.clip)];
  const VertexModel& model = inputs.vertices;
  const auto vertex = static_cast<std::size_t>(worst.vertex);
  const VertexModel::Place& place = model.places[vertex];
  const auto& joint = model.influences[model.influenceStarts[vertex]];
  figure.max = worst.mm;
  figure.p99 = std::min(tally.quantile(0.99), figure.max);
  figure.rms = std::min(tally.rms(), figure.max);
  figure.worstClip = clip.name;
  figure.worstJoint = inputs.atlas.joints[joint.skinJoint].name;
  figure.worstMesh = inputs.character.meshes[static_cast<std::size_t>(place.mesh)].name;
  figure.worstVertex = place.vertex;
  figure.worstTimeSeconds =
      clip.startSeconds + unitAt(clip, worst.seconds) * clip.durationSeconds * clip.edit.rate;
  return figure;
}

}  // namespace

double cycleSeconds(const AtlasClip& clip) {
  return clip.loop == LoopMode::PingPong ? 2.0 * clip.durationSeconds : clip.durationSeconds;
}

double unitAt(const AtlasClip& clip, double seconds) {
  if (!(clip.durationSeconds > 0.0)) return 0.0;
  const double share = seconds / clip.durationSeconds;
  return std::clamp(share > 1.0 ? 2.0 - share : share, 0.0, 1.0);
}

Result<ErrorFigure> shownError(const Character& character, const Atlas& atlas,
                               const ShownBy& player, const JobContext& job) {
  if (character.rig.skinJoints.size() != atlas.joints.size()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: the atlas was not baked from this rig: it has {} joints there and "
                            "{} here",
                            character.name, atlas.joints.size(), character.rig.skinJoints.size()));
  }
  Inputs inputs = {character, atlas, player, morphSetOf(character), {}, {}};
  inputs.vertices = vertexModelOf(character, inputs.morphs, player.influences, job);
  std::size_t vertices = 0;
  for (const Mesh& mesh : character.meshes) {
    inputs.firstVertices.push_back(vertices);
    vertices += mesh.positions.size();
  }
  std::vector<ShownClip> clips;
  for (std::size_t i = 0; i < atlas.clips.size(); ++i) {
    auto clip = shownClip(inputs, static_cast<int>(i));
    if (!clip) return tl::unexpected(clip.error());
    clips.push_back(std::move(*clip));
  }
  std::vector<Task> tasks = tasksFor(clips);
  const bool done =
      parallelFor(tasks.size(), job, [&](std::size_t i) { measure(inputs, tasks[i], job); });
  if (!done || job.stopRequested()) {
    return fail(ErrorCode::Cancelled, "the measurement was stopped");
  }
  const auto worst = refine(inputs, tasks, job);
  if (!worst) return tl::unexpected(worst.error());
  if (!std::isfinite(worst->mm)) {
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("{}: a vertex is drawn at a place that is not a number", character.name));
  }
  ErrorTally tally;
  for (const Task& task : tasks) tally.merge(task.tally);
  return figureOf(inputs, *worst, tally);
}

struct PoseDistance::Parts {
  MorphSet morphs;
  VertexModel model;
  VertexComparison comparison;
  std::vector<float> defaults;

  Parts(const Character& character, int influences, const JobContext& job)
      : morphs(morphSetOf(character)),
        model(vertexModelOf(character, morphs, influences, job)),
        comparison(model),
        defaults(defaultWeights(morphs)) {}
};

PoseDistance::PoseDistance(const Character& character, int influences, const JobContext& job)
    : parts_(std::make_unique<Parts>(character, influences, job)) {}
PoseDistance::~PoseDistance() = default;

double PoseDistance::mm(const std::vector<glm::dmat4>& skinsA, const std::vector<float>& morphsA,
                        const std::vector<glm::dmat4>& skinsB, const std::vector<float>& morphsB) {
  return 1000.0 * parts_->comparison.worst({skinsA, skinsB, morphsA, morphsB}).meters;
}
double PoseDistance::mm(const std::vector<glm::dmat4>& skinsA,
                        const std::vector<glm::dmat4>& skinsB) {
  return mm(skinsA, parts_->defaults, skinsB, parts_->defaults);
}

double morphLossMm(const Character& character, const Atlas& atlas) {
  if (atlas.morphs.empty()) return 0.0;
  const MorphSet set = morphSetOf(character);
  const std::vector<float> defaults = defaultWeights(set);
  const std::vector<int> stored = storedMorphs(set, atlas.morphs.names);
  // Morphs are moved by joints afterwards, which changes no length unless they scale.
  const std::vector<glm::dmat4> bind(atlas.joints.size(), glm::dmat4(1.0));
  PoseDistance distance(character, atlas.recipe.influences, {});
  double largest = 0.0;
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    if (atlas.morphs.clips[c].kept.empty()) continue;
    for (int frame = 0; frame < atlas.clips[c].frameCount; ++frame) {
      const std::vector<float> baked = storedMorphWeights(atlas.morphs, static_cast<int>(c), frame);
      std::vector<float> weights = defaults;
      for (std::size_t m = 0; m < weights.size(); ++m) {
        if (stored[m] >= 0) weights[m] = baked[static_cast<std::size_t>(stored[m])];
      }
      largest = std::max(largest, distance.mm(bind, weights, bind, defaults));
    }
  }
  return largest;
}

}  // namespace ck
