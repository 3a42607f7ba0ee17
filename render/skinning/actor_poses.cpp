#include "render/skinning/actor_poses.h"

#include <algorithm>
#include <glm/gtc/quaternion.hpp>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/anim/shaped_clip.h"
#include "core/atlas/pose_reading.h"
#include "core/base/assert.h"

namespace ck::render {
namespace {

Trs between(const Trs& a, const Trs& b, double t) {
  return {glm::mix(a.translation, b.translation, t), slerpShortest(a.rotation, b.rotation, t),
          glm::mix(a.scale, b.scale, t)};
}

// Skinning is linear in the matrices.
std::vector<glm::dmat4> mixed(std::vector<glm::dmat4> first, const std::vector<glm::dmat4>& second,
                              double blend) {
  for (std::size_t j = 0; j < first.size(); ++j) {
    first[j] = first[j] * (1.0 - blend) + second[j] * blend;
  }
  return first;
}

}  // namespace

glm::dmat4 actorMatrix(const gpu::CkActor& record) {
  const glm::vec4& q = record.rotation;
  return toMatrix({glm::dvec3(record.positionAlphaA), glm::dquat(q.w, q.x, q.y, q.z),
                   glm::dvec3(record.scaleAlphaB)});
}

ActorPoses::ActorPoses(const Character& character, const Atlas* atlas, const Crowd& crowd,
                       Look look)
    : character_(character), atlas_(atlas), crowd_(crowd), look_(look) {
  for (const CrowdClip& crowdClip : crowd.clips()) {
    const auto found =
        std::find_if(character.clips.begin(), character.clips.end(),
                     [&crowdClip](const Clip& clip) { return clip.name == crowdClip.name; });
    sourceClips_.push_back(found == character.clips.end() ? nullptr : &*found);
    if (found == character.clips.end() || atlas == nullptr || crowdClip.atlasClip < 0) continue;
    const ClipShape& shape = atlas->clips[static_cast<std::size_t>(crowdClip.atlasClip)].shape;
    if (shape == ClipShape{}) continue;
    auto shaped = shapedClip(character.rig, *found, shape);
    if (!shaped) continue;
    shapedClips_.push_back(std::move(*shaped));
    sourceClips_.back() = &shapedClips_.back();
  }
}

std::optional<CrowdFade> ActorPoses::fadeOf(std::size_t actor) const {
  return look_.fades ? crowd_.fadeOf(actor) : std::nullopt;
}

std::vector<JointPose> ActorPoses::bakedAt(int clip, double unit) const {
  CK_ASSERT(atlas_ != nullptr);
  const int atlasClip = crowd_.clips()[static_cast<std::size_t>(clip)].atlasClip;
  if (atlasClip < 0) return storedFrame(*atlas_, 0, 0);
  return posesAt(*atlas_, atlasClip, unit, look_.reading, look_.interpolate);
}

std::vector<glm::dmat4> ActorPoses::baked(std::size_t actor) const {
  const std::vector<JointPose> first = bakedAt(crowd_.clipOf(actor), crowd_.unitOf(actor));
  const auto fade = fadeOf(actor);
  if (!fade) return skinMatricesOf(*atlas_, first);
  const std::vector<JointPose> second = bakedAt(fade->clip, fade->unit);
  if (look_.reading == Reading::Direct) {
    return mixed(skinMatricesOf(*atlas_, first), skinMatricesOf(*atlas_, second), fade->blend);
  }
  return skinMatricesOf(
      *atlas_, posesBlended(atlas_->joints, first, second, static_cast<float>(fade->blend)));
}

ActorPoses::Moment ActorPoses::momentOf(int clip, double unit) const {
  const auto index = static_cast<std::size_t>(clip);
  Moment moment;
  moment.clip = sourceClips_[index];
  if (moment.clip == nullptr) return moment;
  const double window = crowd_.clips()[index].durationSeconds;
  const double length = moment.clip->durationSeconds;
  const double within = unit * window;
  moment.seconds = moment.clip->startSeconds + std::min(within, length);
  // Less than a millionth longer is rounding, not a closing step.
  if (within > length && window > length * (1.0 + 1e-6)) {
    moment.closing = (within - length) / (window - length);
  }
  return moment;
}

std::vector<glm::dmat4> ActorPoses::sourceAt(int clip, double unit) const {
  const Moment moment = momentOf(clip, unit);
  const Rig& rig = character_.rig;
  if (moment.clip == nullptr) return skinMatrices(rig, restMatrices(rig));
  std::vector<Trs> locals = sampleClip(rig, *moment.clip, moment.seconds);
  if (moment.closing > 0.0) {
    const std::vector<Trs> first = sampleClip(rig, *moment.clip, moment.clip->startSeconds);
    for (std::size_t j = 0; j < locals.size(); ++j) {
      locals[j] = between(locals[j], first[j], moment.closing);
    }
  }
  return skinMatrices(rig, globalMatrices(rig, locals));
}

std::vector<glm::dmat4> ActorPoses::source(std::size_t actor) const {
  std::vector<glm::dmat4> first = sourceAt(crowd_.clipOf(actor), crowd_.unitOf(actor));
  const auto fade = fadeOf(actor);
  return fade ? mixed(std::move(first), sourceAt(fade->clip, fade->unit), fade->blend) : first;
}

std::vector<float> ActorPoses::sourceMorphWeights(std::size_t actor, int mesh) const {
  const Mesh& shape = character_.meshes[static_cast<std::size_t>(mesh)];
  const auto weightsAt = [&](int clip, double unit) {
    const Moment moment = momentOf(clip, unit);
    if (moment.clip == nullptr || shape.morphTargets.empty()) return shape.defaultMorphWeights;
    return sampleMorphWeights(character_, *moment.clip, mesh, moment.seconds);
  };
  std::vector<float> weights = weightsAt(crowd_.clipOf(actor), crowd_.unitOf(actor));
  const auto fade = fadeOf(actor);
  if (!fade) return weights;
  const std::vector<float> second = weightsAt(fade->clip, fade->unit);
  for (std::size_t i = 0; i < std::min(weights.size(), second.size()); ++i) {
    weights[i] += static_cast<float>(fade->blend) * (second[i] - weights[i]);
  }
  return weights;
}

}  // namespace ck::render
