#include "core/morph/difference_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ck {
namespace {

// The places of every vertex of the character, counted through all meshes: those of vertex v are
// places[starts[v] .. starts[v + 1]).
struct PlacesOfVertices {
  std::vector<std::uint32_t> starts;
  std::vector<std::uint32_t> places;
};

PlacesOfVertices placesOfVertices(std::span<const std::uint32_t> originals, std::size_t count) {
  PlacesOfVertices result;
  result.starts.assign(count + 1, 0);
  for (const std::uint32_t v : originals) ++result.starts[v + 1];
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
  result.places.resize(originals.size());
  std::vector<std::uint32_t> next(result.starts.begin(), result.starts.end() - 1);
  for (std::size_t place = 0; place < originals.size(); ++place) {
    result.places[next[originals[place]]++] = static_cast<std::uint32_t>(place);
  }
  return result;
}

// An entry of a morph target at one of its places.
struct Entry {
  std::uint32_t place = 0;
  const MorphTarget* target = nullptr;
  std::size_t index = 0;
};

DifferenceMesh differencesOf(const NamedMorph& morph, const Character& character,
                             std::span<const std::size_t> firstOf, const PlacesOfVertices& placesOf,
                             bool turnsTangents) {
  std::vector<Entry> entries;
  for (const MorphMember& member : morph.members) {
    const auto mesh = static_cast<std::size_t>(member.mesh);
    const MorphTarget& target =
        character.meshes[mesh].morphTargets[static_cast<std::size_t>(member.target)];
    for (std::size_t i = 0; i < target.vertices.size(); ++i) {
      const std::size_t v = firstOf[mesh] + target.vertices[i];
      for (std::uint32_t p = placesOf.starts[v]; p < placesOf.starts[v + 1]; ++p) {
        entries.push_back({placesOf.places[p], &target, i});
      }
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.place < b.place; });
  const auto at = [](const std::vector<glm::vec3>& deltas, std::size_t index) {
    return deltas.empty() ? glm::vec3(0.0f) : deltas[index];
  };
  DifferenceMesh result;
  for (const Entry& entry : entries) {
    result.places.push_back(entry.place);
    result.positions.push_back(entry.target->positionDeltas[entry.index]);
    result.normals.push_back(at(entry.target->normalDeltas, entry.index));
    if (turnsTangents) result.tangents.push_back(at(entry.target->tangentDeltas, entry.index));
  }
  return result;
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

// Divides the directions of every place by the length that the default weights give them.
void dividePlaces(DifferenceSet& set, const MorphSet& morphs) {
  std::vector<glm::vec3> normals = set.normals;
  std::vector<glm::vec4> tangents = set.tangents;
  for (std::size_t m = 0; m < morphs.size(); ++m) {
    const float weight = morphs[m].defaultWeight;
    const DifferenceMesh& morph = set.morphs[m];
    if (weight == 0.0f) continue;
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      normals[morph.places[i]] += weight * morph.normals[i];
      if (set.turnsTangents) {
        tangents[morph.places[i]] += glm::vec4(weight * morph.tangents[i], 0.0f);
      }
    }
  }
  const auto dividerOf = [](const glm::vec3& v) {
    constexpr float kNoLength = 1e-20f;
    const float length = glm::length(v);
    return length > kNoLength ? length : 1.0f;
  };
  for (std::size_t place = 0; place < normals.size(); ++place) {
    set.normals[place] /= dividerOf(normals[place]);
    if (!set.turnsTangents) continue;
    const glm::vec4& along = set.tangents[place];
    set.tangents[place] =
        glm::vec4(glm::vec3(along) / dividerOf(glm::vec3(tangents[place])), along.w);
  }
  for (DifferenceMesh& morph : set.morphs) {
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      morph.normals[i] /= dividerOf(normals[morph.places[i]]);
      if (set.turnsTangents) morph.tangents[i] /= dividerOf(glm::vec3(tangents[morph.places[i]]));
    }
  }
}

}  // namespace

DifferenceSet differenceSet(const Character& character, const MorphSet& set,
                            std::span<const std::uint32_t> vertices, const JobContext& job) {
  std::vector<std::size_t> firstOf = {0};  // one per mesh, then the number of all vertices
  std::vector<glm::vec3> positions;
  std::vector<glm::vec3> normals;
  std::vector<glm::vec4> tangents;
  for (const Mesh& mesh : character.meshes) {
    positions.insert(positions.end(), mesh.positions.begin(), mesh.positions.end());
    normals.insert(normals.end(), mesh.normals.begin(), mesh.normals.end());
    tangents.insert(tangents.end(), mesh.tangents.begin(), mesh.tangents.end());
    firstOf.push_back(positions.size());
    tangents.resize(positions.size(), glm::vec4(0.0f));
  }
  std::vector<char> moved(positions.size(), 0);
  for (std::size_t m = 0; m < character.meshes.size(); ++m) {
    for (const MorphTarget& target : character.meshes[m].morphTargets) {
      for (const std::uint32_t v : target.vertices) moved[firstOf[m] + v] = 1;
    }
  }

  DifferenceSet result;
  result.turnsTangents = std::ranges::any_of(character.meshes, [](const Mesh& mesh) {
    return !mesh.tangents.empty() &&
           std::ranges::any_of(mesh.morphTargets, [](const MorphTarget& target) {
             return !target.tangentDeltas.empty();
           });
  });
  result.placeOf.assign(vertices.size(), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::uint32_t v = vertices[i];
    if (moved[v] == 0) continue;
    result.placeOf[i] = static_cast<std::int32_t>(result.vertices.size());
    result.vertices.push_back(static_cast<std::uint32_t>(i));
    result.positions.push_back(positions[v]);
    result.normals.push_back(normals[v]);
    if (result.turnsTangents) result.tangents.push_back(tangents[v]);
  }
  std::vector<std::uint32_t> originals;  // one per place
  for (const std::uint32_t i : result.vertices) originals.push_back(vertices[i]);
  const PlacesOfVertices placesOf = placesOfVertices(originals, positions.size());
  for (const NamedMorph& morph : set) {
    if (job.stopRequested()) return {};
    result.morphs.push_back(
        differencesOf(morph, character, firstOf, placesOf, result.turnsTangents));
  }
  const bool byDefault =
      std::ranges::any_of(set, [](const NamedMorph& morph) { return morph.defaultWeight != 0.0f; });
  if (byDefault) dividePlaces(result, set);
  setScale(result);
  return result;
}

DifferenceSet differenceSet(const Character& character, const MorphSet& set,
                            const JobContext& job) {
  std::size_t count = 0;
  for (const Mesh& mesh : character.meshes) count += mesh.positions.size();
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return differenceSet(character, set, all, job);
}

}  // namespace ck
