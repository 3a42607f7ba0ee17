#pragma once

#include "render/view/character_renderer.h"

namespace ck::render {

// Whether software OpenGL should make the light on these actors at their vertices instead of at
// every pixel: where the picture hardly changes by it, and where it pays, as far as can be told
// from the box of the actors alone. `pixelsAtMeter` is how many pixels a metre takes up a metre
// away.
bool lightPaysAtVertices(const CharacterRenderer& characterRenderer, const SceneLook& look,
                         double pixelsAtMeter, int width, int height);

}  // namespace ck::render
