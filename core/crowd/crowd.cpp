#include "core/crowd/crowd.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "core/base/assert.h"
#include "core/crowd/actor_turn.h"
#include "core/crowd/crowd_arrays.h"

namespace ck {
namespace {

// Converts a colour of 8 bits per channel to 5-6-5 bits, with rounding.
int tint565(std::uint32_t tint) {
  const int red = static_cast<int>((tint >> 16) & 255);
  const int green = static_cast<int>((tint >> 8) & 255);
  const int blue = static_cast<int>(tint & 255);
  return (((red * 31 + 127) / 255) << 11) | (((green * 63 + 127) / 255) << 5) |
         ((blue * 31 + 127) / 255);
}

glm::vec4 asVec4(const glm::dquat& q) {
  return glm::vec4(static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                   static_cast<float>(q.w));
}

}  // namespace

std::uint64_t nextStamp() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

constexpr LoopMode kLoopModes[] = {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong};

// The index of the phase kind for a clip and a loop mode.
std::size_t kindOf(std::size_t clip, LoopMode loop) {
  return clip * std::size(kLoopModes) + static_cast<std::size_t>(loop);
}

// The unnamed last clip cannot be a fade's target.
void Crowd::Arrays::addFade(const Actor& actor, std::size_t index) {
  if (actor.fadeSeconds > 0.0f) {
    const auto fade = timedFadeOf(std::span(clips).first(given), actor);
    if (fade) setTimed(index, *fade);
    return;
  }
  const int blend = blendSteps(static_cast<double>(actor.fade));
  if (actor.fadeClip < 0 || static_cast<std::size_t>(actor.fadeClip) >= given || blend == 0) return;
  const CrowdClip& crowdClip = clips[static_cast<std::size_t>(actor.fadeClip)];
  const LoopMode mode = actor.loop.value_or(crowdClip.loop);
  fades.push_back({.actor = index,
                   .clip = actor.fadeClip,
                   .loop = mode,
                   .duration = crowdClip.durationSeconds,
                   .firstFrame = firstFrameOf(crowdClip),
                   .lastInterval = lastIntervalOf(crowdClip),
                   .blend = blend,
                   .phase = wrapPhase(0.0, offset(index), mode)});
  records.frames[index].frameB = fades.back().firstFrame;
  int& look = records.places[index].look;
  look = (look & ~1023) | blend;
}

void Crowd::Arrays::addMorphs(const Actor& actor) {
  for (const MorphWeight& morph : actor.morphs) {
    const auto found = std::find(morphNames.begin(), morphNames.end(), morph.name);
    const auto name = static_cast<int>(found - morphNames.begin());
    if (found == morphNames.end()) morphNames.push_back(morph.name);
    morphs.push_back({name, morph.weight});
  }
  morphEnds.push_back(static_cast<std::uint32_t>(morphs.size()));
}

void Crowd::Arrays::add(const Actor& actor, std::size_t sourceIndex, std::size_t clipIndex) {
  const CrowdClip& crowdClip = clips[clipIndex];
  const std::size_t index = source.size();
  const double start = static_cast<double>(actor.offset);
  source.push_back(sourceIndex);
  clip.push_back(static_cast<int>(clipIndex));
  loop.push_back(actor.loop.value_or(crowdClip.loop));
  starts.push_back({.kind = kindOf(clipIndex, loop.back()),
                    .rate = static_cast<double>(actor.rate),
                    .offset = start});
  offsetFraction.push_back(phaseStep(start, 1.0, 1.0));

  const glm::dquat turn = turnOf(actor.rotationDegrees);
  records.add({.position = actor.position,
               .look = gpu::ck_packLook(0.0f, tint565(actor.tint)),
               .rotation = asVec4(turn),
               .scale = glm::vec3(actor.scale)},
              {.frameA = firstFrameOf(crowdClip), .alphaA = 0.0f, .frameB = -1, .alphaB = 0.0f});
  ways.push_back({.ownLoop = static_cast<std::int8_t>(actor.loop ? int(*actor.loop) : -1),
                  .travels = actor.travels,
                  .mask = static_cast<std::int16_t>(actor.mask)});
  if (actor.travels) addTravel(actor, index, turn);
  addFade(actor, index);
  addMorphs(actor);
}

// Adds the actor to the travels if any clip has a ground speed, because it may fade to such a clip
// later.
void Crowd::Arrays::addTravel(const Actor& actor, std::size_t index, const glm::dquat& turn) {
  const bool walks = std::any_of(clips.begin(), clips.end(), [](const CrowdClip& each) {
    return each.groundSpeedMetersPerSecond != 0.0;
  });
  if (!walks) return;
  const FadeSide side = sideOf(index, clip[index]);
  const double cyclesPerSecond = phaseAfter(1.0, starts[index].rate, side.durationSeconds);
  travels.add({.actor = index,
               .start = actor.position,
               .turn = turn,
               .metersPerSecond = cyclesPerSecond * side.metersPerCycle,
               .radius = static_cast<double>(actor.turnRadius),
               .metersPerCycle = side.metersPerCycle,
               .byCycles = loop[index] != LoopMode::Loop});
}

void Crowd::Arrays::startPhases() {
  std::vector<PhaseKind> kinds;
  for (const CrowdClip& crowdClip : clips) {
    for (const LoopMode mode : kLoopModes) {
      kinds.push_back({.loop = mode,
                       .durationSeconds = crowdClip.durationSeconds,
                       .firstFrame = firstFrameOf(crowdClip),
                       .lastInterval = lastIntervalOf(crowdClip)});
    }
  }
  phases = ActorPhases(kinds, starts);
}

// Writes only what changes with time.
void Crowd::Arrays::bringRecordsUpToDate() {
  if (!stale) return;
  stale = false;
  ++stamp.moment;
  for (const HeldFade& fade : fades) {
    if (fade.lastInterval < 0) continue;
    const double x = unit(fade) * (fade.lastInterval + 1);
    const int frame = std::min(static_cast<int>(x), fade.lastInterval);
    gpu::CkFrames& shown = records.frames[fade.actor];
    shown.alphaB = static_cast<float>(x - frame);
    shown.frameB = fade.firstFrame + frame;
  }
  // If a clip does not loop, its actors stop at its end and walk back where it plays backwards.
  for (const std::uint32_t t : travels.byCycles()) {
    const std::size_t i = travels.actorOf(t);
    travels.setCycles(t, phases.unitOf(i) - unitTime(offset(i), loop[i]));
  }
  for (const ActorFade& each : timed) {
    if (each.travel == ActorFade::kNoTravel) continue;
    const TimedFade& fade = each.fade;
    const bool over = seconds >= fade.startSeconds + fade.seconds;
    travels.setMeters(each.travel, over ? each.metersAtEnd + metersSinceEnd(fade, seconds)
                                        : metersAt(fade, seconds));
  }
  // In blocks, so that the records written for one kind of phase stay in the cache for the next.
  constexpr std::size_t kBlock = 2048;
  for (std::size_t begin = 0; begin < records.size(); begin += kBlock) {
    phases.writeFrames(records.frames, begin, std::min(begin + kBlock, records.size()));
  }
  if (travels.anyMoves()) {
    travels.writePlaces(seconds, records.places);
    placesStamp = nextStamp();
  }
  for (const ActorFade& fade : timed) writeTimed(fade);
}

Crowd::Crowd(std::span<const Actor> actors, std::span<const CrowdClip> clips,
             std::span<const JointMask> masks)
    : arrays_(std::make_shared<Arrays>()) {
  Arrays& a = *arrays_;
  a.stamp = {nextStamp(), 0};
  a.masks.assign(masks.begin(), masks.end());
  a.clips.assign(clips.begin(), clips.end());
  a.given = clips.size();
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const Actor& actor = actors[i];
    if (!actor.on) continue;
    const bool known = actor.clip >= 0 && static_cast<std::size_t>(actor.clip) < a.given;
    if (!known && a.clips.size() == a.given) a.clips.emplace_back();
    a.add(actor, i, known ? static_cast<std::size_t>(actor.clip) : a.given);
  }
  a.startPhases();
  a.placesStamp = nextStamp();
}

std::size_t Crowd::size() const {
  return arrays_->source.size();
}

void Crowd::setTint(std::size_t visible, std::uint32_t tint) {
  CK_ASSERT(visible < size());
  int& look = arrays_->records.places[visible].look;
  look = (look & 0xffff) | gpu::ck_packLook(0.0f, tint565(tint));
  arrays_->placesStamp = nextStamp();
  arrays_->stale = true;
}

void Crowd::advance(double seconds) {
  Arrays& a = *arrays_;
  a.seconds += seconds;
  a.stale = true;
  a.phases.advance(seconds);
  for (HeldFade& fade : a.fades) {
    const double rate = a.rate(fade.actor);
    fade.fraction += phaseStep(seconds, rate, fade.duration);
    fade.phase = wrapPhase(fade.phase + phaseAfter(seconds, rate, fade.duration),
                           a.offset(fade.actor), fade.loop);
  }
}

void Crowd::seek(double seconds) {
  Arrays& a = *arrays_;
  a.seconds = seconds;
  a.stale = true;
  a.stamp = {nextStamp(), 0};
  a.phases.seek(seconds);
  for (HeldFade& fade : a.fades) {
    const double rate = a.rate(fade.actor);
    const double offset = a.offset(fade.actor);
    fade.fraction = phaseStep(seconds, rate, fade.duration);
    fade.phase =
        wrapPhase(wrapPhase(0.0, offset, fade.loop) + phaseAfter(seconds, rate, fade.duration),
                  offset, fade.loop);
  }
}

double Crowd::timeSeconds() const {
  return arrays_->seconds;
}

CrowdStamp Crowd::stamp() const {
  arrays_->bringRecordsUpToDate();
  return arrays_->stamp;
}

double Crowd::unitOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  const FadeSide* side = arrays_->timedSide(visible);
  if (side != nullptr) return unitAt(*side, arrays_->rate(visible), arrays_->seconds);
  return arrays_->phases.unitOf(visible);
}

int Crowd::clipOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  const FadeSide* side = arrays_->timedSide(visible);
  return side != nullptr ? side->clip : arrays_->clip[visible];
}

LoopMode Crowd::loopOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  const FadeSide* side = arrays_->timedSide(visible);
  return side != nullptr ? side->loop : arrays_->loop[visible];
}

double Crowd::rateOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  return arrays_->rate(visible);
}

std::optional<CrowdFade> Crowd::fadeOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  if (const ActorFade* timed = arrays_->timedFade(visible)) {
    const double now = arrays_->seconds;
    const int steps = isOver(timed->fade, now) ? 0 : blendSteps(blendAt(timed->fade, now));
    if (steps == 0) return std::nullopt;
    return CrowdFade{timed->fade.to.clip, unitAt(timed->fade.to, timed->fade.rate, now),
                     steps / kBlendSteps};
  }
  const HeldFade* held = arrays_->heldFade(visible);
  if (held == nullptr) return std::nullopt;
  return CrowdFade{held->clip, arrays_->unit(*held), held->blend / kBlendSteps};
}

std::size_t Crowd::fadingActors() const {
  const double now = arrays_->seconds;
  const auto fades = [now](const ActorFade& timed) {
    return !isOver(timed.fade, now) && blendSteps(blendAt(timed.fade, now)) > 0;
  };
  const auto passing = std::count_if(arrays_->timed.begin(), arrays_->timed.end(), fades);
  return arrays_->fades.size() + static_cast<std::size_t>(passing);
}

int Crowd::maskOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  const int mask = arrays_->ways[visible].mask;
  return mask >= 0 && static_cast<std::size_t>(mask) < arrays_->masks.size() ? mask : -1;
}

std::span<const JointMask> Crowd::masks() const {
  return arrays_->masks;
}

std::size_t Crowd::sourceIndexOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  return arrays_->source[visible];
}

std::span<const std::string> Crowd::morphNames() const {
  return arrays_->morphNames;
}

std::span<const CrowdMorph> Crowd::morphsOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  const std::size_t begin = visible == 0 ? 0 : arrays_->morphEnds[visible - 1];
  return std::span(arrays_->morphs).subspan(begin, arrays_->morphEnds[visible] - begin);
}

std::span<const CrowdClip> Crowd::clips() const {
  return arrays_->clips;
}

ActorRecords Crowd::instances() const {
  arrays_->bringRecordsUpToDate();
  return {arrays_->records.places, arrays_->records.frames, arrays_->placesStamp};
}

void Crowd::writeInstances(std::span<gpu::CkActor> records) const {
  const ActorRecords all = instances();
  CK_ASSERT(records.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) records[i] = all[i];
}

}  // namespace ck
