#pragma once

#include "core/export/export_format.h"
#include "core/scene/character.h"

namespace ck::test {

// A chain of five joints with a side branch of two, all bound with turned bind poses, and a tube of
// vertices with up to `influences` influences. No clips.
Character limbCharacter(int influences = 4);

// Turns all joints of `character` smoothly about own axes, at `hz` keys a second: `cycles` whole
// cycles in `keyCount` keys. Whole cycles over keyCount - 1 steps close inclusively; over keyCount
// steps exclusively.
struct Swing {
  const char* name = "Swing";
  int keyCount = 31;
  double hz = 30.0;
  double cyclesPerStep = 1.0 / 30.0;
  double amplitudeRadians = 0.6;
  double startSeconds = 0.0;
};
Clip swingClip(const Character& character, const Swing& swing);

// The limb with an inclusive loop, an exclusive loop and an open clip.
Character swingingLimb();

// The limb with clips whose keys say little, at 30 keys a second: "Loop", an inclusive loop of 61
// keys; "Away", an exclusive one of 60; "Open", which comes to rest at key 20 of 47.
Character slowLimb();

// Every kind of file that can hold such texels, and the sidecar.
ExportKinds everyKind(TexelFormat format);

}  // namespace ck::test
