#pragma once

#include <functional>

#include "render/gl/draw_commands.h"
#include "render/skinning/atlas_decode.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// Where the vertex shader takes poses from.
enum class ShaderPose {
  Atlas,
  Uploaded,  // positions from the CPU
  Book,      // the write-up's formulation
  Palette,   // matrices that are ready
  Skinned,   // vertices that were skinned before
  Pool,      // matrices of every frame
  Still,     // the bind pose at the actor's place, for benches
  Placed,    // the bind pose where the record says: things that do not move
};

// How the pixels of an actor get their colour.
struct SurfaceShading {
  bool pictures = false;   // some material has a picture
  bool tintMasks = false;  // some picture says where tints apply
  bool litBefore = false;  // light is made at the vertices
};
// As `pass` wants it of `character`.
SurfaceShading shadingOf(const CharacterGpu& character, const DrawPass& pass);

// One program per value and pass.
struct ShaderVariant {
  ShaderPose pose = ShaderPose::Atlas;
  ActorRecord record = ActorRecord::Full;
  int influences = 4;  // 1, 2 or 4; of the methods atlas, palette and pool
  // Of the methods palette and prepass:
  bool foldWorld = false;       // matrices lead to the world, or vertices lie there
  bool shared = false;          // actors share skinned vertices
  bool paletteTargets = false;  // matrices lie in three textures, not in a buffer
  bool paletteStorage = false;  // a buffer is read as such, not through a texture
  // Of the method live:
  bool packedInfluences = false;  // joint and weight in one attribute
  // Of the methods atlas and pool:
  Sampling sampling = Sampling::Interpolated;
  bool blend = false;  // two clips
  // Only the method atlas reads these:
  bool nextInB = false;  // frame B of the record is the one to mix with
  AtlasDecode decode = {};
  int bookJoints = 0;  // the book's shader has them as the length of an array
  // Bind vertices come from a MorphStage, which DrawPass::morphs then is; never with Uploaded and
  // Skinned, whose vertices have been morphed already.
  bool morphs = false;
  bool tangents = false;  // showsTangents()
  bool error = false;     // paint the distance to the source
  DrawPass::Kind pass = DrawPass::Kind::Color;
  SurfaceShading shading = {};  // of the passes that paint materials
};
// Whether a pass shows tangents and the character has any: the tick must have said so, too.
bool showsTangents(const DrawPass& pass, const CharacterGpu& character);

ProgramRequest requestFor(const ShaderVariant& variant);

// Gets ready the faces of a tick that is to be drawn with ShaderVariant::morphs. Fails as
// MorphStage::makeRows() does.
Result<void> readyFaces(const SkinningTick& tick);

// Actors in one uniform block, as many as the write-up draws at once.
inline constexpr int kBookBatch = 80;

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
