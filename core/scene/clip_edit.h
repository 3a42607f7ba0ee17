#pragma once

#include <optional>

namespace ck {

// A part of a clip, in seconds on the file's timeline.
struct Trim {
  double startSeconds = 0.0;
  double endSeconds = 0.0;
  bool operator==(const Trim&) const = default;
};

inline constexpr double kSlowestClipRate = 0.01;
inline constexpr double kFastestClipRate = 100.0;

// The artist's changes to a clip of the file, applied by editedClip() (core/anim/edited_clip.h)
// before the clip is baked or shown. The defaults change nothing.
struct ClipEdit {
  std::optional<Trim> trim;  // unset: from the first key to the last key
  // Playback rate relative to the file: 2 halves the clip's length and doubles its ground speed.
  // The bake includes this rate; the rate of an actor multiplies it.
  double rate = 1.0;  // kSlowestClipRate .. kFastestClipRate
  // Removes the movement over the ground: the clip's travelling joint stays above its place at the
  // (trimmed) start.
  bool inPlace = false;
  bool operator==(const ClipEdit&) const = default;
};

}  // namespace ck
