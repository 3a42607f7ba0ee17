#include "render/skinning/draw_actors.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cstddef>

#include "render/morph/morph_stage.h"

namespace ck::render {
namespace {

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

constexpr GLuint kTangentAttribute = 11;  // the location in crowd/tangent.glsl

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
  if (character.hasTangents()) {
    glBindBuffer(GL_ARRAY_BUFFER, character.tangents.name());
    glEnableVertexAttribArray(kTangentAttribute);
    glVertexAttribIPointer(kTangentAttribute, 1, GL_UNSIGNED_INT, 0, nullptr);
  }
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void bindPictures(const CharacterGpu& character) {
  glActiveTexture(GL_TEXTURE0 + unit::kPictures);
  glBindTexture(GL_TEXTURE_2D_ARRAY, character.pictures.texture.name());
  character.materials.bind(unit::kMaterials);
  if (!character.hasNormalMaps()) return;
  glActiveTexture(GL_TEXTURE0 + unit::kNormalMaps);
  glBindTexture(GL_TEXTURE_2D_ARRAY, character.normalMaps.texture.name());
  character.normalMaterials.bind(unit::kNormalMaterials);
}

bool feedsBack(const DrawPass& pass) {
  return pass.kind == DrawPass::Kind::Positions ||
         ((pass.kind == DrawPass::Kind::Motion || pass.kind == DrawPass::Kind::Tangents) &&
          pass.feedbackBuffer != 0);
}

bool paintsMaterials(DrawPass::Kind kind) {
  return kind == DrawPass::Kind::Color || kind == DrawPass::Kind::ShadedColor;
}

// Whether all back faces can be culled.
bool isCulled(const CharacterGpu& character, const ActorStream& actors) {
  return character.welded.frontsOnly && !actors.anyMirrored();
}

void startPass(const CharacterGpu& character, const ActorStream& actors, const DrawPass& pass) {
  if (feedsBack(pass)) {
    glEnable(GL_RASTERIZER_DISCARD);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, pass.feedbackBuffer);
    glBeginTransformFeedback(GL_POINTS);
    return;
  }
  if (paintsMaterials(pass.kind)) bindPictures(character);
  if (pass.vertexStageOnly) glEnable(GL_RASTERIZER_DISCARD);
  if (isCulled(character, actors)) glEnable(GL_CULL_FACE);
}

// Sets uniforms that all methods share, and binds the resources of the pass.
void beginPass(const Program& program, const GlHandle& vertexArray, const CharacterGpu& character,
               const ActorStream& actors, const DrawPass& pass) {
  setLook(program, pass.look);
  if (pass.morphs != nullptr) pass.morphs->bind(program);
  if (pass.kind == DrawPass::Kind::Motion) {
    program.set("ckMotionVertices", static_cast<int>(character.vertexCount()));
    program.set("ckCameraStep", pass.cameraStep);
    if (pass.previous != nullptr) pass.previous->bind(unit::kPrevious);
  }
  if (pass.kind == DrawPass::Kind::ActorIds) {
    program.set("ckFirstId", static_cast<int>(pass.firstId));
  }
  if (pass.litBefore) {
    const bool culled = isCulled(character, actors);
    program.set("ckSeenAbove", culled ? -1.0f : -character.surface().largestTurn);
  }
  glBindVertexArray(vertexArray.name());
  startPass(character, actors, pass);
}

// The index runs that a pass draws.
std::vector<IndexRun> shownRuns(const CharacterGpu& character, const DrawPass& pass) {
  if (!pass.runs.empty()) return {pass.runs.begin(), pass.runs.end()};
  return {{0, static_cast<std::uint32_t>(character.indexCount())}};
}

void drawInstances(const CharacterGpu& character, const DrawPass& pass, GLsizei count) {
  if (feedsBack(pass)) {
    glDrawArraysInstanced(GL_POINTS, 0, static_cast<GLsizei>(character.vertexCount()), count);
    return;
  }
  const std::size_t indexBytes = character.wideIndices ? 4 : 2;
  for (const IndexRun& run : shownRuns(character, pass)) {
    glDrawElementsInstanced(GL_TRIANGLES, static_cast<GLsizei>(run.count),
                            character.wideIndices ? GL_UNSIGNED_INT : GL_UNSIGNED_SHORT,
                            offset(run.first * indexBytes), count);
  }
}

// One command per run of actors and run of indices.
std::vector<DrawCommand> commandsOf(std::span<const IndexRun> shown,
                                    std::span<const ActorRun> actors) {
  std::vector<DrawCommand> all;
  for (const ActorRun& run : actors) {
    for (const IndexRun& indices : shown) {
      all.push_back({indices.count, static_cast<std::uint32_t>(run.count), indices.first, 0,
                     static_cast<std::uint32_t>(run.first)});
    }
  }
  return all;
}

// For transform feedback: attributes start at the first actor.
void drawRunAlone(const RunDrawing& drawing, const DrawPass& pass, const ActorRun& run) {
  if (run.first > 0) drawing.input.actors.attach(run.first);
  drawInstances(drawing.input.character, pass, static_cast<GLsizei>(run.count));
  if (run.first > 0) drawing.input.actors.attach(0);
}

void endPass(const DrawPass& pass) {
  if (feedsBack(pass)) {
    glEndTransformFeedback();
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  }
  glDisable(GL_RASTERIZER_DISCARD);
  glDisable(GL_CULL_FACE);
}

}  // namespace

Result<void> readyFaces(const SkinningTick& tick) {
  return tick.morphs != nullptr ? tick.morphs->makeRows() : Result<void>();
}

GlHandle makeActorVertexArray(CharacterGpu& character, ActorStream* actors) {
  GlHandle vertexArray = GlHandle::generate(GlKind::VertexArray);
  glBindVertexArray(vertexArray.name());
  attachVertices(character);
  if (actors != nullptr) actors->attach();
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, character.indices.name());
  glBindVertexArray(0);
  return vertexArray;
}

GlHandle makePackedVertexArray(CharacterGpu& character, ActorStream& actors, Buffer& influences) {
  GlHandle vertexArray = makeActorVertexArray(character, &actors);
  glBindVertexArray(vertexArray.name());
  glBindBuffer(GL_ARRAY_BUFFER, influences.name());
  glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, sizeof(glm::vec4), nullptr);
  glDisableVertexAttribArray(4);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindVertexArray(0);
  return vertexArray;
}

void drawActors(const Program& program, const GlHandle& vertexArray, const CharacterGpu& character,
                const ActorStream& actors, const DrawPass& pass) {
  drawActorBatches(program, vertexArray, character, actors, pass, actors.size(), {});
}

void drawActorsBy(const Program& program, const GlHandle& vertexArray,
                  const CharacterGpu& character, const ActorStream& actors, const DrawPass& pass,
                  const std::function<void()>& triangles) {
  if (actors.size() == 0) return;
  beginPass(program, vertexArray, character, actors, pass);
  if (feedsBack(pass)) {
    drawInstances(character, pass, static_cast<GLsizei>(actors.size()));
  } else {
    triangles();
  }
  endPass(pass);
  glBindVertexArray(0);
}

void drawActorBatches(const Program& program, const GlHandle& vertexArray,
                      const CharacterGpu& character, const ActorStream& actors,
                      const DrawPass& pass, std::size_t batch,
                      const std::function<void(std::size_t first)>& before) {
  if (actors.size() == 0) return;
  beginPass(program, vertexArray, character, actors, pass);
  for (std::size_t first = 0; first < actors.size(); first += batch) {
    if (before) before(first);
    drawInstances(character, pass, static_cast<GLsizei>(std::min(batch, actors.size() - first)));
  }
  endPass(pass);
  glBindVertexArray(0);
}

Result<void> drawActorRuns(const Program& program, const RunDrawing& drawing, const DrawPass& pass,
                           std::span<const ActorRun> runs,
                           const std::function<void(std::size_t run)>& before) {
  if (runs.empty()) return {};
  const CharacterGpu& character = drawing.input.character;
  const std::vector<IndexRun> shown = shownRuns(character, pass);
  if (auto stored = drawing.commands.set(commandsOf(shown, runs)); !stored) return stored;
  beginPass(program, drawing.vertexArray, character, drawing.input.actors, pass);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    before(run);
    if (feedsBack(pass)) {
      drawRunAlone(drawing, pass, runs[run]);
    } else {
      drawing.commands.submit(
          {run * shown.size(), shown.size(), character.wideIndices},
          [&drawing](std::size_t first) { drawing.input.actors.attach(first); });
    }
  }
  endPass(pass);
  glBindVertexArray(0);
  return {};
}

}  // namespace ck::render
