#include "app/commands/scene_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/commands/event_options.h"
#include "app/commands/source_lookup.h"
#include "core/bake/bake.h"
#include "core/base/files.h"
#include "core/crowd/actor.h"
#include "core/export/atlas_folder.h"
#include "core/project/pipeline.h"
#include "core/project/spawn.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

Formation formationFromName(const std::string& name) {
  for (const Formation formation : {Formation::Grid, Formation::Disc, Formation::Scatter}) {
    if (formationName(formation) == name) return formation;
  }
  return Formation::Grid;
}

tl::expected<Stage, StageRefusal> stageOfFolder(const ImportOptions& import,
                                                const JobContext& job) {
  const fs::path folder = pathFromText(import.files.front());
  auto sets = readAtlasFolder(folder);
  if (!sets) return tl::unexpected(StageRefusal{sets.error()});
  const std::vector<std::string> against(import.files.begin() + 1, import.files.end());
  FoundSource source = findSource(sets->front(), folder, against, job);
  if (!source.character) return tl::unexpected(StageRefusal{source.character.error(), source.gone});
  Stage stage;
  stage.notes = source.character->notes;
  stage.character = std::make_shared<const Character>(std::move(*source.character));
  stage.atlas = std::make_shared<const Atlas>(std::move(sets->front().atlas));
  stage.clipEvents = std::move(sets->front().clipEvents);
  return stage;
}

}  // namespace

void addCrowdOptions(CLI::App& app, CrowdOptions& options) {
  app.add_option("--actors", options.actors, "Actors in the crowd (default: 100)")
      ->check(CLI::Range(0, 1000000))
      ->option_text("N");
  app.add_option("--seed", options.seed, "Seed of everything random (default: 1)")
      ->option_text("N");
  offer(app.add_option("--formation", options.formation, "How the actors stand"),
        {"grid", "disc", "scatter"});
}

SpawnSettings spawnSettings(const CrowdOptions& options, const Character& character) {
  SpawnSettings settings;
  settings.count = options.actors;
  settings.seed = options.seed;
  settings.formation = formationFromName(options.formation);
  settings.spacingMeters = spacingFor(character);
  settings.variedMorphs = options.variedMorphs;
  return settings;
}

std::vector<Actor> actorsFor(const CrowdOptions& options, const Character& character,
                             const std::vector<std::string>& clipNames) {
  SpawnSettings settings = spawnSettings(options, character);
  settings.clipCount = std::max(1, static_cast<int>(clipNames.size()));
  std::vector<Actor> actors = spawnFor(character, clipNames, settings);
  for (Actor& actor : actors) {
    for (const MorphWeight& morph : options.morphs) setMorph(actor, morph.name, morph.weight);
  }
  return actors;
}

std::vector<std::string> clipNamesOf(const Atlas& atlas) {
  std::vector<std::string> names;
  for (const AtlasClip& clip : atlas.clips) names.push_back(sourceNameOf(clip));
  return names;
}

tl::expected<Stage, StageRefusal> makeStage(const ImportOptions& import,
                                            const BakeOptions& bakeWith, const JobContext& job) {
  std::error_code failed;
  if (fs::is_directory(pathFromText(import.files.front()), failed)) {
    return stageOfFolder(import, job);
  }
  auto character = importFiles(import, job.part(0.0f, 0.5f));
  if (!character) return tl::unexpected(StageRefusal{character.error()});
  const auto settings = bakeSettings(bakeWith, *character);
  if (!settings) {
    return tl::unexpected(StageRefusal{{ErrorCode::InvalidInput, settings.error()}, true});
  }
  const auto clips = clipsWithEvents(bakeWith.events, *character, settings->clips);
  if (!clips) return tl::unexpected(StageRefusal{{ErrorCode::InvalidInput, clips.error()}, true});
  auto baked = bake(*character, *settings, job.part(0.5f, 1.0f));
  if (!baked) return tl::unexpected(StageRefusal{baked.error()});
  Stage stage;
  stage.clipEvents = atlasEvents(baked->atlas, *clips);
  stage.notes = character->notes;
  stage.notes.insert(stage.notes.end(), baked->notes.begin(), baked->notes.end());
  stage.character = std::make_shared<const Character>(std::move(*character));
  stage.atlas = std::make_shared<const Atlas>(std::move(baked->atlas));
  return stage;
}

}  // namespace ck::cli
