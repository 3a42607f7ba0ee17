#include "core/import/worker/fbx/fbx_skins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/import/worker/assembly/rig_assembly.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostInfluences = 200'000'000;  // of a mesh

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
    for (const FbxNode& entry : object.node->children()) {
      const FbxNode* id = entry.name() == "PoseNode" ? entry.find("Node") : nullptr;
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

// The shares of dual quaternions that a skin asks for. The highest of several skins counts.
void addDualShares(const FbxNode& skin, std::size_t pointCount, std::vector<float>& shares) {
  const FbxNode* type = skin.find("SkinningType");
  const std::string_view name = type == nullptr ? std::string_view() : type->text(0);
  if (name != "DualQuaternion" && name != "Blend") return;
  shares.resize(pointCount, 0.0f);
  if (name == "DualQuaternion") {
    std::fill(shares.begin(), shares.end(), 1.0f);
    return;
  }
  const FbxArray& indexes = skin.array("Indexes");
  const FbxArray& weights = skin.array("BlendWeights");
  for (std::size_t i = 0; i < indexes.size() && i < weights.size(); ++i) {
    const std::int64_t point = indexes.whole(i);
    const double weight = weights.number(i);
    if (point < 0 || static_cast<std::size_t>(point) >= pointCount || !(weight > 0.0)) continue;
    float& share = shares[static_cast<std::size_t>(point)];
    share = std::max(share, static_cast<float>(std::min(weight, 1.0)));
  }
}

// Calls add(point, entry) for the entries of a cluster that have a weight.
template <class Add>
void forEachEntry(const FbxNode& cluster, std::size_t pointCount, Add&& add) {
  const FbxArray& indexes = cluster.array("Indexes");
  const std::size_t count = std::min(indexes.size(), cluster.arraySize("Weights"));
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t point = indexes.whole(i);
    if (point < 0 || static_cast<std::size_t>(point) >= pointCount) continue;
    add(static_cast<std::size_t>(point), i);
  }
}

// Sorts the entries of all clusters by control point: counts them first, so that they are stored
// once.
Result<void> addInfluences(const std::vector<const FbxNode*>& clusters, std::size_t pointCount,
                           FbxSkin& skin) {
  std::vector<std::uint32_t> ends(pointCount + 1, 0);
  std::size_t count = 0;
  for (const FbxNode* cluster : clusters) {
    forEachEntry(*cluster, pointCount, [&](std::size_t point, std::size_t) {
      ++ends[point + 1];
      ++count;
    });
    if (count > kMostInfluences) {
      return fail(ErrorCode::LimitExceeded, "a mesh has more than 200 million weights");
    }
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  skin.influenceStarts = ends;
  skin.influences.resize(ends.back());
  for (std::size_t joint = 0; joint < clusters.size(); ++joint) {
    const FbxArray weights = clusters[joint]->floats("Weights");
    forEachEntry(*clusters[joint], pointCount, [&](std::size_t point, std::size_t entry) {
      skin.influences[ends[point]++] = {static_cast<int>(joint),
                                        static_cast<float>(weights.number(entry))};
    });
  }
  return {};
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
  std::vector<const FbxNode*> clusters;  // of the joints of `skin`
  const int own = nodes_.modelOf[static_cast<std::size_t>(model.object)];
  for (const int deformer : file_.sourcesOf(geometry, "Deformer", "Skin")) {
    addDualShares(*file_.at(deformer).node, pointCount, result.dualShares);
    for (const int cluster : file_.sourcesOf(deformer, "Deformer", "Cluster")) {
      const FbxNode& node = *file_.at(cluster).node;
      const std::vector<int> bones = file_.sourcesOf(cluster, "Model");
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
      clusters.push_back(&node);
      skin.nodes.push_back(nodes_.models[static_cast<std::size_t>(bone)].whole);
      skin.inverseBinds.push_back(*toBone * geometric);
    }
  }
  if (additive) {
    warn(
        scene_.notes, "SkinAdditive",
        fmt::format("mesh '{}': clusters that add to the motion of an associate model are taken as "
                    "ordinary ones; bake the skin to ordinary weights",
                    cleanText(mesh)));
  }
  if (skin.nodes.empty()) return result;
  if (auto ok = addInfluences(clusters, pointCount, result); !ok) {
    return tl::unexpected(ok.error());
  }
  result.skin = static_cast<int>(scene_.skins.size());
  scene_.skins.push_back(std::move(skin));
  return result;
}

void FbxSkins::finish() {
  // Without meshes the bind pose is told by these joints alone.
  const bool isPosed = scene_.meshes.empty() && !bindPose_.empty();
  if (scene_.skins.empty() && !isPosed) return;
  std::vector<char> used(scene_.nodes.size(), 0);
  for (const SourceSkin& skin : scene_.skins) {
    for (const int node : skin.nodes) used[static_cast<std::size_t>(node)] = 1;
  }
  SourceSkin others;
  for (std::size_t m = 0; m < nodes_.models.size(); ++m) {
    const FbxModel& model = nodes_.models[m];
    const std::string_view detail = file_.at(model.object).detail;
    if (used[static_cast<std::size_t>(model.whole)]) continue;
    if (detail != "LimbNode" && detail != "Limb") continue;
    others.nodes.push_back(model.whole);
    others.inverseBinds.push_back(
        affineInverse(isPosed ? boundAt(static_cast<int>(m))
                              : restGlobals_[static_cast<std::size_t>(model.whole)]));
  }
  if (!others.nodes.empty()) scene_.skins.push_back(std::move(others));
}

}  // namespace ck::worker
