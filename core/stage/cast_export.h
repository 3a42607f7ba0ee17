#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/export/set/atlas_export.h"
#include "core/project/project.h"

namespace ck {

// The atlas of one character of a project, with the inputs of its bake.
struct CastAtlas {
  int number = 0;     // of the character in the project
  std::string title;  // empty for the first character
  CharacterPtr character;
  AtlasPtr atlas;
  ProjectCharacter settings;       // sources, and clips with their events
  std::optional<BakeError> error;  // as baked; nothing until it is measured
};

// The set that an export has written for one of them.
struct CastSet {
  int number = 0;    // of the character in the project
  std::string name;  // of the set
  ExportedSet written;
};

// The written files of a project.
struct ExportedCast {
  std::string setId;  // of all files
  std::vector<CastSet> sets = {};
  std::vector<ExportedTargetFile> placement = {};  // the actors (placement.h)
};

// Exports atlases, and the actors of their project if it is given and has some, to one folder: all
// of them or none. `names` has the name of each set; the actors are called like the first.
// `settings` applies to all; its clip sources, events and character are replaced by those of each
// atlas. Sources are named as seen from `folder`, so that equal exports give equal bytes in any
// place. Fails as exportSets() and placementFiles() do.
Result<ExportedCast> exportCast(std::span<const CastAtlas> atlases,
                                std::span<const std::string> names,
                                const std::filesystem::path& folder, const ExportSettings& settings,
                                const Project* project, const JobContext& job);

// The path of a file as seen from a folder: relative, with '/'. Links are resolved in the folders
// of both, and not in the file itself.
std::string pathSeenFrom(const std::filesystem::path& folder, const std::filesystem::path& file);

// Adds the container to what is exported where the set `name` in `folder` would else remove the
// atlas that lies beside a project (atlasBeside()), and the project to what is read.
void keepAtlasBeside(const std::filesystem::path& projectFile, const std::string& name,
                     const std::filesystem::path& folder, ExportSettings& settings);

// The notes of writing the sets: what earlier exports into the folder had left.
Notes exportNotes(std::span<const CastSet> sets);

// Names for the sets of atlases with these titles: the first is called `name`; the others have
// their titles appended, with a number if two names would be equal, also where case is ignored.
std::vector<std::string> castSetNames(std::span<const std::string> titles, const std::string& name);
std::vector<std::string> castSetNames(std::span<const CastAtlas> atlases, const std::string& name);

// The facts about a target before it is exported.
struct TargetForecast {
  std::uint64_t bytes = 0;               // of all its files
  std::optional<double> maxMm = {};      // ExportTarget::shown of the worst atlas; engines only
  std::vector<std::string> losses = {};  // of all atlases, each once
};

// Makes the files of a target for all atlases without writing them. Fails as ExportTarget::files()
// does.
Result<TargetForecast> forecastOf(std::span<const CastAtlas> atlases, TargetKind kind,
                                  const JobContext& job);

}  // namespace ck
