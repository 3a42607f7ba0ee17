#pragma once

#include <optional>
#include <string_view>

namespace ck {

// The text of an embedded file of a player, which exported folders get a copy of. `path` is
// relative to players/, e.g. "babylon/crowd.js".
std::optional<std::string_view> playerText(std::string_view path);

}  // namespace ck
