#pragma once

#include <string>
#include <vector>

#include "render/skinning/skinner.h"

namespace ck::render {

// What a method brings to shaders/crowd/actor.vert: where a vertex of an actor is. Files are named
// below shaders/.
struct PoseShader {
  std::string file;                                    // has ckSkin()
  std::vector<ShaderDefine> defines = {};              // that the file reads
  std::string recordFile = "crowd/actor_record.glsl";  // has ckActor(), which reads the record
};

// The program that draws `pass` of `character` with these poses, in use; compiled when it is first
// asked for. Vertices come from `pass.morphs` where that is not null. Fails with Internal (a shader
// does not compile).
Result<const Program*> programFor(ShaderLibrary& shaders, const PoseShader& pose,
                                  const DrawPass& pass, const CharacterGpu& character);

// Whether a pass shows tangents that the character has. The tick must have been told so.
bool showsTangents(const DrawPass& pass, const CharacterGpu& character);

}  // namespace ck::render
