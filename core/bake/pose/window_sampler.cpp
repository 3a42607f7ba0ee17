#include "core/bake/pose/window_sampler.h"

#include <algorithm>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"

namespace ck {
namespace {

// How much of a closing step has passed, in (0, 1]. A rounding error must not hold back its end.
double closedShare(double secondsSinceKey, double closingSeconds) {
  constexpr double kRounding = 1e-9;
  const double share = secondsSinceKey / closingSeconds;
  return share > 1.0 - kRounding ? 1.0 : share;
}

}  // namespace

WindowSampler::WindowSampler(const Rig& rig, const Clip& clip, double closingSeconds)
    : rig_(rig),
      clip_(clip),
      lastKeySeconds_(clip.startSeconds + clip.durationSeconds),
      closingSeconds_(closingSeconds),
      locals_(rig.joints.size()),
      globals_(rig.joints.size()),
      skins_(rig.skinJoints.size()) {
  if (closingSeconds <= 0.0) return;
  firstLocals_ = sampleClip(rig, clip, clip.startSeconds);
  closedLocals_ = firstLocals_;
  holdSteps(clip, lastKeySeconds_, closedLocals_);
}

void WindowSampler::sampleLocals(double seconds) {
  sampleClip(rig_, clip_, seconds, locals_);
  if (closingSeconds_ <= 0.0 || seconds <= lastKeySeconds_) return;
  const double t = closedShare(seconds - lastKeySeconds_, closingSeconds_);
  if (t == 1.0) {
    locals_ = firstLocals_;
    return;
  }
  for (std::size_t j = 0; j < locals_.size(); ++j) {
    Trs& local = locals_[j];
    const Trs& closed = closedLocals_[j];
    local.translation += (closed.translation - local.translation) * t;
    local.rotation = slerpShortest(local.rotation, closed.rotation, t);
    local.scale += (closed.scale - local.scale) * t;
  }
}

std::span<const glm::dmat4> WindowSampler::skinMatrices(double seconds,
                                                        std::optional<double> heldSeconds) {
  sampleLocals(seconds);
  if (heldSeconds) holdSteps(clip_, *heldSeconds, locals_);
  globalMatrices(rig_, locals_, globals_);
  for (std::size_t i = 0; i < skins_.size(); ++i) {
    const SkinJoint& skinJoint = rig_.skinJoints[i];
    skins_[i] = globals_[static_cast<std::size_t>(skinJoint.joint)] * skinJoint.inverseBind;
  }
  return skins_;
}

WindowWeights::WindowWeights(const MorphSet& set, const Clip& clip, double closingSeconds)
    : defaults_(defaultWeights(set)),
      tracks_(morphTracks(set, clip)),
      lastKeySeconds_(clip.startSeconds + clip.durationSeconds),
      closingSeconds_(closingSeconds),
      first_(sampled(clip.startSeconds)),
      closed_(first_) {
  holdSteps(lastKeySeconds_, closed_);
}

void WindowWeights::holdSteps(double seconds, std::vector<float>& weights) const {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Track<float>* track = tracks_[i];
    if (track == nullptr || track->interpolation != Interpolation::Step) continue;
    weights[i] = static_cast<float>(sampleTrack(*track, seconds));
  }
}

std::vector<float> WindowWeights::sampled(double seconds) const {
  std::vector<float> weights = defaults_;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (tracks_[i] != nullptr) weights[i] = static_cast<float>(sampleTrack(*tracks_[i], seconds));
  }
  return weights;
}

std::vector<float> WindowWeights::at(double seconds, std::optional<double> heldSeconds) const {
  std::vector<float> weights = sampled(seconds);
  if (closingSeconds_ > 0.0 && seconds > lastKeySeconds_) {
    const double t = closedShare(seconds - lastKeySeconds_, closingSeconds_);
    const std::vector<float>& end = t == 1.0 ? first_ : closed_;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] += static_cast<float>(t) * (end[i] - weights[i]);
    }
  }
  if (heldSeconds) holdSteps(*heldSeconds, weights);
  return weights;
}

}  // namespace ck
