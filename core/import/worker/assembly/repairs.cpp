#include "core/import/worker/assembly/repairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/import/character_file.h"
#include "core/import/worker/assembly/motion_tracks.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr float kLargestValue = 1e15f;

bool sane(float value) {
  return std::abs(value) < kLargestValue;
}
bool sane(const glm::vec3& v) {
  return sane(v.x) && sane(v.y) && sane(v.z);
}
bool sane(const glm::quat& q) {
  return sane(q.x) && sane(q.y) && sane(q.z) && sane(q.w);
}

template <class Value>
bool inOrder(const Track<Value>& track, std::size_t perKey) {
  for (std::size_t k = 0; k < track.times.size(); ++k) {
    if (!std::isfinite(track.times[k])) return false;
    if (k > 0 && !(track.times[k] > track.times[k - 1])) return false;
  }
  return std::all_of(track.values.begin(), track.values.end(),
                     [](const Value& value) { return sane(value); }) &&
         track.values.size() == track.times.size() * perKey;
}

bool isSame(float a, float b) {
  return a == b;
}
bool isSame(const glm::vec3& a, const glm::vec3& b) {
  return a == b;
}
bool isSame(const glm::quat& a, const glm::quat& b) {
  return a == b || a == -b;
}

// Keeps valid keys in ascending order. Several keys at one time are a jump from the first to the
// last of them, which counts at the time itself.
template <class Value>
void rebuild(Track<Value>& track, std::size_t perKey, KeyRepairs& repairs) {
  std::vector<std::size_t> order(track.times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t key) {
    bool bad = !std::isfinite(track.times[key]);
    for (std::size_t i = 0; i < perKey; ++i) bad = bad || !sane(track.values[key * perKey + i]);
    repairs.droppedKeys += bad ? 1 : 0;
    return bad;
  });
  const auto earlier = [&track](std::size_t a, std::size_t b) {
    return track.times[a] < track.times[b];
  };
  if (!std::is_sorted(order.begin(), order.end(), earlier)) {
    ++repairs.sortedTracks;
    std::stable_sort(order.begin(), order.end(), earlier);
  }
  Track<Value> result;
  result.interpolation = track.interpolation;
  const auto add = [&](std::size_t key, double time) {
    result.times.push_back(time);
    const auto first = track.values.begin() + static_cast<std::ptrdiff_t>(key * perKey);
    result.values.insert(result.values.end(), first, first + static_cast<std::ptrdiff_t>(perKey));
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t key = order[i];
    const double time = track.times[key];
    std::size_t last = key;
    while (i + 1 < order.size() && track.times[order[i + 1]] == time) last = order[++i];
    // A stepped track jumps anyway, and nothing comes before the first key.
    const bool jumps =
        last != key && track.interpolation != Interpolation::Step && !result.times.empty() &&
        time - kJumpSeconds > result.times.back() &&
        !isSame(track.values[key * perKey + perKey / 2], track.values[last * perKey + perKey / 2]);
    if (jumps) add(key, time - kJumpSeconds);
    add(last, time);
    // A cubic key that is there twice arrives by the tangent of the first.
    if (!jumps && perKey > 1)
      result.values[result.values.size() - perKey] = track.values[key * perKey];
  }
  track = std::move(result);
}

template <class Value>
void repairAny(Track<Value>& track, KeyRepairs& repairs) {
  const std::size_t perKey = track.interpolation == Interpolation::Cubic ? 3 : 1;
  if (!inOrder(track, perKey)) rebuild(track, perKey, repairs);
  if (track.empty()) return;
  if (track.times.back() - track.times.front() > kLongestClipSeconds ||
      std::abs(track.times.front()) > kLongestClipSeconds) {
    repairs.tooLong = true;
  }
}

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

void repairTrack(Track<glm::vec3>& track, KeyRepairs& repairs) {
  repairAny(track, repairs);
}
void repairTrack(Track<float>& track, KeyRepairs& repairs) {
  repairAny(track, repairs);
}

void repairTrack(Track<glm::quat>& track, KeyRepairs& repairs) {
  repairAny(track, repairs);
  const bool cubic = track.interpolation == Interpolation::Cubic;
  for (std::size_t key = 0; key < track.times.size(); ++key) {
    glm::quat& value = track.values[cubic ? 3 * key + 1 : key];
    const glm::dquat wide(value);
    const double length = glm::length(wide);
    if (length < 1e-6) {
      ++repairs.zeroRotations;
      value = glm::quat(1.0f, 0.0f, 0.0f, 0.0f);
      continue;
    }
    value = glm::quat(wide / length);
    if (cubic && std::abs(length - 1.0) > 1e-5) {
      track.values[3 * key] *= static_cast<float>(1.0 / length);
      track.values[3 * key + 2] *= static_cast<float>(1.0 / length);
    }
  }
}

void noteRepairs(const KeyRepairs& repairs, const std::string& clipName, Notes& notes) {
  if (repairs.droppedKeys > 0) {
    warn(notes, "KeysDropped",
         fmt::format("clip '{}': {} keys were not a number and were left out", clipName,
                     repairs.droppedKeys));
  }
  if (repairs.sortedTracks > 0) {
    warn(notes, "KeysSorted",
         fmt::format("clip '{}': the keys of {} tracks were out of order and were sorted", clipName,
                     repairs.sortedTracks));
  }
  if (repairs.zeroRotations > 0) {
    warn(notes, "RotationZero",
         fmt::format("clip '{}': {} rotation keys of no length became 'no rotation'", clipName,
                     repairs.zeroRotations));
  }
}

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
