#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands/shell.h"

namespace ck::cli {

// Inserts the arguments of --settings FILE.json before the others, which override them, and adds
// the file to `inputs`.
UsageResult<std::vector<std::string>> withSettingsFile(std::vector<std::string> arguments,
                                                       std::vector<std::filesystem::path>& inputs);

}  // namespace ck::cli
