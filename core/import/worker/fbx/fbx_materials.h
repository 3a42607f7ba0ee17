#pragma once

#include <string_view>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"
#include "core/import/worker/fbx/fbx_scene.h"

namespace ck::worker {

// The materials of a file.
struct FbxMaterials {
  // Indexed as FbxScene::objects: into SourceScene::materials, or -1.
  std::vector<int> ofObject;
  // For each material, the names of the sets of texture coordinates for SurfaceMap::uvSet 0 and 1.
  // An empty name is the first set of the mesh.
  struct UvSets {
    std::string_view first = {};
    std::string_view second = {};
    bool hasSecond = false;
  };
  std::vector<UvSets> uvSets;
};

// Adds the materials and their images. Those of Lambert and Phong become surfaces without metal; of
// physical materials metal and roughness are taken. Adds notes for what is not shown.
FbxMaterials addFbxMaterials(const FbxScene& file, SourceFolder& folder, SourceScene& scene);

}  // namespace ck::worker
