#pragma once

#include <filesystem>
#include <vector>

#include "core/project/project.h"

namespace ck {

// What each stage depends on, as small values: a stage is run again when its inputs differ.
struct ImportInputs {
  std::vector<SourceFile> sources;
  ImportSettings settings;
  bool operator==(const ImportInputs&) const = default;
};
ImportInputs importInputs(const Project& project);

// The settings to bake with: the ticked clips in their order.
BakeSettings bakeInputs(const Project& project);

struct CrowdInputs {
  std::vector<std::string> clipNames;
  ActorList actors;
  bool operator==(const CrowdInputs&) const = default;
};
CrowdInputs crowdInputs(const Project& project);

// A new project for a character: all clips ticked, a small varied crowd spaced by its size.
Project newProjectFor(const Character& character, const std::vector<SourceFile>& sources);

// Puts the clips of a newly read character into the project by name: keeps ticks, drops those that
// are gone (their actors go to the first clip), adds new ones ticked.
void adoptClips(Project& project, const Character& character);

}  // namespace ck
