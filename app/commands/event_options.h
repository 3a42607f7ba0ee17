#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/commands/options.h"
#include "core/project/project.h"

namespace ck::cli {

// --event CLIP:SECONDS=NAME, any number of times.
void addEventOption(CLI::App& app, std::vector<std::string>& events);

// Every clip of the character with the events that its file marks, and behind them those that are
// asked for: of clips that are baked, or all where `baked` is empty.
UsageResult<std::vector<ProjectClip>> clipsWithEvents(const std::vector<std::string>& asked,
                                                      const Character& character,
                                                      std::span<const BakeClip> baked);

// "step at 0.25 s, step at 0.75 s"
std::string eventsText(const std::vector<ClipEvent>& events);

}  // namespace ck::cli
