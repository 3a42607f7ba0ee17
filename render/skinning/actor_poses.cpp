#include "render/skinning/actor_poses.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/atlas/pose_reading.h"
#include "core/base/assert.h"

namespace ck::render {
namespace {

// Skinning is linear in the matrices, so blending matrices blends vertices.
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
    : character_(character),
      atlas_(atlas),
      crowd_(crowd),
      look_(look),
      sources_(character, atlas, crowd) {
  if (!crowd.morphNames().empty()) morphs_ = morphSetOf(character);
}

std::optional<CrowdFade> ActorPoses::fadeOf(std::size_t actor) const {
  return look_.fades ? crowd_.fadeOf(actor) : std::nullopt;
}

// Empty if there is none.
std::vector<float> ActorPoses::maskOf(std::size_t actor) const {
  const int mask = look_.masks ? crowd_.maskOf(actor) : -1;
  if (mask < 0) return {};
  return maskWeights(character_.rig, crowd_.masks()[static_cast<std::size_t>(mask)]);
}

// The moment that is drawn instead of `unit` (docs/techniques.md 4.8).
double ActorPoses::filtered(int atlasClip, double unit) const {
  if (!look_.filters) return unit;
  constexpr double kParts = 256.0;  // of the way from one stored frame to the next
  const FrameGrid grid = frameGridOf(atlas_->clips[static_cast<std::size_t>(atlasClip)]);
  const FrameGap gap = gapAt(unit, grid);
  const double alpha = std::round(framesAt(unit, grid).alpha * kParts) / kParts;
  return (gap.moment + alpha * gap.moments) / (momentCount(grid) - 1);
}

std::vector<JointPose> ActorPoses::bakedAt(int clip, double unit) const {
  CK_ASSERT(atlas_ != nullptr);
  const int atlasClip = crowd_.clips()[static_cast<std::size_t>(clip)].atlasClip;
  if (atlasClip < 0) return storedFrame(*atlas_, 0, 0);
  return posesAt(*atlas_, atlasClip, filtered(atlasClip, unit), look_.reading, look_.interpolate);
}

std::vector<glm::dmat4> ActorPoses::bakedMatricesAt(int clip, double unit) const {
  const int atlasClip = crowd_.clips()[static_cast<std::size_t>(clip)].atlasClip;
  if (!look_.mixes || !look_.interpolate || atlasClip < 0) {
    return skinMatricesOf(*atlas_, bakedAt(clip, unit));
  }
  const FramePair pair = framesAt(atlas_->clips[static_cast<std::size_t>(atlasClip)], unit);
  return mixed(skinMatricesOf(*atlas_, storedFrame(*atlas_, atlasClip, pair.frame0)),
               skinMatricesOf(*atlas_, storedFrame(*atlas_, atlasClip, pair.frame1)), pair.alpha);
}

std::vector<glm::dmat4> ActorPoses::baked(std::size_t actor) const {
  const int clip = crowd_.clipOf(actor);
  const double unit = crowd_.unitOf(actor);
  const auto fade = fadeOf(actor);
  if (!fade) return bakedMatricesAt(clip, unit);
  if (look_.reading == Reading::Direct) {
    return mixed(bakedMatricesAt(clip, unit), bakedMatricesAt(fade->clip, fade->unit), fade->blend);
  }
  return skinMatricesOf(
      *atlas_, posesBlended(atlas_->joints, bakedAt(clip, unit), bakedAt(fade->clip, fade->unit),
                            static_cast<float>(fade->blend)));
}

std::vector<glm::dmat4> ActorPoses::source(std::size_t actor) const {
  const Rig& rig = character_.rig;
  const auto matricesOf = [&rig](const std::vector<Trs>& locals) {
    return skinMatrices(rig, globalMatrices(rig, locals));
  };
  std::vector<Trs> locals =
      localsAt(rig, sources_.momentOf(crowd_.clipOf(actor), crowd_.unitOf(actor)));
  const auto fade = fadeOf(actor);
  if (!fade) return matricesOf(locals);
  const std::vector<Trs> second = localsAt(rig, sources_.momentOf(fade->clip, fade->unit));
  if (look_.reading == Reading::Direct) {
    return mixed(matricesOf(locals), matricesOf(second), fade->blend);
  }
  fadeLocals(locals, second, fade->blend, maskOf(actor));
  return matricesOf(locals);
}

std::vector<float> ActorPoses::sourceMorphWeights(std::size_t actor, int mesh) const {
  const Mesh& shape = character_.meshes[static_cast<std::size_t>(mesh)];
  const auto weightsAt = [&](int clip, double unit) {
    const SourceMoment moment = sources_.momentOf(clip, unit);
    if (moment.clip == nullptr || shape.morphTargets.empty()) return shape.defaultMorphWeights;
    std::vector<float> there = sampleMorphWeights(character_, *moment.clip, mesh, moment.seconds);
    if (moment.closing <= 0.0) return there;
    // In the closing step the pose moves from the last key to the first, as in the bake.
    const std::vector<float> first =
        sampleMorphWeights(character_, *moment.clip, mesh, moment.clip->startSeconds);
    for (std::size_t i = 0; i < std::min(there.size(), first.size()); ++i) {
      there[i] += static_cast<float>(moment.closing) * (first[i] - there[i]);
    }
    return there;
  };
  std::vector<float> weights = weightsAt(crowd_.clipOf(actor), crowd_.unitOf(actor));
  if (const auto fade = fadeOf(actor)) {
    const std::vector<float> second = weightsAt(fade->clip, fade->unit);
    for (std::size_t i = 0; i < std::min(weights.size(), second.size()); ++i) {
      weights[i] += static_cast<float>(fade->blend) * (second[i] - weights[i]);
    }
  }
  for (const CrowdMorph& own : crowd_.morphsOf(actor)) {
    const std::string& name = crowd_.morphNames()[static_cast<std::size_t>(own.name)];
    for (const int morph : morphsNamed(morphs_, name)) {
      for (const MorphMember& member : morphs_[static_cast<std::size_t>(morph)].members) {
        if (member.mesh == mesh) weights[static_cast<std::size_t>(member.target)] = own.weight;
      }
    }
  }
  return weights;
}

}  // namespace ck::render
