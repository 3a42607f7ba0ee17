#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/anim/joint_mask.h"
#include "core/atlas/atlas.h"
#include "core/crowd/actor_records.h"
#include "core/crowd/clip_events.h"
#include "core/crowd/fade.h"
#include "core/morph/morph_weight.h"

namespace ck {

// One actor as the artist sets it.
struct Actor {
  int clip = 0;                     // into the list of clip names of its character
  float offset = 0.0f;              // cycles
  float rate = 1.0f;                // 1 = as authored; any sign; 0 stands still
  glm::vec3 position{0.0f};         // metres, where it is at time 0
  glm::vec3 rotationDegrees{0.0f};  // about x, y, z; applied y * x * z
  float scale = 1.0f;
  std::uint32_t tint = 0xffffff;  // 0xRRGGBB, sRGB
  bool on = true;
  // Walks along +Z of its own at the clip's ground speed; on a circle of this radius (metres, to
  // its left; negative to its right), straight ahead for 0. Actors with `travels` off stay put.
  bool travels = false;
  float turnRadius = 0.0f;
  std::optional<LoopMode> loop = {};  // at the ends of its clips; unset: as the clip says
  // A second clip that is laid over the first, run by the same offset and rate on its own length;
  // -1 for none. `fade` in [0, 1] says how much of the actor it is.
  int fadeClip = -1;
  float fade = 0.0f;
  // Where fadeSeconds is above 0 it passes from the first clip to the second, whatever `fade` says:
  // at fadeAtSeconds of the crowd's time it sets out, and once it is over it plays the second clip.
  float fadeSeconds = 0.0f;
  float fadeAtSeconds = 0.0f;
  FadePhase fadePhase = FadePhase::Own;
  bool fadeEased = false;
  // Which joints the second clip may move, into the project's masks; -1: all of them. Only the
  // method live tells joints apart, the others show the second clip whole.
  int mask = -1;
  int character = 0;  // into the project's cast: 0 is its own rig; `clip` is of that character
  // Weights of its own instead of those of its clips, ascending by name, each name once.
  std::vector<MorphWeight> morphs = {};
  bool operator==(const Actor&) const = default;
};

// What a crowd needs to know of a clip.
struct CrowdClip {
  std::string name;    // as in Character::clips, which is where the source of the clip is found
  int atlasClip = -1;  // into Atlas::clips; -1: not baked, its actors hold frame 0 of the atlas
  int firstFrame = 0;
  int frameCount = 2;
  double durationSeconds = 0.0;
  LoopMode loop = LoopMode::Loop;
  double groundSpeedMetersPerSecond = 0.0;
  std::vector<CrowdEvent> events = {};  // crowdEvents() of core/project/pipeline.h
};

// The second clip of an actor at a moment.
struct CrowdFade {
  int clip = 0;        // into Crowd::clips()
  double unit = 0.0;   // where in that clip, in [0, 1]
  double blend = 0.0;  // of it over the first clip, in (0, 1]; a whole number of 1023rds
};

// Which crowd at which moment: equal only while nothing of it has changed.
struct CrowdStamp {
  std::uint64_t origin = 0;  // another whenever a crowd is made or seeked, in the whole program
  std::uint64_t moment = 0;  // goes up when it has moved on since
  bool operator==(const CrowdStamp&) const = default;
};

// A weight that an actor has of its own.
struct CrowdMorph {
  int name = 0;  // into Crowd::morphNames()
  float weight = 0.0f;
};

// The playing crowd: actors as arrays, one clock.
class Crowd {
 public:
  // `clips` is indexed by Actor::clip, `masks` by Actor::mask. Actors whose `on` is false are left
  // out.
  Crowd(std::span<const Actor> actors, std::span<const CrowdClip> clips,
        std::span<const JointMask> masks = {});

  std::size_t size() const;  // visible actors

  // Moves every actor on by `seconds` (any sign) with phases that do not drift for hours.
  void advance(double seconds);

  // Puts every actor where it is `seconds` after the start: what the time line and `kiln render
  // --time` show. advance() goes on from there.
  void seek(double seconds);

  double timeSeconds() const;

  // Tells a renderer whether there is anything new to show, and by its origin whether the actors
  // came there by moving on, so that they have a motion.
  CrowdStamp stamp() const;

  // Gives a visible actor another tint, 0xRRGGBB: a flash, until it is given its own again.
  void setTint(std::size_t visible, std::uint32_t tint);

  // The events that actors pass while time goes from `from` to `to` (see TimeStep), by time in the
  // order of going. The clip that is faded from and that which is faded to both fire while they are
  // to be seen. Costs nothing where no clip has events.
  std::vector<FiredEvent> eventsBetween(double from, double to) const;

  // Where a visible actor is in its clip, in [0, 1], and which clip that is: after a fade the one
  // that it went to.
  double unitOf(std::size_t visible) const;
  int clipOf(std::size_t visible) const;
  double rateOf(std::size_t visible) const;              // as the actor has it
  LoopMode loopOf(std::size_t visible) const;            // at the ends of its clip
  std::size_t sourceIndexOf(std::size_t visible) const;  // into the actors given

  // The second clip of a visible actor; nothing where it has none, none that is among the clips, or
  // none of it is to be seen.
  std::optional<CrowdFade> fadeOf(std::size_t visible) const;
  std::size_t fadingActors() const;  // how many have one now

  // Which joints its second clip may move, into masks(); -1 for all of them.
  int maskOf(std::size_t visible) const;
  std::span<const JointMask> masks() const;

  // The morph targets of which any actor has a weight of its own, and what a visible actor has.
  std::span<const std::string> morphNames() const;
  std::span<const CrowdMorph> morphsOf(std::size_t visible) const;

  // The clips as given, indexed by clipOf(); then one without a name where actors ask for a clip
  // that is not there.
  std::span<const CrowdClip> clips() const;

  // One record per visible actor, as it is now. They are the crowd's own, and only what time
  // changes is written anew: valid until it is moved on, and not to be asked for by two threads at
  // once.
  ActorRecords instances() const;

  // The same into records of the caller's, which must be size() of them.
  void writeInstances(std::span<gpu::CkActor> records) const;

 private:
  struct Arrays;
  std::shared_ptr<Arrays> arrays_;
};

// The actor that does what `actor` does until `seconds` of the crowd's time and then fades as
// asked. While it fades already, the clip that is seen most is the first of the new fade, and the
// other is gone. An actor whose earlier fade is over plays on from there; a clip that plays once
// and is under way counts as ended. `actor` itself where the crowd has no such clip.
Actor fadingFrom(const Actor& actor, std::span<const CrowdClip> clips, double seconds,
                 const FadeRequest& request);

// How a crowd's clips, named as in Character::clips, map onto an atlas.
std::vector<CrowdClip> crowdClips(const Atlas& atlas, std::span<const std::string> clipNames);

// The same before anything is baked, for a renderer that shows the source: all clips loop.
std::vector<CrowdClip> sourceCrowdClips(const Character& character,
                                        std::span<const std::string> clipNames);

}  // namespace ck
