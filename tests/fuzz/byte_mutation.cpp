#include "tests/fuzz/byte_mutation.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ck::fuzz {
namespace {

constexpr std::string_view kNumberStart = "-0123456789";
constexpr std::string_view kNumber = "+-.0123456789eE";

std::size_t below(std::size_t end, std::mt19937& random) {
  return end == 0 ? 0 : random() % end;
}

void changeNumber(std::string& text, std::mt19937& random) {
  static constexpr std::array<std::string_view, 18> kOthers = {
      "0",   "1",      "-1",    "2",   "3",   "4",     "65535", "4294967296", "-2147483648",
      "1e9", "-1e300", "1e999", "nan", "0.5", "1e-30", "7",     "100000000",  "-0"};
  const std::size_t at = text.find_first_of(kNumberStart, below(text.size(), random));
  if (at == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_not_of(kNumber, at), text.size());
  text.replace(at, end - at, kOthers[below(kOthers.size(), random)]);
}

void changeLines(std::string& text, std::mt19937& random) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  if (lines.size() < 2) return;
  const std::size_t at = below(lines.size(), random);
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random() % 3) {
    case 0:
      lines.erase(place);
      break;
    case 1:
      lines.insert(place, std::string(lines[below(lines.size(), random)]));
      break;
    default:
      std::swap(lines[at], lines[below(lines.size(), random)]);
      break;
  }
  text.clear();
  for (const std::string& line : lines) text += line;
}

// A word takes the place of another one.
void changeWord(std::string& text, std::mt19937& random) {
  constexpr std::string_view kBreaks = " \t\r\n\"'<>=,;:{}()[]/";
  const auto wordFrom = [&](std::size_t from) {
    const std::size_t at = std::min(text.find_first_not_of(kBreaks, from), text.size());
    return std::pair(at, std::min(text.find_first_of(kBreaks, at), text.size()) - at);
  };
  const auto [at, size] = wordFrom(below(text.size(), random));
  const auto [otherAt, otherSize] = wordFrom(below(text.size(), random));
  const std::string other = text.substr(otherAt, otherSize);
  text.replace(at, size, other);
}

}  // namespace

std::string mutatedBytes(std::string_view bytes, std::string_view other, std::mt19937& random) {
  std::string changed(bytes);
  if (changed.empty()) return changed;
  const std::size_t at = below(changed.size(), random);
  const std::size_t size = below(std::min<std::size_t>(changed.size() - at, 64), random) + 1;
  switch (random() % 6) {
    case 0:
      changed.erase(at, size);
      break;
    case 1:
      changed.insert(at, changed.substr(at, size));
      break;
    case 2:
      changed.resize(at);
      break;
    case 3:
      changed.resize(at);
      changed += other.substr(below(other.size(), random));
      break;
    default:
      for (auto steps = 1 + random() % 8; steps > 0; --steps) {
        char& byte = changed[below(changed.size(), random)];
        byte = random() % 2 == 0 ? static_cast<char>(byte ^ (1 << random() % 8))
                                 : static_cast<char>(random());
      }
      break;
  }
  return changed;
}

std::string mutatedText(std::string_view text, std::mt19937& random) {
  std::string changed(text);
  for (auto steps = 1 + random() % 4; steps > 0 && !changed.empty(); --steps) {
    switch (random() % 4) {
      case 0:
        changeLines(changed, random);
        break;
      case 1:
        changeWord(changed, random);
        break;
      default:
        changeNumber(changed, random);
        break;
    }
  }
  return changed;
}

}  // namespace ck::fuzz
