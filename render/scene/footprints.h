#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/scene/character.h"

namespace ck::render {

// Where a body is, roughly, as a cloud of joints with mean and spread: what the soft shadow on the
// ground is cast by. A Gaussian cloud stays one under turning, scaling and projecting, so that one
// record per frame serves any light and any actor. Three texels:
//   0: mean x, y, z; w: height of the lowest joint
//   1: covariance xx, yy, zz; w: height of the highest joint
//   2: covariance xy, xz, yz; w: way of the farthest joint from the vertical axis
// (model space, metres)
struct Footprint {
  glm::vec4 meanLow{0.0f};
  glm::vec4 diagonal{0.0f};
  glm::vec4 offDiagonal{0.0f};
};

// One per frame of the atlas.
std::vector<Footprint> atlasFootprints(const Atlas& atlas);

// One, of the joints at rest: for a character without an atlas.
std::vector<Footprint> restFootprint(const Character& character);

// Of all vertices of a thing that does not move (restShape).
Footprint shapeFootprint(const Character& shape);

}  // namespace ck::render
