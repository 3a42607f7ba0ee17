#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace ck::cli {

// The number that is all of the text, or nothing. A real number out of range counts as infinite.
template <class Number>
std::optional<Number> numberFrom(std::string_view text) {
  Number number = {};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ptr != end || read.ec == std::errc::invalid_argument) return std::nullopt;
  if (read.ec == std::errc()) return number;
  if constexpr (std::floating_point<Number>) return std::numeric_limits<Number>::infinity();
  return std::nullopt;
}

// The bytes of a size such as 800000, 512K or 2M, or nothing.
inline std::optional<std::uint64_t> bytesFrom(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::uint64_t unit = 1;
  if (text.back() == 'K' || text.back() == 'k') unit = 1024;
  if (text.back() == 'M' || text.back() == 'm') unit = std::uint64_t{1024} * 1024;
  if (unit > 1) text.remove_suffix(1);
  const auto number = numberFrom<double>(text);
  if (!number) return std::nullopt;
  const double bytes = *number * static_cast<double>(unit);
  if (!(bytes >= 1.0 && bytes < 1e18)) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

// The numbers between commas; empty if one of them is not a finite number.
inline std::vector<double> numbersFrom(std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const auto number = numberFrom<double>(text.substr(start, comma - start));
    if (!number || !std::isfinite(*number)) return {};
    numbers.push_back(*number);
    start = comma + 1;
  }
  return numbers;
}

}  // namespace ck::cli
