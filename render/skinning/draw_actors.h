#pragma once

#include <functional>

#include "render/gl/draw_commands.h"
#include "render/skinning/actor_program.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// Gets ready the faces of a tick that is to be drawn with its morphs. Fails as
// MorphStage::makeRows() does.
Result<void> readyFaces(const SkinningTick& tick);

// The vertex array of one character drawn for a stream of actors; without `actors`, for those of a
// uniform block.
GlHandle makeActorVertexArray(CharacterGpu& character, ActorStream* actors);

// The same for vertices whose influences are packed: `influences` has a vec4 each.
GlHandle makePackedVertexArray(CharacterGpu& character, ActorStream& actors, Buffer& influences);

// Draws all actors in one call with `program`, which is in use and has its own uniforms set.
void drawActors(const Program& program, const GlHandle& vertexArray, const CharacterGpu& character,
                const ActorStream& actors, const DrawPass& pass);

// The same with `triangles` in place of the one call, where triangles are to be drawn.
void drawActorsBy(const Program& program, const GlHandle& vertexArray,
                  const CharacterGpu& character, const ActorStream& actors, const DrawPass& pass,
                  const std::function<void()>& triangles);

// The same in calls of at most `batch` actors; `before` is told the first of each.
void drawActorBatches(const Program& program, const GlHandle& vertexArray,
                      const CharacterGpu& character, const ActorStream& actors,
                      const DrawPass& pass, std::size_t batch,
                      const std::function<void(std::size_t first)>& before);

// Some of a stream's actors, one after another.
struct ActorRun {
  std::size_t first = 0;
  std::size_t count = 0;
};

// What drawActorRuns() draws with. `commands` is the list that it submits.
struct RunDrawing {
  const SkinnerInput& input;
  const GlHandle& vertexArray;
  DrawCommands& commands;
};

// Draws run by run with `program`, which is in use; `before` is told each run's number.
Result<void> drawActorRuns(const Program& program, const RunDrawing& drawing, const DrawPass& pass,
                           std::span<const ActorRun> runs,
                           const std::function<void(std::size_t run)>& before);

}  // namespace ck::render
