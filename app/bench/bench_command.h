#pragma once

#include "app/commands/commands.h"

namespace ck::cli {

// `kiln bench`: measures this machine (docs/cli.md).
Command addBench(CLI::App& root, Shell& shell);

}  // namespace ck::cli
