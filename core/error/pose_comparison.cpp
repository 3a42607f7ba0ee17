#include "core/error/pose_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/atlas/pose_reading.h"
#include "core/bake/pose/lane_keys.h"
#include "core/error/lane_comparison.h"

namespace ck {
namespace {

bool isFinite(const glm::dmat4& m) {
  double sum = 0.0;
  for (int column = 0; column < 4; ++column) sum += m[column].x + m[column].y + m[column].z;
  // Vertices are compared in float, which holds squares up to 1e38.
  return std::abs(sum) < 1e15;
}

double squaredSize(const glm::dmat3& m) {
  return glm::dot(m[0], m[0]) + glm::dot(m[1], m[1]) + glm::dot(m[2], m[2]);
}

}  // namespace

double unitInClip(const AtlasClip& clip, double seconds) {
  const double share =
      clip.durationSeconds > 0.0 ? (seconds - clip.startSeconds) / clip.durationSeconds : 0.0;
  return std::clamp(share, 0.0, 1.0);
}

PoseComparison::PoseComparison(const ComparisonInputs& inputs, const ComparedClip& clip)
    : inputs_(inputs),
      clip_(clip),
      baked_(inputs.atlas.clips[static_cast<std::size_t>(clip.atlasClip)]),
      sampler_(inputs.character.rig, *clip.source, clip.closingSeconds),
      weights_(inputs.morphs, *clip.source, clip.closingSeconds),
      readings_{OfReading(inputs.vertices), OfReading(inputs.vertices)} {
  if (clip.poser != nullptr && LaneComparison::canCompare(inputs)) {
    lanes_ = std::make_unique<LaneComparison>(inputs, clip_);
  }
}

PoseComparison::~PoseComparison() = default;

void PoseComparison::skipVerticesBelow(Reading reading, double mm) {
  if (lanes_ != nullptr) lanes_->skipVerticesBelow(reading, mm);
}

void PoseComparison::sampleEvery(std::size_t step, std::size_t first) {
  sampleStep_ = step;
  firstSample_ = first;
  if (lanes_ != nullptr) lanes_->sampleEvery(step, first);
}

void PoseComparison::prepareBatches(std::span<const double> inside,
                                    std::span<const double> moments) {
  announced_.clear();
  batches_.assign(moments.begin(), moments.end());
  lanes_->setFrames(inside);
  lanes_->prepare(moments);
}

void PoseComparison::prepare(std::span<const Stretch> stretches) {
  std::vector<double> inside;
  for (const Stretch& stretch : stretches) inside.push_back(0.5 * (stretch.from + stretch.to));
  std::vector<double> moments;
  for (std::size_t i = 0; i < kShares.size(); ++i) {
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      moments.push_back(momentOf(stretches[std::min(lane, stretches.size() - 1)], i));
    }
  }
  prepareBatches(inside, moments);
}

bool PoseComparison::compareBatch(std::size_t batch, std::size_t slot) {
  broken_.clear();
  for (std::size_t lane = 0; lane < kLaneCount && !inputs_.morphs.empty(); ++lane) {
    const double seconds = batches_[std::min(batch * kLaneCount + lane, batches_.size() - 1)];
    setMorphs(seconds, unitInClip(baked_, seconds));
    lanes_->setMorphs(lane, sourceMorphs_, drawnMorphs_);
  }
  return broken_.empty() && lanes_->compare(batch, slot);
}

void PoseComparison::prepare(std::span<const double> seconds) {
  announced_.clear();
  if (lanes_ == nullptr || seconds.empty()) return;
  const auto [first, last] = std::ranges::minmax(seconds);
  const double middle[] = {0.5 * (first + last)};
  prepareBatches(middle, seconds);
  // A number that is not finite is found, and named, moment by moment.
  if (compareBatch(0, 0)) announced_.assign(seconds.begin(), seconds.end());
}

const Spots& PoseComparison::at(double seconds) {
  broken_.clear();
  const auto announced = std::ranges::find(announced_, seconds);
  if (announced != announced_.end()) {
    spots_ = lanes_->spots(static_cast<std::size_t>(announced - announced_.begin()));
    return spots_;
  }
  spots_ = {};
  const double unit = unitInClip(baked_, seconds);
  setMorphs(seconds, unit);
  const std::span<const glm::dmat4> source = sampler_.skinMatrices(seconds);
  turn_ = turnOf(source, before_[2]);
  for (const Reading reading : {Reading::Palette, Reading::Direct}) {
    if (broken_.empty()) compare(reading, source, unit);
  }
  return spots_;
}

void PoseComparison::setMorphs(double seconds, double unit) {
  sourceMorphs_ = weights_.at(seconds);
  drawnMorphs_ = defaultWeights(inputs_.morphs);
  for (std::size_t m = 0; m < sourceMorphs_.size(); ++m) {
    if (std::isfinite(sourceMorphs_[m])) continue;
    broken_ = fmt::format("gives morph target '{}' a weight that is not a number",
                          inputs_.morphs[m].name);
  }
  if (!inputs_.drawsMorphs || inputs_.atlas.morphs.empty()) return;
  const std::vector<float> stored =
      bakedMorphWeights(inputs_.atlas.morphs, clip_.atlasClip, unit, frameGridOf(baked_));
  for (std::size_t m = 0; m < drawnMorphs_.size(); ++m) {
    const int index = inputs_.storedMorphs[m];
    if (index >= 0) drawnMorphs_[m] = stored[static_cast<std::size_t>(index)];
  }
}

void PoseComparison::compare(Reading reading, std::span<const glm::dmat4> source, double unit) {
  // The fractions of texture units have 8 bits, and a moment is at most this far from one.
  constexpr double kHalfFraction = 1.0 / 512.0;
  const auto r = static_cast<std::size_t>(reading);
  OfReading& own = readings_[r];
  if (inputs_.hardwareLinear && inputs_.interpolate && reading == Reading::Direct) {
    own.joints = compareJoints(reading, source, unit, -kHalfFraction);
    JointErrors later = compareJoints(reading, source, unit, kHalfFraction);
    const auto shell = static_cast<std::size_t>(Measure::Shell);
    if (later.spots[shell].value > own.joints.spots[shell].value) own.joints = std::move(later);
  } else {
    own.joints = compareJoints(reading, source, unit, 0.0);
  }
  spots_[r] = own.joints.spots;
  if (!broken_.empty()) return;
  const auto worst = own.vertices.worst({source, own.joints.skins, sourceMorphs_, drawnMorphs_});
  spots_[r][static_cast<std::size_t>(Measure::Vertices)] = {1000.0 * worst.meters, worst.vertex};
  turn_ = std::max(turn_, turnOf(own.joints.skins, before_[r]));
}

PoseComparison::JointErrors PoseComparison::compareJoints(Reading reading,
                                                          std::span<const glm::dmat4> source,
                                                          double unit, double fractionOff) {
  const std::vector<JointPose> poses = posesAt(unit, reading, fractionOff);
  JointErrors errors;
  errors.skins.reserve(poses.size());
  errors.shellMm.reserve(poses.size());
  for (std::size_t joint = 0; joint < poses.size(); ++joint) {
    compareJoint(source[joint], poses[joint], joint, errors);
  }
  return errors;
}

void PoseComparison::shell(Reading reading, std::vector<float>& mm) const {
  mm = readings_[static_cast<std::size_t>(reading)].joints.shellMm;
}

void PoseComparison::vertices(Reading reading, std::vector<float>& mm) const {
  readings_[static_cast<std::size_t>(reading)].vertices.sample(mm, sampleStep_, firstSample_);
}

const std::vector<JointPose>& PoseComparison::frame(int index) {
  Decoded& slot = decoded_[static_cast<std::size_t>(index % 2)];
  if (slot.frame != index) {
    slot.poses = storedFrame(inputs_.atlas, clip_.atlasClip, index);
    slot.frame = index;
  }
  return slot.poses;
}

std::vector<JointPose> PoseComparison::posesAt(double unit, Reading reading, double fractionOff) {
  if (!inputs_.interpolate) return frame(nearestFrame(baked_, unit));
  const FramePair pair = framesAt(baked_, unit);
  const double alpha = std::clamp(pair.alpha + fractionOff, 0.0, 1.0);
  const std::vector<JointPose>& frame0 = frame(pair.frame0);
  const std::vector<JointPose>& frame1 = frame(pair.frame1);
  return posesBetween(inputs_.atlas.joints, frame0, frame1, static_cast<float>(alpha), reading);
}

void PoseComparison::compareJoint(const glm::dmat4& source, const JointPose& pose,
                                  std::size_t joint, JointErrors& errors) {
  constexpr double kNoSize = 1e-18;
  constexpr double kDegrees = 57.29577951308232;
  const PoseForm form = formOf(inputs_.atlas);
  const glm::dmat4 decoded = skinMatrixOf(form, pose, inputs_.atlas.joints[joint]);
  errors.skins.push_back(decoded);
  if (!isFinite(source) || !isFinite(decoded)) {
    if (broken_.empty()) {
      broken_ = fmt::format("moves joint '{}' to a place that is not a number",
                            inputs_.atlas.joints[joint].name);
    }
    return;
  }
  if (inputs_.shell.hasVertices[joint] == 0) return;
  const int index = static_cast<int>(joint);
  const auto keep = [&](Measure measure, double value) {
    Spot& spot = errors.spots[static_cast<std::size_t>(measure)];
    if (value > spot.value) spot = {value, index};
  };
  const glm::dvec3 pivot(inputs_.atlas.joints[joint].pivot);
  const double mm = 1000.0 * shellDistance(source, decoded, pivot, inputs_.shell.radii[joint]);
  errors.shellMm.push_back(static_cast<float>(mm));
  keep(Measure::Shell, mm);
  const glm::dmat3 linear(source);
  const glm::dmat3 shownLinear(decoded);
  if (std::abs(glm::determinant(linear)) < kNoSize ||
      std::abs(glm::determinant(shownLinear)) < kNoSize) {
    return;
  }
  const glm::dquat shown =
      form == PoseForm::Pivot ? glm::dquat(pose.rotation) : rotationOf(shownLinear);
  const glm::dquat between = glm::conjugate(rotationOf(linear)) * shown;
  const double sine = glm::length(glm::dvec3(between.x, between.y, between.z));
  keep(Measure::Degrees, kDegrees * 2.0 * std::atan2(sine, std::abs(between.w)));
}

// The largest angle between the linear parts of `skins` and `before`, which they replace. For
// rotations with one scale each, trace(A^T B) = |A| |B| (1 + 2 cos(angle)) / 3.
double PoseComparison::turnOf(std::span<const glm::dmat4> skins,
                              std::vector<glm::dmat3>& before) const {
  double least = 1.0;
  const bool isFirst = before.empty();
  before.resize(skins.size());
  for (std::size_t joint = 0; joint < skins.size(); ++joint) {
    const glm::dmat3 now(skins[joint]);
    const glm::dmat3 then = std::exchange(before[joint], now);
    if (isFirst || inputs_.shell.hasVertices[joint] == 0) continue;
    const double sizes = std::sqrt(squaredSize(now) * squaredSize(then));
    if (!(sizes > 1e-12)) continue;
    const double trace =
        glm::dot(now[0], then[0]) + glm::dot(now[1], then[1]) + glm::dot(now[2], then[2]);
    least = std::min(least, 1.5 * trace / sizes - 0.5);
  }
  return std::acos(std::clamp(least, -1.0, 1.0));
}

}  // namespace ck
