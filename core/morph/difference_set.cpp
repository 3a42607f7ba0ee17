#include "core/morph/difference_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace ck {
namespace {

// How a morph moves one vertex of the character.
struct Difference {
  glm::vec3 position{0.0f};
  glm::vec3 normal{0.0f};
};

// The differences of one morph for every vertex of the character, counted through all meshes.
std::vector<std::optional<Difference>> differencesOf(const NamedMorph& morph,
                                                     const Character& character,
                                                     std::span<const std::size_t> firstOf) {
  std::vector<std::optional<Difference>> differences(firstOf.back());
  for (const MorphMember& member : morph.members) {
    const auto mesh = static_cast<std::size_t>(member.mesh);
    const MorphTarget& target =
        character.meshes[mesh].morphTargets[static_cast<std::size_t>(member.target)];
    for (std::size_t i = 0; i < target.vertices.size(); ++i) {
      const bool turns = !target.normalDeltas.empty();
      differences[firstOf[mesh] + target.vertices[i]] = {
          target.positionDeltas[i], turns ? target.normalDeltas[i] : glm::vec3(0.0f)};
    }
  }
  return differences;
}

float farthest(std::span<const glm::vec3> vectors) {
  float most = 0.0f;
  for (const glm::vec3& v : vectors) {
    most = std::max({most, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  }
  return most;
}

// With all morphs at weight 1, a sum stays within 2^26 steps. With the largest allowed weights it
// stays within 2^30.
float stepsPerUnit(float base, float allShapes) {
  constexpr int kFinest = 20;
  constexpr int kRoom = 26;
  const float extent = std::max(base + allShapes, 1e-30f);
  const int digits = kRoom - static_cast<int>(std::ceil(std::log2(extent)));
  return std::ldexp(1.0f, std::min(kFinest, digits));
}

void setScale(DifferenceSet& set) {
  float positions = 0.0f;
  float normals = 0.0f;
  for (const DifferenceMesh& morph : set.morphs) {
    positions += farthest(morph.positions);
    normals += farthest(morph.normals);
  }
  set.scale.position = stepsPerUnit(farthest(set.positions), positions);
  set.scale.normal = stepsPerUnit(farthest(set.normals), normals);
}

}  // namespace

DifferenceSet differenceSet(const Character& character, const MorphSet& set,
                            std::span<const std::uint32_t> vertices) {
  std::vector<std::size_t> firstOf = {0};  // one per mesh, then the number of all vertices
  std::vector<glm::vec3> positions;
  std::vector<glm::vec3> normals;
  for (const Mesh& mesh : character.meshes) {
    positions.insert(positions.end(), mesh.positions.begin(), mesh.positions.end());
    normals.insert(normals.end(), mesh.normals.begin(), mesh.normals.end());
    firstOf.push_back(positions.size());
  }
  std::vector<char> moved(positions.size(), 0);
  for (std::size_t m = 0; m < character.meshes.size(); ++m) {
    for (const MorphTarget& target : character.meshes[m].morphTargets) {
      for (const std::uint32_t v : target.vertices) moved[firstOf[m] + v] = 1;
    }
  }

  DifferenceSet result;
  result.placeOf.assign(vertices.size(), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::uint32_t v = vertices[i];
    if (moved[v] == 0) continue;
    result.placeOf[i] = static_cast<std::int32_t>(result.vertices.size());
    result.vertices.push_back(static_cast<std::uint32_t>(i));
    result.positions.push_back(positions[v]);
    result.normals.push_back(normals[v]);
  }
  for (const NamedMorph& morph : set) {
    const auto differences = differencesOf(morph, character, firstOf);
    DifferenceMesh& mesh = result.morphs.emplace_back();
    for (std::size_t place = 0; place < result.vertices.size(); ++place) {
      const auto& difference = differences[vertices[result.vertices[place]]];
      if (!difference) continue;
      mesh.places.push_back(static_cast<std::uint32_t>(place));
      mesh.positions.push_back(difference->position);
      mesh.normals.push_back(difference->normal);
    }
  }
  setScale(result);
  return result;
}

DifferenceSet differenceSet(const Character& character, const MorphSet& set) {
  std::size_t count = 0;
  for (const Mesh& mesh : character.meshes) count += mesh.positions.size();
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return differenceSet(character, set, all);
}

}  // namespace ck
