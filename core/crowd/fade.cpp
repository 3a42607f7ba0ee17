#include "core/crowd/fade.h"

#include <algorithm>
#include <cmath>

#include "core/anim/clip_place.h"

namespace ck {
namespace {

constexpr int kWalkSteps = 32;

// The cycles at which the target clip has the same position and direction as the first clip.
double syncedCycles(const FadeSide& from, double rate, double seconds) {
  const double unit = unitAt(from, rate, seconds);
  if (from.loop != LoopMode::PingPong) return unit;
  const double cycles = cyclesAt(from, rate, seconds);
  const bool returning = cycles - 2.0 * std::floor(cycles * 0.5) > 1.0;
  return returning ? 2.0 - unit : unit;
}

double startCycles(const FadeSide& to, double rate) {
  if (rate >= 0.0) return 0.0;
  return to.loop == LoopMode::PingPong ? 2.0 : 1.0;
}

double offsetOf(const FadeSide& side, double cycles, double rate, double seconds) {
  const double offset = cycles - phaseAfter(seconds, rate, side.durationSeconds);
  if (side.loop == LoopMode::Once) return offset;
  return wrapPhase(offset, 0.0, side.loop);
}

}  // namespace

double cyclesAt(const FadeSide& side, double rate, double seconds) {
  return phaseAfter(seconds, rate, side.durationSeconds) + side.offset;
}

double unitAt(const FadeSide& side, double rate, double seconds) {
  // Only a fade's target may play once from a place outside of its ends.
  if (side.loop == LoopMode::Once && side.offset != std::clamp(side.offset, 0.0, 1.0)) {
    return unitTime(cyclesAt(side, rate, seconds), side.loop);
  }
  return clipUnit(clipStart(side.offset, side.loop),
                  clipPace(rate, side.durationSeconds, side.loop), seconds, side.loop);
}

double metersOf(const FadeSide& side, double rate, double seconds) {
  if (side.metersPerCycle == 0.0) return 0.0;
  const double cycles = side.loop == LoopMode::Loop
                            ? phaseAfter(seconds, rate, side.durationSeconds)
                            : unitAt(side, rate, seconds) - unitAt(side, rate, 0.0);
  return cycles * side.metersPerCycle;
}

double blendAt(const TimedFade& fade, double seconds) {
  if (isOver(fade, seconds)) return 1.0;
  if (seconds <= fade.startSeconds) return 0.0;
  const double along = (seconds - fade.startSeconds) / fade.seconds;
  return fade.eased ? along * along * (3.0 - 2.0 * along) : along;
}

bool isOver(const TimedFade& fade, double seconds) {
  return seconds >= fade.startSeconds && seconds - fade.startSeconds >= fade.seconds;
}

double metersAt(const TimedFade& fade, double seconds) {
  const double start = fade.startSeconds;
  double meters = metersOf(fade.from, fade.rate, std::min(seconds, start));
  if (seconds <= start) return meters;
  const double end = std::min(seconds, start + fade.seconds);
  double from = metersOf(fade.from, fade.rate, start);
  double to = metersOf(fade.to, fade.rate, start);
  for (int step = 1; step <= kWalkSteps && end > start; ++step) {
    const double width = (end - start) / kWalkSteps;
    const double now = start + step * width;
    const double nextFrom = metersOf(fade.from, fade.rate, now);
    const double nextTo = metersOf(fade.to, fade.rate, now);
    const double blend = blendAt(fade, now - 0.5 * width);
    meters += (1.0 - blend) * (nextFrom - from) + blend * (nextTo - to);
    from = nextFrom;
    to = nextTo;
  }
  return meters + metersOf(fade.to, fade.rate, seconds) - to;
}

bool followsWay(const TimedFade& fade) {
  return !fade.from.way.empty() || !fade.to.way.empty();
}

GroundMotion movedBy(const FadeSide& side, double rate, double seconds, double turnRadius) {
  if (side.way.empty()) {
    const double meters = metersOf(side, rate, seconds);
    if (turnRadius == 0.0) return {{0.0, 0.0, meters}, 0.0};
    const double angle = meters / turnRadius;
    return {{turnRadius * (1.0 - std::cos(angle)), 0.0, turnRadius * std::sin(angle)}, angle};
  }
  const GroundMotion start = wayAfter(side.way, cyclesAt(side, rate, 0.0), side.loop);
  const GroundMotion now = wayAfter(side.way, cyclesAt(side, rate, seconds), side.loop);
  return scaled(inverse(start) * now, side.wayScale);
}

GroundMotion movedBy(const TimedFade& fade, double seconds, double turnRadius) {
  const auto moved = [&](const FadeSide& side, double at) {
    return movedBy(side, fade.rate, at, turnRadius);
  };
  const double start = fade.startSeconds;
  if (seconds <= start) return moved(fade.from, seconds);
  GroundMotion place = moved(fade.from, start);
  GroundMotion from = place;
  GroundMotion to = moved(fade.to, start);
  const double end = std::min(seconds, start + fade.seconds);
  for (int step = 1; step <= kWalkSteps && end > start; ++step) {
    const double width = (end - start) / kWalkSteps;
    const double now = start + step * width;
    const GroundMotion nextFrom = moved(fade.from, now);
    const GroundMotion nextTo = moved(fade.to, now);
    place = place *
            mix(inverse(from) * nextFrom, inverse(to) * nextTo, blendAt(fade, now - 0.5 * width));
    from = nextFrom;
    to = nextTo;
  }
  return place * (inverse(to) * moved(fade.to, seconds));
}

TimedFade startedFade(const FadeSide& from, FadeSide to, double rate, double startSeconds,
                      const FadeRequest& request) {
  if (request.phase == FadePhase::Synced) {
    to.offset = offsetOf(to, syncedCycles(from, rate, startSeconds), rate, startSeconds);
  } else if (request.phase == FadePhase::Start) {
    to.offset = offsetOf(to, startCycles(to, rate), rate, startSeconds);
  }
  return {.from = from,
          .to = to,
          .rate = rate,
          .startSeconds = startSeconds,
          .seconds = std::max(request.seconds, 0.0),
          .eased = request.eased};
}

}  // namespace ck
