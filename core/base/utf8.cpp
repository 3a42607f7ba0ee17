#include "core/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace ck {
namespace {

// Of control characters, marks of direction, blanks of no or of unusual width (Hangul fillers, the
// empty Braille cell), format marks of music and of annotations, and tags; all above U+007F.
// Joiners (U+200C, U+200D) are letters of Persian and parts of emoji.
struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};
constexpr CodeRange kUnseen[] = {
    {0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},     {0x115f, 0x1160},
    {0x180e, 0x180e}, {0x200b, 0x200b}, {0x200e, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f}, {0x2800, 0x2800}, {0x3164, 0x3164},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0000, 0xe007f}};

bool isUnseen(std::uint32_t code) {
  return std::ranges::any_of(kUnseen, [code](const CodeRange& range) {
    return code >= range.first && code <= range.last;
  });
}

// The code point of the well-formed sequence of that length at the start of a text.
std::uint32_t codeOf(std::string_view text, std::size_t length) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (length < 2) return lead;
  std::uint32_t code = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3F);
  }
  return code;
}

// The length of a flag of a part of a country at the start of the text (Unicode, UTS #51, emoji tag
// sequences): a black flag, the tags of 3 to 7 small letters and digits ("gbsct"), the tag that
// ends them. 0 if there is none.
std::size_t flagLength(std::string_view text) {
  constexpr std::uint32_t kBlackFlag = 0x1f3f4;
  constexpr std::uint32_t kTags = 0xe0000;
  constexpr std::uint32_t kEnd = 0xe007f;
  constexpr std::size_t kEach = 4;  // bytes of each of these
  const auto at = [text](std::size_t i) {
    const std::string_view rest = text.substr(std::min(text.size(), kEach * i));
    return utf8SequenceLength(rest) == kEach ? codeOf(rest, kEach) : 0;
  };
  if (at(0) != kBlackFlag) return 0;
  std::size_t tags = 0;
  for (; tags <= 7; ++tags) {
    const std::uint32_t code = at(tags + 1);
    const bool isLetter = code >= kTags + 'a' && code <= kTags + 'z';
    const bool isDigit = code >= kTags + '0' && code <= kTags + '9';
    if (!isLetter && !isDigit) break;
  }
  return tags >= 3 && tags <= 7 && at(tags + 1) == kEnd ? kEach * (tags + 2) : 0;
}

}  // namespace

std::size_t utf8SequenceLength(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const std::uint32_t code = codeOf(text, length);
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
    const std::size_t flag = flagLength(text);
    const std::size_t length = flag > 0 ? flag : utf8SequenceLength(text);
    const auto byte = static_cast<unsigned char>(text.front());
    const std::uint32_t code = flag > 0 ? 0 : codeOf(text, length);
    const bool isKept = keepsLines && byte == '\n';
    if (length == 0 || (length == 1 && !isKept && (byte < 0x20 || byte == 0x7f))) {
      safe += fmt::format("\\x{:02x}", byte);
    } else if (length > 1 && isUnseen(code)) {
      safe += code > 0xffff ? fmt::format("\\U{:08x}", code) : fmt::format("\\u{:04x}", code);
    } else {
      safe += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return safe;
}

}  // namespace ck
