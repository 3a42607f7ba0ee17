#include "core/import/add_clips.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/import/bind_rest.h"
#include "core/import/clip_fitting.h"
#include "core/import/file_axes.h"
#include "core/import/joint_names.h"
#include "core/import/split_joints.h"

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

// The facts about a file when its clips are added.
struct Addition {
  const Character& rig;
  const Character& from;
  const ClipFit& choice;
  JointMatches joints;
  std::vector<char> moves;  // joints of the file that a clip moves
  Unmatched unmatched = {};
};

// "Y up, 0.01 m per unit"
std::string axesText(const SourceInfo& source) {
  return fmt::format("{} up, {:.4g} m per unit", source.upAxis, source.unitScale);
}

// Rests that are turned further apart are told even of a file that may store any pose.
constexpr double kFarDegrees = 60.0;

// Adds notes about the adaptation of the clips to the rig.
void noteFitting(const Addition& added, const ClipFitting& fitting, Notes& notes) {
  const Character& from = added.from;
  const auto note = [&](Note::Level level, const char* code, const std::string& text) {
    notes.push_back({level, code, fmt::format("{}: {}", from.name, text)});
  };
  if (!saysAxes(from.source)) {
    const bool chosen = added.choice.up != UpAxis::Auto && added.choice.metersPerUnit > 0.0;
    note(Note::Level::Info, "AxesFound",
         fmt::format("{} files do not say their axes and unit; {}: {}", from.source.format,
                     chosen ? "it was read as chosen" : "found from its skeleton",
                     axesText(from.source)));
  }
  if (added.joints.byRule > 0) {
    note(Note::Level::Info, "JointsMatchedByRule",
         fmt::format("{} joints were matched without letter case or prefix, or as parts of a "
                     "figure, e.g. {}",
                     added.joints.byRule, added.joints.ruleSample));
  }
  if (!added.joints.unusable.empty()) {
    note(Note::Level::Warning, "JointMapUnused",
         fmt::format("{} entries of its joint map name no joint of the rig, or one that is taken: "
                     "{}",
                     added.joints.unusable.size(), fmt::join(added.joints.unusable, ", ")));
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
                     fitting.appliesOffset() ? fitting.ways() : fitting.proportions));
  }
  // A file without meshes may store any pose as its rest pose; MD5 does.
  const bool hasBind = !from.meshes.empty() && from.source.format != "MD5";
  if (fitting.appliesOffset()) {
    const double most = std::ranges::max(fitting.restDegrees());
    note(Note::Level::Info, "RestPoseFitted",
         fmt::format("its joints rest turned against those of the rig by up to {:.0f} degrees; the "
                     "motion was carried over relative to both rest poses",
                     most));
  } else if (const double most = std::ranges::max(fitting.restDegrees());
             (hasBind && fitting.restsTurned > 0) || most > kFarDegrees) {
    note(Note::Level::Warning, "RestPoseDiffers",
         fmt::format("its joints rest turned against those of the rig by up to {:.0f} degrees, {} "
                     "of them by more than 5 degrees against the joint above; their keys are used "
                     "as they are{}",
                     most, fitting.restsTurned,
                     fitting.oneSkeleton ? ", because the bones are the same"
                                         : " and may bend the figure"));
  }
  if (!fitting.sampled.empty()) {
    note(Note::Level::Info, "ClipResampled",
         fmt::format("joints that move are not in the rig; their motion was given to {} joints "
                     "below them, whose keys were sampled",
                     fitting.sampled.size()));
  }
  if (fitting.scalesDropped) {
    note(Note::Level::Warning, "ClipScalesDropped",
         "scales that are not the same in all directions do not fit the rig's axes and were left "
         "out");
  }
  if (!fitting.torn.empty()) {
    std::set<std::string> names;
    for (const int joint : fitting.torn) {
      names.insert(added.rig.rig.joints[static_cast<std::size_t>(joint)].name);
    }
    note(Note::Level::Warning, "FigureTorn",
         fmt::format("{} bones become up to {:.0f} % longer or shorter, as those of the file do "
                     "not, so that the figure may look torn at: {}",
                     names.size(), 100.0 * fitting.tornShare, listed(names)));
  }
  if (!added.unmatched.joints.empty()) {
    note(Note::Level::Warning, "JointsUnmatched",
         fmt::format("{} of {} joints that move are not in the rig and do not move: {}",
                     added.unmatched.joints.size(), std::ranges::count(added.moves, 1),
                     listed(added.unmatched.joints)));
  }
  if (!added.unmatched.targets.empty()) {
    note(Note::Level::Warning, "MorphTargetsUnmatched",
         fmt::format("{} morph targets are not in the rig and do not move: {}",
                     added.unmatched.targets.size(), listed(added.unmatched.targets)));
  }
}

tl::unexpected<Error> refuse(const Addition& added) {
  std::set<std::string> unmatched;
  std::ptrdiff_t matched = 0;
  for (std::size_t j = 0; j < added.moves.size(); ++j) {
    matched += added.joints.rigJoints[j] >= 0 ? 1 : 0;
    if (added.joints.rigJoints[j] < 0) unmatched.insert(added.from.rig.joints[j].name);
  }
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}: {} of {} joints match those of '{}'{}; unmatched: {}; name their "
                          "partners in a joint map (--map of kiln, Match joints of the editor)",
                          added.from.name, matched, added.moves.size(), added.rig.name,
                          matched > 0 ? ", and no clip moves them" : "", listed(unmatched)),
              added.from.source.path);
}

std::vector<char> movedJoints(const Character& character) {
  std::vector<char> moved(character.rig.joints.size(), 0);
  for (const Clip& clip : character.clips) {
    for (const JointTracks& tracks : clip.jointTracks) {
      if (moves(tracks)) moved[static_cast<std::size_t>(tracks.joint)] = 1;
    }
  }
  return moved;
}

// Whether a joint of the file carries joints that are matched, but its partner in the rig carries
// none of theirs, so that its motion would be lost.
bool losesItsMotion(const Rig& rig, const Rig& from, const std::vector<int>& partners, int joint) {
  const auto isBelow = [](const Rig& of, int below, int above) {
    while (below >= 0 && below != above) below = of.joints[static_cast<std::size_t>(below)].parent;
    return below == above;
  };
  const int partner = partners[static_cast<std::size_t>(joint)];
  bool carries = false;
  for (std::size_t j = 0; j < partners.size(); ++j) {
    const int number = static_cast<int>(j);
    if (partners[j] < 0 || number == joint || !isBelow(from, number, joint)) continue;
    if (isBelow(rig, partners[j], partner)) return false;
    carries = true;
  }
  return carries;
}

JointMatches matchesFor(const Character& rig, const Character& from, const ClipFit& fit,
                        const std::vector<char>& moves) {
  JointMatches joints = matchJoints(rig.rig, from.rig, fit.joints, rig.socketCandidates);
  const std::set<std::string_view> spare(rig.socketCandidates.begin(), rig.socketCandidates.end());
  for (std::size_t j = 0; j < moves.size(); ++j) {
    int& joint = joints.rigJoints[j];
    if (joint < 0 || joints.rules[j] == MatchRule::ByHand) continue;
    if (!spare.contains(rig.rig.joints[static_cast<std::size_t>(joint)].name)) continue;
    const bool isUseful =
        moves[j] != 0 && !losesItsMotion(rig.rig, from.rig, joints.rigJoints, static_cast<int>(j));
    if (isUseful) continue;
    joint = -1;
    joints.rules[j] = MatchRule::None;
  }
  // Where both files split a joint, its two halves belong together, whatever rule found the lower.
  const std::vector<int> theirUpper = unscaledJoints(from.rig);
  const std::vector<int> ourUpper = unscaledJoints(rig.rig);
  for (std::size_t j = 0; j < moves.size(); ++j) {
    const int partner = joints.rigJoints[j];
    const int upper = partner < 0 ? -1 : ourUpper[static_cast<std::size_t>(partner)];
    if (upper < 0 || theirUpper[j] < 0) continue;
    const auto u = static_cast<std::size_t>(theirUpper[j]);
    if (joints.rules[u] != MatchRule::None || std::ranges::count(joints.rigJoints, upper) > 0) {
      continue;
    }
    joints.rigJoints[u] = upper;
    joints.rules[u] = joints.rules[j];
  }
  return joints;
}

// Splits the joints of each file that the other one has split, or names an upper half after the
// joint if its lower half was folded.
void splitAlike(Character& rig, Character& from, const ClipFit& fit) {
  const std::vector<int> uppers = unscaledJoints(from.rig);
  for (std::size_t j = 0; j < from.rig.joints.size(); ++j) {
    std::string& name = from.rig.joints[j].name;
    if (!name.ends_with(kUnscaled) || findJoint(rig.rig, name)) continue;
    const bool isAlone = std::ranges::count(uppers, static_cast<int>(j)) == 0;
    const std::string lower = name.substr(0, name.size() - kUnscaled.size());
    if (isAlone && !findJoint(from.rig, lower)) name = lower;
  }
  const auto partners = matchesFor(rig, from, fit, movedJoints(from)).rigJoints;
  std::vector<int> ofRig(rig.rig.joints.size(), -1);
  for (std::size_t j = 0; j < partners.size(); ++j) {
    if (partners[j] >= 0) ofRig[static_cast<std::size_t>(partners[j])] = static_cast<int>(j);
  }
  const Rig whole = rig.rig;
  splitLike(from.rig, ofRig, rig);
  splitLike(whole, partners, from);
}

ClipFitReport reportOf(const Addition& added, const ClipFitting& fitting) {
  ClipFitReport report;
  report.path = added.from.source.path;
  report.skeleton = added.from.rig;
  for (std::size_t j = 0; j < added.moves.size(); ++j) {
    report.rows.push_back({added.joints.rigJoints[j], added.joints.rules[j], added.moves[j] != 0,
                           fitting.restDegrees()[j]});
  }
  report.offset = fitting.appliesOffset();
  report.up = upOf(added.from.source);
  report.metersPerUnit = added.from.source.unitScale;
  report.foundAxes = !saysAxes(added.from.source);
  return report;
}

// The clips of the file for the rig; what moves and is not in the rig goes to `unmatched`.
std::vector<Clip> fittedClips(Addition& added, const Rig& atBind, ClipFitting& fitting) {
  const Character& from = added.from;
  const std::vector<char> used = fitting.usedJoints();
  for (std::size_t j = 0; j < used.size(); ++j) {
    if (used[j] == 0 && added.moves[j] != 0) added.unmatched.joints.insert(from.rig.joints[j].name);
  }
  std::set<std::string> names;
  for (const Clip& clip : added.rig.clips) names.insert(clip.name);
  std::vector<Clip> clips;
  for (const Clip& source : from.clips) {
    Clip clip = fitting.fit(source);
    if (!clip.jointTracks.empty()) holdRest(atBind, added.rig.rig, clip);
    addMorphTracks(from, source, added.rig, clip, added.unmatched.targets);
    if (clip.jointTracks.empty() && clip.morphTracks.empty()) continue;
    clip.name = uniqueName(clipName(from, source, names), names);
    names.insert(clip.name);
    clips.push_back(std::move(clip));
  }
  return clips;
}

// The file with the axes and the unit that were chosen or found.
Character upright(Character from, const Character& rig, const JointMatches& joints,
                  const ClipFit& fit) {
  if (!saysAxes(from.source)) {
    from = restedInMotion(std::move(from), fit.up);
    return withAxes(from, findAxes(from.rig, rig.rig, joints.rigJoints, fit.up, fit.metersPerUnit));
  }
  Character file = saysUp(from.source.format) ? from : withUp(from, fit.up);
  if (!(fit.metersPerUnit > 0.0)) return file;
  return scaled(std::move(file), fit.metersPerUnit / from.source.unitScale);
}

}  // namespace

Result<Character> addClips(const Character& rig, const Character& from, const ClipFit& fit,
                           ClipFitReport* report) {
  if (from.clips.empty()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: there is no clip in this file", from.name), from.source.path);
  }
  Character result = rig;
  Character split = from;
  splitAlike(result, split, fit);
  const std::vector<char> moves = movedJoints(split);
  const JointMatches joints = matchesFor(result, split, fit, moves);
  Character file = upright(std::move(split), result, joints, fit);
  const Rig posed = std::exchange(file.rig, rigAtBind(file));
  for (Clip& clip : file.clips) holdRest(posed, file.rig, clip);
  const Rig atBind = rigAtBind(result);
  Addition added = {result, file, fit, joints, moves};
  ClipFitting fitting(atBind, file.rig, joints.rigJoints, fit);
  std::vector<Clip> clips = fittedClips(added, atBind, fitting);
  if (report != nullptr) {
    *report = reportOf(added, fitting);
    report->refused = clips.empty();
    // A refused file leaves the rig as it was.
    for (ClipFitReport::Row& row : report->rows) {
      if (!report->refused || row.joint < 0) continue;
      row.joint = findJoint(rig.rig, result.rig.joints[std::size_t(row.joint)].name).value_or(-1);
    }
  }
  if (clips.empty()) return refuse(added);
  for (const Note& note : from.notes) {
    if (note.code == "StickFigure") continue;  // the stick figure's bones are not shown here
    result.notes.push_back({note.level, note.code, fmt::format("{}: {}", from.name, note.message)});
  }
  result.clips.insert(result.clips.end(), std::make_move_iterator(clips.begin()),
                      std::make_move_iterator(clips.end()));
  noteFitting(added, fitting, result.notes);
  return result;
}

}  // namespace ck
