#pragma once

#include <functional>

#include "core/base/result.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// Where the vertices of one character's actors were in the tick before: what the motion view
// compares with. They are what that tick has drawn, fed back, so that a motion is right across
// seams and changes of clips in every method.
class MotionVectors {
 public:
  // Keeps the positions that `draw` writes for DrawPass::Kind::Positions, of so many vertices.
  // Fails with LimitExceeded where they do not fit, or as `draw` does.
  Result<void> keep(std::size_t vertices, const std::function<Result<void>(const DrawPass&)>& draw);

  // Texels that DrawPass::previous points to; kept for this many vertices.
  const BufferTexture& positions() const { return positions_; }
  std::size_t vertices() const { return vertices_; }  // 0: nothing is kept; 1 for none, too

 private:
  BufferTexture positions_{TexelKind::R32F};
  std::size_t vertices_ = 0;
};

}  // namespace ck::render
