#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/job.h"
#include "core/project/project.h"
#include "core/scene/character.h"

namespace ck {

// The kinds of oddities of a clip, or of a character with all its clips (docs/doctor.md).
enum class FindingKind {
  EmptyTake,     // the clip has no key that moves anything
  RestClip,      // the clip shows nothing but the pose at rest
  PosePlayed,    // the clip is one pose, but plays as a loop
  DoubledEnd,    // the last key repeats the first, but both are played
  OpenSeam,      // the clip loops, but its ends differ
  RootDrift,     // the clip ends at another place than it began
  KeyRate,       // the bake's frames are not where the keys are
  IdleScale,     // keys of scale change nothing that can be seen
  NearKeys,      // keys follow others by a fraction of the usual step
  StillJoints,   // joints that no clip moves against their parents
  RotationFlip,  // a joint turns round within a frame and ends as it began
  LongSpan,      // the clip is much longer than its motion
  BelowGround,   // the feet go below the ground
  SameClip,      // the clip is another one under a second name
  SpansAlike,    // all clips have the span of one
};

struct FindingInfo {
  FindingKind kind;
  std::string_view code;   // in JSON; a released code never changes
  std::string_view title;  // for headings
};

// Indexed by FindingKind.
inline constexpr std::array kFindingKinds = {
    FindingInfo{FindingKind::EmptyTake, "EmptyTake", "Empty take"},
    FindingInfo{FindingKind::RestClip, "RestClip", "Rest pose only"},
    FindingInfo{FindingKind::PosePlayed, "PosePlayed", "A pose"},
    FindingInfo{FindingKind::DoubledEnd, "DoubledEnd", "End pose played twice"},
    FindingInfo{FindingKind::OpenSeam, "OpenSeam", "Seam"},
    FindingInfo{FindingKind::RootDrift, "RootDrift", "Root drift"},
    FindingInfo{FindingKind::KeyRate, "KeyRate", "Frames beside the keys"},
    FindingInfo{FindingKind::IdleScale, "IdleScale", "Idle scale keys"},
    FindingInfo{FindingKind::NearKeys, "NearKeys", "Keys too near"},
    FindingInfo{FindingKind::StillJoints, "StillJoints", "Still joints"},
    FindingInfo{FindingKind::RotationFlip, "RotationFlip", "Flip"},
    FindingInfo{FindingKind::LongSpan, "LongSpan", "Longer than its motion"},
    FindingInfo{FindingKind::BelowGround, "BelowGround", "Below the ground"},
    FindingInfo{FindingKind::SameClip, "SameClip", "Same clip twice"},
    FindingInfo{FindingKind::SpansAlike, "SpansAlike", "All spans alike"},
};
const FindingInfo& findingInfo(FindingKind kind);

// `Look`: may be as the artist wants it. `Bad`: is seen in the crowd.
enum class FindingLevel { Look, Bad };
std::string_view findingLevelName(FindingLevel level);  // "look" and "bad"

struct ClipFinding {
  FindingKind kind = FindingKind::EmptyTake;
  int clip = -1;  // into ProjectCharacter::clips; -1: the character
  FindingLevel level = FindingLevel::Look;
  std::string message;   // one sentence with figures and units; does not name the clip
  std::string fix = {};  // what applyFix() does, as the label of a button; empty: there is no fix
  // The data that the fix needs.
  std::optional<Trim> trim = {};       // OpenSeam: the part that loops; unset: it is played once
  double smallestKeyGapSeconds = 0.0;  // NearKeys, RotationFlip
  bool fixesHeight = false;            // RootDrift: the height stays the same, too
  // SpansAlike: by clip, the part in which it moves; unset where that is all of it.
  std::vector<std::optional<Trim>> trims = {};
  bool operator==(const ClipFinding&) const = default;
};

// Examines the ticked clips as they are baked, with their edits. `character` has been read with
// the settings and sources of `settings`. The findings are in the order of the clips, and of
// FindingKind in each; those about the character come last. Fixing one finding does not bring up
// another one: the seam, for example, is measured without the drift. Nothing if the job is stopped.
std::vector<ClipFinding> examineClips(const Character& character, const ProjectCharacter& settings,
                                      const JobContext& job = {});

// Changes the settings as the finding's `fix` says. False, and no change, if there is no fix or its
// clip is not there. The character has to be read again if `import` has changed.
bool applyFix(ProjectCharacter& settings, const ClipFinding& finding);

}  // namespace ck
