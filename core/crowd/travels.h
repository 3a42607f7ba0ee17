#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>
#include <vector>

#include "core/base/shared_glsl.h"

namespace ck {

// The path of one actor over the ground: along its own +Z, straight or on a circle to its left
// (+X). A negative radius turns to the right.
struct Travel {
  std::size_t actor = 0;
  glm::vec3 start{0.0f};
  glm::dquat turn{1.0, 0.0, 0.0, 0.0};  // rotation at the start, unit length
  double metersPerSecond = 0.0;         // in the crowd's time, any sign
  double radius = 0.0;                  // metres; 0: straight
  // Used instead of metersPerSecond if the actor's clip does not loop: the distance follows the
  // clip's position, which the caller sets.
  double metersPerCycle = 0.0;
  bool byCycles = false;
};

// The moving actors of a crowd, processed four at a time. Sines are polynomials with an error below
// 1e-10 and are identical on every machine. Actors whose clip has no ground speed are skipped until
// goByMeters(), so callers may add every actor that may walk later.
class Travels {
 public:
  // Actors must be added in ascending order.
  void add(const Travel& travel);

  std::size_t size() const { return actor_.size(); }
  std::size_t actorOf(std::size_t index) const { return actor_[index]; }  // index in [0, size())

  // Indices of the actors that move by cycles.
  std::span<const std::uint32_t> byCycles() const { return cyclers_; }
  void setCycles(std::size_t index, double cycles);

  // From now on the traveller's distance is set by setMeters(), and depends neither on time nor on
  // cycles.
  void goByMeters(std::size_t index);
  void setMeters(std::size_t index, double meters);

  bool anyMoves() const { return moving_.count > 0; }

  // Writes the places and rotations of moving actors at `seconds` after the start, and no others.
  // `places` has one entry per actor of the crowd.
  void writePlaces(double seconds, std::span<gpu::CkPlace> places) const;

 private:
  enum class Way : unsigned char { Time, Cycles, Meters };
  // Padded to a multiple of four.
  struct Columns {
    std::size_t count = 0;
    std::vector<std::uint32_t> actor;
    std::vector<double> speed;   // metres a second
    std::vector<double> walked;  // metres, added to speed * seconds
    std::vector<double> radius;
    std::vector<double> turnsPerMeter;  // half of the angle per metre, in turns
    std::vector<float> start[3];
    std::vector<double> turn[4];  // x, y, z, w

    void add(const Travel& travel);
  };
  static void writeAll(const Columns& from, double seconds, gpu::CkPlace* places);

  // One entry per traveller.
  std::vector<std::uint32_t> actor_;
  std::vector<std::uint32_t> slot_;  // into `moving_` or `resting_`
  std::vector<unsigned char> moves_;
  std::vector<Way> ways_;
  std::vector<std::uint32_t> cyclers_;
  std::vector<double> metersPerCycle_;
  Columns moving_;
  Columns resting_;  // has unused slots where travellers moved to `moving_`
};

}  // namespace ck
