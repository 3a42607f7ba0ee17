#pragma once

#include <vector>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/fbx/fbx_animation.h"
#include "core/import/worker/fbx/fbx_scales.h"
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
  std::vector<int> order;    // of all models, parents first
  std::vector<int> modelOf;  // indexed as FbxScene::objects; -1 for other objects

  // The inherited scales where a clip moves the own scales of the models for which
  // `scaleMoves(model)` is true.
  template <class ScaleMoves>
  FbxScales scales(const ScaleMoves& scaleMoves) const;
  // The transform of a model in its parent node. `motion` gives what the local transforms of all
  // models are functions of: translation(model), degrees(model), scale(model) and the inherited
  // scale, inherited(model). The parts are apart, so that only what one depends on is evaluated.
  template <class Motion>
  glm::dvec3 translationOf(int model, const Motion& motion) const;
  template <class Motion>
  glm::dvec3 scaleOf(int model, const Motion& motion) const;

 private:
  const FbxModel& at(int model) const { return models[static_cast<std::size_t>(model)]; }
};

// Reads the hierarchy, which depends on what the clips move. Adds nodes and units and axes to the
// scene. Fails with InvalidInput for a hierarchy with a cycle.
Result<FbxNodes> addFbxNodes(const FbxScene& file, const std::vector<FbxAnimation>& animations,
                             SourceScene& scene);

template <class ScaleMoves>
FbxScales FbxNodes::scales(const ScaleMoves& scaleMoves) const {
  std::vector<FbxScaleLink> links;
  links.reserve(models.size());
  for (std::size_t m = 0; m < models.size(); ++m) {
    links.push_back({models[m].parent, models[m].transform.inherit, models[m].transform.scale,
                     scaleMoves(static_cast<int>(m))});
  }
  return FbxScales(links, order);
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
  const int parent = at(model).parent;
  return translation * (motion.inherited(parent) * motion.scale(parent));
}

template <class Motion>
glm::dvec3 FbxNodes::scaleOf(int model, const Motion& motion) const {
  return motion.scale(model) * motion.inherited(model);
}

}  // namespace ck::worker
