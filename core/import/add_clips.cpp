#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/import/import_process.h"

namespace ck {
namespace {

// "mixamorig:Hips" and "mixamorig7:Hips" are "Hips"; other names stay.
std::string_view withoutPrefix(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos || colon + 1 == name.size()) return name;
  const std::string_view prefix = name.substr(0, colon);
  if (!prefix.starts_with("mixamorig")) return name;
  const std::string_view number = prefix.substr(9);
  const bool onlyDigits =
      std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  return onlyDigits ? name.substr(colon + 1) : name;
}

// For every joint of `from` the joint of `rig` with its name, else with its name without prefix.
std::vector<int> matchJoints(const Rig& rig, const Rig& from) {
  std::map<std::string_view, int> exact;
  std::map<std::string_view, int> bare;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    exact.try_emplace(rig.joints[j].name, static_cast<int>(j));
    bare.try_emplace(withoutPrefix(rig.joints[j].name), static_cast<int>(j));
  }
  std::vector<int> matches;
  for (const Joint& joint : from.joints) {
    const auto same = exact.find(joint.name);
    const auto alike = bare.find(withoutPrefix(joint.name));
    matches.push_back(same != exact.end()   ? same->second
                      : alike != bare.end() ? alike->second
                                            : -1);
  }
  return matches;
}

// Whether any part of the joint changes; a joint that a clip merely holds is not missed.
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

// Morph tracks move with the clip where a mesh and a target of the same names are there.
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

// An unnamed clip of a file with one clip is called like the file.
std::string clipName(const Character& from, const Clip& clip) {
  const bool unnamed = clip.name == "Clip 1" && from.clips.size() == 1;
  return unnamed && !from.name.empty() ? from.name : clip.name;
}

}  // namespace

Result<Character> addClips(const Character& rig, const Character& from) {
  if (from.clips.empty()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: there is no clip in this file", from.name), from.source.path);
  }
  Character result = rig;
  for (const Note& note : from.notes) {
    result.notes.push_back({note.level, note.code, fmt::format("{}: {}", from.name, note.message)});
  }
  const std::vector<int> matches = matchJoints(rig.rig, from.rig);
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
      clip.jointTracks.push_back(tracks);
      clip.jointTracks.back().joint = joint;
    }
    addMorphTracks(from, source, rig, clip, unmatchedTargets);
    if (clip.jointTracks.empty() && clip.morphTracks.empty()) continue;
    any = true;
    clip.name = uniqueName(clipName(from, source), names);
    names.insert(clip.name);
    result.clips.push_back(std::move(clip));
  }
  if (!any) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: no joint of its clips has the name of a joint of '{}'", from.name,
                            rig.name),
                from.source.path);
  }
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
