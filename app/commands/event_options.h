#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/commands/options.h"
#include "core/project/project.h"

namespace ck::cli {

// Adds --event CLIP:SECONDS=NAME, which may occur any number of times.
void addEventOption(CLI::App& app, std::vector<std::string>& events);

// Every clip of the character with the events of its file, followed by the requested ones. A
// requested event must belong to a baked clip, or to any clip if `baked` is empty.
UsageResult<std::vector<ProjectClip>> clipsWithEvents(const std::vector<std::string>& asked,
                                                      const Character& character,
                                                      std::span<const BakeClip> baked);

}  // namespace ck::cli
