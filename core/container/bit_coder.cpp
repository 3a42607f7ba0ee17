#include "core/container/bit_coder.h"

namespace ck {
namespace {

constexpr int kMostSeen = 60;

// squash() at multiples of 128 from -2048 to 2048, as the formula rounds.
constexpr std::array<int, 33> kSquash = {1,    2,    3,    6,    10,   16,   27,   45,   73,
                                         120,  194,  310,  488,  747,  1101, 1546, 2047, 2549,
                                         2994, 3348, 3607, 3785, 3901, 3975, 4022, 4050, 4068,
                                         4079, 4085, 4089, 4092, 4093, 4094};

constexpr int squashed(int x) {
  const auto at = static_cast<std::size_t>((x >> 7) + 16);
  const int part = x & 127;
  return (kSquash[at] * (128 - part) + kSquash[at + 1] * part + 64) >> 7;
}

constexpr auto kSquashed = [] {
  std::array<std::int16_t, 4095> table = {};
  for (int x = -2047; x <= 2047; ++x) {
    table[static_cast<std::size_t>(x + 2047)] = static_cast<std::int16_t>(squashed(x));
  }
  return table;
}();

// The least x whose squash() is p or more.
constexpr auto kStretched = [] {
  std::array<std::int16_t, 4096> table = {};
  std::size_t p = 0;
  for (int x = -2047; x <= 2047; ++x) {
    for (; p <= static_cast<std::size_t>(squashed(x)); ++p) table[p] = static_cast<std::int16_t>(x);
  }
  for (; p < table.size(); ++p) table[p] = 2047;
  return table;
}();

// The n-th bit counts 1 / (n + 1.5), of 65536.
constexpr auto kSteps = [] {
  std::array<std::int32_t, kMostSeen + 1> steps = {};
  for (std::size_t n = 0; n < steps.size(); ++n) {
    steps[n] = static_cast<std::int32_t>(131072 / (2 * n + 3));
  }
  return steps;
}();

}  // namespace

int squash(int x) {
  return kSquashed[static_cast<std::size_t>(x + 2047)];
}

int stretch(int p) {
  return kStretched[static_cast<std::size_t>(p)];
}

void learn(AdaptiveBit& probability, int bit) {
  const std::int32_t away = (bit << 16) - probability.one;
  const std::int64_t step = (std::int64_t{away} * kSteps[probability.seen]) >> 16;
  probability.one = static_cast<std::uint16_t>(probability.one + step);
  if (probability.seen < kMostSeen) ++probability.seen;
}

}  // namespace ck
