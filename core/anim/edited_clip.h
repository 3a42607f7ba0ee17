#pragma once

#include <optional>

#include "core/anim/root_extraction.h"
#include "core/base/result.h"
#include "core/scene/character.h"
#include "core/scene/clip_edit.h"

namespace ck {

// A clip with its edit, and the way over the ground that was taken out of it (RootMotion::Extract).
struct EditedClip {
  Clip clip;
  RootWay way;  // on the clip's timeline; empty unless extracted
};

// Applies a clip edit: scales and keys that are left out, trim, root motion (root_extraction.h),
// loop offset (loop_offset.h) and rate, in this order.
//
// Keys that follow the key kept before them by less than smallestKeyGapSeconds are left out, track
// by track; the first one of a track always stays. Trimming is exact: linear, stepped and cubic
// tracks get keys at both ends that continue the original curve. A track that begins or ends inside
// the trim is held there as before. In place, the root stays above its first position, in the axes
// of the edit. The new clip starts at the trim's start on the file's timeline and lasts
// (end - start) / rate seconds, and with a loop offset the closing step that it lacks.
//
// Fails with InvalidInput if the trim is not inside the clip, a number is out of range, the root
// cannot be found or taken out, or a clip with a loop offset does not close, where closing may move
// vertices as far as BakeRecipe::seamMm says.
Result<EditedClip> editedClipWithWay(const Character& character, const Clip& clip,
                                     const ClipEdit& edit, std::optional<double> seamMm = {});

// The clip of editedClipWithWay().
Result<Clip> editedClip(const Character& character, const Clip& clip, const ClipEdit& edit,
                        std::optional<double> seamMm = {});

}  // namespace ck
