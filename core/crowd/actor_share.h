#pragma once

#include <cstdint>

namespace ck {

// How much of an actor is drawn while it dissolves from one way to be drawn to another. Bits 10 to
// 15 of CkPlace::look hold it, and shaders/crowd/share.glsl reads it. 0: all of it. The actor is
// drawn in both ways with one step of 1 to 31: the way that comes in has `step` of every 32 pixels,
// the way that goes out has the others.
using ActorShare = std::uint8_t;

inline constexpr int kShareSteps = 32;

constexpr ActorShare comingShare(int step) {
  return static_cast<ActorShare>(step);
}
constexpr ActorShare goingShare(int step) {
  return static_cast<ActorShare>(kShareSteps + step);
}
constexpr bool isGoing(ActorShare share) {
  return share > kShareSteps;
}

// CkPlace::look with a share.
constexpr int withShare(int look, ActorShare share) {
  constexpr int kBits = 63 << 10;
  return (look & ~kBits) | (share << 10);
}

}  // namespace ck
