#pragma once

#include <functional>

#include "core/base/result.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// The vertex positions of one character's actors in the previous tick, written by transform
// feedback. The motion view compares with them, so motion is correct across seams and changes of
// clips, in every method.
class MotionVectors {
 public:
  // Stores the positions of `vertices` vertices that `draw` writes for DrawPass::Kind::Positions.
  // Fails with LimitExceeded if they do not fit, or as `draw` does.
  Result<void> keep(std::size_t vertices, const std::function<Result<void>(const DrawPass&)>& draw);

  // The texture for DrawPass::previous.
  const BufferTexture& positions() const { return positions_; }
  // 0: nothing is stored; 1 also for no vertices.
  std::size_t vertices() const { return vertices_; }

 private:
  BufferTexture positions_{TexelKind::R32F};
  std::size_t vertices_ = 0;
};

}  // namespace ck::render
