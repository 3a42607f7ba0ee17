#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/shared_glsl.h"
#include "core/crowd/actor.h"
#include "core/crowd/actor_times.h"
#include "core/crowd/fade.h"

namespace ck {

// The actors of a crowd that walk by the ways of their clips (CrowdClip::rootMotion). Their places
// are functions of their own time alone, in closed form for any number of passes.
class WayWalkers {
 public:
  // Adds the crowd's actor `index`, which is not there yet and plays one clip. The way of `side`
  // must outlive this.
  void add(const Actor& actor, std::size_t index, const FadeSide& side, double rate);
  // Adds an actor with a timed fade that follows the way of either clip.
  void add(const Actor& actor, std::size_t index, const TimedFade& fade);

  bool empty() const { return walkers_.empty() && faders_.empty(); }

  // Whether the crowd's actor `index` walks by the way of one clip.
  bool has(std::size_t index) const;
  void remove(std::size_t index);

  // Writes the places and rotations of the added actors, and no others. `places` has one entry per
  // actor of the crowd.
  void writePlaces(const ActorTimes& times, std::span<gpu::CkPlace> places) const;

 private:
  // Where an actor is at time 0.
  struct Start {
    glm::dvec3 position{0.0};
    glm::dquat turn{1.0, 0.0, 0.0, 0.0};
  };
  struct Walker {
    std::size_t actor = 0;
    Start start;
    FadeSide side;
    double cyclesPerSecond = 0.0;
    GroundMotion back = {};  // from where the actor starts to the way's start
  };
  struct Fader {
    std::size_t actor = 0;
    Start start;
    TimedFade fade;
    double turnRadius = 0.0;
    GroundMotion after = {};  // the place, less the way of the second clip, once the fade is over
  };
  static Start startOf(const Actor& actor);
  static void write(const Start& start, const GroundMotion& moved, gpu::CkPlace& place);

  std::vector<Walker> walkers_;
  std::vector<Fader> faders_;
};

}  // namespace ck
