#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/lanes.h"
#include "core/container/clip_model.h"

// The state of the rice form for eight joints at once (docs/ckatlas-packed.md, "rice"). As lanes.h,
// for .cpp files only.
namespace ck::rice {

using lanes::F8;
using lanes::I8;

// The byte of a texel of a joint in a piece says which of its four channels stay as they are in the
// first frame, the way in which the others are predicted, and the channel of a rotation that
// follows from the length of 1.
inline constexpr int kWayShift = 4;
inline constexpr int kLastShift = 6;
// The ways to predict. The meaning of one depends on the role of the texel.
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

// The way in which a texel is predicted.
struct alignas(32) RiceWay {
  I8 number;
  F8 onward;      // how much of its last step a place or a turn goes on by
  bool anyAlone;  // in any lane
};
float onwardOf(TexelRole role, int way);
CK_LANES_INLINE RiceWay wayOfAll(TexelRole role, int way) {
  return {allOf(way), lanes::all(onwardOf(role, way)), way == kAlone};
}

// The channel of a rotation that follows from the length of 1, which is not the same in all lanes.
struct alignas(32) LastChannel {
  I8 isAt[4];
  F8 low, step, perStep;  // as those of channels
  I8 keeps;
};

// Clips are coded in pieces of so many frames that know nothing of each other, the last one of the
// rest. The sizes of the two streams of each piece come before all pieces.
inline constexpr std::size_t kPieceFrames = 1024;
inline constexpr std::size_t kSizeBytes = 8;

inline std::size_t pieceCount(std::size_t frames) {
  return (frames + kPieceFrames - 1) / kPieceFrames;
}
inline std::size_t pieceFrames(std::size_t frames, std::size_t piece) {
  return std::min(kPieceFrames, frames - piece * kPieceFrames);
}

struct RicePiece {
  const ClipModel& model;
  std::size_t frames;
  std::span<const std::byte> head;  // a byte for each joint and texel
};

// Up to eight joints of equal depth, whose parents are coded before them. A lane has a joint of one
// piece; the pieces of an octet are of clips with the same joints.
struct alignas(32) Octet {
  std::size_t count = 0;  // of lanes in use
  std::array<std::size_t, lanes::kCount> pieces = {};
  std::array<std::size_t, lanes::kCount> joints = {};
  // The poses of these joints and of their parents, among those of all pieces.
  std::array<std::size_t, lanes::kCount> poses = {};
  std::array<std::size_t, lanes::kCount> parents = {};
  // By channel: of values, and of numbers (unchanging ones have all bits set).
  std::array<F8, kMostChannels> low, step, perStep;
  std::array<I8, kMostChannels> keeps;
  std::array<bool, kMostChannels> moves = {};  // whether any joint does not keep it
  // By texel: the way to predict, and of rotations the channel that follows from the length of 1.
  std::array<RiceWay, kMostChannels / 4> ways;
  std::array<LastChannel, kMostChannels / 4> lasts;
  // The numbers of the frames before.
  std::array<I8, kMostChannels> before, before2, before3;
  Offsets offsets;
  Turns turns;
};

// Numbers of an octet, by channel and lane.
struct alignas(32) OctetNumbers {
  std::array<std::int32_t, kMostChannels* lanes::kCount> at = {};

  CK_LANES_INLINE I8 channel(std::size_t index) const {
    return lanes::load<I8>(&at[index * lanes::kCount]);
  }
  CK_LANES_INLINE void setChannel(std::size_t index, const I8& numbers) {
    lanes::store(&at[index * lanes::kCount], numbers);
  }
};

// The numbers of all octets in a row, as CodedPlaces count them.
inline std::int32_t* flat(std::span<OctetNumbers> octets) {
  return octets.data()->at.data();
}

// Where the numbers of a frame of one piece are among the OctetNumbers of all octets, in the order
// of their coding. The first frame has numbers of all channels, others of those that change.
struct CodedPlaces {
  std::vector<std::uint32_t> first, later;
};

// Pieces whose joints are coded side by side.
struct OctetPieces {
  std::vector<Octet> octets;        // parents first; nothing is learned yet
  std::vector<CodedPlaces> places;  // by piece
  std::size_t poseCount = 0;        // of the joints of all pieces
  // Behind the poses of joints: that of the world, and of unused lanes.
  std::size_t worldPose() const { return poseCount; }
  std::size_t unusedPose() const { return poseCount + 1; }
};

// The clips of all pieces have the same joints and channels, but ranges of their own. Longer pieces
// come first, so that the lanes of those that have ended are the last of their octet.
OctetPieces octetsOf(std::span<const RicePiece> pieces);

// How many low bits codes are expected to have, by octet, channel and lane, as codes before let
// expect.
class LowBits {
 public:
  LowBits(const ClipModel& model, std::span<const Octet> octets);

  // For the next frame.
  const std::int32_t* numbers() { return flat(low_); }
  // Takes the codes of a frame of an octet.
  CK_LANES_INLINE void learn(std::size_t index, const Octet& octet, const OctetNumbers& codes,
                             bool isFirst) {
    for (std::size_t channel = 0; channel < channels_; ++channel) {
      if (!octet.moves[channel]) continue;
      I8 trail = trails_[index].channel(channel);
      if (!isFirst) {
        trail += ((codes.channel(channel) + 1) >> 1) - (trail >> 2);
        trails_[index].setChannel(channel, trail);
      }
      const F8 size = __builtin_convertvector(trail + (trail >> 2), F8);
      I8 low = (std::bit_cast<I8>(size) >> 23) - kExponentOfFour;
      low = low > 0 ? low : allOf(0);
      // Codes of 16 bits do not come to more, but those of damaged streams may.
      low_[index].setChannel(channel, low < kMostLow ? low : allOf(kMostLow));
    }
  }

 private:
  static constexpr int kExponentOfFour = 129;  // as floats have it
  static constexpr int kMostLow = 15;

  std::size_t channels_;
  std::vector<OctetNumbers> trails_;
  std::vector<OctetNumbers> low_;
};

// The cost of each predictor, by texel and channel; the last one is a rotation's length of 1.
struct alignas(32) Costs {
  std::array<std::array<std::array<I8, 4>, kWays + 1>, kMostChannels / 4> at = {};
};

}  // namespace ck::rice
