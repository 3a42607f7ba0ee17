#pragma once

#include "app/bench/bench_run.h"

namespace ck::cli {

// Measures every method and its main variants, with the book and a trivial shader, at 80, 256 and
// 1,000 actors (on a GPU also 10,000 and 100,000). The method matrix has its own atlases, baked
// with the run's settings.
Result<void> benchMethods(BenchRun& run);

}  // namespace ck::cli
