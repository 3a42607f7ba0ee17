#pragma once

namespace ck::render {

// While it lives, triangles are drawn as their edges, a little in front of their surfaces, and
// blend premultiplied colours without writing depth.
class EdgeMode {
 public:
  EdgeMode();
  ~EdgeMode();
  EdgeMode(const EdgeMode&) = delete;
  EdgeMode& operator=(const EdgeMode&) = delete;
};

}  // namespace ck::render
