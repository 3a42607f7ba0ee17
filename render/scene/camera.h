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
  // Whether lines of sight are parallel. Things at the target's depth then have the size that they
  // have in perspective, so the distance is how much is seen.
  bool orthographic = false;
  bool operator==(const Camera&) const = default;
};

// Whether all numbers are finite and the distance is one that a camera can have.
bool isSound(const Camera& camera);

glm::dvec3 eyeOf(const Camera& camera);
// From the target towards the eye; its length is 1.
glm::dvec3 towardsEye(const Camera& camera);
// The height of the view at the target's depth, in metres.
double metersHigh(const Camera& camera);
glm::mat4 viewMatrix(const Camera& camera);
// Near and far planes depend on the distance, and the near one on the height of a low eye; an
// orthographic camera also sees what is behind its eye. aspect = width / height.
glm::mat4 projectionMatrix(const Camera& camera, double aspect);

// Turns about the target. The pitch ends at the poles.
void orbit(Camera& camera, double deltaYaw, double deltaPitch);
// Turns about the eye.
void look(Camera& camera, double deltaYaw, double deltaPitch);
// Moves eye and target by metres to the right, up and forward, as the camera sees them.
void fly(Camera& camera, const glm::dvec3& meters);
// How high above the ground the eye stays, in metres: ground is seen below the horizon from there.
double lowestEye(const Camera& camera);
// Takes back what has brought the eye below lowestEye() since `before`: an orbit ends there,
// whatever the target's height, and a camera that was moved, or zooms towards a target below the
// ground, is lifted. A camera that was below the ground before is free.
void keepAboveGround(Camera& camera, const Camera& before);
// Turns the camera so that it sees its target from this direction (not 0, of any length), lifted
// where only that brings the eye below the ground. From above or below, `yaw` is which way is up.
void lookAlong(Camera& camera, const glm::dvec3& fromTarget, double yaw);
// Between two cameras, `share` from 0 to 1: the shorter way about the vertical axis, and even steps
// of scale. Whether it is orthographic is as in `to`.
Camera between(const Camera& from, const Camera& to, double share);
// Moves the target so that the scene follows the pointer. Pixels, y down.
void pan(Camera& camera, double dx, double dy, double viewportHeightPixels);
void dolly(Camera& camera, double steps);  // one wheel click = 1; > 0 moves towards the target
// Enlarges the target on the screen by this factor (> 0), within the distances that a camera can
// have.
void zoom(Camera& camera, double factor);

std::array<glm::dvec3, 8> cornersOf(const Bounds& box);

// Moves the camera so that it shows the whole box, without changing its direction.
void frameBox(Camera& camera, const Bounds& box, double aspect);

// Moves the camera, without changing its direction, so that all points (at least one) are visible
// with a margin, in the middle of the picture. The target is on the view axis, in the middle of the
// points' depths.
void framePoints(Camera& camera, std::span<const glm::dvec3> points, double aspect);

// A camera at `eye` that looks at `target`.
Camera lookFrom(const glm::dvec3& eye, const glm::dvec3& target);

}  // namespace ck::render
