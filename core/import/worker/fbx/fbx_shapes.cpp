#include "core/import/worker/fbx/fbx_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

bool isSane(const glm::dvec3& v) {
  return std::abs(v.x) < 1e15 && std::abs(v.y) < 1e15 && std::abs(v.z) < 1e15;
}

glm::dvec3 vectorAt(const FbxArray& numbers, std::size_t index) {
  return {numbers.number(3 * index), numbers.number(3 * index + 1), numbers.number(3 * index + 2)};
}

// `weights`: in percent, one per entry, or empty.
FbxShape readShape(const FbxObject& object, const FbxArray& weights, std::size_t pointCount) {
  const FbxArray& indexes = object.node->array("Indexes");
  const FbxArray& vertices = object.node->array("Vertices");
  const FbxArray& normals = object.node->array("Normals");
  FbxShape shape;
  shape.name = object.name;
  std::vector<std::size_t> order(std::min(indexes.size(), vertices.size() / 3));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) {
    const std::int64_t point = indexes.whole(i);
    return point < 0 || static_cast<std::size_t>(point) >= pointCount ||
           !isSane(vectorAt(vertices, i));
  });
  std::stable_sort(order.begin(), order.end(), [&indexes](std::size_t a, std::size_t b) {
    return indexes.whole(a) < indexes.whole(b);
  });
  bool anyNormal = false;
  for (const std::size_t i : order) {
    const auto point = static_cast<std::uint32_t>(indexes.whole(i));
    if (!shape.points.empty() && shape.points.back() == point) continue;
    const double weight = weights.size() > 0 ? weights.number(i) * 0.01 : 1.0;
    const glm::dvec3 normal = vectorAt(normals, i) * weight;
    shape.points.push_back(point);
    shape.deltas.push_back(vectorAt(vertices, i) * weight);
    shape.normalDeltas.push_back(isSane(normal) ? normal : glm::dvec3(0.0));
    anyNormal = anyNormal || shape.normalDeltas.back() != glm::dvec3(0.0);
  }
  // Exporters without normals write zeros.
  if (!anyNormal) shape.normalDeltas.clear();
  return shape;
}

FbxMeshChannel readChannel(const FbxScene& file, int object, std::size_t pointCount) {
  FbxMeshChannel result;
  const FbxObject& source = file.at(object);
  result.channel.object = object;
  const FbxNode* own = source.node->find("DeformPercent");
  result.channel.percent =
      fbxNumber(source, "DeformPercent").value_or(own != nullptr ? own->number(0) : 0.0);
  if (!std::isfinite(result.channel.percent)) result.channel.percent = 0.0;
  const std::vector<int> shapes = file.sourcesOf(object, "Geometry", "Shape");
  const FbxArray& full = source.node->array("FullWeights");
  const FbxArray noWeights;
  struct Entry {
    double percent;
    FbxShape shape;
  };
  std::vector<Entry> entries;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const FbxObject& shape = file.at(shapes[s]);
    // Blender writes weights of a vertex group there, one per moved point.
    const bool byPoint =
        full.size() != shapes.size() && full.size() == shape.node->array("Indexes").size();
    const double regular = 100.0 * static_cast<double>(s + 1) / static_cast<double>(shapes.size());
    const double percent = full.size() == shapes.size() ? full.number(s) : regular;
    entries.push_back({std::isfinite(percent) && percent != 0.0 ? percent : regular,
                       readShape(shape, byPoint ? full : noWeights, pointCount)});
    if (shapes.size() == 1) entries.back().shape.name = source.name;
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.percent < b.percent; });
  for (Entry& entry : entries) {
    if (!result.channel.fullPercents.empty() &&
        entry.percent <= result.channel.fullPercents.back()) {
      continue;
    }
    result.channel.fullPercents.push_back(entry.percent);
    result.shapes.push_back(std::move(entry.shape));
  }
  return result;
}

}  // namespace

double FbxShapes::Channel::weightOf(std::size_t shape, double at) const {
  // Corners: the shapes at their percents, and 0 with no shape (-1).
  std::vector<std::pair<double, int>> corners = {{0.0, -1}};
  for (std::size_t s = 0; s < fullPercents.size(); ++s) {
    corners.emplace_back(fullPercents[s], static_cast<int>(s));
  }
  std::sort(corners.begin(), corners.end());
  std::size_t next = 1;
  while (next + 1 < corners.size() && corners[next].first < at) ++next;
  const auto& [from, first] = corners[next - 1];
  const auto& [to, second] = corners[next];
  const double share = (at - from) / (to - from);
  return first == static_cast<int>(shape)    ? 1.0 - share
         : second == static_cast<int>(shape) ? share
                                             : 0.0;
}

std::vector<FbxMeshChannel> readFbxChannels(const FbxScene& file, int geometry,
                                            std::size_t pointCount, Notes& notes) {
  std::vector<FbxMeshChannel> channels;
  for (const int deformer : file.sourcesOf(geometry, "Deformer", "BlendShape")) {
    for (const int channel : file.sourcesOf(deformer, "Deformer", "BlendShapeChannel")) {
      FbxMeshChannel read = readChannel(file, channel, pointCount);
      if (read.shapes.empty()) continue;
      if (read.shapes.size() > 1) {
        inform(notes, "InBetweens",
               fmt::format("morph '{}' has {} shapes at percents of their own; each is a "
                           "target, and clips drive them in turn",
                           cleanText(file.at(channel).name), read.shapes.size()));
      }
      channels.push_back(std::move(read));
    }
  }
  return channels;
}

}  // namespace ck::worker
