#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands/bake_report.h"
#include "core/export/set/atlas_export.h"

namespace ck::cli {

// Reads the image sets of that name from the folder that they were written to, and compares them
// with the atlas. Events are compared if a sidecar was written, which can hold them. Nothing for a
// sidecar alone, which has no texels.
Result<std::vector<SetCheck>> readBack(const std::filesystem::path& folder, const std::string& name,
                                       const Atlas& atlas, const ExportSettings& wanted);

}  // namespace ck::cli
