#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// How far from a joint its movement is judged (TECHNIQUES 2.1, 2.2), in the posed model.
inline constexpr double kShellMeters = 0.03;

// Where the movement of the skin joints is judged. One entry per skin joint in each list.
struct Shell {
  std::vector<glm::vec3> pivots;  // as an atlas stores them, in bind space
  // kShellMeters as bind space has it: a rig whose vertices were bound at a hundredth of its size
  // is judged at the same distance as any other.
  std::vector<double> radii;
  std::vector<char> judged;  // does any vertex follow the joint? All true where none follows any
};
Shell makeShell(const Character& character);

// The largest distance between where two skin matrices put the three points `radius` from `pivot`
// along the axes, in metres.
double shellDistance(const glm::dmat4& a, const glm::dmat4& b, const glm::dvec3& pivot,
                     double radius);

// The same for a joint of a shell.
double shellDistance(const Shell& shell, std::size_t joint, const glm::dmat4& a,
                     const glm::dmat4& b);

// The pivots of all skin joints as an atlas stores them.
std::vector<glm::vec3> bakedPivots(const Rig& rig);

}  // namespace ck
