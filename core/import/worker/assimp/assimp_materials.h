#pragma once

#include <vector>

#include "core/import/rig_format.h"
#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"

struct aiScene;

// The materials of an aiScene with their images.
namespace ck::worker {

// The sets of texture coordinates that a material's maps lie on: `first` for SurfaceMap::uvSet 0,
// `second` for 1. -1: none.
struct AssimpUvSets {
  int first = -1;
  int second = -1;
};

// Returns the sets of texture coordinates of each material.
std::vector<AssimpUvSets> addAssimpMaterials(const aiScene& source, SourceFolder& folder,
                                             SourceScene& scene);

}  // namespace ck::worker
