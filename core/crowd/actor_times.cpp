#include "core/crowd/actor_times.h"

#include <algorithm>
#include <limits>

namespace ck {
namespace {

constexpr double kEver = std::numeric_limits<double>::infinity();

OwnRange rangeOf(const FadeSide& side, double rate) {
  if (side.loop != LoopMode::Once || rate == 0.0 || !(side.durationSeconds > 0.0)) {
    return {-kEver, kEver};
  }
  const double start = -side.offset * side.durationSeconds / rate;
  const double end = (1.0 - side.offset) * side.durationSeconds / rate;
  return {std::min(start, end), std::max(start, end)};
}

OwnRange movingRange(const PlayedSides& played) {
  const auto& [first, second, fade, rate] = played;
  if (fade != nullptr) {
    return {std::min(rangeOf(fade->from, rate).low, fade->startSeconds),
            std::max(rangeOf(fade->to, rate).high, fade->startSeconds + fade->seconds)};
  }
  const OwnRange range = rangeOf(first, rate);
  if (second == nullptr) return range;
  const OwnRange other = rangeOf(*second, rate);
  return {std::min(range.low, other.low), std::max(range.high, other.high)};
}

}  // namespace

void ActorTimes::set(std::size_t actor, CommandedActor commanded) {
  const bool isAsBefore = commanded.commands.shares(last_.commands);
  commanded.time = isAsBefore ? last_.time : OwnTime(commanded.commands);
  last_ = commanded;
  commanded_.insert_or_assign(actor, std::move(commanded));
}

bool ActorTimes::jumpBetween(double from, double to) const {
  return std::ranges::any_of(
      commanded_, [&](const auto& entry) { return entry.second.time.jumpsBetween(from, to); });
}

std::vector<PlayCommand> withCommand(std::span<const PlayCommand> commands, PlayAction action,
                                     double seconds, const PlayedSides& played) {
  return withCommand(commands, action, seconds, movingRange(played));
}

}  // namespace ck
