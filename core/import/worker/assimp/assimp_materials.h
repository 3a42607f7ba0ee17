#pragma once

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"

struct aiScene;

// The materials of an aiScene with their images.
namespace ck::worker {

void addAssimpMaterials(const aiScene& source, SourceFolder& folder, SourceScene& scene);

}  // namespace ck::worker
