#pragma once

#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// The value of a track at a time, in double. Step holds the earlier key, Linear lerps (slerps
// rotations along the shorter arc), Cubic evaluates the Hermite spline of glTF 2.0, appendix C.
// Outside the keys the end values hold. The track must not be empty.
glm::dvec3 sampleTrack(const Track<glm::vec3>& track, double seconds);
glm::dquat sampleTrack(const Track<glm::quat>& track, double seconds);
double sampleTrack(const Track<float>& track, double seconds);

// Local transforms of all joints (one per Rig::joints) at `seconds` on the file's timeline. Joints
// and properties without keys have their rest values.
std::vector<Trs> sampleClip(const Rig& rig, const Clip& clip, double seconds);

// As above, into `locals`, which must have one entry per joint. Allocates nothing.
void sampleClip(const Rig& rig, const Clip& clip, double seconds, std::span<Trs> locals);

// Gives every property with a Step track the value that it has at `seconds`. With a time before a
// step this makes the pose that is left there (docs/techniques.md 1.6).
void holdSteps(const Clip& clip, double seconds, std::span<Trs> locals);

// Weights of all morph targets of one mesh, one per target: the default weight, or the clip's where
// it has keys.
std::vector<float> sampleMorphWeights(const Character& character, const Clip& clip, int mesh,
                                      double seconds);

}  // namespace ck
