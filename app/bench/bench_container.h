#pragma once

#include "app/bench/bench_run.h"

namespace ck::cli {

// Measures writing and reading containers in memory in every form of packing, as bytes of texels
// for a second of processor time, and relative to copying those bytes. Fails as reading does.
Result<void> benchContainer(BenchRun& run);

}  // namespace ck::cli
