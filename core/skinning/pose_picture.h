#pragma once

#include <glm/glm.hpp>
#include <span>

#include "core/scene/character.h"

namespace ck {

// From where small pictures of poses are taken: without perspective, from the front, turned and
// tilted a little.
struct PoseView {
  glm::dvec3 center{0.0};         // model space, the middle of the picture
  double halfHeightMeters = 1.0;  // from the middle to the upper edge
};

// A view that holds the character as it is bound, with room for raised arms and long steps.
PoseView poseViewOf(const Character& character);

// The character in a pose (one skin matrix per skin joint), shaded, on a transparent ground. A
// character without meshes is drawn as its bones. width and height in 1 .. 2048.
Picture drawPose(const Character& character, std::span<const glm::dmat4> skinMatrices,
                 const PoseView& view, int width, int height);

}  // namespace ck
