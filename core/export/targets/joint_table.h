#pragma once

#include <cstddef>
#include <vector>

#include "core/atlas/atlas.h"

namespace ck {

// The data that shaders need beside the texels: the constants of joints, ranges and clips, as one
// float texture (RGBA32F). Texel i lies at column i mod width, row i / width. In this order:
//   joints   4 texels each: pivot x y z (metres, model space), parent (-1 without); the three upper
//            rows of the inverse bind matrix
//   ranges   per set and ranged texel: low, size. Sets as in Atlas::ranges
//   clips    2 texels each: first frame (counted through the atlas), moments, loop mode (0 loop,
//            1 once, 2 ping-pong), seconds as played; stored frames, texel of the first interval,
//            number of these texels, ground speed (metres per second)
//   intervals  of clips that do not have one frame for each moment, 1 texel for each interval and
//            one for the end: IntervalFrames (x frame, y offset, z share)
//   tracks   of local poses (isLocal()), 1 texel for each joint: the column of its track or -1 (x)
// Unused texels at the end are 0. All whole numbers are exact in float below 2^24.
struct JointTable {
  int width = 0;              // a power of two, at least 256
  int height = 0;             // at most 2,048, which every WebGL 2 can have
  int ranges = 0;             // first texel of the ranges
  int clips = 0;              // first texel of the clips
  int tracks = 0;             // first texel of the tracks
  std::vector<float> values;  // 4 * width * height
};
JointTable jointTable(const Atlas& atlas);

// The values as they are written: float32, little-endian.
std::vector<std::byte> jointTableBytes(const JointTable& table);

}  // namespace ck
