#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/character_result.h"
#include "app/options/project_input.h"
#include "core/stage/scene.h"

namespace ck::cli {

// How the characters of an input become a scene.
struct CastPlan {
  enum class Atlases {
    None,   // the rigs alone
    Baked,  // all are baked
    Kept,   // those beside projects are taken where they fit, as the window does
  };
  Atlases atlases = Atlases::Baked;
  std::string example = {};  // the call that names files of clips, for rigs without clips
  // Changes the settings of a character, whose number is given, before the options edit them.
  std::function<void(ProjectCharacter&, int)> before = {};
  // Refuses settings before the bake.
  std::function<UsageResult<void>(const ProjectCharacter&)> check = {};
};

// Reads the sources of all characters of `project`, edits their settings as the options say, and
// bakes them. Characters from `input.project` on are further ones: options of single clips are not
// for them. A failure of a further character begins with its title; it has the notes so far.
UsageResult<Scene> loadCast(Project project, const ProjectInput& input, const InputOptions& options,
                            const CastPlan& plan, const JobContext& job);

// The first character alone.
UsageResult<std::shared_ptr<const CharacterStage>> loadFirst(const ProjectInput& input,
                                                             const InputOptions& options,
                                                             const CastPlan& plan,
                                                             const JobContext& job);

// The characters of a scene that are no variants, with the errors of their atlases.
UsageResult<std::vector<CharacterResult>> measuredCast(const Scene& scene, const ScreenView& screen,
                                                       const JobContext& job);

// Writes their sets into a folder by exportCast() and reads them back. The actors are written, too,
// if the input is a project of which no character was picked; the result lists their files.
UsageResult<std::vector<ExportedTargetFile>> writeCast(
    std::vector<CharacterResult>& cast, const Scene& scene, const ProjectInput& input,
    const std::filesystem::path& folder, const ExportSettings& settings, const JobContext& job);

}  // namespace ck::cli
