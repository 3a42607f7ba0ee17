#include "core/export/set/atlas_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/assert.h"
#include "core/base/files.h"
#include "core/base/parallel_for.h"
#include "core/base/utf8.h"
#include "core/container/atlas_file.h"
#include "core/export/atlas_folder.h"
#include "core/export/exported_rig.h"
#include "core/export/image_file.h"
#include "core/export/set/foreign_files.h"
#include "core/export/set_folder.h"
#include "core/export/targets/glb.h"
#include "core/export/targets/impostor_folder.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannotWrite(const fs::path& path, const std::string& reason) {
  const std::string name = pathText(path);
  return fail(ErrorCode::CannotWrite, fmt::format("{}: cannot be written: {}", name, reason), name);
}

// The names of everything that a set of that name may have, files and folders, the sidecar last.
struct NamesOfSet {
  std::vector<fs::path> all;
  std::vector<fs::path> formats;  // among them
};
NamesOfSet namesOfSet(const std::string& name) {
  NamesOfSet names;
  for (const ExportTarget& target : exportTargets()) {
    std::string_view ending = target.ending;
    if (ending.ends_with('/')) ending.remove_suffix(1);
    names.all.push_back(pathFromText(name + std::string(ending)));
  }
  for (const ExportFormat& format : kExportFormats) {
    names.formats.push_back(pathFromText(fileNameOf(name, format.kind)));
  }
  names.all.insert(names.all.end(), names.formats.begin(), names.formats.end());
  return names;
}

bool isFolderOfTarget(const fs::path& name) {
  return std::ranges::any_of(exportTargets(), [&](const ExportTarget& target) {
    return target.ending.ends_with('/') && (pathText(name) + "/").ends_with(target.ending);
  });
}

// Writes the file of that kind of the set `name`.
Result<ExportedFile> writeFile(const std::string& name, ExportKind kind,
                               std::span<const std::byte> bytes, const fs::path& folder) {
  const std::string fileName = fileNameOf(name, kind);
  const auto written = writeFileAtomically(folder / pathFromText(fileName), bytes);
  if (!written) return tl::unexpected(written.error());
  return ExportedFile{fileName, kind, bytes.size(), hashText(hashBytes(bytes))};
}

// Reads the written files from disk and compares them with the atlas and, if a sidecar was written,
// with its events.
Result<void> compareWritten(const Atlas& atlas, const fs::path& folder, std::size_t wanted,
                            const std::vector<ExportedEvents>* events) {
  if (wanted == 0) return {};
  const auto found = readAtlasFolder(folder, {.ownFiles = true});
  if (!found) {
    return fail(ErrorCode::Internal,
                fmt::format("what was written does not read back: {}", found.error().message));
  }
  for (const FoundAtlas& set : *found) {
    if (set.atlas != atlas) {
      return fail(ErrorCode::Internal,
                  fmt::format("the {} file that was written holds another atlas",
                              exportFormat(set.kind).name));
    }
    if (events == nullptr || set.clipEvents == *events) continue;
    return fail(ErrorCode::Internal, "the sidecar that was written holds other events");
  }
  if (found->size() == wanted) return {};
  return fail(ErrorCode::Internal,
              fmt::format("{} image sets were written and {} read back", wanted, found->size()));
}

Result<void> compareImpostors(const Impostors& drawn, const std::string& name,
                              const fs::path& folder) {
  std::string inside = name + std::string(exportTarget(TargetKind::Impostors).ending);
  const auto found = readImpostors(folder / pathFromText(inside), name, {.ownFiles = true});
  if (!found) {
    return fail(
        ErrorCode::Internal,
        fmt::format("the impostors that were written do not read back: {}", found.error().message));
  }
  if (*found == drawn) return {};
  return fail(ErrorCode::Internal, "the impostors that were written read back differently");
}

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Cancelled, "the export was stopped");
}

// The container states the error as well.
Result<std::vector<std::byte>> bytesOf(ExportKind kind, const Atlas& atlas, const BakeError* error,
                                       int threadCount) {
  if (kind == ExportKind::Ckatlas) return atlasToBytes(atlas, {error}, threadCount);
  return exportFormat(kind).write(atlas);
}

Result<ExportedTargetFile> writeTargetFile(const TargetFile& file, const fs::path& folder) {
  const fs::path path = folder / pathFromText(file.path);
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  if (problem) return cannotWrite(path.parent_path(), problem.message());
  if (auto ok = writeFileAtomically(path, file.bytes); !ok) return tl::unexpected(ok.error());
  const auto back = readFile(path, std::numeric_limits<std::uint64_t>::max());
  if (!back) return tl::unexpected(back.error());
  if (*back != file.bytes) {
    return fail(ErrorCode::Internal, fmt::format("{} reads back differently", file.path));
  }
  return ExportedTargetFile{file.path, file.bytes.size(), hashText(hashBytes(file.bytes))};
}

Result<ExportedTarget> writeTarget(const ExportTarget& target, const TargetInput& input,
                                   const fs::path& folder, const JobContext& job) {
  const auto about = [&](const Error& error) {
    return fail(error.code, fmt::format("{}: {}", target.name, error.message), error.file);
  };
  const auto files = target.files(input, job);
  if (!files) return about(files.error());
  ExportedTarget written;
  written.kind = target.name;
  if (target.losses != nullptr) written.losses = target.losses(input);
  if (target.shown != nullptr) {
    const auto shown = target.shown(input, job);
    if (!shown) return about(shown.error());
    ErrorFigure& stated = written.shown.emplace();
    stated.max = shown->max;
    stated.p99 = shown->p99;
    stated.rms = shown->rms;
  }
  // A disk makes many files safe in the time of a few.
  constexpr int kWriters = 8;
  JobContext writing = job;
  if (writing.threadCount == 0) writing.threadCount = kWriters;
  std::vector<Result<ExportedTargetFile>> made(files->size());
  const bool done = parallelFor(
      made.size(), writing, [&](std::size_t i) { made[i] = writeTargetFile((*files)[i], folder); });
  if (!done) return stopped();
  for (Result<ExportedTargetFile>& one : made) {
    if (!one) return tl::unexpected(one.error());
    written.files.push_back(std::move(*one));
  }
  return written;
}

// Writes all files to `folder`, the sidecar last.
Result<ExportedSet> writeSet(const Atlas& atlas, const std::string& name, const fs::path& folder,
                             const ExportSettings& settings, const BakeError* error,
                             const JobContext& job) {
  ExportKinds images = withSidecar(settings.kinds);
  const bool hasSidecar = images.erase(ExportKind::Json) > 0 || !settings.targets.empty();
  const auto steps = static_cast<float>(images.size() + settings.targets.size());
  const auto part = [&](std::size_t done) { return 0.6f * static_cast<float>(done) / steps; };
  ExportedSet set;
  const auto pictures = std::make_shared<PictureFiles>();
  Result<void> written;
  Result<void> packed;
  const auto writeImages = [&]() -> Result<void> {
    for (const ExportKind kind : images) {
      if (job.stopRequested()) return stopped();
      const auto bytes = bytesOf(kind, atlas, error, job.threadCount);
      if (!bytes) return tl::unexpected(bytes.error());
      auto file = writeFile(name, kind, *bytes, folder);
      if (!file) return tl::unexpected(file.error());
      set.files.push_back(std::move(*file));
      job.report(part(set.files.size()), "Writing files");
    }
    return {};
  };
  // Poses are packed one after the other, so pictures are packed meanwhile.
  const std::size_t works = settings.targets.contains(TargetKind::Glb) ? 2 : 1;
  const bool done = parallelFor(works, job, [&](std::size_t work) {
    if (work == 0) written = writeImages();
    if (work == 1) packed = pictures->make(imagesOf(*settings.character), job);
  });
  if (!done) return stopped();
  if (!written) return tl::unexpected(written.error());
  if (!packed) return tl::unexpected(packed.error());
  std::optional<Impostors> impostors;
  if (settings.targets.contains(TargetKind::Impostors)) {
    auto drawn = settings.drawImpostors(*settings.character, atlas, job);
    if (!drawn) return tl::unexpected(drawn.error());
    impostors = std::move(*drawn);
  }
  for (const TargetKind kind : settings.targets) {
    if (job.stopRequested()) return stopped();
    TargetInput input = {
        *settings.character, atlas, name, error, settings.skinUv, settings.clipSources,
        settings.clipEvents};
    if (impostors) input.impostors = &*impostors;
    input.pictures = pictures;
    const std::size_t before = set.files.size() + set.targets.size();
    auto target =
        writeTarget(exportTarget(kind), input, folder, job.part(part(before), part(before + 1)));
    if (!target) return tl::unexpected(target.error());
    set.targets.push_back(std::move(*target));
  }
  if (impostors) {
    if (auto same = compareImpostors(*impostors, name, folder); !same) {
      return tl::unexpected(same.error());
    }
  }
  if (hasSidecar) {
    Sidecar sidecar = {.name = name,
                       .atlas = atlas,
                       .files = set.files,
                       .clipSources = settings.clipSources,
                       .clipEvents = settings.clipEvents,
                       .targets = set.targets};
    if (settings.character != nullptr) sidecar.rig = exportedRig(*settings.character, atlas);
    const std::string text = sidecarText(std::move(sidecar), error);
    auto file = writeFile(name, ExportKind::Json, std::as_bytes(std::span(text)), folder);
    if (!file) return tl::unexpected(file.error());
    set.files.push_back(std::move(*file));
  }
  if (job.stopRequested()) return stopped();
  job.report(0.7f, "Reading back");
  const auto* events = hasSidecar ? &settings.clipEvents : nullptr;
  if (auto same = compareWritten(atlas, folder, images.size(), events); !same) {
    return tl::unexpected(same.error());
  }
  return set;
}

}  // namespace

std::vector<ClipSource> clipSourcesOf(const std::vector<ImportFile>& files) {
  std::vector<ClipSource> sources;
  for (std::size_t f = 1; f < files.size(); ++f) {
    const auto bytes = readFile(files[f].path, std::uint64_t{8} << 30);
    const std::string path = pathText(files[f].path);
    if (!bytes || !isUtf8(path)) return {};
    sources.push_back({path, hashBytes(*bytes), files[f].fit});
  }
  return sources;
}

Result<void> checkExport(Encoding encoding, const ExportSettings& settings) {
  const EncodingInfo& info = encodingInfo(encoding);
  for (const ExportKind kind : settings.kinds) {
    const ExportFormat& format = exportFormat(kind);
    if (format.stored == nullptr || !format.stored(info.format).empty()) continue;
    return fail(ErrorCode::InvalidInput,
                fmt::format("{} cannot hold these texels: {} has {} ({}); export {}, or bake as "
                            "another encoding",
                            format.name, info.name,
                            isFloat(info.format)   ? "floats"
                            : isWords(info.format) ? "words of 32 bits"
                                                   : "whole numbers",
                            texelFormatName(info.format), imageFormatNames(info.format)));
  }
  return {};
}

Result<ExportedSet> exportAtlas(const Atlas& atlas, const std::string& name, const fs::path& folder,
                                const ExportSettings& settings, const BakeError* error,
                                JobContext job) {
  if (name.empty() || pathFromText(name).filename() != pathFromText(name) || name[0] == '.') {
    return fail(ErrorCode::CannotWrite, fmt::format("'{}' cannot be the name of a file", name));
  }
  CK_ASSERT(settings.targets.empty() || settings.character != nullptr);
  CK_ASSERT(!settings.targets.contains(TargetKind::Impostors) || settings.drawImpostors);
  if (auto ok = checkExport(atlas.encoding, settings); !ok) return tl::unexpected(ok.error());
  const NamesOfSet names = namesOfSet(name);
  if (auto ok = checkInputsStay(folder, names.all, settings.inputs); !ok) {
    return tl::unexpected(ok.error());
  }
  const auto place = SetFolder::open(folder, job);
  if (!place) return tl::unexpected(place.error());
  auto set = writeSet(atlas, name, (*place)->work(), settings, error, job);
  if (!set) return set;
  set->notes = (*place)->notes();
  if (job.stopRequested()) return stopped();
  const fs::path& work = (*place)->work();
  if (auto kept = keepForeignFiles(folder, name, names.all, names.formats, work); !kept) {
    return tl::unexpected(kept.error());
  }
  if (auto moved = (*place)->publish(names.all, isFolderOfTarget); !moved) {
    return tl::unexpected(moved.error());
  }
  job.report(1.0f, "Exported");
  return set;
}

}  // namespace ck
