#include "render/view/actor_pieces.h"

#include <algorithm>

namespace ck::render {
namespace {

std::size_t sizeOf(const PieceTick& tick) {
  return tick.chosen.isAll() ? tick.crowd.size() : tick.chosen.actors().size();
}

// Views that compare or measure draw a crowd as one.
bool mayDivide(const RenderSettings& settings) {
  return settings.pose.viewMode == ViewMode::Baked && settings.reference == nullptr &&
         settings.pose.method != Method::Cpu;
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
    for (std::size_t i = actors * piece / count_; i < actors * (piece + 1) / count_; ++i) {
      own.actors.push_back(static_cast<std::uint32_t>(tick.chosen[i]));
    }
    own.stamp = newStamp();
  }
  dividedActors_ = actors;
  dividedChoice_ = tick.chosen.stamp();
}

Result<void> ActorPieces::tickPiece(CharacterRenderer& renderer, const ActorChoice& chosen,
                                    const PieceTick& tick, std::vector<Playing>& drawn) const {
  renderer.paint(tick.paint);
  const auto by = [&](const RenderSettings& settings) {
    return renderer.tick(tick.crowd, chosen, settings, tick.selected, tick.selectedActor, tick.eye);
  };
  auto done = by(tick.settings);
  if (!done && done.error().code == ErrorCode::LimitExceeded && count_ > 1 &&
      tick.settings.pose.method == Method::Prepass) {
    RenderSettings unkept = tick.settings;
    unkept.pose.method = Method::Palette;
    done = by(unkept);
  }
  if (done) drawn.push_back({&renderer, tick.character, chosen});
  return done;
}

Result<void> ActorPieces::tick(CharacterRenderer& first, const PieceTick& tick,
                               std::vector<Playing>& drawn) {
  const std::size_t before = drawn.size();
  const std::size_t actors = sizeOf(tick);
  if (!mayDivide(tick.settings) || actors < 2 * kFewest) count_ = 1;
  while (true) {
    Result<void> done;
    if (count_ == 1) {
      done = tickPiece(first, tick.chosen, tick, drawn);
    } else {
      divide(first, tick);
      for (std::size_t piece = 0; piece < count_ && done; ++piece) {
        const Piece& own = pieces_[piece];
        done = tickPiece(piece == 0 ? first : *own.renderer, {own.actors, own.stamp}, tick, drawn);
      }
    }
    const bool isTooMuch = !done && done.error().code == ErrorCode::LimitExceeded;
    if (!isTooMuch || !mayDivide(tick.settings) || actors < 2 * count_ * kFewest) return done;
    drawn.resize(before);
    // Vertices that are kept need many small pieces, of which as many as fit are kept.
    const bool keeps = tick.settings.pose.method == Method::Prepass;
    count_ = keeps ? std::min(count_ * 16, actors / kFewest) : count_ * 2;
  }
}

}  // namespace ck::render
