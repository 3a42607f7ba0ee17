#include "core/import/worker/collada/collada_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace ck::worker {
namespace {

constexpr std::size_t kMostWords = 50'000'000;
constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

std::string_view trimmedText(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::string_view takeWord(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (words.size() < kMostWords) {
    const std::string_view word = takeWord(text);
    if (word.empty()) break;
    words.push_back(word);
  }
  return words;
}

std::vector<double> numbersOf(std::string_view text) {
  std::vector<double> numbers;
  for (std::string_view word : wordsOf(text)) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0.0;
    const auto end = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool good = end.ec == std::errc() && end.ptr == word.data() + word.size();
    numbers.push_back(good ? value : std::numeric_limits<double>::quiet_NaN());
  }
  return numbers;
}

std::optional<std::int64_t> wholeNumber(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  std::int64_t value = 0;
  const auto end = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end.ec != std::errc() || end.ptr != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace ck::worker
