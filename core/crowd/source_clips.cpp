#include "core/crowd/source_clips.h"

#include <algorithm>
#include <glm/gtc/quaternion.hpp>

#include "core/anim/clip_sampler.h"
#include "core/anim/edited_clip.h"

namespace ck::render {
namespace {

// The closing step interpolates along the arc, like a step between two keys.
void closeLocals(std::vector<Trs>& locals, const std::vector<Trs>& first, double closing) {
  for (std::size_t j = 0; j < locals.size(); ++j) {
    Trs& a = locals[j];
    const Trs& b = first[j];
    a = {glm::mix(a.translation, b.translation, closing),
         slerpShortest(a.rotation, b.rotation, closing), glm::mix(a.scale, b.scale, closing)};
  }
}

}  // namespace

SourceClips::SourceClips(const Character& character, const Atlas* atlas, const Crowd& crowd) {
  for (const CrowdClip& crowdClip : crowd.clips()) {
    windows_.push_back(crowdClip.durationSeconds);
    const auto found = clipNamed(character, crowdClip.name);
    clips_.push_back(found ? &character.clips[*found] : nullptr);
    if (!found || atlas == nullptr || crowdClip.atlasClip < 0) continue;
    const ClipEdit& edit = atlas->clips[static_cast<std::size_t>(crowdClip.atlasClip)].edit;
    if (edit == ClipEdit{}) continue;
    auto shaped = editedClip(character, *clips_.back(), edit, atlas->recipe.seamMm);
    if (!shaped) continue;
    shaped_.push_back(std::move(*shaped));
    clips_.back() = &shaped_.back();
  }
}

SourceMoment SourceClips::momentOf(int crowdClip, double unit) const {
  SourceMoment moment;
  moment.clip = clip(crowdClip);
  if (moment.clip == nullptr) return moment;
  const double window = windows_[static_cast<std::size_t>(crowdClip)];
  const double length = moment.clip->durationSeconds;
  const double within = unit * window;
  moment.seconds = moment.clip->startSeconds + std::min(within, length);
  // A relative difference below 1e-6 is a rounding error, not a closing step.
  if (within > length && window > length * (1.0 + 1e-6)) {
    moment.closing = (within - length) / (window - length);
  }
  return moment;
}

std::vector<Trs> localsAt(const Rig& rig, const SourceMoment& moment) {
  if (moment.clip == nullptr) return sampleClip(rig, {}, 0.0);  // the rest pose
  std::vector<Trs> locals = sampleClip(rig, *moment.clip, moment.seconds);
  if (moment.closing > 0.0) {
    std::vector<Trs> closed = sampleClip(rig, *moment.clip, moment.clip->startSeconds);
    if (moment.closing < 1.0) holdSteps(*moment.clip, moment.seconds, closed);
    closeLocals(locals, closed, moment.closing);
  }
  return locals;
}

void fadeLocals(std::vector<Trs>& locals, const std::vector<Trs>& others, double blend,
                std::span<const float> mask) {
  for (std::size_t j = 0; j < locals.size(); ++j) {
    const double t = mask.empty() ? blend : blend * static_cast<double>(mask[j]);
    const glm::dquat& a = locals[j].rotation;
    const glm::dquat b =
        glm::dot(a, others[j].rotation) < 0.0 ? -others[j].rotation : others[j].rotation;
    locals[j] = {glm::mix(locals[j].translation, others[j].translation, t),
                 glm::normalize(a * (1.0 - t) + b * t),
                 glm::mix(locals[j].scale, others[j].scale, t)};
  }
}

}  // namespace ck::render
