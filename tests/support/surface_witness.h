#pragma once

#include "core/scene/character.h"

namespace ck::test {

// How far the vertices of `whole` get from the triangles of the same mesh of `level`, in metres:
// every vertex that a triangle uses against every triangle, in double, by the reference skinning
// with four influences. At `moments` moments of every clip of `whole`, which lie between the ends
// of equal parts.
double farthestFrom(const Character& level, const Character& whole, int moments);

}  // namespace ck::test
