#include "core/export/set/foreign_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/export_format.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannotKeep(const fs::path& path, const std::error_code& why) {
  const std::string name = pathText(path);
  return fail(ErrorCode::CannotWrite,
              fmt::format("{}: was not written by an export and cannot be kept: {}; move it away",
                          name, why.message()),
              name);
}

bool isThere(const fs::path& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

// The place of a file itself, which may be a link, and where its content is.
std::vector<fs::path> placesOf(const fs::path& file) {
  std::error_code failed;
  const fs::path whole = fs::absolute(file, failed);
  return {fs::weakly_canonical(whole.parent_path(), failed) / whole.filename(),
          fs::weakly_canonical(whole, failed)};
}

bool isAtOrBelow(const fs::path& file, const fs::path& place) {
  const auto [ofPlace, ofFile] = std::ranges::mismatch(place, file);
  return ofPlace == place.end();
}

bool isFormat(std::string_view name) {
  return std::ranges::any_of(
      kExportFormats, [name](const ExportFormat& format) { return name.ends_with(format.ending); });
}

std::error_code keep(const fs::path& file, const fs::path& as) {
  std::error_code problem;
  if (isThere(as)) return problem;
  fs::create_directories(as.parent_path(), problem);
  if (problem) return problem;
  if (fs::is_symlink(fs::symlink_status(file, problem))) {
    fs::copy_symlink(file, as, problem);
    return problem;
  }
  fs::create_hard_link(file, as, problem);
  if (problem) fs::copy_file(file, as, problem);
  return problem;
}

}  // namespace

Result<void> checkInputsStay(const fs::path& folder, std::span<const SetChange> changes,
                             std::span<const fs::path> inputs) {
  std::error_code failed;
  const fs::path resolved = fs::weakly_canonical(fs::absolute(folder, failed), failed);
  for (const fs::path& input : inputs) {
    if (!isThere(input)) continue;
    for (const fs::path& place : placesOf(input)) {
      for (const SetChange& change : changes) {
        if (!isAtOrBelow(place, resolved / pathFromText(change.name))) continue;
        return fail(ErrorCode::CannotWrite,
                    fmt::format("{}: is read for this export, which would replace or remove it as "
                                "'{}' of the set; export to another folder",
                                pathText(input), change.name),
                    pathText(input));
      }
    }
  }
  return {};
}

Result<void> keepForeignFiles(const fs::path& folder, const EarlierSet& earlier,
                              std::span<const SetChange> changes, const fs::path& work) {
  const std::set<std::string> own = targetFilesOf(earlier);
  const auto keepOne = [&](const fs::path& relative) -> Result<void> {
    if (own.contains(pathText(relative))) return {};
    const std::error_code problem = keep(folder / relative, work / relative);
    if (problem) return cannotKeep(folder / relative, problem);
    return {};
  };
  for (const SetChange& change : changes) {
    const fs::path at = pathFromText(change.name);
    if (isFormat(change.name) || !isThere(folder / at)) continue;
    std::error_code problem;
    const fs::file_status status = fs::symlink_status(folder / at, problem);
    if (!fs::is_directory(status)) {
      if (auto kept = keepOne(at); !kept) return kept;
      continue;
    }
    fs::recursive_directory_iterator entry(folder / at, problem);
    for (const fs::recursive_directory_iterator end; !problem && entry != end;
         entry.increment(problem)) {
      const fs::file_status kind = entry->symlink_status(problem);
      if (problem || (!fs::is_regular_file(kind) && !fs::is_symlink(kind))) continue;
      if (auto kept = keepOne(entry->path().lexically_relative(folder)); !kept) return kept;
    }
    if (problem) return cannotKeep(folder / at, problem);
  }
  return {};
}

}  // namespace ck
