#pragma once

#include <glm/glm.hpp>

#include "core/base/job.h"
#include "core/project/source_file.h"
#include "core/scene/character.h"

namespace ck {

// A mesh that stands in the scene and does not move. Actors walk past it.
struct Prop {
  SourceFile source;         // any file that rigs are read from
  glm::vec3 position{0.0f};  // metres
  float yawDegrees = 0.0f;   // about the vertical
  float scale = 1.0f;        // not 0
  bool operator==(const Prop&) const = default;
};

// A mesh as something to be placed: the file read as any rig is, and kept as it stands at rest
// (restShape). Blocks; fails as importCharacter() does, and with InvalidInput where there are no
// triangles.
Result<CharacterPtr> readPropShape(const SourceFile& source, const JobContext& job);

}  // namespace ck
