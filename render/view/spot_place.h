#pragma once

#include <glm/glm.hpp>
#include <optional>

#include "core/crowd/crowd.h"
#include "core/view/pose_settings.h"
#include "render/view/character_entry.h"

namespace ck::render {

// A place on a character that moves with it.
struct Spot {
  int mesh = -1;    // into Character::meshes; -1: the origin of `joint`
  int vertex = -1;  // of that mesh, in the file's order
  int joint = -1;   // skin joint
};

// Where a visible actor has a spot now, in the world, computed on the CPU as it is drawn: from the
// source with ViewMode::Source or without an atlas, else from the atlas as the method reads it.
// Nothing if the character does not have the spot.
std::optional<glm::dvec3> placeOf(const Spot& spot, const CharacterEntry& entry, const Crowd& crowd,
                                  std::size_t actor, const PoseSettings& settings);

}  // namespace ck::render
