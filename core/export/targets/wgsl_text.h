#pragma once

#include <string>
#include <string_view>

namespace ck {

// Translates structs and functions in the subset of shaders/shared and shaders/export to WGSL.
// Comments and line breaks stay. Aborts on text outside the subset, which is embedded in the
// program and covered by tests.
std::string wgslText(std::string_view text);

}  // namespace ck
