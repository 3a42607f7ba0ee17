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

// The atlas of one character, with the inputs of its bake.
struct AtlasToExport {
  std::string title;  // empty for the first character
  AtlasPtr atlas;
  std::vector<std::string> files;  // the rig first
  std::vector<ProjectClip> clips;  // with their events
  std::optional<BakeError> error;  // nothing until it is measured
};

// Exports atlases to one folder. The first is called `name`; the others have their titles appended,
// with a number if two names would be equal. Fails as exportAtlas() does.
Result<std::vector<ExportedFile>> exportAtlases(std::span<const AtlasToExport> atlases,
                                                const std::string& name,
                                                const std::filesystem::path& folder,
                                                const ExportSettings& settings,
                                                const JobContext& job);

}  // namespace ck::ui
