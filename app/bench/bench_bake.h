#pragma once

#include "app/bench/bench_run.h"

namespace ck::cli {

// Measures baking on one and two threads, beside the book's formulation on the same frames and a
// plain copy of the bytes that are written, and the parts of a bake.
Result<void> benchBake(BenchRun& run);

}  // namespace ck::cli
