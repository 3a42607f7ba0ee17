#pragma once

#include <span>

#include "core/anim/pose.h"
#include "core/crowd/mixed_crowd.h"

namespace ck::render {

// The box of a crowd in metres: its actors' places, extended by the rest pose of their characters,
// which may be rotated about them. It does not depend on clips, so cameras of benches and tests
// stay where they are. `characters` are indexed by Actor::character, not empty, and the first is
// not null; other null entries are ignored. A crowd without actors has the box of the first.
Bounds crowdBounds(const CrowdView& crowd, std::span<const CharacterPtr> characters);
Bounds crowdBounds(const Crowd& crowd, const CharacterPtr& character);

}  // namespace ck::render
