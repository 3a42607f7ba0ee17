#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ck {

// The base64 of RFC 4648, section 4, with padding: four characters for every three bytes.
std::string base64(std::span<const std::byte> bytes);

// The bytes of such a text, with or without its padding. Nothing if it has any other character, or
// a length that no bytes have. Byte is std::byte or unsigned char.
template <class Byte = std::byte>
std::optional<std::vector<Byte>> bytesOfBase64(std::string_view text);
extern template std::optional<std::vector<std::byte>> bytesOfBase64(std::string_view text);
extern template std::optional<std::vector<unsigned char>> bytesOfBase64(std::string_view text);

}  // namespace ck
