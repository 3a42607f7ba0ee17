#include "core/import/worker/fbx/fbx_scales.h"

#include <utility>

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

std::optional<glm::dvec3> FbxScales::known(int mover, const Moment& moment) {
  for (const auto* results : {&known_, &older_}) {
    const auto ofMover = results->find(mover);
    if (ofMover == results->end()) continue;
    const auto found = ofMover->second.find(moment);
    if (found == ofMover->second.end()) continue;
    const glm::dvec3 scale = found->second;
    if (results == &older_) keep(mover, moment, scale);
    return scale;
  }
  return std::nullopt;
}

void FbxScales::keep(int mover, const Moment& moment, const glm::dvec3& scale) {
  if (knownCount_ >= kMostKnown) {
    older_ = std::move(known_);
    known_.clear();
    knownCount_ = 0;
  }
  if (known_[mover].emplace(moment, scale).second) ++knownCount_;
}

}  // namespace ck::worker
