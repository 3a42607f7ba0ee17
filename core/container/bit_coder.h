#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

// A binary arithmetic coder whose probabilities learn, in whole numbers alone, so that every
// machine computes the same bits. docs/ckatlas-packed.md describes it to the bit.
namespace ck {

// The probability that a bit is 1, of 65536. Learns quickly at first, then slowly.
struct AdaptiveBit {
  std::uint16_t one = 32768;
  std::uint16_t seen = 0;  // bits so far, up to 60
};

// No weight leaves +-16, whatever a damaged file says.
inline constexpr std::int32_t kMostWeight = 1 << 20;

// How much each of three probabilities counts, of 65536; learns which of them says most.
struct BitMixer {
  std::array<std::int32_t, 3> weights = {26214, 26214, 26214};
};

namespace coder_tables {

inline constexpr int kMostSeen = 60;

// squash() at multiples of 128 from -2048 to 2048, as the formula rounds.
inline constexpr std::array<int, 33> kSquash = {
    1,    2,    3,    6,    10,   16,   27,   45,   73,   120,  194,
    310,  488,  747,  1101, 1546, 2047, 2549, 2994, 3348, 3607, 3785,
    3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094};

constexpr int squashed(int x) {
  const auto at = static_cast<std::size_t>((x >> 7) + 16);
  const int part = x & 127;
  return (kSquash[at] * (128 - part) + kSquash[at + 1] * part + 64) >> 7;
}

inline constexpr auto kSquashed = [] {
  std::array<std::int16_t, 4095> table = {};
  for (int x = -2047; x <= 2047; ++x) {
    table[static_cast<std::size_t>(x + 2047)] = static_cast<std::int16_t>(squashed(x));
  }
  return table;
}();

// The least x whose squash() is p or more.
inline constexpr auto kStretched = [] {
  std::array<std::int16_t, 4096> table = {};
  std::size_t p = 0;
  for (int x = -2047; x <= 2047; ++x) {
    for (; p <= static_cast<std::size_t>(squashed(x)); ++p) table[p] = static_cast<std::int16_t>(x);
  }
  for (; p < table.size(); ++p) table[p] = 2047;
  return table;
}();

// The n-th bit counts 1 / (n + 1.5), of 65536.
inline constexpr auto kSteps = [] {
  std::array<std::int32_t, kMostSeen + 1> steps = {};
  for (std::size_t n = 0; n < steps.size(); ++n) {
    steps[n] = static_cast<std::int32_t>(131072 / (2 * n + 3));
  }
  return steps;
}();

}  // namespace coder_tables

// Logistic functions in steps of 1/256, for x within +-2047 and p in 0 to 4095:
// squash(x) = 4096 / (1 + exp(-x / 256)), and stretch(p) is its inverse.
inline int squash(int x) {
  return coder_tables::kSquashed[static_cast<std::size_t>(x + 2047)];
}
inline int stretch(int p) {
  return coder_tables::kStretched[static_cast<std::size_t>(p)];
}

inline void learn(AdaptiveBit& probability, int bit) {
  const std::int32_t away = (bit << 16) - probability.one;
  const std::int64_t step = (std::int64_t{away} * coder_tables::kSteps[probability.seen]) >> 16;
  probability.one = static_cast<std::uint16_t>(probability.one + step);
  if (probability.seen < coder_tables::kMostSeen) ++probability.seen;
}

class BitEncoder {
 public:
  static constexpr bool kWrites = true;
  static constexpr bool kRounds = false;
  // Codes a bit whose probability of being 1 is `one` of 4096, which is in 1 to 4095.
  int code(int bit, int one) {
    const std::uint32_t middle = low_ + ((high_ - low_) >> 12) * static_cast<std::uint32_t>(one);
    if (bit != 0) {
      high_ = middle;
    } else {
      low_ = middle + 1;
    }
    for (; ((low_ ^ high_) >> 24) == 0; low_ <<= 8, high_ = (high_ << 8) | 0xff) {
      bytes_.push_back(static_cast<std::byte>(high_ >> 24));
    }
    return bit;
  }
  // The bytes; the encoder is then spent.
  std::vector<std::byte> finish() {
    // All further bytes are taken as zero, and that is within the range.
    bytes_.push_back(static_cast<std::byte>((low_ >> 24) + 1));
    return std::move(bytes_);
  }

 private:
  std::uint32_t low_ = 0;
  std::uint32_t high_ = 0xffffffff;
  std::vector<std::byte> bytes_;
};

// In place of an encoder: writes nothing, and what is coded may be rounded as far as it may be off.
class NoBits {
 public:
  static constexpr bool kWrites = true;
  static constexpr bool kRounds = true;
  static int code(int bit, int /*one*/) { return bit; }
};

class BitDecoder {
 public:
  static constexpr bool kWrites = false;
  static constexpr bool kRounds = false;
  explicit BitDecoder(std::span<const std::byte> bytes) : bytes_(bytes) {
    for (int i = 0; i < 4; ++i) shift();
  }
  // Returns the bit that the encoder was given with the same probability.
  int code(int /*bit*/, int one) {
    const std::uint32_t middle = low_ + ((high_ - low_) >> 12) * static_cast<std::uint32_t>(one);
    const int bit = value_ <= middle ? 1 : 0;
    if (bit != 0) {
      high_ = middle;
    } else {
      low_ = middle + 1;
    }
    for (; ((low_ ^ high_) >> 24) == 0; low_ <<= 8, high_ = (high_ << 8) | 0xff) shift();
    return bit;
  }
  // Whether exactly the bytes of an encoder have been read that coded as many bits.
  bool atEnd() const { return next_ == bytes_.size() + 3; }
  // Whether bits were read that no encoder wrote: the rest would be noise.
  bool isBeyond() const { return next_ > bytes_.size() + 3; }

 private:
  void shift() {
    value_ =
        (value_ << 8) | (next_ < bytes_.size() ? std::to_integer<std::uint32_t>(bytes_[next_]) : 0);
    ++next_;
  }

  std::span<const std::byte> bytes_;
  std::size_t next_ = 0;
  std::uint32_t low_ = 0;
  std::uint32_t high_ = 0xffffffff;
  std::uint32_t value_ = 0;
};

// Codes a bit by one probability.
template <class Coder>
int codeBit(Coder& coder, int bit, AdaptiveBit& by) {
  bit = coder.code(bit, std::clamp(by.one >> 4, 1, 4095));
  learn(by, bit);
  return bit;
}

// Codes a bit by two or three probabilities at once.
template <class Coder, class... Bits>
int codeBit(Coder& coder, int bit, BitMixer& mixer, Bits&... by) {
  constexpr std::size_t kCount = sizeof...(Bits);
  const std::array<int, kCount> said = {stretch(by.one >> 4)...};
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < kCount; ++i) sum += std::int64_t{mixer.weights[i]} * said[i];
  const auto x = static_cast<int>(std::clamp<std::int64_t>(sum >> 16, -2047, 2047));
  const int one = std::clamp(squash(x), 1, 4095);
  bit = coder.code(bit, one);
  const int error = (bit << 12) - one;
  for (std::size_t i = 0; i < kCount; ++i) {
    const int weight = mixer.weights[i] + ((error * said[i] * 5) >> 12);
    mixer.weights[i] = std::clamp(weight, -kMostWeight, kMostWeight);
  }
  (learn(by, bit), ...);
  return bit;
}

}  // namespace ck
