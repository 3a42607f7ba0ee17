#include "core/import/clip_fitting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/humanoid_names.h"

namespace ck {
namespace {

const glm::dquat kNoTurn(1.0, 0.0, 0.0, 0.0);

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

double sizeOf(const glm::dmat4& m) {
  return std::cbrt(std::abs(glm::determinant(glm::dmat3(m))));
}

double degreesBetween(const glm::dquat& a, const glm::dquat& b) {
  return glm::degrees(2.0 * std::acos(std::min(1.0, std::abs(glm::dot(a, b)))));
}

double degreesBetween(const glm::dvec3& a, const glm::dvec3& b) {
  return glm::degrees(std::acos(std::clamp(glm::dot(a, b), -1.0, 1.0)));
}

// The shortest rotation from one direction to another.
glm::dquat turnBetween(const glm::dvec3& from, const glm::dvec3& to) {
  const double cosine = glm::dot(from, to);
  if (cosine < -0.999999) {
    const glm::dvec3 side = std::abs(from.x) < 0.9 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
    return glm::angleAxis(glm::radians(180.0), glm::normalize(glm::cross(from, side)));
  }
  return glm::normalize(glm::dquat(1.0 + cosine, glm::cross(from, to)));
}

// The rest transform of everything above a joint.
glm::dmat4 frameOf(const Rig& rig, const std::vector<glm::dmat4>& globals, std::size_t joint) {
  const int parent = rig.joints[joint].parent;
  const glm::dmat4& pre = rig.joints[joint].preTransform;
  return parent < 0 ? pre : globals[at(parent)] * pre;
}

// Global rotations from local ones.
std::vector<glm::dquat> globalTurns(const Rig& rig, std::span<const Trs> locals) {
  std::vector<glm::dquat> turns(rig.joints.size(), kNoTurn);
  for (std::size_t j = 0; j < turns.size(); ++j) {
    const Joint& joint = rig.joints[j];
    const glm::dquat local =
        rotationOf(glm::dmat3(joint.preTransform)) * glm::normalize(locals[j].rotation);
    turns[j] = glm::normalize(joint.parent < 0 ? local : turns[at(joint.parent)] * local);
  }
  return turns;
}

// The rotation of everything above a joint, relative to the joint `above` (-1: model space).
glm::dquat frameTurn(const Rig& rig, const std::vector<glm::dquat>& turns, std::size_t joint,
                     int above) {
  const int parent = rig.joints[joint].parent;
  const glm::dquat pre = rotationOf(glm::dmat3(rig.joints[joint].preTransform));
  const glm::dquat frame = parent < 0 ? pre : turns[at(parent)] * pre;
  return above < 0 ? frame : glm::conjugate(turns[at(above)]) * frame;
}

bool nearlyIdentity(const glm::dmat4& m, double reach) {
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 3; ++r) {
      const double wanted = c == r ? 1.0 : 0.0;
      if (std::abs(m[c][r] - wanted) > 1e-4 * (c < 3 ? 1.0 : reach)) return false;
    }
  }
  return true;
}

bool holdsStill(const Track<glm::vec3>& track) {
  double reach = 0.0;
  double moved = 0.0;
  for (const glm::vec3& value : track.values) {
    reach = std::max(reach, glm::length(glm::dvec3(value)));
    moved = std::max(moved, glm::distance(glm::dvec3(value), glm::dvec3(track.values.front())));
  }
  return track.interpolation != Interpolation::Cubic && moved <= 1e-4 * reach;
}

const JointTracks* tracksOf(const Clip& clip, int joint) {
  const auto found = std::ranges::find(clip.jointTracks, joint, &JointTracks::joint);
  return found == clip.jointTracks.end() ? nullptr : &*found;
}

// Whether the keys of a joint put it anywhere but at its rest.
bool leavesRest(const JointTracks& tracks, const Trs& rest) {
  const auto differs = [](const auto& track, const auto& still, double reach) {
    return std::ranges::any_of(track.values, [&](const auto& value) {
      const auto apart = std::remove_cvref_t<decltype(still)>(value) - still;
      return glm::length(apart) > 1e-4 * reach;
    });
  };
  const double reach = std::max(1e-6, glm::length(rest.translation));
  const bool turns = std::ranges::any_of(tracks.rotation.values, [&rest](const glm::quat& value) {
    return degreesBetween(glm::dquat(value), rest.rotation) > 0.02;
  });
  return turns || differs(tracks.translation, rest.translation, reach) ||
         differs(tracks.scale, rest.scale, 1.0);
}

template <class Value>
Track<Value> trackOf(const std::vector<double>& times, std::vector<Value> values) {
  Track<Value> track;
  track.times = times;
  track.values = std::move(values);
  return track;
}

}  // namespace

ClipFitting::ClipFitting(const Rig& rig, const Rig& from, const std::vector<int>& matches,
                         const ClipFit& choice)
    : rig_(rig), from_(from), matches_(matches) {
  rigRest_ = restMatrices(rig_);
  fromRest_ = restMatrices(from_);
  const auto restLocals = [](const Rig& each) { return sampleClip(each, {}, 0.0); };
  rigTurns_ = globalTurns(rig_, restLocals(rig_));
  fromTurns_ = globalTurns(from_, restLocals(from_));
  fileJoint_.assign(rig_.joints.size(), -1);
  for (std::size_t j = 0; j < matches_.size(); ++j) {
    if (matches_[j] >= 0) fileJoint_[at(matches_[j])] = static_cast<int>(j);
  }
  links_.resize(matches_.size());
  for (std::size_t j = 0; j < matches_.size(); ++j) {
    if (matches_[j] >= 0) link(j);
  }
  measureRests();
  measureProportions();
  const bool otherAxes = restsInOtherAxes();
  offset_ = choice.rest == RestFit::ApplyOffset || (choice.rest == RestFit::Auto && otherAxes);
  if (offset_) {
    ways_ = legRatio();
    alignLimbs();
  }
  // A unit that was chosen decides how far the figure goes.
  if (choice.metersPerUnit > 0.0) ways_ = proportions = 1.0;
}

void ClipFitting::link(std::size_t joint) {
  Link& link = links_[joint];
  link.joint = matches_[joint];
  int above = rig_.joints[at(link.joint)].parent;
  while (above >= 0 && fileJoint_[at(above)] < 0) above = rig_.joints[at(above)].parent;
  link.above = above < 0 ? -1 : fileJoint_[at(above)];
  int file = from_.joints[joint].parent;
  for (; file >= 0 && file != link.above; file = from_.joints[at(file)].parent) {
    link.between.push_back(file);
  }
  link.isCrossed = file != link.above;
  linkKept(link, joint);
}

void ClipFitting::linkKept(Link& link, std::size_t joint) {
  const glm::dmat4 there = frameOf(from_, fromRest_, joint);
  const glm::dmat4 here = frameOf(rig_, rigRest_, at(link.joint));
  bool singular = false;
  const glm::dmat4 change = affineInverse(here, &singular) * there;
  const double ratio = sizeOf(change);
  if (singular || !(ratio > 1e-9 && ratio < 1e9)) return;
  link.stretch = ratio;
  if (std::abs(ratio - 1.0) > 1e-4) link.length = ratio;
  if (link.above >= 0) return;
  const bool isFirst = std::ranges::none_of(links_, [&link](const Link& other) {
    return &other < &link && other.joint >= 0 && other.above < 0;
  });
  if (isFirst) unitRatio = link.length;
  const glm::dmat4 without = change * toMatrix({.scale = glm::dvec3(1.0 / ratio)});
  const double reach =
      glm::length(from_.joints[joint].rest.translation) * ratio + 1e-3 * glm::length(change[3]);
  if (!nearlyIdentity(without, reach + 1e-6)) {
    link.moved = turned = true;
    link.change = change;
  }
}

std::vector<char> ClipFitting::usedJoints() const {
  std::vector<char> used(links_.size(), 0);
  for (std::size_t j = 0; j < links_.size(); ++j) {
    if (links_[j].joint < 0) continue;
    used[j] = 1;
    for (const int joint : links_[j].between) used[at(joint)] = 1;
  }
  return used;
}

void ClipFitting::measureRests() {
  restDegrees_.assign(links_.size(), 0.0);
  for (std::size_t j = 0; j < links_.size(); ++j) {
    if (links_[j].joint < 0) continue;
    const auto joint = at(links_[j].joint);
    restDegrees_[j] = degreesBetween(fromTurns_[j], rigTurns_[joint]);
    if (links_[j].above < 0) continue;
    // Local rotations decide whether keys that are used as they are bend the figure.
    const Joint& a = from_.joints[j];
    const Joint& b = rig_.joints[joint];
    const double local = degreesBetween(rotationOf(glm::dmat3(a.preTransform)) * a.rest.rotation,
                                        rotationOf(glm::dmat3(b.preTransform)) * b.rest.rotation);
    restsTurned += local > kTurnedDegrees ? 1 : 0;
  }
}

// The rotation of the file's topmost joint against the rig's.
glm::dquat ClipFitting::commonTurn() const {
  for (std::size_t j = 0; j < links_.size(); ++j) {
    if (links_[j].joint < 0 || links_[j].above >= 0) continue;
    return fromTurns_[j] * glm::conjugate(rigTurns_[at(links_[j].joint)]);
  }
  return kNoTurn;
}

// Two files of one skeleton may rest in different poses: then their bones point elsewhere in the
// model, but lie alike in the joints' own axes, and keys mean the same in both. If the bones have
// the same lengths as well, it is one skeleton whatever the poses are. Else the axes differ if
// the bones agree better in the model, or if joints are rotated about bones that agree in both.
// In the model the figures may face different directions.
bool ClipFitting::restsInOtherAxes() {
  constexpr double kAlikeDegrees = 3.0;
  constexpr double kAlikeShare = 0.03;
  struct InModel {
    glm::dquat turn;  // of the file's figure against the rig's
    double apart = 0.0;
    double twisted = 0.0;
  };
  std::array<InModel, 2> models = {InModel{kNoTurn}, InModel{commonTurn()}};
  double inJoints = 0.0;
  std::vector<std::pair<double, double>> bones;  // degrees apart in the joints, ratio of lengths
  for (std::size_t c = 0; c < links_.size(); ++c) {
    const int file = links_[c].joint < 0 || links_[c].isCrossed ? -1 : links_[c].above;
    if (file < 0) continue;
    const std::size_t joint = at(links_[at(file)].joint);
    const glm::dvec3 theirs(fromRest_[c][3] - fromRest_[at(file)][3]);
    const glm::dvec3 ours(rigRest_[at(links_[c].joint)][3] - rigRest_[joint][3]);
    const double length = std::min(glm::length(theirs), glm::length(ours));
    if (!(length > 1e-3 * std::max(glm::length(theirs), glm::length(ours)))) continue;
    const glm::dvec3 a = glm::normalize(theirs);
    const glm::dvec3 b = glm::normalize(ours);
    const double inJoint = degreesBetween(glm::conjugate(fromTurns_[at(file)]) * a,
                                          glm::conjugate(rigTurns_[joint]) * b);
    bones.emplace_back(inJoint, glm::length(theirs) / glm::length(ours));
    if (restDegrees_[at(file)] <= kTurnedDegrees) continue;
    inJoints += inJoint;
    for (InModel& model : models) {
      const double apart = degreesBetween(a, model.turn * b);
      const double turned = degreesBetween(fromTurns_[at(file)], model.turn * rigTurns_[joint]);
      model.apart += apart;
      if (turned > kTurnedDegrees && apart < 0.5 * turned) model.twisted += turned;
    }
  }
  if (bones.empty()) return false;
  std::ranges::nth_element(bones, bones.begin() + std::ssize(bones) / 2, {},
                           &std::pair<double, double>::second);
  const double usual = bones[bones.size() / 2].second;
  const auto alike = std::ranges::count_if(bones, [usual](const auto& bone) {
    return bone.first < kAlikeDegrees && std::abs(bone.second / usual - 1.0) < kAlikeShare;
  });
  oneSkeleton = 10 * alike >= 9 * std::ssize(bones);
  if (oneSkeleton) return false;
  const InModel& model = *std::ranges::min_element(
      models, {}, [](const InModel& each) { return std::pair(each.apart, each.twisted); });
  return inJoints + model.twisted > model.apart;
}

void ClipFitting::measureProportions() {
  double ours = 0.0;
  double theirs = 0.0;
  std::vector<std::pair<double, double>> bones;
  for (std::size_t j = 0; j < matches_.size(); ++j) {
    if (matches_[j] < 0) continue;
    const Joint& a = from_.joints[j];
    const Joint& b = rig_.joints[at(matches_[j])];
    // Compare only bones whose two ends are matched.
    if (a.parent < 0 || matches_[at(a.parent)] != b.parent) continue;
    const auto lengthOf = [](const Joint& joint) {
      return glm::length(transformPoint(joint.preTransform, joint.rest.translation));
    };
    const double length = lengthOf(a) * links_[j].length;
    bones.emplace_back(length, lengthOf(b));
    theirs += length;
    ours += bones.back().second;
  }
  if (bones.size() < 3 || !(theirs > 0.0 && ours > 0.0)) return;
  const double small = 1e-3 * ours;
  const auto other = std::count_if(bones.begin(), bones.end(), [small](const auto& bone) {
    return std::abs(bone.first - bone.second) > 0.05 * std::max(bone.first, bone.second) + small;
  });
  const auto longEnough = std::count_if(bones.begin(), bones.end(), [small](const auto& bone) {
    return std::max(bone.first, bone.second) > small;
  });
  otherProportions = 2 * other > longEnough;
  if (otherProportions) proportions = ours / theirs;
}

// How much longer the rig's legs are than the file's; else how much higher its top joint is, or
// how much longer its bones are.
double ClipFitting::legRatio() const {
  const std::vector<HumanoidPart> theirs = humanoidParts(from_);
  const std::vector<HumanoidPart> ours = humanoidParts(rig_);
  double legs[2] = {0.0, 0.0};
  double bones[2] = {0.0, 0.0};
  double lowest[2] = {std::numeric_limits<double>::infinity(), 0.0};
  lowest[1] = lowest[0];
  double top[2] = {0.0, 0.0};
  bool hasTop = false;
  for (std::size_t j = 0; j < links_.size(); ++j) {
    const Link& link = links_[j];
    if (link.joint < 0) continue;
    const glm::dvec3 places[2] = {glm::dvec3(fromRest_[j][3]),
                                  glm::dvec3(rigRest_[at(link.joint)][3])};
    const HumanoidBone bone = theirs[j] ? theirs[j].bone : ours[at(link.joint)].bone;
    const bool ofLeg = bone == HumanoidBone::LowerLeg || bone == HumanoidBone::Foot;
    for (int side = 0; side < 2; ++side) {
      lowest[side] = std::min(lowest[side], places[side].y);
      if (!hasTop && link.above < 0) top[side] = places[side].y;
      if (link.above < 0) continue;
      const glm::dvec3 above(side == 0 ? fromRest_[at(link.above)][3]
                                       : rigRest_[at(links_[at(link.above)].joint)][3]);
      const double length = glm::distance(above, places[side]);
      bones[side] += length;
      if (ofLeg) legs[side] += length;
    }
    hasTop = hasTop || link.above < 0;
  }
  const double heights[2] = {top[0] - lowest[0], top[1] - lowest[1]};
  for (const double* pair :
       {static_cast<const double*>(legs), heights, static_cast<const double*>(bones)}) {
    if (pair[0] > 1e-6 && pair[1] > 1e-6) return pair[1] / pair[0];
  }
  return 1.0;
}

void ClipFitting::alignLimbs() {
  aligned_.assign(rig_.joints.size(), kNoTurn);
  const std::vector<HumanoidPart> theirs = humanoidParts(from_);
  const std::vector<HumanoidPart> ours = humanoidParts(rig_);
  const auto partOf = [&](std::size_t joint) {
    const int file = fileJoint_[joint];
    return file >= 0 && theirs[at(file)] ? theirs[at(file)] : ours[joint];
  };
  const auto endOf = [](HumanoidBone bone) {
    switch (bone) {
      case HumanoidBone::UpperArm:
        return HumanoidBone::LowerArm;
      case HumanoidBone::LowerArm:
        return HumanoidBone::Hand;
      case HumanoidBone::UpperLeg:
        return HumanoidBone::LowerLeg;
      case HumanoidBone::LowerLeg:
        return HumanoidBone::Foot;
      default:
        return HumanoidBone::None;
    }
  };
  for (std::size_t joint = 0; joint < rig_.joints.size(); ++joint) {
    if (fileJoint_[joint] < 0) continue;
    const std::size_t file = at(fileJoint_[joint]);
    const HumanoidPart part = partOf(joint);
    const HumanoidBone end = endOf(part.bone);
    // A hand rests as the forearm does; feet stand on the ground in both files.
    const bool follows = part.bone == HumanoidBone::None || part.bone == HumanoidBone::Hand ||
                         part.bone >= HumanoidBone::Toes;
    if (follows && links_[file].above >= 0) {
      aligned_[joint] = aligned_[at(links_[at(links_[file].above)].joint)];
    }
    for (std::size_t next = 0; next < rig_.joints.size() && end != HumanoidBone::None; ++next) {
      if (fileJoint_[next] < 0 || partOf(next) != HumanoidPart{end, part.side}) continue;
      const glm::dvec3 a(fromRest_[at(fileJoint_[next])][3] - fromRest_[file][3]);
      const glm::dvec3 b(rigRest_[next][3] - rigRest_[joint][3]);
      if (!(glm::length(a) > 1e-6 && glm::length(b) > 1e-6)) continue;
      aligned_[joint] = turnBetween(glm::normalize(b), glm::normalize(a));
    }
  }
  for (std::size_t j = 0; j < links_.size(); ++j) {
    Link& link = links_[j];
    if (link.joint < 0) continue;
    const auto restTurn = [this](std::size_t file) {
      const std::size_t joint = at(links_[file].joint);
      return glm::conjugate(fromTurns_[file]) * aligned_[joint] * rigTurns_[joint];
    };
    link.toRest = restTurn(j);
    const int above = link.above < 0 ? -1 : links_[at(link.above)].joint;
    link.toRig = glm::conjugate(frameTurn(rig_, rigTurns_, at(link.joint), above));
    if (link.above >= 0) link.toRig = link.toRig * glm::conjugate(restTurn(at(link.above)));
  }
}

std::vector<char> ClipFitting::unmatchedMotion(const Clip& clip) const {
  std::vector<char> moves(from_.joints.size(), 0);
  for (const JointTracks& tracks : clip.jointTracks) {
    moves[at(tracks.joint)] = leavesRest(tracks, from_.joints[at(tracks.joint)].rest) ? 1 : 0;
  }
  return moves;
}

JointTracks ClipFitting::keptTracks(const Link& link, const JointTracks& tracks) const {
  JointTracks result = tracks;
  result.joint = link.joint;
  Track<glm::vec3>& places = result.translation;
  if (otherProportions && !places.empty() && holdsStill(places)) places = {};
  const bool cubic = places.interpolation == Interpolation::Cubic;
  for (std::size_t i = 0; i < places.values.size(); ++i) {
    const glm::dvec3 value(places.values[i]);
    glm::dvec3 fitted = value * link.length;
    if (link.moved) {
      const bool tangent = cubic && i % 3 != 1;
      fitted = tangent ? glm::dmat3(link.change) * value : transformPoint(link.change, value);
    }
    if (link.moved || link.length != 1.0 || otherProportions) {
      places.values[i] = glm::vec3(fitted * proportions);
    }
  }
  // Lengths are converted between the rest scales of both files, so the rig keeps its own.
  const auto& ours = rig_.joints[at(link.joint)].rest.scale;
  const auto& theirs = from_.joints[at(tracks.joint)].rest.scale;
  if (glm::distance(ours, theirs) > 1e-4 * glm::length(ours) && holdsStill(result.scale) &&
      !result.scale.empty() &&
      glm::distance(glm::dvec3(result.scale.values.front()), theirs) < 1e-4 * glm::length(theirs)) {
    result.scale = {};
  }
  if (!link.moved) return result;
  const glm::dquat turn = rotationOf(glm::dmat3(link.change));
  for (glm::quat& q : result.rotation.values) q = glm::quat(turn * glm::dquat(q));
  return result;
}

void ClipFitting::fitScale(const Link& link, std::size_t joint, JointTracks& tracks) {
  Track<glm::vec3>& scale = tracks.scale;
  if (scale.empty()) return;
  if (holdsStill(scale)) {
    scale = {};
    return;
  }
  const auto isEven = [](const glm::vec3& s) {
    const float size = std::max({std::abs(s.x), std::abs(s.y), std::abs(s.z)});
    return std::abs(s.x - s.y) <= 1e-3f * size && std::abs(s.x - s.z) <= 1e-3f * size;
  };
  if (!std::ranges::all_of(scale.values, isEven)) {
    scale = {};
    scalesDropped = true;
    return;
  }
  const glm::dvec3 factor = rig_.joints[at(link.joint)].rest.scale / from_.joints[joint].rest.scale;
  for (glm::vec3& value : scale.values) value = glm::vec3(glm::dvec3(value) * factor);
}

JointTracks ClipFitting::offsetTracks(const Link& link, std::size_t joint,
                                      const JointTracks& tracks, double startSeconds) {
  JointTracks result = tracks;
  result.joint = link.joint;
  const glm::dquat frame = link.toRig * frameTurn(from_, fromTurns_, joint, link.above);
  for (glm::quat& q : result.rotation.values) q = glm::quat(frame * glm::dquat(q) * link.toRest);
  const Joint& ours = rig_.joints[at(link.joint)];
  const glm::dquat still = frame * from_.joints[joint].rest.rotation * link.toRest;
  if (result.rotation.empty() && degreesBetween(still, ours.rest.rotation) > 0.01) {
    result.rotation = trackOf<glm::quat>({startSeconds}, {glm::quat(still)});
  }
  fitScale(link, joint, result);
  Track<glm::vec3>& places = result.translation;
  if (holdsStill(places) && (link.above >= 0 || places.empty())) {
    places = {};
    return result;
  }
  const bool cubic = places.interpolation == Interpolation::Cubic;
  glm::dmat3 linear = glm::mat3_cast(frame) * (ways_ * link.stretch);
  glm::dvec3 still3 = from_.joints[joint].rest.translation;
  glm::dvec3 start = ours.rest.translation;
  if (link.above < 0) {
    const glm::dmat3 here(frameOf(rig_, rigRest_, at(link.joint)));
    linear = glm::inverse(here) * glm::dmat3(frameOf(from_, fromRest_, joint)) * ways_;
  }
  for (std::size_t i = 0; i < places.values.size(); ++i) {
    const glm::dvec3 value(places.values[i]);
    const bool tangent = cubic && i % 3 != 1;
    places.values[i] = glm::vec3(tangent ? linear * value : start + linear * (value - still3));
  }
  return result;
}

std::vector<double> ClipFitting::momentsOf(const Clip& clip, const Link& link,
                                           std::size_t joint) const {
  constexpr double kLongestStep = 0.05;
  constexpr double kStep = 1.0 / 30.0;
  Clip involved;
  std::vector<char> takes(from_.joints.size(), link.isCrossed ? 1 : 0);
  takes[joint] = 1;
  for (const int between : link.between) takes[at(between)] = 1;
  for (const JointTracks& tracks : clip.jointTracks) {
    if (takes[at(tracks.joint)] != 0) involved.jointTracks.push_back(tracks);
  }
  std::vector<double> times;
  for (const double time : keyTimes(involved)) {
    const double before = times.empty() ? time : times.back();
    const int parts = time - before > kLongestStep
                          ? static_cast<int>(std::min(1e5, std::ceil((time - before) / kStep)))
                          : 1;
    for (int part = 1; part < parts; ++part) {
      times.push_back(before + (time - before) * part / parts);
    }
    times.push_back(time);
  }
  return times;
}

JointTracks ClipFitting::sampledTracks(const Link& link, std::size_t joint, const Clip& clip) {
  sampled.insert(link.joint);
  const std::vector<double> times = momentsOf(clip, link, joint);
  std::vector<glm::quat> turns;
  std::vector<glm::vec3> places;
  const Joint& ours = rig_.joints[at(link.joint)];
  const glm::dmat4 here = frameOf(rig_, rigRest_, at(link.joint));
  // The place of the joint in the space of the one above, or in the model.
  const auto placeIn = [&](const std::vector<glm::dmat4>& globals) {
    const glm::dvec3 place(globals[joint][3]);
    return link.above < 0 ? place : transformPoint(affineInverse(globals[at(link.above)]), place);
  };
  const glm::dvec3 atRest = placeIn(fromRest_);
  const glm::dquat restFrame = frameTurn(from_, fromTurns_, joint, link.above);
  const glm::dquat toFrame =
      link.above < 0 ? glm::conjugate(rotationOf(glm::dmat3(here))) : glm::conjugate(restFrame);
  constexpr double kShortest = 0.05;  // of the rig's bone
  double farthest = 0.0;
  for (const double time : times) {
    const std::vector<Trs> locals = sampleClip(from_, clip, time);
    const std::vector<glm::dmat4> globals = globalMatrices(from_, locals);
    const std::vector<glm::dquat> fileTurns = globalTurns(from_, locals);
    const glm::dquat there =
        frameTurn(from_, fileTurns, joint, link.above) * glm::normalize(locals[joint].rotation);
    turns.emplace_back(offset_ ? link.toRig * there * link.toRest : toFrame * there);
    const glm::dvec3 way = placeIn(globals) - atRest;
    farthest = std::max(farthest, glm::length(way));
    glm::dvec3 place(0.0);
    if (link.above < 0) {
      const glm::dvec3 start = offset_ ? glm::dvec3(rigRest_[at(link.joint)][3]) : atRest;
      place = transformPoint(affineInverse(here), start + way * (offset_ ? ways_ : 1.0));
      if (!offset_) place *= proportions;
    } else {
      const glm::dvec3 above(rigRest_[at(links_[at(link.above)].joint)][3]);
      const glm::dvec3 origin = transformPoint(affineInverse(here), above);
      const glm::dvec3 bone = ours.rest.translation - origin;
      const glm::dquat& toLocal = offset_ ? link.toRig : toFrame;
      const double size = sizeOf(fromRest_[at(link.above)]) / sizeOf(here);
      const double reach = glm::length(atRest);
      const double reached = glm::length(atRest + way);
      if (std::min(reach, reached) * size > kShortest * glm::length(bone)) {
        // The bone is rotated and stretched as the file's is, so that it keeps its own length.
        const glm::dquat turn = turnBetween(atRest / reach, (atRest + way) / reached);
        place = origin + toLocal * turn * glm::conjugate(toLocal) * bone * (reached / reach);
      } else {
        place = ours.rest.translation + toLocal * way * (size * (offset_ ? ways_ : proportions));
      }
    }
    places.emplace_back(place);
  }
  JointTracks result;
  result.joint = link.joint;
  result.rotation = trackOf(times, std::move(turns));
  if (farthest > 1e-4 * glm::length(atRest)) result.translation = trackOf(times, std::move(places));
  if (const JointTracks* own = tracksOf(clip, static_cast<int>(joint))) {
    result.scale = own->scale;
    if (offset_) fitScale(link, joint, result);
  }
  return result;
}

// Moves the top joint up or down, so that the lowest joint is as high over the ground as in the
// file, in the rig's size.
void ClipFitting::setOnGround(const Clip& source, Clip& fitted) const {
  constexpr int kMoments = 60;
  const Link* top = nullptr;
  for (const Link& link : links_) {
    if (link.joint < 0 || link.above >= 0) continue;
    if (top != nullptr) return;
    top = &link;
  }
  if (top == nullptr) return;
  const auto lowest = [this](const std::vector<glm::dmat4>& globals, bool ofRig) {
    double low = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < links_.size(); ++j) {
      if (links_[j].joint < 0) continue;
      low = std::min(low, globals[ofRig ? at(links_[j].joint) : j][3].y);
    }
    return low;
  };
  double ours = std::numeric_limits<double>::infinity();
  double theirs = ours;
  for (int i = 0; i <= kMoments; ++i) {
    const double time = source.startSeconds + source.durationSeconds * i / kMoments;
    theirs =
        std::min(theirs, lowest(globalMatrices(from_, sampleClip(from_, source, time)), false));
    ours = std::min(ours, lowest(globalMatrices(rig_, sampleClip(rig_, fitted, time)), true));
  }
  const double stand = lowest(rigRest_, true);
  const double height = rigRest_[at(top->joint)][3].y - stand;
  double clearance = ways_ * (theirs - lowest(fromRest_, false));
  // The file's rest does not stand where its motion goes.
  if (std::abs(clearance) > 0.5 * std::abs(height)) clearance = 0.0;
  const double lift = stand + clearance - ours;
  if (!(std::abs(lift) > 1e-3 * std::abs(height))) return;
  const glm::dmat3 here(frameOf(rig_, rigRest_, at(top->joint)));
  const glm::vec3 step(glm::inverse(here) * glm::dvec3(0.0, lift, 0.0));
  auto tracks = std::ranges::find(fitted.jointTracks, top->joint, &JointTracks::joint);
  if (tracks == fitted.jointTracks.end()) {
    tracks = fitted.jointTracks.emplace(tracks);
    tracks->joint = top->joint;
  }
  Track<glm::vec3>& places = tracks->translation;
  if (places.empty()) {
    const glm::vec3 rest(rig_.joints[at(top->joint)].rest.translation);
    places = trackOf<glm::vec3>({source.startSeconds}, {rest});
  }
  const bool cubic = places.interpolation == Interpolation::Cubic;
  for (std::size_t i = 0; i < places.values.size(); ++i) {
    if (!cubic || i % 3 == 1) places.values[i] += step;
  }
}

void ClipFitting::findTorn(const Clip& source, const Clip& fitted) {
  constexpr int kMoments = 20;
  constexpr double kTornShare = 0.05;
  constexpr double kShortest = 0.01;  // of the longest bone
  const auto length = [](const std::vector<glm::dmat4>& globals, int joint, int above) {
    return joint < 0 || above < 0 ? 0.0
                                  : glm::distance(glm::dvec3(globals[at(joint)][3]),
                                                  glm::dvec3(globals[at(above)][3]));
  };
  const std::vector<Joint>& joints = rig_.joints;
  double longest = 0.0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    longest = std::max(longest, length(rigRest_, static_cast<int>(j), joints[j].parent));
  }
  for (int i = 0; i <= kMoments; ++i) {
    const double time = source.startSeconds + source.durationSeconds * i / kMoments;
    const auto ours = globalMatrices(rig_, sampleClip(rig_, fitted, time));
    const auto theirs = globalMatrices(from_, sampleClip(from_, source, time));
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const int above = joints[j].parent;
      const double rest = length(rigRest_, static_cast<int>(j), above);
      const bool isFree = fileJoint_[j] < 0 || links_[at(fileJoint_[j])].above < 0;
      if (isFree || above < 0 || !(rest > kShortest * longest)) continue;
      const double inFile = length(fromRest_, fileJoint_[j], fileJoint_[at(above)]);
      const double wanted =
          inFile > 0.0 ? length(theirs, fileJoint_[j], fileJoint_[at(above)]) / inFile : 1.0;
      const double share = std::abs(length(ours, static_cast<int>(j), above) / rest - wanted);
      if (share <= kTornShare) continue;
      torn.insert(static_cast<int>(j));
      tornShare = std::max(tornShare, share);
    }
  }
}

Clip ClipFitting::fit(const Clip& clip) {
  Clip fitted = clip;
  fitted.jointTracks.clear();
  fitted.morphTracks.clear();
  const std::vector<char> moves = unmatchedMotion(clip);
  bool movesAny = false;
  for (std::size_t j = 0; j < links_.size(); ++j) {
    const Link& link = links_[j];
    if (link.joint < 0) continue;
    const JointTracks* own = tracksOf(clip, static_cast<int>(j));
    JointTracks none;
    none.joint = static_cast<int>(j);
    const JointTracks& tracks = own != nullptr ? *own : none;
    const bool isSampled =
        (offset_ && link.isCrossed) ||
        std::ranges::any_of(link.between, [&](int joint) { return moves[at(joint)] != 0; });
    movesAny = movesAny || own != nullptr || isSampled;
    JointTracks result = isSampled ? sampledTracks(link, j, clip)
                         : offset_ ? offsetTracks(link, j, tracks, clip.startSeconds)
                                   : keptTracks(link, tracks);
    if (result.translation.empty() && result.rotation.empty() && result.scale.empty()) continue;
    fitted.jointTracks.push_back(std::move(result));
  }
  if (!movesAny) fitted.jointTracks.clear();
  if (offset_ && movesAny) setOnGround(clip, fitted);
  std::ranges::sort(fitted.jointTracks, {}, &JointTracks::joint);
  if (movesAny) findTorn(clip, fitted);
  fitted.groundSpeedMetersPerSecond *= offset_ ? ways_ : proportions;
  return fitted;
}

}  // namespace ck
