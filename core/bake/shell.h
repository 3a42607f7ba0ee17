#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// How far from a joint its movement is judged (TECHNIQUES 2.1, 2.2).
inline constexpr double kShellMeters = 0.03;

// The largest distance between where two skin matrices put the three points kShellMeters from
// `pivot` along the axes, in metres.
double shellDistance(const glm::dmat4& a, const glm::dmat4& b, const glm::dvec3& pivot);

// One entry per skin joint: does any vertex follow it? All true where no vertex follows any.
std::vector<char> judgedJoints(const Character& character);

// The pivots of all skin joints as an atlas stores them.
std::vector<glm::vec3> bakedPivots(const Rig& rig);

}  // namespace ck
