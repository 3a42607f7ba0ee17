#pragma once

#include <vector>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"

namespace tinygltf {
class Model;
}

// The materials of a glTF document with their images.
namespace ck::worker {

// The sets of texture coordinates (TEXCOORD_n) that a material's maps lie on: `first` for
// SurfaceMap::uvSet 0, `second` for 1. -1: none.
struct GltfUvSets {
  int first = -1;
  int second = -1;
};

// Adds the materials, with metal and roughness for those of the specular-glossiness kind. Returns
// the sets of texture coordinates of each.
std::vector<GltfUvSets> addGltfMaterials(const tinygltf::Model& model, SourceFolder& folder,
                                         SourceScene& scene);

}  // namespace ck::worker
