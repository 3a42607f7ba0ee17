#pragma once

#include <string>
#include <vector>

#include "app/commands/options.h"
#include "core/morph/morph_weight.h"
#include "core/scene/character.h"

namespace ck::cli {

// Parses "NAME=W" texts to weights. The character must have the morphs; names may contain '='.
UsageResult<std::vector<MorphWeight>> morphWeights(const std::vector<std::string>& texts,
                                                   const Character& character);

// Checks that the character has morphs of these names, and returns the names.
UsageResult<std::vector<std::string>> morphNames(const std::vector<std::string>& names,
                                                 const Character& character);

}  // namespace ck::cli
