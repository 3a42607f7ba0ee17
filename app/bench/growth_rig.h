#pragma once

#include "core/scene/character.h"

namespace ck::cli {

// The size of a generated character.
struct GrowthShape {
  int joints = 40;
  int vertices = 2000;  // rounded to rings of 8; twice as many triangles; four influences each
  int clips = 4;
  int keys = 31;  // per clip, 30 per second; all joints rotate
};

// Generates a body of five swinging limbs, 1.8 m high. The result is deterministic.
Character growthCharacter(const GrowthShape& shape);

}  // namespace ck::cli
