#pragma once

#include <cstddef>
#include <vector>

#include "core/export/targets/export_target.h"

namespace ck {

// The character of an atlas as a binary glTF 2.0 file, so that any program shows it in its bind
// pose and an engine can skin it from the atlas.
//
// Node j is joint j of the atlas, so JOINTS_0 counts joints of the atlas. Its global transform is
// the inverse of AtlasJoint::inverseBind. If the atlas has several roots, one more joint,
// "crowdkiln_root", is appended as their parent; influences never refer to it. `skin.skeleton` is
// left out, and no other node lies between joints, so that engines that count the nodes of a
// skeleton find the joints of the atlas and nothing else.
//
// Each mesh of the character has a node with the skin after them and one primitive, its vertices in
// the order of Character::meshes: POSITION, NORMAL, TANGENT, TEXCOORD_0, TEXCOORD_1 and COLOR_0
// where the mesh has them, JOINTS_0 and WEIGHTS_0 as drawn (Atlas::influences, renormalised),
// `skinUv`, and its morph targets as sparse accessors. Space: metres, +Y up, right-handed, facing
// +Z.
//
// Materials are written whole, images as PNG: KHR_texture_transform, KHR_materials_unlit and
// KHR_materials_emissive_strength where a material needs them. `extras.tintMask` says that alpha is
// a mask of tint and no opacity.

// Fails with LimitExceeded for files of 4 GB and more, with Internal if libpng fails, and with
// Cancelled.
Result<std::vector<std::byte>> glbBytes(const TargetInput& input, const JobContext& job = {});

// The images that it holds, all of the character's; they live as long as that does.
std::vector<const Image*> imagesOf(const Character& character);

// The files of the target "glb": `name`.mesh.glb.
Result<std::vector<TargetFile>> glbFiles(const TargetInput& input, const JobContext& job);

}  // namespace ck
