#include "core/import/worker/gltf/gltf_data_uris.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "core/base/base64.h"

namespace ck::worker {
namespace {

// It is shown in messages, and its colon keeps it from naming a file of a folder.
constexpr std::string_view kReference = "bytes within the file:";

// Whether the string that begins at `quote` is the value of a key "uri".
bool isUri(std::string_view json, std::size_t quote) {
  const auto skipBlanks = [&](std::size_t& end) {
    while (end > 0 && std::string_view(" \t\r\n").find(json[end - 1]) != std::string_view::npos) {
      --end;
    }
  };
  std::size_t end = quote;
  skipBlanks(end);
  if (end == 0 || json[end - 1] != ':') return false;
  --end;
  skipBlanks(end);
  constexpr std::string_view kKey = "\"uri\"";
  const std::string_view before = json.substr(0, end);
  if (!before.ends_with(kKey)) return false;
  return !before.substr(0, before.size() - kKey.size()).ends_with('\\');
}

// The bytes of the inside of a JSON string that is a data URI in base64.
std::optional<std::vector<unsigned char>> decoded(std::string_view uri) {
  constexpr std::size_t kLongestType = 200;
  constexpr std::string_view kMark = ";base64,";
  const std::size_t mark = uri.substr(0, kLongestType).find(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::string_view digits = uri.substr(mark + kMark.size());
  if (digits.find('\\') == std::string_view::npos) return bytesOfBase64<unsigned char>(digits);
  // Some writers escape every slash.
  std::string plain;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] == '\\' && i + 1 < digits.size() && digits[i + 1] == '/') continue;
    plain += digits[i];
  }
  return bytesOfBase64<unsigned char>(plain);
}

}  // namespace

DataUris::DataUris(std::string_view json) {
  constexpr std::string_view kStart = "\"data:";
  std::size_t copied = 0;
  for (std::size_t at = json.find(kStart); at != std::string_view::npos;
       at = json.find(kStart, at + 1)) {
    const std::size_t first = at + 1;
    const std::size_t end = json.find('"', first);
    if (end == std::string_view::npos) break;
    if (!isUri(json, at)) continue;
    auto bytes = decoded(json.substr(first, end - first));
    if (!bytes || bytes->empty()) continue;
    text_ += json.substr(copied, first - copied);
    text_ += fmt::format("{}{}", kReference, taken_.size());
    copied = end;
    taken_.push_back({text_.size(), copied - text_.size(), std::move(*bytes)});
    at = end;
  }
  if (!taken_.empty()) text_ += json.substr(copied);
}

std::size_t DataUris::originalOffset(std::size_t at) const {
  const auto after =
      std::upper_bound(taken_.begin(), taken_.end(), at,
                       [](std::size_t offset, const Taken& taken) { return offset < taken.end; });
  return after == taken_.begin() ? at : at + std::prev(after)->removed;
}

std::vector<unsigned char>* DataUris::bytesOf(std::string_view reference) {
  if (!reference.starts_with(kReference)) return nullptr;
  reference.remove_prefix(kReference.size());
  std::size_t index = 0;
  const char* end = reference.data() + reference.size();
  const auto [stop, error] = std::from_chars(reference.data(), end, index);
  if (error != std::errc() || stop != end || index >= taken_.size()) return nullptr;
  return &taken_[index].bytes;
}

}  // namespace ck::worker
