#pragma once

#include <vector>

#include "core/atlas/atlas.h"
#include "core/scene/character.h"

namespace ck::render {

// One character to draw.
struct CharacterEntry {
  CharacterPtr character;         // may be null: its actors are not drawn
  AtlasPtr atlas;                 // may be null: actors are drawn from the source
  std::vector<int> hiddenMeshes;  // into Character::meshes
  bool operator==(const CharacterEntry&) const = default;
};

}  // namespace ck::render
