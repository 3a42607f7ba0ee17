#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace ck {

// The rotation that Actor::rotationDegrees describes: about y, x and z, as a product in this order.
glm::dquat turnOf(const glm::vec3& degrees);

// Angles for a unit quaternion: x in [-90, 90], y and z in [-180, 180]. At x = 90 or -90 the angles
// about y and z are equivalent; z is then 0.
glm::vec3 degreesOf(const glm::dquat& turn);

}  // namespace ck
