#pragma once

#include <array>
#include <cstddef>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/atlas/pose_code.h"
#include "core/bake/lane_poser.h"

namespace ck {

// The texels of a joint in pivot form with 16-bit channels: place and scale, then the rotation.
inline constexpr std::size_t kPivotBytes = 16;

// Where the texels of up to eight frames begin.
struct PivotRows {
  std::array<std::byte*, kLaneCount> at = {};
  std::size_t count = 0;
};

// The largest value of something in each lane.
struct alignas(32) LaneMost {
  float at[kLaneCount] = {};
};

// x, y, z and scale of a joint at eight moments, before they are quantised.
struct PivotPlaces {
  float at[4][kLaneCount];
};

// Brings eight poses into pivot form (pivotPoseOf()). `lostSquares` has one entry per joint and
// keeps the largest squared distance between the axes of a pose and its matrix. False, with
// undefined results, if a pose is not finite or has no size.
bool pivotsOf(std::span<const LanePose> poses, std::span<LanePivot> pivots,
              std::span<LaneMost> lostSquares, LanePath path);
float largestOf(const LaneMost& most);

// The common data of consecutive poses of one joint.
struct PivotSpan {
  glm::vec4 low{0.0f};  // of place and scale
  glm::vec4 high{0.0f};
  float first[4] = {};  // the first rotation, as stored
  float last[4] = {};   // the last rotation, as stored
  bool turned = false;  // whether all rotations change their sign after all
};

// The same while it grows.
struct alignas(32) PivotTrail {
  float low[4][kLaneCount];
  float high[4][kLaneCount];
  float first[4];
  float last[4];
  bool started = false;
};
PivotSpan spanOf(const PivotTrail& trail);

// Writes the rotations of eight poses to the texels and their places to `places`, one per joint,
// and goes on with the trails, one per joint. The sign of a rotation is that of the one before.
void storePivots(std::span<const LanePivot> pivots, const PivotRows& rows,
                 std::span<PivotTrail> trails, PivotPlaces* places, LanePath path);

// How the places of a joint become texels.
struct PivotScale {
  float low[4] = {};
  float perStep[4] = {};  // 65535 / the range's size, or 0
  bool turned = false;    // PivotSpan::turned
};
PivotScale scaleOf(const TexelRange& range, bool turned);

// Quantises the places of eight frames into their texels, and turns the rotations there.
void encodePlaces(const PivotPlaces* places, std::span<const PivotScale> scales,
                  const PivotRows& rows, LanePath path);

}  // namespace ck
