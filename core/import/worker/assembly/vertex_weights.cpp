#include "core/import/worker/assembly/vertex_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <unordered_map>

namespace ck::worker {
namespace {

// The valid influences of one vertex with duplicates merged, not yet normalised.
std::vector<Influence> goodInfluences(std::span<const Influence> raw, int jointCount,
                                      WeightRepairs& repairs) {
  std::vector<Influence> good;
  for (const Influence& influence : raw) {
    if (influence.weight == 0.0f) continue;
    if (!std::isfinite(influence.weight) || influence.weight < 0.0f) {
      ++repairs.badWeights;
      continue;
    }
    if (influence.skinJoint < 0 || influence.skinJoint >= jointCount) {
      ++repairs.badJoints;
      continue;
    }
    const auto same = [&influence](const Influence& other) {
      return other.skinJoint == influence.skinJoint;
    };
    const auto found = std::find_if(good.begin(), good.end(), same);
    if (found == good.end()) {
      good.push_back(influence);
    } else {
      found->weight += influence.weight;
    }
  }
  return good;
}

struct PositionHash {
  std::size_t operator()(const std::array<std::uint32_t, 3>& key) const {
    std::uint64_t hash = 0xcbf29ce484222325ull;
    for (const std::uint32_t part : key) hash = (hash ^ part) * 0x100000001b3ull;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

}  // namespace

WeightRepairs repairWeights(Mesh& mesh, int jointCount, int fallbackJoint) {
  WeightRepairs repairs;
  std::vector<Influence> influences;
  std::vector<std::uint32_t> starts{0};
  influences.reserve(mesh.influences.size());
  starts.reserve(mesh.positions.size() + 1);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    std::vector<Influence> good = goodInfluences(influencesOf(mesh, v), jointCount, repairs);
    double sum = 0.0;
    for (const Influence& influence : good) sum += influence.weight;
    if (good.empty() || !(sum > 1e-30) || !std::isfinite(sum)) {
      ++repairs.withoutWeights;
      good = {{fallbackJoint, 1.0f}};
      sum = 1.0;
    }
    if (std::abs(sum - 1.0) > 0.01) ++repairs.normalised;
    for (Influence& influence : good) {
      influence.weight = static_cast<float>(influence.weight / sum);
    }
    std::erase_if(good, [](const Influence& influence) { return !(influence.weight > 0.0f); });
    std::stable_sort(good.begin(), good.end(), [](const Influence& a, const Influence& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.skinJoint < b.skinJoint;
    });
    influences.insert(influences.end(), good.begin(), good.end());
    starts.push_back(static_cast<std::uint32_t>(influences.size()));
  }
  mesh.influences = std::move(influences);
  mesh.influenceStarts = std::move(starts);
  return repairs;
}

void noteRepairs(const WeightRepairs& repairs, const std::string& meshName, Notes& notes) {
  const auto add = [&notes](Note::Level level, const char* code, std::string message) {
    notes.push_back({level, code, std::move(message)});
  };
  if (repairs.badWeights > 0) {
    add(Note::Level::Warning, "WeightsDropped",
        fmt::format("mesh '{}': {} weights were negative or not a number and were left out",
                    meshName, repairs.badWeights));
  }
  if (repairs.badJoints > 0) {
    add(Note::Level::Warning, "WeightsDropped",
        fmt::format("mesh '{}': {} weights named a joint that is not in the skin and were left out",
                    meshName, repairs.badJoints));
  }
  if (repairs.normalised > 0) {
    add(Note::Level::Info, "WeightsNormalised",
        fmt::format("mesh '{}': the weights of {} vertices did not add up to 1 and were scaled",
                    meshName, repairs.normalised));
  }
  if (repairs.withoutWeights > 0) {
    add(Note::Level::Warning, "VerticesUnweighted",
        fmt::format("mesh '{}': {} vertices had no weight; they follow the mesh's own node",
                    meshName, repairs.withoutWeights));
  }
}

void computeNormals(Mesh& mesh) {
  // Vertices at one position share one sum, even if their other attributes differ.
  std::unordered_map<std::array<std::uint32_t, 3>, std::uint32_t, PositionHash> slots;
  std::vector<std::uint32_t> slotOf(mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const glm::vec3 p = mesh.positions[v] + glm::vec3(0.0f);  // adding 0 maps -0 to 0
    const std::array<std::uint32_t, 3> key = {std::bit_cast<std::uint32_t>(p.x),
                                              std::bit_cast<std::uint32_t>(p.y),
                                              std::bit_cast<std::uint32_t>(p.z)};
    slotOf[v] = slots.try_emplace(key, static_cast<std::uint32_t>(slots.size())).first->second;
  }
  std::vector<glm::dvec3> sums(slots.size(), glm::dvec3(0.0));
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const glm::dvec3 a(mesh.positions[mesh.indices[i]]);
    const glm::dvec3 b(mesh.positions[mesh.indices[i + 1]]);
    const glm::dvec3 c(mesh.positions[mesh.indices[i + 2]]);
    const glm::dvec3 area = glm::cross(b - a, c - a);
    for (std::size_t corner = 0; corner < 3; ++corner) {
      sums[slotOf[mesh.indices[i + corner]]] += area;
    }
  }
  mesh.normals.clear();
  mesh.normals.reserve(mesh.positions.size());
  for (const std::uint32_t slot : slotOf) {
    const double length = glm::length(sums[slot]);
    const bool defined = length > 0.0 && std::isfinite(length);
    mesh.normals.push_back(defined ? glm::vec3(sums[slot] / length) : glm::vec3(0.0f, 1.0f, 0.0f));
  }
}

}  // namespace ck::worker
