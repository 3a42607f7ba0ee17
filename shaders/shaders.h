#pragma once

#include <optional>
#include <string_view>

namespace ck {

// The text of an embedded shader file. `path` is relative to shaders/, e.g. "shared/actor.glsl".
std::optional<std::string_view> shaderText(std::string_view path);

}  // namespace ck
