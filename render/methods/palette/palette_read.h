#pragma once

#include <string>

#include "core/view/view_settings.h"
#include "render/gl/context.h"
#include "render/gl/shader_library.h"

namespace ck::render {

// Why palettes cannot be read this way in a context: one sentence, or empty. If it is requested
// nevertheless, renderSettingsFor() and PalettePass take a texture.
std::string whyNotRead(PaletteRead read, const ContextFacts& facts);

// How vertex shaders read a palette faster in this context; never Auto. Measured once per process
// and driver, which takes some milliseconds, and logged. It is the buffer texture if the context
// has no storage buffers in vertex shaders.
PaletteRead fasterPaletteRead(const ContextFacts& facts, ShaderLibrary& shaders);

}  // namespace ck::render
