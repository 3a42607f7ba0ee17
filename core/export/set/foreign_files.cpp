#include "core/export/set/foreign_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/files.h"
#include "core/export/export_format.h"
#include "core/export/sidecar_json.h"

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

// The files of targets that a sidecar lists. None if it cannot be read.
std::set<std::string> listedFiles(const fs::path& sidecar) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;
  std::set<std::string> files;
  const auto bytes = readFile(sidecar, kMostBytes);
  if (!bytes) return files;
  const auto old = sidecarFromText({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!old) return files;
  for (const ExportedTarget& target : old->targets) {
    for (const ExportedTargetFile& file : target.files) files.insert(file.name);
  }
  return files;
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

Result<void> checkInputsStay(const fs::path& folder, std::span<const fs::path> names,
                             std::span<const fs::path> inputs) {
  std::error_code failed;
  const fs::path whole = fs::weakly_canonical(fs::absolute(folder, failed), failed);
  for (const fs::path& input : inputs) {
    if (!isThere(input)) continue;
    for (const fs::path& place : placesOf(input)) {
      for (const fs::path& name : names) {
        if (!isAtOrBelow(place, whole / name)) continue;
        return fail(ErrorCode::CannotWrite,
                    fmt::format("{}: is read for this export, which would replace or remove it as "
                                "'{}' of the set; export to another folder",
                                pathText(input), pathText(name)),
                    pathText(input));
      }
    }
  }
  return {};
}

Result<void> keepForeignFiles(const fs::path& folder, const std::string& name,
                              std::span<const fs::path> names, std::span<const fs::path> formats,
                              const fs::path& work) {
  const std::set<std::string> own =
      listedFiles(folder / pathFromText(fileNameOf(name, ExportKind::Json)));
  const auto keepOne = [&](const fs::path& relative) -> Result<void> {
    if (own.contains(pathText(relative))) return {};
    const std::error_code problem = keep(folder / relative, work / relative);
    if (problem) return cannotKeep(folder / relative, problem);
    return {};
  };
  for (const fs::path& at : names) {
    if (std::ranges::find(formats, at) != formats.end() || !isThere(folder / at)) continue;
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
