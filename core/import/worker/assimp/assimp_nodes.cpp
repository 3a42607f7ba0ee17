#include "core/import/worker/assimp/assimp_nodes.h"

#include <assimp/scene.h>

#include <cmath>

namespace ck::worker {
namespace {

glm::dmat4 convert(const aiMatrix4x4& m) {
  glm::dmat4 result(1.0);
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      result[column][row] = m[static_cast<unsigned>(row)][column];
    }
  }
  return result;
}

int metadataInt(const aiScene& scene, const char* key, int fallback) {
  int32_t value = fallback;
  if (scene.mMetaData != nullptr) scene.mMetaData->Get(key, value);
  return value;
}

// Sets the matrix row of model axis `target` to a file axis, e.g. Y to the file's up axis.
void setAxis(glm::dmat4& matrix, int target, int axis, int sign, double unit) {
  if (axis < 0 || axis > 2) axis = target;
  for (int c = 0; c < 3; ++c) matrix[c][target] = 0.0;
  matrix[axis][target] = (sign < 0 ? -1.0 : 1.0) * unit;
}

void setFbxSpace(const aiScene& source, SourceInfo& info) {
  double unitScaleFactor = 1.0;
  float asFloat = 1.0f;
  if (source.mMetaData != nullptr) {
    if (!source.mMetaData->Get("UnitScaleFactor", unitScaleFactor)) {
      if (source.mMetaData->Get("UnitScaleFactor", asFloat)) unitScaleFactor = asFloat;
    }
  }
  if (!(unitScaleFactor > 1e-9 && unitScaleFactor < 1e9)) unitScaleFactor = 1.0;
  info.unitScale = unitScaleFactor * 0.01;  // the factor is in centimetres
  const int up = metadataInt(source, "UpAxis", 1);
  setAxis(info.sourceToModel, 0, metadataInt(source, "CoordAxis", 0),
          metadataInt(source, "CoordAxisSign", 1), info.unitScale);
  setAxis(info.sourceToModel, 1, up, metadataInt(source, "UpAxisSign", 1), info.unitScale);
  setAxis(info.sourceToModel, 2, metadataInt(source, "FrontAxis", 2),
          metadataInt(source, "FrontAxisSign", 1), info.unitScale);
  // Invalid if two axes have the same direction.
  if (std::abs(glm::determinant(glm::dmat3(info.sourceToModel))) <
      0.5 * std::pow(info.unitScale, 3.0)) {
    info.sourceToModel = toMatrix({.scale = glm::dvec3(info.unitScale)});
  }
  info.upAxis = up == 0 ? "X" : up == 2 ? "Z" : "Y";
}

// For Collada, Assimp puts the file's units and axes into the root node.
void setSpaceOfRoot(const glm::dmat4& root, SourceInfo& info) {
  info.sourceToModel = root;
  info.unitScale = std::cbrt(std::abs(glm::determinant(glm::dmat3(root))));
  if (!(info.unitScale > 1e-9)) {
    info.sourceToModel = glm::dmat4(1.0);
    info.unitScale = 1.0;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (info.sourceToModel[axis][1] > 0.9 * info.unitScale)
      info.upAxis = std::string(1, "XYZ"[axis]);
  }
}

}  // namespace

int AssimpNodes::find(const std::string& name) const {
  const auto found = byName.find(name);
  if (found == byName.end()) return -1;
  for (const int node : found->second) {
    if (nodes[static_cast<std::size_t>(node)]->mNumMeshes == 0) return node;
  }
  return found->second.front();
}

AssimpNodes addAssimpNodes(const aiScene& source, RigKind kind, SourceScene& scene) {
  AssimpNodes result;
  std::vector<std::pair<const aiNode*, int>> open = {{source.mRootNode, -1}};
  while (!open.empty()) {
    const auto [node, parent] = open.back();
    open.pop_back();
    const int index = static_cast<int>(result.nodes.size());
    result.nodes.push_back(node);
    result.byName[node->mName.C_Str()].push_back(index);
    SourceNode converted;
    converted.name = node->mName.C_Str();
    converted.parent = parent;
    converted.restIsTrs = false;
    converted.restMatrix = convert(node->mTransformation);
    scene.nodes.push_back(std::move(converted));
    for (unsigned c = node->mNumChildren; c-- > 0;) open.emplace_back(node->mChildren[c], index);
  }
  glm::dmat4& root = scene.nodes.front().restMatrix;
  if (kind == RigKind::Fbx) {
    setFbxSpace(source, scene.source);
    root = glm::dmat4(1.0);
  } else if (kind == RigKind::Collada) {
    setSpaceOfRoot(root, scene.source);
    root = glm::dmat4(1.0);
  }
  return result;
}

}  // namespace ck::worker
