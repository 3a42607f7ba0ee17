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

// How a clip of the file is changed before anything is made of it (core/anim/edited_clip.h). The
// defaults change nothing.
struct ClipEdit {
  std::optional<Trim> trim;  // unset: from the clip's first key to its last
  // How many times faster than in the file the clip plays: 2 makes it half as long and its ground
  // speed twice as large. It is part of what is baked; the rate of an actor comes on top.
  double rate = 1.0;  // kSlowestClipRate .. kFastestClipRate
  // Takes the way over the ground out: the clip's travelling joint stays above the place where it
  // is at the clip's (trimmed) start.
  bool inPlace = false;
  bool operator==(const ClipEdit&) const = default;
};

}  // namespace ck
