#include "core/crowd/way_walkers.h"

#include <algorithm>
#include <cmath>

namespace ck {

WayWalkers::Start WayWalkers::startOf(const Actor& actor, std::size_t index) {
  return {index, glm::dvec3(actor.position), turnOf(actor.rotationDegrees)};
}

void WayWalkers::write(const Start& start, const GroundMotion& moved, gpu::CkPlace& place) {
  place.position = glm::vec3(start.position + start.turn * moved.position);
  const double s = std::sin(0.5 * moved.yaw);
  const double c = std::cos(0.5 * moved.yaw);
  const glm::dquat& q = start.turn;  // times the turn about +Y
  place.rotation =
      glm::vec4(q.x * c - q.z * s, q.y * c + q.w * s, q.z * c + q.x * s, q.w * c - q.y * s);
}

void WayWalkers::add(const Actor& actor, std::size_t index, const FadeSide& side, double rate) {
  walkers_.push_back({.start = startOf(actor, index),
                      .side = side,
                      .cyclesPerSecond = phaseAfter(1.0, rate, side.durationSeconds),
                      .back = inverse(wayAfter(side.way, side.offset, side.loop))});
}

void WayWalkers::add(const Actor& actor, std::size_t index, const TimedFade& fade) {
  Fader fader{.start = startOf(actor, index),
              .fade = fade,
              .turnRadius = static_cast<double>(actor.turnRadius)};
  const double end = fade.startSeconds + fade.seconds;
  fader.after = movedBy(fade, end, fader.turnRadius) *
                inverse(movedBy(fade.to, fade.rate, end, fader.turnRadius));
  faders_.push_back(fader);
}

bool WayWalkers::has(std::size_t index) const {
  const auto actorOf = [](const Walker& walker) { return walker.start.actor; };
  return std::ranges::binary_search(walkers_, index, {}, actorOf);
}

void WayWalkers::writePlaces(const ActorTimes& times, std::span<gpu::CkPlace> places) const {
  for (const Walker& walker : walkers_) {
    const FadeSide& side = walker.side;
    const double cycles = times.of(walker.start.actor) * walker.cyclesPerSecond + side.offset;
    const GroundMotion moved = walker.back * wayAfter(side.way, cycles, side.loop);
    write(walker.start, scaled(moved, side.wayScale), places[walker.start.actor]);
  }
  for (const Fader& fader : faders_) {
    const TimedFade& fade = fader.fade;
    const double seconds = times.of(fader.start.actor);
    const bool isOver = seconds >= fade.startSeconds + fade.seconds;
    const GroundMotion moved =
        isOver ? fader.after * movedBy(fade.to, fade.rate, seconds, fader.turnRadius)
               : movedBy(fade, seconds, fader.turnRadius);
    write(fader.start, moved, places[fader.start.actor]);
  }
}

}  // namespace ck
