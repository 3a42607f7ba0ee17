#pragma once

#include "core/base/result.h"
#include "core/import/clip_fit.h"
#include "core/scene/character.h"

namespace ck {

// Adds the clips of `from` to a copy of `rig`. Joints are matched by name (joint_names.h), axes and
// unit of a file that does not say them are found from its skeleton (file_axes.h), and keys are
// adapted to the rig (clip_fitting.h). `fit` are the artist's choices. Notes list the changes and
// the unmatched joints; `report`, if given, has them joint by joint, even if this fails.
//
// Joints of the rig that are listed in its socketCandidates are matched only if a clip moves them;
// settled() keeps them then.
//
// Fails with InvalidInput if `from` has no clip or no clip moves a joint or morph target of the
// rig.
Result<Character> addClips(const Character& rig, const Character& from, const ClipFit& fit = {},
                           ClipFitReport* report = nullptr);

}  // namespace ck
