#include "core/base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ck {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint32_t kNoDigit = 0xFF000000u;  // beyond the 24 bits of four digits

// The value of each character, shifted to its place in a group of four digits.
constexpr auto kValues = [] {
  std::array<std::array<std::uint32_t, 256>, 4> values{};
  for (auto& place : values) place.fill(kNoDigit);
  for (std::uint32_t digit = 0; digit < kDigits.size(); ++digit) {
    for (std::uint32_t place = 0; place < 4; ++place) {
      values[place][static_cast<unsigned char>(kDigits[digit])] = digit << (18 - 6 * place);
    }
  }
  return values;
}();

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
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

template <class Byte>
std::optional<std::vector<Byte>> bytesOfBase64(std::string_view text) {
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  const std::size_t left = text.size() % 4;
  if (left == 1) return std::nullopt;
  std::vector<Byte> bytes(text.size() / 4 * 3 + (left == 0 ? 0 : left - 1));
  Byte* out = bytes.data();
  const auto valueAt = [&](std::size_t at, std::size_t place) {
    return kValues[place][static_cast<unsigned char>(text[at])];
  };
  std::uint32_t wrong = 0;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const std::size_t count = std::min<std::size_t>(4, text.size() - at);
    std::uint32_t group = 0;
    for (std::size_t place = 0; place < count; ++place) group |= valueAt(at + place, place);
    wrong |= group;
    for (std::size_t byte = 0; byte + 1 < count; ++byte) {
      *out++ = static_cast<Byte>(group >> (16 - 8 * byte));
    }
  }
  if ((wrong & kNoDigit) != 0) return std::nullopt;
  return bytes;
}
template std::optional<std::vector<std::byte>> bytesOfBase64(std::string_view text);
template std::optional<std::vector<unsigned char>> bytesOfBase64(std::string_view text);

}  // namespace ck
