#pragma once

#include <string>

#include "app/commands/options.h"
#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/crowd/clip_events.h"
#include "core/crowd/crowd.h"
#include "core/scene/character.h"

namespace ck::cli {

// The settings of the crowd, for render and bench.
struct CrowdOptions {
  int actors = 100;
  std::uint64_t seed = 1;
  std::string formation = "grid";
  std::vector<MorphWeight> morphs;        // own weights of every actor
  std::vector<std::string> variedMorphs;  // morphs for which every actor gets a random weight
};
void addCrowdOptions(CLI::App& app, CrowdOptions& options);

// The spawn settings for actors of a character of this size.
SpawnSettings spawnSettings(const CrowdOptions& options, const Character& character);

// Actors for the clips of an atlas, spaced by the character's size.
std::vector<Actor> actorsFor(const CrowdOptions& options, const Character& character,
                             const std::vector<std::string>& clipNames);

std::vector<std::string> clipNamesOf(const Atlas& atlas);

// A character with its atlas, read from an atlas folder or baked from rig files.
struct Stage {
  CharacterPtr character;
  AtlasPtr atlas;
  Notes notes;
  // One list per clip of the atlas, or no lists.
  std::vector<std::vector<CrowdEvent>> clipEvents = {};
};

// Why the scene cannot be made. `misuse` means exit code 2.
struct StageRefusal {
  Error error;
  bool misuse = false;
};
tl::expected<Stage, StageRefusal> makeStage(const ImportOptions& import, const BakeOptions& bake,
                                            const JobContext& job);

}  // namespace ck::cli
