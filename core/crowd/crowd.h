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

// One actor with the settings of the artist.
struct Actor {
  int clip = 0;                     // into the clips of its character
  float offset = 0.0f;              // cycles
  float rate = 1.0f;                // 1 = as authored; any sign; 0 holds the pose
  glm::vec3 position{0.0f};         // metres, at time 0
  glm::vec3 rotationDegrees{0.0f};  // about x, y, z; applied y * x * z
  float scale = 1.0f;
  std::uint32_t tint = 0xffffff;  // 0xRRGGBB, sRGB
  bool on = true;
  // Whether the actor walks along its own +Z at the clip's ground speed: on a circle of
  // `turnRadius` metres to its left (negative: to its right), or straight ahead for 0.
  bool travels = false;
  float turnRadius = 0.0f;
  std::optional<LoopMode> loop = {};  // loop mode of its clips; unset: the clip's own
  // A second clip that is blended over the first, with the same offset and rate and its own length;
  // -1 for none. `fade` in [0, 1] is its weight.
  int fadeClip = -1;
  float fade = 0.0f;
  // If fadeSeconds > 0, the actor fades from the first clip to the second, and `fade` is ignored.
  // The fade starts at fadeAtSeconds of the crowd's time; after it the actor plays the second clip.
  float fadeSeconds = 0.0f;
  float fadeAtSeconds = 0.0f;
  FadePhase fadePhase = FadePhase::Own;
  bool fadeEased = false;
  // Index into the project's masks: the joints that the second clip moves; -1: all. Only the method
  // live applies masks.
  int mask = -1;
  int character = 0;  // into the project's cast: 0 is its own rig; `clip` is of that character
  // The actor's own morph weights, which replace those of its clips. Sorted by name, each name
  // once.
  std::vector<MorphWeight> morphs = {};
  bool operator==(const Actor&) const = default;
};

// The properties of a clip that a crowd needs.
struct CrowdClip {
  std::string name;    // as in Character::clips
  int atlasClip = -1;  // into Atlas::clips; -1: not baked, its actors show frame 0 of the atlas
  int firstFrame = 0;
  int frameCount = 2;
  double durationSeconds = 0.0;
  LoopMode loop = LoopMode::Loop;
  double groundSpeedMetersPerSecond = 0.0;
  std::vector<CrowdEvent> events = {};  // crowdEvents() of core/project/pipeline.h
};

// The second clip of an actor at a time.
struct CrowdFade {
  int clip = 0;        // into Crowd::clips()
  double unit = 0.0;   // position in that clip, in [0, 1]
  double blend = 0.0;  // weight of that clip, in (0, 1], a multiple of 1/1023
};

// Identifies a crowd and its time. Equal stamps mean that nothing has changed.
struct CrowdStamp {
  std::uint64_t origin = 0;  // unique in the program; changes when the crowd is made or seeked
  std::uint64_t moment = 0;  // increases when the crowd advances
  bool operator==(const CrowdStamp&) const = default;
};

// An actor's own weight of a morph.
struct CrowdMorph {
  int name = 0;  // into Crowd::morphNames()
  float weight = 0.0f;
};

// A playing crowd: actors as arrays with one clock.
class Crowd {
 public:
  // `clips` is indexed by Actor::clip, `masks` by Actor::mask. Actors that are off are left out.
  Crowd(std::span<const Actor> actors, std::span<const CrowdClip> clips,
        std::span<const JointMask> masks = {});

  std::size_t size() const;  // visible actors

  // Advances every actor by `seconds` (any sign). Phases do not drift (docs/techniques.md 1.2).
  void advance(double seconds);

  // Sets every actor to `seconds` after the start, as the timeline and `kiln render --time` do.
  // advance() continues from there.
  void seek(double seconds);

  double timeSeconds() const;

  // Renderers compare stamps to see whether anything has changed. An equal origin means that the
  // actors moved continuously, so motion vectors are valid.
  CrowdStamp stamp() const;

  // Changes the tint of a visible actor, 0xRRGGBB, e.g. for a flash.
  void setTint(std::size_t visible, std::uint32_t tint);

  // The events that actors pass from time `from` to `to` (see TimeStep), ordered by time in the
  // direction of the step. During a fade the events of both clips are included. Costs nothing if no
  // clip has events.
  std::vector<FiredEvent> eventsBetween(double from, double to) const;

  // The position of a visible actor in its clip, in [0, 1], and the clip. After a fade this is the
  // fade's target.
  double unitOf(std::size_t visible) const;
  int clipOf(std::size_t visible) const;
  double rateOf(std::size_t visible) const;              // the actor's setting
  LoopMode loopOf(std::size_t visible) const;            // of its clip
  std::size_t sourceIndexOf(std::size_t visible) const;  // index into the given actors

  // The second clip of a visible actor. Nothing if it has none, if the clip does not exist, or if
  // its weight is 0.
  std::optional<CrowdFade> fadeOf(std::size_t visible) const;
  std::size_t fadingActors() const;  // number of actors with a second clip now

  // The mask of its second clip, an index into masks(); -1: all joints.
  int maskOf(std::size_t visible) const;
  std::span<const JointMask> masks() const;

  // The morphs for which any actor has an own weight, and a visible actor's own weights.
  std::span<const std::string> morphNames() const;
  std::span<const CrowdMorph> morphsOf(std::size_t visible) const;

  // The given clips, indexed by clipOf(), followed by an unnamed one if an actor's clip does not
  // exist.
  std::span<const CrowdClip> clips() const;

  // One record per visible actor at the current time. The view refers to memory of the crowd and is
  // valid until the crowd advances. Only changed parts are computed. Must not be called from two
  // threads at once.
  ActorRecords instances() const;

  // Writes the records to memory of the caller. `records` must have size() entries.
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

// The clips of a crowd, for clip names as in Character::clips, with their positions in an atlas.
std::vector<CrowdClip> crowdClips(const Atlas& atlas, std::span<const std::string> clipNames);

// The clips of a crowd before a bake, for a renderer that shows the source. All clips loop.
std::vector<CrowdClip> sourceCrowdClips(const Character& character,
                                        std::span<const std::string> clipNames);

}  // namespace ck
