#pragma once

#include <optional>
#include <string_view>

#include "core/crowd/crowd.h"

namespace ck {

// The weight that an actor has of its own, if any.
std::optional<float> morphOf(const Actor& actor, std::string_view name);

// Gives it one, or with nothing lets its clips decide again. Names stay in order.
void setMorph(Actor& actor, std::string_view name, std::optional<float> weight);

}  // namespace ck
