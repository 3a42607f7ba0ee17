#include "core/base/utf8.h"

#include <cstdint>

namespace ck {
namespace {

// How many bytes follow the first of a UTF-8 sequence, and the smallest code that needs so many.
struct Utf8Lead {
  int more = -1;  // -1: no such lead byte
  std::uint32_t bits = 0;
  std::uint32_t smallest = 0;
};

Utf8Lead utf8Lead(unsigned char byte) {
  if (byte < 0x80) return {0, byte, 0};
  if ((byte & 0xE0) == 0xC0) return {1, byte & 0x1Fu, 0x80};
  if ((byte & 0xF0) == 0xE0) return {2, byte & 0x0Fu, 0x800};
  if ((byte & 0xF8) == 0xF0) return {3, byte & 0x07u, 0x10000};
  return {};
}

}  // namespace

bool isUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Lead lead = utf8Lead(static_cast<unsigned char>(text[i]));
    ++i;
    std::uint32_t code = lead.bits;
    for (int k = 0; k < lead.more; ++k, ++i) {
      if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return false;
      code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3Fu);
    }
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (lead.more < 0 || code < lead.smallest || code > 0x10FFFF || surrogate) return false;
  }
  return true;
}

}  // namespace ck
