#pragma once

#include <array>
#include <glm/glm.hpp>
#include <span>

#include "core/scene/character.h"

namespace ck::render {

// A camera that orbits a target. At yaw 0 it looks along -Z, from +Z; a pitch > 0 looks down.
// Metres and radians.
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
// Near and far planes depend on the distance. aspect = width / height.
glm::mat4 projectionMatrix(const Camera& camera, double aspect);

// The pitch stays away from the poles.
void orbit(Camera& camera, double deltaYaw, double deltaPitch);
// Moves the target so that the scene follows the pointer. Pixels, y down.
void pan(Camera& camera, double dx, double dy, double viewportHeightPixels);
void dolly(Camera& camera, double steps);  // one wheel click = 1; > 0 moves towards the target

std::array<glm::dvec3, 8> cornersOf(const Bounds& box);

// Moves the camera so that it shows the whole box, without changing its direction.
void frameBox(Camera& camera, const Bounds& box, double aspect);

// Moves the camera, without changing its direction, so that all points (at least one) are visible
// with a margin. The target is on the view axis, in the middle of the points' depths.
void framePoints(Camera& camera, std::span<const glm::dvec3> points, double aspect);

// A camera at `eye` that looks at `target`.
Camera lookFrom(const glm::dvec3& eye, const glm::dvec3& target);

}  // namespace ck::render
