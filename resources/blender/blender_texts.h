#pragma once

#include <optional>
#include <string_view>

namespace ck {

// The text of an embedded script that Blender runs. `path` is relative to resources/blender, e.g.
// "export_rig.py".
std::optional<std::string_view> blenderText(std::string_view path);

}  // namespace ck
