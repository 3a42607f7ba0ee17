#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/base/job.h"
#include "core/base/result.h"

namespace ck::cli {

// Seconds of several runs: wall time, and CPU time of the whole program.
struct Runs {
  std::vector<double> wall;
  std::vector<double> processor;
};

double median(std::vector<double> values);
double spreadOf(const std::vector<double>& values);  // (largest - smallest) / median

// Runs `work` once to warm up, then until there are `fewest` runs and 0.25 s have passed, at most
// 200 times. Fails as `work` does, and with Cancelled.
Result<Runs> measure(const JobContext& job, std::size_t fewest,
                     const std::function<Result<void>()>& work);

}  // namespace ck::cli
