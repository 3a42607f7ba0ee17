#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>
#include <vector>

#include "core/base/shared_glsl.h"

namespace ck {

// How one actor moves over the ground: along +Z of its own, on a circle to its left (+X) or, with a
// negative radius, to its right.
struct Travel {
  std::size_t actor = 0;
  glm::vec3 start{0.0f};
  glm::dquat turn{1.0, 0.0, 0.0, 0.0};  // at the start, of length 1
  double metersPerSecond = 0.0;         // of the crowd's time, either sign
  double radius = 0.0;                  // metres; 0: straight ahead
  // Instead of metersPerSecond for actors whose clip does not loop: they go as far as their clip
  // has come, which the caller says.
  double metersPerCycle = 0.0;
  bool byCycles = false;
};

// The actors of a crowd that travel, four at once. Sines are polynomials that stay within 1e-10 of
// the truth, the same on every machine. Those whose clip has no ground speed cost nothing until
// they go by meters: whoever might walk one day may be added.
class Travels {
 public:
  // By actor, ascending.
  void add(const Travel& travel);

  std::size_t size() const { return actor_.size(); }
  std::size_t actorOf(std::size_t index) const { return actor_[index]; }  // index in [0, size())

  // Those that move by cycles.
  std::span<const std::uint32_t> byCycles() const { return cyclers_; }
  void setCycles(std::size_t index, double cycles);

  // From now on a traveller is where setMeters() says, neither by time nor by cycles.
  void goByMeters(std::size_t index);
  void setMeters(std::size_t index, double meters);

  bool anyMoves() const { return moving_.count > 0; }

  // Writes places and turns of those that move as they are `seconds` after the start; nothing else.
  // `places` has one entry per actor of the crowd.
  void writePlaces(double seconds, std::span<gpu::CkPlace> places) const;

 private:
  enum class Way : unsigned char { Time, Cycles, Meters };
  // Padded to whole fours.
  struct Columns {
    std::size_t count = 0;
    std::vector<std::uint32_t> actor;
    std::vector<double> speed;   // metres a second
    std::vector<double> walked;  // metres, on top of speed * seconds
    std::vector<double> radius;
    std::vector<double> turnsPerMeter;  // half of the angle, in whole turns
    std::vector<float> start[3];
    std::vector<double> turn[4];  // x, y, z, w

    void add(const Travel& travel);
  };
  static void writeAll(const Columns& from, double seconds, gpu::CkPlace* places);

  // By traveller.
  std::vector<std::uint32_t> actor_;
  std::vector<std::uint32_t> slot_;  // into `moving_` or `resting_`
  std::vector<unsigned char> moves_;
  std::vector<Way> ways_;
  std::vector<std::uint32_t> cyclers_;
  std::vector<double> metersPerCycle_;
  Columns moving_;
  Columns resting_;  // with holes where somebody went over to the others
};

}  // namespace ck
