#pragma once

#include <functional>

#include "render/gl/draw_commands.h"
#include "render/skinning/actor_program.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// Prepares the morphs of a tick for drawing. Fails like MorphStage::makeRows().
Result<void> readyFaces(const SkinningTick& tick);

// The vertex array of a character for a stream of actors, or, if `actors` is null, for actors in a
// uniform block.
GlHandle makeActorVertexArray(CharacterGpu& character, ActorStream* actors);

// As above, for packed influences: `influences` has a vec4 per vertex.
GlHandle makePackedVertexArray(CharacterGpu& character, ActorStream& actors, Buffer& influences);

// Draws all actors in one call with `program`, which must be in use with its own uniforms set.
void drawActors(const Program& program, const GlHandle& vertexArray, const CharacterGpu& character,
                const ActorStream& actors, const DrawPass& pass);

// As above, but calls `triangles` to draw the triangles.
void drawActorsBy(const Program& program, const GlHandle& vertexArray,
                  const CharacterGpu& character, const ActorStream& actors, const DrawPass& pass,
                  const std::function<void()>& triangles);

// As above, in calls of at most `batch` actors. `before` gets the first actor of each call.
void drawActorBatches(const Program& program, const GlHandle& vertexArray,
                      const CharacterGpu& character, const ActorStream& actors,
                      const DrawPass& pass, std::size_t batch,
                      const std::function<void(std::size_t first)>& before);

// Consecutive actors of a stream.
struct ActorRun {
  std::size_t first = 0;
  std::size_t count = 0;
};

// The resources of drawActorRuns(). `commands` is the list that it submits.
struct RunDrawing {
  const SkinnerInput& input;
  const GlHandle& vertexArray;
  DrawCommands& commands;
};

// Draws each run with `program`, which must be in use. `before` gets each run's index.
Result<void> drawActorRuns(const Program& program, const RunDrawing& drawing, const DrawPass& pass,
                           std::span<const ActorRun> runs,
                           const std::function<void(std::size_t run)>& before);

}  // namespace ck::render
