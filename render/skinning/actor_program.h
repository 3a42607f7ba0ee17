#pragma once

#include <string>
#include <vector>

#include "render/skinning/skinner.h"

namespace ck::render {

// A method's part of shaders/crowd/actor.vert: the code that skins a vertex of an actor. File names
// are relative to shaders/.
struct PoseShader {
  std::string file;                                    // defines ckSkin()
  std::vector<ShaderDefine> defines = {};              // that the file reads
  std::string recordFile = "crowd/actor_record.glsl";  // defines ckActor(), which reads the record
};

// The program that draws `pass` of `character` with this pose shader. It is in use after the call,
// and compiled on first use. Vertices come from `pass.morphs` if that is not null. Fails with
// Internal (a shader does not compile).
Result<const Program*> programFor(ShaderLibrary& shaders, const PoseShader& pose,
                                  const DrawPass& pass, const CharacterGpu& character);

// Whether a pass shows tangents and the character has them. The tick must have been made with
// tangents.
bool showsTangents(const DrawPass& pass, const CharacterGpu& character);

}  // namespace ck::render
