#pragma once

#include <cstdint>
#include <vector>

#include "render/gl/context.h"
#include "render/gl/draw_commands.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// Draws a character mesh by mesh from the index buffer of its vertex array: by one indirect call
// per run of consecutive meshes if the context supports it, otherwise by a loop of instanced calls.
class SubmeshDraws {
 public:
  SubmeshDraws(const CharacterGpu& character, const ContextFacts& facts);

  // Sets the number of actors. Fails with LimitExceeded.
  Result<void> update(std::size_t actors);

  // Draws with the bound vertex array and program. `runs` contains whole meshes; empty draws all.
  void draw(std::span<const IndexRun> runs) const;

  // The number of calls of such a draw.
  int calls(std::span<const IndexRun> runs) const;
  std::size_t uploadedBytes() const { return commands_.uploadedBytes(); }  // by the last update()

 private:
  // The commands of each run, in order.
  std::vector<DrawCommands::Part> partsOf(std::span<const IndexRun> runs) const;

  std::vector<IndexRun> meshes_;  // meshes with triangles, in index order
  bool wideIndices_ = false;
  DrawCommands commands_;  // one per mesh
};

}  // namespace ck::render
