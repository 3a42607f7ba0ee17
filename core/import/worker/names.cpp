#include "core/import/worker/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace ck::worker {
namespace {

// Bytes of the well-formed UTF-8 sequence at the start of `text`; 0 where it is broken.
std::size_t sequenceLength(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = (code << 6) | (byte(i) & 0x3F);
  }
  const bool tooLong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool notACharacter = code > 0x10FFFF || (code >= 0xD800 && code < 0xE000);
  return tooLong || notACharacter ? 0 : length;
}

}  // namespace

std::string cleanText(std::string_view text, std::size_t longest) {
  std::string clean;
  clean.reserve(std::min(text.size(), longest));
  while (!text.empty()) {
    const std::size_t length = sequenceLength(text);
    const std::size_t taken = std::max<std::size_t>(length, 1);
    if (clean.size() + taken > longest) break;
    const unsigned char lead = static_cast<unsigned char>(text[0]);
    // 0xC2 0x80..0x9F are control characters as well.
    const bool control =
        lead < 0x20 || lead == 0x7F ||
        (length == 2 && lead == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0);
    if (length == 0) {
      clean += '?';
    } else if (control) {
      clean += ' ';
    } else {
      clean += text.substr(0, length);
    }
    text.remove_prefix(taken);
  }
  return clean;
}

std::string UniqueNames::take(std::string_view wanted, std::string_view fallback) {
  std::string name = cleanText(wanted);
  if (name.find_first_not_of(' ') == std::string::npos) name = cleanText(fallback);
  if (used_.insert(name).second) return name;
  ++renamed_;
  int& number = next_.try_emplace(name, 2).first->second;
  while (true) {
    std::string candidate = fmt::format("{} ({})", name, number++);
    if (used_.insert(candidate).second) return candidate;
  }
}

}  // namespace ck::worker
