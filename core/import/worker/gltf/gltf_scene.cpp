#include "core/import/worker/gltf/gltf_scene.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>
#include <map>
#include <optional>

#include "core/import/worker/assembly/rig_assembly.h"
#include "core/import/worker/assembly/shape_normals.h"
#include "core/import/worker/gltf/gltf_instances.h"
#include "core/import/worker/gltf/gltf_numbers.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostNodes = 1'000'000;
constexpr std::size_t kMostVertices = 20'000'000;
constexpr std::size_t kMostTargets = 4'096;
constexpr std::size_t kMostMeshes = 65'535;

SourceNode convertNode(const tinygltf::Node& node) {
  SourceNode result;
  result.name = node.name;
  if (node.matrix.size() == 16) {
    result.restIsTrs = false;
    for (int i = 0; i < 16; ++i) result.restMatrix[i / 4][i % 4] = node.matrix[std::size_t(i)];
    return result;
  }
  const auto vector = [](const std::vector<double>& v, double fallback) {
    return v.size() == 3 ? glm::dvec3(v[0], v[1], v[2]) : glm::dvec3(fallback);
  };
  result.rest.translation = vector(node.translation, 0.0);
  result.rest.scale = vector(node.scale, 1.0);
  if (node.rotation.size() == 4) {
    const std::vector<double>& q = node.rotation;
    result.rest.rotation = glm::dquat(q[3], q[0], q[1], q[2]);
  }
  return result;
}

void setParents(const tinygltf::Model& model, SourceScene& scene) {
  const int count = static_cast<int>(scene.nodes.size());
  int ignored = 0;
  for (int n = 0; n < count; ++n) {
    for (const int child : model.nodes[static_cast<std::size_t>(n)].children) {
      if (child < 0 || child >= count || scene.nodes[static_cast<std::size_t>(child)].parent >= 0) {
        ++ignored;
        continue;
      }
      scene.nodes[static_cast<std::size_t>(child)].parent = n;
    }
  }
  if (ignored > 0) {
    warn(scene.notes, "HierarchyRepaired",
         fmt::format(
             "{} child entries named no node, or one that has a parent already, and were left out",
             ignored));
  }
}

// Marks the nodes below the roots of the default scene. In a file without scenes all nodes are
// marked.
void markScene(const tinygltf::Model& model, SourceScene& scene) {
  if (model.scenes.empty()) return;
  const bool valid =
      model.defaultScene >= 0 && static_cast<std::size_t>(model.defaultScene) < model.scenes.size();
  const tinygltf::Scene& shown = model.scenes[valid ? std::size_t(model.defaultScene) : 0];
  for (SourceNode& node : scene.nodes) node.inScene = false;
  std::vector<int> open = shown.nodes;
  while (!open.empty()) {
    const int n = open.back();
    open.pop_back();
    if (n < 0 || static_cast<std::size_t>(n) >= scene.nodes.size()) continue;
    SourceNode& node = scene.nodes[static_cast<std::size_t>(n)];
    if (node.inScene) continue;
    node.inScene = true;
    const std::vector<int>& children = model.nodes[static_cast<std::size_t>(n)].children;
    open.insert(open.end(), children.begin(), children.end());
  }
}

Result<std::vector<glm::dmat4>> inverseBinds(const tinygltf::Model& model,
                                             const tinygltf::Skin& skin, const std::string& name) {
  std::vector<glm::dmat4> matrices(skin.joints.size(), glm::dmat4(1.0));
  if (skin.inverseBindMatrices < 0) return matrices;
  const auto rows = readFloats(model, skin.inverseBindMatrices, 16, kMostNodes);
  if (!rows) return tl::unexpected(rows.error());
  if (rows->rows < matrices.size()) {
    return fail(ErrorCode::InvalidInput, fmt::format("skin '{}' has {} joints but {} bind matrices",
                                                     name, matrices.size(), rows->rows));
  }
  for (std::size_t m = 0; m < matrices.size(); ++m) {
    for (int i = 0; i < 16; ++i) matrices[m][i / 4][i % 4] = rows->row(m)[i];
    if (!isSane(matrices[m])) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("skin '{}' has a bind matrix that is not a number", name));
    }
    // A bind matrix must be affine; some exporters round its last row.
    for (int c = 0; c < 4; ++c) matrices[m][c][3] = c == 3 ? 1.0 : 0.0;
  }
  return matrices;
}

using Attributes = std::map<std::string, int>;

// The number of an accessor that stands for a share of 1: the largest of integers that are not
// marked as shares; else 1.
float rangeOf(const tinygltf::Model& model, int accessor) {
  const tinygltf::Accessor& source = model.accessors[static_cast<std::size_t>(accessor)];
  if (source.normalized) return 1.0f;
  if (source.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE) return 255.0f;
  return source.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ? 65'535.0f : 1.0f;
}

// Reads one primitive. Problems that leave the primitive usable become notes.
class PrimitiveReader {
 public:
  // `uvSets`: those of the primitive's material.
  PrimitiveReader(const tinygltf::Model& model, const GltfUvSets& uvSets, std::string name,
                  Notes& notes)
      : model_(model), uvSets_(uvSets), name_(std::move(name)), notes_(notes) {}

  Result<Mesh> read(const tinygltf::Primitive& primitive) {
    if (auto ok = readPositions(primitive.attributes); !ok) return tl::unexpected(ok.error());
    if (auto ok = readTriangles(primitive); !ok) return tl::unexpected(ok.error());
    readStreams(primitive);
    if (auto ok = readInfluences(primitive.attributes); !ok) return tl::unexpected(ok.error());
    if (auto ok = readTargets(primitive); !ok) return tl::unexpected(ok.error());
    return std::move(mesh_);
  }

 private:
  void note(const char* code, std::string message) {
    warn(notes_, code, fmt::format("mesh '{}': {}", name_, message));
  }

  static int find(const Attributes& attributes, const std::string& name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? -1 : found->second;
  }

  // Reads an attribute if its length matches the vertices; otherwise it is empty, with a note.
  std::optional<NumberRows> stream(const Attributes& attributes, const std::string& name,
                                   std::size_t components) {
    const int accessor = find(attributes, name);
    if (accessor < 0) return std::nullopt;
    if (accessorRows(model_, accessor) != mesh_.positions.size()) {
      note("StreamDropped", fmt::format("{} has {} values for {} vertices and was left out", name,
                                        accessorRows(model_, accessor), mesh_.positions.size()));
      return std::nullopt;
    }
    auto rows = readFloats(model_, accessor, components, kMostVertices);
    bool good = rows.has_value();
    for (std::size_t i = 0; good && i < rows->values.size(); ++i) {
      good = std::abs(rows->values[i]) < 1e15f;
    }
    if (!good) {
      note("StreamDropped",
           fmt::format("{} cannot be read and was left out ({})", name,
                       rows ? "numbers that are not finite" : rows.error().message.c_str()));
      return std::nullopt;
    }
    return std::move(*rows);
  }

  Result<void> readPositions(const Attributes& attributes) {
    const int accessor = find(attributes, "POSITION");
    if (accessor < 0) {
      return fail(ErrorCode::InvalidInput, fmt::format("mesh '{}' has no positions", name_));
    }
    const auto rows = readFloats(model_, accessor, 3, kMostVertices);
    if (!rows) return tl::unexpected(rows.error());
    mesh_.positions.reserve(rows->rows);
    for (std::size_t v = 0; v < rows->rows; ++v) {
      const float* p = rows->row(v);
      if (!(std::abs(p[0]) < 1e15f && std::abs(p[1]) < 1e15f && std::abs(p[2]) < 1e15f)) {
        return fail(ErrorCode::InvalidInput,
                    fmt::format("mesh '{}': the position of vertex {} is not a number", name_, v));
      }
      mesh_.positions.emplace_back(p[0], p[1], p[2]);
    }
    return {};
  }

  Result<void> readTriangles(const tinygltf::Primitive& primitive) {
    std::vector<std::uint32_t> corners;
    if (primitive.indices >= 0) {
      auto read = readIntegers(model_, primitive.indices, 1, kMostVertices * 6);
      if (!read) return tl::unexpected(read.error());
      corners = std::move(*read);
    } else {
      corners.resize(mesh_.positions.size());
      for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = static_cast<std::uint32_t>(i);
    }
    for (const std::uint32_t corner : corners) {
      if (corner >= mesh_.positions.size()) {
        return fail(ErrorCode::InvalidInput, fmt::format("mesh '{}' names vertex {} of {}", name_,
                                                         corner, mesh_.positions.size()));
      }
    }
    const bool strip = primitive.mode == TINYGLTF_MODE_TRIANGLE_STRIP;
    const bool fan = primitive.mode == TINYGLTF_MODE_TRIANGLE_FAN;
    if (!strip && !fan) {
      if (corners.size() % 3 != 0) {
        note("TrianglesCut", "the last triangle is not complete and was left out");
        corners.resize(corners.size() - corners.size() % 3);
      }
      mesh_.indices = std::move(corners);
      return {};
    }
    for (std::size_t i = 0; i + 2 < corners.size(); ++i) {
      const std::uint32_t a = fan ? corners[0] : corners[i];
      // Every second triangle of a strip has reversed winding.
      const bool swap = strip && i % 2 == 1;
      mesh_.indices.push_back(a);
      mesh_.indices.push_back(corners[swap ? i + 2 : i + 1]);
      mesh_.indices.push_back(corners[swap ? i + 1 : i + 2]);
    }
    return {};
  }

  void readStreams(const tinygltf::Primitive& primitive) {
    if (const auto rows = stream(primitive.attributes, "NORMAL", 3)) {
      for (std::size_t v = 0; v < rows->rows; ++v) {
        mesh_.normals.push_back(direction(glm::make_vec3(rows->row(v))).value_or(glm::vec3(0.0f)));
      }
    }
    normalsComputed_ = mesh_.normals.empty();
    if (normalsComputed_) {
      inform(notes_, "NormalsComputed",
             fmt::format("mesh '{}' has no normals; smooth ones were computed", name_));
    }
    completeNormals(mesh_);
    // Tangents are only valid together with normals of the file (glTF 2.0, 3.7.2.1).
    const auto tangents =
        normalsComputed_ ? std::nullopt : stream(primitive.attributes, "TANGENT", 4);
    if (tangents) {
      for (std::size_t v = 0; v < tangents->rows; ++v) {
        const float* t = tangents->row(v);
        mesh_.tangents.emplace_back(direction(glm::make_vec3(t)).value_or(glm::vec3(1, 0, 0)),
                                    t[3] < 0.0f ? -1.0f : 1.0f);
      }
    }
    mesh_.uvs = readUvs(primitive.attributes, std::max(uvSets_.first, 0));
    if (uvSets_.second >= 0) mesh_.secondUvs = readUvs(primitive.attributes, uvSets_.second);
    readColors(primitive.attributes);
  }

  std::vector<glm::vec2> readUvs(const Attributes& attributes, int set) {
    std::vector<glm::vec2> uvs;
    const auto rows = stream(attributes, fmt::format("TEXCOORD_{}", set), 2);
    for (std::size_t v = 0; rows && v < rows->rows; ++v) {
      uvs.push_back(glm::make_vec2(rows->row(v)));
    }
    return uvs;
  }

  // Colours that are all white are no colours.
  void readColors(const Attributes& attributes) {
    const auto rows = stream(attributes, "COLOR_0", 0);
    if (rows && (rows->components == 3 || rows->components == 4)) {
      // Integers are shares of their range (glTF 2.0, 3.7.2.1), which some exporters do not say.
      const float range = rangeOf(model_, find(attributes, "COLOR_0"));
      bool white = true;
      for (std::size_t v = 0; v < rows->rows; ++v) {
        const float* row = rows->row(v);
        const float alpha = rows->components == 4 ? row[3] / range : 1.0f;
        const glm::vec4 color(glm::make_vec3(row) / range, alpha);
        white = white && color == glm::vec4(1.0f);
        mesh_.colors.push_back(glm::max(color, 0.0f));
      }
      if (white) mesh_.colors.clear();
    } else if (rows) {
      note("StreamDropped",
           fmt::format("COLOR_0 has {} numbers a vertex and was left out; a colour "
                       "has 3 or 4",
                       rows->components));
    }
    if (find(attributes, "COLOR_1") >= 0) {
      note("VertexColorsUnused", "it has further sets of colours (COLOR_1), which are not shown");
    }
  }

  Result<void> readInfluences(const Attributes& attributes) {
    std::vector<std::vector<std::uint32_t>> joints;
    std::vector<NumberRows> weights;
    for (int set = 0; set < 64; ++set) {
      const std::string jointName = fmt::format("JOINTS_{}", set);
      const std::string weightName = fmt::format("WEIGHTS_{}", set);
      const int jointAccessor = find(attributes, jointName);
      const int weightAccessor = find(attributes, weightName);
      if (jointAccessor < 0 && weightAccessor < 0) break;
      if (jointAccessor < 0 || weightAccessor < 0) {
        note(jointAccessor < 0 ? "WeightsWithoutJoints" : "JointsWithoutWeights",
             fmt::format("{} has no {} beside it and was left out",
                         jointAccessor < 0 ? weightName : jointName,
                         jointAccessor < 0 ? jointName : weightName));
        continue;
      }
      const std::size_t vertexCount = mesh_.positions.size();
      if (accessorRows(model_, jointAccessor) != vertexCount ||
          accessorRows(model_, weightAccessor) != vertexCount) {
        return fail(ErrorCode::InvalidInput,
                    fmt::format("mesh '{}' has {} vertices but {} rows of joints and {} of weights",
                                name_, vertexCount, accessorRows(model_, jointAccessor),
                                accessorRows(model_, weightAccessor)));
      }
      auto jointRows = readIntegers(model_, jointAccessor, 4, kMostVertices);
      if (!jointRows) return tl::unexpected(jointRows.error());
      auto weightRows = readFloats(model_, weightAccessor, 4, kMostVertices);
      if (!weightRows) return tl::unexpected(weightRows.error());
      joints.push_back(std::move(*jointRows));
      weights.push_back(std::move(*weightRows));
    }
    mesh_.influenceStarts.reserve(mesh_.positions.size() + 1);
    mesh_.influenceStarts.push_back(0);
    for (std::size_t v = 0; v < mesh_.positions.size(); ++v) {
      for (std::size_t i = v * 4; i < v * 4 + 4; ++i) {
        for (std::size_t set = 0; set < joints.size(); ++set) {
          const float weight = weights[set].values[i];
          if (weight == 0.0f) continue;
          const std::uint32_t joint = std::min<std::uint32_t>(joints[set][i], 1u << 30);
          mesh_.influences.push_back({static_cast<int>(joint), weight});
        }
      }
      mesh_.influenceStarts.push_back(static_cast<std::uint32_t>(mesh_.influences.size()));
    }
    return {};
  }

  Result<void> readTargets(const tinygltf::Primitive& primitive) {
    if (primitive.targets.size() > kMostTargets) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("mesh '{}' has {} morph targets, more than the limit of {}", name_,
                              primitive.targets.size(), kMostTargets));
    }
    // Computed normals follow the morphed surface; normals of the file use the file's deltas.
    std::optional<ShapeNormals> shaded;
    if (normalsComputed_ && !primitive.targets.empty())
      shaded.emplace(mesh_, NormalsFrom::Computed);
    for (const Attributes& attributes : primitive.targets) {
      const auto positions = stream(attributes, "POSITION", 3);
      const auto normals = stream(attributes, "NORMAL", 3);
      const auto tangents = normalsComputed_ ? std::nullopt : stream(attributes, "TANGENT", 3);
      MorphTarget target;
      const auto row = [](const std::optional<NumberRows>& rows, std::size_t v) {
        return rows ? glm::make_vec3(rows->row(v)) : glm::vec3(0.0f);
      };
      for (std::size_t v = 0; v < mesh_.positions.size(); ++v) {
        const glm::vec3 zero(0.0f);
        const glm::vec3 position = row(positions, v);
        const glm::vec3 normal = row(normals, v);
        const glm::vec3 tangent = row(tangents, v);
        if (position == zero && normal == zero && tangent == zero) continue;
        target.vertices.push_back(static_cast<std::uint32_t>(v));
        target.positionDeltas.push_back(position);
        if (normals) target.normalDeltas.push_back(normal);
        if (tangents) target.tangentDeltas.push_back(tangent);
      }
      if (shaded && !normals) shaded->add(target);
      mesh_.morphTargets.push_back(std::move(target));
    }
    return {};
  }

  const tinygltf::Model& model_;
  const GltfUvSets& uvSets_;
  std::string name_;
  Notes& notes_;
  Mesh mesh_;
  bool normalsComputed_ = false;  // whether the file has no normals
};

// The names of a primitive's targets by their accessors, as older exporters of Blender and Babylon
// have them; empty unless each target has one of its own.
std::vector<std::string> accessorNames(const tinygltf::Model& model,
                                       const tinygltf::Primitive& primitive) {
  std::vector<std::string> names;
  for (const Attributes& target : primitive.targets) {
    const auto found = target.find("POSITION");
    const bool valid = found != target.end() && found->second >= 0 &&
                       static_cast<std::size_t>(found->second) < model.accessors.size();
    std::string name =
        valid ? model.accessors[static_cast<std::size_t>(found->second)].name : std::string();
    // A name that an exporter counts says less than the number of the target.
    if (name.empty() || name.starts_with("accessor") || std::ranges::count(names, name) > 0) {
      return {};
    }
    names.push_back(std::move(name));
  }
  return names;
}

// Exporters list the names of targets in the extras of the mesh or, VRM 0, of a primitive.
void nameTargets(const tinygltf::Model& model, const tinygltf::Mesh& source,
                 const tinygltf::Primitive& primitive, Mesh& mesh) {
  UniqueNames names;
  const std::vector<std::string> spare = accessorNames(model, primitive);
  for (std::size_t t = 0; t < mesh.morphTargets.size(); ++t) {
    std::string wanted;
    for (const tinygltf::Value* extras :
         {&source.extras, &primitive.extras, &source.primitives.front().extras}) {
      const tinygltf::Value& list =
          extras->Has("targetNames") ? extras->Get("targetNames") : *extras;
      if (wanted.empty() && list.IsArray() && t < list.ArrayLen() &&
          list.Get(static_cast<int>(t)).IsString()) {
        wanted = list.Get(static_cast<int>(t)).Get<std::string>();
      }
    }
    if (wanted.empty() && !spare.empty()) wanted = spare[t];
    mesh.morphTargets[t].name = names.take(wanted, fmt::format("Target {}", t + 1));
  }
}

void setDefaultWeights(const tinygltf::Node& node, const tinygltf::Mesh& source, Mesh& mesh) {
  const std::vector<double>& weights = node.weights.empty() ? source.weights : node.weights;
  mesh.defaultMorphWeights.assign(mesh.morphTargets.size(), 0.0f);
  for (std::size_t t = 0; t < mesh.morphTargets.size() && t < weights.size(); ++t) {
    if (std::abs(weights[t]) < 1e15) mesh.defaultMorphWeights[t] = static_cast<float>(weights[t]);
  }
}

bool isTriangles(int mode) {
  return mode == -1 || mode == TINYGLTF_MODE_TRIANGLES || mode == TINYGLTF_MODE_TRIANGLE_STRIP ||
         mode == TINYGLTF_MODE_TRIANGLE_FAN;
}

}  // namespace

Result<void> addGltfNodes(const tinygltf::Model& model, SourceScene& scene) {
  if (model.nodes.size() > kMostNodes) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("there are {} nodes, more than the limit of {}", model.nodes.size(),
                            kMostNodes));
  }
  for (const tinygltf::Node& node : model.nodes) scene.nodes.push_back(convertNode(node));
  setParents(model, scene);
  markScene(model, scene);
  return {};
}

Result<void> addGltfSkins(const tinygltf::Model& model, SourceScene& scene) {
  int outside = 0;
  for (std::size_t s = 0; s < model.skins.size(); ++s) {
    const tinygltf::Skin& source = model.skins[s];
    SourceSkin skin;
    const std::string name =
        source.name.empty() ? fmt::format("{}", s + 1) : cleanText(source.name);
    if (source.joints.empty()) {
      return fail(ErrorCode::InvalidInput, fmt::format("skin '{}' has no joints", name));
    }
    for (const int node : source.joints) {
      if (node < 0 || static_cast<std::size_t>(node) >= scene.nodes.size()) {
        return fail(ErrorCode::InvalidInput,
                    fmt::format("skin '{}' names node {} of {}", name, node, scene.nodes.size()));
      }
      outside += scene.nodes[static_cast<std::size_t>(node)].inScene ? 0 : 1;
    }
    skin.nodes = source.joints;
    auto binds = inverseBinds(model, source, name);
    if (!binds) return tl::unexpected(binds.error());
    skin.inverseBinds = std::move(*binds);
    scene.skins.push_back(std::move(skin));
  }
  if (outside > 0) {
    warn(scene.notes, "JointsOutsideScene",
         fmt::format(
             "{} joints of skins are not in the scene; they are used where the file has them",
             outside));
  }
  return {};
}

Result<void> addGltfMeshes(const tinygltf::Model& model, const std::vector<GltfUvSets>& uvSets,
                           SourceScene& scene) {
  // A mesh used by several nodes is read once and copied; the last node gets the original.
  std::map<std::pair<int, std::size_t>, Mesh> known;
  std::map<int, int> nodesLeft;
  for (const tinygltf::Node& node : model.nodes) ++nodesLeft[node.mesh];
  std::size_t vertexCount = 0;
  int skipped = 0;
  int withoutMaterial = 0;
  std::string firstWithout;
  int channelCount = 0;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const tinygltf::Node& node = model.nodes[n];
    if (!scene.nodes[n].inScene || node.mesh < 0) continue;
    if (static_cast<std::size_t>(node.mesh) >= model.meshes.size() ||
        node.skin >= static_cast<int>(model.skins.size())) {
      return fail(
          ErrorCode::InvalidInput,
          fmt::format("node '{}' names a mesh or skin that is not there", cleanText(node.name)));
    }
    const tinygltf::Mesh& source = model.meshes[static_cast<std::size_t>(node.mesh)];
    const bool isLast = --nodesLeft[node.mesh] == 0;
    const auto instances = gltfInstances(model, node, scene.notes);
    if (!instances) return tl::unexpected(instances.error());
    // The weights of targets belong to the node; its primitives share them (glTF 2.0, 3.7.2.2).
    const int firstChannel = channelCount;
    for (std::size_t p = 0; p < source.primitives.size(); ++p) {
      if (!isTriangles(source.primitives[p].mode)) {
        ++skipped;
        continue;
      }
      // Artists see the node's name; mesh names are often "Cube.007" or shared.
      const std::string name = node.name.empty() ? source.name : node.name;
      auto found = known.find({node.mesh, p});
      if (found == known.end()) {
        const int look = source.primitives[p].material;
        const bool hasLook = look >= 0 && static_cast<std::size_t>(look) < uvSets.size();
        const GltfUvSets sets = hasLook ? uvSets[static_cast<std::size_t>(look)] : GltfUvSets{};
        auto mesh =
            PrimitiveReader(model, sets, cleanText(name), scene.notes).read(source.primitives[p]);
        if (!mesh) return tl::unexpected(mesh.error());
        nameTargets(model, source, source.primitives[p], *mesh);
        found = known.emplace(std::pair(node.mesh, p), std::move(*mesh)).first;
      }
      SourceMesh result;
      result.mesh = isLast ? std::move(found->second) : found->second;
      result.node = static_cast<int>(n);
      result.skin = node.skin;
      result.mesh.name = name;
      const int material = source.primitives[p].material;
      const bool hasMaterial =
          material >= 0 && static_cast<std::size_t>(material) < scene.materials.size();
      result.mesh.material = hasMaterial ? material : -1;
      if (material != -1 && !hasMaterial && withoutMaterial++ == 0) {
        firstWithout = fmt::format("'{}' material {}", cleanText(name), material);
      }
      setDefaultWeights(node, source, result.mesh);
      for (std::size_t t = 0; t < result.mesh.morphTargets.size(); ++t) {
        result.mesh.morphTargets[t].channel = firstChannel + static_cast<int>(t);
        channelCount = std::max(channelCount, firstChannel + static_cast<int>(t) + 1);
      }
      const std::size_t count = result.mesh.positions.size();
      vertexCount += count * std::max(instances->size(), std::size_t{1});
      if (vertexCount > kMostVertices || scene.meshes.size() >= kMostMeshes) {
        return fail(ErrorCode::LimitExceeded,
                    "there are more than 20 million vertices or 65535 meshes");
      }
      if (!instances->empty()) result.mesh = repeated(result.mesh, *instances);
      scene.meshes.push_back(std::move(result));
    }
  }
  if (skipped > 0) {
    warn(scene.notes, "PrimitiveSkipped",
         fmt::format("{} primitives are points or lines and were left out", skipped));
  }
  if (withoutMaterial > 0) {
    warn(
        scene.notes, "MaterialMissing",
        fmt::format("{} primitives name a material that is not among the {} of the file ({}); they "
                    "are shown plain",
                    withoutMaterial, scene.materials.size(), firstWithout));
  }
  return {};
}

}  // namespace ck::worker
