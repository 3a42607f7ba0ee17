#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"

namespace ck::test {

// The pose of an actor: `unit` of a clip, and `blend` of the way to `otherUnit` of another clip.
struct Shown {
  int clip = 0;
  double unit = 0.0;
  int other = -1;
  double otherUnit = 0.0;
  double blend = 0.0;
};

// Ten moments of every clip, its first frame, and fades between neighbouring clips, the end of a
// fade included.
std::vector<Shown> shownMoments(const Atlas& atlas);

// The time at which actorTexels() shows what it is asked for.
inline constexpr float kShownSeconds = 0.75f;

// The two texels per actor of exported shaders (shaders/export/actors.glsl). Every other actor has
// a rate, the others a phase alone; every third plays its clips back, as ping-pong.
std::vector<glm::vec4> actorTexels(const Atlas& atlas, std::span<const Shown> list);

// Skin matrices as the CPU reads them: relative to the parent joint; each joint by itself, where a
// fade blends the matrices.
std::vector<glm::dmat4> relativeMatrices(const Atlas& atlas, const Shown& shown);
std::vector<glm::dmat4> directMatrices(const Atlas& atlas, const Shown& shown);

// The largest difference of an element from the rows of a matrix; huge where one is not finite.
double largestDifference(const glm::dmat4& wanted, const glm::vec4& x, const glm::vec4& y,
                         const glm::vec4& z);

}  // namespace ck::test
