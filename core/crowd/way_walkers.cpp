#include "core/crowd/way_walkers.h"

#include <cmath>

#include "core/base/sorted_list.h"

namespace ck {

WayWalkers::Start WayWalkers::startOf(const Actor& actor) {
  return {glm::dvec3(actor.position), turnOf(actor.rotationDegrees)};
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
  addEntry(walkers_, &Walker::actor,
           Walker{.actor = index,
                  .start = startOf(actor),
                  .side = side,
                  .cyclesPerSecond = phaseAfter(1.0, rate, side.durationSeconds),
                  .back = inverse(wayAfter(side.way, side.offset, side.loop))});
}

void WayWalkers::add(const Actor& actor, std::size_t index, const TimedFade& fade) {
  Fader fader{.actor = index,
              .start = startOf(actor),
              .fade = fade,
              .turnRadius = static_cast<double>(actor.turnRadius)};
  const double end = fade.startSeconds + fade.seconds;
  fader.after = movedBy(fade, end, fader.turnRadius) *
                inverse(movedBy(fade.to, fade.rate, end, fader.turnRadius));
  addEntry(faders_, &Fader::actor, fader);
}

bool WayWalkers::has(std::size_t index) const {
  return entryOf(walkers_, &Walker::actor, index) != nullptr;
}

void WayWalkers::remove(std::size_t index) {
  removeEntry(walkers_, &Walker::actor, index);
  removeEntry(faders_, &Fader::actor, index);
}

void WayWalkers::writePlaces(const ActorTimes& times, std::span<gpu::CkPlace> places) const {
  for (const Walker& walker : walkers_) {
    const FadeSide& side = walker.side;
    const double cycles = times.of(walker.actor) * walker.cyclesPerSecond + side.offset;
    const GroundMotion moved = walker.back * wayAfter(side.way, cycles, side.loop);
    write(walker.start, scaled(moved, side.wayScale), places[walker.actor]);
  }
  for (const Fader& fader : faders_) {
    const TimedFade& fade = fader.fade;
    const double seconds = times.of(fader.actor);
    const bool isOver = seconds >= fade.startSeconds + fade.seconds;
    const GroundMotion moved =
        isOver ? fader.after * movedBy(fade.to, fade.rate, seconds, fader.turnRadius)
               : movedBy(fade, seconds, fader.turnRadius);
    write(fader.start, moved, places[fader.actor]);
  }
}

}  // namespace ck
