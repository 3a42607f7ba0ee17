#include "core/error/stretch_samples.h"

#include <algorithm>
#include <utility>

#include "core/error/lane_comparison.h"

namespace ck {
namespace {

// Slots of LaneComparison: two hold the ends of stretches in turn, and from kInnerSlot on two are
// for the moments between.
constexpr std::size_t kInnerSlot = 2;
constexpr std::size_t kLast = StretchSamples::kMoments - 1;

}  // namespace

StretchSamples::StretchSamples(const ComparisonInputs& inputs, const ComparedClip& compared,
                               std::size_t clip, StretchFindings& found)
    : comparison_(inputs, compared), clip_(clip), found_(found) {}

void StretchSamples::choosePart(std::size_t parts, std::size_t part) {
  comparison_.sampleEvery(parts, part);
  part_ = part;
}

// Whether the stretches begin where others ended that were measured just before in the same way,
// so that their first moments are known.
bool StretchSamples::continuesLast(std::span<const Stretch> stretches, std::size_t width) const {
  double last = end_;
  for (const Stretch& stretch : stretches) {
    if (stretch.from != last) return false;
    last = stretch.to;
  }
  return width_ == width && endPart_ == part_;
}
void StretchSamples::rememberEnd(const Stretch& stretch) {
  end_ = stretch.to;
  endPart_ = part_;
}

// Measures the ends and the inner moments of up to kLaneCount stretches, and how far joints turn.
// False, with undefined results, if something is not finite.
bool StretchSamples::takeLanes(std::span<const Stretch> stretches) {
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
    takeMoment(stretches, moment);
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

void StretchSamples::addTurns(std::size_t from, std::size_t to) {
  const auto turns = comparison_.lanes().turnBetween(from, to);
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) turns_[lane] += turns[lane];
}

void StretchSamples::takeMoment(std::span<const Stretch> stretches, std::size_t moment) {
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
void StretchSamples::keepEnds() {
  spots_[0] = spots_[kLast];
  for (auto* errors : {&shell_[0], &shell_[1], &vertices_[0], &vertices_[1]}) {
    std::swap(errors->front(), errors->back());
  }
}
void StretchSamples::moveEndsOn() {
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
void StretchSamples::takeAlone(const Stretch& stretch) {
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

void StretchSamples::skipVertices() {
  constexpr double kPromising = kWorthShare / kMostPromise;
  for (const Reading reading : kReadings) {
    const Spot& worst =
        found_
            .worsts[static_cast<std::size_t>(reading)][static_cast<std::size_t>(Measure::Vertices)]
            .spot;
    comparison_.skipVerticesBelow(reading, kPromising * std::max(worst.value, 0.0));
  }
}

}  // namespace ck
