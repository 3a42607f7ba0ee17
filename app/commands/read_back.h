#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands/character_result.h"
#include "core/export/set/atlas_export.h"

namespace ck::cli {

// Reads the files of an exported set where they lie now, and says for each image whether it still
// decodes to the atlas. exportAtlas() has decoded every file and compared it with the atlas and its
// events, so equal hashes of the image and of the sidecar that describes it are enough. Nothing for
// a sidecar alone, which has no texels. Fails if a file cannot be read.
Result<std::vector<SetCheck>> readBack(const std::filesystem::path& folder, const std::string& name,
                                       const ExportedSet& written);

}  // namespace ck::cli
