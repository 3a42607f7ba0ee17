#include "core/import/worker/assimp/assimp_scene.h"

#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/import/worker/assembly/rig_assembly.h"
#include "core/import/worker/assembly/shape_normals.h"
#include "core/import/worker/assembly/surface_maps.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostVertices = 20'000'000;
constexpr std::size_t kMostMeshes = 65'535;

glm::vec3 convert(const aiVector3D& v) {
  return {v.x, v.y, v.z};
}

bool sane(const aiVector3D& v) {
  return std::abs(v.x) < 1e15f && std::abs(v.y) < 1e15f && std::abs(v.z) < 1e15f;
}

glm::dmat4 convert(const aiMatrix4x4& m) {
  glm::dmat4 result(1.0);
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      result[column][row] = m[static_cast<unsigned>(row)][column];
    }
  }
  return result;
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

// Returns true if the normals come from the file.
Result<bool> addVertices(const aiMesh& source, const std::string& name, Mesh& mesh) {
  mesh.positions.reserve(source.mNumVertices);
  for (unsigned v = 0; v < source.mNumVertices; ++v) {
    if (!sane(source.mVertices[v])) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("mesh '{}': the position of vertex {} is not a number", name, v));
    }
    mesh.positions.push_back(convert(source.mVertices[v]));
  }
  for (unsigned f = 0; f < source.mNumFaces; ++f) {
    const aiFace& face = source.mFaces[f];
    if (face.mNumIndices != 3) continue;
    for (unsigned i = 0; i < 3; ++i) {
      if (face.mIndices[i] >= source.mNumVertices) {
        return fail(ErrorCode::InvalidInput, fmt::format("mesh '{}' names vertex {} of {}", name,
                                                         face.mIndices[i], source.mNumVertices));
      }
      mesh.indices.push_back(face.mIndices[i]);
    }
  }
  const bool normalsGood = source.HasNormals();
  for (unsigned v = 0; normalsGood && v < source.mNumVertices; ++v) {
    mesh.normals.push_back(direction(convert(source.mNormals[v])).value_or(glm::vec3(0.0f)));
  }
  completeNormals(mesh);
  return normalsGood;
}

std::vector<glm::vec2> uvsOf(const aiMesh& source, int set) {
  std::vector<glm::vec2> uvs;
  if (set < 0 || set >= AI_MAX_NUMBER_OF_TEXTURECOORDS) return uvs;
  const auto channel = static_cast<unsigned>(set);
  if (!source.HasTextureCoords(channel)) return uvs;
  for (unsigned v = 0; v < source.mNumVertices; ++v) {
    const aiVector3D& uv = source.mTextureCoords[channel][v];
    if (!sane(uv)) return {};
    uvs.emplace_back(uv.x, 1.0f - uv.y);  // Assimp's v axis points up
  }
  return uvs;
}

// Empty if all are white, within what a byte holds.
std::vector<glm::vec4> colorsOf(const aiMesh& source) {
  constexpr float kWhite = 254.0f / 255.0f;
  std::vector<glm::vec4> colors;
  bool white = true;
  for (unsigned v = 0; source.HasVertexColors(0) && v < source.mNumVertices; ++v) {
    const aiColor4D& color = source.mColors[0][v];
    white = white && color.r > kWhite && color.g > kWhite && color.b > kWhite;
    colors.push_back(linearColor({color.r, color.g, color.b, color.a}));
  }
  if (white) colors.clear();
  return colors;
}

// Sorts the bones' influences by vertex.
void addInfluences(const aiMesh& source, Mesh& mesh) {
  std::vector<std::uint32_t> counts(source.mNumVertices + 1, 0);
  const auto forEach = [&source](auto body) {
    for (unsigned b = 0; b < source.mNumBones; ++b) {
      const aiBone& bone = *source.mBones[b];
      for (unsigned w = 0; w < bone.mNumWeights; ++w) {
        const aiVertexWeight& weight = bone.mWeights[w];
        if (weight.mVertexId < source.mNumVertices) body(b, weight);
      }
    }
  };
  forEach([&counts](unsigned, const aiVertexWeight& weight) { ++counts[weight.mVertexId + 1]; });
  for (std::size_t v = 1; v < counts.size(); ++v) counts[v] += counts[v - 1];
  mesh.influenceStarts = counts;
  mesh.influences.resize(counts.back());
  forEach([&](unsigned bone, const aiVertexWeight& weight) {
    mesh.influences[counts[weight.mVertexId]++] = {static_cast<int>(bone), weight.mWeight};
  });
}

// The normals of a morph target, relative to the rest normals in `mesh`. Empty if the target has
// none.
std::vector<glm::vec3> ownNormalsOf(const aiAnimMesh& shape, const Mesh& mesh) {
  constexpr float kSame = 1e-4f;
  std::vector<glm::vec3> normals;
  if (shape.mNormals == nullptr) return normals;
  bool turns = false;
  for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
    const glm::vec3 normal = direction(convert(shape.mNormals[v])).value_or(mesh.normals[v]);
    turns = turns || glm::distance(normal, mesh.normals[v]) > kSame;
    normals.push_back(normal);
  }
  if (!turns) normals.clear();
  return normals;
}

// Shapes can only have normals of their own where the mesh has those of the file.
void addTargets(const aiMesh& source, bool normalsOfFile, Mesh& mesh) {
  UniqueNames names;
  std::optional<ShapeNormals> shaded;
  for (unsigned t = 0; t < source.mNumAnimMeshes; ++t) {
    const aiAnimMesh& shape = *source.mAnimMeshes[t];
    MorphTarget target;
    target.name = names.take(shape.mName.C_Str(), fmt::format("Target {}", t + 1));
    const bool usable = shape.mVertices != nullptr && shape.mNumVertices == source.mNumVertices;
    const std::vector<glm::vec3> normals =
        usable && normalsOfFile ? ownNormalsOf(shape, mesh) : std::vector<glm::vec3>();
    const bool ownNormals = !normals.empty();
    for (unsigned v = 0; usable && v < source.mNumVertices; ++v) {
      const glm::vec3 nothing(0.0f);
      const glm::vec3 delta =
          sane(shape.mVertices[v]) ? convert(shape.mVertices[v]) - mesh.positions[v] : nothing;
      const glm::vec3 turned = ownNormals ? normals[v] - mesh.normals[v] : nothing;
      if (delta == nothing && turned == nothing) continue;
      target.vertices.push_back(v);
      target.positionDeltas.push_back(delta);
      if (ownNormals) target.normalDeltas.push_back(turned);
    }
    if (!ownNormals && !target.vertices.empty()) {
      if (!shaded) {
        shaded.emplace(mesh, normalsOfFile ? NormalsFrom::File : NormalsFrom::Computed);
      }
      shaded->add(target);
    }
    mesh.morphTargets.push_back(std::move(target));
    const bool known = std::abs(shape.mWeight) < 1e6f;
    mesh.defaultMorphWeights.push_back(known ? shape.mWeight : 0.0f);
  }
}

// Converts the bones of a mesh to a skin. A bone without a node gets a static node.
Result<int> addSkin(const aiMesh& source, const std::string& name, const AssimpNodes& nodes,
                    SourceScene& scene) {
  SourceSkin skin;
  for (unsigned b = 0; b < source.mNumBones; ++b) {
    const aiBone& bone = *source.mBones[b];
    const glm::dmat4 inverseBind = convert(bone.mOffsetMatrix);
    if (!isSane(inverseBind)) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("mesh '{}': the bind matrix of '{}' is not a number", name,
                              cleanText(bone.mName.C_Str())));
    }
    int node = nodes.find(bone.mName.C_Str());
    if (node < 0) {
      SourceNode still;
      still.name = bone.mName.C_Str();
      still.restIsTrs = false;
      still.restMatrix = affineInverse(inverseBind);
      node = static_cast<int>(scene.nodes.size());
      scene.nodes.push_back(std::move(still));
      warn(scene.notes, "JointWithoutNode",
           fmt::format("joint '{}' is not in the hierarchy and stays still",
                       cleanText(bone.mName.C_Str())));
    }
    skin.nodes.push_back(node);
    skin.inverseBinds.push_back(inverseBind);
  }
  scene.skins.push_back(std::move(skin));
  return static_cast<int>(scene.skins.size()) - 1;
}

// Artists see the node's name.
std::string meshName(const aiNode& node, const aiMesh& mesh) {
  return node.mName.length > 0 ? node.mName.C_Str() : mesh.mName.C_Str();
}

// Gives the targets of a mesh their channels. A mesh of Assimp is one material of a controller, so
// its copies at several nodes share the weights of that controller, and so do the materials of one
// controller: meshes of one name at one node.
class MorphChannels {
 public:
  void give(const aiMesh& source, unsigned index, int node, Mesh& mesh) {
    if (mesh.morphTargets.empty()) return;
    const auto at = std::pair(node, std::string(source.mName.C_Str()));
    const auto known = firstOfMesh_.find(index);
    const auto beside = firstAtNode_.find(at);
    int first = next_;
    if (known != firstOfMesh_.end()) {
      first = known->second;
    } else if (beside != firstAtNode_.end()) {
      first = beside->second;
    }
    firstOfMesh_.emplace(index, first);
    firstAtNode_.emplace(at, first);
    for (MorphTarget& target : mesh.morphTargets) target.channel = first++;
    next_ = std::max(next_, first);
  }

 private:
  std::map<unsigned, int> firstOfMesh_;
  std::map<std::pair<int, std::string>, int> firstAtNode_;
  int next_ = 0;
};

}  // namespace

int AssimpNodes::find(const std::string& name) const {
  const auto found = byName.find(name);
  if (found == byName.end()) return -1;
  for (const int node : found->second) {
    if (nodes[static_cast<std::size_t>(node)]->mNumMeshes == 0) return node;
  }
  return found->second.front();
}

AssimpNodes addAssimpNodes(const aiScene& source, SourceScene& scene) {
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
  setSpaceOfRoot(root, scene.source);
  root = glm::dmat4(1.0);
  return result;
}

Result<void> addAssimpMeshes(const aiScene& source, const AssimpNodes& nodes,
                             const std::vector<AssimpUvSets>& uvSets, SourceScene& scene) {
  std::vector<int> skinOfMesh(source.mNumMeshes, -1);
  MorphChannels channels;
  std::size_t vertexCount = 0;
  for (std::size_t n = 0; n < nodes.nodes.size(); ++n) {
    const aiNode& node = *nodes.nodes[n];
    for (unsigned m = 0; m < node.mNumMeshes; ++m) {
      if (node.mMeshes[m] >= source.mNumMeshes) continue;
      const aiMesh& mesh = *source.mMeshes[node.mMeshes[m]];
      if (mesh.mNumVertices == 0 || mesh.mVertices == nullptr) continue;
      vertexCount += mesh.mNumVertices;
      if (vertexCount > kMostVertices || scene.meshes.size() >= kMostMeshes) {
        return fail(ErrorCode::LimitExceeded,
                    "there are more than 20 million vertices or 65535 meshes");
      }
      SourceMesh result;
      const std::string name = meshName(node, mesh);
      result.mesh.name = name;
      result.node = static_cast<int>(n);
      const auto normalsOfFile = addVertices(mesh, cleanText(name), result.mesh);
      if (!normalsOfFile) return tl::unexpected(normalsOfFile.error());
      if (!*normalsOfFile && !result.mesh.indices.empty()) {
        inform(scene.notes, "NormalsComputed",
               fmt::format("mesh '{}' has no normals; smooth ones were computed", cleanText(name)));
      }
      const bool hasLook = mesh.mMaterialIndex < uvSets.size();
      const AssimpUvSets sets = hasLook ? uvSets[mesh.mMaterialIndex] : AssimpUvSets{};
      result.mesh.uvs = uvsOf(mesh, std::max(sets.first, 0));
      result.mesh.secondUvs = uvsOf(mesh, sets.second);
      result.mesh.colors = colorsOf(mesh);
      addInfluences(mesh, result.mesh);
      addTargets(mesh, *normalsOfFile, result.mesh);
      channels.give(mesh, node.mMeshes[m], result.node, result.mesh);
      if (mesh.mNumBones > 0) {
        int& skin = skinOfMesh[node.mMeshes[m]];
        if (skin < 0) {
          const auto added = addSkin(mesh, cleanText(name), nodes, scene);
          if (!added) return tl::unexpected(added.error());
          skin = *added;
        }
        result.skin = skin;
      }
      const int material = static_cast<int>(mesh.mMaterialIndex);
      result.mesh.material = material < static_cast<int>(scene.materials.size()) ? material : -1;
      scene.meshes.push_back(std::move(result));
    }
  }
  return {};
}

}  // namespace ck::worker
