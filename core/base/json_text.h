#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "core/base/result.h"

namespace ck {

// Parses JSON text, as JsonDocument::parse() says.
Result<nlohmann::json> parseJson(std::string_view text);

// The parts of parseJson(), for tests. The strict one decides what is refused, and says why. The
// quick one gives the same document in less than half of the time, or nothing where it meets what
// is wrong or unusual.
Result<nlohmann::json> parseJsonStrictly(std::string_view text);
std::optional<nlohmann::json> parseJsonQuickly(std::string_view text);

}  // namespace ck
