#pragma once

#include <unordered_map>
#include <vector>

#include "core/import/worker/fbx/fbx_nodes.h"

namespace ck::worker {

// How a mesh hangs on the nodes of the scene.
struct FbxSkin {
  int node = -1;  // into SourceScene::nodes; of the mesh, with its geometric transform
  int skin = -1;  // into SourceScene::skins; -1: the mesh follows its node
  // By control point as in Mesh; joints index the skin. Any weights, as in the file.
  std::vector<std::uint32_t> influenceStarts;
  std::vector<Influence> influences;
  std::vector<float> dualShares;  // by control point, as SourceMesh::dualShares; or empty
};

// Reads the skins of meshes. `scene` must have the nodes and must outlive this object.
class FbxSkins {
 public:
  FbxSkins(const FbxScene& file, const FbxNodes& nodes, SourceScene& scene);

  // Adds the skin of a mesh at a model. A cluster without TransformLink is bound where the bind
  // pose of the file has its node, else where the node rests. Fails with InvalidInput if a bind
  // matrix is not a number, and with LimitExceeded for more than 200 million weights.
  Result<FbxSkin> read(const FbxModel& model, int geometry, std::size_t pointCount);

  // Adds all limb nodes that no skin has, so that sockets and roots are kept. In a file without
  // meshes they are bound where its bind pose has them.
  void finish();

 private:
  glm::dmat4 boundAt(int model) const;

  const FbxScene& file_;
  const FbxNodes& nodes_;
  SourceScene& scene_;
  std::unordered_map<std::int64_t, glm::dmat4> bindPose_;  // by id of the model
  std::vector<glm::dmat4> restGlobals_;                    // of SourceScene::nodes
};

}  // namespace ck::worker
