#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ck {

// The words as a list for a message: "M32, M16 and M16F". `last` is the conjunction. Empty for no
// words.
std::string inWords(std::span<const std::string_view> words, std::string_view last = "and");

}  // namespace ck
