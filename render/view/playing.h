#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/crowd/mixed_crowd.h"
#include "render/frame/frame_stats.h"
#include "render/view/character_renderer.h"

namespace ck::render {

// A character that has actors in the frame, or one of its levels of detail with some of them.
struct Playing {
  CharacterRenderer* characterRenderer = nullptr;
  std::uint32_t character = 0;  // index of the character
  ActorChoice chosen = {};      // which of the character's actors it draws
};

// The selected actors of every character, as indices in its crowd.
std::vector<std::vector<std::uint32_t>> selectedByCharacter(
    const CrowdView& crowd, std::span<const std::uint32_t> selected);

// The visible actors, ascending, whose ids occur in the drawn ids. Ids are assigned to what is
// drawn in turn, starting at 1.
// Behind them, those characters have an id for every one of their actors.
std::vector<std::uint32_t> actorsSeen(const CrowdView& crowd, std::span<const Playing> drawn,
                                      std::span<const std::uint32_t> farCharacters,
                                      std::span<const std::uint32_t> ids);

// The box of everything that these reach; without any, its lower corner is above its upper one.
Bounds reachedBy(std::span<const Playing> drawn);
// Draws their shadows and selection rings on the ground.
Result<void> drawFootprints(std::span<const Playing> drawn, Environment& environment,
                            const SceneLook& look, Shadows shadows);
// The triangles of all these actors.
std::size_t trianglesOf(std::span<const Playing> drawn);

// Adds the cost of these characters to the frame's measurements. Uploads count only if a tick was
// made. Morph figures are those of the selected actor's character, if there is one.
void addCharacters(FrameStats& stats, std::span<const Playing> drawn,
                   std::uint32_t selectedCharacter);

}  // namespace ck::render
