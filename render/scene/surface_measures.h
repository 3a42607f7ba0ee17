#pragma once

#include "render/scene/welded_character.h"

namespace ck::render {

// What of a surface decides where the light on it may be made, in the bind pose.
struct SurfaceMeasures {
  // Metres: nine tenths of the surface have triangles whose edges are no longer.
  float edgeMeters = 0.0f;
  // The sine of the angle between a vertex's normal and that of a triangle of it, 1 from a right
  // angle on: what half of all corners stay below, and all but one in fifty.
  float medianTurn = 0.0f;
  float largestTurn = 0.0f;
};

// All 0 without triangles. Sorts them by their edges, which takes time where there are many.
SurfaceMeasures measureSurface(const WeldedCharacter& welded);

}  // namespace ck::render
