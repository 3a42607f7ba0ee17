#include "core/import/worker/confinement/source_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/import/worker/text/names.h"
#include "core/system/files.h"

namespace ck::worker {
namespace fs = std::filesystem;
namespace {

constexpr int kMostFiles = 256;
constexpr int kMostSearched = 10'000;
constexpr int kDeepestSearched = 3;

bool isInside(const fs::path& folder, const fs::path& file) {
  const auto differs = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return differs.first == folder.end();
}

}  // namespace

SourceFolder::SourceFolder(const fs::path& rigFile) {
  std::error_code error;
  const fs::path parent = rigFile.has_parent_path() ? rigFile.parent_path() : fs::path(".");
  folders_ = {fs::canonical(parent, error)};
  const fs::path target = fs::canonical(rigFile, error).parent_path();
  if (!error && target != folders_.front()) folders_.push_back(target);
}

Result<fs::path> SourceFolder::resolve(std::string_view reference) const {
  const std::string shown = cleanText(reference, 120);
  const auto refuse = [&shown](std::string_view why) {
    return fail(ErrorCode::FileUnreadable,
                fmt::format("'{}' is not read: {}; put it beside the rig file", shown, why));
  };
  if (reference.empty() || reference.find('\0') != std::string_view::npos) {
    return refuse("this is not a file name");
  }
  std::string text(reference);
  std::replace(text.begin(), text.end(), '\\', '/');
  if (text.find(':') != std::string::npos) return refuse("it names a drive or another scheme");
  const fs::path relative = pathFromText(text);
  if (relative.is_absolute()) return refuse("it is an absolute path");
  for (const fs::path& part : relative) {
    if (part == "..") return refuse("it lies outside the folder of the rig file");
  }
  std::error_code error;
  for (const fs::path& folder : folders_) {
    const fs::path real = fs::canonical(folder / relative, error);
    if (error) continue;
    const auto holds = [&real](const fs::path& each) { return isInside(each, real); };
    if (std::none_of(folders_.begin(), folders_.end(), holds)) {
      return refuse("it leads out of the folder of the rig file");
    }
    if (!fs::is_regular_file(real, error)) return refuse("it is not a regular file");
    return real;
  }
  return fail(ErrorCode::FileNotFound, fmt::format("'{}' is missing beside the rig file", shown));
}

std::optional<std::string> SourceFolder::findByName(std::string_view name) const {
  if (name.empty()) return std::nullopt;
  const auto lower = [](std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
    });
    return text;
  };
  const std::string wanted = lower(std::string(name));
  for (const fs::path& folder : folders_) {
    std::optional<std::pair<int, std::string>> best;  // depth and path
    std::error_code error;
    int seen = 0;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                           error);
    for (; !error && entry != fs::recursive_directory_iterator() && ++seen <= kMostSearched;
         entry.increment(error)) {
      if (entry.depth() >= kDeepestSearched) entry.disable_recursion_pending();
      if (lower(pathText(entry->path().filename())) != wanted) continue;
      std::error_code ignored;
      if (!entry->is_regular_file(ignored)) continue;
      std::pair found(entry.depth(), pathText(entry->path().lexically_relative(folder)));
      if (!best || found < *best) best = std::move(found);
    }
    if (best) return best->second;
  }
  return std::nullopt;
}

Result<std::vector<std::byte>> SourceFolder::read(std::string_view reference) {
  if (++filesRead_ > kMostFiles) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the rig names more than {} other files", kMostFiles));
  }
  const auto path = resolve(reference);
  if (!path) return tl::unexpected(path.error());
  return readFile(*path, kFileLimitBytes);
}

std::string percentDecoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size()) {
      const char* first = text.data() + i + 1;
      const auto parsed = std::from_chars(first, first + 2, value, 16);
      if (parsed.ec == std::errc() && parsed.ptr == first + 2) {
        decoded += static_cast<char>(value);
        i += 2;
        continue;
      }
    }
    decoded += text[i];
  }
  return decoded;
}

}  // namespace ck::worker
