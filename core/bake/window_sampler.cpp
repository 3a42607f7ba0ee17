#include "core/bake/window_sampler.h"

#include <algorithm>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"

namespace ck {

WindowSampler::WindowSampler(const Rig& rig, const Clip& clip, double closingSeconds)
    : rig_(rig),
      clip_(clip),
      lastKeySeconds_(clip.startSeconds + clip.durationSeconds),
      closingSeconds_(closingSeconds),
      locals_(rig.joints.size()),
      globals_(rig.joints.size()),
      skins_(rig.skinJoints.size()) {
  if (closingSeconds > 0.0) firstLocals_ = sampleClip(rig, clip, clip.startSeconds);
}

void WindowSampler::sampleLocals(double seconds) {
  sampleClip(rig_, clip_, seconds, locals_);
  if (closingSeconds_ <= 0.0 || seconds <= lastKeySeconds_) return;
  const double t = std::min((seconds - lastKeySeconds_) / closingSeconds_, 1.0);
  for (std::size_t j = 0; j < locals_.size(); ++j) {
    Trs& local = locals_[j];
    const Trs& first = firstLocals_[j];
    local.translation += (first.translation - local.translation) * t;
    local.rotation = slerpShortest(local.rotation, first.rotation, t);
    local.scale += (first.scale - local.scale) * t;
  }
}

std::span<const glm::dmat4> WindowSampler::skinMatrices(double seconds) {
  sampleLocals(seconds);
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
      first_(sampled(clip.startSeconds)) {}

std::vector<float> WindowWeights::sampled(double seconds) const {
  std::vector<float> weights = defaults_;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (tracks_[i] != nullptr) weights[i] = static_cast<float>(sampleTrack(*tracks_[i], seconds));
  }
  return weights;
}

std::vector<float> WindowWeights::at(double seconds) const {
  std::vector<float> weights = sampled(seconds);
  if (closingSeconds_ <= 0.0 || seconds <= lastKeySeconds_) return weights;
  const double t = std::min((seconds - lastKeySeconds_) / closingSeconds_, 1.0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] += static_cast<float>(t) * (first_[i] - weights[i]);
  }
  return weights;
}

}  // namespace ck
