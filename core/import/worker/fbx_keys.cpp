#include "core/import/worker/fbx_keys.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

namespace ck::worker {
namespace {

constexpr std::string_view kKeys = "KeyValueFloat";
constexpr double kLargest = 1e9;

bool isSane(double value) {
  return std::abs(value) <= kLargest;
}

// Behind the name of a binary node: the type of its one property, its length, how it is packed and
// how many bytes that takes (FBX 7, array properties), little-endian.
std::optional<double> wildBinaryKey(std::string_view behind) {
  constexpr std::size_t kHeader = 1 + 3 * 4;
  if (behind.size() < kHeader || (behind[0] != 'f' && behind[0] != 'd')) return std::nullopt;
  const std::size_t size = behind[0] == 'f' ? 4 : 8;
  std::uint32_t count = 0;
  std::uint32_t packing = 0;
  std::memcpy(&count, behind.data() + 1, 4);
  std::memcpy(&packing, behind.data() + 5, 4);
  if (packing != 0 || (behind.size() - kHeader) / size < count) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    const char* at = behind.data() + kHeader + i * size;
    double value = 0.0;
    if (size == 8) {
      std::memcpy(&value, at, 8);
    } else {
      float narrow = 0.0f;
      std::memcpy(&narrow, at, 4);
      value = static_cast<double>(narrow);
    }
    if (!isSane(value)) return value;
  }
  return std::nullopt;
}

// Behind the name of a node in text: ": *3 { a: 0,45,90 }", or the numbers alone in older files.
std::optional<double> wildTextKey(std::string_view behind) {
  const std::size_t end = std::min(behind.find('}'), behind.size());
  std::size_t at = behind.find("a:");
  at = at < end ? at + 2 : behind.find(':') + 1;
  while (at < end) {
    at = behind.find_first_not_of(" \t\r\n,", at);
    if (at >= end) break;
    double value = 0.0;
    const auto read = std::from_chars(behind.data() + at, behind.data() + end, value);
    if (read.ec == std::errc::result_out_of_range) return std::nan("");
    if (read.ec != std::errc()) break;
    if (!isSane(value)) return value;
    at = static_cast<std::size_t>(read.ptr - behind.data());
  }
  return std::nullopt;
}

}  // namespace

Result<void> checkFbxKeys(std::span<const std::byte> bytes) {
  const std::string_view file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool binary = file.starts_with("Kaydara");
  for (std::size_t at = file.find(kKeys); at != std::string_view::npos;
       at = file.find(kKeys, at + kKeys.size())) {
    const std::string_view behind = file.substr(at + kKeys.size());
    const auto wild = binary ? wildBinaryKey(behind) : wildTextKey(behind);
    if (!wild) continue;
    return fail(ErrorCode::InvalidInput,
                fmt::format("a key of a curve is {}, beyond {:.0e}; the file is damaged, so export "
                            "it again",
                            *wild, kLargest));
  }
  return {};
}

}  // namespace ck::worker
