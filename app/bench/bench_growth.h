#pragma once

#include "app/bench/bench_run.h"

namespace ck::cli {

// Measures the frame time of the methods as a function of actors, joints, vertices, clips and atlas
// size, one at a time, on generated characters.
Result<void> benchGrowth(BenchRun& run);

}  // namespace ck::cli
