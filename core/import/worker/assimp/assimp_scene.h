#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/import/rig_format.h"
#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/assimp/assimp_materials.h"

struct aiNode;
struct aiScene;

namespace ck::worker {

// The nodes of an aiScene, with the indices of SourceScene::nodes.
struct AssimpNodes {
  std::vector<const aiNode*> nodes;
  std::map<std::string, std::vector<int>> byName;

  // The node with that name, or -1. If several nodes have the name, a node without meshes is
  // preferred.
  int find(const std::string& name) const;
};

// Nodes, and sourceToModel from what the format says about units and axes.
AssimpNodes addAssimpNodes(const aiScene& source, SourceScene& scene);

// Meshes with their influences and morph targets. `uvSets`: of each material. Vertex colours are
// taken as sRGB: Collada does not say, and exporters write them as they are seen.
Result<void> addAssimpMeshes(const aiScene& source, const AssimpNodes& nodes,
                             const std::vector<AssimpUvSets>& uvSets, SourceScene& scene);

}  // namespace ck::worker
