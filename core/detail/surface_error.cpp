#include "core/detail/surface_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/assert.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

// A tie is only a bound, so a place will do that is as near as this share of a triangle's size.
constexpr float kCloseEnough = 0.1f;
// Points that one thread ties in a row.
constexpr std::size_t kRun = 512;

std::vector<std::uint32_t> pointsOfCorners(const PointSet& points,
                                           std::span<const std::uint32_t> corners) {
  std::vector<std::uint32_t> result;
  result.reserve(corners.size());
  for (const std::uint32_t corner : corners) result.push_back(points.pointOf[corner]);
  return result;
}

}  // namespace

SurfaceError::SurfaceError(const PointSet& points, const Surface& whole, const Surface& level,
                           const JobContext& job) {
  for (std::uint32_t mesh = 0; mesh + 1 < whole.starts.size(); ++mesh) {
    tieMesh(points, mesh, whole, level, job);
  }
}

void SurfaceError::tieMesh(const PointSet& points, std::uint32_t mesh, const Surface& whole,
                           const Surface& level, const JobContext& job) {
  const std::vector<std::uint32_t> corners = pointsOfCorners(points, level.ofMesh(mesh));
  const SurfaceTree& tree = trees_.emplace_back(points.positions, corners);
  std::vector<std::uint32_t> ofMesh = pointsOfCorners(points, whole.ofMesh(mesh));
  CK_ASSERT(ofMesh.empty() || !corners.empty());
  std::sort(ofMesh.begin(), ofMesh.end());
  ofMesh.erase(std::unique(ofMesh.begin(), ofMesh.end()), ofMesh.end());
  std::vector<char> isKept(ofMesh.empty() ? 0 : std::size_t{ofMesh.back()} + 1);
  for (const std::uint32_t corner : corners) isKept[corner] = 1;
  const std::size_t first = ties_.size();
  for (const std::uint32_t point : ofMesh) {
    ties_.push_back({point, mesh, {point, point, point}, {1.0f, 0.0f, 0.0f}});
  }
  const std::span<Tie> ties = std::span(ties_).subspan(first);
  parallelFor((ties.size() + kRun - 1) / kRun, job, [&](std::size_t run) {
    const std::size_t from = run * kRun;
    const std::uint32_t* found = corners.data();
    for (Tie& tie : ties.subspan(from, std::min(kRun, ties.size() - from))) {
      if (isKept[tie.point] != 0) continue;
      // Points in a row are mostly neighbours, so the last triangle is a bound that skips many.
      found = nearestTriangle(tree, points, corners, found, tie);
    }
  });
}

// Ties a point, given a corner that may be near it. Returns the first corner of its triangle.
const std::uint32_t* SurfaceError::nearestTriangle(const SurfaceTree& tree, const PointSet& points,
                                                   std::span<const std::uint32_t> corners,
                                                   const std::uint32_t* hint, Tie& tie) {
  const float close =
      tree.squaredSize() / static_cast<float>(corners.size() / 3) * kCloseEnough * kCloseEnough;
  const glm::vec3& place = points.positions[tie.point];
  const glm::vec3 apart = place - points.positions[*hint];
  SurfaceTree::Nearest nearest = tree.nearest(place, glm::dot(apart, apart), close);
  if (nearest.triangle == SurfaceTree::Nearest::kNone) nearest = tree.nearest(place);
  const std::uint32_t* found = &corners[std::size_t{nearest.triangle} * 3];
  std::copy(found, found + 3, tie.corners);
  tie.weights = nearest.weights;
  return found;
}

float SurfaceError::square(const Tie& tie, std::span<const glm::vec3> whole,
                           std::span<const glm::vec3> level) {
  const glm::vec3 apart = whole[tie.point] - (tie.weights.x * level[tie.corners[0]] +
                                              tie.weights.y * level[tie.corners[1]] +
                                              tie.weights.z * level[tie.corners[2]]);
  return glm::dot(apart, apart);
}

// The largest squared distance in one pose, or `atLeast` if none is larger.
float SurfaceError::largestSquare(std::span<const glm::vec3> whole,
                                  std::span<const glm::vec3> level, float atLeast) {
  std::vector<std::pair<float, const Tie*>> bounds;  // upper
  for (const Tie& tie : ties_) {
    const float bound = square(tie, whole, level);
    if (bound > atLeast) bounds.emplace_back(bound, &tie);
  }
  if (bounds.empty()) return atLeast;
  std::sort(bounds.begin(), bounds.end(), std::greater<>());
  for (SurfaceTree& tree : trees_) tree.pose(level);
  float largest = atLeast;
  for (const auto& [bound, tie] : bounds) {
    if (bound <= largest) break;
    largest =
        std::max(largest, trees_[tie->mesh].nearest(whole[tie->point], bound, largest).square);
  }
  return largest;
}

std::vector<std::uint32_t> SurfaceError::farther(const PosedPoints& whole, const PosedPoints& level,
                                                 std::size_t poseCount, double meters) {
  const auto limit = static_cast<float>(meters * meters);
  std::vector<char> isFar(ties_.size());
  std::vector<glm::vec3> scratch[2];
  for (std::size_t pose = 0; pose < poseCount; ++pose) {
    const auto wholePoints = whole(pose, scratch[0]);
    const auto levelPoints = level(pose, scratch[1]);
    for (SurfaceTree& tree : trees_) tree.pose(levelPoints);
    for (std::size_t t = 0; t < ties_.size(); ++t) {
      const Tie& tie = ties_[t];
      const float bound = square(tie, wholePoints, levelPoints);
      if (bound <= limit || isFar[t] != 0) continue;
      const float exact = trees_[tie.mesh].nearest(wholePoints[tie.point], bound, limit).square;
      if (exact > limit) isFar[t] = 1;
    }
  }
  std::vector<std::uint32_t> points;
  for (std::size_t t = 0; t < ties_.size(); ++t) {
    if (isFar[t] != 0) points.push_back(ties_[t].point);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

std::vector<std::uint32_t> SurfaceError::nearestCorners(const PointSet& points) const {
  std::vector<std::uint32_t> nearest(points.size());
  std::iota(nearest.begin(), nearest.end(), 0u);
  for (const Tie& tie : ties_) {
    int heaviest = tie.weights.y > tie.weights.x ? 1 : 0;
    if (tie.weights.z > tie.weights[heaviest]) heaviest = 2;
    nearest[tie.point] = tie.corners[heaviest];
  }
  return nearest;
}

double SurfaceError::largest(const PosedPoints& whole, const PosedPoints& level,
                             std::size_t poseCount, const JobContext& job) {
  // Most poses are done with their bounds, which threads compute; the largest bound comes first.
  std::vector<std::pair<float, std::size_t>> bounds(poseCount);
  parallelFor(poseCount, job, [&](std::size_t pose) {
    std::vector<glm::vec3> scratch[2];
    const auto wholePoints = whole(pose, scratch[0]);
    const auto levelPoints = level(pose, scratch[1]);
    float largest = 0.0f;
    for (const Tie& tie : ties_) {
      largest = std::max(largest, square(tie, wholePoints, levelPoints));
    }
    bounds[pose] = {largest, pose};
  });
  std::sort(bounds.begin(), bounds.end(), std::greater<>());
  float largest = 0.0f;
  std::vector<glm::vec3> scratch[2];
  for (const auto& [bound, pose] : bounds) {
    if (bound <= largest || job.stopRequested()) break;
    largest = largestSquare(whole(pose, scratch[0]), level(pose, scratch[1]), largest);
  }
  return std::sqrt(static_cast<double>(largest));
}

}  // namespace ck
