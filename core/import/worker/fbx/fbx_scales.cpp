#include "core/import/worker/fbx/fbx_scales.h"

namespace ck::worker {

FbxScales::FbxScales(const std::vector<FbxScaleLink>& links, const std::vector<int>& order)
    : inherited_(links.size()) {
  for (const int model : order) {
    const FbxScaleLink& link = links[static_cast<std::size_t>(model)];
    if (link.parent < 0 || link.inherit == FbxInherit::Plain) continue;
    Inherited& own = inherited_[static_cast<std::size_t>(model)];
    own = of(link.parent);
    if (link.inherit == FbxInherit::None) continue;
    const FbxScaleLink& parent = links[static_cast<std::size_t>(link.parent)];
    own.atRest *= parent.scale;
    if (parent.moves) {
      own.factor = glm::dvec3(1.0);
      own.mover = link.parent;
      ++own.movers;
    } else {
      own.factor *= parent.scale;
    }
  }
}

}  // namespace ck::worker
