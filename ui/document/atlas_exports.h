#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/bake/bake_error.h"
#include "core/export/atlas_export.h"
#include "core/project/project.h"

namespace ck::ui {

class Session;

// The atlas of one character, with the inputs of its bake.
struct AtlasToExport {
  std::string title;  // empty for the first character
  CharacterPtr character;
  AtlasPtr atlas;
  ProjectCharacter settings;       // sources, and clips with their events
  std::optional<BakeError> error;  // as baked; nothing until it is measured
};

// The atlases of the project's characters that are baked; a variant has none of its own.
std::vector<AtlasToExport> atlasesToExport(const Project& project, const Session& session);

// Exports atlases to one folder. The first is called `name`; the others have their titles appended,
// with a number if two names would be equal. Fails as exportAtlas() does.
Result<std::vector<ExportedFile>> exportAtlases(std::span<const AtlasToExport> atlases,
                                                const std::string& name,
                                                const std::filesystem::path& folder,
                                                const ExportSettings& settings,
                                                const JobContext& job);

}  // namespace ck::ui
