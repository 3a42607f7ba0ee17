#include "core/import/worker/gltf/gltf_nodes.h"

#include <fmt/format.h>
#include <tiny_gltf.h>
#include <cmath>

#include "core/import/worker/assembly/rig_assembly.h"
#include "core/import/worker/gltf/gltf_numbers.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostNodes = 1'000'000;

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

}  // namespace ck::worker
