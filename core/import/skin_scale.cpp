#include "core/import/skin_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/anim/pose.h"
#include "core/base/transform.h"

namespace ck {
namespace {

// Files store matrices as floats, and joints are products of several.
constexpr double kSameShare = 1e-4;
// Beyond these the numbers of a file are no units.
constexpr double kSmallest = 1e-6;
constexpr double kLargest = 1e6;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// For every skin joint, the number of its group: the skin joints of one mesh, and of all meshes
// that share one of them. A skin joint that no vertex uses is a group of its own.
std::vector<std::size_t> groupsOf(const Character& character) {
  std::vector<std::size_t> above(character.rig.skinJoints.size());
  std::iota(above.begin(), above.end(), std::size_t{0});
  const auto top = [&above](std::size_t joint) {
    while (above[joint] != joint) joint = above[joint] = above[above[joint]];
    return joint;
  };
  for (const Mesh& mesh : character.meshes) {
    for (const Influence& influence : mesh.influences) {
      above[top(at(influence.skinJoint))] = top(at(mesh.influences.front().skinJoint));
    }
  }
  std::vector<std::size_t> groups;
  for (std::size_t joint = 0; joint < above.size(); ++joint) groups.push_back(top(joint));
  return groups;
}

// The lengths of the axes of a group's skin matrices at rest.
struct Scales {
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  bool sheared = false;
  double reach = 0.0;  // the largest coordinate of a vertex

  void add(const glm::dmat4& skin) {
    const Decomposed parts = decompose(skin);
    const glm::dvec3 scale = glm::abs(parts.trs.scale);
    least = std::min({least, scale.x, scale.y, scale.z});
    most = std::max({most, scale.x, scale.y, scale.z});
    if (!(parts.shear <= kSameShare)) sheared = true;
  }
  // The scale to fold, or 1.
  double common() const {
    const bool isOne =
        !sheared && least >= kSmallest && most <= kLargest && most - least <= kSameShare * most;
    const double scale = 0.5 * (least + most);
    if (!isOne || std::abs(scale - 1.0) <= kSameShare) return 1.0;
    return reach * scale < double(std::numeric_limits<float>::max()) ? scale : 1.0;
  }
};

double reachOf(const std::vector<glm::vec3>& vectors) {
  double reach = 0.0;
  for (const glm::vec3& v : vectors) {
    reach = std::max({reach, double(std::abs(v.x)), double(std::abs(v.y)), double(std::abs(v.z))});
  }
  return reach;
}

void scale(std::vector<glm::vec3>& vectors, double factor) {
  for (glm::vec3& v : vectors) v = glm::vec3(factor * glm::dvec3(v));
}

void noteFolded(const std::vector<double>& factors, Character& character) {
  if (factors.empty()) return;
  const auto [least, most] = std::ranges::minmax(factors);
  std::string by = fmt::format("{:.4g}", least);
  if (most - least > kSameShare * most) by += fmt::format(" to {:.4g}", most);
  character.notes.push_back(
      {Note::Level::Info, "MeshesRescaled",
       fmt::format("the joints of {} of {} meshes scale them by {} at rest; this scale was moved "
                   "from the joints to the vertices, which changes no pose",
                   factors.size(), character.meshes.size(), by)});
}

}  // namespace

void foldSkinScale(Character& character) {
  std::vector<SkinJoint>& skinJoints = character.rig.skinJoints;
  const std::vector<std::size_t> groups = groupsOf(character);
  std::vector<Scales> scales(skinJoints.size());
  const std::vector<glm::dmat4> rest = skinMatrices(character.rig, restMatrices(character.rig));
  for (std::size_t joint = 0; joint < rest.size(); ++joint) scales[groups[joint]].add(rest[joint]);
  const auto groupOf = [&groups](const Mesh& mesh) {
    return groups[at(mesh.influences.front().skinJoint)];
  };
  for (const Mesh& mesh : character.meshes) {
    if (mesh.influences.empty()) continue;
    double& reach = scales[groupOf(mesh)].reach;
    reach = std::max(reach, reachOf(mesh.positions));
    for (const MorphTarget& target : mesh.morphTargets) {
      reach = std::max(reach, reachOf(target.positionDeltas));
    }
  }
  std::vector<double> factors;
  for (Mesh& mesh : character.meshes) {
    if (mesh.influences.empty()) continue;
    const double factor = scales[groupOf(mesh)].common();
    if (factor == 1.0) continue;
    scale(mesh.positions, factor);
    for (MorphTarget& target : mesh.morphTargets) scale(target.positionDeltas, factor);
    mesh.bindScale *= factor;
    factors.push_back(factor);
  }
  for (std::size_t joint = 0; joint < skinJoints.size(); ++joint) {
    const double factor = scales[groups[joint]].common();
    if (factor == 1.0) continue;
    glm::dmat4& bind = skinJoints[joint].inverseBind;
    bind = bind * toMatrix({.scale = glm::dvec3(1.0 / factor)});
  }
  noteFolded(factors, character);
}

}  // namespace ck
