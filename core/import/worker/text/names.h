#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/base/result.h"

namespace ck::worker {

// Converts `text` to valid UTF-8 without control characters: each becomes a space, invalid bytes
// become '?'. The result has at most `longest` bytes and is cut between characters.
std::string cleanText(std::string_view text, std::size_t longest = 200);

// Adds a note for the artist.
void warn(Notes& notes, const char* code, std::string message);
void inform(Notes& notes, const char* code, std::string message);

// Makes names unique: "Head", "Head (2)", "Head (3)".
class UniqueNames {
 public:
  // A sanitised, unused name based on `wanted`, or on `fallback` if `wanted` has no valid
  // characters.
  std::string take(std::string_view wanted, std::string_view fallback);
  // How many requested names were already used.
  int renamedCount() const { return renamed_; }

 private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, int> next_;
  int renamed_ = 0;
};

}  // namespace ck::worker
