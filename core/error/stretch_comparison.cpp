#include "core/error/stretch_comparison.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "core/error/lane_comparison.h"

namespace ck {

void improve(WorstSpot& worst, const WorstSpot& other) {
  if (other.spot.value > worst.spot.value) worst = other;
}

void improve(WorstSpots& worsts, const Spots& spots, std::size_t clip, double seconds) {
  for (std::size_t r = 0; r < spots.size(); ++r) {
    for (std::size_t m = 0; m < kMeasures; ++m) {
      improve(worsts[r][m], {spots[r][m], clip, seconds});
    }
  }
}

void keepBest(std::vector<ErrorCandidate>& candidates, std::size_t most) {
  std::ranges::stable_sort(candidates, std::greater(), &ErrorCandidate::expected);
  if (candidates.size() > most) candidates.resize(most);
}

class StretchComparison::Work {
 public:
  Work(const ComparisonInputs& inputs, const ComparedClip& compared, std::size_t clip,
       std::span<const Stretch> all, StretchFindings& found)
      : comparison_(inputs, compared),
        clip_(clip),
        all_(all),
        found_(found),
        sampleParts_(comparison_.comparesLanes() && all.size() >= kManyStretches ? kSampleParts
                                                                                 : 1),
        isStill_(all.size() == 1 && all[0].to <= all[0].from) {}

  void compare(std::size_t first, std::size_t count, const JobContext& job) {
    for (std::size_t i = first; i < first + count; i += kLaneCount) {
      // Every few stretches take another part of VertexModel::samples.
      part_ = i / kOfOnePart % sampleParts_;
      comparison_.sampleEvery(sampleParts_, part_);
      compareSome(all_.subspan(i, std::min(kLaneCount, first + count - i)), job, 0);
    }
  }

 private:
  // Within a stretch errors are smooth. Where joints turn further, six moments do not show how.
  static constexpr double kMostTurn = 1.0;
  static constexpr int kMostDepth = 10;
  // A candidate's expected error is capped at this multiple of the largest value sampled near it.
  static constexpr double kMostPromise = 2.0;
  // In long clips a stretch is sampled at a quarter of the vertices.
  static constexpr std::size_t kManyStretches = 64;
  static constexpr std::size_t kSampleParts = 4;
  static constexpr std::size_t kOfOnePart = 2 * kLaneCount;
  // A clip without length counts as a frame of film.
  static constexpr double kStillSeconds = 1.0 / 24.0;
  static constexpr std::size_t kMoments = kShares.size();
  static constexpr std::size_t kLast = kMoments - 1;

  // Compares up to kLaneCount stretches.
  void compareSome(std::span<const Stretch> stretches, const JobContext& job, int depth) {
    if (found_.broken || job.stopRequested()) return;
    if (comparison_.comparesLanes() && sampleLanes(stretches)) return settle(stretches, job, depth);
    // A number that is not finite is found, and named, moment by moment.
    for (const Stretch& stretch : stretches) {
      if (found_.broken || job.stopRequested()) return;
      sampleAlone(stretch);
      if (!found_.broken) settle({&stretch, 1}, job, depth);
    }
  }

  // Takes what was measured of the stretches, and measures the halves of those in which joints turn
  // far.
  void settle(std::span<const Stretch> stretches, const JobContext& job, int depth) {
    std::vector<Stretch> halves;
    std::vector<double> lengths(width_, 0.0);  // of those that are not halved
    for (std::size_t lane = 0; lane < stretches.size(); ++lane) {
      const Stretch& stretch = stretches[lane];
      if (turns_[lane] > kMostTurn && depth < kMostDepth) {
        const double middle = stretch.from + 0.5 * (stretch.to - stretch.from);
        halves.push_back({stretch.from, middle});
        halves.push_back({middle, stretch.to});
        continue;
      }
      lengths[lane] = isStill_ ? kStillSeconds : stretch.to - stretch.from;
      addCandidates(stretch, lane);
    }
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
      addBetween(shell_[r], lengths, found_.shell[r]);
      addBetween(vertices_[r], lengths, found_.vertices[r]);
    }
    for (std::size_t first = 0; first < halves.size(); first += kLaneCount) {
      compareSome(std::span(halves).subspan(first, std::min(kLaneCount, halves.size() - first)),
                  job, depth + 1);
    }
  }

  // Whether the stretches begin where others ended that were measured just before in the same way,
  // so that their first moments are known.
  bool continuesLast(std::span<const Stretch> stretches, std::size_t width) const {
    double last = end_;
    for (const Stretch& stretch : stretches) {
      if (stretch.from != last) return false;
      last = stretch.to;
    }
    return width_ == width && endPart_ == part_;
  }
  void rememberEnd(const Stretch& stretch) {
    end_ = stretch.to;
    endPart_ = part_;
  }

  // Measures the ends and the inner moments of up to kLaneCount stretches, and how far joints turn.
  // False, with undefined results, if something is not finite.
  bool sampleLanes(std::span<const Stretch> stretches) {
    const bool continues = continuesLast(stretches, kLaneCount);
    skipVertices();
    comparison_.prepare(stretches);
    end_ = std::numeric_limits<double>::quiet_NaN();
    width_ = kLaneCount;
    turns_.fill(0.0);
    // The ends come first: they are the beginnings of the next lanes.
    lastEnd_ = 1 - lastEnd_;
    const auto measured = [&](std::size_t moment, std::size_t slot) {
      if (!comparison_.compareBatch(moment, slot)) return false;
      takeLanes(stretches, moment);
      return true;
    };
    if (continues) keepEnds();
    if (!measured(kLast, lastEnd_)) return false;
    std::size_t slot = kInnerSlot;  // of the last turns
    if (continues) {
      moveEndsOn();
      comparison_.lanes().moveOn(lastEnd_, 1 - lastEnd_, slot);
    } else if (!measured(0, slot)) {
      return false;
    }
    for (std::size_t i = 1; i < kLast; ++i) {
      const std::size_t next = slot == kInnerSlot ? kInnerSlot + 1 : kInnerSlot;
      if (!measured(i, next)) return false;
      addTurns(std::exchange(slot, next), next);
    }
    addTurns(slot, lastEnd_);
    rememberEnd(stretches.back());
    return true;
  }

  void addTurns(std::size_t from, std::size_t to) {
    const auto turns = comparison_.lanes().turnBetween(from, to);
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) turns_[lane] += turns[lane];
  }

  void takeLanes(std::span<const Stretch> stretches, std::size_t moment) {
    const LaneComparison& lanes = comparison_.lanes();
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      spots_[moment][lane] = lanes.spots(lane);
      if (lane >= stretches.size()) continue;
      improve(found_.worsts, spots_[moment][lane], clip_, momentOf(stretches[lane], moment));
    }
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
      const auto shell = lanes.shell(kReadings[r]);
      const auto vertices = lanes.vertices(kReadings[r]);
      shell_[r][moment].assign(shell.begin(), shell.end());
      vertices_[r][moment].assign(vertices.begin(), vertices.end());
    }
  }

  // Keeps the ends of the stretches before as beginnings, until those of these are known.
  void keepEnds() {
    spots_[0] = spots_[kLast];
    for (auto* errors : {&shell_[0], &shell_[1], &vertices_[0], &vertices_[1]}) {
      std::swap(errors->front(), errors->back());
    }
  }
  void moveEndsOn() {
    spots_[0][0] = spots_[0].back();
    std::copy(spots_[kLast].begin(), spots_[kLast].end() - 1, spots_[0].begin() + 1);
    for (auto* errors : {&shell_[0], &shell_[1], &vertices_[0], &vertices_[1]}) {
      std::vector<float>& first = errors->front();
      const std::vector<float>& last = errors->back();
      for (std::size_t i = 0; i < first.size(); i += kLaneCount) {
        std::array<float, kLaneCount> before;
        std::copy_n(&first[i], kLaneCount, before.begin());
        moveLanesOn(&last[i], before.data(), &first[i]);
      }
    }
  }

  // As sampleLanes(), for one stretch, moment by moment in double. Something that is not finite is
  // named in what is found.
  void sampleAlone(const Stretch& stretch) {
    const bool continues = continuesLast({&stretch, 1}, 1);
    if (continues) keepEnds();
    end_ = std::numeric_limits<double>::quiet_NaN();
    width_ = 1;
    turns_[0] = 0.0;
    comparison_.prepare(std::span<const double>());
    for (std::size_t i = continues ? 1 : 0; i < kMoments; ++i) {
      const double seconds = momentOf(stretch, i);
      spots_[i][0] = comparison_.at(seconds);
      if (!comparison_.broken().empty()) {
        found_.broken = BrokenMoment{seconds, comparison_.broken()};
        return;
      }
      if (i > 0) turns_[0] += comparison_.turn();
      improve(found_.worsts, spots_[i][0], clip_, seconds);
      for (std::size_t r = 0; r < kReadings.size(); ++r) {
        comparison_.shell(kReadings[r], shell_[r][i]);
        comparison_.vertices(kReadings[r], vertices_[r][i]);
      }
    }
    rememberEnd(stretch);
  }

  void skipVertices() {
    constexpr double kPromising = kWorthShare / kMostPromise;
    for (const Reading reading : kReadings) {
      const Spot& worst = found_
                              .worsts[static_cast<std::size_t>(reading)]
                                     [static_cast<std::size_t>(Measure::Vertices)]
                              .spot;
      comparison_.skipVerticesBelow(reading, kPromising * std::max(worst.value, 0.0));
    }
  }

  // Adds the errors between the moments, width_ side by side; `lengths` of the stretches.
  void addBetween(const std::array<std::vector<float>, kMoments>& errors,
                  std::span<const double> lengths, ErrorTally& tally) {
    std::vector<double> parts(lengths.begin(), lengths.end());
    for (double& part : parts) part = std::max(part, 0.0) / kParts;
    for (const auto& weights : kBetween) {
      between_.assign(errors[0].size(), 0.0f);
      for (std::size_t i = 0; i < kMoments; ++i) {
        const auto weight = static_cast<float>(weights[i]);
        for (std::size_t e = 0; e < between_.size(); ++e) between_[e] += weight * errors[i][e];
      }
      for (float& error : between_) error = std::max(error, 0.0f);
      tally.add(between_, parts);
    }
  }

  void addCandidates(const Stretch& stretch, std::size_t lane) {
    constexpr std::size_t kMost = 12;  // candidates of a measure in a task
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
      for (std::size_t m = 0; m < kMeasures; ++m) {
        std::vector<ErrorCandidate>& candidates = found_.candidates[r][m];
        std::array<double, kMoments> values;
        for (std::size_t i = 0; i < kMoments; ++i) values[i] = spots_[i][lane][r][m].value;
        candidates.push_back(candidateOf(stretch, values, 0));
        candidates.push_back(candidateOf(stretch, values, 1));
        if (candidates.size() >= 4 * kMost) keepBest(candidates, kMost);
      }
    }
  }

  // Where, in the first or second half of a stretch, the polynomial through the six moments is
  // largest, or one of them if that is larger. Each half has one: what nlerp strays from an arc has
  // a peak in both and is zero in the middle.
  ErrorCandidate candidateOf(const Stretch& stretch, const std::array<double, kMoments>& values,
                             std::size_t half) const {
    constexpr double kNeighbourhood = 0.2;  // share of the stretch, to both sides
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(half * kMoments / 2);
    const auto top = std::max_element(first, first + kMoments / 2);
    double share = kShares[static_cast<std::size_t>(top - values.begin())];
    double expected = *top;
    for (std::size_t part = half * kParts / 2; part < (half + 1) * kParts / 2; ++part) {
      const double value =
          std::inner_product(values.begin(), values.end(), kBetween[part].begin(), 0.0);
      if (value <= expected) continue;
      expected = value;
      share = (static_cast<double>(part) + 0.5) / kParts;
    }
    const double length = stretch.to - stretch.from;
    return {std::min(expected, kMostPromise * *top), clip_,
            stretch.from + length * std::max(share - kNeighbourhood, 0.0),
            stretch.from + length * std::min(share + kNeighbourhood, 1.0)};
  }

  // Slots of LaneComparison: two hold the ends of stretches in turn, and from kInnerSlot on two are
  // for the moments between.
  static constexpr std::size_t kInnerSlot = 2;

  PoseComparison comparison_;
  std::size_t clip_;
  std::span<const Stretch> all_;
  StretchFindings& found_;
  std::size_t sampleParts_ = 1;
  std::size_t part_ = 0;  // of the samples
  bool isStill_ = false;  // the clip has no length
  // The last stretches are `width_` side by side: kLaneCount, or 1 in double.
  std::size_t width_ = 1;
  double end_ = std::numeric_limits<double>::quiet_NaN();  // of the last one
  std::size_t endPart_ = 0;
  std::size_t lastEnd_ = 0;               // slot of the ends
  std::array<double, kLaneCount> turns_;  // of joints, in radians
  std::array<std::array<Spots, kLaneCount>, kMoments> spots_;
  std::array<std::array<std::vector<float>, kMoments>, 2> shell_;     // by Reading and moment
  std::array<std::array<std::vector<float>, kMoments>, 2> vertices_;  // the same
  std::vector<float> between_;
};

StretchComparison::StretchComparison(const ComparisonInputs& inputs, const ComparedClip& compared,
                                     std::size_t clip, std::span<const Stretch> all,
                                     StretchFindings& found)
    : work_(std::make_unique<Work>(inputs, compared, clip, all, found)) {}
StretchComparison::~StretchComparison() = default;

void StretchComparison::compare(std::size_t first, std::size_t count, const JobContext& job) {
  work_->compare(first, count, job);
}

}  // namespace ck
