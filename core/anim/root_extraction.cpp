#include "core/anim/root_extraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"

namespace ck {
namespace {

constexpr double kTravelMeters = 1e-4;

// For each joint, the number of skin joints at or below it. Counts joints if the rig has no skin.
std::vector<int> followers(const Rig& rig) {
  std::vector<int> count(rig.joints.size(), rig.skinJoints.empty() ? 1 : 0);
  for (const SkinJoint& skinJoint : rig.skinJoints) {
    if (!skinJoint.isSocket) ++count[static_cast<std::size_t>(skinJoint.joint)];
  }
  for (std::size_t j = rig.joints.size(); j-- > 0;) {
    const int parent = rig.joints[j].parent;
    if (parent >= 0) count[static_cast<std::size_t>(parent)] += count[j];
  }
  return count;
}

// From a joint's translation to model space, with all joints above at their pose of the clip's
// start.
glm::dmat3 translationToModel(const Rig& rig, const Clip& clip, int joint) {
  const std::vector<glm::dmat4> globals =
      globalMatrices(rig, sampleClip(rig, clip, clip.startSeconds));
  const Joint& own = rig.joints[static_cast<std::size_t>(joint)];
  const glm::dmat4 parent =
      own.parent < 0 ? glm::dmat4(1.0) : globals[static_cast<std::size_t>(own.parent)];
  return glm::dmat3(parent * own.preTransform);
}

glm::dvec3 sideways(const glm::dvec3& v) {
  return {v.x, 0.0, v.z};
}

glm::dvec3 inAxes(const RootEdit& edit, const glm::dvec3& v) {
  return {edit.x ? v.x : 0.0, edit.y ? v.y : 0.0, edit.z ? v.z : 0.0};
}

double largestTravel(const Rig& rig, const Clip& clip, const JointTracks& tracks) {
  if (tracks.translation.times.size() < 2) return 0.0;
  const glm::dmat3 toModel = translationToModel(rig, clip, tracks.joint);
  const glm::dvec3 first = sampleTrack(tracks.translation, clip.startSeconds);
  double farthest = 0.0;
  for (const double time : tracks.translation.times) {
    const glm::dvec3 moved = toModel * (sampleTrack(tracks.translation, time) - first);
    farthest = std::max(farthest, glm::length(sideways(moved)));
  }
  return farthest;
}

template <class Track>
bool steps(const Track& track) {
  const auto other = [&](const auto& value) { return value != track.values.front(); };
  return track.interpolation == Interpolation::Step && !track.empty() &&
         std::ranges::any_of(track.values, other);
}

const JointTracks* tracksOf(const Clip& clip, int joint) {
  const auto found = std::ranges::find(clip.jointTracks, joint, &JointTracks::joint);
  return found == clip.jointTracks.end() ? nullptr : &*found;
}

// The joint of the edit, else travellingJoint(). -1 if there is none.
Result<int> rootOf(const Rig& rig, const RootEdit& edit, const Clip& clip) {
  if (edit.joint.empty()) return travellingJoint(rig, clip);
  const auto joint = findJoint(rig, edit.joint);
  if (joint) return *joint;
  return fail(ErrorCode::InvalidInput,
              fmt::format("clip '{}' cannot take its way from joint '{}', because the rig has no "
                          "joint of that name; name another one, or none, to have it found",
                          clip.name, edit.joint));
}

// The topmost joint that turns, for clips that turn on the spot.
int turningJoint(const Rig& rig, const Clip& clip) {
  const std::vector<int> count = followers(rig);
  int best = -1;
  for (const JointTracks& tracks : clip.jointTracks) {
    const int most = best < 0 ? 0 : count[static_cast<std::size_t>(best)];
    const int own = count[static_cast<std::size_t>(tracks.joint)];
    if (tracks.rotation.times.size() < 2 || own < most) continue;
    if (own > most || best < 0 || tracks.joint < best) best = tracks.joint;
  }
  return best;
}

// Samples the way of one clip before it is taken out.
class Extraction {
 public:
  Extraction(const Rig& rig, const RootEdit& edit, const Clip& clip, int root)
      : rig_(rig), edit_(edit), clip_(clip), root_(root) {
    const std::vector<int> count = followers(rig);
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      if (rig.joints[j].parent < 0 && count[j] > 0) tops_.push_back(static_cast<int>(j));
    }
    for (int j = root; j >= 0; j = rig.joints[static_cast<std::size_t>(j)].parent) {
      if (std::ranges::find(tops_, j) == tops_.end()) path_.push_back(j);
    }
    start_ = globalAt(root, clip.startSeconds);
  }

  Result<void> check() const {
    for (const int joint : path_) {
      if (auto ok = checkKeys(joint); !ok) return ok;
    }
    for (const int joint : tops_) {
      if (auto ok = checkKeys(joint); !ok) return ok;
      if (!canMove(rig_.joints[static_cast<std::size_t>(joint)].preTransform)) {
        return fail(ErrorCode::InvalidInput,
                    fmt::format("clip '{}' cannot give its way away, because a node above joint "
                                "'{}' stretches or shears; leave the turn (yaw) in, or strip it",
                                clip_.name, name(joint)));
      }
    }
    return {};
  }

  // Times of the way that keep what is left close to the source.
  std::vector<double> times() const {
    std::vector<double> times = ownTimes();
    if (isClose(times)) return times;
    times = allTimes();
    constexpr int kMostParts = 16;
    // As finely as splines are baked.
    constexpr double kShortestSeconds = 1.0 / 120.0;
    const double mean = clip_.durationSeconds / static_cast<double>(times.size());
    std::vector<double> parted = times;
    for (int parts = 2; parts <= kMostParts && mean / parts > 0.9 * kShortestSeconds; parts *= 2) {
      if (isClose(parted)) break;
      parted.clear();
      for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        for (int part = 0; part < parts; ++part) {
          parted.push_back(times[i] + (times[i + 1] - times[i]) * part / parts);
        }
      }
      parted.push_back(times.back());
    }
    return parted;
  }

  RootWay way(const std::vector<double>& times) const {
    RootWay way;
    double yaw = 0.0;
    for (const double time : times) {
      way.times.push_back(time);
      way.places.push_back(placeNow(globalAt(root_, time), yaw));
      yaw = way.places.back().yaw;
    }
    return way;
  }

  // The tracks of the topmost joints, without the way.
  void leaveOut(const RootWay& way, Clip& clip) const {
    for (const int joint : tops_) {
      JointTracks left = remaining(joint, way);
      const auto found = std::ranges::find(clip.jointTracks, joint, &JointTracks::joint);
      if (found == clip.jointTracks.end()) {
        clip.jointTracks.push_back(std::move(left));
        continue;
      }
      found->translation = std::move(left.translation);
      if (edit_.yaw) found->rotation = std::move(left.rotation);
    }
  }

 private:
  const std::string& name(int joint) const {
    return rig_.joints[static_cast<std::size_t>(joint)].name;
  }

  Result<void> checkKeys(int joint) const {
    const JointTracks* tracks = tracksOf(clip_, joint);
    if (tracks == nullptr || (!steps(tracks->translation) && !steps(tracks->rotation))) return {};
    return fail(ErrorCode::InvalidInput,
                fmt::format("clip '{}' cannot give its way away, because step keys make joint "
                            "'{}' jump; keep or strip it",
                            clip_.name, name(joint)));
  }

  // Whether a movement over the ground stays a turn and a shift below this transform.
  bool canMove(const glm::dmat4& pre) const {
    constexpr double kSame = 1e-6;
    const glm::dmat3 square = glm::transpose(glm::dmat3(pre)) * glm::dmat3(pre);
    const double size = (square[0][0] + square[1][1] + square[2][2]) / 3.0;
    if (!(size > 1e-30)) return false;
    if (!edit_.yaw) return std::abs(glm::determinant(glm::dmat3(pre))) > 1e-40;
    for (int c = 0; c < 3; ++c) {
      for (int r = 0; r < 3; ++r) {
        if (std::abs(square[c][r] - (c == r ? size : 0.0)) > kSame * size) return false;
      }
    }
    return true;
  }

  // The local transform of a joint.
  Trs localAt(int joint, double seconds) const {
    Trs local = rig_.joints[static_cast<std::size_t>(joint)].rest;
    const JointTracks* tracks = tracksOf(clip_, joint);
    if (tracks == nullptr) return local;
    if (!tracks->translation.empty()) local.translation = sampleTrack(tracks->translation, seconds);
    if (!tracks->rotation.empty()) local.rotation = sampleTrack(tracks->rotation, seconds);
    if (!tracks->scale.empty()) local.scale = sampleTrack(tracks->scale, seconds);
    return local;
  }

  glm::dmat4 globalAt(int joint, double seconds) const {
    glm::dmat4 global(1.0);
    for (int j = joint; j >= 0; j = rig_.joints[static_cast<std::size_t>(j)].parent) {
      global = rig_.joints[static_cast<std::size_t>(j)].preTransform *
               toMatrix(localAt(j, seconds)) * global;
    }
    return global;
  }

  // `yawBefore` is that of a time just before, which says how many turns have passed.
  GroundMotion placeNow(const glm::dmat4& global, double yawBefore) const {
    GroundMotion place;
    if (edit_.yaw) {
      const glm::dquat turn =
          rotationOf(glm::dmat3(global)) * glm::conjugate(rotationOf(glm::dmat3(start_)));
      // Upside down there is no twist.
      constexpr double kTiny = 1e-9;
      place.yaw = yawBefore;
      if (std::hypot(turn.y, turn.w) > kTiny) {
        constexpr double kTurn = glm::two_pi<double>();
        const double yaw = 2.0 * std::atan2(turn.y, turn.w);
        place.yaw = yaw + kTurn * std::round((yawBefore - yaw) / kTurn);
      }
    }
    const glm::dmat4 turned = toMatrix(place);
    place.position =
        inAxes(edit_, glm::dvec3(global[3]) - transformPoint(turned, glm::dvec3(start_[3])));
    return place;
  }

  // The keys of the joints that make the way, and both ends.
  std::vector<double> ownTimes() const {
    Clip own;
    for (const std::vector<int>* joints : {&path_, &tops_}) {
      for (const int joint : *joints) {
        if (const JointTracks* tracks = tracksOf(clip_, joint)) own.jointTracks.push_back(*tracks);
      }
    }
    return within(keyTimes(own));
  }
  std::vector<double> allTimes() const { return within(keyTimes(clip_)); }

  std::vector<double> within(const std::vector<double>& keys) const {
    constexpr double kSameSeconds = 1e-9;
    const double start = clip_.startSeconds;
    const double end = start + clip_.durationSeconds;
    std::vector<double> times = {start};
    for (const double key : keys) {
      if (key > start + kSameSeconds && key < end - kSameSeconds) times.push_back(key);
    }
    if (end > start) times.push_back(end);
    return times;
  }

  JointTracks remaining(int joint, const RootWay& way) const {
    const glm::dmat4& pre = rig_.joints[static_cast<std::size_t>(joint)].preTransform;
    const glm::dmat4 fromModel = affineInverse(pre);
    JointTracks left;
    left.joint = joint;
    left.translation.times = way.times;
    if (edit_.yaw) left.rotation.times = way.times;
    glm::dquat before(1.0, 0.0, 0.0, 0.0);
    for (std::size_t i = 0; i < way.times.size(); ++i) {
      const Trs local = localAt(joint, way.times[i]);
      const glm::dmat4 back = fromModel * toMatrix(inverse(way.places[i])) * pre;
      left.translation.values.emplace_back(transformPoint(back, local.translation));
      if (!edit_.yaw) continue;
      glm::dquat rotation = glm::normalize(rotationOf(glm::dmat3(back)) * local.rotation);
      if (i == 0 ? glm::dot(rotation, local.rotation) < 0.0 : glm::dot(rotation, before) < 0.0) {
        rotation = -rotation;
      }
      before = rotation;
      left.rotation.values.emplace_back(rotation);
    }
    return left;
  }

  // Whether the way and what is left make up the source between their keys, too.
  bool isClose(const std::vector<double>& times) const {
    constexpr double kMostMeters = 0.0005;
    const RootWay way = this->way(times);
    Clip left = clip_;
    leaveOut(way, left);
    const Extraction after(rig_, edit_, left, root_);
    std::vector<int> joints = tops_;
    joints.push_back(root_);
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
      for (const double share : {0.25, 0.5, 0.75}) {
        const double time = times[i] + share * (times[i + 1] - times[i]);
        const glm::dmat4 place = toMatrix(placeAt(way, time));
        for (const int joint : joints) {
          const glm::dmat4 source = globalAt(joint, time);
          const glm::dmat4 moved = place * after.globalAt(joint, time) * affineInverse(source);
          for (int axis = 0; axis < 4; ++axis) {
            glm::dvec3 point(source[3]);
            if (axis < 3) point[axis] += 1.0;
            if (glm::distance(transformPoint(moved, point), point) > kMostMeters) return false;
          }
        }
      }
    }
    return true;
  }

  const Rig& rig_;
  const RootEdit& edit_;
  const Clip& clip_;
  int root_;
  std::vector<int> tops_;  // joints without a parent that move a vertex
  std::vector<int> path_;  // the root and the joints above it, without the topmost
  glm::dmat4 start_{1.0};  // of the root
};

}  // namespace

int travellingJoint(const Rig& rig, const Clip& clip) {
  const std::vector<int> count = followers(rig);
  int best = -1;
  for (const JointTracks& tracks : clip.jointTracks) {
    const auto joint = static_cast<std::size_t>(tracks.joint);
    const bool better =
        best < 0 || count[joint] > count[static_cast<std::size_t>(best)] ||
        (count[joint] == count[static_cast<std::size_t>(best)] && tracks.joint < best);
    if (better && largestTravel(rig, clip, tracks) > kTravelMeters) best = tracks.joint;
  }
  return best;
}

Result<void> stripRoot(const Rig& rig, const RootEdit& edit, Clip& clip) {
  const auto joint = rootOf(rig, edit, clip);
  if (!joint) return tl::unexpected(joint.error());
  const auto tracks = std::ranges::find(clip.jointTracks, *joint, &JointTracks::joint);
  if (tracks == clip.jointTracks.end() || tracks->translation.empty()) return {};
  Track<glm::vec3>& track = tracks->translation;
  const glm::dmat3 toModel = translationToModel(rig, clip, *joint);
  if (std::abs(glm::determinant(toModel)) < 1e-18) return {};
  const glm::dmat3 fromModel = glm::inverse(toModel);
  const glm::dvec3 first = sampleTrack(track, clip.startSeconds);
  const glm::dvec3 last = sampleTrack(track, clip.startSeconds + clip.durationSeconds);
  const auto upright = [&](const glm::dvec3& v) {
    return v - fromModel * inAxes(edit, toModel * v);
  };
  const bool cubic = track.interpolation == Interpolation::Cubic;
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    const bool isSlope = cubic && i % 3 != 1;
    const glm::dvec3 value(track.values[i]);
    track.values[i] = glm::vec3(isSlope ? upright(value) : first + upright(value - first));
  }
  if (edit.z && clip.groundSpeedMetersPerSecond == 0.0 && clip.durationSeconds > 0.0) {
    clip.groundSpeedMetersPerSecond = (toModel * (last - first)).z / clip.durationSeconds;
  }
  return {};
}

Result<RootWay> extractRoot(const Rig& rig, const RootEdit& edit, Clip& clip) {
  auto root = rootOf(rig, edit, clip);
  if (!root) return tl::unexpected(root.error());
  if (*root < 0) root = turningJoint(rig, clip);
  if (*root < 0) return RootWay{{clip.startSeconds}, {GroundMotion{}}};
  const Clip source = clip;
  const Extraction extraction(rig, edit, source, *root);
  if (auto ok = extraction.check(); !ok) return tl::unexpected(ok.error());
  RootWay way = extraction.way(extraction.times());
  extraction.leaveOut(way, clip);
  if (clip.groundSpeedMetersPerSecond == 0.0 && clip.durationSeconds > 0.0) {
    clip.groundSpeedMetersPerSecond = way.places.back().position.z / clip.durationSeconds;
  }
  return way;
}

}  // namespace ck
