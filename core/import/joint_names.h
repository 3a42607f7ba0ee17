#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/scene/rig.h"

namespace ck {

// A joint's name in lower case without common prefixes: everything up to the last ':' or '|'
// ("mixamorig1:Hips", "Armature|Hips") and Biped prefixes ("Bip01 Head", "Bip001_Head",
// "ValveBiped.Bip01_Head"). A prefix is kept if nothing would remain.
std::string bareJointName(std::string_view name);

// For every joint of `from`, the matching joint of `rig` or -1. Names are compared exactly first,
// then without letter case, then by bareJointName(). Each joint of the rig is matched at most once.
// An ambiguous name is not matched: joints are never matched by position.
struct JointMatches {
  std::vector<int> rigJoints;
  int byRule = 0;          // number of joints whose names are not identical
  std::string ruleSample;  // the first such pair, e.g. "'mixamorig:Hips' to 'Hips'"
};
JointMatches matchJoints(const Rig& rig, const Rig& from);

}  // namespace ck
