#pragma once

#include <glm/glm.hpp>

#include "render/gl/program.h"

namespace ck::render {

// While it lives, the viewport is larger than the image on all sides and the image's edges are
// scissors, so that points whose centres lie outside are seen: OpenGL leaves out points by their
// centres. `width` and `height` are those of the image, which begins at the viewport's corner. A
// scissor box that is on stays as it is. Viewport and scissors are then as before.
class GuardBand {
 public:
  GuardBand(int width, int height);
  ~GuardBand();
  GuardBand(const GuardBand&) = delete;
  GuardBand& operator=(const GuardBand&) = delete;

  // Sets the uniforms of shaders/far/guard.glsl. The program must be in use.
  void set(const Program& program) const;

  // The image: lower left corner, width, height, pixels.
  glm::vec4 screen() const;

 private:
  int width_;
  int height_;
  int band_ = 0;
  bool scissors_ = false;
  int viewport_[4] = {};
  int box_[4] = {};
};

// The largest side of a point that is drawn, pixels.
float largestPoint();

}  // namespace ck::render
