#pragma once

#include <string>

#include "core/base/result.h"

namespace ck::render {

// What the context is and can do; for the status bar, JSON and the log.
struct ContextFacts {
  std::string renderer;  // "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string version;   // "4.5 (Core Profile) Mesa 22.3.6"
  int maxTextureSize = 0;
  int maxBufferTexels = 0;  // of a texture that reads a buffer
  bool software = false;
  // Compute shaders and storage buffers: OpenGL 4.3, not hidden by the driver.
  bool compute = false;
  // Draws whose commands lie in a buffer, each with its own first instance: OpenGL 4.3.
  bool multiDrawIndirect = false;
};

// Looks at the current context. Fails with NoGraphics where there is none or it is older than
// OpenGL 3.3, which has every call that this renderer makes.
Result<ContextFacts> readContextFacts();

// Sends the messages of the current debug context to the log, at once and from the same thread:
// errors at Error, high and medium severity at Warning, the rest at Debug; each line starts with
// kGlMessagePrefix. Does nothing where the context has no KHR_debug.
void logGlMessages();
inline constexpr const char* kGlMessagePrefix = "OpenGL: ";

// Forgets the errors of earlier calls, so that the next question is about the calls in between.
void drainGlErrors();
// Whether a call since then ran out of memory; other errors are logged.
bool outOfGlMemory();

// Brings every state that drawing depends on into a known form, whatever the caller left.
void resetGlState();

}  // namespace ck::render
