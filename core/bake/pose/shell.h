#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/atlas/error_figures.h"
#include "core/scene/character.h"

namespace ck {

// The points at which the movement of skin joints is measured (docs/techniques.md 3.4). Each list
// has one entry per skin joint.
struct Shell {
  std::vector<glm::vec3> pivots;  // as the atlas stores them, in bind space
  // kShellMeters in bind space. This differs from kShellMeters if the vertices were bound at
  // another scale, e.g. in centimetres.
  std::vector<double> radii;
  // Whether any vertex follows the joint, or something that hangs on it, because it is a socket;
  // all true if no joint has vertices.
  std::vector<char> hasVertices;
};
Shell makeShell(const Character& character);

// The largest distance, in metres, between the images of three points under two skin matrices. The
// points are `radius` from `pivot` along the axes.
double shellDistance(const glm::dmat4& a, const glm::dmat4& b, const glm::dvec3& pivot,
                     double radius);

// As above, for a joint of a shell.
double shellDistance(const Shell& shell, std::size_t joint, const glm::dmat4& a,
                     const glm::dmat4& b);

// The largest of them over all joints with vertices, in millimetres. The poses are skin matrices,
// one per skin joint.
double poseDistanceMm(std::span<const glm::dmat4> a, std::span<const glm::dmat4> b,
                      const Shell& shell);

// The pivots of all skin joints, as the atlas stores them.
std::vector<glm::vec3> bakedPivots(const Rig& rig);

}  // namespace ck
