#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/import/worker/fbx/fbx_transform.h"

namespace ck::worker {

// The input of the inherited scale of a model.
struct FbxScaleLink {
  int parent = -1;  // into the same list
  FbxInherit inherit = FbxInherit::Plain;
  glm::dvec3 scale{1.0};  // its own at rest
  bool moves = false;     // whether the clip moves its own scale
};

// The inherited scales of all models. A model without plain inheritance lies below the node of its
// parent that has no scale, so its own transform contains the scale of its ancestors:
//   Plain    1, because the node of its parent has the scale
//   Rotated  the inherited scale of its parent times the parent's own scale
//   None     the inherited scale of its parent
// Constant scales are multiplied once, by the constructor. The rest is evaluated for each time; the
// last one to two million results are kept for reuse, which takes about 160 MB.
class FbxScales {
 public:
  // `order` has every link once, parents first.
  FbxScales(const std::vector<FbxScaleLink>& links, const std::vector<int>& order);

  // The inherited scale of a model at a time; `side` as KeyCurve::at(). `scaleOf(model)` gives the
  // own scale at that time of a model whose scale moves. The time that a call takes does not grow
  // with the depth of the hierarchy if other models were asked for at the same time shortly before.
  template <class ScaleOf>
  glm::dvec3 inherited(int model, double seconds, int side, const ScaleOf& scaleOf);
  glm::dvec3 inheritedAtRest(int model) const { return of(model).atRest; }
  // The nearest ancestor whose own scale moves and is a factor of the inherited scale; -1 if there
  // is none.
  int moverAbove(int model) const { return of(model).mover; }

 private:
  // The inherited scale is factor * (own scale of mover) * (inherited scale of mover).
  struct Inherited {
    glm::dvec3 factor{1.0};
    glm::dvec3 atRest{1.0};  // the inherited scale while nothing moves
    int mover = -1;
    int movers = 0;  // the number of movers above
  };
  struct Moment {
    double seconds;
    int side;
    bool operator==(const Moment&) const = default;
  };
  struct MomentHash {
    std::size_t operator()(const Moment& moment) const {
      return std::hash<double>()(moment.seconds) * 3 + static_cast<std::size_t>(moment.side + 1);
    }
  };
  using Known = std::unordered_map<Moment, glm::dvec3, MomentHash>;
  // Results are kept for every 16th mover of a chain. Characters have shorter chains and keep none.
  static constexpr int kKeptEvery = 16;
  static constexpr std::size_t kMostKnown = 1'000'000;

  const Inherited& of(int model) const { return inherited_[static_cast<std::size_t>(model)]; }
  bool isKept(int mover) const { return of(mover).movers % kKeptEvery == kKeptEvery - 1; }

  // A mover's inherited scale times its own, if it was evaluated shortly before.
  std::optional<glm::dvec3> known(int mover, const Moment& moment);
  void keep(int mover, const Moment& moment, const glm::dvec3& scale);

  std::vector<Inherited> inherited_;
  std::unordered_map<int, Known> known_;
  std::unordered_map<int, Known> older_;  // what was known when `known_` was full
  std::size_t knownCount_ = 0;            // of the results in `known_`
};

template <class ScaleOf>
glm::dvec3 FbxScales::inherited(int model, double seconds, int side, const ScaleOf& scaleOf) {
  // The movers up to the first one whose result is known, from below.
  std::vector<int> open;
  glm::dvec3 scale(1.0);
  for (int mover = of(model).mover; mover >= 0; mover = of(mover).mover) {
    if (isKept(mover)) {
      if (const auto found = known(mover, {seconds, side})) {
        scale = *found;
        break;
      }
    }
    open.push_back(mover);
  }
  for (auto mover = open.rbegin(); mover != open.rend(); ++mover) {
    scale *= of(*mover).factor * scaleOf(*mover);
    if (isKept(*mover)) keep(*mover, {seconds, side}, scale);
  }
  return of(model).factor * scale;
}

}  // namespace ck::worker
