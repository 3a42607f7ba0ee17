#pragma once

#include "core/scene/character.h"

namespace ck::cli {

// How large a character made in code is.
struct GrowthShape {
  int joints = 40;
  int vertices = 2000;  // in whole rings of 8; twice as many triangles, four influences each
  int clips = 4;
  int keys = 31;  // of every clip, 30 a second, all joints turning
};

// A body of five limbs that swing, 1.8 m high. The same numbers always.
Character growthCharacter(const GrowthShape& shape);

}  // namespace ck::cli
