#pragma once

#include <glm/glm.hpp>
#include <span>

#include "core/scene/character.h"

namespace ck::render {

// A camera that looks at a target from a distance; yaw 0 looks along -Z (from +Z), pitch > 0 looks
// down. Plain values; metres and radians.
struct Camera {
  glm::dvec3 target{0.0, 0.9, 0.0};
  double distance = 6.0;
  double yaw = 0.6;
  double pitch = 0.35;
  double fieldOfViewY = 0.7;  // radians
  bool operator==(const Camera&) const = default;
};

glm::dvec3 eyeOf(const Camera& camera);
glm::mat4 viewMatrix(const Camera& camera);
// Near and far follow the distance. aspect = width / height.
glm::mat4 projectionMatrix(const Camera& camera, double aspect);

void orbit(Camera& camera, double deltaYaw, double deltaPitch);  // pitch is kept off the poles
// Moves the target so that what is under the pointer follows it; pixels, y down.
void pan(Camera& camera, double dx, double dy, double viewportHeightPixels);
void dolly(Camera& camera, double steps);  // one wheel click = 1; towards for > 0

// Looks at the whole box from the same direction.
void frameBox(Camera& camera, const Bounds& box, double aspect);

// Looks at all of these points, at least one, from the same direction, from as near as leaves a
// margin around them. The target is on the axis of the picture, in the middle of their depths.
void framePoints(Camera& camera, std::span<const glm::dvec3> points, double aspect);

// A camera at `eye` that looks at `target`.
Camera lookFrom(const glm::dvec3& eye, const glm::dvec3& target);

}  // namespace ck::render
