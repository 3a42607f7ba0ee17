#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/scene/character.h"

namespace ck::render {

// Distances of vertices from their reference positions, in millimetres in the world.
struct BlendFigures {
  double worstMm = 0.0;
  double meanMm = 0.0;
};

// The current errors of both ways to blend clips of an atlas, measured against the file's clips
// blended in local space.
struct BlendErrors {
  BlendFigures relative;  // each joint relative to its parent: methods palette and live
  BlendFigures world;     // vertex positions: methods atlas and matrix
};

// The first of the visible actors `wanted` that shows two clips now, else the first in the crowd.
std::optional<std::size_t> fadingActor(const Crowd& crowd, std::span<const std::uint32_t> wanted);

// Measures a visible actor over all vertices, with default morph weights and the atlas's number of
// influences. Runs in double on the CPU, some milliseconds.
BlendErrors blendErrors(const Character& character, const Atlas& atlas, const Crowd& crowd,
                        std::size_t actor);

}  // namespace ck::render
