#include "core/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace ck {
namespace {

// `code` is above U+007F. Joiners (U+200C, U+200D) are letters of Persian and parts of emoji.
bool isUnseen(std::uint32_t code) {
  return code < 0xa0 || code == 0x61c || code == 0x180e || code == 0x200b || code == 0x200e ||
         code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

}  // namespace

std::size_t utf8SequenceLength(std::string_view text) {
  if (text.empty()) return 0;
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

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string visibleText(std::string_view text, bool keepsLines) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t length = utf8SequenceLength(text);
    const auto byte = static_cast<unsigned char>(text.front());
    std::uint32_t code = length > 1 ? byte & (0xFFu >> (length + 1)) : 0;
    for (std::size_t i = 1; i < length; ++i) {
      code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3F);
    }
    const bool isKept = keepsLines && byte == '\n';
    if (length == 0 || (length == 1 && !isKept && (byte < 0x20 || byte == 0x7f))) {
      safe += fmt::format("\\x{:02x}", byte);
    } else if (length > 1 && isUnseen(code)) {
      safe += fmt::format("\\u{:04x}", code);
    } else {
      safe += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return safe;
}

}  // namespace ck
