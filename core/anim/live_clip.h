#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// A clip made ready for being read at many moments at once, in float: keys of equal times share one
// axis, so that finding the interval is done once for all tracks that have it.
struct LiveClip {
  // Key times of one or more tracks, seconds after the clip's start, strictly increasing.
  struct Axis {
    std::vector<float> times;
    float first = 0.0f;
    float perSecond = 0.0f;  // keys per second where they are even; 0 where they are not
  };

  // One property of one joint: `width` floats a key (4 for rotations, 3 else), three times as many
  // for cubic tracks (in-tangent, value, out-tangent), kept 4 apart.
  struct Track {
    std::int32_t axis =
        -1;  // into `axes`; -1: the joint's rest, or the one key there is, in `still`
    Interpolation interpolation = Interpolation::Linear;
    std::uint32_t values = 0;  // into LiveClip::values
    float still[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  };

  struct Joint {
    Track translation;
    Track rotation;
    Track scale;
  };

  double startSeconds = 0.0;
  std::vector<Axis> axes;
  std::vector<Joint> joints;  // one per Rig::joints
  std::vector<float> values;
};

// Rotations of linear tracks get the sign of the key before them, so that the shorter arc is the
// straight one.
LiveClip makeLiveClip(const Rig& rig, const Clip& clip);

}  // namespace ck
