#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace ck::worker {

// `text` as valid UTF-8 without control characters (each becomes a space, broken bytes '?'), at
// most `longest` bytes, cut between characters.
std::string cleanText(std::string_view text, std::size_t longest = 200);

// Hands out names that no earlier name equals: "Head", "Head (2)", "Head (3)".
class UniqueNames {
 public:
  // A cleaned, unused name like `wanted`, or like `fallback` where nothing is left of `wanted`.
  std::string take(std::string_view wanted, std::string_view fallback);
  // How many of the wanted names had been used before.
  int renamedCount() const { return renamed_; }

 private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, int> next_;
  int renamed_ = 0;
};

}  // namespace ck::worker
