#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// A clip prepared for sampling many actors at once, with values in float. Tracks with equal key
// times share one axis, so that the key interval is searched once for all of them.
struct LiveClip {
  // Key times of one or more tracks: seconds after the clip's start, strictly increasing. In
  // double: a float has steps of 2 ms after 8 hours.
  struct Axis {
    std::vector<double> times;
    double first = 0.0;
    double perSecond = 0.0;  // keys per second if they are uniform, else 0
  };

  // One property of one joint. Rotations have 4 floats per key, other properties 3, stored 4 floats
  // apart. Cubic tracks have three such entries per key: in-tangent, value, out-tangent.
  struct Track {
    std::int32_t axis = -1;  // into `axes`; -1: constant, the value is in `still`
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

// Prepares a clip. Rotations of linear tracks get the sign of the previous key, so that lerp takes
// the shorter arc.
LiveClip makeLiveClip(const Rig& rig, const Clip& clip);

}  // namespace ck
