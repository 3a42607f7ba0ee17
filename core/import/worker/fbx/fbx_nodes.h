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
class FbxNodes {
 public:
  std::vector<FbxModel> models;
  std::vector<int> modelOf;  // indexed as FbxScene::objects; -1 for other objects

  // The transform of a model in its parent node. `motion` gives what the local transforms of all
  // models are functions of: translation(model), degrees(model) and scale(model). The parts are
  // apart, so that only what one depends on is evaluated.
  template <class Motion>
  glm::dvec3 translationOf(int model, const Motion& motion) const;
  template <class Motion>
  glm::dvec3 scaleOf(int model, const Motion& motion) const;

 private:
  const FbxModel& at(int model) const { return models[static_cast<std::size_t>(model)]; }
  // The scale that a model takes over from above its parent.
  template <class Motion>
  glm::dvec3 scaleAbove(int model, const Motion& motion) const;
};

// Reads the hierarchy, which depends on what the clips move. Adds nodes and units and axes to the
// scene. Fails with InvalidInput for a hierarchy with a cycle.
Result<FbxNodes> addFbxNodes(const FbxScene& file, const std::vector<FbxAnimation>& animations,
                             SourceScene& scene);

template <class Motion>
glm::dvec3 FbxNodes::scaleAbove(int model, const Motion& motion) const {
  glm::dvec3 above(1.0);
  for (int m = at(model).parent; !at(m).inheritsPlainly(); m = at(m).parent) {
    if (at(m).transform.inherit == FbxInherit::Rotated) above *= motion.scale(at(m).parent);
  }
  return above;
}

template <class Motion>
glm::dvec3 FbxNodes::translationOf(int model, const Motion& motion) const {
  const FbxTransform& transform = at(model).transform;
  glm::dvec3 translation = motion.translation(model);
  if (transform.hasPivots()) {
    translation = transform.origin(translation, transform.rotation(motion.degrees(model)),
                                   motion.scale(model));
  }
  if (at(model).inheritsPlainly()) return translation;
  // The origin is moved by the scale of the parent with all that the parent has taken over.
  return translation * (scaleAbove(model, motion) * motion.scale(at(model).parent));
}

template <class Motion>
glm::dvec3 FbxNodes::scaleOf(int model, const Motion& motion) const {
  const glm::dvec3 own = motion.scale(model);
  if (at(model).inheritsPlainly()) return own;
  const glm::dvec3 above = scaleAbove(model, motion);
  const bool withParent = at(model).transform.inherit == FbxInherit::Rotated;
  return own * (withParent ? above * motion.scale(at(model).parent) : above);
}

}  // namespace ck::worker
