#include "tests/support/gl_feedback.h"

#include <epoxy/gl.h>

#include <cstddef>

#include "render/gl/buffer.h"
#include "render/gl/framebuffer.h"
#include "render/gl/shader_library.h"

namespace ck::test {
namespace {

constexpr const char* kDeclarations = R"(#version 330 core
layout(location = 0) in ivec4 aA;
layout(location = 1) in ivec4 aB;
layout(location = 2) in ivec4 aC;
layout(location = 3) in vec4 aD;
layout(location = 4) in vec4 aE;
flat out ivec4 vWhole;
out vec4 vReal;
)";

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

void attachInputs(render::Buffer& buffer) {
  constexpr GLsizei kStride = sizeof(FeedbackInput);
  glBindBuffer(GL_ARRAY_BUFFER, buffer.name());
  for (GLuint i = 0; i < 5; ++i) {
    glEnableVertexAttribArray(i);
    if (i < 3) {
      glVertexAttribIPointer(i, 4, GL_INT, kStride, offset(i * 16));
    } else {
      glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, kStride, offset(i * 16));
    }
  }
}

}  // namespace

Result<std::vector<FeedbackOutput>> runOnGpu(const std::string& body,
                                             std::span<const FeedbackInput> inputs) {
  const render::ShaderLoad embedded = render::embeddedShaders();
  render::ShaderLibrary library([&](std::string_view path) -> std::optional<std::string> {
    return path == "test.vert" ? kDeclarations + body : embedded(path);
  });
  auto program = library.program({"test.vert", "", {}, {"vWhole", "vReal"}});
  if (!program) return tl::unexpected(program.error());
  auto target = render::Target::make(1, 1, render::TargetFormat::Rgba8);
  if (!target) return tl::unexpected(target.error());
  render::Buffer in;
  render::Buffer out;
  auto stored = in.upload(std::as_bytes(inputs), render::BufferUse::Static, "the inputs");
  if (!stored) return tl::unexpected(stored.error());
  std::vector<FeedbackOutput> outputs(inputs.size());
  auto room = out.allocate(outputs.size() * sizeof(FeedbackOutput), "the outputs");
  if (!room) return tl::unexpected(room.error());
  const render::GlHandle vertexArray = render::GlHandle::generate(render::GlKind::VertexArray);
  glBindVertexArray(vertexArray.name());
  attachInputs(in);
  (*program)->use();
  glEnable(GL_RASTERIZER_DISCARD);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, out.name());
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(inputs.size()));
  glEndTransformFeedback();
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  glDisable(GL_RASTERIZER_DISCARD);
  glBindVertexArray(0);
  out.read(std::as_writable_bytes(std::span(outputs)));
  return outputs;
}

void disturbGlState() {
  for (const GLenum on : {GL_BLEND, GL_CULL_FACE, GL_SCISSOR_TEST, GL_POLYGON_OFFSET_FILL,
                          GL_DEPTH_CLAMP, GL_FRAMEBUFFER_SRGB}) {
    glEnable(on);
  }
  glScissor(0, 0, 1, 1);
  glCullFace(GL_FRONT_AND_BACK);
  glFrontFace(GL_CW);
  glDisable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_FALSE);
  glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_FALSE);
  glPixelStorei(GL_PACK_ALIGNMENT, 8);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
  glActiveTexture(GL_TEXTURE5);
}

}  // namespace ck::test
