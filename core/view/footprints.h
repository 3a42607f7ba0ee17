#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/scene/character.h"

namespace ck {

// The mean and covariance of a body's joints: a Gaussian that casts the soft shadow on the ground.
// A Gaussian stays one under rotation, scaling and projection, so one record per frame serves any
// light and any actor (docs/techniques.md 4.7). Model space, metres. Three texels:
//   0: mean x, y, z; w: height of the lowest joint
//   1: covariance xx, yy, zz; w: height of the highest joint
//   2: covariance xy, xz, yz; w: distance of the farthest joint from the vertical axis
struct Footprint {
  glm::vec4 meanLow{0.0f};
  glm::vec4 diagonal{0.0f};
  glm::vec4 offDiagonal{0.0f};
};

// One per frame of the atlas.
std::vector<Footprint> atlasFootprints(const Atlas& atlas);

// One record of the rest pose, for a character without an atlas.
std::vector<Footprint> restFootprint(const Character& character);

// The record of all vertices of a static object (restShape()).
Footprint shapeFootprint(const Character& shape);

}  // namespace ck
