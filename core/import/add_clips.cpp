#include "core/import/add_clips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/anim/pose.h"
#include "core/import/joint_names.h"

namespace ck {
namespace {

double sizeOf(const glm::dmat4& m) {
  return std::cbrt(std::abs(glm::determinant(glm::dmat3(m))));
}

// The rest transform of everything above a joint.
glm::dmat4 frameOf(const Rig& rig, const std::vector<glm::dmat4>& rest, std::size_t joint) {
  const int parent = rig.joints[joint].parent;
  const glm::dmat4& pre = rig.joints[joint].preTransform;
  return parent < 0 ? pre : rest[static_cast<std::size_t>(parent)] * pre;
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

// What the keys of a clip file need to fit a rig (add_clips.h).
struct ClipFitting {
  // `matches`: for every joint of `from` the joint of `rig`, or -1.
  ClipFitting(const Rig& rig, const Rig& from, const std::vector<int>& matches);

  // The tracks of a matched joint of `from`, adapted to the rig.
  JointTracks fit(const JointTracks& tracks) const;
  void measureProportions(const Rig& rig, const Rig& from, const std::vector<int>& matches);

  struct Fit {
    int joint = -1;
    double length = 1.0;     // factor for translations
    bool moved = false;      // whether `change` is applied
    glm::dmat4 change{1.0};  // for top joints: from the file's frame to the rig's
    glm::dquat turn{1.0, 0.0, 0.0, 0.0};
  };
  std::vector<Fit> fits;  // one per joint of `from`
  double unitRatio = 1.0;
  bool otherProportions = false;
  double proportions = 1.0;  // ratio of all bone lengths, if the proportions are others
  bool turned = false;       // whether top joints were rotated or moved
  // Number of matched joints below the top ones whose rest rotation differs from the rig's by more
  // than 5 degrees.
  int restsTurned = 0;
};

ClipFitting::ClipFitting(const Rig& rig, const Rig& from, const std::vector<int>& matches) {
  const std::vector<glm::dmat4> rigRest = restMatrices(rig);
  const std::vector<glm::dmat4> fromRest = restMatrices(from);
  std::vector<char> matched(rig.joints.size(), 0);
  for (const int joint : matches) {
    if (joint >= 0) matched[static_cast<std::size_t>(joint)] = 1;
  }
  const auto isTop = [&](int joint) {
    for (int at = rig.joints[static_cast<std::size_t>(joint)].parent; at >= 0;
         at = rig.joints[static_cast<std::size_t>(at)].parent) {
      if (matched[static_cast<std::size_t>(at)] != 0) return false;
    }
    return true;
  };
  fits.resize(matches.size());
  bool first = true;
  for (std::size_t j = 0; j < matches.size(); ++j) {
    if (matches[j] < 0) continue;
    const auto joint = static_cast<std::size_t>(matches[j]);
    Fit& fit = fits[j];
    fit.joint = matches[j];
    const glm::dmat4 there = frameOf(from, fromRest, j);
    const glm::dmat4 here = frameOf(rig, rigRest, joint);
    bool singular = false;
    const glm::dmat4 change = affineInverse(here, &singular) * there;
    const double ratio = sizeOf(change);
    if (singular || !(ratio > 1e-9 && ratio < 1e9)) continue;
    if (std::abs(ratio - 1.0) > 1e-4) fit.length = ratio;
    if (isTop(matches[j])) {
      if (first) unitRatio = fit.length;
      first = false;
      const glm::dmat4 without = change * toMatrix({.scale = glm::dvec3(1.0 / ratio)});
      const double reach =
          glm::length(from.joints[j].rest.translation) * ratio + 1e-3 * glm::length(change[3]);
      if (!nearlyIdentity(without, reach + 1e-6)) {
        fit.moved = turned = true;
        fit.change = change;
        fit.turn = rotationOf(glm::dmat3(change));
      }
    } else {
      const glm::dquat a =
          rotationOf(glm::dmat3(from.joints[j].preTransform)) * from.joints[j].rest.rotation;
      const glm::dquat b =
          rotationOf(glm::dmat3(rig.joints[joint].preTransform)) * rig.joints[joint].rest.rotation;
      const double cosine = std::min(1.0, std::abs(glm::dot(a, b)));
      restsTurned += 2.0 * std::acos(cosine) > glm::radians(5.0) ? 1 : 0;
    }
  }
  measureProportions(rig, from, matches);
}

void ClipFitting::measureProportions(const Rig& rig, const Rig& from,
                                     const std::vector<int>& matches) {
  double ours = 0.0;
  double theirs = 0.0;
  std::vector<std::pair<double, double>> bones;
  for (std::size_t j = 0; j < matches.size(); ++j) {
    if (matches[j] < 0) continue;
    const Joint& a = from.joints[j];
    const Joint& b = rig.joints[static_cast<std::size_t>(matches[j])];
    // Compare only bones whose two ends are matched.
    if (a.parent < 0 || matches[static_cast<std::size_t>(a.parent)] != b.parent) continue;
    const auto lengthOf = [](const Joint& joint) {
      return glm::length(transformPoint(joint.preTransform, joint.rest.translation));
    };
    const double length = lengthOf(a) * fits[j].length;
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

JointTracks ClipFitting::fit(const JointTracks& tracks) const {
  const Fit& fit = fits[static_cast<std::size_t>(tracks.joint)];
  JointTracks result = tracks;
  result.joint = fit.joint;
  Track<glm::vec3>& places = result.translation;
  if (otherProportions && !places.empty() && holdsStill(places)) places = {};
  const bool cubic = places.interpolation == Interpolation::Cubic;
  for (std::size_t i = 0; i < places.values.size(); ++i) {
    const glm::dvec3 value(places.values[i]);
    glm::dvec3 fitted = value * fit.length;
    if (fit.moved) {
      const bool tangent = cubic && i % 3 != 1;
      fitted = tangent ? glm::dmat3(fit.change) * value : transformPoint(fit.change, value);
    }
    if (fit.moved || fit.length != 1.0 || otherProportions) {
      places.values[i] = glm::vec3(fitted * proportions);
    }
  }
  if (!fit.moved) return result;
  for (glm::quat& q : result.rotation.values) {
    q = glm::quat(fit.turn * glm::dquat(q));
  }
  return result;
}

// Whether any property of the joint changes. If the rig lacks a joint that the clip keeps constant,
// nothing is lost.
bool moves(const JointTracks& tracks) {
  const auto changes = [](const auto& track) {
    return std::any_of(track.values.begin(), track.values.end(),
                       [&track](const auto& value) { return value != track.values.front(); });
  };
  return changes(tracks.translation) || changes(tracks.rotation) || changes(tracks.scale);
}

std::string listed(const std::set<std::string>& names) {
  constexpr std::size_t kShown = 20;
  std::string list;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (count++ == kShown) return fmt::format("{} and {} more", list, names.size() - kShown);
    list += (list.empty() ? "'" : ", '") + name + "'";
  }
  return list;
}

std::string uniqueName(const std::string& wanted, const std::set<std::string>& used) {
  std::string name = wanted;
  for (int number = 2; used.contains(name); ++number) name = fmt::format("{} ({})", wanted, number);
  return name;
}

// A morph track is kept if the rig has a mesh and a target of the same names.
void addMorphTracks(const Character& from, const Clip& source, const Character& rig, Clip& clip,
                    std::set<std::string>& unmatched) {
  for (const MorphTrack& track : source.morphTracks) {
    const Mesh& mesh = from.meshes[static_cast<std::size_t>(track.mesh)];
    const std::string& target = mesh.morphTargets[static_cast<std::size_t>(track.target)].name;
    const auto inRig = std::ranges::find(rig.meshes, mesh.name, &Mesh::name);
    if (inRig != rig.meshes.end()) {
      const auto found = std::ranges::find(inRig->morphTargets, target, &MorphTarget::name);
      if (found != inRig->morphTargets.end()) {
        clip.morphTracks.push_back({static_cast<int>(inRig - rig.meshes.begin()),
                                    static_cast<int>(found - inRig->morphTargets.begin()),
                                    track.weight});
        continue;
      }
    }
    unmatched.insert(target);
  }
}

// The name of an added clip. If the file has only one clip, and its name is generic or already
// used, the clip is named after the file: many programs export every clip under the same name.
std::string clipName(const Character& from, const Clip& clip, const std::set<std::string>& used) {
  const bool saysNothing = clip.name == "Clip 1" || used.contains(clip.name);
  return saysNothing && from.clips.size() == 1 && !from.name.empty() ? from.name : clip.name;
}

// The names of what moves in the clips but is not in the rig.
struct Unmatched {
  std::set<std::string> joints;
  std::set<std::string> targets;
};

// Adds notes about the adaptation of the clips to the rig.
void noteFitting(const JointMatches& joints, const ClipFitting& fitting, const Unmatched& unmatched,
                 const Character& from, Notes& notes) {
  const auto note = [&](Note::Level level, const char* code, const std::string& text) {
    notes.push_back({level, code, fmt::format("{}: {}", from.name, text)});
  };
  if (joints.byRule > 0) {
    note(Note::Level::Info, "JointsMatchedByRule",
         fmt::format("{} joints were matched without letter case or prefix, e.g. {}", joints.byRule,
                     joints.ruleSample));
  }
  if (std::abs(fitting.unitRatio - 1.0) > 1e-4) {
    note(Note::Level::Info, "ClipScaled",
         fmt::format("its translations were multiplied by {:.4g}, the ratio of the files' units",
                     fitting.unitRatio));
  }
  if (fitting.turned) {
    note(Note::Level::Info, "ClipTurned",
         "the files have other axes or places for their top joints; these keep their place in the "
         "model");
  }
  if (fitting.otherProportions) {
    note(Note::Level::Warning, "ClipProportions",
         fmt::format("it was made for a figure of other proportions; the rig keeps its bone "
                     "lengths, and what moves was scaled by {:.3g}",
                     fitting.proportions));
  }
  // A file without meshes may store any pose as its rest pose; MD5 does.
  const bool hasBind = !from.meshes.empty() && from.source.format != "MD5";
  if (hasBind && fitting.restsTurned > 0) {
    note(Note::Level::Warning, "RestPoseDiffers",
         fmt::format("{} joints rest turned against those of the rig by more than 5 degrees; their "
                     "keys are used as they are and may bend the figure",
                     fitting.restsTurned));
  }
  if (!unmatched.joints.empty()) {
    note(Note::Level::Warning, "JointsUnmatched",
         fmt::format("{} joints are not in the rig and do not move: {}", unmatched.joints.size(),
                     listed(unmatched.joints)));
  }
  if (!unmatched.targets.empty()) {
    note(Note::Level::Warning, "MorphTargetsUnmatched",
         fmt::format("{} morph targets are not in the rig and do not move: {}",
                     unmatched.targets.size(), listed(unmatched.targets)));
  }
}

}  // namespace

Result<Character> addClips(const Character& rig, const Character& from) {
  if (from.clips.empty()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: there is no clip in this file", from.name), from.source.path);
  }
  Character result = rig;
  for (const Note& note : from.notes) {
    if (note.code == "StickFigure") continue;  // the stick figure's bones are not shown here
    result.notes.push_back({note.level, note.code, fmt::format("{}: {}", from.name, note.message)});
  }
  const JointMatches joints = matchJoints(rig.rig, from.rig);
  const std::vector<int>& matches = joints.rigJoints;
  const ClipFitting fitting(rig.rig, from.rig, matches);
  std::set<std::string> names;
  for (const Clip& clip : rig.clips) names.insert(clip.name);
  Unmatched unmatched;
  for (const Clip& source : from.clips) {
    Clip clip = source;
    clip.jointTracks.clear();
    clip.morphTracks.clear();
    std::set<int> taken;
    for (const JointTracks& tracks : source.jointTracks) {
      const int joint = matches[static_cast<std::size_t>(tracks.joint)];
      if (joint < 0 || !taken.insert(joint).second) {
        const std::string& name = from.rig.joints[static_cast<std::size_t>(tracks.joint)].name;
        if (moves(tracks)) unmatched.joints.insert(name);
        continue;
      }
      JointTracks fitted = fitting.fit(tracks);
      if (fitted.translation.empty() && fitted.rotation.empty() && fitted.scale.empty()) continue;
      clip.jointTracks.push_back(std::move(fitted));
    }
    std::sort(clip.jointTracks.begin(), clip.jointTracks.end(),
              [](const JointTracks& a, const JointTracks& b) { return a.joint < b.joint; });
    clip.groundSpeedMetersPerSecond *= fitting.proportions;
    addMorphTracks(from, source, rig, clip, unmatched.targets);
    if (clip.jointTracks.empty() && clip.morphTracks.empty()) continue;
    clip.name = uniqueName(clipName(from, source, names), names);
    names.insert(clip.name);
    result.clips.push_back(std::move(clip));
  }
  if (result.clips.size() == rig.clips.size()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: no joint of its clips has the name of a joint of '{}'", from.name,
                            rig.name),
                from.source.path);
  }
  noteFitting(joints, fitting, unmatched, from, result.notes);
  return result;
}

}  // namespace ck
