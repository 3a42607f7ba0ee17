#pragma once

#include "core/fit/fit_candidates.h"

namespace ck {

// Sets FitCandidate::leastMm of all candidates, for the reading and the interpolation of the
// settings. For each rate the moments are found at which joints stray most, in each form and with
// each choice of components; there the frames of every candidate are encoded, decoded and compared
// with the source at all vertices. Fails with InvalidInput if a pose is not finite, and with
// Cancelled.
Result<void> boundErrors(const Character& character, const FitWish& wish, FitPlan& plan,
                         const JobContext& job);

}  // namespace ck
