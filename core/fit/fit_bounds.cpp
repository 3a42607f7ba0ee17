#include "core/fit/fit_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "core/atlas/local_poses.h"
#include "core/atlas/pose_reading.h"
#include "core/bake/joint_poses.h"
#include "core/bake/local_bake.h"
#include "core/bake/morph_bake.h"
#include "core/bake/pose/window_sampler.h"
#include "core/bake/pose_ranges.h"
#include "core/bake/texel_ranges.h"
#include "core/bake/vertex_error.h"
#include "core/base/parallel_for.h"
#include "core/morph/morph_set.h"

namespace ck {
namespace {

constexpr std::array kInfluences = {1, 2, 4};

// Settings whose poses stray between frames alike, whatever the texels are.
struct Kind {
  PoseForm form = PoseForm::Pivot;
  Components components = Components::Trs;
  auto operator<=>(const Kind&) const = default;
};

Kind kindOf(const FitCandidate& candidate) {
  return {encodingInfo(candidate.settings).form, codeOf(candidate).components};
}

// A moment of a window, on its timeline.
struct Moment {
  std::size_t window = 0;
  double seconds = 0.0;
};

struct Inputs {
  const Character& character;
  Reading reading;
  bool interpolate;
  std::vector<AtlasJoint> joints;
  MorphSet morphs;
  MorphForm morphForm;
  std::array<VertexModel, kInfluences.size()> vertices;  // by index into kInfluences
};

// The source at a moment, and how the clip is drawn there.
struct SourcePose {
  std::size_t window = 0;
  FramePair frames;  // of the window
  std::vector<glm::dmat4> skins;
  std::vector<float> morphs;
  std::vector<float> drawnMorphs;
};

FramePair drawnFrames(const BakeWindow& window, double seconds, bool interpolate) {
  const double share =
      window.durationSeconds > 0.0 ? (seconds - window.startSeconds) / window.durationSeconds : 0.0;
  const double unit = std::clamp(share, 0.0, 1.0);
  if (interpolate) return framesAt(unit, frameGridOf(window));
  const int nearest = nearestFrame(unit, frameGridOf(window));
  return {nearest, nearest, 0.0};
}

// The poses of one rate in one form, frame by frame.
std::vector<JointPose> frameOf(const JointPoses& poses, std::size_t window, int frame) {
  std::vector<JointPose> all;
  const std::size_t at = poses.firstFrames[window] + static_cast<std::size_t>(frame);
  for (std::size_t joint = 0; joint < poses.jointCount; ++joint) {
    all.push_back(poses.of(joint, at, 1).front());
  }
  return all;
}

void leaveOut(Components components, std::span<const AtlasJoint> joints,
              std::span<JointPose> poses) {
  for (std::size_t joint = 0; joint < poses.size(); ++joint) {
    if (components != Components::Trs) poses[joint].scale = glm::vec3(1.0f);
    if (components == Components::R) poses[joint].position = joints[joint].pivot;
  }
}

std::vector<glm::dmat4> drawnSkins(const Inputs& inputs, PoseForm form,
                                   std::span<const JointPose> first,
                                   std::span<const JointPose> second, double alpha) {
  const std::vector<JointPose> poses =
      posesBetween(inputs.joints, first, second, static_cast<float>(alpha), inputs.reading);
  std::vector<glm::dmat4> skins;
  skins.reserve(poses.size());
  for (std::size_t joint = 0; joint < poses.size(); ++joint) {
    skins.push_back(skinMatrixOf(form, poses[joint], inputs.joints[joint]));
  }
  return skins;
}

// How far, in metres, the vertices of any joint may be apart if they follow it alone.
double reachApart(const VertexModel& model, std::span<const glm::dmat4> a,
                  std::span<const glm::dmat4> b) {
  double most = 0.0;
  for (std::size_t joint = 0; joint < a.size(); ++joint) {
    const VertexModel::Box& box = model.jointBoxes[joint];
    if (box.half.x < 0.0f) continue;
    const glm::dmat4 apart = a[joint] - b[joint];
    glm::dvec3 reach = glm::abs(glm::dvec3(apart * glm::dvec4(glm::dvec3(box.center), 1.0)));
    for (int axis = 0; axis < 3; ++axis) {
      reach += glm::abs(glm::dvec3(apart[axis])) * static_cast<double>(box.half[axis]);
    }
    most = std::max(most, glm::length(reach));
  }
  return most;
}

// The moments of a rate that are looked at: where interpolation strays most from an arc and in the
// middle, and just beside the switch where the nearest frame is drawn. Long clips are thinned.
std::vector<Moment> probesOf(std::span<const BakeWindow> windows, bool interpolate) {
  constexpr std::size_t kMost = 2000;
  constexpr std::array kBetween = {0.21, 0.5, 0.79};
  constexpr std::array kBesideSwitch = {0.0, 0.499, 0.501};
  const auto& shares = interpolate ? kBetween : kBesideSwitch;
  std::size_t intervals = 0;
  for (const BakeWindow& window : windows) {
    intervals += static_cast<std::size_t>(momentCount(frameGridOf(window)) - 1);
  }
  const std::size_t stride = intervals * shares.size() / kMost + 1;
  std::vector<Moment> probes;
  std::size_t number = 0;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const int steps = momentCount(frameGridOf(windows[w])) - 1;
    const double step = windows[w].durationSeconds / steps;
    for (int i = 0; i < steps; ++i, ++number) {
      if (number % stride != 0) continue;
      for (const double share : shares) {
        probes.push_back({w, windows[w].startSeconds + (i + share) * step});
      }
    }
  }
  return probes;
}

// Moments on frames, spread over all clips: there only the texels are to blame.
std::vector<Moment> evenMoments(std::span<const BakeWindow> windows, std::size_t count) {
  std::vector<Moment> moments;
  std::size_t frames = 0;
  for (const BakeWindow& window : windows) frames += static_cast<std::size_t>(window.frameCount);
  for (std::size_t i = 0; i < count; ++i) {
    auto at = (2 * i + 1) * frames / (2 * count);
    std::size_t w = 0;
    while (at >= static_cast<std::size_t>(windows[w].frameCount)) {
      at -= static_cast<std::size_t>(windows[w++].frameCount);
    }
    const BakeWindow& window = windows[w];
    const int moment = momentOfFrame(static_cast<int>(at), frameGridOf(window));
    const int steps = momentCount(frameGridOf(window)) - 1;
    moments.push_back({w, window.startSeconds + window.durationSeconds * moment / steps});
  }
  return moments;
}

// Bounds the candidates of one rate.
class RateBounds {
 public:
  RateBounds(const Inputs& inputs, const FitWindows& rate) : inputs_(inputs), rate_(rate) {
    for (const BakeWindow& window : rate.windows) {
      frameCounts_.push_back(window.frameCount);
      clipNames_.push_back(window.motion->name);
    }
  }

  Result<void> bound(std::span<FitCandidate* const> candidates, const JobContext& job) {
    auto morphs = bakeMorphs(inputs_.character, rate_.windows, inputs_.morphForm, quiet(job));
    if (!morphs) return tl::unexpected(morphs.error());
    morphs_ = std::move(morphs->atlas);
    std::map<PoseForm, std::vector<FitCandidate*>> byForm;
    for (FitCandidate* each : candidates) {
      byForm[encodingInfo(each->settings).form].push_back(each);
    }
    for (const auto& [form, own] : byForm) {
      auto evaluated = evaluatePoses(inputs_.character, rate_.windows, {form, 4}, quiet(job));
      if (!evaluated) return tl::unexpected(evaluated.error());
      if (!boundForm(form, evaluated->poses, own, job)) {
        return fail(ErrorCode::Cancelled, "the search was stopped");
      }
    }
    return {};
  }

 private:
  // Progress is counted by rates.
  static JobContext quiet(JobContext job) {
    job.report = [](float, std::string_view) {};
    return job;
  }

  SourcePose sourceAt(WindowSampler& sampler, const WindowWeights& weights,
                      const Moment& moment) const {
    const BakeWindow& window = rate_.windows[moment.window];
    SourcePose pose;
    pose.window = moment.window;
    pose.frames = drawnFrames(window, moment.seconds, inputs_.interpolate);
    const auto skins = sampler.skinMatrices(moment.seconds);
    pose.skins.assign(skins.begin(), skins.end());
    pose.morphs = weights.at(moment.seconds);
    pose.drawnMorphs = drawnMorphs(moment);
    return pose;
  }

  std::vector<float> drawnMorphs(const Moment& moment) const {
    std::vector<float> drawn = defaultWeights(inputs_.morphs);
    if (morphs_.empty()) return drawn;
    const BakeWindow& window = rate_.windows[moment.window];
    const double share = window.durationSeconds > 0.0
                             ? (moment.seconds - window.startSeconds) / window.durationSeconds
                             : 0.0;
    const std::vector<float> stored = bakedMorphWeights(
        morphs_, static_cast<int>(moment.window), std::clamp(share, 0.0, 1.0), frameGridOf(window));
    const std::vector<int> index = storedMorphs(inputs_.morphs, morphs_.names);
    for (std::size_t m = 0; m < drawn.size(); ++m) {
      if (index[m] >= 0) drawn[m] = stored[static_cast<std::size_t>(index[m])];
    }
    return drawn;
  }

  // The source at all of these; nothing if the job is stopped.
  std::vector<SourcePose> sourcesAt(std::span<const Moment> moments, const JobContext& job) const {
    constexpr std::size_t kAtOnce = 32;
    std::vector<SourcePose> sources(moments.size());
    const std::size_t tasks = (moments.size() + kAtOnce - 1) / kAtOnce;
    const bool done = parallelFor(tasks, job, [&](std::size_t task) {
      std::size_t last = rate_.windows.size();
      std::optional<WindowSampler> sampler;
      std::optional<WindowWeights> weights;
      for (std::size_t i = task * kAtOnce; i < std::min((task + 1) * kAtOnce, moments.size());
           ++i) {
        const Moment& moment = moments[i];
        const BakeWindow& window = rate_.windows[moment.window];
        if (std::exchange(last, moment.window) != moment.window) {
          sampler.emplace(inputs_.character.rig, *window.motion, window.closingSeconds);
          weights.emplace(inputs_.morphs, *window.motion, window.closingSeconds);
        }
        sources[i] = sourceAt(*sampler, *weights, moment);
      }
    });
    return done ? std::move(sources) : std::vector<SourcePose>{};
  }

  bool boundForm(PoseForm form, const JointPoses& poses, std::span<FitCandidate* const> candidates,
                 const JobContext& job) {
    if (probes_.empty()) {
      probes_ = sourcesAt(probesOf(rate_.windows, inputs_.interpolate), job);
      even_ = sourcesAt(evenMoments(rate_.windows, kEven), job);
      findWorstOfSource();
      if (probes_.empty() || even_.empty()) return false;
    }
    using Texels = std::tuple<Encoding, Components, std::optional<RangeMode>>;
    std::map<Texels, std::vector<FitCandidate*>> byTexels;
    std::map<Kind, std::vector<std::size_t>> worst;
    for (FitCandidate* each : candidates) {
      const TexelCode code = codeOf(*each);
      byTexels[{code.encoding, code.components, each->settings.rangeMode}].push_back(each);
      worst[kindOf(*each)];
    }
    for (auto& [kind, moments] : worst) moments = worstProbes(kind, poses, job);
    std::vector<const std::vector<FitCandidate*>*> groups;
    for (const auto& [texels, own] : byTexels) groups.push_back(&own);
    return parallelFor(groups.size(), job, [&](std::size_t i) {
      boundGroup(form, poses, worst.at(kindOf(*groups[i]->front())), *groups[i], job);
    });
  }

  // The probes at which joints stray most, no two of them in one interval.
  std::vector<std::size_t> worstProbes(const Kind& kind, const JointPoses& poses,
                                       const JobContext& job) const {
    std::vector<double> apart(probes_.size());
    parallelFor(probes_.size(), job, [&](std::size_t i) {
      const SourcePose& source = probes_[i];
      std::vector<JointPose> first = frameOf(poses, source.window, source.frames.frame0);
      std::vector<JointPose> second = frameOf(poses, source.window, source.frames.frame1);
      leaveOut(kind.components, inputs_.joints, first);
      leaveOut(kind.components, inputs_.joints, second);
      const auto drawn = drawnSkins(inputs_, kind.form, first, second, source.frames.alpha);
      apart[i] = reachApart(inputs_.vertices.back(), source.skins, drawn);
    });
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < apart.size(); ++i) order.push_back(i);
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return apart[i]; });
    std::vector<std::size_t> worst;
    for (const std::size_t i : order) {
      const bool isNear = std::ranges::any_of(worst, [&](std::size_t other) {
        return probes_[other].window == probes_[i].window &&
               probes_[other].frames.frame0 == probes_[i].frames.frame0;
      });
      if (!isNear) worst.push_back(i);
      if (worst.size() == kWorst) break;
    }
    return worst;
  }

  // Where the influences that are not drawn, or the morphs, cost most.
  void findWorstOfSource() {
    constexpr std::size_t kStride = 8;
    for (const VertexModel& model : inputs_.vertices) {
      VertexComparison comparison(model);
      double most = -1.0;
      std::size_t at = 0;
      for (std::size_t i = 0; i < probes_.size(); i += kStride) {
        const SourcePose& pose = probes_[i];
        const double meters =
            comparison.worst({pose.skins, pose.skins, pose.morphs, pose.drawnMorphs}).meters;
        if (!(meters > most)) continue;
        most = meters;
        at = i;
      }
      worstOfSource_.push_back(at);
    }
  }

  // Candidates of the same texels, which differ in their influences.
  void boundGroup(PoseForm form, const JointPoses& poses, std::span<const std::size_t> worst,
                  std::span<FitCandidate* const> group, const JobContext& job) const {
    const FitCandidate& any = *group.front();
    Atlas atlas;  // without texels: what is needed to know the ranges
    atlas.recipe.encoding = any.settings.encoding;
    atlas.recipe.components = codeOf(any).components;
    atlas.recipe.rangeMode = rangeModeFor(any.settings);
    atlas.joints = inputs_.joints;
    JointPoses seen;
    if (isLocal(encodingInfo(atlas.recipe))) {
      seen = poses;
      seeFromParents(atlas.joints, frameCounts_, seen);
      auto ranges = localRanges(inputs_.character, codeOf(atlas), *atlas.recipe.rangeMode, seen,
                                frameCounts_, clipNames_, atlas.joints);
      if (!ranges) return;  // it was planned, so there are some
      atlas.ranges = std::move(*ranges);
    } else {
      atlas.ranges =
          rangesOf(codeOf(atlas), *atlas.recipe.rangeMode, poses, frameCounts_, atlas.joints);
      narrowRanges(inputs_.character, atlas);
    }
    const JointPoses& stored = seen.poses.empty() ? poses : seen;
    std::vector<VertexComparison> comparisons;
    for (const VertexModel& model : inputs_.vertices) comparisons.emplace_back(model);
    const auto compare = [&](const SourcePose& source) {
      if (job.stopRequested()) return;
      const auto first = encoded(atlas, stored, source.window, source.frames.frame0);
      const auto second = encoded(atlas, stored, source.window, source.frames.frame1);
      const auto drawn = drawnSkins(inputs_, form, first, second, source.frames.alpha);
      for (FitCandidate* each : group) {
        const auto found = std::ranges::find(kInfluences, each->settings.influences);
        VertexComparison& comparison =
            comparisons[static_cast<std::size_t>(found - kInfluences.begin())];
        const auto spot =
            comparison.worst({source.skins, drawn, source.morphs, source.drawnMorphs});
        each->leastMm = std::max(each->leastMm, 1000.0 * spot.meters);
      }
    };
    for (const std::size_t i : worst) compare(probes_[i]);
    for (const std::size_t i : worstOfSource_) compare(probes_[i]);
    for (const SourcePose& source : even_) compare(source);
  }

  // A frame as shaders read it.
  std::vector<JointPose> encoded(const Atlas& atlas, const JointPoses& poses, std::size_t window,
                                 int frame) const {
    const TexelCode code = codeOf(atlas);
    std::vector<JointPose> all = frameOf(poses, window, frame);
    std::vector<std::byte> texels(bytesPerJoint(code));
    std::vector<std::byte> track(bytesPerTrack(code));
    const std::vector<int> tracks = tracksOf(atlas);
    const bool local = isLocal(encodingInfo(code.encoding));
    if (local) aimFrame(atlas, tracks, static_cast<int>(window), all);
    for (std::size_t joint = 0; joint < all.size(); ++joint) {
      const JointPose rest{.position = atlas.joints[joint].pivot};
      const auto ranges = rangesFor(atlas, static_cast<int>(window), static_cast<int>(joint));
      const glm::vec3 place = all[joint].position;
      encodePose(code, all[joint], ranges, texels, rest);
      all[joint] = decodePose(code, texels, ranges, rest);
      if (tracks[joint] < 0) continue;
      encodeTrack(code, place, ranges.front(), track);
      all[joint].position = decodeTrack(code, track, ranges.front());
    }
    if (local) walkFromRoots(atlas.joints, all);
    return all;
  }

  static constexpr std::size_t kWorst = 6;
  static constexpr std::size_t kEven = 6;

  const Inputs& inputs_;
  const FitWindows& rate_;
  std::vector<int> frameCounts_;
  std::vector<std::string> clipNames_;
  AtlasMorphs morphs_;
  std::vector<SourcePose> probes_;
  std::vector<SourcePose> even_;
  std::vector<std::size_t> worstOfSource_;  // into probes_
};

}  // namespace

Result<void> boundErrors(const Character& character, const FitWish& wish, FitPlan& plan,
                         const JobContext& job) {
  Inputs inputs{character,
                wish.settings.reading,
                wish.settings.interpolate,
                atlasJointsOf(character.rig),
                morphSetOf(character),
                wish.settings.morphs,
                {}};
  for (std::size_t i = 0; i < kInfluences.size(); ++i) {
    inputs.vertices[i] = vertexModelOf(character, inputs.morphs, kInfluences[i], job);
  }
  for (std::size_t rate = 0; rate < plan.rates.size(); ++rate) {
    if (job.stopRequested()) return fail(ErrorCode::Cancelled, "the search was stopped");
    job.report(static_cast<float>(rate) / static_cast<float>(plan.rates.size()),
               "Bounding the error");
    std::vector<FitCandidate*> own;
    for (FitCandidate& each : plan.candidates) {
      if (each.rate == rate) own.push_back(&each);
    }
    if (auto ok = RateBounds(inputs, plan.rates[rate]).bound(own, job); !ok) return ok;
  }
  return {};
}

}  // namespace ck
