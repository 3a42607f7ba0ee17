#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ck {

// A word, number or operator of a shader text.
struct ShaderToken {
  std::string_view before;  // spaces, line breaks and comments in front of it
  std::string_view text;    // empty for the end of the text
};

// All tokens and one for the end. The views point into `text`.
std::vector<ShaderToken> shaderTokens(std::string_view text);

}  // namespace ck
