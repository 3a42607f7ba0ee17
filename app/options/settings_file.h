#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/options/shell.h"

namespace ck::cli {

// The arguments of a call, with those of its settings file.
struct CompleteCall {
  std::vector<std::string> arguments;
  std::string file = {};                 // the settings file as it was named; empty: none
  std::vector<std::string> ofFile = {};  // the options that it added, each with its dashes

  // "set.json: " if the first option of a sentence is one that the file holds, else empty.
  std::string originOf(std::string_view sentence) const;
};

// Inserts the arguments of --settings FILE.json before the others, which override them.
UsageResult<CompleteCall> withSettingsFile(std::vector<std::string> arguments);

}  // namespace ck::cli
