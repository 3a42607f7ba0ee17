#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace ck {

// The turn that Actor::rotationDegrees means: about y, x and z, as a product in this order.
glm::dquat turnOf(const glm::vec3& degrees);

// Angles that mean this turn, of length 1: x in [-90, 90], y and z in [-180, 180]. Where x is 90 or
// -90 the other two are one, and it is y.
glm::vec3 degreesOf(const glm::dquat& turn);

}  // namespace ck
