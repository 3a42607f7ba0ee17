#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/bake/pose/lane_keys.h"
#include "core/error/stretch_findings.h"

namespace ck {

// The errors at the moments kShares of stretches, up to kLaneCount side by side, as they were
// measured last. Each thread needs its own.
class StretchSamples {
 public:
  static constexpr std::size_t kMoments = kShares.size();

  // `clip` is its number in what is found: the worst spots, and what is not finite. References must
  // outlive it.
  StretchSamples(const ComparisonInputs& inputs, const ComparedClip& compared, std::size_t clip,
                 StretchFindings& found);

  // Whether stretches can be measured side by side.
  bool comparesLanes() const { return comparison_.comparesLanes(); }

  // From now on, of VertexModel::samples those of a number `part` among `parts` are measured.
  void choosePart(std::size_t parts, std::size_t part);

  // Measures the ends and the inner moments of up to kLaneCount stretches, and how far joints turn.
  // False, with undefined results, if something is not finite. Only where comparesLanes().
  bool takeLanes(std::span<const Stretch> stretches);

  // The same of one stretch, moment by moment in double. Something that is not finite is named in
  // what is found.
  void takeAlone(const Stretch& stretch);

  // How many stretches there are values of: kLaneCount, or 1.
  std::size_t width() const { return width_; }
  // How far joints turn within a stretch, in radians.
  double turn(std::size_t lane) const { return turns_[lane]; }
  const Spots& spots(std::size_t moment, std::size_t lane) const { return spots_[moment][lane]; }
  // By moment, in millimetres: of joints with weights and of some vertices, width() values each.
  using Errors = std::array<std::vector<float>, kMoments>;
  const Errors& shell(Reading reading) const { return shell_[static_cast<std::size_t>(reading)]; }
  const Errors& vertices(Reading reading) const {
    return vertices_[static_cast<std::size_t>(reading)];
  }

 private:
  bool continuesLast(std::span<const Stretch> stretches, std::size_t width) const;
  void rememberEnd(const Stretch& stretch);
  void addTurns(std::size_t from, std::size_t to);
  void takeMoment(std::span<const Stretch> stretches, std::size_t moment);
  void keepEnds();
  void moveEndsOn();
  void skipVertices();

  PoseComparison comparison_;
  std::size_t clip_;
  StretchFindings& found_;
  std::size_t part_ = 0;  // of the samples
  std::size_t width_ = 1;
  double end_ = std::numeric_limits<double>::quiet_NaN();  // of the last one
  std::size_t endPart_ = 0;
  std::size_t lastEnd_ = 0;  // slot of the ends
  std::array<double, kLaneCount> turns_;
  std::array<std::array<Spots, kLaneCount>, kMoments> spots_;
  std::array<Errors, 2> shell_;     // by Reading
  std::array<Errors, 2> vertices_;  // the same
};

}  // namespace ck
