#include "core/base/base64.h"

#include <algorithm>
#include <string_view>

namespace ck {

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      group = group << 8U | (b < count ? std::to_integer<unsigned>(bytes[i + b]) : 0U);
    }
    for (std::size_t digit = 0; digit < 4; ++digit) {
      text += digit <= count ? kDigits[group >> (18U - 6U * digit) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace ck
