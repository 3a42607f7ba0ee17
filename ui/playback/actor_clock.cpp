#include "ui/playback/actor_clock.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace ck::ui {
namespace {

constexpr double kFound = 1e-5;  // of a cycle; phases of actors are no finer

// A crowd of one actor alone, whose clock costs little to move.
class LoneActor {
 public:
  LoneActor(const Project& project, const Crowd& own, std::size_t index, Actor actor, double unit)
      : loops_(own.loopOf(index) == LoopMode::Loop),
        unit_(unit),
        crowd_(alone(project, own, actor)) {}

  bool isThere() const { return crowd_.size() > 0; }
  double unitAt(double seconds) {
    crowd_.seek(std::max(0.0, seconds));
    return crowd_.unitOf(0);
  }
  double off(double seconds) {
    const double away = std::abs(unitAt(seconds) - unit_);
    return loops_ ? std::min(away, 1.0 - away) : away;
  }

 private:
  static Crowd alone(const Project& project, const Crowd& own, const Actor& actor) {
    // The crowd adds the unnamed clip, which comes last, by itself.
    const auto clips = own.clips();
    return Crowd(std::span(&actor, 1), clips.first(clips.size() - 1), project.masks);
  }

  bool loops_;
  double unit_;
  Crowd crowd_;
};

// Samples two cycles, the period of a clip that plays back and forth, takes the sample at which the
// actor is nearest to the position, and narrows its interval: within one the position is linear.
double searched(LoneActor& actor, double start, double now, double cycle) {
  constexpr int kParts = 400;
  constexpr int kHalvings = 50;
  const double step = 2.0 * cycle / kParts;
  double best = now;
  double least = actor.off(now);
  for (int i = 0; i <= kParts; ++i) {
    const double away = actor.off(start + i * step);
    if (away >= least) continue;
    least = away;
    best = start + i * step;
  }
  double low = std::max(0.0, best - step);
  double high = best + step;
  for (int i = 0; i < kHalvings; ++i) {
    const double a = low + (high - low) / 3.0;
    const double b = high - (high - low) / 3.0;
    (actor.off(a) < actor.off(b) ? high : low) = actor.off(a) < actor.off(b) ? b : a;
  }
  return 0.5 * (low + high);
}

}  // namespace

double timeAtUnit(const Project& project, const MixedCrowd& crowd, std::size_t visible,
                  const Actor& actor, double unit, double now) {
  const ActorPlace place = crowd.placeOf(visible);
  const Crowd& own = crowd.crowds()[place.character];
  Actor shown = actor;
  shown.clip = own.clipOf(place.index);  // with solo, not its own
  LoneActor lone(project, own, place.index, shown, unit);
  if (!lone.isThere()) return now;
  const double rate = std::abs(double(own.rateOf(place.index)));
  const double cycle = own.clips()[std::size_t(shown.clip)].durationSeconds / std::max(rate, 1e-3);
  const bool once = own.loopOf(place.index) == LoopMode::Once;
  double found = now + (unit - lone.unitAt(now)) * cycle;
  while (found < 0.0 && cycle > 0.0 && !once) found += cycle;
  if (found < 0.0 || lone.off(found) > kFound) {
    found = searched(lone, once ? 0.0 : now, now, cycle);
  }
  // The end of a cycle is near the start of the next one, but shows another frame.
  const double turned = lone.unitAt(found) - unit;
  if (!once && std::abs(turned) > 0.5) found += (turned > 0.0 ? 1.0 : -1.0) * kFound * cycle;
  return std::max(0.0, found);
}

}  // namespace ck::ui
