#include "core/import/worker/fbx/fbx_skins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/import/worker/assembly/rig_assembly.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

// Sixteen numbers, column by column. Nothing if they are not there or not numbers.
std::optional<glm::dmat4> matrixOf(const FbxNode& node, std::string_view child) {
  const FbxArray& numbers = node.array(child);
  if (numbers.size() != 16) return std::nullopt;
  glm::dmat4 matrix(1.0);
  for (std::size_t i = 0; i < 16; ++i) {
    matrix[static_cast<int>(i / 4)][static_cast<int>(i % 4)] = numbers.number(i);
  }
  return isSane(matrix) ? std::optional(matrix) : std::nullopt;
}

std::unordered_map<std::int64_t, glm::dmat4> readBindPose(const FbxScene& file) {
  std::unordered_map<std::int64_t, glm::dmat4> pose;
  for (const FbxObject& object : file.objects) {
    if (object.kind != "Pose" || object.detail != "BindPose") continue;
    for (const FbxNode& entry : object.node->children) {
      const FbxNode* id = entry.name == "PoseNode" ? entry.find("Node") : nullptr;
      const auto matrix = id == nullptr ? std::nullopt : matrixOf(entry, "Matrix");
      if (matrix) pose.try_emplace(id->whole(0), *matrix);
    }
  }
  return pose;
}

// The rest transforms of all nodes in file space.
std::vector<glm::dmat4> globalsOf(const std::vector<SourceNode>& nodes) {
  std::vector<glm::dmat4> globals(nodes.size(), glm::dmat4(1.0));
  for (const int n : parentsFirst(nodes)) {
    const SourceNode& node = nodes[static_cast<std::size_t>(n)];
    globals[static_cast<std::size_t>(n)] =
        node.parent < 0 ? restMatrix(node)
                        : globals[static_cast<std::size_t>(node.parent)] * restMatrix(node);
  }
  return globals;
}

}  // namespace

FbxSkins::FbxSkins(const FbxScene& file, const FbxNodes& nodes, SourceScene& scene)
    : file_(file),
      nodes_(nodes),
      scene_(scene),
      bindPose_(readBindPose(file)),
      restGlobals_(globalsOf(scene.nodes)) {}

glm::dmat4 FbxSkins::boundAt(int model) const {
  const FbxModel& found = nodes_.models[static_cast<std::size_t>(model)];
  const auto bound = bindPose_.find(file_.at(found.object).id);
  return bound != bindPose_.end() ? bound->second
                                  : restGlobals_[static_cast<std::size_t>(found.whole)];
}

void FbxSkins::noteMethods(int deformer, const std::string& mesh) {
  const FbxNode* type = file_.at(deformer).node->find("SkinningType");
  const std::string_view name = type == nullptr ? std::string_view() : type->text(0);
  if (name != "DualQuaternion" && name != "Blend") return;
  warn(scene_.notes, "SkinningByMatrices",
       fmt::format("mesh '{}' is skinned by dual quaternions{} in the file, and "
                   "by matrices here: twisted joints lose volume",
                   cleanText(mesh), name == "Blend" ? " in part" : ""));
}

Result<FbxSkin> FbxSkins::read(const FbxModel& model, int geometry, std::size_t pointCount) {
  FbxSkin result;
  const std::string mesh(file_.at(model.object).name);
  const glm::dmat4 geometric = fbxGeometricTransform(file_.at(model.object));
  result.node = model.whole;
  if (geometric != glm::dmat4(1.0)) {
    SourceNode node;
    node.name = mesh + " (geometry)";
    node.parent = model.whole;
    node.restIsTrs = false;
    node.restMatrix = geometric;
    result.node = static_cast<int>(scene_.nodes.size());
    scene_.nodes.push_back(std::move(node));
  }
  SourceSkin skin;
  bool additive = false;
  result.influences.resize(pointCount);
  const int own = nodes_.modelOf[static_cast<std::size_t>(model.object)];
  for (const int deformer : file_.sourcesOf(geometry, "Deformer", "Skin")) {
    noteMethods(deformer, mesh);
    for (const int cluster : file_.sourcesOf(deformer, "Deformer", "Cluster")) {
      const FbxNode& node = *file_.at(cluster).node;
      const std::vector<int> bones = file_.sourcesOf(cluster, "Model");
      const FbxArray& indexes = node.array("Indexes");
      const FbxArray& weights = node.array("Weights");
      if (bones.empty()) continue;
      const FbxNode* mode = node.find("Mode");
      additive = additive || (mode != nullptr && mode->text(0) == "Additive");
      const int bone = nodes_.modelOf[static_cast<std::size_t>(bones.front())];
      auto toBone = matrixOf(node, "Transform");
      if (!toBone || !matrixOf(node, "TransformLink")) {
        const bool damaged = node.array("Transform").size() == 16 && !toBone;
        if (damaged) {
          return fail(ErrorCode::InvalidInput,
                      fmt::format("mesh '{}': the bind matrix of '{}' is not a number",
                                  cleanText(mesh), cleanText(file_.at(bones.front()).name)));
        }
        toBone = affineInverse(boundAt(bone)) * boundAt(own);
      }
      const int joint = static_cast<int>(skin.nodes.size());
      skin.nodes.push_back(nodes_.models[static_cast<std::size_t>(bone)].whole);
      skin.inverseBinds.push_back(*toBone * geometric);
      for (std::size_t i = 0; i < indexes.size() && i < weights.size(); ++i) {
        const std::int64_t point = indexes.whole(i);
        if (point < 0 || static_cast<std::size_t>(point) >= pointCount) continue;
        result.influences[static_cast<std::size_t>(point)].push_back(
            {joint, static_cast<float>(weights.number(i))});
      }
    }
  }
  if (additive) {
    warn(scene_.notes, "SkinAdditive",
         fmt::format("mesh '{}': clusters that add to a joint's motion are taken "
                     "as ordinary ones",
                     cleanText(mesh)));
  }
  if (skin.nodes.empty()) return result;
  result.skin = static_cast<int>(scene_.skins.size());
  scene_.skins.push_back(std::move(skin));
  return result;
}

void FbxSkins::finish() {
  if (scene_.skins.empty()) return;
  std::vector<char> used(scene_.nodes.size(), 0);
  for (const SourceSkin& skin : scene_.skins) {
    for (const int node : skin.nodes) used[static_cast<std::size_t>(node)] = 1;
  }
  SourceSkin others;
  for (const FbxModel& model : nodes_.models) {
    const std::string_view detail = file_.at(model.object).detail;
    if (used[static_cast<std::size_t>(model.whole)]) continue;
    if (detail != "LimbNode" && detail != "Limb") continue;
    others.nodes.push_back(model.whole);
    others.inverseBinds.push_back(
        affineInverse(restGlobals_[static_cast<std::size_t>(model.whole)]));
  }
  if (!others.nodes.empty()) scene_.skins.push_back(std::move(others));
}

}  // namespace ck::worker
