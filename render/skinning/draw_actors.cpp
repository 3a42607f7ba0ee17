#include "render/skinning/draw_actors.h"

#include <epoxy/gl.h>

#include <cstddef>

namespace ck::render {
namespace {

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

void attachVertices(CharacterGpu& character) {
  constexpr GLsizei kStride = sizeof(GpuVertex);
  glBindBuffer(GL_ARRAY_BUFFER, character.vertices.name());
  for (GLuint attribute = 0; attribute < 6; ++attribute) glEnableVertexAttribArray(attribute);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(GpuVertex, position)));
  glVertexAttribPointer(1, 4, GL_SHORT, GL_TRUE, kStride, offset(offsetof(GpuVertex, normal)));
  glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(GpuVertex, uv)));
  glVertexAttribIPointer(3, 4, GL_UNSIGNED_SHORT, kStride, offset(offsetof(GpuVertex, skinJoints)));
  glVertexAttribPointer(4, 4, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(GpuVertex, weights)));
  glVertexAttribIPointer(5, 1, GL_UNSIGNED_INT, kStride, offset(offsetof(GpuVertex, material)));
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void bindPictures(const CharacterGpu& character) {
  glActiveTexture(GL_TEXTURE0 + unit::kPictures);
  glBindTexture(GL_TEXTURE_2D_ARRAY, character.pictures.texture.name());
  character.materials.bind(unit::kMaterials);
}

void feedBack(const CharacterGpu& character, GLsizei actorCount, unsigned buffer) {
  glEnable(GL_RASTERIZER_DISCARD);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArraysInstanced(GL_POINTS, 0, static_cast<GLsizei>(character.vertexCount()), actorCount);
  glEndTransformFeedback();
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  glDisable(GL_RASTERIZER_DISCARD);
}

const char* passNumber(DrawPass::Kind kind) {
  switch (kind) {
    case DrawPass::Kind::Color:
      return "0";
    case DrawPass::Kind::ActorIds:
      return "1";
    case DrawPass::Kind::Positions:
      return "2";
  }
  return "0";
}

const char* passFragment(DrawPass::Kind kind) {
  switch (kind) {
    case DrawPass::Kind::Color:
      return "crowd/lit.frag";
    case DrawPass::Kind::ActorIds:
      return "crowd/ids.frag";
    case DrawPass::Kind::Positions:
      return "";
  }
  return "";
}

}  // namespace

ProgramRequest requestFor(const ShaderVariant& variant) {
  const auto flag = [](bool on) { return std::string(on ? "1" : "0"); };
  ProgramRequest request;
  request.vertex = "crowd/actor.vert";
  request.fragment = passFragment(variant.pass);
  request.defines = {{"CK_PASS", passNumber(variant.pass)},
                     {"CK_UPLOADED", flag(variant.uploaded)},
                     {"CK_ERROR", flag(variant.error)}};
  if (!variant.uploaded) {
    request.defines.push_back({"CK_INFLUENCES", std::to_string(variant.influences)});
    request.defines.push_back({"CK_INTERPOLATE", flag(variant.interpolate)});
    request.defines.push_back({"CK_RANGE_PER_CLIP", flag(variant.rangePerClip)});
  }
  if (variant.pass == DrawPass::Kind::Positions) request.feedback = {"vWorld"};
  return request;
}

GlHandle makeActorVertexArray(CharacterGpu& character, ActorStream& actors) {
  GlHandle vertexArray = GlHandle::generate(GlKind::VertexArray);
  glBindVertexArray(vertexArray.name());
  attachVertices(character);
  actors.attach();
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, character.indices.name());
  glBindVertexArray(0);
  return vertexArray;
}

void drawActors(const Program& program, const GlHandle& vertexArray, const CharacterGpu& character,
                const ActorStream& actors, const DrawPass& pass) {
  if (actors.size() == 0) return;
  setLook(program, pass.look);
  const GLsizei count = static_cast<GLsizei>(actors.size());
  glBindVertexArray(vertexArray.name());
  if (pass.kind == DrawPass::Kind::Positions) {
    feedBack(character, count, pass.feedbackBuffer);
  } else {
    if (pass.kind == DrawPass::Kind::Color) bindPictures(character);
    if (character.welded.frontsOnly && !actors.anyMirrored()) glEnable(GL_CULL_FACE);
    glDrawElementsInstanced(GL_TRIANGLES, static_cast<GLsizei>(character.indexCount()),
                            character.wideIndices ? GL_UNSIGNED_INT : GL_UNSIGNED_SHORT, nullptr,
                            count);
    glDisable(GL_CULL_FACE);
  }
  glBindVertexArray(0);
}

}  // namespace ck::render
