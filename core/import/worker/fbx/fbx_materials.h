#pragma once

#include <vector>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"
#include "core/import/worker/fbx/fbx_scene.h"

namespace ck::worker {

// Adds the materials and their images, embedded or beside the file. The result is indexed as
// FbxScene::objects: into SourceScene::materials, or -1. Adds notes for images that cannot be read.
std::vector<int> addFbxMaterials(const FbxScene& file, SourceFolder& folder, SourceScene& scene);

}  // namespace ck::worker
