#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/clip_fit.h"
#include "core/scene/rig.h"

namespace ck {

// A joint's name in lower case without common prefixes: everything up to the last ':' or '|'
// ("mixamorig1:Hips", "Armature|Hips") and Biped prefixes ("Bip01 Head", "Bip001_Head",
// "ValveBiped.Bip01_Head"). A prefix is kept if nothing would remain.
std::string bareJointName(std::string_view name);

// Whether the joints are numbered as Sketchfab does: nearly every name ends with a number of its
// own ("Hips_20").
bool areNumbered(const Rig& rig);

// The name without "_20" at its end.
std::string_view withoutNumber(std::string_view name);

// For every joint of `from`, the matching joint of `rig` or -1, and the rule that found it.
struct JointMatches {
  std::vector<int> rigJoints;
  std::vector<MatchRule> rules;
  int byRule = 0;          // number of joints whose names are not identical, without those by hand
  std::string ruleSample;  // the first such pair, e.g. "'mixamorig:Hips' to 'Hips'"
  // Entries of `byHand` that name no joint of the rig, e.g. "'Hips' to 'Pelvis'".
  std::vector<std::string> unusable;
};

// Matches joints by hand first (ClipFit::joints). The names of the others are compared exactly,
// then without letter case, then by bareJointName(), then without the numbers of Sketchfab, and
// last as parts of a figure (humanoid_names.h), but not half an arm or leg of which only one file
// has the other half. Each joint of the rig is matched at most once. An ambiguous name is not
// matched: joints are never matched by position. Joints of the rig that are listed in `spare`,
// which only files of clips may need (settle_rig.h), are matched by exact names, or by the other
// rules after all other joints.
JointMatches matchJoints(const Rig& rig, const Rig& from,
                         const std::map<std::string, std::string>& byHand = {},
                         const std::vector<std::string>& spare = {});

}  // namespace ck
