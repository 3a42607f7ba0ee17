#pragma once

#include "app/bench/bench_run.h"

namespace ck::cli {

// Measures whole pictures of large crowds, with ground and soft shadows, from near, the middle and
// far: with levels of detail, and as far as that can be waited for at full detail and by the book's
// method. The cast is the given character and the bundled samples. Software OpenGL draws up to
// 10,000 actors at full detail.
Result<void> benchScale(BenchRun& run);

}  // namespace ck::cli
