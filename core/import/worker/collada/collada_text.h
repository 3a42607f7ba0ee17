#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// The texts of Collada's elements: words between blanks.
namespace ck::worker {

std::string_view trimmedText(std::string_view text);

// Takes the first word off a text; empty at its end.
std::string_view takeWord(std::string_view& text);

// At most 50 million words.
std::vector<std::string_view> wordsOf(std::string_view text);

// Words that are not numbers become NaN; track repair drops such keys.
std::vector<double> numbersOf(std::string_view text);

// A whole number of at most 19 digits; nothing for any other word.
std::optional<std::int64_t> wholeNumber(std::string_view word);

}  // namespace ck::worker
