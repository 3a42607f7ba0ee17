#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace ck {

// Enums with values from 0, whose names are listed in the same order.
template <class Enum>
constexpr std::string_view nameOf(std::span<const std::string_view> names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

template <class Enum>
std::optional<Enum> valueNamed(std::span<const std::string_view> names, std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace ck
