#include "core/skinning/rest_shape.h"

#include <utility>

#include "core/anim/pose.h"
#include "core/skinning/cpu_skinning.h"

namespace ck {
namespace {

// Reverses triangles that joints have mirrored, and their normals, which the cofactor matrix leaves
// pointing inwards.
void turnOutwards(Mesh& mesh, const std::vector<bool>& mirrored) {
  for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
    if (mirrored[v]) mesh.normals[v] = -mesh.normals[v];
  }
  for (std::size_t first = 0; first + 2 < mesh.indices.size(); first += 3) {
    std::uint32_t* corners = mesh.indices.data() + first;
    if (mirrored[corners[0]] && mirrored[corners[1]] && mirrored[corners[2]]) {
      std::swap(corners[1], corners[2]);
    }
  }
}

Mesh standing(const Mesh& mesh, std::span<const glm::dmat4> matrices) {
  const SkinnedMesh posed =
      skinMesh(mesh, matrices, {.influenceLimit = 0, .morphWeights = mesh.defaultMorphWeights});
  Mesh out;
  out.name = mesh.name;
  out.material = mesh.material;
  out.uvs = mesh.uvs;
  out.indices = mesh.indices;
  out.positions.assign(posed.positions.begin(), posed.positions.end());
  out.normals.assign(posed.normals.begin(), posed.normals.end());
  out.tangents.assign(posed.tangents.begin(), posed.tangents.end());
  turnOutwards(out, posed.mirrored);
  for (std::uint32_t v = 0; v <= out.positions.size(); ++v) out.influenceStarts.push_back(v);
  out.influences.assign(out.positions.size(), {0, 1.0f});
  return out;
}

}  // namespace

Character restShape(const Character& character) {
  Character shape;
  shape.name = character.name;
  Joint root;
  root.name = "prop";
  shape.rig.joints = {root};
  shape.rig.skinJoints = {{0, glm::dmat4(1.0)}};
  const std::vector<glm::dmat4> matrices = skinMatrices(character.rig, restMatrices(character.rig));
  for (const Mesh& mesh : character.meshes) shape.meshes.push_back(standing(mesh, matrices));
  shape.materials = character.materials;
  shape.pictures = character.pictures;
  shape.source = character.source;
  return shape;
}

}  // namespace ck
