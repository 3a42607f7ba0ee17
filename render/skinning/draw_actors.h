#pragma once

#include "render/skinning/skinner.h"

namespace ck::render {

// Where the vertex shader takes poses from, and how; one program per value and pass.
struct ShaderVariant {
  bool uploaded = false;  // positions from the CPU; the next three do not matter then
  int influences = 4;     // 1, 2 or 4
  bool interpolate = true;
  bool rangePerClip = false;
  bool error = false;  // paint the distance to the source
  DrawPass::Kind pass = DrawPass::Kind::Color;
};
ProgramRequest requestFor(const ShaderVariant& variant);

// The vertex array of one character drawn for a stream of actors.
GlHandle makeActorVertexArray(CharacterGpu& character, ActorStream& actors);

// Draws all actors in one call with `program`, which is in use and has its own uniforms set.
void drawActors(const Program& program, const GlHandle& vertexArray, const CharacterGpu& character,
                const ActorStream& actors, const DrawPass& pass);

}  // namespace ck::render
