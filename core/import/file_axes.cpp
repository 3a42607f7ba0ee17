#include "core/import/file_axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/bind_rest.h"
#include "core/import/humanoid_names.h"

namespace ck {
namespace {

// A joint at rest in the file, and where it is to be in the model. Both are relative to the mean of
// all such joints; only the direction of the second counts for the axes.
struct Landmark {
  glm::dvec3 inFile{0.0};
  glm::dvec3 inModel{0.0};
};

void center(std::vector<Landmark>& landmarks) {
  Landmark mean;
  for (const Landmark& each : landmarks) {
    mean.inFile += each.inFile / double(landmarks.size());
    mean.inModel += each.inModel / double(landmarks.size());
  }
  for (Landmark& each : landmarks) {
    each.inFile -= mean.inFile;
    each.inModel -= mean.inModel;
  }
}

// A figure with arms held out, as tall as wide.
std::vector<Landmark> landmarksOfFigure(const Rig& skeleton) {
  const auto idealOf = [](const HumanoidPart& part) -> std::optional<glm::dvec3> {
    const double side = part.side == BodySide::Left ? 1.0 : -1.0;
    switch (part.bone) {
      case HumanoidBone::Hips:
        return glm::dvec3(0.0);
      case HumanoidBone::Head:
        return glm::dvec3(0.0, 0.7, 0.0);
      case HumanoidBone::Hand:
        return glm::dvec3(0.7 * side, 0.4, 0.0);
      case HumanoidBone::Foot:
        return glm::dvec3(0.1 * side, -0.9, 0.0);
      case HumanoidBone::Toes:
        return glm::dvec3(0.1 * side, -0.95, 0.15);
      default:
        return std::nullopt;
    }
  };
  const std::vector<glm::dmat4> rest = restMatrices(skeleton);
  const std::vector<HumanoidPart> parts = humanoidParts(skeleton);
  std::vector<Landmark> landmarks;
  bool hasHead = false;
  bool hasFoot = false;
  for (std::size_t j = 0; j < parts.size(); ++j) {
    const auto ideal = idealOf(parts[j]);
    if (!ideal) continue;
    landmarks.push_back({glm::dvec3(rest[j][3]), *ideal});
    hasHead = hasHead || parts[j].bone == HumanoidBone::Head;
    hasFoot = hasFoot || parts[j].bone == HumanoidBone::Foot;
  }
  if (!hasHead || !hasFoot) landmarks.clear();
  center(landmarks);
  return landmarks;
}

std::vector<Landmark> landmarksBeside(const Rig& skeleton, const Rig& rig,
                                      const std::vector<int>& rigJoints) {
  const std::vector<glm::dmat4> theirs = restMatrices(skeleton);
  const std::vector<glm::dmat4> ours = restMatrices(rig);
  std::vector<Landmark> landmarks;
  for (std::size_t j = 0; j < rigJoints.size(); ++j) {
    if (rigJoints[j] < 0) continue;
    landmarks.push_back(
        {glm::dvec3(theirs[j][3]), glm::dvec3(ours[static_cast<std::size_t>(rigJoints[j])][3])});
  }
  center(landmarks);
  return landmarks;
}

// Turns file space to Y up.
glm::dmat3 uprightTurn(UpAxis up) {
  if (up == UpAxis::Z) {
    return glm::dmat3(glm::dvec3(1, 0, 0), glm::dvec3(0, 0, -1), glm::dvec3(0, 1, 0));
  }
  if (up == UpAxis::X) {
    return glm::dmat3(glm::dvec3(0, 1, 0), glm::dvec3(-1, 0, 0), glm::dvec3(0, 0, 1));
  }
  return glm::dmat3(1.0);
}

// Turns file space to Y up, then by quarter turns about Y.
glm::dmat3 turnOf(const FileAxes& axes) {
  constexpr std::array<glm::dvec2, 4> kCosineSine = {glm::dvec2(1, 0), glm::dvec2(0, 1),
                                                     glm::dvec2(-1, 0), glm::dvec2(0, -1)};
  const glm::dvec2 turn = kCosineSine[static_cast<std::size_t>(axes.quarterTurns)];
  const glm::dmat3 yaw(glm::dvec3(turn.x, 0, -turn.y), glm::dvec3(0, 1, 0),
                       glm::dvec3(turn.y, 0, turn.x));
  return yaw * uprightTurn(axes.up);
}

// How well the landmarks agree under these axes: the sum of their cosines, by length.
double agreement(const std::vector<Landmark>& landmarks, const FileAxes& axes) {
  const glm::dmat3 turn = turnOf(axes);
  double sum = 0.0;
  for (const Landmark& each : landmarks) sum += glm::dot(turn * each.inFile, each.inModel);
  return sum;
}

// Another axis or facing has to be clearly better than what the file would be without it.
FileAxes bestTurn(const std::vector<Landmark>& landmarks, UpAxis chosen) {
  constexpr double kClearly = 1.1;
  FileAxes best;
  if (chosen != UpAxis::Auto) best.up = chosen;
  double most = agreement(landmarks, best);
  for (const UpAxis up : {UpAxis::Y, UpAxis::Z, UpAxis::X}) {
    if (chosen != UpAxis::Auto && up != chosen) continue;
    for (int turns = 0; turns < 4; ++turns) {
      const FileAxes axes{up, 1.0, turns};
      const double found = agreement(landmarks, axes);
      if (found <= 0.0 || found <= (most > 0.0 ? kClearly : 1.0) * most) continue;
      best = axes;
      most = found;
    }
  }
  return best;
}

// Metres, centimetres, inches, decimetres, millimetres, feet, and the unit of the CMU database.
constexpr std::array kUsualUnits = {1.0, 0.01, 0.0254, 0.1, 0.001, 0.3048, 0.0254 / 0.45};

double nearestUnit(double wanted) {
  return *std::ranges::min_element(kUsualUnits, std::less<>(), [wanted](double unit) {
    return std::abs(std::log(unit / wanted));
  });
}

double extent(const Rig& skeleton, const FileAxes& axes) {
  const glm::dmat3 turn = turnOf(axes);
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const glm::dmat4& joint : restMatrices(skeleton)) {
    const double height = (turn * glm::dvec3(joint[3])).y;
    low = std::min(low, height);
    high = std::max(high, height);
  }
  return high > low ? high - low : 0.0;
}

double unitOf(const Rig& skeleton, const FileAxes& axes) {
  constexpr double kSmallest = 0.3;
  constexpr double kTallest = 3.0;
  constexpr double kUsual = 1.7;
  const double height = extent(skeleton, axes);
  const auto fits = [height](double unit) {
    return height * unit >= kSmallest && height * unit <= kTallest;
  };
  if (!(height > 0.0) || fits(1.0)) return 1.0;
  const double nearest = nearestUnit(kUsual / height);
  return fits(nearest) ? nearest : kUsual / height;
}

double unitBeside(const std::vector<Landmark>& landmarks) {
  constexpr double kProportions = 1.6;  // figures differ in size by themselves
  double inFile = 0.0;
  double inModel = 0.0;
  for (const Landmark& each : landmarks) {
    inFile += glm::length(each.inFile);
    inModel += glm::length(each.inModel);
  }
  if (!(inFile > 0.0 && inModel > 0.0)) return 1.0;
  const double ratio = inModel / inFile;
  const double nearest = nearestUnit(ratio);
  const double apart = std::max(ratio / nearest, nearest / ratio);
  return apart < kProportions ? nearest : ratio;
}

// The joints that tell how a figure stands; -1 where it has none.
struct Stance {
  int head = -1;
  int hips = -1;
  std::array<int, 2> feet = {-1, -1};   // left, right
  std::array<int, 2> sides = {-1, -1};  // a left joint, and the right one of the same part

  explicit Stance(const Rig& skeleton) {
    const std::vector<HumanoidPart> parts = humanoidParts(skeleton);
    const auto find = [&parts](HumanoidBone bone, BodySide side) {
      const auto found = std::ranges::find(parts, HumanoidPart{bone, side});
      return found == parts.end() ? -1 : static_cast<int>(found - parts.begin());
    };
    const auto findPair = [&find](HumanoidBone bone) {
      return std::array{find(bone, BodySide::Left), find(bone, BodySide::Right)};
    };
    head = find(HumanoidBone::Head, BodySide::Center);
    hips = find(HumanoidBone::Hips, BodySide::Center);
    feet = findPair(HumanoidBone::Foot);
    for (const HumanoidBone bone :
         {HumanoidBone::Foot, HumanoidBone::UpperArm, HumanoidBone::UpperLeg}) {
      const std::array<int, 2> pair = findPair(bone);
      if (pair[0] >= 0 && pair[1] >= 0) sides = pair;
    }
  }
  bool isFull() const { return head >= 0 && hips >= 0 && feet[0] >= 0 && feet[1] >= 0; }
};

// A figure in one pose.
class StancePose {
 public:
  StancePose(const Stance& stance, const std::vector<glm::dmat4>& globals)
      : stance_(stance), globals_(globals) {}

  glm::dvec3 at(int joint) const {
    return glm::dvec3(globals_[static_cast<std::size_t>(joint)][3]);
  }
  glm::dvec3 hips() const { return at(stance_.hips); }
  glm::dvec3 aboveHips() const { return at(stance_.head) - hips(); }
  glm::dvec3 fromFeet() const {
    return at(stance_.head) - 0.5 * (at(stance_.feet[0]) + at(stance_.feet[1]));
  }
  glm::dvec3 toLeft() const { return at(stance_.sides[0]) - at(stance_.sides[1]); }
  double feetApart() const { return glm::distance(at(stance_.feet[0]), at(stance_.feet[1])); }
  double legLength() const { return glm::length(fromFeet() - aboveHips()); }
  // Whether head and feet are on opposite sides of the hips.
  bool isStretched() const {
    const glm::dvec3 up = aboveHips();
    const glm::dvec3 down = up - fromFeet();
    return glm::dot(up, down) < -0.5 * glm::length(up) * glm::length(down);
  }

 private:
  const Stance& stance_;
  const std::vector<glm::dmat4>& globals_;
};

// The vertical direction of a clip's poses: the axis along which the figure stands, and whether it
// stands there as high as on its legs, so that it does not lie.
struct Vertical {
  glm::dvec3 up{0.0};
  bool stands = false;
};

Vertical verticalOf(const std::vector<std::vector<glm::dmat4>>& poses, const Stance& stance,
                    UpAxis chosen) {
  glm::dvec3 mean(0.0);
  glm::dvec3 hips(0.0);
  double leg = 0.0;
  for (const std::vector<glm::dmat4>& globals : poses) {
    const StancePose pose(stance, globals);
    const double height = glm::length(pose.fromFeet());
    if (height > 0.0) mean += pose.fromFeet() / (height * double(poses.size()));
    hips += pose.hips() / double(poses.size());
    leg = std::max(leg, pose.legLength());
  }
  int axis = 0;
  for (int other = 1; other < 3; ++other) {
    if (std::abs(mean[other]) > std::abs(mean[axis])) axis = other;
  }
  if (chosen != UpAxis::Auto) axis = chosen == UpAxis::X ? 0 : chosen == UpAxis::Y ? 1 : 2;
  Vertical result;
  result.up[axis] = chosen == UpAxis::Auto && mean[axis] < 0.0 ? -1.0 : 1.0;
  const double stands = glm::dot(hips, result.up);
  result.stands = std::abs(mean[axis]) > 0.8 && stands > 0.5 * leg && stands < 1.5 * leg;
  return result;
}

// The rotation about the vertical direction by which the figure faces along the nearest axis.
glm::dquat facingAxis(const StancePose& pose, const glm::dvec3& up) {
  const glm::dvec3 forward = glm::cross(pose.toLeft(), up);
  glm::dvec3 nearest(0.0);
  for (int axis = 0; axis < 3; ++axis) {
    glm::dvec3 direction(0.0);
    direction[axis] = forward[axis] < 0.0 ? -1.0 : 1.0;
    if (up[axis] != 0.0 || glm::dot(direction, forward) <= glm::dot(nearest, forward)) continue;
    nearest = direction;
  }
  const double angle =
      std::atan2(glm::dot(glm::cross(forward, nearest), up), glm::dot(forward, nearest));
  return glm::angleAxis(angle, up);
}

// Moves the vertices, which each follow one joint, to where the rig rests now.
void moveToRest(Character& character) {
  const std::vector<glm::dmat4> globals = restMatrices(character.rig);
  const std::vector<glm::dmat4> moves = skinMatrices(character.rig, globals);
  for (Mesh& mesh : character.meshes) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Influence& first = mesh.influences[mesh.influenceStarts[v]];
      const glm::dmat4& move = moves[static_cast<std::size_t>(first.skinJoint)];
      mesh.positions[v] = glm::vec3(transformPoint(move, glm::dvec3(mesh.positions[v])));
      mesh.normals[v] = glm::vec3(glm::dmat3(move) * glm::dvec3(mesh.normals[v]));
    }
  }
  for (SkinJoint& skinJoint : character.rig.skinJoints) {
    skinJoint.inverseBind = affineInverse(globals[static_cast<std::size_t>(skinJoint.joint)]);
  }
}

void nameUp(Character& character, UpAxis up) {
  character.source.upAxis = up == UpAxis::X ? "X" : up == UpAxis::Z ? "Z" : "Y";
}

Character turned(Character character, const glm::dmat3& turn) {
  if (turn == glm::dmat3(1.0)) return character;
  const glm::dmat4 change(turn);
  const glm::dmat4 back(glm::transpose(turn));
  for (Joint& joint : character.rig.joints) {
    if (joint.parent < 0) joint.preTransform = change * joint.preTransform;
  }
  for (SkinJoint& skinJoint : character.rig.skinJoints) {
    skinJoint.inverseBind = skinJoint.inverseBind * back;
  }
  const auto turnAll = [&turn](std::vector<glm::vec3>& values) {
    for (glm::vec3& value : values) value = glm::vec3(turn * glm::dvec3(value));
  };
  for (Mesh& mesh : character.meshes) {
    turnAll(mesh.positions);
    turnAll(mesh.normals);
    for (glm::vec4& tangent : mesh.tangents) {
      tangent = glm::vec4(glm::vec3(turn * glm::dvec3(tangent)), tangent.w);
    }
    for (MorphTarget& target : mesh.morphTargets) {
      turnAll(target.positionDeltas);
      turnAll(target.normalDeltas);
      turnAll(target.tangentDeltas);
    }
  }
  character.source.sourceToModel = change * character.source.sourceToModel;
  return character;
}

}  // namespace

Character restedInMotion(Character character, UpAxis chosen) {
  constexpr int kMoments = 200;
  const Stance stance(character.rig);
  if (!stance.isFull() || character.clips.empty()) return character;
  const Clip& clip = character.clips.front();
  const auto localsAt = [&](std::size_t moment) {
    const double share = double(moment) / kMoments;
    return sampleClip(character.rig, clip, clip.startSeconds + share * clip.durationSeconds);
  };
  std::vector<std::vector<glm::dmat4>> poses;
  for (std::size_t moment = 0; moment <= kMoments; ++moment) {
    poses.push_back(globalMatrices(character.rig, localsAt(moment)));
  }
  const Vertical vertical = verticalOf(poses, stance, chosen);
  const std::vector<glm::dmat4> restGlobals = restMatrices(character.rig);
  const StancePose rest(stance, restGlobals);
  const bool lies = glm::dot(rest.fromFeet(), vertical.up) < 0.5 * glm::length(rest.fromFeet());
  if (rest.isStretched() && !(lies && vertical.stands)) return character;
  const auto straightness = [&](const std::vector<glm::dmat4>& globals) {
    const StancePose pose(stance, globals);
    return glm::dot(pose.fromFeet(), vertical.up) - pose.feetApart();
  };
  const auto best = std::ranges::max_element(poses, {}, straightness);
  const StancePose pose(stance, *best);
  const glm::dquat turn = facingAxis(pose, vertical.up);
  const glm::dvec3 hips = turn * pose.hips();
  const glm::dvec3 aside = hips - glm::dot(hips, vertical.up) * vertical.up;
  const std::vector<Trs> locals = localsAt(static_cast<std::size_t>(best - poses.begin()));
  const Rig before = character.rig;
  for (std::size_t j = 0; j < locals.size(); ++j) {
    Joint& joint = character.rig.joints[j];
    joint.rest = locals[j];
    if (joint.parent >= 0) continue;
    joint.rest.rotation = turn * joint.rest.rotation;
    joint.rest.translation = turn * joint.rest.translation - aside;
  }
  for (Clip& each : character.clips) holdRest(before, character.rig, each);
  moveToRest(character);
  return character;
}

bool saysAxes(const SourceInfo& source) {
  return source.format != "BVH";
}

bool saysUp(std::string_view format) {
  return format != "BVH" && format != "MD5" && format != "X";
}

UpAxis upOf(const SourceInfo& source) {
  return source.upAxis == "X" ? UpAxis::X : source.upAxis == "Z" ? UpAxis::Z : UpAxis::Y;
}

FileAxes findAxes(const Rig& skeleton, UpAxis up, double metersPerUnit) {
  FileAxes axes = bestTurn(landmarksOfFigure(skeleton), up);
  axes.metersPerUnit = metersPerUnit > 0.0 ? metersPerUnit : unitOf(skeleton, axes);
  return axes;
}

FileAxes findAxes(const Rig& skeleton, const Rig& rig, const std::vector<int>& rigJoints, UpAxis up,
                  double metersPerUnit) {
  const std::vector<Landmark> landmarks = landmarksBeside(skeleton, rig, rigJoints);
  if (landmarks.size() < 3) return findAxes(skeleton, up, metersPerUnit);
  FileAxes axes = bestTurn(landmarks, up);
  axes.metersPerUnit = metersPerUnit > 0.0 ? metersPerUnit : unitBeside(landmarks);
  return axes;
}

Character withAxes(Character character, const FileAxes& axes) {
  character = turned(std::move(character), turnOf(axes));
  nameUp(character, axes.up);
  const double factor = axes.metersPerUnit / character.source.unitScale;
  return factor == 1.0 ? character : scaled(character, factor);
}

Character withUp(Character character, UpAxis up) {
  const UpAxis usual = upOf(character.source);
  if (up == UpAxis::Auto || up == usual) return character;
  glm::dmat3 turn = uprightTurn(up) * glm::transpose(uprightTurn(usual));
  // X files are mirrored along z when they are read, so their z axis is -z here.
  if (character.source.format == "X" && up == UpAxis::Z) turn = glm::transpose(turn);
  character = turned(std::move(character), turn);
  nameUp(character, up);
  return character;
}

}  // namespace ck
