#pragma once

#include <string>
#include <vector>

#include "app/options/json.h"
#include "core/fit/fit.h"

namespace ck::cli {

// The options of `kiln bake` that make a row, besides those that a search leaves alone. Of a rig,
// those that say what is usual are left out; a project or folder may say something else.
std::vector<std::string> foundArguments(const BakeSettings& settings, bool isRig);

// A word as a shell takes it.
std::string quoted(const std::string& word);

// The result of `kiln fit`: every row with its settings, figures, and why it is not accepted; how
// many candidates were planned and measured; and the advice where nothing fits. `command` is the
// one that bakes the row that was chosen, empty if none was.
Json foundJson(const FitResult& result, const FitLimits& limits,
               const std::vector<std::string>& command, const Notes& notes);
std::string foundText(const FitResult& result, const FitLimits& limits, const std::string& name,
                      const std::vector<std::string>& command);

}  // namespace ck::cli
