#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/container/bit_coder.h"
#include "core/container/clip_model.h"

namespace ck {

// The size of an expected error in half steps of powers of two, from 1/8: 0 to 39.
inline constexpr std::size_t kLevels = 40;
inline std::size_t levelOf(double error) {
  // Of a double, the exponent and the highest bit behind it: 1.5 begins the upper half of a power.
  constexpr int kEighth = 2 * (1023 - 3);
  const auto bits = static_cast<int>(std::bit_cast<std::uint64_t>(error) >> 51);
  return static_cast<std::size_t>(std::clamp(bits - kEighth, 0, 39));
}

// What is known of an error before it is coded.
struct ErrorContext {
  std::size_t kind = 0;  // of the channel: 0 place, 1 plain, 2 rotation, 3 the last of a rotation
  std::size_t slot = 0;  // the how-many-th channel of the joint is coded
  std::size_t own = 0;   // the level of errors of this channel in the frames before
  std::size_t near = 0;  // of channels of this frame
};

// Codes how far whole numbers are from predicted ones: how many bits the distance has, one by one,
// its sign, and its bits. Every decision has probabilities of its own by the context.
class ResidualCoder {
 public:
  // Codes `number`, which lies in [0, 2^bits), or returns the coded one; a decoder may return any
  // number where its bytes are damaged. `predicted` lies in the same range. What is coded is off by
  // at most `slack`: it is the nearest to `number` in steps of 2 slack + 1 from the predicted one.
  template <class Coder>
  int code(Coder& coder, int number, double predicted, int bits, const ErrorContext& context,
           int slack = 0) {
    const int nearest = static_cast<int>(std::floor(predicted + 0.5));
    const double rest = predicted - nearest;
    const int step = 2 * slack + 1;
    const int steps = (std::abs(number - nearest) + slack) / step;
    const int error = number < nearest ? -steps : steps;
    const int length = codeLength(coder, lengthOf(std::abs(error)), rest, bits, context);
    if (length == 0) return nearest;
    const auto capped = static_cast<std::size_t>(std::min(length, 7));
    const auto side = static_cast<std::size_t>(
        std::clamp(static_cast<int>(std::floor((rest + 0.5) * 16.0)), 0, 15));
    const int isBelow = codeBit(coder, error < 0 ? 1 : 0, signMixer_, signByRest_[side][capped],
                                signBySlot_[context.slot][capped]);
    const int distance = codeDistance(coder, std::abs(error), length, context);
    // Damaged bytes may ask for any distance: it ends beyond all numbers.
    constexpr std::int64_t kFar = 1 << 20;
    const auto away = static_cast<int>(std::min(std::int64_t{step} * distance, kFar));
    return isBelow != 0 ? nearest - away : nearest + away;
  }

 private:
  static constexpr std::size_t kLengths = 17;
  static constexpr std::size_t kKinds = 4;
  // The first decision looks at how far the prediction is from a whole number: four contexts.
  static constexpr std::size_t kSteps = kLengths + 3;

  static int lengthOf(int distance) {
    int length = 0;
    for (; (distance >> length) != 0; ++length) {
    }
    return length;
  }

  template <class Coder>
  int codeLength(Coder& coder, int wanted, double rest, int bits, const ErrorContext& context) {
    const std::size_t both = (context.own + context.near) / 2;
    const auto byRest =
        static_cast<std::size_t>(std::min(static_cast<int>(std::abs(rest) * 8.0), 3));
    int length = 0;
    while (length < bits) {
      const auto at = static_cast<std::size_t>(length);
      const std::size_t step = length == 0 ? byRest : at + 3;
      const int isLonger = codeBit(coder, wanted > length ? 1 : 0, lengthMixers_[at],
                                   lengthByOwn_[context.kind][context.own][step],
                                   lengthByNear_[context.kind][context.near][at],
                                   lengthByBoth_[context.kind][both][at]);
      if (isLonger == 0) break;
      ++length;
    }
    return length;
  }

  // The bits below the highest one: two that are modelled, then plain ones.
  template <class Coder>
  int codeDistance(Coder& coder, int wanted, int length, const ErrorContext& context) {
    const auto l = static_cast<std::size_t>(length);
    int distance = 1;
    for (int bit = length - 2; bit >= 0; --bit) {
      const int one = (wanted >> bit) & 1;
      if (distance < 4) {
        const auto at = static_cast<std::size_t>(distance);
        distance =
            2 * distance + codeBit(coder, one, bitMixers_[l], bitsByOwn_[l][context.own / 2][at],
                                   bitsByNear_[l][context.near][at]);
      } else {
        distance = 2 * distance + coder.code(one, 2048);
      }
    }
    return distance;
  }

  template <class Item, std::size_t A, std::size_t B, std::size_t C>
  using Table = std::array<std::array<std::array<Item, C>, B>, A>;

  Table<AdaptiveBit, kKinds, kLevels, kSteps> lengthByOwn_ = {};
  Table<AdaptiveBit, kKinds, kLevels, kLengths> lengthByNear_ = {};
  Table<AdaptiveBit, kKinds, kLevels, kLengths> lengthByBoth_ = {};
  std::array<BitMixer, kLengths> lengthMixers_ = {};
  std::array<std::array<AdaptiveBit, 8>, 16> signByRest_ = {};
  std::array<std::array<AdaptiveBit, 8>, kMostChannels> signBySlot_ = {};
  BitMixer signMixer_;
  Table<AdaptiveBit, kLengths, kLevels / 2, 4> bitsByOwn_ = {};
  Table<AdaptiveBit, kLengths, kLevels, 4> bitsByNear_ = {};
  std::array<BitMixer, kLengths> bitMixers_ = {};
};

}  // namespace ck
