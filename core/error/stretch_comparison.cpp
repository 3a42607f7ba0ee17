#include "core/error/stretch_comparison.h"

#include <algorithm>

namespace ck {
namespace {

// Within a stretch errors are smooth. Where joints turn further, six moments do not show how.
constexpr double kMostTurn = 1.0;
constexpr int kMostDepth = 10;
// In long clips a stretch is sampled at a quarter of the vertices.
constexpr std::size_t kManyStretches = 64;
constexpr std::size_t kSampleParts = 4;
constexpr std::size_t kOfOnePart = 2 * kLaneCount;
// A clip without length counts as a frame of film.
constexpr double kStillSeconds = 1.0 / 24.0;

}  // namespace

StretchComparison::StretchComparison(const ComparisonInputs& inputs, const ComparedClip& compared,
                                     std::size_t clip, std::span<const Stretch> all,
                                     StretchFindings& found)
    : samples_(inputs, compared, clip, found),
      clip_(clip),
      all_(all),
      found_(found),
      sampleParts_(samples_.comparesLanes() && all.size() >= kManyStretches ? kSampleParts : 1),
      isStill_(all.size() == 1 && all[0].to <= all[0].from) {}

void StretchComparison::compare(std::size_t first, std::size_t count, const JobContext& job) {
  for (std::size_t i = first; i < first + count; i += kLaneCount) {
    // Every few stretches take another part of VertexModel::samples.
    samples_.choosePart(sampleParts_, i / kOfOnePart % sampleParts_);
    compareSome(all_.subspan(i, std::min(kLaneCount, first + count - i)), job, 0);
  }
}

// Compares up to kLaneCount stretches.
void StretchComparison::compareSome(std::span<const Stretch> stretches, const JobContext& job,
                                    int depth) {
  if (found_.broken || job.stopRequested()) return;
  if (samples_.comparesLanes() && samples_.takeLanes(stretches))
    return settle(stretches, job, depth);
  // A number that is not finite is found, and named, moment by moment.
  for (const Stretch& stretch : stretches) {
    if (found_.broken || job.stopRequested()) return;
    samples_.takeAlone(stretch);
    if (!found_.broken) settle({&stretch, 1}, job, depth);
  }
}

// Takes what was measured of the stretches, and measures the halves of those in which joints turn
// far.
void StretchComparison::settle(std::span<const Stretch> stretches, const JobContext& job,
                               int depth) {
  std::vector<Stretch> halves;
  std::vector<double> lengths(samples_.width(), 0.0);  // of those that are not halved
  for (std::size_t lane = 0; lane < stretches.size(); ++lane) {
    const Stretch& stretch = stretches[lane];
    if (samples_.turn(lane) > kMostTurn && depth < kMostDepth) {
      const double middle = stretch.from + 0.5 * (stretch.to - stretch.from);
      halves.push_back({stretch.from, middle});
      halves.push_back({middle, stretch.to});
      continue;
    }
    lengths[lane] = isStill_ ? kStillSeconds : stretch.to - stretch.from;
    addCandidates(stretch, lane);
  }
  for (const Reading reading : kReadings) {
    const auto r = static_cast<std::size_t>(reading);
    addBetween(samples_.shell(reading), lengths, found_.shell[r]);
    addBetween(samples_.vertices(reading), lengths, found_.vertices[r]);
  }
  for (std::size_t first = 0; first < halves.size(); first += kLaneCount) {
    compareSome(std::span(halves).subspan(first, std::min(kLaneCount, halves.size() - first)), job,
                depth + 1);
  }
}

// Adds the errors between the moments, as many stretches side by side as there are; `lengths` of
// the stretches.
void StretchComparison::addBetween(const StretchSamples::Errors& errors,
                                   std::span<const double> lengths, ErrorTally& tally) {
  std::vector<double> parts(lengths.begin(), lengths.end());
  for (double& part : parts) part = std::max(part, 0.0) / kParts;
  for (const auto& weights : kBetween) {
    between_.assign(errors[0].size(), 0.0f);
    for (std::size_t i = 0; i < StretchSamples::kMoments; ++i) {
      const auto weight = static_cast<float>(weights[i]);
      for (std::size_t e = 0; e < between_.size(); ++e) between_[e] += weight * errors[i][e];
    }
    for (float& error : between_) error = std::max(error, 0.0f);
    tally.add(between_, parts);
  }
}

void StretchComparison::addCandidates(const Stretch& stretch, std::size_t lane) {
  constexpr std::size_t kMost = 12;  // candidates of a measure in a task
  for (std::size_t r = 0; r < kReadings.size(); ++r) {
    for (std::size_t m = 0; m < kMeasures; ++m) {
      std::vector<ErrorCandidate>& candidates = found_.candidates[r][m];
      std::array<double, StretchSamples::kMoments> values;
      for (std::size_t i = 0; i < StretchSamples::kMoments; ++i)
        values[i] = samples_.spots(i, lane)[r][m].value;
      candidates.push_back(candidateOf(stretch, values, 0, clip_));
      candidates.push_back(candidateOf(stretch, values, 1, clip_));
      if (candidates.size() >= 4 * kMost) keepBest(candidates, kMost);
    }
  }
}

}  // namespace ck
