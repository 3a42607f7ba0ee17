#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/shared_glsl.h"
#include "core/crowd/actor.h"
#include "core/crowd/steady_record.h"

namespace ck {

// The actors of a crowd that move over the ground, processed eight at a time. An actor moves along
// its own +Z, straight or on a circle of Actor::turnRadius. Sines are polynomials with an error
// below 3e-7 and are identical on every machine.
class Travels {
 public:
  // Adds the crowd's actor `index`, which is not there yet and moves at this speed (in the crowd's
  // time, any sign).
  void add(const Actor& actor, std::size_t index, double metersPerSecond);
  void remove(std::size_t index);
  bool has(std::size_t index) const { return index < numbers_.size() && numbers_[index] != 0; }

  // The following take actors that were added. Sets the distance at time 0, for actors whose
  // distance is not a multiple of the time.
  void setMeters(std::size_t index, double meters) { meters_[numbers_[index] - 1] = meters; }
  // Leaves the distance to setMeters() alone.
  void setStill(std::size_t index) { speed_[numbers_[index] - 1] = 0.0; }
  // How the actor goes round its circle, if it does so at one speed for ever; its place is then
  // that of the start.
  std::optional<SteadyWalk> steadyWalkOf(std::size_t index) const;

  bool empty() const { return actor_.empty(); }
  // The largest magnitude of the speeds that actors were added with.
  double fastest() const { return fastest_; }

  // Writes the places and rotations of the added actors at `seconds` after the start, and no
  // others. `places` has one entry per actor of the crowd.
  void writePlaces(double seconds, std::span<gpu::CkPlace> places) const;

 private:
  // writePlaces(), eight at a time: inlined, and compiled for the best instructions there are.
  void writeEights(double seconds, std::span<gpu::CkPlace> places) const;
  void writeBest(double seconds, std::span<gpu::CkPlace> places) const;

  double fastest_ = 0.0;
  std::vector<std::uint32_t> actor_;
  std::vector<std::uint32_t> numbers_;  // by actor: the number + 1, or 0
  // Padded to a multiple of eight.
  std::vector<double> speed_;   // metres a second
  std::vector<double> meters_;  // added to speed * seconds
  std::vector<float> radius_;
  std::vector<double> turnsPerMeter_;  // half of the angle per metre, in turns
  std::vector<float> start_[3];
  std::vector<float> turn_[4];  // x, y, z, w
};

}  // namespace ck
