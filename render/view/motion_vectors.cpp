#include "render/view/motion_vectors.h"

#include <algorithm>

namespace ck::render {

Result<void> MotionVectors::keep(std::size_t vertices,
                                 const std::function<Result<void>(const DrawPass&)>& draw) {
  const std::size_t bytes = std::max<std::size_t>(vertices, 1) * sizeof(glm::vec3);
  vertices_ = 0;
  if (positions_.sizeBytes() != bytes) {
    auto room = positions_.allocate(bytes, "the positions that the motion view compares with");
    if (!room) return room;
  }
  DrawPass pass;
  pass.kind = DrawPass::Kind::Positions;
  pass.feedbackBuffer = positions_.name();
  if (auto drawn = draw(pass); !drawn) return drawn;
  vertices_ = std::max<std::size_t>(vertices, 1);
  return {};
}

}  // namespace ck::render
