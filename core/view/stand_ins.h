#pragma once

#include <vector>

#include "core/scene/character.h"

namespace ck {

// Whether the rig has a socket (SkinJoint::isSocket).
bool hasSockets(const Rig& rig);

// The character with a stand-in at every socket, so that an artist sees how what hangs there will
// move: a cross whose arms lie along the axes of the socket's rest, red for x, green for y and blue
// for z. The green arm is long, like a blade. Arms are a share of the figure's height, whatever the
// scale of the node is.
//
// Stand-ins are rigid meshes after all others, called like "stand-in of grip x", with materials of
// their own. Nothing else changes: an atlas of the character is one of the result as well.
Character withStandIns(const Character& character);

// Makes characters with stand-ins, each once, so that a renderer keeps what it has of them.
class StandIns {
 public:
  // The character with stand-ins; itself if it is null or has no sockets.
  CharacterPtr of(const CharacterPtr& character);

 private:
  struct Known {
    CharacterPtr character;
    CharacterPtr shown;
  };
  std::vector<Known> known_;  // the last few
};

}  // namespace ck
