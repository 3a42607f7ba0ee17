#pragma once

#include <string>
#include <vector>

#include "app/commands/options.h"
#include "core/morph/morph_weight.h"
#include "core/scene/character.h"

namespace ck::cli {

// The weights of "NAME=W" texts, for shapes that the character has; names may hold '='.
UsageResult<std::vector<MorphWeight>> morphWeights(const std::vector<std::string>& texts,
                                                   const Character& character);

// Names of shapes that the character has, as they were given.
UsageResult<std::vector<std::string>> morphNames(const std::vector<std::string>& names,
                                                 const Character& character);

}  // namespace ck::cli
