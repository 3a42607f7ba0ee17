#pragma once

#include <unordered_map>
#include <vector>

#include "core/import/worker/fbx/fbx_nodes.h"

namespace ck::worker {

// How a mesh hangs on the nodes of the scene.
struct FbxSkin {
  int node = -1;  // into SourceScene::nodes; of the mesh, with its geometric transform
  int skin = -1;  // into SourceScene::skins; -1: the mesh follows its node
  std::vector<std::vector<Influence>> influences;  // by control point; joints index the skin
};

// Reads the skins of meshes. `scene` must have the nodes and must outlive this object.
class FbxSkins {
 public:
  FbxSkins(const FbxScene& file, const FbxNodes& nodes, SourceScene& scene);

  // Adds the skin of a mesh at a model. A cluster without TransformLink is bound where the bind
  // pose of the file has its node, else where the node rests. Fails with InvalidInput if a bind
  // matrix is not a number.
  Result<FbxSkin> read(const FbxModel& model, int geometry, std::size_t pointCount);

  // Adds all limb nodes that no skin has, so that sockets and roots are kept.
  void finish();

 private:
  glm::dmat4 boundAt(int model) const;
  void noteMethods(int deformer, const std::string& mesh);

  const FbxScene& file_;
  const FbxNodes& nodes_;
  SourceScene& scene_;
  std::unordered_map<std::int64_t, glm::dmat4> bindPose_;  // by id of the model
  std::vector<glm::dmat4> restGlobals_;                    // of SourceScene::nodes
};

}  // namespace ck::worker
