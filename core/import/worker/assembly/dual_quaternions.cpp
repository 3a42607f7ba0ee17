#include "core/import/worker/assembly/dual_quaternions.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/base/transform.h"
#include "core/import/worker/text/names.h"
#include "core/skinning/cpu_skinning.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostPoses = 1'000;
// The most positions of all meshes and poses; beyond it every n-th vertex is posed.
constexpr std::size_t kMostPositions = 2'000'000;
constexpr double kSeenMeters = 1e-5;

struct Pose {
  const Clip* clip = nullptr;  // nullptr: at rest
  double seconds = 0.0;
};

// The rest pose and the key times of all clips, or kMostPoses of them.
std::vector<Pose> posesOf(const Character& character) {
  std::vector<Pose> poses = {{}};
  for (const Clip& clip : character.clips) {
    for (const double seconds : keyTimes(clip)) poses.push_back({&clip, seconds});
  }
  if (poses.size() <= kMostPoses) return poses;
  std::vector<Pose> some;
  for (std::size_t i = 0; i < kMostPoses; ++i) {
    some.push_back(poses[i * (poses.size() - 1) / (kMostPoses - 1)]);
  }
  return some;
}

struct Difference {
  double meters = 0.0;
  Pose pose;
};

// A mesh that the file skins by dual quaternions.
struct Measured {
  std::size_t mesh = 0;
  std::span<const float> shares;  // of dual quaternions, one per vertex from the first on
  Difference worst = {};
};

void measure(const Character& character, const Pose& pose, std::span<const glm::dmat4> matrices,
             const DualQuaternionSkin& dual, std::size_t step, Measured& measured) {
  const Mesh& mesh = character.meshes[measured.mesh];
  const auto weights = pose.clip == nullptr
                           ? mesh.defaultMorphWeights
                           : sampleMorphWeights(character, *pose.clip,
                                                static_cast<int>(measured.mesh), pose.seconds);
  const auto bind = morphedMesh(mesh, weights).positions;
  const std::size_t count = std::min(measured.shares.size(), bind.size());
  for (std::size_t v = 0; v < count; v += step) {
    const auto influences = influencesOf(mesh, v);
    const auto share = static_cast<double>(measured.shares[v]);
    if (influences.size() < 2 || !(share > 0.0)) continue;
    glm::dvec3 linear(0.0);
    for (const Influence& influence : influences) {
      const auto& matrix = matrices[static_cast<std::size_t>(influence.skinJoint)];
      linear += static_cast<double>(influence.weight) * transformPoint(matrix, bind[v]);
    }
    const double meters = share * glm::distance(linear, dual.position(bind[v], influences));
    if (meters > measured.worst.meters) measured.worst = {meters, pose};
  }
}

}  // namespace

DualQuaternionSkin::DualQuaternionSkin(std::span<const glm::dmat4> skinMatrices) {
  for (const glm::dmat4& matrix : skinMatrices) {
    const Trs trs = decompose(matrix).trs;
    const glm::dquat moved(0.0, trs.translation.x, trs.translation.y, trs.translation.z);
    joints_.push_back({trs.rotation, moved * trs.rotation * 0.5, trs.scale});
  }
}

// L. Kavan et al., "Geometric Skinning with Approximate Dual Quaternion Blending", ACM Transactions
// on Graphics 27(4), 2008, algorithm 1; scales are blended beside it, linearly.
glm::dvec3 DualQuaternionSkin::position(const glm::dvec3& bind,
                                        std::span<const Influence> influences) const {
  const auto jointOf = [this](const Influence& influence) -> const Joint& {
    return joints_[static_cast<std::size_t>(influence.skinJoint)];
  };
  const glm::dquat& first = jointOf(influences.front()).real;
  glm::dquat real(0.0, 0.0, 0.0, 0.0);
  glm::dquat dual(0.0, 0.0, 0.0, 0.0);
  glm::dvec3 scale(0.0);
  for (const Influence& influence : influences) {
    const Joint& joint = jointOf(influence);
    const double weight = static_cast<double>(influence.weight);
    const double sign = glm::dot(first, joint.real) < 0.0 ? -1.0 : 1.0;
    real += joint.real * (sign * weight);
    dual += joint.dual * (sign * weight);
    scale += joint.scale * weight;
  }
  // The sum holds the first rotation, and no other one against it, so it has a length.
  const double length = glm::length(real);
  const glm::dquat moved = dual * glm::conjugate(real) * (2.0 / (length * length));
  return real * (1.0 / length) * (scale * bind) + glm::dvec3(moved.x, moved.y, moved.z);
}

void noteDualQuaternions(const std::vector<std::vector<float>>& dualShares, Character& character) {
  std::vector<Measured> all;
  std::size_t vertexCount = 0;
  for (std::size_t m = 0; m < dualShares.size(); ++m) {
    const auto& shares = dualShares[m];
    if (std::none_of(shares.begin(), shares.end(), [](float share) { return share > 0.0f; }))
      continue;
    all.push_back({m, shares});
    vertexCount += shares.size();
  }
  if (all.empty()) return;
  const std::vector<Pose> poses = posesOf(character);
  const std::size_t step = 1 + vertexCount * poses.size() / kMostPositions;
  const Rig& rig = character.rig;
  for (const Pose& pose : poses) {
    const auto matrices = pose.clip == nullptr ? skinMatrices(rig, restMatrices(rig))
                                               : skinMatricesAt(rig, *pose.clip, pose.seconds);
    const DualQuaternionSkin dual(matrices);
    for (Measured& measured : all) measure(character, pose, matrices, dual, step, measured);
  }
  for (const auto& [mesh, shares, worst] : all) {
    if (worst.meters < kSeenMeters && !character.clips.empty()) continue;
    const bool whole = std::all_of(shares.begin(), shares.end(), [](float s) { return s == 1.0f; });
    const std::string where =
        worst.pose.clip == nullptr
            ? "at rest"
            : fmt::format("in clip '{}' at {:.2f} s", worst.pose.clip->name, worst.pose.seconds);
    warn(character.notes, "SkinningByMatrices",
         fmt::format(
             "mesh '{}' is skinned by dual quaternions{} in the file, and by matrices here: "
             "vertices are up to {:.3g} mm apart ({})",
             character.meshes[mesh].name, whole ? "" : " in part", worst.meters * 1e3, where));
  }
}

}  // namespace ck::worker
