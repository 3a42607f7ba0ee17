#pragma once

#include <vector>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/fbx/fbx_animation.h"
#include "core/import/worker/fbx/fbx_transform.h"

namespace ck::worker {

// A model of the file: a node of the hierarchy.
struct FbxModel {
  int object = -1;  // into FbxScene::objects
  int parent = -1;  // into FbxNodes::models
  FbxTransform transform;
  bool hidden = false;  // at rest and in all clips
  bool blinks = false;  // shown at some times of the clips, and hidden at others
  // Nodes of SourceScene. A child whose inherit type leaves out scale needs its parent's place
  // without scale; such a parent has two nodes: `frame` with translation and rotation, and below it
  // `whole` with the scale. Else both are the same node.
  int frame = -1;
  int whole = -1;

  bool inheritsPlainly() const { return parent < 0 || transform.inherit == FbxInherit::Plain; }
};

// The translation, rotation and scale of a model in the space of its parent node: the parent's
// `whole` for plain inheritance, else its `frame`.
struct FbxNodes {
  std::vector<FbxModel> models;
  std::vector<int> modelOf;  // indexed as FbxScene::objects; -1 for other objects

  // The local transforms of all models are functions of these three of a model.
  struct Local {
    glm::dvec3 translation;
    glm::dvec3 degrees;
    glm::dvec3 scale;
  };
  // `localOf(model)` gives the three for any model.
  template <class LocalOf>
  Trs poseOf(int model, LocalOf&& localOf) const;
};

// Reads the hierarchy, which depends on what the clips move. Adds nodes and units and axes to the
// scene. Fails with InvalidInput for a hierarchy with a cycle.
Result<FbxNodes> addFbxNodes(const FbxScene& file, const std::vector<FbxAnimation>& animations,
                             SourceScene& scene);

template <class LocalOf>
Trs FbxNodes::poseOf(int model, LocalOf&& localOf) const {
  const auto at = [this](int m) -> const FbxModel& { return models[static_cast<std::size_t>(m)]; };
  const Local own = localOf(model);
  Trs trs = at(model).transform.local(own.translation, own.degrees, own.scale);
  if (at(model).inheritsPlainly()) return trs;
  // The scale that comes from above, and the part of it that moves the origin: that of the parent
  // with all that the parent has taken over.
  const int parent = at(model).parent;
  const bool withParent = at(model).transform.inherit == FbxInherit::Rotated;
  glm::dvec3 above(1.0);
  for (int m = parent; !at(m).inheritsPlainly(); m = at(m).parent) {
    if (at(m).transform.inherit == FbxInherit::Rotated) above *= localOf(at(m).parent).scale;
  }
  const glm::dvec3 parentScale = above * localOf(parent).scale;
  trs.translation *= parentScale;
  trs.scale *= withParent ? parentScale : above;
  return trs;
}

}  // namespace ck::worker
