#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "core/base/assert.h"
#include "core/crowd/actor_turn.h"
#include "core/crowd/crowd_arrays.h"

namespace ck {
namespace {

template <class Fades>
auto* fadeOfActor(Fades& fades, std::size_t actor) {
  const auto found = std::lower_bound(
      fades.begin(), fades.end(), actor,
      [](const auto& fade, std::size_t searched) { return fade.actor < searched; });
  return found == fades.end() || found->actor != actor ? nullptr : &*found;
}

// A clip that plays once and whose offset is outside the clip starts at the nearer end
// (Crowd::seek).
double settingOut(double offset, LoopMode mode) {
  return mode == LoopMode::Once ? std::clamp(offset, 0.0, 1.0) : offset;
}

bool hasClip(std::span<const CrowdClip> clips, int clip) {
  return clip >= 0 && static_cast<std::size_t>(clip) < clips.size();
}

FadeSide sideWith(const CrowdClip& clip, int index, LoopMode mode, double offset, double strides) {
  return {.clip = index,
          .loop = mode,
          .durationSeconds = clip.durationSeconds,
          .offset = settingOut(offset, mode),
          .metersPerCycle = clip.groundSpeedMetersPerSecond * clip.durationSeconds * strides};
}

// Moves the actor's starting place along its path. The path lies in the actor's own ground plane: a
// tilted actor walks up a slope, as in Travels.
void walkOn(Actor& actor, double meters) {
  const glm::dquat turn = turnOf(actor.rotationDegrees);
  const double radius = static_cast<double>(actor.turnRadius);
  const double angle = radius == 0.0 ? 0.0 : meters / radius;
  const double left = radius * (1.0 - std::cos(angle));
  const double ahead = radius == 0.0 ? meters : radius * std::sin(angle);
  actor.position += glm::vec3(turn * glm::dvec3(left, 0.0, ahead));
  if (angle == 0.0) return;
  actor.rotationDegrees = degreesOf(turn * glm::angleAxis(angle, glm::dvec3(0.0, 1.0, 0.0)));
}

// Makes the clip with the larger weight the actor's first clip.
void settle(Actor& actor, const TimedFade& fade, double seconds) {
  const FadeRest rest = restOf(fade, seconds);
  actor.clip = rest.side.clip;
  double offset = rest.side.offset;
  if (rest.side.loop == LoopMode::Once) {
    const double unit = unitAt(rest.side, fade.rate, seconds);
    const double end = fade.rate < 0.0 ? 0.0 : 1.0;
    offset = unit > 0.0 && unit < 1.0 ? end : unit;
  }
  actor.offset = static_cast<float>(offset);
  if (actor.travels && rest.metersBefore != 0.0) walkOn(actor, rest.metersBefore);
}

}  // namespace

FadeSide fadeSideOf(std::span<const CrowdClip> clips, int clip, const Actor& actor) {
  const CrowdClip& known = clips[static_cast<std::size_t>(clip)];
  return sideWith(known, clip, actor.loop.value_or(known.loop), static_cast<double>(actor.offset),
                  actor.travels ? static_cast<double>(actor.scale) : 0.0);
}

std::optional<TimedFade> timedFadeOf(std::span<const CrowdClip> clips, const Actor& actor) {
  if (!(actor.fadeSeconds > 0.0f) || !hasClip(clips, actor.fadeClip) ||
      !hasClip(clips, actor.clip)) {
    return std::nullopt;
  }
  const FadeRequest request{.clip = actor.fadeClip,
                            .seconds = static_cast<double>(actor.fadeSeconds),
                            .phase = actor.fadePhase,
                            .eased = actor.fadeEased};
  return startedFade(fadeSideOf(clips, actor.clip, actor), fadeSideOf(clips, actor.fadeClip, actor),
                     static_cast<double>(actor.rate), static_cast<double>(actor.fadeAtSeconds),
                     request);
}

Actor fadingFrom(const Actor& actor, std::span<const CrowdClip> clips, double seconds,
                 const FadeRequest& request) {
  Actor next = actor;
  if (!hasClip(clips, request.clip)) return next;
  if (const auto before = timedFadeOf(clips, actor)) {
    settle(next, *before, seconds);
  } else if (actor.fade >= 0.5f && hasClip(clips, actor.fadeClip)) {
    next.clip = actor.fadeClip;
  }
  next.fade = 0.0f;
  next.fadeClip = request.clip;
  // A record cannot hold a fade of length 0.
  constexpr double kShortest = 0.001;
  next.fadeSeconds = static_cast<float>(std::max(request.seconds, kShortest));
  next.fadeAtSeconds = static_cast<float>(seconds);
  next.fadePhase = request.phase;
  next.fadeEased = request.eased;
  return next;
}

const HeldFade* Crowd::Arrays::heldFade(std::size_t actor) const {
  return fadeOfActor(fades, actor);
}

const ActorFade* Crowd::Arrays::timedFade(std::size_t actor) const {
  return fadeOfActor(timed, actor);
}

const FadeSide* Crowd::Arrays::timedSide(std::size_t actor) const {
  const ActorFade* each = timedFade(actor);
  if (each == nullptr) return nullptr;
  return isOver(each->fade, seconds) ? &each->fade.to : &each->fade.from;
}

FadeSide Crowd::Arrays::sideOf(std::size_t actor, int clipIndex) const {
  const CrowdClip& known = clips[static_cast<std::size_t>(clipIndex)];
  const ActorWays& own = ways[actor];
  const LoopMode mode = own.ownLoop < 0 ? known.loop : static_cast<LoopMode>(own.ownLoop);
  const double scale = static_cast<double>(records.places[actor].scale.x);
  return sideWith(known, clipIndex, mode, offset(actor), own.travels ? scale : 0.0);
}

std::size_t Crowd::Arrays::travelOf(std::size_t actor) const {
  std::size_t low = 0;
  std::size_t high = travels.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    (travels.actorOf(middle) < actor ? low : high) =
        travels.actorOf(middle) < actor ? middle + 1 : middle;
  }
  return low < travels.size() && travels.actorOf(low) == actor ? low : ActorFade::kNoTravel;
}

void Crowd::Arrays::setTimed(std::size_t actor, const TimedFade& fade) {
  const auto at = std::lower_bound(
      timed.begin(), timed.end(), actor,
      [](const ActorFade& each, std::size_t searched) { return each.actor < searched; });
  ActorFade entry{.actor = actor, .fade = fade, .travel = travelOf(actor)};
  if (entry.travel != ActorFade::kNoTravel) {
    travels.goByMeters(entry.travel);
    entry.metersAtEnd = metersAt(fade, fade.startSeconds + fade.seconds);
  }
  if (at != timed.end() && at->actor == actor) {
    *at = entry;
  } else {
    timed.insert(at, entry);
  }
  stale = true;
}

void Crowd::Arrays::writeTimed(const ActorFade& each) {
  const TimedFade& fade = each.fade;
  const bool over = isOver(fade, seconds);
  const int blend = over ? 0 : blendSteps(blendAt(fade, seconds));
  gpu::CkFrames& shown = records.frames[each.actor];
  const auto write = [&](const FadeSide& side, int& frame, float& alpha) {
    const CrowdClip& known = clips[static_cast<std::size_t>(side.clip)];
    const int last = lastIntervalOf(known);
    const double x = last < 0 ? 0.0 : unitAt(side, fade.rate, seconds) * (last + 1);
    const int whole = std::clamp(static_cast<int>(x), 0, std::max(last, 0));
    frame = firstFrameOf(known) + whole;
    alpha = static_cast<float>(x - whole);
  };
  write(over ? fade.to : fade.from, shown.frameA, shown.alphaA);
  shown.frameB = -1;
  shown.alphaB = 0.0f;
  if (blend > 0) write(fade.to, shown.frameB, shown.alphaB);
  int& look = records.places[each.actor].look;
  const int blended = (look & ~1023) | blend;
  if (blended == look) return;
  look = blended;
  placesStamp = nextStamp();
}

}  // namespace ck
