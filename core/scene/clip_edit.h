#pragma once

#include <optional>
#include <string>

namespace ck {

// A part of a clip, in seconds on the file's timeline.
struct Trim {
  double startSeconds = 0.0;
  double endSeconds = 0.0;
  bool operator==(const Trim&) const = default;
};

inline constexpr double kSlowestClipRate = 0.01;
inline constexpr double kFastestClipRate = 100.0;

// The treatment of a clip's motion over the ground.
enum class RootMotion {
  Keep,     // the joints keep it
  Strip,    // it is taken out: the clip plays in place
  Extract,  // it is taken out and stored as a track (AtlasClip::rootMotion), by which actors walk
};

// The root motion of a clip: which joint carries it, and what is taken of it.
struct RootEdit {
  RootMotion motion = RootMotion::Keep;
  std::string joint = {};  // empty: travellingJoint()
  bool x = true;
  bool y = false;
  bool z = true;
  bool yaw = true;  // Extract only: the turn about the vertical axis
  bool operator==(const RootEdit&) const = default;
};

// The artist's changes to a clip of the file, applied by editedClip() (core/anim/edited_clip.h)
// before the clip is baked or shown. The defaults change nothing.
struct ClipEdit {
  std::optional<Trim> trim = {};  // unset: from the first key to the last key
  // Playback rate relative to the file: 2 halves the clip's length and doubles its ground speed.
  // The bake includes this rate; the rate of an actor multiplies it.
  double rate = 1.0;  // kSlowestClipRate .. kFastestClipRate
  RootEdit root = {};
  // The moment of the (trimmed) clip that becomes its first, as a share of its length in [0, 1).
  // Loops only.
  double loopOffset = 0.0;
  bool dropScale = false;  // joints keep the scale of their rest
  // Keys that follow another one by less than this are left out. 0: none.
  double smallestKeyGapSeconds = 0.0;
  bool operator==(const ClipEdit&) const = default;
};

}  // namespace ck
