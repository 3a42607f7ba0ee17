#pragma once

#include <string>
#include <vector>

#include "app/commands/shell.h"

namespace ck::cli {

// Inserts the arguments of --settings FILE.json before the others, which override them.
UsageResult<std::vector<std::string>> withSettingsFile(std::vector<std::string> arguments);

}  // namespace ck::cli
