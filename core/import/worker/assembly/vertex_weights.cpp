#include "core/import/worker/assembly/vertex_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/import/worker/text/names.h"

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
  if (repairs.badWeights > 0) {
    warn(notes, "WeightsDropped",
         fmt::format("mesh '{}': {} weights were negative or not a number and were left out",
                     meshName, repairs.badWeights));
  }
  if (repairs.badJoints > 0) {
    warn(
        notes, "WeightsDropped",
        fmt::format("mesh '{}': {} weights named a joint that is not in the skin and were left out",
                    meshName, repairs.badJoints));
  }
  if (repairs.normalised > 0) {
    inform(notes, "WeightsNormalised",
           fmt::format("mesh '{}': the weights of {} vertices did not add up to 1 and were scaled",
                       meshName, repairs.normalised));
  }
  if (repairs.withoutWeights > 0) {
    warn(notes, "VerticesUnweighted",
         fmt::format("mesh '{}': {} vertices had no weight; they follow the mesh's own node",
                     meshName, repairs.withoutWeights));
  }
}

}  // namespace ck::worker
