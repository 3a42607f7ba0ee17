#pragma once

#include <glm/glm.hpp>
#include <span>

#include "core/scene/character.h"

namespace ck {

// The view of thumbnail images of poses: orthographic, from the front, slightly turned and tilted.
struct PoseView {
  glm::dvec3 center{0.0};         // model space, shown in the centre of the image
  double halfHeightMeters = 1.0;  // from the centre to the upper edge
};

// A view of the bind pose with a margin for raised arms and long steps.
PoseView poseViewOf(const Character& character);

// Draws the character in a pose (one skin matrix per skin joint), shaded, on a transparent
// background: all of Material but normal maps, metal roughly, what covers in part sorted by
// triangles. A character without meshes is drawn as its bones. `width` and `height` are in 1 ..
// 2048.
Image drawPose(const Character& character, std::span<const glm::dmat4> skinMatrices,
               const PoseView& view, int width, int height);

}  // namespace ck
