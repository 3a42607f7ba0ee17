#pragma once

#include <vector>

#include "core/bake/bake_settings.h"
#include "core/scene/character.h"

namespace ck::test {

// The skin joint of steppingLimb() whose scale steps between 1 and 0.
inline constexpr int kPropJoint = 6;

// The limb with clips in which its last joint, a prop, is shown and hidden by steps while the
// others swing, and another joint moves by steps:
//   "Loop"    an inclusive loop; steps at frames 10 and 20, and at the end
//   "Away"    an exclusive loop in which the prop is hidden at frame 12 and shown as it closes
//   "Once"    no loop; its last key shows the prop
//   "Stepped" every track steps at every key
// Joints swing by so many radians.
Character steppingLimb(double amplitudeRadians = 0.6);

// The same without steps: every Step track keeps its first value.
Character limbWithoutSteps();

// How steppingLimb() is baked: "Away" as an exclusive loop, "Once" and "Stepped" as no loops.
BakeSettings steppingSettings();

// Adds two morph targets to the first mesh. The first steps between 0 and 1 at a third of each
// clip, the second rises evenly.
void addStepMorphs(Character& character);

// Whether a time on the file's timeline is within 0.1 ms of a key.
bool isNearKey(const Clip& clip, double seconds);

}  // namespace ck::test
