#pragma once

#include <cstdint>
#include <span>

#include "core/crowd/mixed_crowd.h"
#include "render/scene/camera.h"
#include "render/view/character_entry.h"

namespace ck::render {

// Moves the camera along its direction as near as possible so that all actors are visible at their
// current places. An actor's extent is the box of its clip, or of its rest pose without an atlas.
// `characters` is indexed by Actor::character; actors without a character are ignored. `only` holds
// the visible actors to frame; empty frames all. Without actors the camera is unchanged.
void frameActors(Camera& camera, const CrowdView& crowd, std::span<const CharacterEntry> characters,
                 double aspect, std::span<const std::uint32_t> only = {});

// How many actors other than the visible one `except` have a box, as above, between two points of
// the world.
int actorsBetween(const glm::dvec3& from, const glm::dvec3& to, const CrowdView& crowd,
                  std::span<const CharacterEntry> characters, std::uint32_t except);

}  // namespace ck::render
