#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/scene/rig.h"

namespace ck {

// A joint's name without what tools put before it, in lower case: everything up to the last ':' or
// '|' ("mixamorig1:Hips", "Armature|Hips") and the biped's own word ("Bip01 Head", "Bip001_Head",
// "ValveBiped.Bip01_Head"), unless nothing would be left.
std::string bareJointName(std::string_view name);

// For every joint of `from` the joint of `rig` that it means, or -1. First by equal names, then
// whatever the case of letters, then by bareJointName. Each joint of the rig is given once, and a
// name that could mean several is given to none: joints are never guessed by their place.
struct JointMatches {
  std::vector<int> rigJoints;
  int byRule = 0;          // how many are not equal letter by letter
  std::string ruleSample;  // "'mixamorig:Hips' to 'Hips'", of the first of these
};
JointMatches matchJoints(const Rig& rig, const Rig& from);

}  // namespace ck
