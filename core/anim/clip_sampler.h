#pragma once

#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// The value of a track at a time, as the file's interpolation says, in double: Step holds, Linear
// lerps (slerps rotations along the shorter arc), Cubic is the Hermite spline of glTF 2.0 appendix
// C. Outside the keys the end values hold. The track must not be empty.
glm::dvec3 sampleTrack(const Track<glm::vec3>& track, double seconds);
glm::dquat sampleTrack(const Track<glm::quat>& track, double seconds);
double sampleTrack(const Track<float>& track, double seconds);

// Local transforms of all joints (one per Rig::joints) at `seconds` of the file's timeline; joints
// and parts that the clip does not key stay at rest.
std::vector<Trs> sampleClip(const Rig& rig, const Clip& clip, double seconds);

// The same into `locals`, which must have one entry per joint; allocates nothing.
void sampleClip(const Rig& rig, const Clip& clip, double seconds, std::span<Trs> locals);

// Weights of all morph targets of one mesh: default weights, replaced where the clip keys them.
std::vector<float> sampleMorphWeights(const Character& character, const Clip& clip, int mesh,
                                      double seconds);

}  // namespace ck
