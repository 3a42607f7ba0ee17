#pragma once

#include "render/view/character_renderer.h"

namespace ck::render {

// Whether software OpenGL should compute the light of these actors at their vertices instead of at
// every pixel: the image must hardly change, and it must be faster (docs/techniques.md 4.6).
// `pixelsAtMeter` is the number of pixels per metre at a distance of one metre.
bool lightPaysAtVertices(const CharacterRenderer& characterRenderer, const SceneLook& look,
                         double pixelsAtMeter, int width, int height);

}  // namespace ck::render
