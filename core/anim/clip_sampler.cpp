#include "core/anim/clip_sampler.h"

#include <algorithm>

#include "core/base/assert.h"

namespace ck {
namespace {

glm::dvec3 between(const glm::dvec3& a, const glm::dvec3& b, double t) {
  return a + (b - a) * t;
}
double between(double a, double b, double t) {
  return a + (b - a) * t;
}
glm::dquat between(const glm::dquat& a, const glm::dquat& b, double t) {
  return slerpShortest(glm::normalize(a), glm::normalize(b), t);
}

// `Wide` is Value in double.
template <class Wide, class Value>
Wide sampleAny(const Track<Value>& track, double seconds) {
  CK_ASSERT(!track.empty());
  const bool cubic = track.interpolation == Interpolation::Cubic;
  const auto value = [&](std::size_t key) { return Wide(track.values[cubic ? 3 * key + 1 : key]); };
  const auto after = std::upper_bound(track.times.begin(), track.times.end(), seconds);
  if (after == track.times.begin()) return value(0);
  const std::size_t k0 = static_cast<std::size_t>(after - track.times.begin()) - 1;
  if (after == track.times.end() || track.interpolation == Interpolation::Step) return value(k0);

  const std::size_t k1 = k0 + 1;
  const double step = track.times[k1] - track.times[k0];
  const double t = (seconds - track.times[k0]) / step;
  if (!cubic) return between(value(k0), value(k1), t);
  const double t2 = t * t;
  const double t3 = t2 * t;
  const Wide outTangent(track.values[3 * k0 + 2]);
  const Wide inTangent(track.values[3 * k1]);
  return value(k0) * (2.0 * t3 - 3.0 * t2 + 1.0) + outTangent * (step * (t3 - 2.0 * t2 + t)) +
         value(k1) * (3.0 * t2 - 2.0 * t3) + inTangent * (step * (t3 - t2));
}

}  // namespace

glm::dvec3 sampleTrack(const Track<glm::vec3>& track, double seconds) {
  return sampleAny<glm::dvec3>(track, seconds);
}

glm::dquat sampleTrack(const Track<glm::quat>& track, double seconds) {
  const glm::dquat q = sampleAny<glm::dquat>(track, seconds);
  const double length = glm::length(q);
  return length > 1e-30 ? q / length : glm::dquat(1.0, 0.0, 0.0, 0.0);
}

double sampleTrack(const Track<float>& track, double seconds) {
  return sampleAny<double>(track, seconds);
}

void sampleClip(const Rig& rig, const Clip& clip, double seconds, std::span<Trs> locals) {
  CK_ASSERT(locals.size() == rig.joints.size());
  for (std::size_t joint = 0; joint < locals.size(); ++joint)
    locals[joint] = rig.joints[joint].rest;
  for (const JointTracks& tracks : clip.jointTracks) {
    Trs& local = locals[static_cast<std::size_t>(tracks.joint)];
    if (!tracks.translation.empty()) local.translation = sampleTrack(tracks.translation, seconds);
    if (!tracks.rotation.empty()) local.rotation = sampleTrack(tracks.rotation, seconds);
    if (!tracks.scale.empty()) local.scale = sampleTrack(tracks.scale, seconds);
  }
}

std::vector<Trs> sampleClip(const Rig& rig, const Clip& clip, double seconds) {
  std::vector<Trs> locals(rig.joints.size());
  sampleClip(rig, clip, seconds, locals);
  return locals;
}

void holdSteps(const Clip& clip, double seconds, std::span<Trs> locals) {
  const auto steps = [](const auto& track) {
    return !track.empty() && track.interpolation == Interpolation::Step;
  };
  for (const JointTracks& tracks : clip.jointTracks) {
    Trs& local = locals[static_cast<std::size_t>(tracks.joint)];
    if (steps(tracks.translation)) local.translation = sampleTrack(tracks.translation, seconds);
    if (steps(tracks.rotation)) local.rotation = sampleTrack(tracks.rotation, seconds);
    if (steps(tracks.scale)) local.scale = sampleTrack(tracks.scale, seconds);
  }
}

std::vector<float> sampleMorphWeights(const Character& character, const Clip& clip, int mesh,
                                      double seconds) {
  std::vector<float> weights = character.meshes[static_cast<std::size_t>(mesh)].defaultMorphWeights;
  for (const MorphTrack& track : clip.morphTracks) {
    if (track.mesh != mesh || track.weight.empty()) continue;
    weights[static_cast<std::size_t>(track.target)] =
        static_cast<float>(sampleTrack(track.weight, seconds));
  }
  return weights;
}

}  // namespace ck
