#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "core/base/lanes.h"

// Numbers of 16 bits with Rice's codes (R. F. Rice, "Some Practical Universal Noiseless Coding
// Techniques", JPL 79-22, 1979): what a number has above its lowest k bits is counted in zeros
// before a one, and the k bits are stored as they are. Counts and bits lie in streams of their own,
// so that only counts wait for each other. docs/ckatlas-packed.md describes both to the bit.
namespace ck {

// With so many zeros there is no one behind them, and the number is stored with all of its bits.
inline constexpr int kMostZeros = 16;
inline constexpr int kNumberBits = 16;
// No number takes more of either stream.
inline constexpr std::size_t kMostCodeBits = 16;

// Bits, the lowest of every byte first.
class BitSink {
 public:
  // The lowest `count` bits, up to 16; those above are zero.
  void put(std::uint32_t bits, int count) {
    held_ |= std::uint64_t{bits} << heldCount_;
    heldCount_ += count;
    for (; heldCount_ >= 8; heldCount_ -= 8, held_ >>= 8) {
      bytes_.push_back(static_cast<std::byte>(held_ & 0xff));
    }
  }
  // The bytes, filled up with zeros; the sink is then spent.
  std::vector<std::byte> finish() {
    if (heldCount_ > 0) bytes_.push_back(static_cast<std::byte>(held_ & 0xff));
    return std::move(bytes_);
  }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t held_ = 0;
  int heldCount_ = 0;
};

class RiceWriter {
 public:
  // Codes the numbers at these places, with as many low bits as are at the same place.
  void code(const std::int32_t* numbers, const std::int32_t* lowBits,
            std::span<const std::uint32_t> places) {
    for (const std::uint32_t place : places) {
      const auto number = static_cast<std::uint32_t>(numbers[place]);
      const int low = lowBits[place];
      const std::uint32_t zeros = number >> low;
      if (zeros >= kMostZeros) {
        counts_.put(0, kMostZeros);
        bits_.put(number, kNumberBits);
      } else {
        counts_.put(1u << zeros, static_cast<int>(zeros) + 1);
        bits_.put(number & ((1u << low) - 1), low);
      }
    }
  }

  std::vector<std::byte> takeCounts() { return counts_.finish(); }
  std::vector<std::byte> takeBits() { return bits_.finish(); }

 private:
  BitSink counts_;
  BitSink bits_;
};

// The meaning of a byte of counts, the lowest bit first. 0b00010100 ends a count of two zeros and
// one of one zero; three zeros belong to the next byte. The first count also has what the byte
// before left.
struct CountsByte {
  std::uint64_t zeros = 0;  // of the counts that end here, in a byte each; of 0, which ends none: 8
  std::uint8_t ones = 0;    // how many counts end
  std::uint8_t behind = 0;  // zeros that are left for the next byte
  std::uint32_t kept = 0;   // all bits set in 0, which leaves what the byte before left as well
};
inline constexpr std::array<CountsByte, 256> kCountsBytes = [] {
  std::array<CountsByte, 256> all;
  for (std::size_t byte = 0; byte < all.size(); ++byte) {
    CountsByte& of = all[byte];
    for (int bit = 0; bit < 8; ++bit) {
      if (((byte >> bit) & 1) == 0) {
        ++of.behind;
        continue;
      }
      of.zeros |= std::uint64_t{of.behind} << (8 * of.ones);
      of.behind = 0;
      ++of.ones;
    }
    if (of.ones == 0) {
      of.zeros = of.behind;
      of.kept = ~0u;
    }
  }
  return all;
}();

class RiceReader {
 public:
  // So many bytes behind either stream may be read, but are never used: whether the end was passed
  // is asked every kMostBetween numbers, which take up to 1,016 bytes, and the last of them is read
  // with eight.
  static constexpr std::size_t kPadding = 1024;

  // Streams of these sizes, each followed by kPadding bytes that may be read.
  RiceReader(const std::byte* counts, std::size_t countBytes, const std::byte* bits,
             std::size_t bitBytes)
      : counts_(counts), bits_(bits), countsEnd_(countBytes), bitsEnd_(8 * bitBytes) {}

  // Fills in the numbers at these places, of at most kMostCodeBits low bits each. False where more
  // was read than there is.
  CK_LANES_INLINE bool code(std::int32_t* numbers, const std::int32_t* lowBits,
                            std::span<const std::uint32_t> places) {
    while (!places.empty() && !isBeyond()) {
      const std::size_t count = std::min(places.size(), kMostBetween);
      codeSome(numbers, lowBits, places.first(count));
      places = places.subspan(count);
    }
    return !isBeyond();
  }
  // Whether both streams have been read to their last byte.
  bool atEnd() const {
    return countsAt_ == countsEnd_ && bitsAt_ <= bitsEnd_ && bitsEnd_ - bitsAt_ < 8;
  }

 private:
  static constexpr std::size_t kMostBetween = 8 * (kPadding - 8) / kMostCodeBits;

  // Reads bytes of counts until so many are known, and none more.
  CK_LANES_INLINE void readCounts(std::size_t count) {
    std::size_t known = known_;
    unsigned before = before_;
    const std::byte* at = counts_ + countsAt_;
    while (known < count) {
      const CountsByte& of = kCountsBytes[std::to_integer<std::size_t>(*at++)];
      std::uint64_t zeros = of.zeros + before;
      if ((zeros & 0xff) >= kMostZeros) [[unlikely]] {
        zeros_[known++] = kMostZeros;
        zeros -= kMostZeros;
        before -= kMostZeros;
      }
      std::memcpy(&zeros_[known], &zeros, sizeof zeros);
      known += of.ones;
      before = of.behind + (before & of.kept);
    }
    known_ = known;
    before_ = before;
    countsAt_ = static_cast<std::size_t>(at - counts_);
  }

  CK_LANES_INLINE void codeSome(std::int32_t* numbers, const std::int32_t* lowBits,
                                std::span<const std::uint32_t> places) {
    readCounts(places.size());
    std::size_t bitsAt = bitsAt_;
    const std::uint8_t* count = zeros_.data();
    std::uint64_t window = 0;
    const auto codeNext = [&](std::uint32_t place) {
      const std::uint32_t zeros = *count++;
      const bool isWhole = zeros == kMostZeros;
      const int low = isWhole ? kNumberBits : lowBits[place];
      const std::uint32_t above = isWhole ? 0 : zeros << low;
      numbers[place] = static_cast<std::int32_t>(
          above | (static_cast<std::uint32_t>(window) & ((1u << low) - 1)));
      window >>= low;
      bitsAt += static_cast<std::size_t>(low);
    };
    // A window has 57 bits at least, those of three numbers.
    std::size_t index = 0;
    for (; index + 3 <= places.size(); index += 3) {
      window = windowAt(bits_, bitsAt);
      for (std::size_t i = 0; i < 3; ++i) codeNext(places[index + i]);
    }
    for (; index < places.size(); ++index) {
      window = windowAt(bits_, bitsAt);
      codeNext(places[index]);
    }
    bitsAt_ = bitsAt;
    // The rest of the last byte.
    std::uint64_t rest;
    std::memcpy(&rest, count, sizeof rest);
    std::memcpy(zeros_.data(), &rest, sizeof rest);
    known_ -= places.size();
  }

  bool isBeyond() const { return countsAt_ > countsEnd_ || bitsAt_ > bitsEnd_; }

  static std::uint64_t windowAt(const std::byte* stream, std::size_t bit) {
    std::uint64_t window;
    std::memcpy(&window, stream + bit / 8, sizeof window);
    return window >> (bit % 8);
  }

  const std::byte* counts_;
  const std::byte* bits_;
  std::size_t countsEnd_;
  std::size_t bitsEnd_;
  std::size_t countsAt_ = 0;  // in bytes
  std::size_t bitsAt_ = 0;
  // Counts that are known and not used yet, and zeros behind them.
  std::array<std::uint8_t, kMostBetween + 16> zeros_ = {};
  std::size_t known_ = 0;
  unsigned before_ = 0;
};

}  // namespace ck
