#include "core/project/clip_measures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/anim/clip_sampler.h"
#include "core/anim/edited_clip.h"
#include "core/anim/loop_gap.h"
#include "core/anim/pose.h"
#include "core/bake/key_steps.h"
#include "core/bake/pose/window_sampler.h"

namespace ck {
namespace {

constexpr std::size_t kMostMoments = 2'000;
constexpr double kMorphMm = 1'000.0;

using Pose = std::vector<glm::dmat4>;

std::vector<double> evenly(const std::vector<double>& times) {
  if (times.size() <= kMostMoments) return times;
  std::vector<double> chosen;
  for (std::size_t i = 0; i < kMostMoments; ++i) {
    chosen.push_back(times[i * (times.size() - 1) / (kMostMoments - 1)]);
  }
  return chosen;
}

// A mesh is shown as it was bound if all its joints move it alike. One joint alone always does.
double fromBindMm(std::span<const glm::dmat4> pose, const Shell& shell) {
  double largest = -1.0;
  std::size_t base = pose.size();
  for (std::size_t joint = 0; joint < pose.size(); ++joint) {
    if (shell.hasVertices[joint] == 0) continue;
    if (base == pose.size()) {
      base = joint;
    } else {
      largest = std::max(largest, shellDistance(shell, joint, pose[joint], pose[base]));
    }
  }
  return largest < 0.0 ? std::numeric_limits<double>::infinity() : largest * 1000.0;
}

// The largest difference of a morph weight to the first key, and to the weight of the file.
struct WeightChange {
  double fromFirst = 0.0;
  double fromRest = 0.0;
};

WeightChange weightChangeOf(const Character& character, const Clip& clip) {
  WeightChange change;
  for (const MorphTrack& track : clip.morphTracks) {
    const Mesh& mesh = character.meshes[static_cast<std::size_t>(track.mesh)];
    const double usual = mesh.defaultMorphWeights[static_cast<std::size_t>(track.target)];
    const double first = sampleTrack(track.weight, clip.startSeconds);
    for (const double time : track.weight.times) {
      const double weight = sampleTrack(track.weight, time);
      change.fromFirst = std::max(change.fromFirst, std::abs(weight - first));
      change.fromRest = std::max(change.fromRest, std::abs(weight - usual));
    }
  }
  return change;
}

// Whether at least half of the skin joints that move vertices, of all joints in a rig without a
// skin, are at or below this one.
bool carriesFigure(const Rig& rig, int root) {
  std::vector<char> below(rig.joints.size(), 0);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const int parent = rig.joints[j].parent;
    const bool inherits = parent >= 0 && below[static_cast<std::size_t>(parent)] != 0;
    below[j] = inherits || static_cast<int>(j) == root ? 1 : 0;
  }
  if (rig.skinJoints.empty()) {
    return 2 * std::ranges::count(below, 1) >= static_cast<std::ptrdiff_t>(below.size());
  }
  std::ptrdiff_t carried = 0;
  std::ptrdiff_t all = 0;
  for (const SkinJoint& one : rig.skinJoints) {
    if (one.isSocket) continue;
    ++all;
    carried += below[static_cast<std::size_t>(one.joint)];
  }
  return 2 * carried >= all;
}

// The joint whose place says where the figure is: the one that walks, else the topmost one that is
// moved at all.
int rootOf(const Rig& rig, const Clip& clip) {
  int root = travellingJoint(rig, clip);
  for (const JointTracks& tracks : clip.jointTracks) {
    if (root >= 0) break;
    if (tracks.translation.times.size() > 1) root = tracks.joint;
  }
  return root >= 0 && carriesFigure(rig, root) ? root : -1;
}

void shift(std::span<glm::dmat4> pose, const glm::dvec3& way) {
  for (glm::dmat4& matrix : pose) matrix[3] += glm::dvec4(way, 0.0);
}

ClipSeam named(const Character& character, LoopFigures figures) {
  std::string where;
  if (figures.seamMesh >= 0) {
    where = character.meshes[static_cast<std::size_t>(figures.seamMesh)].name;
  } else if (figures.seamJoint >= 0) {
    const std::vector<SkinJoint>& skin = character.rig.skinJoints;
    const auto at = static_cast<std::size_t>(figures.seamJoint);
    const auto joint = skin.empty() ? at : static_cast<std::size_t>(skin[at].joint);
    where = character.rig.joints[joint].name;
  }
  return {std::move(figures), std::move(where)};
}

template <class Value>
double distanceOf(const Value& a, const Value& b) {
  if constexpr (std::is_same_v<Value, float>) {
    return std::abs(static_cast<double>(a) - static_cast<double>(b));
  } else if constexpr (std::is_same_v<Value, glm::quat>) {
    const double dot = std::abs(glm::dot(glm::dquat(a), glm::dquat(b)));
    return 2.0 * std::acos(std::min(1.0, dot));
  } else {
    return glm::distance(glm::dvec3(a), glm::dvec3(b));
  }
}

template <class Value>
void addNearKeys(const Track<Value>& track, NearKeys& near) {
  constexpr double kNearShare = 0.1;  // of the usual step
  if (track.times.size() < 4 || track.interpolation == Interpolation::Step) return;
  const double usual = medianStepSeconds(track.times);
  const auto valueAt = [&track](std::size_t key) {
    return track.values[track.interpolation == Interpolation::Cubic ? 3 * key + 1 : key];
  };
  double fastest = 0.0;  // change per second over usual steps
  for (std::size_t k = 1; k < track.times.size(); ++k) {
    const double gap = track.times[k] - track.times[k - 1];
    if (gap < kNearShare * usual) continue;
    fastest = std::max(fastest, distanceOf(valueAt(k), valueAt(k - 1)) / gap);
  }
  for (std::size_t k = 1; k < track.times.size(); ++k) {
    const double gap = track.times[k] - track.times[k - 1];
    if (gap >= kNearShare * usual) continue;
    // Values of a resampled curve differ a little more than the curve itself explains.
    constexpr double kNoiseSteps = 0.05;
    const double explained = fastest * (gap + kNoiseSteps * usual) + 1e-7;
    if (distanceOf(valueAt(k), valueAt(k - 1)) > explained) continue;
    ++near.count;
    if (gap <= near.largestGapSeconds) continue;
    near.largestGapSeconds = gap;
    near.usualStepSeconds = usual;
  }
}

// The lowest vertex of a pose among those that the figure was bound standing on, in metres: a
// weapon in a hand, or a body that lies, is elsewhere.
double lowestSole(const Character& character, const Bounds& bounds,
                  std::span<const glm::dmat4> pose) {
  constexpr double kSoleShare = 0.05;  // of the figure's height
  const double highest = bounds.low.y + kSoleShare * (bounds.high.y - bounds.low.y);
  double lowest = std::numeric_limits<double>::infinity();
  for (const Mesh& mesh : character.meshes) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      if (static_cast<double>(mesh.positions[v].y) > highest) continue;
      double height = 0.0;
      for (const Influence& influence : influencesOf(mesh, v)) {
        const glm::dmat4& matrix = pose[static_cast<std::size_t>(influence.skinJoint)];
        height += static_cast<double>(influence.weight) *
                  transformPoint(matrix, glm::dvec3(mesh.positions[v])).y;
      }
      lowest = std::min(lowest, height);
    }
  }
  return lowest;
}

// The lowest pivot of the joints that move vertices.
double lowestPivot(std::span<const glm::dmat4> pose, const Shell& shell) {
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t joint = 0; joint < pose.size(); ++joint) {
    if (shell.hasVertices[joint] == 0) continue;
    lowest = std::min(lowest, transformPoint(pose[joint], glm::dvec3(shell.pivots[joint])).y);
  }
  return lowest;
}

void addLook(std::span<const glm::dmat4> pose, const Shell& shell, std::vector<glm::vec3>& look) {
  for (std::size_t joint = 0; joint < pose.size(); ++joint) {
    const glm::dvec3 pivot(shell.pivots[joint]);
    const glm::dvec3 away = glm::normalize(glm::dvec3(3.0, 2.0, 1.0)) * shell.radii[joint];
    look.emplace_back(transformPoint(pose[joint], pivot));
    look.emplace_back(transformPoint(pose[joint], pivot + away));
  }
}

}  // namespace

bool looksAlike(const ClipMeasures& a, const ClipMeasures& b, double mostMm) {
  constexpr double kSameLength = 1e-3;  // seconds: exporters round times
  if (a.look.empty() || a.look.size() != b.look.size()) return false;
  const double lengthA = a.moments.back() - a.moments.front();
  const double lengthB = b.moments.back() - b.moments.front();
  if (std::abs(lengthA - lengthB) > kSameLength) return false;
  const auto most = static_cast<float>(mostMm / 1000.0);
  // Written so that NaN fails.
  return std::ranges::equal(a.look, b.look, [most](const glm::vec3& one, const glm::vec3& other) {
    return glm::distance(one, other) <= most;
  });
}

Shell measuringShell(const Character& character) {
  if (!character.rig.skinJoints.empty()) return makeShell(character);
  Shell shell;
  for (const glm::dmat4& global : restMatrices(character.rig)) {
    const double scale = std::cbrt(std::abs(glm::determinant(glm::dmat3(global))));
    shell.pivots.emplace_back(0.0f);
    shell.radii.push_back(scale > 1e-9 ? kShellMeters / scale : kShellMeters);
    shell.hasVertices.push_back(1);
  }
  return shell;
}

double driftLimit(const Character& character) {
  const Bounds bounds = bindBounds(character);
  return std::max(0.01, 0.01 * (bounds.high.y - bounds.low.y));
}

ClipMeasures measureClip(const Character& character, const Clip& clip, const Shell& shell,
                         const JobContext& job) {
  ClipMeasures measures;
  const std::vector<double> keys = keyTimes(clip);
  measures.keys = keys.size();
  measures.moments = evenly(keys);
  if (keys.empty()) return measures;
  measures.root = rootOf(character.rig, clip);
  WindowSampler sampler(character.rig, clip, 0.0);
  const bool hasSkin = !character.rig.skinJoints.empty();
  const auto poseAt = [&](double time) {
    const std::span<const glm::dmat4> skin = sampler.skinMatrices(time);
    return hasSkin ? skin : sampler.globals();
  };
  const Pose globals = restMatrices(character.rig);
  const Pose rest = hasSkin ? skinMatrices(character.rig, globals) : globals;
  const auto rootPlace = [&] {
    const auto root = static_cast<std::size_t>(std::max(0, measures.root));
    return measures.root < 0 ? glm::dvec3(0.0) : glm::dvec3(sampler.globals()[root][3]);
  };
  const SeenFigure figure(character);
  LoopMeter meter(character, figure);
  LoopMeter heldMeter(character, figure);
  Pose first;
  Pose previous;
  Pose held;
  glm::dvec3 began(0.0);
  double lowest = std::numeric_limits<double>::infinity();
  double lowestSeconds = keys.front();
  // Poses nearer than this are one pose: exporters round.
  constexpr double kMovesMm = 0.05;
  Pose anchor;  // the last pose that was seen to differ from the one before
  double stillSince = keys.front();
  measures.motionFrom = measures.motionTo = keys.front();
  for (const double time : measures.moments) {
    if (job.stopRequested()) return measures;
    const std::span<const glm::dmat4> pose = poseAt(time);
    if (measures.fromStartMm.empty()) {
      first.assign(pose.begin(), pose.end());
      began = rootPlace();
    } else {
      measures.lastStepMm = poseDistanceMm(pose, previous, shell);
      measures.meanStepMm += measures.lastStepMm;
    }
    if (anchor.empty()) anchor.assign(pose.begin(), pose.end());
    // Slow motion adds up from the anchor on.
    if (poseDistanceMm(pose, anchor, shell) > kMovesMm) {
      if (measures.motionTo == measures.motionFrom) measures.motionFrom = stillSince;
      measures.motionTo = time;
      anchor.assign(pose.begin(), pose.end());
    } else if (measures.motionTo == measures.motionFrom) {
      stillSince = time;
    }
    if (const double low = lowestPivot(pose, shell); low < lowest) {
      lowest = low;
      lowestSeconds = time;
    }
    measures.fromStartMm.push_back(poseDistanceMm(pose, first, shell));
    measures.fromFirstMm = std::max(measures.fromFirstMm, measures.fromStartMm.back());
    measures.fromRestMm = std::max(measures.fromRestMm, poseDistanceMm(pose, rest, shell));
    measures.fromBindMm = std::max(measures.fromBindMm, fromBindMm(pose, shell));
    previous.assign(pose.begin(), pose.end());
    held = previous;
    shift(held, began - rootPlace());
    FigurePose moment{previous, morphWeightsAt(character, clip, time)};
    meter.add(moment);
    moment.joints = held;
    heldMeter.add(moment);
    measures.aroundRootMm = std::max(measures.aroundRootMm, poseDistanceMm(held, first, shell));
  }
  const auto steps = static_cast<double>(std::max<std::size_t>(2, measures.moments.size()) - 1);
  measures.meanStepMm /= steps;
  const WeightChange weights = weightChangeOf(character, clip);
  measures.fromFirstMm = std::max(measures.fromFirstMm, kMorphMm * weights.fromFirst);
  measures.fromRestMm = std::max(measures.fromRestMm, kMorphMm * weights.fromRest);
  measures.fromBindMm = std::max(measures.fromBindMm, kMorphMm * weights.fromRest);
  measures.drift = rootPlace() - began;
  for (std::size_t i = 0; i < kLookMoments; ++i) {
    const double share = static_cast<double>(i) / (kLookMoments - 1);
    const double time = keys.front() + share * (keys.back() - keys.front());
    addLook(poseAt(time), shell, measures.look);
    for (std::size_t mesh = 0; mesh < character.meshes.size(); ++mesh) {
      if (character.meshes[mesh].morphTargets.empty()) continue;
      for (const float weight : sampleMorphWeights(character, clip, static_cast<int>(mesh), time)) {
        measures.look.emplace_back(weight, 0.0f, 0.0f);
      }
    }
  }
  if (hasSkin) {
    constexpr double kStandsShare = 0.02;  // of the figure's height
    const Bounds bounds = bindBounds(character);
    const double height = bounds.high.y - bounds.low.y;
    const double below = -1000.0 * lowestSole(character, bounds, poseAt(lowestSeconds));
    if (std::abs(bounds.low.y) <= kStandsShare * height && below > 0.0) {
      measures.belowGroundMm = below;
      measures.belowGroundSeconds = lowestSeconds;
    }
  }
  const double limit = driftLimit(character);
  measures.drifts =
      std::hypot(measures.drift.x, measures.drift.z) > limit || std::abs(measures.drift.y) > limit;
  if (measures.moments.size() < 2) return measures;
  const std::span<const double> times(measures.moments);
  measures.seam = named(character, meter.figures(times));
  if (measures.drifts) measures.seamInPlace = named(character, heldMeter.figures(times));
  constexpr std::size_t kFewestMoments = 8;
  if (times.size() < kFewestMoments) return measures;
  const auto momentAt = [&](std::size_t k) {
    const std::span<const glm::dmat4> pose = poseAt(times[k]);
    return FigurePose{{pose.begin(), pose.end()}, morphWeightsAt(character, clip, times[k])};
  };
  const FigurePose start = momentAt(0);
  double nearestMm = std::numeric_limits<double>::infinity();
  for (std::size_t k = times.size() * 2 / 3; k + 1 < times.size(); ++k) {
    const double mm = seenDistanceMm(figure, momentAt(k), start);
    if (mm >= nearestMm) continue;
    nearestMm = mm;
    measures.nearestEnd = k;
  }
  const FigurePose end = momentAt(measures.nearestEnd);
  measures.nearestSeam =
      named(character, meter.figures(times.first(measures.nearestEnd + 1), &end));
  return measures;
}

ScaleKeys scaleKeysOf(const Rig& rig, const Clip& clip) {
  // Files store floats, and exporters divide matrices to get scales.
  constexpr double kFloatNoise = 1e-5;
  ScaleKeys keys;
  for (const JointTracks& tracks : clip.jointTracks) {
    const glm::dvec3 rest = rig.joints[static_cast<std::size_t>(tracks.joint)].rest.scale;
    double largest = 0.0;
    for (const double time : tracks.scale.times) {
      const glm::dvec3 scale = sampleTrack(tracks.scale, time);
      for (int axis = 0; axis < 3; ++axis) {
        const double size = std::max(std::abs(rest[axis]), 1e-9);
        largest = std::max(largest, std::abs(scale[axis] - rest[axis]) / size);
      }
    }
    if (largest > kFloatNoise) ++keys.joints;
    keys.largestShare = std::max(keys.largestShare, largest);
  }
  return keys;
}

RotationFlip rotationFlipOf(const Clip& clip) {
  constexpr double kMostSeconds = 0.06;  // of a flip: two frames of 30 a second, nearly
  constexpr double kLeastDegrees = 170.0;
  constexpr double kReturns = 0.25;         // the share of the way by which the ends may differ
  constexpr double kFasterThanUsual = 8.0;  // a rotor turns so all the time
  RotationFlip flip;
  for (const JointTracks& tracks : clip.jointTracks) {
    const Track<glm::quat>& track = tracks.rotation;
    if (track.times.size() < 4 || track.interpolation != Interpolation::Linear) continue;
    std::vector<double> turned = {0.0};  // degrees, since the first key
    for (std::size_t key = 1; key < track.times.size(); ++key) {
      turned.push_back(turned.back() +
                       glm::degrees(distanceOf(track.values[key - 1], track.values[key])));
    }
    const double seconds = track.times.back() - track.times.front();
    for (std::size_t from = 0, to = 0; from < track.times.size(); ++from) {
      while (to + 1 < track.times.size() &&
             track.times[to + 1] - track.times[from] < kMostSeconds) {
        ++to;
      }
      for (std::size_t end = from + 2; end <= to; ++end) {
        const double way = turned[end] - turned[from];
        if (way < kLeastDegrees || way <= flip.degrees) continue;
        const double apart = glm::degrees(distanceOf(track.values[from], track.values[end]));
        const double length = track.times[end] - track.times[from];
        const double usual = (turned.back() - way) / std::max(seconds - length, 1e-9);
        if (apart > kReturns * way || way / length < kFasterThanUsual * usual) continue;
        flip = {tracks.joint, way, track.times[from], length};
      }
    }
  }
  return flip;
}

NearKeys nearKeysOf(const Clip& clip) {
  NearKeys near;
  for (const JointTracks& tracks : clip.jointTracks) {
    addNearKeys(tracks.translation, near);
    addNearKeys(tracks.rotation, near);
    addNearKeys(tracks.scale, near);
  }
  for (const MorphTrack& track : clip.morphTracks) addNearKeys(track.weight, near);
  return near;
}

}  // namespace ck
