#pragma once

#include <cstdint>
#include <vector>

#include "render/gl/context.h"
#include "render/gl/draw_commands.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// Draws a character mesh by mesh from the index buffer of its vertex array: by one indirect call
// for all meshes that follow one another where the context has that, by a loop of instanced calls
// where it does not.
class SubmeshDraws {
 public:
  SubmeshDraws(const CharacterGpu& character, const ContextFacts& facts);

  // Brings the calls to this number of actors. Fails with LimitExceeded.
  Result<void> update(std::size_t actors);

  // Draws with the vertex array and the program that are bound. `runs`: whole meshes, or none for
  // all of them.
  void draw(std::span<const IndexRun> runs) const;

  // How many calls such a draw takes.
  int calls(std::span<const IndexRun> runs) const;
  std::size_t uploadedBytes() const { return commands_.uploadedBytes(); }  // by the last update()

 private:
  // The commands of each run, in its order.
  std::vector<DrawCommands::Part> partsOf(std::span<const IndexRun> runs) const;

  std::vector<IndexRun> meshes_;  // that have triangles, in the order of the indices
  bool wideIndices_ = false;
  DrawCommands commands_;  // one for each mesh
};

}  // namespace ck::render
