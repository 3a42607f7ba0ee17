#include "render/far/guard_band.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>

namespace ck::render {
namespace {

// Whatever would be larger is near enough to be a mesh.
constexpr float kLargestUseful = 256.0f;

}  // namespace

float largestPoint() {
  GLfloat range[2] = {1.0f, 1.0f};
  glGetFloatv(GL_POINT_SIZE_RANGE, range);
  return std::min(range[1], kLargestUseful);
}

GuardBand::GuardBand(int width, int height)
    : width_(width),
      height_(height),
      band_(static_cast<int>(std::ceil(0.5f * largestPoint())) + 1),
      scissors_(glIsEnabled(GL_SCISSOR_TEST) == GL_TRUE) {
  glGetIntegerv(GL_VIEWPORT, viewport_);
  if (!scissors_) {
    glGetIntegerv(GL_SCISSOR_BOX, box_);
    glScissor(viewport_[0], viewport_[1], width, height);
    glEnable(GL_SCISSOR_TEST);
  }
  glViewport(viewport_[0] - band_, viewport_[1] - band_, width + 2 * band_, height + 2 * band_);
}

GuardBand::~GuardBand() {
  glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
  if (scissors_) return;
  glDisable(GL_SCISSOR_TEST);
  glScissor(box_[0], box_[1], box_[2], box_[3]);
}

glm::vec4 GuardBand::screen() const {
  return {viewport_[0], viewport_[1], width_, height_};
}

void GuardBand::set(const Program& program) const {
  const glm::vec2 size(width_, height_);
  program.set("ckScreen", screen());
  program.set("ckGuard", size / (size + 2.0f * static_cast<float>(band_)));
  program.set("ckLargestPoint", largestPoint());
}

}  // namespace ck::render
