#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string_view>

#include "core/base/shared_list.h"
#include "core/crowd/fade.h"
#include "core/crowd/own_time.h"
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
  // The fade starts at fadeAtSeconds of the actor's own time (OwnTime: the crowd's time, unless it
  // has commands); after it the actor plays the second clip.
  float fadeSeconds = 0.0f;
  float fadeAtSeconds = 0.0f;
  FadePhase fadePhase = FadePhase::Own;
  bool fadeEased = false;
  // Index into the project's masks: the joints that the second clip moves; -1: all. Only the method
  // live applies masks.
  int mask = -1;
  int character = 0;  // into Project::characters; `clip` is of that character
  // The actor's own morph weights, which replace those of its clips. Sorted by name, each name
  // once.
  SharedList<MorphWeight> morphs = {};
  // The commands that it gets while it plays, in the order of the times; see OwnTime.
  SharedList<PlayCommand> commands = {};
  // Whether the artist has placed it: a formation neither moves nor removes it.
  bool byHand = false;
  int group = -1;  // into Project::groups; -1: none
  int crowd = 0;   // into Project::crowds
  bool operator==(const Actor&) const = default;
};

// The rotation that Actor::rotationDegrees describes: about y, x and z, as a product in this order.
glm::dquat turnOf(const glm::vec3& degrees);

// Angles for a unit quaternion: x in [-90, 90], y and z in [-180, 180]. At x = 90 or -90 the angles
// about y and z are equivalent; z is then 0.
glm::vec3 degreesOf(const glm::dquat& turn);

// The actor's own weight of a morph, if it has one.
std::optional<float> morphOf(const Actor& actor, std::string_view name);

// Sets or removes the actor's own weight. Without it, the actor's clips determine the weight. Names
// stay sorted.
void setMorph(Actor& actor, std::string_view name, std::optional<float> weight);

}  // namespace ck
