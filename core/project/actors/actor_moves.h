#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "core/crowd/actor.h"

namespace ck {

// An actor after it was moved by hand, alone or with others about one pivot. All of them set
// Actor::byHand, and keep positions and sizes within the ranges that fields accept: 100 km from the
// origin, sizes from 0.001 to 1000. Metres in the world.

Actor moved(Actor actor, const glm::dvec3& meters);

// `turn` is a unit quaternion. Position and rotation turn, so the way of an actor that walks turns
// about the pivot with it.
Actor turned(Actor actor, const glm::dvec3& pivot, const glm::dquat& turn);

struct ActorScaling {
  glm::dvec3 places{1.0};  // factors of the distance from the pivot along each of `axes`
  double size = 1.0;       // factor of Actor::scale
  glm::dmat3 axes{1.0};    // unit vectors at right angles
};
Actor scaled(Actor actor, const glm::dvec3& pivot, const ActorScaling& scaling);

}  // namespace ck
