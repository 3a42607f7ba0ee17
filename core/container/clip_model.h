#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/atlas/atlas.h"

// The facts that both sides of the rice form have about a clip before its first bit: which channels
// are positions and rotations, what their numbers mean, and which joint hangs on which.
namespace ck {

inline constexpr std::size_t kMostChannels = 12;

// The content of a texel of four channels.
enum class TexelRole {
  Place,     // x, y, z in metres, and a fourth value
  Rotation,  // a quaternion x, y, z, w
  Plain,     // any four numbers
};

// value = low + size * (number / top), in double.
struct ChannelRange {
  double low = 0.0;
  double size = 0.0;
};

struct ModelJoint {
  int parent = -1;  // an earlier joint
  // Where the joint is, seen from its parent, while both are as at bind time.
  std::array<double, 3> offset = {};
  std::array<ChannelRange, kMostChannels> ranges = {};
};

struct ClipModel {
  std::size_t frames = 0;
  std::size_t channels = 0;                             // of a joint in a frame; a multiple of 4
  int bits = 16;                                        // of a number: 8 or 16
  std::array<TexelRole, kMostChannels / 4> roles = {};  // of each texel
  std::vector<ModelJoint> joints;
};

// The model of a clip. That of numbers of 32 bits has no meaning.
ClipModel clipModel(const Atlas& atlas, std::size_t clip);

}  // namespace ck
