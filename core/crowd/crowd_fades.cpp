#include "core/crowd/crowd_fades.h"

#include <algorithm>
#include <cmath>

#include "core/anim/clip_place.h"
#include "core/base/sorted_list.h"

namespace ck {
namespace {

// The number of blend steps that a record can hold.
constexpr double kBlendSteps = 1023.0;

// The nearest blend that a record can hold.
double storedBlend(double blend) {
  return static_cast<double>(std::lround(std::clamp(blend, 0.0, 1.0) * kBlendSteps)) / kBlendSteps;
}

double storedBlendAt(const TimedFade& fade, double seconds) {
  return isOver(fade, seconds) ? 0.0 : storedBlend(blendAt(fade, seconds));
}

FadeSide sideOf(const Actor& actor, std::span<const CrowdClip> clips, int clip) {
  return fadeSide(playOf(actor, clips, clip), clips, actor.travels ? actor.scale : 0.0f);
}

// The actor's timed fade, if it has one to an existing clip.
std::optional<TimedFade> timedFadeOf(const Actor& actor, std::span<const CrowdClip> clips) {
  if (!(actor.fadeSeconds > 0.0f) || !hasClip(clips, actor.fadeClip) ||
      !hasClip(clips, actor.clip)) {
    return std::nullopt;
  }
  const FadeRequest request{.clip = actor.fadeClip,
                            .seconds = static_cast<double>(actor.fadeSeconds),
                            .phase = actor.fadePhase,
                            .eased = actor.fadeEased};
  return startedFade(sideOf(actor, clips, actor.clip), sideOf(actor, clips, actor.fadeClip),
                     static_cast<double>(actor.rate), static_cast<double>(actor.fadeAtSeconds),
                     request);
}

// Moves the actor's starting place, in the actor's own ground plane: a tilted actor walks up a
// slope, as in Travels.
void walkOn(Actor& actor, const GroundMotion& moved) {
  const glm::dquat turn = turnOf(actor.rotationDegrees);
  actor.position += glm::vec3(turn * moved.position);
  if (moved.yaw == 0.0) return;
  actor.rotationDegrees = degreesOf(turn * glm::angleAxis(moved.yaw, glm::dvec3(0.0, 1.0, 0.0)));
}

// The movement of so many metres on the actor's circle.
GroundMotion onCircle(const Actor& actor, double meters) {
  const FadeSide straight{.loop = LoopMode::Loop, .durationSeconds = 1.0, .metersPerCycle = meters};
  return movedBy(straight, 1.0, 1.0, static_cast<double>(actor.turnRadius));
}

// Makes the clip with the larger weight the actor's first clip.
void settle(Actor& actor, const TimedFade& fade, double seconds) {
  const FadeSide& side = blendAt(fade, seconds) >= 0.5 ? fade.to : fade.from;
  actor.clip = side.clip;
  double offset = side.offset;
  if (side.loop == LoopMode::Once) {
    const double unit = unitAt(side, fade.rate, seconds);
    const double end = fade.rate < 0.0 ? 0.0 : 1.0;
    offset = unit > 0.0 && unit < 1.0 ? end : unit;
  }
  actor.offset = static_cast<float>(offset);
  if (!actor.travels) return;
  if (followsWay(fade)) {
    const double radius = static_cast<double>(actor.turnRadius);
    FadeSide settled = side;
    settled.offset = offset;
    walkOn(actor,
           movedBy(fade, seconds, radius) * inverse(movedBy(settled, fade.rate, seconds, radius)));
    return;
  }
  const double meters = metersAt(fade, seconds) - metersOf(side, fade.rate, seconds);
  if (meters != 0.0) walkOn(actor, onCircle(actor, meters));
}

// Whether a file may hold these.
bool fitsFiles(std::span<const PlayCommand> commands) {
  return commands.size() <= kMostPlayCommands &&
         (commands.empty() ||
          std::abs(static_cast<double>(commands.back().atSeconds)) <= kLatestPlayCommand);
}

// Returns whether the blend was another.
bool writeBlend(double blend, int& look) {
  const int before = look;
  look = (look & ~1023) | static_cast<int>(std::lround(blend * kBlendSteps));
  return look != before;
}

}  // namespace

void CrowdFades::set(std::size_t index, const Actor& actor, std::span<const CrowdClip> clips,
                     Travels& travels, WayWalkers& walkers) {
  removeEntry(timed_, &ActorFade::actor, index);
  removeEntry(held_, &HeldFade::actor, index);
  if (const auto fade = timedFadeOf(actor, clips)) {
    ActorFade& timed =
        addEntry(timed_, &ActorFade::actor, ActorFade{.actor = index, .fade = *fade});
    if (followsWay(*fade)) return walkers.add(actor, index, *fade);
    if (fade->from.metersPerCycle == 0.0 && fade->to.metersPerCycle == 0.0) return;
    travels.add(actor, index, 0.0);
    timed.metersAtEnd = metersAt(*fade, fade->startSeconds + fade->seconds);
  } else if (!(actor.fadeSeconds > 0.0f) && hasClip(clips, actor.fadeClip)) {
    const double blend = storedBlend(static_cast<double>(actor.fade));
    if (blend == 0.0) return;
    const ClipPlay play = playOf(actor, clips, actor.fadeClip);
    const FadeSide side = fadeSide(play, clips);
    addEntry(held_, &HeldFade::actor,
             HeldFade{.actor = index,
                      .side = side,
                      .blend = blend,
                      .start = clipStart(play.offset, play.loop),
                      .pace = clipPace(play.rate, side.durationSeconds, play.loop)});
  }
}

const FadeSide* CrowdFades::sideOf(std::size_t actor, double seconds) const {
  const ActorFade* timed = entryOf(timed_, &ActorFade::actor, actor);
  if (timed == nullptr) return nullptr;
  return isOver(timed->fade, seconds) ? &timed->fade.to : &timed->fade.from;
}

const TimedFade* CrowdFades::timedOf(std::size_t actor) const {
  const ActorFade* timed = entryOf(timed_, &ActorFade::actor, actor);
  return timed != nullptr ? &timed->fade : nullptr;
}

const FadeSide* CrowdFades::heldOf(std::size_t actor) const {
  const HeldFade* held = entryOf(held_, &HeldFade::actor, actor);
  return held != nullptr ? &held->side : nullptr;
}

double CrowdFades::unitOf(const HeldFade& held, const ActorTimes& times) const {
  const CommandedActor* commanded = times.find(held.actor);
  if (commanded != nullptr) {
    return unitAt(held.side, commanded->rate, commanded->time.at(times.seconds()));
  }
  return clipUnit(held.start, held.pace, times.seconds(), held.side.loop);
}

std::optional<CrowdFade> CrowdFades::at(std::size_t actor, const ActorTimes& times) const {
  if (const TimedFade* fade = timedOf(actor)) {
    const double seconds = times.of(actor);
    const double blend = storedBlendAt(*fade, seconds);
    if (blend == 0.0) return std::nullopt;
    return CrowdFade{fade->to.clip, unitAt(fade->to, fade->rate, seconds), blend};
  }
  const HeldFade* held = entryOf(held_, &HeldFade::actor, actor);
  if (held == nullptr) return std::nullopt;
  return CrowdFade{held->side.clip, unitOf(*held, times), held->blend};
}

std::size_t CrowdFades::count(const ActorTimes& times) const {
  const auto fades = [&times](const ActorFade& timed) {
    return storedBlendAt(timed.fade, times.of(timed.actor)) > 0.0;
  };
  return held_.size() + static_cast<std::size_t>(std::ranges::count_if(timed_, fades));
}

bool CrowdFades::write(const ActorTimes& times, std::span<const CrowdClip> clips,
                       OwnedActorRecords& records) const {
  const auto clipOf = [&clips](const FadeSide& side) -> const CrowdClip& {
    return clips[static_cast<std::size_t>(side.clip)];
  };
  bool changed = false;
  for (const HeldFade& held : held_) {
    gpu::CkFrames& shown = records.frames[held.actor];
    writeFrame(clipOf(held.side), unitOf(held, times), shown.frameB, shown.alphaB);
    changed |= writeBlend(held.blend, records.places[held.actor].look);
  }
  for (const ActorFade& timed : timed_) {
    const TimedFade& fade = timed.fade;
    const double seconds = times.of(timed.actor);
    const FadeSide& first = isOver(fade, seconds) ? fade.to : fade.from;
    const double blend = storedBlendAt(fade, seconds);
    gpu::CkFrames& shown = records.frames[timed.actor];
    writeFrame(clipOf(first), unitAt(first, fade.rate, seconds), shown.frameA, shown.alphaA);
    shown.frameB = -1;
    shown.alphaB = 0.0f;
    if (blend > 0.0) {
      writeFrame(clipOf(fade.to), unitAt(fade.to, fade.rate, seconds), shown.frameB, shown.alphaB);
    }
    changed |= writeBlend(blend, records.places[timed.actor].look);
  }
  return changed;
}

void CrowdFades::setMeters(const ActorTimes& times, Travels& travels) const {
  for (const ActorFade& timed : timed_) {
    if (!travels.has(timed.actor)) continue;
    const TimedFade& fade = timed.fade;
    const double seconds = times.of(timed.actor);
    const double end = fade.startSeconds + fade.seconds;
    const auto metersOfTarget = [&fade](double at) { return metersOf(fade.to, fade.rate, at); };
    travels.setMeters(timed.actor, seconds < end ? metersAt(fade, seconds)
                                                 : timed.metersAtEnd + (metersOfTarget(seconds) -
                                                                        metersOfTarget(end)));
  }
}

ClipPlay playOf(const Actor& actor, std::span<const CrowdClip> clips, int clip) {
  return {.clip = clip,
          .loop = actor.loop.value_or(clips[static_cast<std::size_t>(clip)].loop),
          .rate = static_cast<double>(actor.rate),
          .offset = static_cast<double>(actor.offset)};
}

FadeSide fadeSide(const ClipPlay& play, std::span<const CrowdClip> clips, float strides) {
  const CrowdClip& clip = clips[static_cast<std::size_t>(play.clip)];
  const bool once = play.loop == LoopMode::Once;
  const double scale = static_cast<double>(strides);
  FadeSide side{.clip = play.clip,
                .loop = play.loop,
                .durationSeconds = clip.durationSeconds,
                // A clip that plays once and whose offset is outside the clip starts at the nearer
                // end (Crowd::seek).
                .offset = once ? std::clamp(play.offset, 0.0, 1.0) : play.offset};
  if (clip.rootMotion.empty()) {
    side.metersPerCycle = clip.groundSpeedMetersPerSecond * clip.durationSeconds * scale;
  } else if (scale != 0.0) {
    side.way = clip.rootMotion;
    side.wayScale = scale;
  }
  return side;
}

void writeFrame(const CrowdClip& clip, double unit, int& frame, float& alpha) {
  const bool moves = clip.lastInterval() >= 0;
  const FramePair pair = moves ? framesAt(unit, frameGridOf(clip)) : FramePair{};
  frame = clip.firstShownFrame() + pair.frame0;
  alpha = static_cast<float>(pair.alpha);
}

Actor fadingFrom(const Actor& actor, std::span<const CrowdClip> clips, double seconds,
                 const FadeRequest& request) {
  Actor next = actor;
  if (!hasClip(clips, request.clip)) return next;
  OwnTime time(actor.commands);
  if (time.paceAt(seconds) != 1.0) {
    next = commandedFrom(actor, clips, seconds, PlayAction::Play);
    time = OwnTime(next.commands);
    if (time.paceAt(seconds) != 1.0) return actor;
  }
  // An actor that has come to the end of its clip was paused there, at another own time.
  const double own = time.at(seconds);
  if (const auto before = timedFadeOf(actor, clips)) {
    settle(next, *before, own);
  } else if (actor.fade >= 0.5f && hasClip(clips, actor.fadeClip)) {
    next.clip = actor.fadeClip;
  }
  next.fade = 0.0f;
  next.fadeClip = request.clip;
  // A record cannot hold a fade of length 0.
  constexpr double kShortest = 0.001;
  next.fadeSeconds = static_cast<float>(std::max(request.seconds, kShortest));
  next.fadeAtSeconds = static_cast<float>(own);
  next.fadePhase = request.phase;
  next.fadeEased = request.eased;
  return next;
}

Actor commandedFrom(const Actor& actor, std::span<const CrowdClip> clips, double seconds,
                    PlayAction action) {
  PlayedSides played{.rate = static_cast<double>(actor.rate)};
  std::optional<FadeSide> second;
  std::optional<TimedFade> timed;
  if (hasClip(clips, actor.clip)) {
    played.first = sideOf(actor, clips, actor.clip);
    timed = timedFadeOf(actor, clips);
    const bool isHeld = !(actor.fadeSeconds > 0.0f) && actor.fade > 0.0f;
    if (isHeld && hasClip(clips, actor.fadeClip)) second = sideOf(actor, clips, actor.fadeClip);
    played.second = second ? &*second : nullptr;
    played.fade = timed ? &*timed : nullptr;
  }
  std::vector<PlayCommand> commands = withCommand(actor.commands, action, seconds, played);
  Actor next = actor;
  if (fitsFiles(commands)) next.commands = std::move(commands);
  return next;
}

}  // namespace ck
