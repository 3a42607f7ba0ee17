#pragma once

#include <string>

#include "core/view/view_settings.h"
#include "render/gl/context.h"
#include "render/gl/shader_library.h"

namespace ck::render {

// What a vertex shader reads a palette through, in this context, and how long a small palette took
// to be read by many vertices each way; 0 where it was not tried.
struct PaletteReadChoice {
  PaletteRead read = PaletteRead::TextureBuffer;  // never Auto
  double textureMs = 0.0;
  double storageMs = 0.0;
};

// Why a palette cannot be read so in the current context: one sentence, or empty. What is asked for
// all the same is read through a texture buffer.
std::string whyNotRead(PaletteRead read, const ContextFacts& facts);

// Measures both ways, some milliseconds, and takes the faster one. Where the context has no storage
// buffers, or its vertex shaders may not read them, that is the texture buffer.
PaletteReadChoice measurePaletteRead(const ContextFacts& facts, ShaderLibrary& shaders);

// The same, measured once in a process for every driver, and told in the log.
PaletteRead fasterPaletteRead(const ContextFacts& facts, ShaderLibrary& shaders);

}  // namespace ck::render
