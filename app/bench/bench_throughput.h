#pragma once

#include "app/bench/bench_run.h"

namespace ck::cli {

// Measures importing the files, and advancing crowds of up to a million actors.
Result<void> benchImport(BenchRun& run);
Result<void> benchCrowd(BenchRun& run);

}  // namespace ck::cli
