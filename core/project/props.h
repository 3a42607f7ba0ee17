#pragma once

#include <glm/glm.hpp>
#include <string>

#include "core/base/job.h"
#include "core/import/clip_fit.h"
#include "core/scene/character.h"

namespace ck {

// A rig or clip file of a project.
struct SourceFile {
  std::string path;  // UTF-8; absolute in memory, relative with '/' in the file if possible
  ClipFit fit = {};  // of a file that adds clips to the rig
  bool operator==(const SourceFile&) const = default;
};

// A static mesh in the scene. Actors do not avoid it.
struct Prop {
  SourceFile source;         // any file of a rig format
  glm::vec3 position{0.0f};  // metres
  float yawDegrees = 0.0f;   // about the vertical axis
  float scale = 1.0f;        // not 0
  bool operator==(const Prop&) const = default;
};

// Reads a file as a rig and converts it to a static mesh at rest (restShape()). Blocks. Fails as
// importCharacter() does, and with InvalidInput if there are no triangles.
Result<CharacterPtr> readPropShape(const SourceFile& source, const JobContext& job);

}  // namespace ck
