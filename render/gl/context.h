#pragma once

#include <compare>
#include <string>

#include "core/base/result.h"

namespace ck::render {

// The OpenGL versions to request, core profile, best first. The renderer supports each of them, and
// nothing older than the last.
struct GlVersion {
  int major = 0;
  int minor = 0;
  // clang-tidy 14 takes the zero that comparisons are compared with for a pointer.
  auto operator<=>(const GlVersion&) const = default;  // NOLINT(modernize-use-nullptr)
};
inline constexpr GlVersion kGlVersions[] = {{4, 5}, {4, 1}, {3, 3}};
inline constexpr GlVersion kOldestGl = {3, 3};

// Properties of the context, for the status bar, JSON and the log.
struct ContextFacts {
  std::string renderer = {};  // "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string version = {};   // "4.5 (Core Profile) Mesa 22.3.6"
  int maxBufferTexels = 0;    // GL_MAX_TEXTURE_BUFFER_SIZE
  bool software = false;
  // Compute shaders and storage buffers are available: OpenGL 4.3, and not hidden by the driver.
  bool compute = false;
  // Vertex shaders can read storage buffers. A driver with compute shaders may still allow none.
  bool vertexStorage = false;
  // Multi-draw indirect with first instances is available: OpenGL 4.3.
  bool multiDrawIndirect = false;
};

// Reads the properties of the current context. Fails with NoGraphics if there is no context or its
// version is below OpenGL 3.3, the minimum of this renderer.
Result<ContextFacts> readContextFacts();

// Sends the messages of the current debug context to the log, synchronously: errors at Error, high
// and medium severity at Warning, others and hints about speed at Debug. Each line starts with
// kGlMessagePrefix. Does nothing if the context has no KHR_debug.
void logGlMessages();
inline constexpr const char* kGlMessagePrefix = "OpenGL: ";

// Clears the error flags of earlier calls, so that outOfGlMemory() reports on later calls only.
void drainGlErrors();
// Whether a call since drainGlErrors() ran out of memory. Other errors are logged.
bool outOfGlMemory();

// Sets all state that drawing depends on to known values, whatever the caller left.
void resetGlState();

}  // namespace ck::render
