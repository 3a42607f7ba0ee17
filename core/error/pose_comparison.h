#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/pose/shell.h"
#include "core/bake/pose/window_sampler.h"
#include "core/bake/vertex_error.h"
#include "core/error/error_moments.h"

namespace ck {

class LaneComparison;
class LanePoser;

// The measures, and the largest value of each at one moment.
enum class Measure { Shell, Vertices, Degrees };
struct Spot {
  double value = -1.0;  // millimetres or degrees; -1: nothing was measured
  int index = -1;       // a skin joint, or for Vertices one of VertexModel::places
};
using Spots = std::array<std::array<Spot, 3>, 2>;  // by Reading, by Measure

// All that comparisons of one atlas share. The referenced objects must outlive it.
struct ComparisonInputs {
  const Character& character;
  const Atlas& atlas;
  Shell shell;
  MorphSet morphs;
  std::vector<int> storedMorphs;  // for each morph, its index in AtlasMorphs::names or -1
  VertexModel vertices;
  bool interpolate = true;
  bool hardwareLinear = false;
  bool drawsMorphs = true;
};

// The position of a moment in a baked clip, in [0, 1].
double unitInClip(const AtlasClip& clip, double seconds);

// A baked clip and its source.
struct ComparedClip {
  int atlasClip = 0;
  const Clip* source = nullptr;  // with the clip edit that was baked
  double closingSeconds = 0.0;
  // Poses `source`. Without it every moment is compared by itself, in double.
  std::shared_ptr<const LanePoser> poser = {};
};

// Compares the poses of a clip and its source, one moment after the other. Moments in ascending
// time are fastest, because frames are decoded once. Holds scratch memory, so each thread needs its
// own.
class PoseComparison {
 public:
  PoseComparison(const ComparisonInputs& inputs, const ComparedClip& clip);
  ~PoseComparison();

  // Whether moments that are announced are compared side by side.
  bool comparesLanes() const { return lanes_ != nullptr; }

  // Announces up to kLaneCount stretches: batch i is the moment kShares[i] of each of them, the
  // last one for lanes beyond. Only where comparesLanes().
  void prepare(std::span<const Stretch> stretches);
  // Compares a batch (LaneComparison::compare()).
  bool compareBatch(std::size_t batch, std::size_t slot);
  LaneComparison& lanes() { return *lanes_; }

  // Leaves vertices out of the next comparisons. Below `mm` the value at vertices may be less than
  // the largest one; 0: it never is. Of VertexModel::samples, those of the numbers first, first +
  // step and so on are measured.
  void skipVerticesBelow(Reading reading, double mm);
  void sampleEvery(std::size_t step, std::size_t first);

  // Announces up to eight moments between two stored frames, for which at() is called next. They
  // are compared side by side in float where LaneComparison::canCompare() says so. Else, and for no
  // moments, at() compares in double.
  void prepare(std::span<const double> seconds);

  // Compares at `seconds` on the file's timeline. Valid until the next call.
  const Spots& at(double seconds);

  // The errors of the last call, if it compared in double, in millimetres: of all joints with
  // weights, and of some vertices (VertexModel::samples).
  void shell(Reading reading, std::vector<float>& mm) const;
  void vertices(Reading reading, std::vector<float>& mm) const;

  // The part that is not finite at the moment of the last call, as the end of a sentence; empty if
  // all is finite. Nothing is measured where something is not finite.
  const std::string& broken() const { return broken_; }

  // The largest turn of any joint from the call before to the last call, if both compared in
  // double: in radians, in the source and in both readings.
  double turn() const { return turn_; }

 private:
  struct Decoded {
    int frame = -1;
    std::vector<JointPose> poses;
  };
  // The joints of one reading.
  struct JointErrors {
    std::array<Spot, 3> spots;      // by Measure; Vertices is not measured
    std::vector<glm::dmat4> skins;  // as drawn
    std::vector<float> shellMm;     // of joints with weights
  };
  struct OfReading {
    explicit OfReading(const VertexModel& model) : vertices(model) {}
    VertexComparison vertices;
    JointErrors joints;
  };

  void prepareBatches(std::span<const double> inside, std::span<const double> moments);
  const std::vector<JointPose>& frame(int index);
  // `fractionOff` is added to the fraction between two frames.
  std::vector<JointPose> posesAt(double unit, Reading reading, double fractionOff);
  void setMorphs(double seconds, double unit);
  void compare(Reading reading, std::span<const glm::dmat4> source, double unit);
  JointErrors compareJoints(Reading reading, std::span<const glm::dmat4> source, double unit,
                            double fractionOff);
  void compareJoint(const glm::dmat4& source, const JointPose& pose, std::size_t joint,
                    JointErrors& errors);
  double turnOf(std::span<const glm::dmat4> skins, std::vector<glm::dmat3>& before) const;

  const ComparisonInputs& inputs_;
  ComparedClip clip_;
  const AtlasClip& baked_;
  WindowSampler sampler_;
  WindowWeights weights_;
  std::array<Decoded, 2> decoded_;
  std::array<OfReading, 2> readings_;
  std::array<std::vector<glm::dmat3>, 3> before_;  // linear parts of the call before
  std::vector<float> sourceMorphs_;
  std::vector<float> drawnMorphs_;
  Spots spots_;
  std::string broken_;
  double turn_ = 0.0;
  std::unique_ptr<LaneComparison> lanes_;
  std::vector<double> announced_;  // that were compared in lanes by prepare()
  std::vector<double> batches_;    // the moments of all batches
  std::size_t sampleStep_ = 1;
  std::size_t firstSample_ = 0;
};

}  // namespace ck
