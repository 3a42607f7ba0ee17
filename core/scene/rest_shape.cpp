#include "core/scene/rest_shape.h"

#include "core/anim/pose.h"
#include "core/skinning/cpu_skinning.h"

namespace ck {
namespace {

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
