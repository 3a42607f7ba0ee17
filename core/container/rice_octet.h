#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/lanes.h"
#include "core/container/clip_model.h"

// What the rice form knows of eight joints at once (docs/ckatlas-packed.md, "rice"). As lanes.h,
// for .cpp files only.
namespace ck::rice {

using lanes::F8;
using lanes::I8;

// The byte of a texel of a joint in a piece says which of its four channels stay as they are in the
// first frame, the way in which the others are predicted, and the channel of a rotation that
// follows from the length of 1.
inline constexpr int kWayShift = 4;
inline constexpr int kLastShift = 6;
// The ways to predict: those of places, of turns and of plain numbers are others.
inline constexpr std::size_t kWays = 4;
inline constexpr int kAlone =
    3;  // of places and turns: every channel by itself, without the parent

CK_LANES_INLINE I8 allOf(int value) {
  return I8{value, value, value, value, value, value, value, value};
}

// Where joints are, seen from their parents: mean so far, in the frame before, and before that.
struct alignas(32) Offsets {
  lanes::Vec mean, last, before;
};
// Turns against the parents in the two frames before, and the whole turn in the last.
struct alignas(32) Turns {
  lanes::Quat last, before, whole;
};

// The channel of a rotation that follows from the length of 1, which is not the same in all lanes.
struct alignas(32) LastChannel {
  I8 isAt[4];
  F8 low, step, perStep;  // as those of channels
  I8 keeps;
};

// Up to eight joints of equal depth, whose parents are coded before them, in one piece.
struct alignas(32) Octet {
  std::size_t count = 0;                               // of lanes in use
  std::array<std::size_t, lanes::kCount> joints = {};  // unused lanes have the one behind all
  std::array<std::size_t, lanes::kCount> parents = {};
  // By channel: of values, and of numbers (unchanging ones have all bits set).
  std::array<F8, kMostChannels> low, step, perStep;
  std::array<I8, kMostChannels> keeps;
  std::array<bool, kMostChannels> moves = {};  // whether any joint does not keep it
  // What is coded in a frame, in its order: channel * 8 + lane. In the first frame it is all.
  std::vector<std::uint8_t> codedFirst, coded;
  // By texel: the way to predict, and of rotations the channel that follows from the length of 1.
  std::array<I8, kMostChannels / 4> ways;
  std::array<LastChannel, kMostChannels / 4> lasts;
  lanes::Vec bindOffset;
  // Of the frames before.
  std::array<I8, kMostChannels> trails, before, before2, before3;
  Offsets offsets;
  Turns turns;
  // Of this frame: how far numbers are from their guesses.
  std::array<I8, kMostChannels> errors;
};

// What each way to predict would cost, by texel and channel; the last way is a rotation's length of
// 1.
struct alignas(32) Costs {
  std::array<std::array<std::array<I8, 4>, kWays + 1>, kMostChannels / 4> at;
};

// The joints in the order of their coding: by depth, then by number; with all that the model says.
std::vector<Octet> octetsOf(const ClipModel& model);

// Takes what the bytes of a piece say of the joints, one for each joint and texel; nothing is
// learned yet.
void begin(Octet& octet, const ClipModel& model, std::span<const std::byte> head);

}  // namespace ck::rice
