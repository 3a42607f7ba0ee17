#include "core/import/worker/fbx/fbx_meshes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/import/worker/assembly/shape_normals.h"
#include "core/import/worker/fbx/fbx_polygons.h"
#include "core/import/worker/fbx/fbx_skins.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostVertices = 20'000'000;
constexpr std::size_t kMostMeshes = 65'535;

// What makes two corners of a mesh one vertex: the control point and its attributes, to the bit.
struct VertexKey {
  std::uint32_t point;
  std::uint32_t bits[5];
  bool operator==(const VertexKey&) const = default;
};
struct VertexHash {
  std::size_t operator()(const VertexKey& key) const {
    std::size_t hash = key.point;
    for (const std::uint32_t bits : key.bits) hash = hash * 0x9E3779B97F4A7C15u + bits;
    return hash ^ hash >> 29;
  }
};

// A part of a mesh that has one material, with the control point of each vertex.
struct Part {
  Mesh mesh;
  std::vector<std::uint32_t> points;
};

// Splits a mesh by the materials of its polygons; keys are those of FbxPolygons::materials.
std::map<int, Part> splitByMaterial(const FbxPolygons& polygons) {
  std::map<int, Part> parts;
  std::map<int, std::unordered_map<VertexKey, std::uint32_t, VertexHash>> known;
  for (std::size_t p = 0; p + 1 < polygons.starts.size(); ++p) {
    Part& part = parts[polygons.materials[p]];
    auto& vertices = known[polygons.materials[p]];
    for (const std::uint32_t corner : fbxTriangles(polygons, p)) {
      const std::size_t c = polygons.starts[p] + corner;
      VertexKey key{polygons.corners[c], {}};
      if (!polygons.normals.empty()) {
        for (int i = 0; i < 3; ++i)
          key.bits[i] = std::bit_cast<std::uint32_t>(polygons.normals[c][i]);
      }
      if (!polygons.uvs.empty()) {
        for (int i = 0; i < 2; ++i)
          key.bits[3 + i] = std::bit_cast<std::uint32_t>(polygons.uvs[c][i]);
      }
      const auto [found, isNew] =
          vertices.try_emplace(key, static_cast<std::uint32_t>(part.points.size()));
      part.mesh.indices.push_back(found->second);
      if (!isNew) continue;
      part.points.push_back(key.point);
      part.mesh.positions.push_back(glm::vec3(polygons.points[key.point]));
      if (!polygons.normals.empty()) part.mesh.normals.push_back(polygons.normals[c]);
      if (!polygons.uvs.empty()) part.mesh.uvs.push_back(polygons.uvs[c]);
    }
  }
  return parts;
}

void addInfluences(const FbxSkin& skin, Part& part) {
  part.mesh.influenceStarts = {0};
  for (const std::uint32_t point : part.points) {
    const auto& all = skin.influences[point];
    part.mesh.influences.insert(part.mesh.influences.end(), all.begin(), all.end());
    part.mesh.influenceStarts.push_back(static_cast<std::uint32_t>(part.mesh.influences.size()));
  }
}

// Adds a shape as a morph target of a part.
void addTarget(const FbxShape& shape, std::size_t pointCount, NormalsFrom from, std::string name,
               Part& part, std::optional<ShapeNormals>& normals) {
  std::vector<std::int32_t> entryOf(pointCount, -1);
  for (std::size_t i = 0; i < shape.points.size(); ++i) {
    entryOf[shape.points[i]] = static_cast<std::int32_t>(i);
  }
  MorphTarget target;
  target.name = std::move(name);
  const bool own = !shape.normalDeltas.empty() && from == NormalsFrom::File;
  for (std::size_t v = 0; v < part.points.size(); ++v) {
    const std::int32_t entry = entryOf[part.points[v]];
    if (entry < 0) continue;
    const auto e = static_cast<std::size_t>(entry);
    target.vertices.push_back(static_cast<std::uint32_t>(v));
    target.positionDeltas.push_back(glm::vec3(shape.deltas[e]));
    if (own) target.normalDeltas.push_back(glm::vec3(shape.normalDeltas[e]));
  }
  if (!own && !target.vertices.empty()) {
    if (!normals) normals.emplace(part.mesh, from);
    normals->add(target);
  }
  part.mesh.morphTargets.push_back(std::move(target));
}

class MeshMaker {
 public:
  MeshMaker(const FbxScene& file, const FbxNodes& nodes, const std::vector<int>& materialOf,
            SourceScene& scene)
      : file_(file),
        nodes_(nodes),
        materialOf_(materialOf),
        skins_(file, nodes, scene),
        scene_(scene) {}

  Result<FbxShapes> make() {
    std::vector<std::string> hidden;
    for (const FbxModel& model : nodes_.models) {
      for (const int geometry : file_.sourcesOf(model.object, "Geometry", "Mesh")) {
        if (model.hidden) {
          hidden.emplace_back(file_.at(model.object).name);
          continue;
        }
        if (auto ok = addMesh(model, geometry); !ok) return tl::unexpected(ok.error());
      }
      noteOthers(model);
    }
    if (!hidden.empty()) {
      inform(
          scene_.notes, "MeshHidden",
          fmt::format("{} hidden meshes were left out, '{}' first; show them in the file to have "
                      "them",
                      hidden.size(), cleanText(hidden.front())));
    }
    skins_.finish();
    return std::move(shapes_);
  }

 private:
  Result<void> addMesh(const FbxModel& model, int geometry) {
    const std::string name(file_.at(model.object).name);
    auto polygons = readFbxPolygons(file_.at(geometry));
    if (!polygons) return tl::unexpected(polygons.error());
    if (polygons->badPolygons > 0) {
      warn(scene_.notes, "PolygonsDropped",
           fmt::format("mesh '{}': {} polygons have fewer than three corners or "
                       "corners that are not there, and were left out",
                       cleanText(name), polygons->badPolygons));
    }
    const auto skin = skins_.read(model, geometry, polygons->points.size());
    if (!skin) return tl::unexpected(skin.error());
    const std::size_t pointCount = polygons->points.size();
    auto channels = readFbxChannels(file_, geometry, pointCount, scene_.notes);
    const std::vector<int> materials = file_.sourcesOf(model.object, "Material");
    const NormalsFrom from = polygons->normals.empty() ? NormalsFrom::Computed : NormalsFrom::File;
    for (auto& [material, part] : splitByMaterial(*polygons)) {
      vertexCount_ += part.points.size();
      if (vertexCount_ > kMostVertices || scene_.meshes.size() >= kMostMeshes) {
        return fail(ErrorCode::LimitExceeded,
                    "there are more than 20 million vertices or 65535 meshes");
      }
      if (part.mesh.normals.empty()) computeNormals(part.mesh);
      part.mesh.name = name;
      const auto m = static_cast<std::size_t>(material);
      part.mesh.material = material >= 0 && m < materials.size()
                               ? materialOf_[static_cast<std::size_t>(materials[m])]
                               : -1;
      if (skin->skin >= 0) addInfluences(*skin, part);
      addShapes(channels, pointCount, from, part);
      scene_.meshes.push_back({std::move(part.mesh), skin->node, skin->skin});
    }
    for (FbxMeshChannel& channel : channels) {
      shapes_.channels.push_back(std::move(channel.channel));
    }
    return {};
  }

  void addShapes(std::vector<FbxMeshChannel>& channels, std::size_t pointCount, NormalsFrom from,
                 Part& part) {
    UniqueNames names;
    std::optional<ShapeNormals> normals;
    // Targets refer to the mesh by its number, which is that of the next one.
    const int mesh = static_cast<int>(scene_.meshes.size());
    for (FbxMeshChannel& channel : channels) {
      channel.channel.targets.push_back({mesh, static_cast<int>(part.mesh.morphTargets.size())});
      for (std::size_t s = 0; s < channel.shapes.size(); ++s) {
        const FbxShape& shape = channel.shapes[s];
        addTarget(
            shape, pointCount, from,
            names.take(shape.name, fmt::format("Target {}", part.mesh.morphTargets.size() + 1)),
            part, normals);
        part.mesh.morphTargets.back().channel = channelOf(channel.channel.object, s);
        part.mesh.defaultMorphWeights.push_back(
            static_cast<float>(channel.channel.weightOf(s, channel.channel.percent)));
      }
    }
  }

  // A shape of a channel is one target wherever its mesh is, in every part and at every model.
  int channelOf(int object, std::size_t shape) {
    const auto number = static_cast<int>(morphChannels_.size());
    return morphChannels_.emplace(std::pair(object, shape), number).first->second;
  }

  // Surfaces that are not polygons are named.
  void noteOthers(const FbxModel& model) {
    for (const int geometry : file_.sourcesOf(model.object, "Geometry")) {
      const FbxObject& object = file_.at(geometry);
      if (object.detail != "NurbsCurve" && object.detail.find("urbs") != std::string_view::npos) {
        warn(scene_.notes, "SurfaceDropped",
             fmt::format("'{}' is a NURBS surface and was left out; convert it "
                         "to polygons",
                         cleanText(file_.at(model.object).name)));
      }
    }
  }

  const FbxScene& file_;
  const FbxNodes& nodes_;
  const std::vector<int>& materialOf_;
  FbxSkins skins_;
  SourceScene& scene_;
  FbxShapes shapes_;
  std::map<std::pair<int, std::size_t>, int> morphChannels_;
  std::size_t vertexCount_ = 0;
};

}  // namespace

Result<FbxShapes> addFbxMeshes(const FbxScene& file, const FbxNodes& nodes,
                               const std::vector<int>& materialOf, SourceScene& scene) {
  return MeshMaker(file, nodes, materialOf, scene).make();
}

}  // namespace ck::worker
