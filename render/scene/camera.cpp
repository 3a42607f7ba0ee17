#include "render/scene/camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace ck::render {
namespace {

constexpr double kSteepest = glm::half_pi<double>();
constexpr double kNearest = 0.02;
// How low the eye goes above the ground: metres, and as a share of the distance.
constexpr double kLowestEye = 0.02;
constexpr double kLowestShare = 0.0025;
constexpr double kFarthest = 20000.0;
constexpr double kStepFactor = 0.88;  // factor of the distance per wheel click
constexpr double kMargin = 0.94;      // share of the view that a framed box may fill

// Right, up and back (towards the eye) of the camera in the world.
struct Axes {
  glm::dvec3 right;
  glm::dvec3 up;
  glm::dvec3 back;
};

Axes axesOf(const Camera& camera) {
  const double cosPitch = std::cos(camera.pitch);
  Axes axes;
  axes.right = {std::cos(camera.yaw), 0.0, -std::sin(camera.yaw)};
  axes.back = {std::sin(camera.yaw) * cosPitch, std::sin(camera.pitch),
               std::cos(camera.yaw) * cosPitch};
  axes.up = glm::cross(axes.back, axes.right);
  return axes;
}

}  // namespace

std::array<glm::dvec3, 8> cornersOf(const Bounds& box) {
  std::array<glm::dvec3, 8> corners;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    corners[i] = {(i & 1) != 0 ? box.high.x : box.low.x, (i & 2) != 0 ? box.high.y : box.low.y,
                  (i & 4) != 0 ? box.high.z : box.low.z};
  }
  return corners;
}

double lowestEye(const Camera& camera) {
  return std::max(kLowestEye, kLowestShare * camera.distance);
}

bool isSound(const Camera& camera) {
  const double sum = camera.target.x + camera.target.y + camera.target.z + camera.distance +
                     camera.yaw + camera.pitch + camera.fieldOfViewY;
  return std::isfinite(sum) && camera.distance > 0.0;
}

glm::dvec3 eyeOf(const Camera& camera) {
  return camera.target + towardsEye(camera) * camera.distance;
}

glm::dvec3 towardsEye(const Camera& camera) {
  return axesOf(camera).back;
}

double metersHigh(const Camera& camera) {
  return 2.0 * camera.distance * std::tan(camera.fieldOfViewY * 0.5);
}

glm::mat4 viewMatrix(const Camera& camera) {
  return glm::mat4(glm::lookAt(eyeOf(camera), camera.target, axesOf(camera).up));
}

glm::mat4 projectionMatrix(const Camera& camera, double aspect) {
  // The ground below a low eye is nearer than all that is looked at, and begins in front of the
  // near plane even in the corners of a wide view.
  const double height = std::abs(eyeOf(camera).y);
  const double near = std::min(std::max(camera.distance * 0.01, 0.005),
                               std::max(height * 0.5, lowestEye(camera) * 0.5));
  const double far = std::max(camera.distance * 40.0, 400.0);
  if (camera.orthographic) {
    const double high = metersHigh(camera) * 0.5;
    const double wide = high * std::max(aspect, 1e-3);
    return glm::mat4(glm::ortho(-wide, wide, -high, high, camera.distance - far, far));
  }
  return glm::mat4(glm::perspective(camera.fieldOfViewY, std::max(aspect, 1e-3), near, far));
}

void orbit(Camera& camera, double deltaYaw, double deltaPitch) {
  camera.yaw = std::remainder(camera.yaw + deltaYaw, glm::two_pi<double>());
  camera.pitch = std::clamp(camera.pitch + deltaPitch, -kSteepest, kSteepest);
}

void look(Camera& camera, double deltaYaw, double deltaPitch) {
  const glm::dvec3 eye = eyeOf(camera);
  orbit(camera, deltaYaw, deltaPitch);
  camera.target += eye - eyeOf(camera);
}

void fly(Camera& camera, const glm::dvec3& meters) {
  const Axes axes = axesOf(camera);
  camera.target += axes.right * meters.x + axes.up * meters.y - axes.back * meters.z;
}

void keepAboveGround(Camera& camera, const Camera& before) {
  if (eyeOf(camera).y >= lowestEye(camera) || eyeOf(before).y < 0.0) return;
  // A zoom towards a target below the ground would have to turn more and more.
  const bool sinks = camera.distance != before.distance && camera.target.y < lowestEye(camera);
  if (camera.target == before.target && !sinks) {
    const double sine = (lowestEye(camera) - camera.target.y) / camera.distance;
    camera.pitch = std::asin(std::clamp(sine, -1.0, 1.0));
  }
  constexpr double kRounding = 1e-9;
  const double missing = lowestEye(camera) - eyeOf(camera).y;
  if (missing > kRounding) camera.target.y += missing;
}

void lookAlong(Camera& camera, const glm::dvec3& fromTarget, double yaw) {
  constexpr double kUpright = 1e-9;
  const glm::dvec3 back = glm::normalize(fromTarget);
  camera.pitch = std::clamp(std::asin(std::clamp(back.y, -1.0, 1.0)), -kSteepest, kSteepest);
  camera.yaw = std::hypot(back.x, back.z) > kUpright ? std::atan2(back.x, back.z) : yaw;
  // All actors framed from above may have their middle below the ground.
  const double height = eyeOf(camera).y;
  if (back.y < 0.0 || height >= lowestEye(camera)) return;
  camera.target.y += std::max(lowestEye(camera), Camera().target.y) - height;
}

Camera between(const Camera& from, const Camera& to, double share) {
  Camera camera = to;
  camera.target = glm::mix(from.target, to.target, share);
  camera.distance = from.distance * std::pow(to.distance / from.distance, share);
  camera.yaw = from.yaw + std::remainder(to.yaw - from.yaw, glm::two_pi<double>()) * share;
  camera.pitch = glm::mix(from.pitch, to.pitch, share);
  return camera;
}

void pan(Camera& camera, double dx, double dy, double viewportHeightPixels) {
  const double metersPerPixel = metersHigh(camera) / std::max(viewportHeightPixels, 1.0);
  const Axes axes = axesOf(camera);
  camera.target += (axes.up * dy - axes.right * dx) * metersPerPixel;
}

void dolly(Camera& camera, double steps) {
  zoom(camera, std::pow(kStepFactor, -steps));
}

void zoom(Camera& camera, double factor) {
  camera.distance = std::clamp(camera.distance / factor, kNearest, kFarthest);
}

void frameBox(Camera& camera, const Bounds& box, double aspect) {
  camera.target = (box.low + box.high) * 0.5;
  const double slopeY = std::tan(camera.fieldOfViewY * 0.5) * kMargin;
  const double slopeX = slopeY * std::max(aspect, 1e-3);
  const Axes axes = axesOf(camera);
  double distance = 0.0;
  for (const glm::dvec3& corner : cornersOf(box)) {
    const glm::dvec3 offset = corner - camera.target;
    const double across = std::abs(glm::dot(offset, axes.right)) / slopeX;
    const double along = std::abs(glm::dot(offset, axes.up)) / slopeY;
    const double depth = camera.orthographic ? 0.0 : glm::dot(offset, axes.back);
    distance = std::max(distance, depth + std::max(across, along));
  }
  camera.distance = std::clamp(distance, 10.0 * kNearest, kFarthest);
}

namespace {

// Points as one axis of the picture sees them: how far along the axis, and how far before the
// origin. Of many points only the outermost at each depth are kept, which decide what is seen.
class Outermost {
 public:
  Outermost(double farthest, double nearest) : from_(farthest), deep_(nearest - farthest) {
    for (Bin& bin : bins_) bin = {{kNowhere, 0.0}, {-kNowhere, 0.0}};
  }

  void add(double at, double depth) {
    const double share = deep_ > 0.0 ? (depth - from_) / deep_ : 0.0;
    Bin& bin = bins_[static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * (kBins - 1))];
    if (at < bin.low.at) bin.low = {at, depth};
    if (at > bin.high.at) bin.high = {at, depth};
  }

  // Where between `low` and `high` an eye at this depth sees points equally far to both sides.
  double middleFor(double eyeDepth, double low, double high) const {
    constexpr int kHalvings = 40;
    for (int i = 0; i < kHalvings; ++i) {
      const double eye = 0.5 * (low + high);
      double most = -kNowhere;
      double least = kNowhere;
      for (const Bin& bin : bins_) {
        if (bin.low.at > bin.high.at) continue;
        least = std::min(least, (bin.low.at - eye) / before(eyeDepth, bin.low));
        most = std::max(most, (bin.high.at - eye) / before(eyeDepth, bin.high));
      }
      (most + least > 0.0 ? low : high) = eye;
    }
    return 0.5 * (low + high);
  }

 private:
  static constexpr double kNowhere = 1e300;
  static constexpr std::size_t kBins = 256;
  struct Point {
    double at;
    double depth;
  };
  struct Bin {
    Point low;
    Point high;
  };
  static double before(double eyeDepth, const Point& point) {
    return std::max(eyeDepth - point.depth, 1e-9);
  }

  double from_;
  double deep_;
  std::array<Bin, kBins> bins_;
};

}  // namespace

// A point at `right` and `depth` behind the target is within the view of an eye at (x, z) where
// |right - x| <= slope * (z + depth): the eye must lie behind two planes across, and two along.
void framePoints(Camera& camera, std::span<const glm::dvec3> points, double aspect) {
  constexpr double kFilled = 0.9;      // of the view
  constexpr double kClearance = 0.02;  // of the distance: how far points stay before the eye
  const Axes axes = axesOf(camera);
  const double slopeY = std::tan(camera.fieldOfViewY * 0.5) * kFilled;
  const glm::dvec2 slope(slopeY * std::max(aspect, 1e-3), slopeY);
  constexpr double kFar = 1e300;
  glm::dvec2 low(kFar);
  glm::dvec2 high(-kFar);
  double nearest = -kFar;
  double farthest = kFar;
  for (const glm::dvec3& point : points) {
    const glm::dvec2 at(glm::dot(point, axes.right), glm::dot(point, axes.up));
    const double back = glm::dot(point, axes.back);
    const glm::dvec2 opening = camera.orthographic ? glm::dvec2(0.0) : slope * back;
    low = glm::min(low, at - opening);
    high = glm::max(high, at + opening);
    nearest = std::max(nearest, back);
    farthest = std::min(farthest, back);
  }
  glm::dvec2 eye = (low + high) * 0.5;
  const glm::dvec2 needed = (high - low) / (2.0 * slope);
  const double middle = (nearest + farthest) * 0.5;
  const double clear = (nearest - kClearance * middle) / (1.0 - kClearance);
  const double back = camera.orthographic ? middle + std::max(needed.x, needed.y)
                                          : std::max({needed.x, needed.y, clear});
  // Along one axis of the picture there is room left, of which each side gets half.
  for (int axis = 0; axis < 2 && !camera.orthographic; ++axis) {
    Outermost outermost(farthest, nearest);
    for (const glm::dvec3& point : points) {
      outermost.add(glm::dot(point, axis == 0 ? axes.right : axes.up), glm::dot(point, axes.back));
    }
    eye[axis] =
        outermost.middleFor(back, high[axis] - slope[axis] * back, low[axis] + slope[axis] * back);
  }
  camera.target = axes.right * eye.x + axes.up * eye.y + axes.back * middle;
  camera.distance = std::clamp(back - middle, 10.0 * kNearest, kFarthest);
}

Camera lookFrom(const glm::dvec3& eye, const glm::dvec3& target) {
  Camera camera;
  camera.target = target;
  const glm::dvec3 back = eye - target;
  const double distance = glm::length(back);
  camera.distance = std::clamp(distance, kNearest, kFarthest);
  if (distance > 0.0) {
    camera.yaw = std::atan2(back.x, back.z);
    camera.pitch =
        std::clamp(std::asin(std::clamp(back.y / distance, -1.0, 1.0)), -kSteepest, kSteepest);
  }
  return camera;
}

}  // namespace ck::render
