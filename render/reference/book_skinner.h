#pragma once

#include "render/skinning/skinner.h"

namespace ck::render {

// The book as a reference method: its formulation, rebuilt for comparison (docs/techniques.md 1.4).
// A float texture holds the joints' own positions, rotations and scales. Every vertex needs 24
// fetches and four matrix products. Actors are in a uniform block, 80 per draw. The second frame is
// derived from the length of the tick. Vertices, triangles and colours are those of the other
// methods.
// The method fails with LimitExceeded if the texture or the uniform block of inverse bind matrices
// is too large, and with Unsupported unless there are four influences and interpolation.
// `tickSeconds` as in bookRecords().
ReferencePtr bookMethod(double tickSeconds = 1.0 / 60.0);

}  // namespace ck::render
