#include "core/import/worker/fbx/fbx_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "core/base/byte_stream.h"

namespace ck::worker {
namespace {

constexpr std::string_view kKeys = "KeyValueFloat";
constexpr double kLargest = 1e9;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

bool isSane(double value) {
  return std::abs(value) <= kLargest;
}

// The bytes after the name of a binary node: type of its single property, element count, encoding
// and byte size (FBX 7, array properties), little-endian. `next` is the position of the next such
// node's name, or the end of the file.
std::optional<double> wildBinaryKey(std::string_view behind, std::size_t next) {
  ByteReader in(std::as_bytes(std::span(behind)));
  const char type = in.number<char>();
  const auto count = in.number<std::uint32_t>();
  const auto packing = in.number<std::uint32_t>();
  in.take(4);
  if (!in.good() || (type != 'f' && type != 'd') || packing != 0) return std::nullopt;
  const std::size_t size = type == 'f' ? 4 : 8;
  if (in.left() / size < count) return std::nullopt;
  // Keys that hold the name of the next node are none; and each byte is looked at once.
  if (behind.size() - in.left() + count * size > next) return kNoNumber;
  for (std::size_t i = 0; i < count; ++i) {
    const double value =
        type == 'd' ? in.number<double>() : static_cast<double>(in.number<float>());
    if (!isSane(value)) return value;
  }
  return std::nullopt;
}

constexpr std::string_view kBlanks = " \t\r\n";

// Reads comma-separated numbers in `list`. If other nodes may follow, the list ends at a number
// that is not followed by a comma.
std::optional<double> wildNumber(std::string_view list, bool isWhole) {
  const auto skip = [&list](std::string_view characters) {
    list.remove_prefix(std::min(list.find_first_not_of(characters), list.size()));
  };
  skip(kBlanks);
  while (!list.empty()) {
    if (list.front() == '+') list.remove_prefix(1);
    double value = 0.0;
    const auto read = std::from_chars(list.data(), list.data() + list.size(), value);
    if (read.ec != std::errc()) return kNoNumber;
    if (!isSane(value)) return value;
    list.remove_prefix(static_cast<std::size_t>(read.ptr - list.data()));
    const bool ends = list.empty() || kBlanks.find(list.front()) != std::string_view::npos;
    skip(kBlanks);
    if (!list.starts_with(',') && !list.empty()) {
      return isWhole || !ends ? std::optional(kNoNumber) : std::nullopt;
    }
    list.remove_prefix(list.empty() ? 0 : 1);
    skip(kBlanks);
  }
  return std::nullopt;
}

// Reads a text node after its name: ": *3 { a: 0,45,90 }", or only the numbers in older files.
// Other nodes may follow.
std::optional<double> wildTextKey(std::string_view node) {
  const auto skip = [&node] {
    node.remove_prefix(std::min(node.find_first_not_of(kBlanks), node.size()));
  };
  skip();
  if (!node.starts_with(':')) return std::nullopt;
  node.remove_prefix(1);
  skip();
  if (!node.starts_with('*')) return wildNumber(node, false);
  node = node.substr(0, node.find('}'));
  const std::size_t list = node.find("a:");
  return list == std::string_view::npos ? std::nullopt : wildNumber(node.substr(list + 2), true);
}

}  // namespace

Result<void> checkFbxKeys(std::span<const std::byte> bytes) {
  const std::string_view file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool binary = file.starts_with("Kaydara");
  for (std::size_t at = file.find(kKeys); at != std::string_view::npos;) {
    const std::string_view behind = file.substr(at + kKeys.size());
    const std::size_t next = std::min(behind.find(kKeys), behind.size());
    at = next < behind.size() ? at + kKeys.size() + next : std::string_view::npos;
    const auto wild = binary ? wildBinaryKey(behind, next) : wildTextKey(behind.substr(0, next));
    if (!wild) continue;
    return fail(ErrorCode::InvalidInput,
                fmt::format("a key of a curve is {}, beyond {:.0e}; the file is damaged, so export "
                            "it again",
                            *wild, kLargest));
  }
  return {};
}

}  // namespace ck::worker
