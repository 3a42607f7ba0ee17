#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/export/impostor_json.h"
#include "core/export/picture_reading.h"
#include "core/export/targets/export_target.h"

namespace ck {

// The three files of TargetInput::impostors, which must not be null, in a folder
// ("soldier.three/"): NAME.impostors.json, NAME.color.png and NAME.form.png.
Result<std::vector<TargetFile>> impostorFilesIn(const TargetInput& input, const std::string& folder,
                                                const JobContext& job);

// The target of their own: the same in NAME.impostors/. Fails with InvalidInput where the input has
// none.
Result<std::vector<TargetFile>> impostorFiles(const TargetInput& input, const JobContext& job);
std::vector<std::string> impostorLosses(const TargetInput& input);

// Adds the losses of a player that shows impostors; none where the input has no impostors.
void addImpostorLosses(const TargetInput& input, std::vector<std::string>& losses);

// Reads NAME.impostors.json and its pictures, which lie in `folder`. Fails with InvalidInput if one
// is damaged or its hash is another, with Unsupported for a later version, and as readFile() and
// decodedByWorker().
Result<Impostors> readImpostors(const std::filesystem::path& folder, const std::string& name,
                                const FolderReading& how);

}  // namespace ck
