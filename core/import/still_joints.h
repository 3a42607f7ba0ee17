#pragma once

#include <vector>

#include "core/scene/character.h"

namespace ck {

// Skin joints that no clip moves against an ancestor to which their vertices can be bound instead.
// One entry per skin joint: the ancestor's skin joint, which keeps its own vertices, or -1. A joint
// is still if it has its rest transform in all clips, to 0.01 mm and 1e-5 radians. The two bind
// poses must belong together: no vertex is moved by more than 0.01 mm. Sockets are never merged,
// and without clips nothing is known to be still.
std::vector<int> stillJoints(const Character& character);

// How many entries of stillJoints() are not -1.
int stillJointCount(const Character& character);

// Gives the weights of still joints to their ancestors and takes their skin joints out. Joints,
// clips and vertices stay as they are. Adds a note (StillJointsMerged) if there are any.
void mergeStillJoints(Character& character);

}  // namespace ck
