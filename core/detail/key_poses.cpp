#include "core/detail/key_poses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/anim/pose.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

constexpr int kMomentsInAll = 384;
constexpr int kFewestAClip = 3;
constexpr int kMostAClip = 97;

// The moments that are looked at, without matrices.
std::vector<KeyPose> momentsOf(const Character& character) {
  if (character.clips.empty()) return {KeyPose{}};
  const int clips = static_cast<int>(character.clips.size());
  const int each = std::clamp(kMomentsInAll / clips, kFewestAClip, kMostAClip);
  std::vector<KeyPose> moments;
  for (int c = 0; c < clips; ++c) {
    const Clip& clip = character.clips[static_cast<std::size_t>(c)];
    const int count = clip.durationSeconds > 0.0 ? each : 1;
    for (int i = 0; i < count; ++i) {
      const double share = count > 1 ? static_cast<double>(i) / (count - 1) : 0.0;
      moments.push_back({c, clip.startSeconds + clip.durationSeconds * share, {}});
    }
  }
  return moments;
}

bool isFinite(const SkinMatrix& matrix) {
  for (int column = 0; column < 4; ++column) {
    const glm::vec3& v = matrix[column];
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) return false;
  }
  return true;
}

void pose(const Character& character, KeyPose& moment) {
  const std::vector<glm::dmat4> skins =
      moment.clip < 0
          ? skinMatrices(character.rig, restMatrices(character.rig))
          : skinMatricesAt(character.rig, character.clips[static_cast<std::size_t>(moment.clip)],
                           moment.seconds);
  for (const glm::dmat4& skin : skins) moment.skins.emplace_back(glm::mat4(skin));
}

// For every skin joint two points that follow it before all others, far from each other.
std::vector<std::size_t> samplesOf(const PointSet& points, std::size_t skinJoints) {
  constexpr std::size_t kNone = ~std::size_t{0};
  struct Pair {
    std::size_t first = kNone;
    std::size_t farthest = kNone;
    float distance = 0.0f;
  };
  std::vector<Pair> pairs(skinJoints);
  for (std::size_t p = 0; p < points.size(); ++p) {
    Pair& pair = pairs[static_cast<std::size_t>(points.influences[p].skinJoints[0])];
    if (pair.first == kNone) pair.first = p;
    const float distance = glm::distance(points.positions[pair.first], points.positions[p]);
    if (distance <= pair.distance) continue;
    pair.farthest = p;
    pair.distance = distance;
  }
  std::vector<std::size_t> samples;
  for (const Pair& pair : pairs) {
    if (pair.first != kNone) samples.push_back(pair.first);
    if (pair.farthest != kNone) samples.push_back(pair.farthest);
  }
  return samples;
}

std::size_t heaviestJoint(const PointSet& points, std::size_t skinJoints) {
  std::vector<double> weights(skinJoints);
  for (const LimitedInfluences& influences : points.influences) {
    for (std::size_t i = 0; i < influences.weights.size(); ++i) {
      weights[static_cast<std::size_t>(influences.skinJoints[i])] +=
          static_cast<double>(influences.weights[i]);
    }
  }
  return static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) -
                                  weights.begin());
}

// The samples as seen from a joint.
std::vector<glm::vec3> seenFrom(std::size_t joint, const KeyPose& moment, const PointSet& points,
                                std::span<const std::size_t> samples) {
  const glm::dmat4 toJoint = affineInverse(glm::dmat4(glm::mat4(moment.skins[joint])));
  std::vector<glm::vec3> seen;
  for (const std::size_t sample : samples) {
    const glm::vec3 place =
        posed(points.positions[sample], points.influences[sample], moment.skins);
    seen.emplace_back(transformPoint(toJoint, glm::dvec3(place)));
  }
  return seen;
}

float largestSquare(std::span<const glm::vec3> a, std::span<const glm::vec3> b) {
  float largest = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const glm::vec3 apart = a[i] - b[i];
    largest = std::max(largest, glm::dot(apart, apart));
  }
  return largest;
}

// Indices of the poses to keep, each the farthest from those before it.
std::vector<std::size_t> farthestFirst(const std::vector<std::vector<glm::vec3>>& seen,
                                       std::size_t most) {
  std::vector<float> squares(seen.size(), std::numeric_limits<float>::infinity());
  std::vector<std::size_t> kept = {0};
  while (kept.size() < most) {
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      squares[i] = std::min(squares[i], largestSquare(seen[i], seen[kept.back()]));
      if (squares[i] > squares[farthest]) farthest = i;
    }
    if (!(squares[farthest] > 0.0f)) break;
    kept.push_back(farthest);
  }
  return kept;
}

}  // namespace

Result<std::vector<KeyPose>> keyPoses(const Character& character, const PointSet& points,
                                      std::size_t most, const JobContext& job) {
  std::vector<KeyPose> moments = momentsOf(character);
  const std::size_t skinJoints = character.rig.skinJoints.size();
  const std::vector<std::size_t> samples = samplesOf(points, skinJoints);
  const std::size_t joint = heaviestJoint(points, skinJoints);
  std::vector<std::vector<glm::vec3>> seen(moments.size());
  const bool done = parallelFor(moments.size(), job, [&](std::size_t m) {
    pose(character, moments[m]);
    seen[m] = seenFrom(joint, moments[m], points, samples);
  });
  if (!done) return fail(ErrorCode::Cancelled, "the levels of detail were stopped");
  for (const KeyPose& moment : moments) {
    if (std::ranges::all_of(moment.skins, isFinite)) continue;
    const std::string clip =
        moment.clip < 0 ? "" : character.clips[static_cast<std::size_t>(moment.clip)].name;
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("clip '{}' has a pose at {:.3f} s that is not finite, so that no levels "
                    "of detail can be measured",
                    clip, moment.seconds));
  }
  std::vector<KeyPose> kept;
  for (const std::size_t m : farthestFirst(seen, most)) kept.push_back(std::move(moments[m]));
  return kept;
}

}  // namespace ck
