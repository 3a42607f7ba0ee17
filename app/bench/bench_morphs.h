#pragma once

#include "app/bench/bench_run.h"

namespace ck::cli {

// Measures adding up changed morphs: transform feedback in batches of 1 to 7, compute, CPU, and all
// morphs again. The character's morphs are repeated until there are 50. Then measures what the
// morphs of a thousand near actors cost the tick and the vertex stage of the methods, compared with
// default weights.
Result<void> benchMorphs(BenchRun& run);

}  // namespace ck::cli
