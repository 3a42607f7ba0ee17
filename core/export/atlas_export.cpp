#include "core/export/atlas_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include "core/atlas/atlas_file.h"
#include "core/base/files.h"
#include "core/base/utf8.h"
#include "core/export/atlas_folder.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannotWrite(const fs::path& path, const std::string& reason) {
  const std::string name = pathText(path);
  return fail(ErrorCode::CannotWrite, fmt::format("{}: cannot be written: {}", name, reason), name);
}

// A new folder that is deleted with its content on destruction. Its parent is deleted as well if it
// was created for it and is empty.
class TemporaryFolder {
 public:
  static Result<std::unique_ptr<TemporaryFolder>> make(const fs::path& parent) {
    std::error_code problem;
    const bool isNew = fs::create_directories(parent, problem);
    if (problem) return cannotWrite(parent, problem.message());
    std::string pattern = (parent / ".crowdkiln-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      const int code = errno;
      if (isNew) fs::remove(parent, problem);
      return cannotWrite(parent, std::strerror(code));
    }
    return std::unique_ptr<TemporaryFolder>(
        new TemporaryFolder(pattern, isNew ? parent : fs::path()));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (!newParent_.empty()) fs::remove(newParent_, ignored);  // fails if it is not empty
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  TemporaryFolder(fs::path path, fs::path newParent)
      : path_(std::move(path)), newParent_(std::move(newParent)) {}
  fs::path path_;
  fs::path newParent_;
};

// Backups of the old files of a set, so that a failed replacement can be undone. At every moment
// each file of the set is complete: the old or the new one.
class OldSet {
 public:
  OldSet(fs::path folder, fs::path aside) : folder_(std::move(folder)), aside_(std::move(aside)) {}

  // Backs up the file of that name, if it exists.
  bool keep(const fs::path& name) {
    names_.push_back(name);
    if (!fs::exists(fs::symlink_status(folder_ / name, problem_))) return true;
    problem_.clear();
    fs::create_hard_link(folder_ / name, aside_ / name, problem_);
    if (problem_) fs::copy_file(folder_ / name, aside_ / name, problem_);
    return !problem_;
  }
  void restore() {
    std::error_code ignored;
    for (const fs::path& name : names_) {
      if (fs::exists(aside_ / name, ignored)) {
        fs::rename(aside_ / name, folder_ / name, ignored);
      } else {
        fs::remove(folder_ / name, ignored);
      }
    }
  }
  std::string reason() const { return problem_.message(); }

 private:
  fs::path folder_;
  fs::path aside_;
  std::vector<fs::path> names_;
  std::error_code problem_;
};

// Replaces the old set by the new files. On failure the old set is restored.
Result<void> replaceSet(const fs::path& from, const fs::path& folder, const std::string& name,
                        std::span<const ExportedFile> files) {
  std::vector<fs::path> set;
  std::error_code problem;
  for (const ExportFormat& format : kExportFormats) {
    set.push_back(pathFromText(fileNameOf(name, format.kind)));
    if (!fs::is_directory(folder / set.back(), problem)) continue;
    return cannotWrite(folder / set.back(), "a folder has that name");
  }
  const fs::path aside = from / "old";
  fs::create_directory(aside, problem);
  if (problem) return cannotWrite(folder, problem.message());
  OldSet old(folder, aside);
  for (const fs::path& file : set) {
    if (!old.keep(file)) return cannotWrite(folder / file, old.reason());
  }
  for (const ExportedFile& file : files) {
    const fs::path target = pathFromText(file.name);
    std::erase(set, target);
    fs::rename(from / target, folder / target, problem);
    if (!problem) continue;
    old.restore();
    return cannotWrite(folder / target, problem.message());
  }
  // Remove old files that the new set does not have.
  for (const fs::path& file : set) fs::remove(folder / file, problem);
  return {};
}

// Writes the file of that kind of the set `name`.
Result<ExportedFile> writeFile(const std::string& name, ExportKind kind,
                               std::span<const std::byte> bytes, const fs::path& folder) {
  const std::string fileName = fileNameOf(name, kind);
  const auto written = writeFileAtomically(folder / pathFromText(fileName), bytes);
  if (!written) return tl::unexpected(written.error());
  return ExportedFile{fileName, kind, bytes.size(), hashText(hashBytes(bytes))};
}

// Reads the written files from disk and compares them with the atlas.
Result<void> compareWritten(const Atlas& atlas, const fs::path& folder, std::size_t wanted) {
  if (wanted == 0) return {};
  const auto found = readAtlasFolder(folder);
  if (!found) {
    return fail(ErrorCode::Internal,
                fmt::format("what was written does not read back: {}", found.error().message));
  }
  for (const FoundAtlas& set : *found) {
    if (set.atlas == atlas) continue;
    return fail(ErrorCode::Internal, fmt::format("the {} file that was written holds another atlas",
                                                 exportFormat(set.kind).name));
  }
  if (found->size() == wanted) return {};
  return fail(ErrorCode::Internal,
              fmt::format("{} image sets were written and {} read back", wanted, found->size()));
}

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Cancelled, "the export was stopped");
}

// The container states the error as well.
Result<std::vector<std::byte>> bytesOf(ExportKind kind, const Atlas& atlas,
                                       const BakeError* error) {
  if (kind == ExportKind::Ckatlas) return atlasToBytes(atlas, error);
  return exportFormat(kind).write(atlas);
}

// Writes all files to `folder`, the sidecar last.
Result<std::vector<ExportedFile>> writeSet(const Atlas& atlas, const std::string& name,
                                           const fs::path& folder, const ExportSettings& settings,
                                           const BakeError* error, const JobContext& job) {
  ExportKinds images = withSidecar(settings.kinds);
  const bool hasSidecar = images.erase(ExportKind::Json) > 0;
  std::vector<ExportedFile> files;
  for (const ExportKind kind : images) {
    if (job.stopRequested()) return stopped();
    const auto bytes = bytesOf(kind, atlas, error);
    if (!bytes) return tl::unexpected(bytes.error());
    auto file = writeFile(name, kind, *bytes, folder);
    if (!file) return tl::unexpected(file.error());
    files.push_back(std::move(*file));
    job.report(0.6f * static_cast<float>(files.size()) / static_cast<float>(images.size()),
               "Writing files");
  }
  if (hasSidecar) {
    const std::string text = sidecarText({.name = name,
                                          .atlas = atlas,
                                          .files = files,
                                          .clipSources = settings.clipSources,
                                          .clipEvents = settings.clipEvents},
                                         error);
    auto file = writeFile(name, ExportKind::Json, std::as_bytes(std::span(text)), folder);
    if (!file) return tl::unexpected(file.error());
    files.push_back(std::move(*file));
  }
  if (job.stopRequested()) return stopped();
  job.report(0.7f, "Reading back");
  if (auto same = compareWritten(atlas, folder, images.size()); !same) {
    return tl::unexpected(same.error());
  }
  return files;
}

}  // namespace

std::vector<ClipSource> clipSourcesOf(const std::vector<std::string>& files) {
  std::vector<ClipSource> sources;
  for (std::size_t f = 1; f < files.size(); ++f) {
    const auto bytes = readFile(pathFromText(files[f]), std::uint64_t{8} << 30);
    if (!bytes || !isUtf8(files[f])) return {};
    sources.push_back({files[f], hashBytes(*bytes)});
  }
  return sources;
}

std::string fileNameOf(const std::string& name, ExportKind kind) {
  return name + std::string(exportFormat(kind).ending);
}

Result<void> checkExport(Encoding encoding, const ExportSettings& settings) {
  const EncodingInfo& info = encodingInfo(encoding);
  for (const ExportKind kind : settings.kinds) {
    const ExportFormat& format = exportFormat(kind);
    if (format.stored == nullptr || !format.stored(info.format).empty()) continue;
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("{} cannot hold these texels: {} has {} ({}); export {}, or bake as "
                    "another encoding",
                    format.name, info.name, isFloat(info.format) ? "floats" : "whole numbers",
                    texelFormatName(info.format), imageFormatNames(info.format)));
  }
  return {};
}

Result<std::vector<ExportedFile>> exportAtlas(const Atlas& atlas, const std::string& name,
                                              const fs::path& folder,
                                              const ExportSettings& settings,
                                              const BakeError* error, JobContext job) {
  if (name.empty() || pathFromText(name).filename() != pathFromText(name) || name[0] == '.') {
    return fail(ErrorCode::CannotWrite, fmt::format("'{}' cannot be the name of a file", name));
  }
  if (auto ok = checkExport(atlas.encoding, settings); !ok) return tl::unexpected(ok.error());
  const auto temporary = TemporaryFolder::make(folder);
  if (!temporary) return tl::unexpected(temporary.error());
  const fs::path& work = (*temporary)->path();
  auto files = writeSet(atlas, name, work, settings, error, job);
  if (!files) return files;
  if (job.stopRequested()) return stopped();
  if (auto moved = replaceSet(work, folder, name, *files); !moved) {
    return tl::unexpected(moved.error());
  }
  job.report(1.0f, "Exported");
  return files;
}

}  // namespace ck
