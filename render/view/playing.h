#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/crowd/mixed_crowd.h"
#include "render/frame/frame_stats.h"
#include "render/view/character_renderer.h"

namespace ck::render {

// A character of the cast that is to be seen.
struct Playing {
  CharacterRenderer* characterRenderer = nullptr;
  std::uint32_t character = 0;  // which of the cast
};

// The selected actors of every character, by their numbers in its crowd.
std::vector<std::vector<std::uint32_t>> selectedByCharacter(
    const CrowdView& crowd, std::span<const std::uint32_t> selected);

// The visible actors, ascending, whose ids, given to the characters in turn from 1, are among those
// drawn.
std::vector<std::uint32_t> actorsSeen(const CrowdView& crowd, std::span<const Playing> playing,
                                      std::span<const std::uint32_t> ids);

// Adds what these characters cost in the frame; uploads only where it has ticked. The figures of
// morph targets are those of the selected actor's character, where that has one.
void addCharacters(FrameStats& stats, std::span<const Playing> playing,
                   std::uint32_t selectedCharacter);

}  // namespace ck::render
