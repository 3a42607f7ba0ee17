#include "core/view/footprints.h"

#include <algorithm>
#include <cmath>

#include "core/anim/pose.h"
#include "core/atlas/pose_reading.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

// Joints have no volume, so this is added to the variance (square metres, for a body of 1.8 m).
constexpr float kFlesh = 0.004f;

Footprint footprintOf(const std::vector<glm::vec3>& points) {
  Footprint result;
  if (points.empty()) return result;
  glm::vec3 sum(0.0f);
  float low = points[0].y;
  float high = points[0].y;
  float side = 0.0f;
  for (const glm::vec3& point : points) {
    sum += point;
    low = std::min(low, point.y);
    high = std::max(high, point.y);
    side = std::max(side, std::hypot(point.x, point.z));
  }
  const float count = static_cast<float>(points.size());
  const glm::vec3 mean = sum / count;
  glm::vec3 diagonal(0.0f);
  glm::vec3 mixed(0.0f);
  for (const glm::vec3& point : points) {
    const glm::vec3 d = point - mean;
    diagonal += d * d;
    mixed += glm::vec3(d.x * d.y, d.x * d.z, d.y * d.z);
  }
  const float size = std::max(high - low, 1e-3f) / 1.8f;
  result.meanLow = glm::vec4(mean, low);
  result.diagonal = glm::vec4(diagonal / count + kFlesh * size * size, high);
  result.offDiagonal = glm::vec4(mixed / count, side);
  return result;
}

}  // namespace

std::vector<Footprint> atlasFootprints(const Atlas& atlas) {
  const std::vector<int> clipOf = clipOfFrames(atlas);
  std::vector<Footprint> footprints(clipOf.size());
  parallelFor(footprints.size(), {}, [&](std::size_t frame) {
    std::vector<glm::vec3> points;
    points.reserve(atlas.joints.size());
    const int clip = clipOf[frame];
    const int first = atlas.clips[static_cast<std::size_t>(clip)].firstFrame;
    for (const JointPose& pose : storedFrame(atlas, clip, static_cast<int>(frame) - first)) {
      points.push_back(pose.position);
    }
    footprints[frame] = footprintOf(points);
  });
  return footprints;
}

std::vector<Footprint> restFootprint(const Character& character) {
  const std::vector<glm::dmat4> globals = restMatrices(character.rig);
  std::vector<glm::vec3> points;
  for (const SkinJoint& skinJoint : character.rig.skinJoints) {
    points.emplace_back(glm::dvec3(globals[static_cast<std::size_t>(skinJoint.joint)][3]));
  }
  return {footprintOf(points)};
}

Footprint shapeFootprint(const Character& shape) {
  std::vector<glm::vec3> points;
  for (const Mesh& mesh : shape.meshes) {
    points.insert(points.end(), mesh.positions.begin(), mesh.positions.end());
  }
  return footprintOf(points);
}

}  // namespace ck
