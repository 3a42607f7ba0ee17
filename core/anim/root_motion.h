#pragma once

#include <glm/glm.hpp>

namespace ck {

// Where the way of a clip has come to at a moment, relative to its first moment: model space,
// metres; the turn about the vertical axis in radians, from +Z towards +X.
struct RootPlace {
  glm::vec3 position{0.0f};
  float yaw = 0.0f;
  bool operator==(const RootPlace&) const = default;
};

}  // namespace ck
