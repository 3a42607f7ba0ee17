#include "core/container/plane_form.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <cstdint>
#include <cstring>
#include <new>

namespace ck {
namespace {

// Higher levels win less than a hundredth and take several times as long.
constexpr int kLevel = 9;

// Small differences of either sign become small numbers: 0, -1, 1, -2 ... are 0, 1, 2, 3 ...
template <class Value>
Value folded(Value difference) {
  constexpr int kSignBit = 8 * sizeof(Value) - 1;
  const auto sign = static_cast<Value>(difference >> kSignBit != 0 ? ~Value{0} : Value{0});
  return static_cast<Value>(static_cast<Value>(difference << 1) ^ sign);
}
template <class Value>
Value unfolded(Value number) {
  const auto sign = static_cast<Value>((number & 1) != 0 ? ~Value{0} : Value{0});
  return static_cast<Value>(static_cast<Value>(number >> 1) ^ sign);
}

// The second differences of all channels along time, modulo their size, split into planes: the
// lowest bytes of all values, then the next ones.
template <class Value>
std::vector<std::byte> toPlanes(const ClipBlock& block) {
  std::vector<std::byte> planes(block.size());
  const std::size_t count = planes.size() / sizeof(Value);
  std::size_t at = 0;
  for (std::size_t joint = 0; joint < block.joints; ++joint) {
    for (std::size_t channel = 0; channel < block.channels; ++channel) {
      Value before = 0;
      Value step = 0;
      for (std::size_t frame = 0; frame < block.frames; ++frame, ++at) {
        const std::size_t index = (joint * block.frames + frame) * block.channels + channel;
        Value value;
        std::memcpy(&value, block.bytes.data() + index * sizeof(Value), sizeof(Value));
        const auto newStep = static_cast<Value>(value - before);
        const Value number = folded(static_cast<Value>(newStep - step));
        // The first value is no step: frames that stand still have steps of zero.
        step = frame == 0 ? Value{0} : newStep;
        before = value;
        for (std::size_t plane = 0; plane < sizeof(Value); ++plane) {
          planes[plane * count + at] = static_cast<std::byte>((number >> (8 * plane)) & 0xff);
        }
      }
    }
  }
  return planes;
}

template <class Value>
void fromPlanes(std::span<const std::byte> planes, ClipBlock& block) {
  const std::size_t count = planes.size() / sizeof(Value);
  std::size_t at = 0;
  for (std::size_t joint = 0; joint < block.joints; ++joint) {
    for (std::size_t channel = 0; channel < block.channels; ++channel) {
      Value before = 0;
      Value step = 0;
      std::byte* to =
          block.bytes.data() + (joint * block.frames * block.channels + channel) * sizeof(Value);
      for (std::size_t frame = 0; frame < block.frames; ++frame, ++at) {
        Value number = 0;
        for (std::size_t plane = 0; plane < sizeof(Value); ++plane) {
          number = static_cast<Value>(number | std::to_integer<Value>(planes[plane * count + at])
                                                   << (8 * plane));
        }
        step = static_cast<Value>(step + unfolded(number));
        before = static_cast<Value>(before + step);
        if (frame == 0) step = 0;
        std::memcpy(to, &before, sizeof(Value));
        to += block.channels * sizeof(Value);
      }
    }
  }
}

}  // namespace

std::vector<std::byte> packPlanes(const ClipBlock& block) {
  const std::vector<std::byte> planes = block.channelBytes == 1   ? toPlanes<std::uint8_t>(block)
                                        : block.channelBytes == 2 ? toPlanes<std::uint16_t>(block)
                                                                  : toPlanes<std::uint32_t>(block);
  std::vector<std::byte> packed(ZSTD_compressBound(planes.size()));
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), planes.data(), planes.size(), kLevel);
  // There is room for every input, so that nothing but memory can be missing.
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

bool unpackPlanes(std::span<const std::byte> packed, ClipBlock& block) {
  const std::size_t size = block.size();
  if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != size) return false;
  // One frame and nothing behind it.
  if (ZSTD_findFrameCompressedSize(packed.data(), packed.size()) != packed.size()) return false;
  std::vector<std::byte> planes(size);
  const std::size_t got = ZSTD_decompress(planes.data(), size, packed.data(), packed.size());
  if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (got != size) return false;
  block.bytes.resize(size);
  if (block.channelBytes == 1) fromPlanes<std::uint8_t>(planes, block);
  if (block.channelBytes == 2) fromPlanes<std::uint16_t>(planes, block);
  if (block.channelBytes == 4) fromPlanes<std::uint32_t>(planes, block);
  return true;
}

}  // namespace ck
