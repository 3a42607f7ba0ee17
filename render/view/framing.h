#pragma once

#include <cstdint>
#include <span>

#include "core/crowd/mixed_crowd.h"
#include "core/scene/character.h"
#include "render/scene/camera.h"
#include "render/view/cast_entry.h"

namespace ck::render {

// The box of a crowd: its actors' places, extended by the size of their characters. `characters`
// are indexed by Actor::character; null entries are ignored.
Bounds crowdBounds(const CrowdView& crowd, std::span<const CharacterPtr> characters);
Bounds crowdBounds(const Crowd& crowd, const Character& character);

// Brings the camera, in its direction, as near as shows all of every actor where it is now: each as
// the box of the clip that it plays, or of its body at rest where it has no atlas. `cast` is by
// Actor::character; actors without a character are passed over. `only`: the visible actors to
// frame; all where it is empty. Keeps the camera where there are no actors.
void frameActors(Camera& camera, const CrowdView& crowd, std::span<const CastEntry> cast,
                 double aspect, std::span<const std::uint32_t> only = {});

}  // namespace ck::render
