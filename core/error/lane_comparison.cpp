#include "core/error/lane_comparison.h"

#include <cmath>
#include <functional>

#include "core/base/assert.h"
#include "core/error/lane_kernels.h"

namespace ck {

using namespace lanes;

bool LaneComparison::canCompare(const ComparisonInputs& inputs) {
  return !(inputs.interpolate && inputs.hardwareLinear) && !inputs.vertices.places.empty();
}

LaneComparison::LaneComparison(const ComparisonInputs& inputs, const ComparedClip& clip)
    : inputs_(inputs),
      clip_(clip),
      offs_(inputs, clip.atlasClip),
      vertices_(inputs.vertices),
      source_(clip.poser->skinJointCount()),
      pivots_(source_.size()),
      unused_(source_.size()) {
  const auto weighted =
      static_cast<std::size_t>(std::ranges::count_if(inputs.shell.hasVertices, std::identity()));
  for (std::vector<Turn>& slot : turns_) slot.resize(kTurned * weighted);
  for (JointErrors& own : joints_) own.shellMm.resize(weighted * kLaneCount);
}

void LaneComparison::setFrames(std::span<const double> inside) {
  std::vector<double> units;
  for (const double seconds : inside) units.push_back(unitOf(seconds));
  offs_.choose(units);
}

double LaneComparison::unitOf(double seconds) const {
  return unitInClip(inputs_.atlas.clips[static_cast<std::size_t>(clip_.atlasClip)], seconds);
}

void LaneComparison::prepare(std::span<const double> moments) {
  CK_ASSERT(!moments.empty());
  std::vector<StoredFrame> sampled;
  units_.clear();
  for (const double at : moments) {
    sampled.push_back({at, {}});
    units_.push_back(unitOf(at));
  }
  units_.resize((units_.size() + kLaneCount - 1) / kLaneCount * kLaneCount, units_.back());
  clip_.poser->prepare(sampled, run_);
  vertices_.prepare();
}

// The arithmetic, inlined into one function for each instruction set.
struct LaneComparison::Kernel {
  static CK_LANES_INLINE void storeTurn(const Quat& q, Turn& turn) {
    store(turn.at[0], q.x);
    store(turn.at[1], q.y);
    store(turn.at[2], q.z);
    store(turn.at[3], q.w);
  }

  static CK_LANES_INLINE void compare(LaneComparison& self, Reading reading,
                                      std::span<Turn> turned) {
    const auto r = static_cast<std::size_t>(reading);
    JointErrors& own = self.joints_[r];
    Top shell{all(-1.0f), I8{} - 1};
    Top sines{all(-1.0f), I8{} - 1};
    F8 cosines = {};  // of the same
    std::size_t weighted = 0;
    for (std::size_t j = 0; j < self.source_.size(); ++j) {
      if (self.inputs_.shell.hasVertices[j] == 0) continue;
      const F8 square = load<F8>(self.offs_.shellSquares(j));
      shell.take(square, static_cast<int>(j));
      storeMm(square, own.shellMm.data() + weighted * kLaneCount);
      const Quat s = readQuat(self.pivots_[j].rotation);
      const Quat q = readQuat(self.offs_.rotations(j));
      const Quat off = multiplied({-s.x, -s.y, -s.z, s.w}, q);
      sines.take(off.x * off.x + off.y * off.y + off.z * off.z, static_cast<int>(j));
      cosines = sines.index == static_cast<int>(j) ? magnitude(off.w) : cosines;
      if (r == 0) storeTurn(s, turned[kTurned * weighted]);
      storeTurn(q, turned[kTurned * weighted + 1 + r]);
      ++weighted;
    }
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      constexpr double kDegrees = 57.29577951308232;
      const auto k = static_cast<int>(lane);
      own.shell[lane] = {};
      own.degrees[lane] = {};
      if (shell.index[k] < 0) continue;
      const double sine = std::sqrt(static_cast<double>(sines.square[k]));
      own.shell[lane] = {1000.0 * std::sqrt(static_cast<double>(shell.square[k])), shell.index[k]};
      own.degrees[lane] = {kDegrees * 2.0 * std::atan2(sine, static_cast<double>(cosines[k])),
                           sines.index[k]};
    }
  }

  // The cosine of half the largest angle between two rotations of a joint.
  static CK_LANES_INLINE void leastCosine(std::span<const Turn> from, std::span<const Turn> to,
                                          float (&cosines)[kLaneCount]) {
    F8 least = all(1.0f);
    for (std::size_t i = 0; i < from.size(); ++i) {
      least = smaller(least, magnitude(dot(readQuat(from[i].at), readQuat(to[i].at))));
    }
    store(cosines, least);
  }

  CK_LANES_CLONES static void compareBest(LaneComparison& self, Reading reading,
                                          std::span<Turn> turned) {
    compare(self, reading, turned);
  }
  CK_LANES_CLONES static void leastCosineBest(std::span<const Turn> from, std::span<const Turn> to,
                                              float (&cosines)[kLaneCount]) {
    leastCosine(from, to, cosines);
  }
};

bool LaneComparison::compare(std::size_t batch, std::size_t slot) {
  clip_.poser->pose(run_, batch, source_);
  if (!pivotsOf(source_, pivots_, unused_, LanePath::Best)) return false;
  const auto units = std::span(units_).subspan(batch * kLaneCount).first<kLaneCount>();
  for (const Reading reading : {Reading::Palette, Reading::Direct}) {
    if (!offs_.draw(units, reading, source_, vertices_.isMorphing())) return false;
    Kernel::compareBest(*this, reading, turns_[slot]);
    vertices_.compare(reading, source_, offs_);
  }
  return true;
}

Spots LaneComparison::spots(std::size_t lane) const {
  Spots spots;
  for (const Reading reading : {Reading::Palette, Reading::Direct}) {
    const auto r = static_cast<std::size_t>(reading);
    spots[r][static_cast<std::size_t>(Measure::Shell)] = joints_[r].shell[lane];
    spots[r][static_cast<std::size_t>(Measure::Degrees)] = joints_[r].degrees[lane];
    spots[r][static_cast<std::size_t>(Measure::Vertices)] = vertices_.worst(reading, lane);
  }
  return spots;
}

std::array<double, kLaneCount> LaneComparison::turnBetween(std::size_t from, std::size_t to) const {
  float cosines[kLaneCount];
  Kernel::leastCosineBest(turns_[from], turns_[to], cosines);
  std::array<double, kLaneCount> turns;
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
    turns[lane] = static_cast<double>(2.0f * std::acos(std::clamp(cosines[lane], 0.0f, 1.0f)));
  }
  return turns;
}

void LaneComparison::moveOn(std::size_t from, std::size_t before, std::size_t to) {
  for (std::size_t i = 0; i < turns_[from].size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) {
      moveLanesOn(turns_[from][i].at[c], turns_[before][i].at[c], turns_[to][i].at[c]);
    }
  }
}

}  // namespace ck
