#pragma once

#include "render/scene/welded_character.h"

namespace ck::render {

// Properties of a bind-pose surface that decide where its light may be computed (docs/techniques.md
// 4.6).
struct SurfaceMeasures {
  // In metres: 90 % of the surface consists of triangles with no longer edge.
  float edgeMeters = 0.0f;
  // The sine of the angle between a vertex normal and the normal of one of its triangles; 1 for
  // angles of 90 degrees and more. medianTurn is the median over all corners, largestTurn the 98th
  // percentile.
  float medianTurn = 0.0f;
  float largestTurn = 0.0f;
};

// All 0 without triangles. Sorts all triangles, which takes time on large meshes.
SurfaceMeasures measureSurface(const WeldedCharacter& welded);

}  // namespace ck::render
