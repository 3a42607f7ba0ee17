#include "core/crowd/crowd.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "core/base/assert.h"
#include "core/base/sorted_list.h"

namespace ck {

Crowd::Crowd(std::span<const Actor> actors, std::span<const CrowdClip> clips,
             std::span<const JointMask> masks)
    : clips_(clips.begin(), clips.end()),
      masks_(masks.begin(), masks.end()),
      stamp_{newStamp(), 0},
      placesStamp_(newStamp()) {
  clips_.emplace_back();
  std::vector<ClipPlay> plays;
  plays.reserve(actors.size());
  sources_.reserve(actors.size());
  for (std::size_t i = 0; i < actors.size(); ++i) {
    if (!actors[i].on) continue;
    plays.push_back(playOf(actors[i]));
    sources_.push_back(i);
  }
  phases_ = ActorPhases(clips_, plays);
  maskOf_.resize(size());
  records_.places.resize(size());
  records_.frames.resize(size());
  for (std::size_t visible = 0; visible < size(); ++visible) {
    put(visible, actors[sources_[visible]]);
  }
}

ClipPlay Crowd::playOf(const Actor& actor) const {
  const bool isKnown = hasClip(knownClips(), actor.clip);
  return ck::playOf(actor, clips_, isKnown ? actor.clip : static_cast<int>(clips_.size()) - 1);
}

// Stores everything of an actor but its phase, in place of the actor before.
void Crowd::put(std::size_t visible, const Actor& actor) {
  const bool isMasked = actor.mask >= 0 && static_cast<std::size_t>(actor.mask) < masks_.size();
  maskOf_[visible] = isMasked ? actor.mask : -1;
  const glm::dquat turn = turnOf(actor.rotationDegrees);
  const auto clip = static_cast<std::size_t>(phases_.playOf(visible).clip);
  records_.places[visible] = {.position = actor.position,
                              .look = gpu::ck_packLook(0.0f, tint565(actor.tint)),
                              .rotation = glm::vec4(turn.x, turn.y, turn.z, turn.w),
                              .scale = glm::vec3(actor.scale)};
  records_.frames[visible] = {
      .frameA = clips_[clip].firstShownFrame(), .alphaA = 0.0f, .frameB = -1, .alphaB = 0.0f};
  setMorphs(visible, actor);
  travels_.remove(visible);
  wayWalkers_.remove(visible);
  removeEntry(walkers_, &Walker::actor, visible);
  times_.remove(visible);
  // Ways are views into the crowd's own clips, which keep their memory when it moves.
  fades_.set(visible, actor, knownClips(), travels_, wayWalkers_);
  addTravel(actor, visible);
  if (!actor.commands.empty()) {
    setCommands(visible, actor.commands, actor.travels ? actor.scale : 0.0f);
  }
}

void Crowd::update(std::size_t visible, const Actor& actor) {
  CK_ASSERT(visible < size() && actor.on);
  phases_.set(visible, playOf(actor));
  put(visible, actor);
  placesStamp_ = newStamp();
  stamp_ = {newStamp(), 0};
  noteChange(visible);
}

void Crowd::setMorphs(std::size_t visible, const Actor& actor) {
  if (morphs_.empty() && actor.morphs.empty()) return;
  morphs_.resize(size());
  if (!actor.morphs.shares(lastMorphs_)) {
    lastMorphs_ = actor.morphs;
    lastOwn_ = numbered(actor.morphs);
  }
  morphs_[visible] = lastOwn_;
}

std::vector<CrowdMorph> Crowd::numbered(const std::vector<MorphWeight>& morphs) {
  std::vector<CrowdMorph> own;
  for (const MorphWeight& morph : morphs) {
    const auto found = std::ranges::find(morphNames_, morph.name);
    const auto name = static_cast<int>(found - morphNames_.begin());
    if (found == morphNames_.end()) morphNames_.push_back(morph.name);
    own.push_back({name, morph.weight});
  }
  return own;
}

// Actors with a timed fade are added already.
void Crowd::addTravel(const Actor& actor, std::size_t visible) {
  if (!actor.travels || fades_.timedOf(visible) != nullptr) return;
  const ClipPlay& play = phases_.playOf(visible);
  const FadeSide side = fadeSide(play, clips_, actor.scale);
  if (!side.way.empty()) return wayWalkers_.add(actor, visible, side, play.rate);
  if (play.loop != LoopMode::Loop) {
    if (side.metersPerCycle == 0.0) return;
    addEntry(walkers_, &Walker::actor, Walker{visible, side.metersPerCycle});
    return travels_.add(actor, visible, 0.0);
  }
  const double cyclesPerSecond = phaseAfter(1.0, play.rate, side.durationSeconds);
  const double metersPerSecond = cyclesPerSecond * side.metersPerCycle;
  if (metersPerSecond != 0.0) travels_.add(actor, visible, metersPerSecond);
}

// `strides`: as in fadeSide().
void Crowd::setCommands(std::size_t visible, SharedList<PlayCommand> commands, float strides) {
  const ClipPlay& play = phases_.playOf(visible);
  CommandedActor commanded{.commands = std::move(commands), .rate = play.rate};
  if (fades_.timedOf(visible) == nullptr) {
    commanded.first = fadeSide(play, clips_, strides);
    if (travels_.has(visible)) travels_.setStill(visible);
  }
  times_.set(visible, std::move(commanded));
}

void Crowd::noteChange(std::size_t visible) {
  constexpr std::size_t kMostChanges = 4096;
  steadyStamp_ = newStamp();
  stale_ = true;
  if (changes_.size() == kMostChanges) {
    changes_.clear();
    changesSince_ = steadyStamp_;
  } else {
    changes_.push_back({steadyStamp_, static_cast<std::uint32_t>(visible)});
  }
}

std::optional<std::vector<std::uint32_t>> Crowd::changedSince(std::uint64_t stamp) const {
  auto first = changes_.begin();
  if (stamp != changesSince_) {
    first = std::ranges::lower_bound(changes_, stamp, {}, &Change::stamp);
    if (first == changes_.end() || first->stamp != stamp) return std::nullopt;
    ++first;
  }
  std::vector<std::uint32_t> actors;
  std::transform(first, changes_.end(), std::back_inserter(actors),
                 [](const Change& change) { return change.actor; });
  return actors;
}

// Writes only what changes with time.
void Crowd::bringRecordsUpToDate() const {
  if (!stale_) return;
  stale_ = false;
  ++stamp_.moment;
  phases_.writeFrames(records_.frames);
  // If a clip does not loop, its actors stop at its end and walk back where it plays backwards.
  for (const Walker& walker : walkers_) {
    const double cycles = phases_.unitOf(walker.actor) - phases_.unitAt(walker.actor, 0.0);
    travels_.setMeters(walker.actor, cycles * walker.metersPerCycle);
  }
  for (const auto& [actor, commanded] : times_.commanded()) {
    if (fades_.timedOf(actor) != nullptr) continue;
    const FadeSide& first = commanded.first;
    const double own = commanded.time.at(times_.seconds());
    if (travels_.has(actor)) travels_.setMeters(actor, metersOf(first, commanded.rate, own));
    gpu::CkFrames& shown = records_.frames[actor];
    writeFrame(clips_[static_cast<std::size_t>(first.clip)], unitAt(first, commanded.rate, own),
               shown.frameA, shown.alphaA);
  }
  fades_.setMeters(times_, travels_);
  travels_.writePlaces(times_.seconds(), records_.places);
  wayWalkers_.writePlaces(times_, records_.places);
  const bool blendChanged = fades_.write(times_, clips_, records_);
  if (blendChanged || !travels_.empty() || !wayWalkers_.empty()) placesStamp_ = newStamp();
}

void Crowd::setTint(std::size_t visible, std::uint32_t tint) {
  CK_ASSERT(visible < size());
  int& look = records_.places[visible].look;
  look = repainted(look, tint565(tint));
  placesStamp_ = newStamp();
  noteChange(visible);
}

void Crowd::command(std::size_t visible, PlayAction action) {
  CK_ASSERT(visible < size());
  const float scale = records_.places[visible].scale.x;
  const ClipPlay& play = phases_.playOf(visible);
  const PlayedSides played{.first = fadeSide(play, clips_),
                           .second = fades_.heldOf(visible),
                           .fade = fades_.timedOf(visible),
                           .rate = play.rate};
  setCommands(visible, withCommand(commandsOf(visible), action, timeSeconds(), played),
              travels_.has(visible) ? scale : 0.0f);
  if (action == PlayAction::Restart) stamp_ = {newStamp(), 0};
  noteChange(visible);
}

std::span<const PlayCommand> Crowd::commandsOf(std::size_t visible) const {
  const CommandedActor* commanded = times_.find(visible);
  if (commanded == nullptr) return {};
  return commanded->commands;
}

double Crowd::paceOf(std::size_t visible) const {
  const CommandedActor* commanded = times_.find(visible);
  return commanded != nullptr ? commanded->time.paceAt(timeSeconds()) : 1.0;
}

void Crowd::advance(double seconds) {
  const double before = timeSeconds();
  times_.setSeconds(before + seconds);
  if (times_.jumpBetween(before, timeSeconds())) stamp_ = {newStamp(), 0};
  stale_ = true;
  phases_.seek(timeSeconds());
}

void Crowd::seek(double seconds) {
  times_.setSeconds(seconds);
  stale_ = true;
  stamp_ = {newStamp(), 0};
  phases_.seek(seconds);
}

CrowdStamp Crowd::stamp() const {
  bringRecordsUpToDate();
  return stamp_;
}

std::vector<FiredEvent> Crowd::eventsBetween(double from, double to) const {
  const auto hasEvents = [](const CrowdClip& clip) { return !clip.events.empty(); };
  if (from == to || std::ranges::none_of(clips_, hasEvents)) return {};
  std::vector<FiredEvent> fired;
  std::vector<double> passes;
  // `weightAt` gives the blend weight of the clip at a moment of the actor's own time, or nothing
  // while it is not visible.
  const auto add = [&](std::size_t actor, const FadeSide& side, double rate, auto&& weightAt) {
    const auto& events = clips_[static_cast<std::size_t>(side.clip)].events;
    const CommandedActor* commanded = times_.find(actor);
    const auto addStep = [&](const OwnTimeSpan& span, const TimeStep& step) {
      for (std::size_t e = 0; e < events.size(); ++e) {
        passes.clear();
        appendPasses(side, rate, events[e].unit, step, passes);
        for (const double at : passes) {
          const std::optional<double> weight = weightAt(at);
          if (!weight) continue;
          fired.push_back({actor, side.clip, static_cast<int>(e), span.secondsAt(at), *weight});
        }
      }
    };
    if (commanded != nullptr) {
      forEachOwnStep(commanded->time, {from, to}, addStep);
    } else {
      addStep(OwnTimeSpan{}, TimeStep{from, to});
    }
  };
  auto timed = fades_.timed().begin();
  auto held = fades_.held().begin();
  for (std::size_t actor = 0; actor < size(); ++actor) {
    if (timed != fades_.timed().end() && timed->actor == actor) {
      const TimedFade& fade = (timed++)->fade;
      add(actor, fade.from, fade.rate, [&fade](double at) -> std::optional<double> {
        if (at >= fade.startSeconds + fade.seconds) return std::nullopt;
        return 1.0 - blendAt(fade, at);
      });
      add(actor, fade.to, fade.rate, [&fade](double at) -> std::optional<double> {
        // A clip that starts with the fade passes its first pose at that time, up to rounding.
        constexpr double kRounding = 1e-9;
        if (at < fade.startSeconds - kRounding) return std::nullopt;
        return blendAt(fade, at);
      });
      continue;
    }
    const ClipPlay& play = phases_.playOf(actor);
    double second = 0.0;
    if (held != fades_.held().end() && held->actor == actor) {
      second = held->blend;
      add(actor, (held++)->side, play.rate, [second](double) { return second; });
      if (second >= 1.0) continue;
    }
    if (!hasEvents(clips_[static_cast<std::size_t>(play.clip)])) continue;
    add(actor, fadeSide(play, clips_), play.rate, [second](double) { return 1.0 - second; });
  }
  sortByTime(fired, {from, to});
  return fired;
}

double Crowd::unitOf(std::size_t visible) const {
  const double own = times_.of(visible);
  if (const FadeSide* side = fades_.sideOf(visible, own)) {
    return unitAt(*side, rateOf(visible), own);
  }
  const CommandedActor* commanded = times_.find(visible);
  return commanded != nullptr ? unitAt(commanded->first, commanded->rate, own)
                              : phases_.unitOf(visible);
}

int Crowd::clipOf(std::size_t visible) const {
  const FadeSide* side = fades_.sideOf(visible, times_.of(visible));
  return side != nullptr ? side->clip : phases_.playOf(visible).clip;
}

LoopMode Crowd::loopOf(std::size_t visible) const {
  const FadeSide* side = fades_.sideOf(visible, times_.of(visible));
  return side != nullptr ? side->loop : phases_.playOf(visible).loop;
}

std::span<const CrowdMorph> Crowd::morphsOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  if (morphs_.empty()) return {};
  const std::vector<CrowdMorph>& own = morphs_[visible];
  return own;
}

ActorRecords Crowd::instances() const {
  bringRecordsUpToDate();
  return {records_.places, records_.frames, placesStamp_};
}

std::optional<double> Crowd::fastestWalk() const {
  const bool isEven = walkers_.empty() && wayWalkers_.empty() && times_.commanded().empty() &&
                      fades_.timed().empty();
  return isEven ? std::optional<double>(travels_.fastest()) : std::nullopt;
}

SteadyRecord Crowd::steadyOf(std::size_t visible) const {
  bringRecordsUpToDate();
  SteadyRecord record{.place = records_.places[visible]};
  const bool isCommanded = times_.find(visible) != nullptr;
  const bool isTimed = fades_.timedOf(visible) != nullptr;
  std::optional<gpu::CkPlay> play;
  record.framesAreSteady = !isCommanded && !isTimed && fades_.heldOf(visible) == nullptr &&
                           phases_.isSteady(visible, play);
  if (record.framesAreSteady && play) {
    record.frames = std::bit_cast<glm::ivec4>(*play);
  } else {
    record.frames = std::bit_cast<glm::ivec4>(records_.frames[visible]);
  }
  const bool travels = travels_.has(visible);
  record.placeIsSteady = !travels && !isTimed && !wayWalkers_.has(visible);
  if (!travels || isCommanded || isTimed) return record;
  record.walk = travels_.steadyWalkOf(visible);
  record.placeIsSteady = record.walk.has_value();
  return record;
}

}  // namespace ck
