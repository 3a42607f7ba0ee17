#pragma once

#include <string>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// Decides which nodes of a file are joints, after all its clips are known. The import worker keeps
// nearly every node as a joint, because clips of another file may move a node that neither the
// skins nor the clips of the rig's own file name. Those are listed in Character::socketCandidates.
//
// Of the listed joints, these stay: joints that a clip moves and that carry a vertex, and joints
// named in `sockets`. The others are folded into the preTransform of the joints below them, with
// their vertices bound to the joint above. If there is none, a joint "Root" is added. Tracks of
// joints that are folded move nothing and are left out.
//
// A joint of `sockets` gets a skin joint without weights (SkinJoint::isSocket) whose bind pose is
// its rest, unless it has one. A name that the file does not have gives the note "SocketMissing",
// and one of a joint that moves vertices "SocketHasWeights".
// Afterwards socketCandidates are the listed joints that carry no vertex by themselves.
Character settled(Character character, const std::vector<std::string>& sockets = {});

}  // namespace ck
