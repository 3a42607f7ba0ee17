#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/container/clip_model.h"

// Predicts where a joint is from where its parent is now and how both were before. Only additions,
// multiplications, divisions and square roots of doubles in a fixed order, so that every machine
// computes the same bits.
namespace ck {

using Place = std::array<double, 3>;
using Turn = std::array<double, 4>;  // x, y, z, w

struct GuessPose {
  Place place = {};
  Turn turn = {0.0, 0.0, 0.0, 1.0};
  double scale = 1.0;
};

// The meaning of the numbers of one joint in one frame; turns have length 1.
GuessPose poseOfNumbers(const ClipModel& model, std::size_t joint,
                        std::span<const std::uint16_t> numbers);

// Three guesses of a joint's pose.
struct Guesses {
  // By the offset from the parent: its mean so far, that of the frame before, and as it would go on
  // from the two before.
  std::array<Place, 3> places = {};
  // By the turn against the parent: as before, as it would go on evenly, and with its acceleration.
  std::array<Turn, 3> turns = {};
};

// Follows one joint along the frames of a clip.
class PoseGuess {
 public:
  // `parent` has the poses of the parent in all frames, or none without a parent.
  PoseGuess(const ModelJoint& joint, std::span<const GuessPose> parent);

  // For the frame that follows those that were told.
  Guesses guess() const;
  // The pose that this frame turned out to have.
  void tell(const GuessPose& pose);

 private:
  const GuessPose& parentNow() const;

  std::span<const GuessPose> parent_;
  std::size_t frame_ = 0;
  Place mean_ = {};
  Place offset_ = {};                // of the frame before
  Place offsetBefore_ = {};          // of the frame before that
  std::array<Turn, 3> locals_ = {};  // against the parent, the latest first
  Turn last_ = {};
};

}  // namespace ck
