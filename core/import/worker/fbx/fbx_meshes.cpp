#include "core/import/worker/fbx/fbx_meshes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "core/import/worker/assembly/shape_normals.h"
#include "core/import/worker/fbx/fbx_polygons.h"
#include "core/import/worker/fbx/fbx_skins.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostVertices = 20'000'000;
constexpr std::size_t kMostMeshes = 65'535;

// The sets of texture coordinates that the materials of a mesh use, without repetition.
class UvChoice {
 public:
  // `materials`: the objects of the model's materials.
  UvChoice(const FbxMaterials& all, const std::vector<int>& materials) {
    for (const int object : materials) {
      const int material = all.ofObject[static_cast<std::size_t>(object)];
      const FbxMaterials::UvSets& sets = all.uvSets[static_cast<std::size_t>(material)];
      pairs_.push_back({placeOf(sets.first), sets.hasSecond ? placeOf(sets.second) : -1});
    }
    if (names.empty()) names.emplace_back();
  }

  // Indexes of `names` for a material of a polygon, or -1.
  std::pair<int, int> of(int material) const {
    const auto m = static_cast<std::size_t>(material);
    return material >= 0 && m < pairs_.size() ? pairs_[m] : std::pair(0, -1);
  }

  std::vector<std::string_view> names;

 private:
  int placeOf(std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) names.push_back(name);
    return static_cast<int>(std::ranges::find(names, name) - names.begin());
  }

  std::vector<std::pair<int, int>> pairs_;
};

// Adds a shape as a morph target of a part.
void addTarget(const FbxShape& shape, std::size_t pointCount, NormalsFrom from, std::string name,
               MeshPart& part, std::optional<ShapeNormals>& normals) {
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
  MeshMaker(const FbxScene& file, const FbxNodes& nodes, const FbxMaterials& materials,
            SourceScene& scene)
      : file_(file),
        nodes_(nodes),
        materials_(materials),
        skins_(file, nodes, scene),
        scene_(scene) {}

  Result<FbxShapes> make() {
    std::vector<std::string> hidden;
    std::vector<std::string> blinking;
    std::vector<std::string> coarse;
    std::vector<std::string> hulls;
    const std::vector<char> isCoarse = coarseModels();
    const bool leavesHulls = std::ranges::any_of(nodes_.models, [this](const FbxModel& model) {
      return !isHull(model) && !file_.sourcesOf(model.object, "Geometry", "Mesh").empty();
    });
    for (const FbxModel& model : nodes_.models) {
      for (const int geometry : file_.sourcesOf(model.object, "Geometry", "Mesh")) {
        const bool isLevel = isCoarse[placeOf(model)] != 0;
        if (isLevel || (leavesHulls && isHull(model))) {
          (isLevel ? coarse : hulls).emplace_back(file_.at(model.object).name);
          continue;
        }
        if (model.hidden) {
          hidden.emplace_back(file_.at(model.object).name);
          continue;
        }
        if (model.blinks) blinking.emplace_back(file_.at(model.object).name);
        if (auto ok = addMesh(model, geometry); !ok) return tl::unexpected(ok.error());
      }
      noteOthers(model);
    }
    if (!coarse.empty()) {
      inform(
          scene_.notes, "LevelsUnused",
          fmt::format("{} meshes are coarser levels of detail, '{}' first, and were left out: the "
                      "first level of each group is shown",
                      coarse.size(), cleanText(coarse.front())));
    }
    if (!hulls.empty()) {
      inform(scene_.notes, "HullsUnused",
             fmt::format("{} meshes are a collision hull by their name, '{}' first, and were left "
                         "out",
                         hulls.size(), cleanText(hulls.front())));
    }
    if (!hidden.empty()) {
      inform(
          scene_.notes, "MeshHidden",
          fmt::format("{} hidden meshes were left out, '{}' first; show them in the file to have "
                      "them",
                      hidden.size(), cleanText(hidden.front())));
    }
    if (!blinking.empty()) {
      warn(scene_.notes, "VisibilityFixed",
           fmt::format("clips show and hide {} meshes, '{}' first; here they are always shown",
                       blinking.size(), cleanText(blinking.front())));
    }
    if (!colored_.empty()) {
      warn(
          scene_.notes, "VertexColorsUnused",
          fmt::format("{} meshes have several sets of vertex colours, '{}' first; the first set is "
                      "shown",
                      colored_.size(), cleanText(colored_.front())));
    }
    skins_.finish();
    return std::move(shapes_);
  }

 private:
  // Whether a model lies in a group of levels of detail, and not below its first child. One per
  // model.
  std::vector<char> coarseModels() const {
    std::vector<char> result(nodes_.models.size(), 0);
    std::vector<int> firstOf(nodes_.models.size(), -1);
    for (const FbxModel& model : nodes_.models) {
      if (file_.at(model.object).detail != "LodGroup") continue;
      const std::vector<int> children = file_.sourcesOf(model.object, "Model");
      if (!children.empty()) firstOf[placeOf(model)] = nodes_.modelOf[std::size_t(children[0])];
    }
    for (const int m : nodes_.order) {
      const int parent = nodes_.models[static_cast<std::size_t>(m)].parent;
      if (parent < 0) continue;
      const auto p = static_cast<std::size_t>(parent);
      result[static_cast<std::size_t>(m)] = result[p] != 0 || (firstOf[p] >= 0 && firstOf[p] != m);
    }
    return result;
  }

  std::size_t placeOf(const FbxModel& model) const {
    return static_cast<std::size_t>(nodes_.modelOf[static_cast<std::size_t>(model.object)]);
  }

  // The prefixes by which Unreal knows boxes, capsules, spheres and convex hulls for collisions.
  bool isHull(const FbxModel& model) const {
    const std::string_view name = file_.at(model.object).name;
    return std::ranges::any_of(std::array{"UBX_", "UCP_", "USP_", "UCX_", "MCDCX_"},
                               [name](const char* prefix) { return name.starts_with(prefix); });
  }

  Result<void> addMesh(const FbxModel& model, int geometry) {
    const std::string name(file_.at(model.object).name);
    const std::vector<int> materials = file_.sourcesOf(model.object, "Material");
    // Only normal maps need tangents, and every tangent of its own makes a vertex.
    const bool withTangents = std::any_of(materials.begin(), materials.end(), [this](int object) {
      const int material = materials_.ofObject[static_cast<std::size_t>(object)];
      const SurfaceMap& map = scene_.materials[static_cast<std::size_t>(material)].normal;
      return map && map.uvSet == 0;
    });
    const UvChoice uvs(materials_, materials);
    auto polygons =
        readFbxPolygons(file_.at(geometry), {.tangents = withTangents, .uvSets = uvs.names});
    if (!polygons) return tl::unexpected(polygons.error());
    if (polygons->badPolygons > 0) {
      warn(scene_.notes, "PolygonsDropped",
           fmt::format("mesh '{}': {} polygons have fewer than three corners or "
                       "corners that are not there, and were left out",
                       cleanText(name), polygons->badPolygons));
    }
    const std::size_t pointCount = polygons->points.size();
    auto parts = splitByMaterial(*polygons, [&uvs](int material) { return uvs.of(material); });
    const bool computesNormals = polygons->normals.empty() && !polygons->corners.empty();
    if (polygons->hasMoreColors) colored_.push_back(name);
    *polygons = {};  // several times as large as the parts
    const auto skin = skins_.read(model, geometry, pointCount);
    if (!skin) return tl::unexpected(skin.error());
    auto channels = readFbxChannels(file_, geometry, pointCount, scene_.notes);
    if (computesNormals) {
      inform(scene_.notes, "NormalsComputed",
             fmt::format("mesh '{}' has no normals; smooth ones were computed", cleanText(name)));
    }
    if (computesNormals) computeNormals(parts);
    const NormalsFrom from = computesNormals ? NormalsFrom::Computed : NormalsFrom::File;
    for (auto& [material, part] : parts) {
      vertexCount_ += part.points.size();
      if (vertexCount_ > kMostVertices || scene_.meshes.size() >= kMostMeshes) {
        return fail(ErrorCode::LimitExceeded,
                    "there are more than 20 million vertices or 65535 meshes");
      }
      part.mesh.name = name;
      completeNormals(part.mesh);
      const auto m = static_cast<std::size_t>(material);
      part.mesh.material = material >= 0 && m < materials.size()
                               ? materials_.ofObject[static_cast<std::size_t>(materials[m])]
                               : -1;
      if (skin->skin >= 0) addInfluences(skin->influenceStarts, skin->influences, part);
      addShapes(channels, pointCount, from, part);
      SourceMesh& added = scene_.meshes.emplace_back();
      if (!skin->dualShares.empty()) {
        for (const std::uint32_t point : part.points) {
          added.dualShares.push_back(skin->dualShares[point]);
        }
      }
      added.mesh = std::move(part.mesh);
      added.node = skin->node;
      added.skin = skin->skin;
    }
    for (FbxMeshChannel& channel : channels) {
      shapes_.channels.push_back(std::move(channel.channel));
    }
    return {};
  }

  void addShapes(std::vector<FbxMeshChannel>& channels, std::size_t pointCount, NormalsFrom from,
                 MeshPart& part) {
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
  const FbxMaterials& materials_;
  FbxSkins skins_;
  SourceScene& scene_;
  FbxShapes shapes_;
  std::map<std::pair<int, std::size_t>, int> morphChannels_;
  std::vector<std::string> colored_;  // meshes with several sets of vertex colours
  std::size_t vertexCount_ = 0;
};

}  // namespace

Result<FbxShapes> addFbxMeshes(const FbxScene& file, const FbxNodes& nodes,
                               const FbxMaterials& materials, SourceScene& scene) {
  return MeshMaker(file, nodes, materials, scene).make();
}

}  // namespace ck::worker
