#include "core/crowd/crowd.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "core/base/assert.h"
#include "core/crowd/actor_phases.h"
#include "core/crowd/travels.h"

namespace ck {
namespace {

// A colour of 8 bits a channel as 5-6-5 bits, rounded.
int tint565(std::uint32_t tint) {
  const int red = static_cast<int>((tint >> 16) & 255);
  const int green = static_cast<int>((tint >> 8) & 255);
  const int blue = static_cast<int>(tint & 255);
  return (((red * 31 + 127) / 255) << 11) | (((green * 63 + 127) / 255) << 5) |
         ((blue * 31 + 127) / 255);
}

glm::dquat turned(const glm::vec3& degrees) {
  const glm::dvec3 half = glm::dvec3(degrees) * (glm::pi<double>() / 360.0);
  const auto about = [&half](int axis) {
    glm::dquat turn(std::cos(half[axis]), 0.0, 0.0, 0.0);
    turn[axis] = std::sin(half[axis]);  // glm indexes x, y, z, w
    return turn;
  };
  return about(1) * about(0) * about(2);
}

std::uint64_t nextOrigin() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

glm::vec4 asVec4(const glm::dquat& q) {
  return glm::vec4(static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                   static_cast<float>(q.w));
}

}  // namespace

// The second clip of an actor.
struct Fade {
  std::size_t actor = 0;
  int clip = 0;
  LoopMode loop = LoopMode::Loop;
  double duration = 0.0;
  int firstFrame = 0;
  int lastInterval = -1;  // frameCount - 2; -1 where the clip is held at one frame
  int blend = 0;          // 1 .. 1023
  std::uint32_t fraction = 0;
  double phase = 0.0;
};

// How many steps of blending the record has.
constexpr double kBlendSteps = 1023.0;

int blendSteps(float fade) {
  return static_cast<int>(
      std::lround(std::clamp(static_cast<double>(fade), 0.0, 1.0) * kBlendSteps));
}

int lastIntervalOf(const CrowdClip& clip) {
  return clip.atlasClip >= 0 && clip.frameCount >= 2 ? clip.frameCount - 2 : -1;
}

int firstFrameOf(const CrowdClip& clip) {
  return clip.atlasClip >= 0 ? clip.firstFrame : 0;
}

constexpr LoopMode kLoopModes[] = {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong};

// The kind of phase of actors that play a clip in a way.
std::size_t kindOf(std::size_t clip, LoopMode loop) {
  return clip * std::size(kLoopModes) + static_cast<std::size_t>(loop);
}

// One entry per visible actor, except where it says otherwise.
struct Crowd::Arrays {
  double seconds = 0.0;
  std::vector<std::size_t> source;
  std::vector<int> clip;
  std::vector<LoopMode> loop;
  std::vector<PhaseStart> starts;  // rate and offset in cycles
  std::vector<std::uint32_t> offsetFraction;
  ActorPhases phases;
  std::vector<gpu::CkActor> records;  // as they were when they were last asked for
  bool stale = true;                  // time has gone on since
  CrowdStamp stamp{nextOrigin(), 0};  // of the records
  Travels travels;
  std::vector<Fade> fades;  // by actor, ascending
  std::vector<CrowdClip> clips;
  std::size_t given = 0;  // clips before the one without a name

  double rate(std::size_t i) const { return starts[i].rate; }
  double offset(std::size_t i) const { return starts[i].offset; }

  double unit(const Fade& fade) const {
    if (fade.loop == LoopMode::Loop) {
      return phaseFromFraction(fade.fraction + offsetFraction[fade.actor]);
    }
    return unitTime(fade.phase + offset(fade.actor), fade.loop);
  }

  // To be called once, when all actors are there.
  void startPhases();
  void bringRecordsUpToDate();
  void addFade(const Actor& actor, std::size_t index);
  // Adds a visible actor that plays clips[clipIndex].
  void add(const Actor& actor, std::size_t sourceIndex, std::size_t clipIndex);
};

// The clip after those given, without a name, is nothing to fade to.
void Crowd::Arrays::addFade(const Actor& actor, std::size_t index) {
  const int blend = blendSteps(actor.fade);
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
  gpu::CkActor& record = records[index];
  record.frames.y = fades.back().firstFrame;
  record.frames.w = (record.frames.w & ~1023) | blend;
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

  const glm::dquat turn = turned(actor.rotationDegrees);
  gpu::CkActor record = {};
  record.positionAlphaA = glm::vec4(actor.position.x, actor.position.y, actor.position.z, 0.0f);
  record.rotation = asVec4(turn);
  record.scaleAlphaB = glm::vec4(actor.scale, actor.scale, actor.scale, 0.0f);
  record.frames =
      glm::ivec4(firstFrameOf(crowdClip), -1, -1, gpu::ck_packLook(0.0f, 0, tint565(actor.tint)));
  records.push_back(record);
  addFade(actor, index);

  const double metersPerCycle = crowdClip.groundSpeedMetersPerSecond * crowdClip.durationSeconds *
                                static_cast<double>(actor.scale);
  if (!actor.travels || metersPerCycle == 0.0) return;
  const double cyclesPerSecond = phaseAfter(1.0, starts[index].rate, crowdClip.durationSeconds);
  travels.add({.actor = index,
               .start = actor.position,
               .turn = turn,
               .metersPerSecond = cyclesPerSecond * metersPerCycle,
               .radius = static_cast<double>(actor.turnRadius),
               .metersPerCycle = metersPerCycle,
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

// Only what time changes is written.
void Crowd::Arrays::bringRecordsUpToDate() {
  if (!stale) return;
  stale = false;
  ++stamp.moment;
  for (const Fade& fade : fades) {
    if (fade.lastInterval < 0) continue;
    const double x = unit(fade) * (fade.lastInterval + 1);
    const int frame = std::min(static_cast<int>(x), fade.lastInterval);
    gpu::CkActor& record = records[fade.actor];
    record.scaleAlphaB.w = static_cast<float>(x - frame);
    record.frames.y = fade.firstFrame + frame;
  }
  // Where a clip does not loop they stand where it ends and go back where it runs back.
  for (std::size_t t = 0; t < travels.size(); ++t) {
    if (!travels.byCycles(t)) continue;
    const std::size_t i = travels.actorOf(t);
    travels.setCycles(t, phases.unitOf(i) - unitTime(offset(i), loop[i]));
  }
  // Records that both write to stay in the cache from one to the other.
  constexpr std::size_t kBlock = 2048;
  for (std::size_t begin = 0; begin < records.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, records.size());
    phases.writeFrames(records, begin, end);
    travels.writePlaces(seconds, records, begin, end);
  }
}

Crowd::Crowd(std::span<const Actor> actors, std::span<const CrowdClip> clips)
    : arrays_(std::make_shared<Arrays>()) {
  Arrays& a = *arrays_;
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
}

std::size_t Crowd::size() const {
  return arrays_->source.size();
}

void Crowd::advance(double seconds) {
  Arrays& a = *arrays_;
  a.seconds += seconds;
  a.stale = true;
  a.phases.advance(seconds);
  for (Fade& fade : a.fades) {
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
  a.stamp = {nextOrigin(), 0};
  a.phases.seek(seconds);
  for (Fade& fade : a.fades) {
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
  return arrays_->phases.unitOf(visible);
}

int Crowd::clipOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  return arrays_->clip[visible];
}

LoopMode Crowd::loopOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  return arrays_->loop[visible];
}

double Crowd::rateOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  return arrays_->rate(visible);
}

std::optional<CrowdFade> Crowd::fadeOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  const std::vector<Fade>& fades = arrays_->fades;
  const auto found =
      std::lower_bound(fades.begin(), fades.end(), visible,
                       [](const Fade& fade, std::size_t actor) { return fade.actor < actor; });
  if (found == fades.end() || found->actor != visible) return std::nullopt;
  return CrowdFade{found->clip, arrays_->unit(*found), found->blend / kBlendSteps};
}

std::size_t Crowd::fadingActors() const {
  return arrays_->fades.size();
}

std::size_t Crowd::sourceIndexOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  return arrays_->source[visible];
}

std::span<const CrowdClip> Crowd::clips() const {
  return arrays_->clips;
}

std::span<const gpu::CkActor> Crowd::instances() const {
  arrays_->bringRecordsUpToDate();
  return arrays_->records;
}

void Crowd::writeInstances(std::span<gpu::CkActor> records) const {
  const auto all = instances();
  CK_ASSERT(records.size() == all.size());
  std::copy(all.begin(), all.end(), records.begin());
}

std::vector<CrowdClip> crowdClips(const Atlas& atlas, std::span<const std::string> clipNames) {
  std::vector<CrowdClip> clips;
  clips.reserve(clipNames.size());
  for (const std::string& name : clipNames) {
    const auto found =
        std::find_if(atlas.clips.begin(), atlas.clips.end(),
                     [&name](const AtlasClip& clip) { return sourceNameOf(clip) == name; });
    CrowdClip clip;
    clip.name = name;
    if (found != atlas.clips.end()) {
      clip.atlasClip = static_cast<int>(found - atlas.clips.begin());
      clip.firstFrame = found->firstFrame;
      clip.frameCount = found->frameCount;
      clip.durationSeconds = found->durationSeconds;
      clip.loop = found->loop;
      clip.groundSpeedMetersPerSecond = found->groundSpeedMetersPerSecond;
    }
    clips.push_back(clip);
  }
  return clips;
}

std::vector<CrowdClip> sourceCrowdClips(const Character& character,
                                        std::span<const std::string> clipNames) {
  std::vector<CrowdClip> clips;
  clips.reserve(clipNames.size());
  for (const std::string& name : clipNames) {
    const auto found = std::find_if(character.clips.begin(), character.clips.end(),
                                    [&name](const Clip& clip) { return clip.name == name; });
    CrowdClip clip;
    clip.name = name;
    if (found != character.clips.end()) {
      clip.durationSeconds = found->durationSeconds;
      clip.groundSpeedMetersPerSecond = found->groundSpeedMetersPerSecond;
    }
    clips.push_back(clip);
  }
  return clips;
}

}  // namespace ck
