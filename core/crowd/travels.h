#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>
#include <vector>

#include "core/atlas/shared_glsl.h"

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
// the truth, the same on every machine.
class Travels {
 public:
  // By actor, ascending.
  void add(const Travel& travel);

  // Those that go by cycles: `index` in [0, size()).
  std::size_t size() const { return count_; }
  bool byCycles(std::size_t index) const { return byCycles_[index] == kByCycles; }
  std::size_t actorOf(std::size_t index) const { return actor_[index]; }
  void setCycles(std::size_t index, double cycles);

  // From now on a traveller is where setMeters() says, neither by time nor by cycles.
  void goByMeters(std::size_t index);
  void setMeters(std::size_t index, double meters);

  // Writes places and turns as they are `seconds` after the start of those among the actors
  // [begin, end), and of a few behind them that go with the last four; nothing else. `places` has
  // one entry per actor of the crowd. Ranges that cover all actors write each traveller once.
  void writePlaces(double seconds, std::span<gpu::CkPlace> places, std::size_t begin,
                   std::size_t end) const;

 private:
  static constexpr unsigned char kByCycles = 1;
  static constexpr unsigned char kByMeters = 2;

  std::size_t count_ = 0;
  // Padded to whole fours.
  std::vector<std::uint32_t> actor_;
  std::vector<unsigned char> byCycles_;
  std::vector<double> metersPerCycle_;
  std::vector<double> speed_;   // metres a second
  std::vector<double> walked_;  // metres, on top of speed * seconds
  std::vector<double> radius_;
  std::vector<double> turnsPerMeter_;  // half of the angle, in whole turns
  std::vector<float> start_[3];
  std::vector<double> turn_[4];  // x, y, z, w
};

}  // namespace ck
