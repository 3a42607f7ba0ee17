#include "core/bake/vertex_error.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/bake/pose/vertex_set.h"
#include "core/morph/difference_set.h"

namespace ck {
namespace {

using Box = VertexModel::Box;

// A vertex before it is sorted into clusters.
struct Item {
  VertexModel::Place place;
  std::uint32_t index = 0;  // through all meshes
  glm::vec3 position{0.0f};
  int skinJoint = 0;  // the heaviest
  bool morphed = false;
  bool loses = false;
};

// The influences of a vertex. The drawing has the `limit` heaviest, renormalised.
std::vector<VertexModel::Influence> influencesFor(const Mesh& mesh, std::size_t vertex, int limit) {
  constexpr float kRounding = 1e-6f;
  const std::span<const Influence> all = influencesOf(mesh, vertex);
  const std::size_t kept = std::min(all.size(), static_cast<std::size_t>(limit));
  float sum = 0.0f;
  for (std::size_t i = 0; i < kept; ++i) sum += all[i].weight;
  std::vector<VertexModel::Influence> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const float weight = all[i].weight;
    float drawn = i < kept && sum > 0.0f ? weight / sum : 0.0f;
    if (std::abs(weight - drawn) <= kRounding) drawn = weight;
    result.push_back({static_cast<std::uint32_t>(all[i].skinJoint), drawn, weight - drawn});
  }
  return result;
}

bool losesWeight(const std::vector<VertexModel::Influence>& influences) {
  return std::any_of(influences.begin(), influences.end(),
                     [](const VertexModel::Influence& i) { return i.lost != 0.0f; });
}

// Vertices that joints move, each position with its influences once. Morphed ones are all kept.
std::vector<Item> itemsOf(const Character& character, const DifferenceSet& morphs, int limit,
                          const JobContext& job) {
  std::vector<Item> items;
  std::unordered_set<std::uint64_t> seen;
  std::uint32_t index = 0;
  for (std::size_t m = 0; m < character.meshes.size(); ++m) {
    const Mesh& mesh = character.meshes[m];
    for (std::size_t v = 0; v < mesh.positions.size() && !job.stopRequested(); ++v, ++index) {
      const auto influences = influencesOf(mesh, v);
      const bool morphed = morphs.placeOf[index] >= 0;
      if (influences.empty()) continue;
      if (!morphed && !seen.insert(vertexHash(mesh, v)).second) continue;
      items.push_back({{static_cast<int>(m), static_cast<int>(v)},
                       index,
                       mesh.positions[v],
                       influences.front().skinJoint,
                       morphed,
                       losesWeight(influencesFor(mesh, v, limit))});
    }
  }
  return items;
}

Box boxOf(std::span<const Item> items) {
  glm::vec3 low = items.front().position;
  glm::vec3 high = low;
  for (const Item& item : items) {
    low = glm::min(low, item.position);
    high = glm::max(high, item.position);
  }
  return {0.5f * (low + high), 0.5f * (high - low)};
}

// Splits items at the middle of the longest side of their box until a part is a cluster. Records
// the sizes of the parts.
void split(std::span<Item> items, std::vector<std::uint32_t>& counts, const JobContext& job) {
  constexpr std::size_t kClusterVertices = 24;
  if (items.size() <= kClusterVertices || job.stopRequested()) {
    counts.push_back(static_cast<std::uint32_t>(items.size()));
    return;
  }
  const glm::vec3 half = boxOf(items).half;
  int axis = half.y > half.x ? 1 : 0;
  if (half.z > half[axis]) axis = 2;
  std::sort(items.begin(), items.end(), [axis](const Item& a, const Item& b) {
    return a.position[axis] != b.position[axis] ? a.position[axis] < b.position[axis]
                                                : a.index < b.index;
  });
  split(items.first(items.size() / 2), counts, job);
  split(items.subspan(items.size() / 2), counts, job);
}

// Sorts items so that clusters are neighbours of one kind that follow one joint most. Returns the
// sizes of the clusters.
std::vector<std::uint32_t> sortIntoClusters(std::vector<Item>& items, const JobContext& job) {
  const auto kind = [](const Item& item) {
    return std::tuple(item.morphed, item.loses, item.skinJoint);
  };
  std::stable_sort(items.begin(), items.end(),
                   [&](const Item& a, const Item& b) { return kind(a) < kind(b); });
  std::vector<std::uint32_t> counts;
  for (auto first = items.begin(); first != items.end();) {
    const auto last = std::find_if(first, items.end(),
                                   [&](const Item& item) { return kind(item) != kind(*first); });
    split(std::span(first, last), counts, job);
    first = last;
  }
  return counts;
}

template <class Bound>
Bound& boundFor(std::vector<Bound>& bounds, std::uint32_t Bound::*key, std::uint32_t value) {
  const auto found = std::find_if(bounds.begin(), bounds.end(),
                                  [&](const Bound& bound) { return bound.*key == value; });
  if (found != bounds.end()) return *found;
  bounds.emplace_back();
  bounds.back().*key = value;
  return bounds.back();
}

// How the weights of each joint lie around their mean.
void setSpreads(const VertexModel& model, VertexModel::Cluster& cluster) {
  const auto count = static_cast<float>(cluster.count);
  const auto weightOf = [&model](std::uint32_t vertex, std::uint32_t joint) {
    float weight = 0.0f;
    for (std::uint32_t i = model.influenceStarts[vertex]; i < model.influenceStarts[vertex + 1];
         ++i) {
      if (model.influences[i].skinJoint == joint) weight += model.influences[i].drawn;
    }
    return weight;
  };
  for (VertexModel::JointBound& joint : cluster.joints) {
    for (std::uint32_t v = cluster.first; v < cluster.first + cluster.count; ++v) {
      joint.mean += weightOf(v, joint.skinJoint) / count;
    }
    for (std::uint32_t v = cluster.first; v < cluster.first + cluster.count; ++v) {
      joint.spread = std::max(joint.spread, std::abs(weightOf(v, joint.skinJoint) - joint.mean));
    }
  }
}

VertexModel::Cluster clusterOf(const VertexModel& model, std::span<const Item> items,
                               std::uint32_t first) {
  VertexModel::Cluster cluster;
  cluster.first = first;
  cluster.count = static_cast<std::uint32_t>(items.size());
  cluster.box = boxOf(items);
  cluster.losesInfluences = items.front().loses;
  for (std::uint32_t v = first; v < first + cluster.count; ++v) {
    float lostSum = 0.0f;
    for (std::uint32_t i = model.influenceStarts[v]; i < model.influenceStarts[v + 1]; ++i) {
      const VertexModel::Influence& influence = model.influences[i];
      auto& bound =
          boundFor(cluster.joints, &VertexModel::JointBound::skinJoint, influence.skinJoint);
      bound.drawn = std::max(bound.drawn, influence.drawn);
      bound.lost = std::max(bound.lost, std::abs(influence.lost));
      lostSum += influence.lost;
    }
    cluster.lostSum = std::max(cluster.lostSum, std::abs(lostSum));
    for (std::uint32_t i = model.deltaStarts[v]; i < model.deltaStarts[v + 1]; ++i) {
      auto& bound =
          boundFor(cluster.morphs, &VertexModel::MorphBound::morph, model.deltas[i].morph);
      bound.length = std::max(bound.length, glm::length(model.deltas[i].position));
    }
  }
  setSpreads(model, cluster);
  return cluster;
}

std::vector<Box> jointBoxesOf(const VertexModel& model, std::size_t jointCount) {
  std::vector<glm::vec3> low(jointCount, glm::vec3(1.0f));
  std::vector<glm::vec3> high(jointCount, glm::vec3(-1.0f));
  std::vector<char> used(jointCount, 0);
  for (std::size_t v = 0; v < model.places.size(); ++v) {
    for (std::uint32_t i = model.influenceStarts[v]; i < model.influenceStarts[v + 1]; ++i) {
      const std::uint32_t joint = model.influences[i].skinJoint;
      low[joint] = used[joint] ? glm::min(low[joint], model.positions[v]) : model.positions[v];
      high[joint] = used[joint] ? glm::max(high[joint], model.positions[v]) : model.positions[v];
      used[joint] = 1;
    }
  }
  std::vector<Box> boxes;
  for (std::size_t j = 0; j < jointCount; ++j) {
    boxes.push_back({0.5f * (low[j] + high[j]), 0.5f * (high[j] - low[j])});
  }
  return boxes;
}

// The morphs of every vertex of the character.
std::vector<std::vector<VertexModel::Delta>> deltasOf(const DifferenceSet& set) {
  std::vector<std::vector<VertexModel::Delta>> deltas(set.vertices.size());
  for (std::size_t m = 0; m < set.morphs.size(); ++m) {
    const DifferenceMesh& morph = set.morphs[m];
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      if (morph.positions[i] == glm::vec3(0.0f)) continue;
      deltas[morph.places[i]].push_back({static_cast<std::uint32_t>(m), morph.positions[i]});
    }
  }
  return deltas;
}

}  // namespace

VertexModel vertexModelOf(const Character& character, const MorphSet& morphs, int influences,
                          const JobContext& job) {
  const DifferenceSet differences = differenceSet(character, morphs, job);
  if (job.stopRequested()) return {};
  const auto deltas = deltasOf(differences);
  std::vector<Item> items = itemsOf(character, differences, influences, job);
  const std::vector<std::uint32_t> counts = sortIntoClusters(items, job);
  VertexModel model;
  model.influenceStarts.push_back(0);
  model.deltaStarts.push_back(0);
  for (const Item& item : items) {
    if (job.stopRequested()) return {};
    const Mesh& mesh = character.meshes[static_cast<std::size_t>(item.place.mesh)];
    const auto own = influencesFor(mesh, static_cast<std::size_t>(item.place.vertex), influences);
    model.places.push_back(item.place);
    model.positions.push_back(item.position);
    model.influences.insert(model.influences.end(), own.begin(), own.end());
    model.influenceStarts.push_back(static_cast<std::uint32_t>(model.influences.size()));
    if (item.morphed) {
      const auto& moved = deltas[static_cast<std::size_t>(differences.placeOf[item.index])];
      model.deltas.insert(model.deltas.end(), moved.begin(), moved.end());
    }
    model.deltaStarts.push_back(static_cast<std::uint32_t>(model.deltas.size()));
  }
  std::uint32_t first = 0;
  for (const std::uint32_t count : counts) {
    model.clusters.push_back(clusterOf(model, std::span(items).subspan(first, count), first));
    first += count;
  }
  model.jointBoxes = jointBoxesOf(model, character.rig.skinJoints.size());
  const std::size_t samples = std::min(items.size(), VertexModel::kMostSamples);
  for (std::size_t i = 0; i < samples; ++i) {
    model.samples.push_back(static_cast<std::uint32_t>(i * items.size() / samples));
  }
  return model;
}

VertexComparison::VertexComparison(const VertexModel& model)
    : model_(model), reaches_(model.jointBoxes.size()) {
  needsPoses_ = !model.deltas.empty() ||
                std::any_of(model.clusters.begin(), model.clusters.end(),
                            [](const auto& cluster) { return cluster.losesInfluences; });
}

float VertexComparison::reachOf(const Affine& m, const Box& box) {
  const glm::vec3 center = m.x * box.center.x + m.y * box.center.y + m.z * box.center.z + m.t;
  const glm::vec3 half =
      glm::abs(m.x) * box.half.x + glm::abs(m.y) * box.half.y + glm::abs(m.z) * box.half.z;
  return glm::length(center) + glm::length(half);
}

void VertexComparison::prepare(const PosePair& pair) {
  const auto narrow = [](const glm::dmat4& m) {
    return Affine{glm::vec3(m[0]), glm::vec3(m[1]), glm::vec3(m[2]), glm::vec3(m[3])};
  };
  differences_.clear();
  source_.clear();
  drawn_.clear();
  for (std::size_t j = 0; j < reaches_.size(); ++j) {
    differences_.push_back(narrow(pair.source[j] - pair.drawn[j]));
    const Box& box = model_.jointBoxes[j];
    reaches_[j] = box.half.x < 0.0f ? 0.0f : reachOf(differences_.back(), box);
    if (!needsPoses_) continue;
    source_.push_back(narrow(pair.source[j]));
    drawn_.push_back(narrow(pair.drawn[j]));
  }
  morphWeights_.assign(pair.sourceMorphs.begin(), pair.sourceMorphs.end());
  morphOffs_.clear();
  morphing_ = false;
  for (std::size_t m = 0; m < morphWeights_.size(); ++m) {
    morphOffs_.push_back(morphWeights_[m] - pair.drawnMorphs[m]);
    morphing_ = morphing_ || morphWeights_[m] != 0.0f || morphOffs_[m] != 0.0f;
  }
}

// The influences that are not drawn: the sum of lost_i S_i v. Were the lost weights to sum to zero,
// any matrix could be taken from every S_i; that of the first joint is.
float VertexComparison::lostBound(const VertexModel::Cluster& cluster, const Box& box) const {
  const Affine& first = source_[cluster.joints.front().skinJoint];
  float bound = cluster.lostSum * reachOf(first, box);
  for (const VertexModel::JointBound& joint : cluster.joints) {
    const Affine& own = source_[joint.skinJoint];
    const Affine apart{own.x - first.x, own.y - first.y, own.z - first.z, own.t - first.t};
    bound += joint.lost * reachOf(apart, box);
  }
  return bound;
}

// An upper bound of the error of all vertices of a cluster. The drawn weights sum to one, so the
// largest single joint bounds their sum.
float VertexComparison::boundOf(const VertexModel::Cluster& cluster) const {
  Box box = cluster.box;
  float unmorphed = 0.0f;
  if (morphing_ && !cluster.morphs.empty()) {
    float moved = 0.0f;
    float off = 0.0f;
    for (const VertexModel::MorphBound& morph : cluster.morphs) {
      moved += std::abs(morphWeights_[morph.morph]) * morph.length;
      off += std::abs(morphOffs_[morph.morph]) * morph.length;
    }
    box.half += moved;
    float stretch = 0.0f;
    for (const VertexModel::JointBound& joint : cluster.joints) {
      const Affine& m = drawn_[joint.skinJoint];
      stretch = std::max(stretch, glm::dot(m.x, m.x) + glm::dot(m.y, m.y) + glm::dot(m.z, m.z));
    }
    unmorphed = off * std::sqrt(stretch);
  }
  float largest = 0.0f;
  float sum = 0.0f;
  for (const VertexModel::JointBound& joint : cluster.joints) {
    if (joint.drawn <= 0.0f) continue;
    const float reach = reachOf(differences_[joint.skinJoint], box);
    largest = std::max(largest, reach);
    sum += joint.drawn * reach;
  }
  const float lost = cluster.losesInfluences ? lostBound(cluster, box) : 0.0f;
  return std::min(largest, sum) + lost + unmorphed;
}

float VertexComparison::squaredError(std::uint32_t vertex) const {
  glm::vec3 p = model_.positions[vertex];
  glm::vec3 off(0.0f);
  const std::uint32_t firstDelta = model_.deltaStarts[vertex];
  const std::uint32_t lastDelta = model_.deltaStarts[vertex + 1];
  for (std::uint32_t i = firstDelta; morphing_ && i < lastDelta; ++i) {
    const VertexModel::Delta& delta = model_.deltas[i];
    p += morphWeights_[delta.morph] * delta.position;
    off += morphOffs_[delta.morph] * delta.position;
  }
  glm::vec3 error(0.0f);
  for (std::uint32_t i = model_.influenceStarts[vertex]; i < model_.influenceStarts[vertex + 1];
       ++i) {
    const VertexModel::Influence& influence = model_.influences[i];
    const Affine& d = differences_[influence.skinJoint];
    error += influence.drawn * (d.x * p.x + d.y * p.y + d.z * p.z + d.t);
    if (needsPoses_ && influence.lost != 0.0f) {
      const Affine& s = source_[influence.skinJoint];
      error += influence.lost * (s.x * p.x + s.y * p.y + s.z * p.z + s.t);
    }
    if (firstDelta != lastDelta) {
      const Affine& s = drawn_[influence.skinJoint];
      error += influence.drawn * (s.x * off.x + s.y * off.y + s.z * off.z);
    }
  }
  return glm::dot(error, error);
}

VertexComparison::Worst VertexComparison::worst(const PosePair& pair) {
  // Bounds are computed in float: this much more is on the safe side.
  constexpr float kSlack = 1.0001f;
  prepare(pair);
  if (model_.places.empty()) return {};
  float best = squaredError(lastWorst_);
  std::uint32_t vertex = lastWorst_;
  for (const VertexModel::Cluster& cluster : model_.clusters) {
    const float bestLength = std::sqrt(best);
    if (!cluster.losesInfluences && (!morphing_ || cluster.morphs.empty())) {
      float reach = 0.0f;
      for (const auto& joint : cluster.joints) reach = std::max(reach, reaches_[joint.skinJoint]);
      if (reach * kSlack < bestLength) continue;
    }
    if (boundOf(cluster) * kSlack < bestLength) continue;
    for (std::uint32_t v = cluster.first; v < cluster.first + cluster.count; ++v) {
      const float error = squaredError(v);
      if (error > best || (error == best && v < vertex)) {
        best = error;
        vertex = v;
      }
    }
  }
  lastWorst_ = vertex;
  return {std::sqrt(static_cast<double>(best)), static_cast<int>(vertex)};
}

void VertexComparison::sample(std::vector<float>& mm, std::size_t step, std::size_t first) const {
  mm.clear();
  for (std::size_t i = first; i < model_.samples.size(); i += step) {
    mm.push_back(1000.0f * std::sqrt(squaredError(model_.samples[i])));
  }
}

}  // namespace ck
