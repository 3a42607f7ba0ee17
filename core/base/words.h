#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ck {

// The words as a list for a message: "M32, M16 and M16F". `last` is the conjunction. Empty for no
// words.
std::string inWords(std::span<const std::string_view> words, std::string_view last = "and");

// The value that a word stands for. `words` has one for each value of Enum, which count from 0.
template <class Enum>
std::optional<Enum> fromWord(std::span<const std::string_view> words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

}  // namespace ck
