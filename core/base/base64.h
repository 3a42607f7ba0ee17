#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace ck {

// The base64 of RFC 4648, section 4, with padding: four characters for every three bytes.
std::string base64(std::span<const std::byte> bytes);

}  // namespace ck
