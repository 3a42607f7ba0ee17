#include "core/project/actors/actor_moves.h"

#include <cmath>
#include <glm/gtc/constants.hpp>

namespace ck {
namespace {

constexpr double kFarthestPlace = 1e5;
constexpr double kSmallest = 0.001;
constexpr double kLargest = 1000.0;

void put(Actor& actor, const glm::dvec3& place) {
  actor.position = glm::vec3(glm::clamp(place, -kFarthestPlace, kFarthestPlace));
  actor.byHand = true;
}

}  // namespace

Actor moved(Actor actor, const glm::dvec3& meters) {
  put(actor, glm::dvec3(actor.position) + meters);
  return actor;
}

Actor turned(Actor actor, const glm::dvec3& pivot, const glm::dquat& turn) {
  put(actor, pivot + turn * (glm::dvec3(actor.position) - pivot));
  constexpr double kTilt = 1e-9;
  if (std::hypot(turn.x, turn.z) < kTilt) {
    // The rotation about Y is the outermost: added to it, the other angles stay to the digit.
    const double degrees = glm::degrees(2.0 * std::atan2(turn.y, turn.w));
    actor.rotationDegrees.y =
        static_cast<float>(std::remainder(double(actor.rotationDegrees.y) + degrees, 360.0));
  } else {
    actor.rotationDegrees = degreesOf(glm::normalize(turn * turnOf(actor.rotationDegrees)));
  }
  return actor;
}

Actor scaled(Actor actor, const glm::dvec3& pivot, const ActorScaling& scaling) {
  const glm::dvec3 along = glm::transpose(scaling.axes) * (glm::dvec3(actor.position) - pivot);
  put(actor, pivot + scaling.axes * (along * scaling.places));
  actor.scale =
      static_cast<float>(glm::clamp(double(actor.scale) * scaling.size, kSmallest, kLargest));
  return actor;
}

}  // namespace ck
