#include "core/import/skin_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>

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

// The largest magnitude; infinite if one is not a number.
double largestOf(const glm::dmat3& matrix) {
  double most = 0.0;
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) {
      const double number = std::abs(matrix[column][row]);
      most = std::isnan(number) ? INFINITY : std::max(most, number);
    }
  }
  return most;
}

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

// The stretch M of S = R M, where R turns and perhaps mirrors: the symmetric factor of the polar
// decomposition (Higham, docs/techniques.md 2.4).
glm::dmat3 stretchOf(const glm::dmat3& skin) {
  constexpr int kMostSteps = 40;
  constexpr double kSteady = 1e-15;
  glm::dmat3 turn = skin / std::cbrt(std::abs(glm::determinant(skin)));
  for (int step = 0; step < kMostSteps; ++step) {
    const glm::dmat3 next = 0.5 * (turn + glm::transpose(glm::inverse(turn)));
    const double moved = largestOf(next - turn);
    turn = next;
    if (moved <= kSteady) break;
  }
  const glm::dmat3 stretch = glm::transpose(turn) * skin;
  return 0.5 * (stretch + glm::transpose(stretch));
}

// Whether a matrix turns, and perhaps mirrors, and does nothing else.
bool isTurn(const glm::dmat3& matrix) {
  return largestOf(glm::transpose(matrix) * matrix - glm::dmat3(1.0)) <= 2.0 * kSameShare;
}

// The stretch that the skin matrices of a group have in common, if there is one that is no scale.
std::optional<glm::dmat3> commonStretch(std::span<const glm::dmat3> skins, double reach) {
  const glm::dmat3& first = skins.front();
  const double size = largestOf(first);
  // Without a size in some direction there is nothing that vertices could be divided by.
  if (!(size >= kSmallest && size <= kLargest)) return {};
  if (!(std::abs(glm::determinant(first / size)) >= kSmallest)) return {};
  const glm::dmat3 stretch = stretchOf(first);
  const glm::dmat3 inverse = glm::inverse(stretch);
  if (!(largestOf(inverse) <= kLargest) || isTurn(first / std::cbrt(glm::determinant(stretch)))) {
    return {};
  }
  if (!(3.0 * reach * largestOf(stretch) < double(std::numeric_limits<float>::max()))) return {};
  const auto keeps = [&](const glm::dmat3& skin) { return isTurn(skin * inverse); };
  return std::ranges::all_of(skins, keeps) ? std::optional(stretch) : std::nullopt;
}

// Normals follow the cofactors of a stretch, tangents the stretch itself; differences of morph
// targets are divided by what their vertex's own became longer by.
void stretch(const glm::dmat3& by, Mesh& mesh) {
  const glm::dmat3 cofactors = glm::determinant(by) * glm::transpose(glm::inverse(by));
  const auto apply = [](const glm::dmat3& matrix, auto& vector, double length) {
    const glm::dvec3 moved = matrix * glm::dvec3(vector) / length;
    for (int axis = 0; axis < 3; ++axis) vector[axis] = static_cast<float>(moved[axis]);
  };
  const auto lengthsOf = [](const glm::dmat3& matrix, const auto& vectors) {
    std::vector<double> lengths;
    for (const auto& v : vectors) {
      const double length = glm::length(matrix * glm::dvec3(v));
      lengths.push_back(length > 0.0 ? length : 1.0);
    }
    return lengths;
  };
  const std::vector<double> normals = lengthsOf(cofactors, mesh.normals);
  const std::vector<double> tangents = lengthsOf(by, mesh.tangents);
  for (glm::vec3& position : mesh.positions) apply(by, position, 1.0);
  for (std::size_t v = 0; v < normals.size(); ++v) apply(cofactors, mesh.normals[v], normals[v]);
  for (std::size_t v = 0; v < tangents.size(); ++v) apply(by, mesh.tangents[v], tangents[v]);
  for (MorphTarget& target : mesh.morphTargets) {
    for (glm::vec3& delta : target.positionDeltas) apply(by, delta, 1.0);
    for (std::size_t i = 0; i < target.normalDeltas.size(); ++i) {
      apply(cofactors, target.normalDeltas[i], normals[target.vertices[i]]);
    }
    for (std::size_t i = 0; i < target.tangentDeltas.size() && !tangents.empty(); ++i) {
      apply(by, target.tangentDeltas[i], tangents[target.vertices[i]]);
    }
  }
  mesh.bindStretch = by * mesh.bindStretch;
}

void noteStretched(std::size_t meshes, Character& character) {
  if (meshes == 0) return;
  character.notes.push_back(
      {Note::Level::Info, "MeshesRescaled",
       fmt::format("the joints of {} of {} meshes stretch them at rest, more along one axis than "
                   "along another; this was moved from the joints to the vertices, which changes "
                   "no pose",
                   meshes, character.meshes.size())});
}

// Moves stretches that are no scale. `scales` are those of the groups.
void foldStretches(std::span<const glm::dmat4> rest, std::span<const std::size_t> groups,
                   std::span<const Scales> scales, Character& character) {
  std::map<std::size_t, std::vector<glm::dmat3>> skins;
  for (const Mesh& mesh : character.meshes) {
    if (mesh.influences.empty()) continue;
    const std::size_t group = groups[at(mesh.influences.front().skinJoint)];
    if (scales[group].common() == 1.0) skins[group];
  }
  for (std::size_t joint = 0; joint < rest.size(); ++joint) {
    const auto found = skins.find(groups[joint]);
    if (found != skins.end()) found->second.emplace_back(rest[joint]);
  }
  std::map<std::size_t, glm::dmat3> stretches;
  for (const auto& [group, own] : skins) {
    if (const auto common = commonStretch(own, scales[group].reach)) stretches[group] = *common;
  }
  std::size_t stretched = 0;
  for (Mesh& mesh : character.meshes) {
    if (mesh.influences.empty()) continue;
    const auto found = stretches.find(groups[at(mesh.influences.front().skinJoint)]);
    if (found == stretches.end()) continue;
    stretch(found->second, mesh);
    ++stretched;
  }
  for (std::size_t joint = 0; joint < rest.size(); ++joint) {
    const auto found = stretches.find(groups[joint]);
    if (found == stretches.end()) continue;
    glm::dmat4& bind = character.rig.skinJoints[joint].inverseBind;
    bind = bind * glm::dmat4(glm::inverse(found->second));
  }
  noteStretched(stretched, character);
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
  foldStretches(rest, groups, scales, character);
}

}  // namespace ck
