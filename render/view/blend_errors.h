#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/scene/character.h"

namespace ck::render {

// How far vertices are from where they belong, in millimetres in the world.
struct BlendFigures {
  double worstMm = 0.0;
  double meanMm = 0.0;
};

// What the two ways to blend clips of an atlas cost at this moment, against the file's own clips
// blended in the joints' own spaces.
struct BlendErrors {
  BlendFigures relative;  // each joint as its parent sees it: methods palette and live
  BlendFigures world;     // the places of vertices: methods atlas and matrix
};

// The first of `wanted`, visible actors, that shows two clips now; else the first of the crowd.
std::optional<std::size_t> fadingActor(const Crowd& crowd, std::span<const std::uint32_t> wanted);

// Of a visible actor, over all vertices, at rest in their morph targets, by as many influences as
// the atlas was baked for. In double on the CPU, some milliseconds.
BlendErrors blendErrors(const Character& character, const Atlas& atlas, const Crowd& crowd,
                        std::size_t actor);

}  // namespace ck::render
