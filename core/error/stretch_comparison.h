#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/job.h"
#include "core/error/stretch_samples.h"

namespace ck {

// Compares stretches, side by side where that can be, and follows what turns fast
// (docs/techniques.md 3.5). Each thread needs its own.
class StretchComparison {
 public:
  // `clip` is the number of the clip in what is found; `all` are its stretches. References must
  // outlive it.
  StretchComparison(const ComparisonInputs& inputs, const ComparedClip& compared, std::size_t clip,
                    std::span<const Stretch> all, StretchFindings& found);

  // Compares `count` stretches from `first` on, and adds what it finds. Ends early if the job is
  // stopped or something is not finite.
  void compare(std::size_t first, std::size_t count, const JobContext& job);

 private:
  // Compares up to kLaneCount stretches.
  void compareSome(std::span<const Stretch> stretches, const JobContext& job, int depth);
  // Takes what was measured of the stretches, and measures the halves of those in which joints turn
  // far.
  void settle(std::span<const Stretch> stretches, const JobContext& job, int depth);
  // Adds the errors between the moments; `lengths` of the stretches.
  void addBetween(const StretchSamples::Errors& errors, std::span<const double> lengths,
                  ErrorTally& tally);
  void addCandidates(const Stretch& stretch, std::size_t lane);

  StretchSamples samples_;
  std::size_t clip_;
  std::span<const Stretch> all_;
  StretchFindings& found_;
  std::size_t sampleParts_;  // of VertexModel::samples
  bool isStill_;             // the clip has no length
  std::vector<float> between_;
};

}  // namespace ck
