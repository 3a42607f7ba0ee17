#pragma once

#include <optional>
#include <string_view>

#include "core/crowd/crowd.h"

namespace ck {

// The actor's own weight of a morph, if it has one.
std::optional<float> morphOf(const Actor& actor, std::string_view name);

// Sets or removes the actor's own weight. Without it, the actor's clips determine the weight. Names
// stay sorted.
void setMorph(Actor& actor, std::string_view name, std::optional<float> weight);

}  // namespace ck
