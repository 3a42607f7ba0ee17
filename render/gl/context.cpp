#include "render/gl/context.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <array>
#include <string_view>

#include "core/base/log.h"

namespace ck::render {
namespace {

// The number of units in shader_library.h. Every OpenGL 3.3 has 48 in all stages together, and 16
// per stage.
constexpr GLuint kSamplerUnits = 29;

std::string glText(GLenum what) {
  const auto* text = reinterpret_cast<const char*>(glGetString(what));
  return text != nullptr ? text : "";
}

bool drawsInSoftware(std::string_view renderer) {
  for (const char* name : {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software"}) {
    if (renderer.find(name) != std::string_view::npos) return true;
  }
  return false;
}

// Checks the extension by name even if the version includes it, because a driver may be told to
// hide it.
bool hasExtension(const char* name) {
  return epoxy_has_gl_extension(name);
}

void GLAPIENTRY hearMessage(GLenum, GLenum type, GLuint, GLenum severity, GLsizei length,
                            const GLchar* text, const void*) {
  const std::string_view message(
      text, length >= 0 ? static_cast<std::size_t>(length) : std::string_view(text).size());
  const std::string line = fmt::format("{}{}", kGlMessagePrefix, message);
  // Drivers report their own habits as slow, such as a program that they compile anew for a state.
  const bool isHint = type == GL_DEBUG_TYPE_PERFORMANCE;
  if (type == GL_DEBUG_TYPE_ERROR) {
    log().error(line);
  } else if (isHint) {
    log().debug(line);
  } else if (severity == GL_DEBUG_SEVERITY_HIGH || severity == GL_DEBUG_SEVERITY_MEDIUM) {
    log().warn(line);
  } else {
    log().debug(line);
  }
}

}  // namespace

Result<ContextFacts> readContextFacts() {
  ContextFacts facts;
  facts.version = glText(GL_VERSION);
  if (facts.version.empty()) {
    return fail(ErrorCode::NoGraphics, "there is no current OpenGL context to draw with");
  }
  facts.renderer = glText(GL_RENDERER);
  if (!epoxy_is_desktop_gl() || epoxy_gl_version() < kOldestGl.major * 10 + kOldestGl.minor) {
    return fail(ErrorCode::NoGraphics,
                fmt::format("drawing needs OpenGL 3.3 or newer, and '{}' offers '{}'; a newer "
                            "graphics driver helps, or LIBGL_ALWAYS_SOFTWARE=1",
                            facts.renderer, facts.version));
  }
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &facts.maxBufferTexels);
  facts.software = drawsInSoftware(facts.renderer);
  facts.compute = epoxy_gl_version() >= 43 && hasExtension("GL_ARB_compute_shader") &&
                  hasExtension("GL_ARB_shader_storage_buffer_object");
  GLint vertexBlocks = 0;
  if (facts.compute) glGetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &vertexBlocks);
  facts.vertexStorage = vertexBlocks > 0;
  facts.multiDrawIndirect = epoxy_gl_version() >= 43 &&
                            hasExtension("GL_ARB_multi_draw_indirect") &&
                            hasExtension("GL_ARB_base_instance");
  return facts;
}

void logGlMessages() {
  if (epoxy_gl_version() < 43 && !epoxy_has_gl_extension("GL_KHR_debug")) return;
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_TRUE);
  glDebugMessageCallback(hearMessage, nullptr);
}

void drainGlErrors() {
  // The loop is bounded, because a lost context returns errors forever.
  for (int i = 0; i < 32; ++i) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) return;
    log().warn("{}error 0x{:04x} was left by an earlier call", kGlMessagePrefix, error);
  }
}

bool outOfGlMemory() {
  bool out = false;
  for (int i = 0; i < 32; ++i) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) return out;
    if (error == GL_OUT_OF_MEMORY) {
      out = true;
    } else {
      log().error("{}error 0x{:04x}", kGlMessagePrefix, error);
    }
  }
  return out;
}

void resetGlState() {
  // Drivers look at what the last program would sample, which may be gone.
  glUseProgram(0);
  for (const GLenum off :
       {GL_SCISSOR_TEST, GL_BLEND, GL_CULL_FACE, GL_STENCIL_TEST, GL_FRAMEBUFFER_SRGB,
        GL_RASTERIZER_DISCARD, GL_PRIMITIVE_RESTART, GL_DEPTH_CLAMP, GL_POLYGON_OFFSET_FILL,
        GL_SAMPLE_ALPHA_TO_COVERAGE, GL_COLOR_LOGIC_OP, GL_SAMPLE_MASK}) {
    glDisable(off);
  }
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
  glDepthRange(0.0, 1.0);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glFrontFace(GL_CCW);
  glCullFace(GL_BACK);
  glBlendEquation(GL_FUNC_ADD);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  for (GLuint unit = 0; unit < kSamplerUnits; ++unit) glBindSampler(unit, 0);
}

}  // namespace ck::render
