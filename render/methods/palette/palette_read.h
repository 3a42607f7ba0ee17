#pragma once

#include <string>

#include "core/view/view_settings.h"
#include "render/gl/context.h"
#include "render/gl/shader_library.h"

namespace ck::render {

// How vertex shaders read a palette in this context, and the measured time of both ways; 0 if a way
// was not measured.
struct PaletteReadChoice {
  PaletteRead read = PaletteRead::TextureBuffer;  // never Auto
  double textureMs = 0.0;
  double storageMs = 0.0;
};

// Why palettes cannot be read this way in the current context: one sentence, or empty. If it is
// requested nevertheless, a buffer texture is used.
std::string whyNotRead(PaletteRead read, const ContextFacts& facts);

// Measures both ways, which takes some milliseconds, and chooses the faster one. Chooses the buffer
// texture if the context has no storage buffers in vertex shaders.
PaletteReadChoice measurePaletteRead(const ContextFacts& facts, ShaderLibrary& shaders);

// As above, measured once per process and driver, and logged.
PaletteRead fasterPaletteRead(const ContextFacts& facts, ShaderLibrary& shaders);

}  // namespace ck::render
