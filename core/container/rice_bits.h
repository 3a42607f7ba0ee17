#pragma once

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
  static constexpr bool kWrites = true;

  // Codes the numbers at the places that are listed, 8 * row + lane, with as many low bits as are
  // at the same place.
  CK_LANES_INLINE void code(lanes::I8* numbers, const lanes::I8* lowBits,
                            std::span<const std::uint8_t> places) {
    for (const std::uint8_t place : places) {
      const auto number =
          static_cast<std::uint32_t>(numbers[place / lanes::kCount][place % lanes::kCount]);
      const int low = lowBits[place / lanes::kCount][place % lanes::kCount];
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

class RiceReader {
 public:
  static constexpr bool kWrites = false;
  // So many bytes behind either stream are read, but never used: all numbers between two calls of
  // isBeyond() may lie there, and the last of them is read with eight bytes.
  static constexpr std::size_t kPadding = 256;
  static constexpr std::size_t kMostBetween = 8 * (kPadding - 8) / kMostCodeBits;

  // Streams of these sizes, each followed by kPadding bytes that may be read.
  RiceReader(const std::byte* counts, std::size_t countBytes, const std::byte* bits,
             std::size_t bitBytes)
      : counts_(counts), bits_(bits), countsEnd_(8 * countBytes), bitsEnd_(8 * bitBytes) {}

  // Fills in the numbers at the places that are listed.
  CK_LANES_INLINE void code(lanes::I8* numbers, const lanes::I8* lowBits,
                            std::span<const std::uint8_t> places) {
    std::uint64_t window = windowAt(counts_, countsAt_);
    std::size_t used = 0;
    for (const std::uint8_t place : places) {
      const int low = lowBits[place / lanes::kCount][place % lanes::kCount];
      constexpr std::uint64_t kStop = std::uint64_t{1} << kMostZeros;
      const int zeros = std::countr_zero((window >> used) | kStop);
      const bool isWhole = zeros == kMostZeros;
      used += static_cast<std::size_t>(zeros) + (isWhole ? 0 : 1);
      const int count = isWhole ? kNumberBits : low;
      const auto above = isWhole ? 0u : static_cast<std::uint32_t>(zeros) << low;
      const auto bits = static_cast<std::uint32_t>(windowAt(bits_, bitsAt_));
      bitsAt_ += static_cast<std::size_t>(count);
      numbers[place / lanes::kCount][place % lanes::kCount] =
          static_cast<std::int32_t>(above | (bits & ((1u << count) - 1)));
      // A window has 57 bits at least, a count takes 16 at most.
      if (used > 57 - kMostCodeBits) {
        countsAt_ += used;
        used = 0;
        window = windowAt(counts_, countsAt_);
      }
    }
    countsAt_ += used;
  }
  // Whether more was read than there is: the rest would be noise.
  bool isBeyond() const { return countsAt_ > countsEnd_ || bitsAt_ > bitsEnd_; }
  // Whether both streams have been read to their last byte.
  bool atEnd() const { return !isBeyond() && countsEnd_ - countsAt_ < 8 && bitsEnd_ - bitsAt_ < 8; }

 private:
  static std::uint64_t windowAt(const std::byte* stream, std::size_t bit) {
    std::uint64_t window;
    std::memcpy(&window, stream + bit / 8, sizeof window);
    return window >> (bit % 8);
  }

  const std::byte* counts_;
  const std::byte* bits_;
  std::size_t countsEnd_;
  std::size_t bitsEnd_;
  std::size_t countsAt_ = 0;
  std::size_t bitsAt_ = 0;
};

}  // namespace ck
