#pragma once

#include <string_view>

#include "core/base/json_fields.h"
#include "core/base/names.h"
#include "core/scene/clip_edit.h"

namespace ck {

inline constexpr std::string_view kRootMotionNames[] = {"keep", "strip", "extract"};
inline std::string_view rootMotionName(RootMotion motion) {
  return nameOf(kRootMotionNames, motion);
}

// Reads or writes the parts of a clip edit that sidecars and projects have alike (docs/project.md),
// without those that change nothing: "root" (motion, joint, x, y, z, yaw), "loopOffset",
// "dropScale" and "smallestKeyGapSeconds".
void describeClipEdit(JsonFields& fields, ClipEdit& edit);

}  // namespace ck
