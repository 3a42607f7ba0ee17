#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bake/vertex_error.h"
#include "core/error/lane_offs.h"

namespace ck {

// Finds how far readings draw vertices from the source at eight moments side by side, and which is
// farthest off. Holds scratch memory, so each thread needs its own.
class LaneVertexErrors {
 public:
  // The model must outlive it.
  explicit LaneVertexErrors(const VertexModel& model);

  // As PoseComparison has them; sampleEvery() counts from the next prepare() on.
  void skipBelow(Reading reading, double mm);
  void sampleEvery(std::size_t step, std::size_t first);
  void prepare();

  // The weights of the morphs of moment `lane`, in the source and as drawn; the first lane first.
  void setMorphs(std::size_t lane, std::span<const float> weights, std::span<const float> shown);
  // Whether any of them is not zero.
  bool isMorphing() const { return morphing_; }

  // Compares the moments that `offs` has drawn by the reading.
  void compare(Reading reading, std::span<const LanePose> source, const LaneOffs& offs);

  // The findings of the last comparison: in millimetres, kLaneCount for each of the samples, and
  // the vertex that is farthest off in a lane.
  std::span<const float> mm(Reading reading) const {
    return readings_[static_cast<std::size_t>(reading)].mm;
  }
  Spot worst(Reading reading, std::size_t lane) const {
    return readings_[static_cast<std::size_t>(reading)].worst[lane];
  }

 private:
  struct OfReading {
    std::vector<float> mm;
    std::array<Spot, kLaneCount> worst;
    std::uint32_t lastWorst = 0;
    float leastSquare = 0.0f;  // up to this, vertices need not be searched
  };
  struct Kernel;

  // The morphs that move vertices of a cluster, if any is not at rest.
  std::span<const VertexModel::MorphBound> movedBy(const VertexModel::Cluster& cluster) const {
    if (!morphing_) return {};
    return cluster.morphs;
  }

  const VertexModel& model_;
  bool loses_;  // influences of some vertices
  std::array<OfReading, 2> readings_;
  // kLaneCount for each morph: the weights of the source, and those less the drawn ones.
  std::vector<float> morphWeights_;
  std::vector<float> morphOffs_;
  bool morphing_ = false;
  std::size_t sampleStep_ = 1;
  std::size_t firstSample_ = 0;
};

}  // namespace ck
