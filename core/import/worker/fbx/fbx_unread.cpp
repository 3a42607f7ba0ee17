#include "core/import/worker/fbx/fbx_unread.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

bool isAnimated(const std::vector<FbxAnimation>& animations, int object) {
  return std::any_of(animations.begin(), animations.end(), [object](const FbxAnimation& animation) {
    return animation.find(object, "Lcl Translation") != nullptr ||
           animation.find(object, "Lcl Rotation") != nullptr ||
           animation.find(object, "Lcl Scaling") != nullptr;
  });
}

// The first model that a constraint moves, where its motion is not baked to curves; else -1.
// Characterisations for HumanIK are constraints, too, but have no constrained object.
int unbakedModel(const FbxScene& file, const std::vector<FbxAnimation>& animations, int object) {
  if (fbxNumber(file.at(object), "Active").value_or(1.0) == 0.0) return -1;
  for (const FbxLink& link : file.sources[static_cast<std::size_t>(object)]) {
    if (file.at(link.object).kind != "Model") continue;
    if (!link.property.starts_with("Constrained")) continue;
    if (!isAnimated(animations, link.object)) return link.object;
  }
  return -1;
}

}  // namespace

void noteUnread(const FbxScene& file, const std::vector<FbxAnimation>& animations,
                const FbxNodes& nodes, Notes& notes) {
  std::vector<int> constrained;
  std::vector<int> cached;
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    const FbxObject& object = file.objects[o];
    if (object.kind == "Constraint" && !animations.empty()) {
      const int model = unbakedModel(file, animations, static_cast<int>(o));
      if (model >= 0) constrained.push_back(model);
    }
    if (object.kind != "Deformer" || object.detail != "VertexCacheDeformer") continue;
    const int geometry = file.targetOf(static_cast<int>(o), "Geometry");
    const int model = geometry < 0 ? -1 : file.targetOf(geometry, "Model");
    const bool isNew = std::find(cached.begin(), cached.end(), model) == cached.end();
    if (model < 0 || !isNew) continue;
    const int place = nodes.modelOf[static_cast<std::size_t>(model)];
    if (!nodes.models[static_cast<std::size_t>(place)].hidden) cached.push_back(model);
  }
  if (!constrained.empty()) {
    warn(notes, "ConstraintsUnused",
         fmt::format("{} constraints are not evaluated, that of '{}' first; bake the animation "
                     "when you export",
                     constrained.size(), cleanText(file.at(constrained.front()).name)));
  }
  if (!cached.empty()) {
    warn(
        notes, "GeometryCacheUnused",
        fmt::format("{} meshes are moved by geometry caches outside the file, '{}' first, and stay "
                    "as they are; turn the motion into blend shapes or joints",
                    cached.size(), cleanText(file.at(cached.front()).name)));
  }
}

}  // namespace ck::worker
