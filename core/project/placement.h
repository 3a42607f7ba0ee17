#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/project/actor_columns.h"
#include "core/project/cast_export.h"
#include "core/project/project.h"

namespace ck {

// The actors of a project as files for engines, spreadsheets and scripts, which name characters,
// clips and masks (CastNames) instead of numbering them as a project does. docs/project.md has both
// forms: JSON with the columns of project files, and CSV with a row for every actor.

inline constexpr std::string_view kPlacementJson = ".actors.json";  // endings of the files
inline constexpr std::string_view kPlacementCsv = ".actors.csv";

// Whether a path ends in ".actors.json" or ".csv".
bool isPlacementPath(std::string_view path);

// The name of the exported set of every character: a variant has that of its base, and a character
// that was not exported an empty one.
std::vector<std::string> setNamesOf(const Project& project, std::span<const CastSet> sets);

// The texts of the files. `sets` are setNamesOf().
std::string placementJson(const Project& project, std::span<const std::string> sets,
                          std::span<const ActorColumn> columns = actorColumns());
std::string placementCsv(const Project& project, std::span<const std::string> sets,
                         std::span<const ActorColumn> columns = actorColumns());

// The actors of either text, for a project that has the characters, clips, masks and groups that
// they name. What is missing has the default. Fails with InvalidInput (line and column, or key and
// actor; unknown columns, names that the project does not have), Unsupported (a later version) and
// LimitExceeded (size, actors, columns).
Result<ActorList> placementFromText(std::string_view text, const Project& project,
                                    std::span<const ActorColumn> columns = actorColumns());
// The actors of a JSON text with just what it lists for them, as a project: characters with their
// titles and clip names, masks and groups. Fails as placementFromText() does, but for names.
Result<Project> listedFromJson(std::string_view text);
// Of a file, whose name the messages have in front. Fails as readFile(), too.
Result<ActorList> readPlacement(const std::filesystem::path& path, const Project& project);

struct PlacementFile {
  std::string name;  // without folders
  std::uint64_t bytes = 0;
  std::string xxh3;  // XXH3-64 of the file's bytes, 16 hex digits
};

// Writes `name`.actors.json and `name`.actors.csv to a folder that exists. Each file replaces an
// old one as a whole, after its text was read back and compared with the project's actors. Fails
// with CannotWrite, LimitExceeded if a text is larger than readPlacement() takes, and Internal if a
// text reads back differently.
Result<std::vector<PlacementFile>> writePlacement(const Project& project,
                                                  std::span<const CastSet> sets,
                                                  const std::string& name,
                                                  const std::filesystem::path& folder);

}  // namespace ck
