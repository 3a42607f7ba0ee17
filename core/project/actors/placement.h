#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/set/atlas_export.h"
#include "core/project/actor_columns.h"
#include "core/project/project.h"

namespace ck {

// The actors of a project as files for engines, spreadsheets and scripts, which name characters,
// clips and masks (CastNames) instead of numbering them as a project does. docs/project.md has both
// forms: JSON with the columns of project files, and CSV with a row for every actor.

inline constexpr std::string_view kPlacementJson = kSceneEndings[0];  // endings of the files
inline constexpr std::string_view kPlacementCsv = kSceneEndings[1];

// Whether a path ends in ".actors.json" or ".csv".
bool isPlacementPath(std::string_view path);

// The name of the exported set of every character, from those of the exported characters by their
// number: a variant has that of its base, and a character that is not exported an empty one.
std::vector<std::string> setNamesOf(const Project& project,
                                    const std::map<int, std::string>& exported);

// The texts of the files. `sets` are setNamesOf(). `setId` is the id of the
// export; empty: of none.
std::string placementJson(const Project& project, std::span<const std::string> sets,
                          std::span<const ActorColumn> columns = actorColumns(),
                          std::string setId = {});
std::string placementCsv(const Project& project, std::span<const std::string> sets,
                         std::span<const ActorColumn> columns = actorColumns());

// The actors of either text, for a project that has the characters, clips, masks and groups that
// they name. Missing columns have the default. Fails with InvalidInput (line and column, or key and
// actor; unknown columns, names that the project does not have), Unsupported (a later version) and
// LimitExceeded (size, actors, columns).
Result<ActorList> placementFromText(std::string_view text, const Project& project,
                                    std::span<const ActorColumn> columns = actorColumns());
// The actors of a JSON text with just what it lists for them, as a project: characters with their
// titles and clip names, masks and groups. Fails as placementFromText() does, but for names.
Result<Project> listedFromJson(std::string_view text);
// The actors of a file, whose name the messages have in front. Fails as readFile(), too.
Result<ActorList> readPlacement(const std::filesystem::path& path, const Project& project);

// The actors as files of an export: `.actors.json` and `.actors.csv`, whose texts were read back
// and compared with the project's actors. Fails with LimitExceeded if a text is larger than
// readPlacement() takes, and Internal if a text reads back differently.
Result<std::vector<SceneFile>> placementFiles(const Project& project,
                                              std::span<const std::string> sets);

}  // namespace ck
