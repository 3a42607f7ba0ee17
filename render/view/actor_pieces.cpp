#include "render/view/actor_pieces.h"

#include <algorithm>

namespace ck::render {
namespace {

std::size_t sizeOf(const PieceTick& tick) {
  return tick.chosen.isAll() ? tick.crowd.size() : tick.chosen.actors().size();
}

// Views that compare or measure draw a crowd as one.
bool mayDivide(const PieceTick& tick) {
  const RenderSettings& settings = tick.settings;
  return tick.mayDivide && settings.view.pose.viewMode == ViewMode::Baked &&
         settings.reference == nullptr && settings.view.pose.method != Method::Cpu;
}

// Whether skinned vertices are kept in memory that all share.
bool keepsVertices(const PoseSettings& pose) {
  return pose.method == Method::Prepass ||
         (pose.method == Method::Palette && pose.skinOn == SkinOn::Cpu);
}

}  // namespace

void ActorPieces::divide(CharacterRenderer& first, const PieceTick& tick) {
  const std::size_t actors = sizeOf(tick);
  if (pieces_.size() == count_ && dividedActors_ == actors &&
      dividedChoice_ == tick.chosen.stamp()) {
    return;
  }
  pieces_.resize(count_);
  for (std::size_t piece = 0; piece < count_; ++piece) {
    Piece& own = pieces_[piece];
    if (piece > 0 && !own.renderer) {
      own.renderer = CharacterRenderer::makeLevel(first, first.character());
    }
    own.actors.clear();
    own.shares.clear();
    for (std::size_t i = actors * piece / count_; i < actors * (piece + 1) / count_; ++i) {
      own.actors.push_back(static_cast<std::uint32_t>(tick.chosen[i]));
      if (!tick.chosen.shares().empty()) own.shares.push_back(tick.chosen.shares()[i]);
    }
    own.stamp = newStamp();
    own.isUnkept = false;
  }
  dividedActors_ = actors;
  dividedChoice_ = tick.chosen.stamp();
}

Result<void> ActorPieces::tickPiece(CharacterRenderer& renderer, const ActorChoice& chosen,
                                    const PieceTick& tick, bool* isUnkept,
                                    std::vector<Playing>& drawn) const {
  renderer.paint(tick.paint);
  const auto by = [&](const RenderSettings& settings) {
    return renderer.tick(tick.crowd, tick.uploaded, chosen, settings, tick.selected,
                         tick.selectedActor, tick.eye);
  };
  Result<void> done;
  if (isUnkept == nullptr || !*isUnkept) {
    done = by(tick.settings);
    const bool isTooMuch = !done && done.error().code == ErrorCode::LimitExceeded;
    if (isUnkept != nullptr && isTooMuch && keepsVertices(tick.settings.view.pose))
      *isUnkept = true;
  }
  if (isUnkept != nullptr && *isUnkept) {
    RenderSettings unkept = tick.settings;
    unkept.view.pose.method = Method::Palette;
    unkept.view.pose.skinOn = SkinOn::Gpu;
    done = by(unkept);
  }
  if (done) drawn.push_back({&renderer, tick.character, chosen});
  return done;
}

Result<void> ActorPieces::tick(CharacterRenderer& first, const PieceTick& tick,
                               std::vector<Playing>& drawn) {
  const std::size_t before = drawn.size();
  const std::size_t actors = sizeOf(tick);
  const std::size_t most = std::max<std::size_t>(1, actors / kFewest);
  const PoseSettings& pose = tick.settings.view.pose;
  const bool isAsked = pose.method == pose_.method && pose.skinOn == pose_.skinOn &&
                       pose.skinnedBudgetBytes == pose_.skinnedBudgetBytes;
  count_ = isAsked && mayDivide(tick) ? std::min(count_, most) : 1;
  pose_ = pose;
  while (true) {
    Result<void> done;
    if (count_ == 1) {
      pieces_.clear();
      done = tickPiece(first, tick.chosen, tick, nullptr, drawn);
    } else {
      divide(first, tick);
      for (std::size_t piece = 0; piece < count_ && done; ++piece) {
        Piece& own = pieces_[piece];
        done = tickPiece(piece == 0 ? first : *own.renderer, {own.actors, own.stamp, own.shares},
                         tick, &own.isUnkept, drawn);
      }
    }
    const bool isTooMuch = !done && done.error().code == ErrorCode::LimitExceeded;
    if (!isTooMuch || !mayDivide(tick) || count_ * 2 > most) return done;
    drawn.resize(before);
    // Vertices that are kept need many small pieces, of which as many as fit are kept.
    count_ = keepsVertices(pose) ? std::min(count_ * 16, most) : count_ * 2;
  }
}

}  // namespace ck::render
