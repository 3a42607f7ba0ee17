#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/crowd/mixed_crowd.h"
#include "render/frame/frame_stats.h"
#include "render/view/character_renderer.h"

namespace ck::render {

// A character that has actors in the frame.
struct Playing {
  CharacterRenderer* characterRenderer = nullptr;
  std::uint32_t character = 0;  // index of the character
};

// The selected actors of every character, as indices in its crowd.
std::vector<std::vector<std::uint32_t>> selectedByCharacter(
    const CrowdView& crowd, std::span<const std::uint32_t> selected);

// The visible actors, ascending, whose ids occur in the drawn ids. Ids are assigned to the
// characters in turn, starting at 1.
std::vector<std::uint32_t> actorsSeen(const CrowdView& crowd, std::span<const Playing> playing,
                                      std::span<const std::uint32_t> ids);

// Adds the cost of these characters to the frame's measurements. Uploads count only if a tick was
// made. Morph figures are those of the selected actor's character, if there is one.
void addCharacters(FrameStats& stats, std::span<const Playing> playing,
                   std::uint32_t selectedCharacter);

}  // namespace ck::render
