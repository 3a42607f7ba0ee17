#include "core/import/add_clips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "core/import/clip_fitting.h"
#include "core/import/joint_names.h"

namespace ck {
namespace {

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
    bool found = false;
    for (std::size_t m = 0; m < rig.meshes.size() && !found; ++m) {
      if (rig.meshes[m].name != mesh.name) continue;
      const auto& targets = rig.meshes[m].morphTargets;
      for (std::size_t t = 0; t < targets.size() && !found; ++t) {
        if (targets[t].name != target) continue;
        MorphTrack moved = track;
        moved.mesh = static_cast<int>(m);
        moved.target = static_cast<int>(t);
        clip.morphTracks.push_back(std::move(moved));
        found = true;
      }
    }
    if (!found) unmatched.insert(target);
  }
}

// The name of an added clip. If the file has only one clip, and its name is generic or already
// used, the clip is named after the file: many programs export every clip under the same name.
std::string clipName(const Character& from, const Clip& clip, const std::set<std::string>& used) {
  const bool saysNothing = clip.name == "Clip 1" || used.contains(clip.name);
  return saysNothing && from.clips.size() == 1 && !from.name.empty() ? from.name : clip.name;
}

// Adds notes about the adaptation of the clips to the rig.
void noteFitting(const JointMatches& joints, const ClipFitting& fitting, const Character& from,
                 Notes& notes) {
  const auto note = [&](Note::Level level, const char* code, const std::string& text) {
    notes.push_back({level, code, fmt::format("{}: {}", from.name, text)});
  };
  if (joints.byRule > 0) {
    note(Note::Level::Info, "JointsMatchedByRule",
         fmt::format("{} joints were matched without letter case or prefix, e.g. {}", joints.byRule,
                     joints.ruleSample));
  }
  if (std::abs(fitting.lengthRatio() - 1.0) > 1e-4) {
    note(Note::Level::Info, "ClipScaled",
         fmt::format("its translations were multiplied by {:.4g}, the ratio of the files' units",
                     fitting.lengthRatio()));
  }
  if (fitting.turned()) {
    note(Note::Level::Info, "ClipTurned",
         "the files have other axes or places for their top joints; these keep their place in the "
         "model");
  }
  if (fitting.otherProportions()) {
    note(Note::Level::Warning, "ClipProportions",
         fmt::format("it was made for a figure of other proportions; the rig keeps its bone "
                     "lengths, and what moves was scaled by {:.3g}",
                     fitting.proportions()));
  }
  // A file without meshes may store any pose as its rest pose; MD5 does.
  const bool hasBind = !from.meshes.empty() && from.source.format != "MD5";
  if (hasBind && fitting.restsTurned() > 0) {
    note(Note::Level::Warning, "RestPoseDiffers",
         fmt::format("{} joints rest turned against those of the rig by more than 5 degrees; their "
                     "keys are used as they are and may bend the figure",
                     fitting.restsTurned()));
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
  std::set<std::string> unmatchedJoints;
  std::set<std::string> unmatchedTargets;
  bool any = false;
  for (const Clip& source : from.clips) {
    Clip clip = source;
    clip.jointTracks.clear();
    clip.morphTracks.clear();
    std::set<int> taken;
    for (const JointTracks& tracks : source.jointTracks) {
      const int joint = matches[static_cast<std::size_t>(tracks.joint)];
      if (joint < 0 || !taken.insert(joint).second) {
        const std::string& name = from.rig.joints[static_cast<std::size_t>(tracks.joint)].name;
        if (moves(tracks)) unmatchedJoints.insert(name);
        continue;
      }
      JointTracks fitted = fitting.fit(tracks);
      if (fitted.translation.empty() && fitted.rotation.empty() && fitted.scale.empty()) continue;
      clip.jointTracks.push_back(std::move(fitted));
    }
    std::sort(clip.jointTracks.begin(), clip.jointTracks.end(),
              [](const JointTracks& a, const JointTracks& b) { return a.joint < b.joint; });
    clip.groundSpeedMetersPerSecond *= fitting.proportions();
    addMorphTracks(from, source, rig, clip, unmatchedTargets);
    if (clip.jointTracks.empty() && clip.morphTracks.empty()) continue;
    any = true;
    clip.name = uniqueName(clipName(from, source, names), names);
    names.insert(clip.name);
    result.clips.push_back(std::move(clip));
  }
  if (!any) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: no joint of its clips has the name of a joint of '{}'", from.name,
                            rig.name),
                from.source.path);
  }
  noteFitting(joints, fitting, from, result.notes);
  if (!unmatchedJoints.empty()) {
    result.notes.push_back(
        {Note::Level::Warning, "JointsUnmatched",
         fmt::format("{}: {} joints are not in the rig and do not move: {}", from.name,
                     unmatchedJoints.size(), listed(unmatchedJoints))});
  }
  if (!unmatchedTargets.empty()) {
    result.notes.push_back(
        {Note::Level::Warning, "MorphTargetsUnmatched",
         fmt::format("{}: {} morph targets are not in the rig and do not move: {}", from.name,
                     unmatchedTargets.size(), listed(unmatchedTargets))});
  }
  return result;
}

}  // namespace ck
