#include "core/export/atlas_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "core/atlas/atlas_check.h"
#include "core/atlas/atlas_layout.h"
#include "core/container/atlas_file.h"
#include "core/export/set_findings.h"
#include "core/export/writer/folder_lock.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestSidecar = std::uint64_t{64} << 20;

// Adds the file's name to an error message.
tl::unexpected<Error> about(const fs::path& path, const Error& error) {
  const std::string name = pathText(path);
  if (!error.file.empty()) return tl::unexpected(error);
  return fail(error.code, fmt::format("{}: {}", name, error.message), name);
}

tl::unexpected<Error> bad(const fs::path& path, const std::string& what) {
  return about(path, {ErrorCode::InvalidInput, what, {}});
}

Result<std::vector<std::byte>> texelsOf(const fs::path& path, const ExportedFile& file,
                                        const Atlas& described, const FolderReading& how) {
  const ExportFormat& format = exportFormat(file.kind);
  const TexelGrid grid = gridOf(described);
  if (auto ok = checkClaim(file.bytes, grid); !ok) return about(path, ok.error());
  if (format.isParsed && !how.ownFiles) {
    return decodedByWorker({path, std::string(format.name), file.bytes, file.xxh3, grid}, how.job);
  }
  const auto bytes = describedBytes(path, file.bytes, file.xxh3);
  if (!bytes) return tl::unexpected(bytes.error());
  auto texels = format.decode != nullptr ? format.decode(*bytes, grid)
                                         : texelsFromContainer(*bytes, described);
  if (!texels) return about(path, texels.error());
  return texels;
}

// One file of a set, decoded with the sidecar's data, which have passed checkDescription().
Result<FoundAtlas> readOne(const fs::path& folder, const Sidecar& sidecar, const ExportedFile& file,
                           const FolderReading& how) {
  const fs::path path = folder / pathFromText(file.name);
  FoundAtlas found{sidecar.name, file.kind, sidecar.atlas, sidecar.clipSources, sidecar.clipEvents};
  if (sidecar.rig) {
    const std::string& up = sidecar.rig->sourceUpAxis;
    found.sourceUpAxis = up == "X" ? UpAxis::X : up == "Z" ? UpAxis::Z : UpAxis::Y;
  }
  auto texels = texelsOf(path, file, found.atlas, how);
  if (!texels) return tl::unexpected(texels.error());
  found.atlas.texels = std::move(*texels);
  if (auto ok = checkTexels(found.atlas); !ok) return about(path, ok.error());
  return found;
}

Result<std::vector<FoundAtlas>> readSet(const fs::path& sidecarPath, const FolderReading& how) {
  const auto bytes = readFile(sidecarPath, kLargestSidecar);
  if (!bytes) return tl::unexpected(bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const auto sidecar = sidecarFromText(text);
  if (!sidecar) return about(sidecarPath, sidecar.error());
  if (pathText(sidecarPath.filename()) != fileNameOf(sidecar->name, ExportKind::Json)) {
    return bad(sidecarPath, "it speaks of an atlas of another name");
  }
  std::vector<FoundAtlas> found;
  if (!sidecar->files.empty()) {
    const std::uint64_t texelBytes = bytesOf(gridOf(sidecar->atlas));
    if (auto ok = checkDescription(sidecar->atlas, texelBytes); !ok) {
      return bad(sidecarPath, ok.error().message + "; export the set again");
    }
  }
  for (const ExportedFile& file : sidecar->files) {
    auto one = readOne(sidecarPath.parent_path(), *sidecar, file, how);
    if (!one) return tl::unexpected(one.error());
    found.push_back(std::move(*one));
  }
  if (!found.empty()) {
    if (auto ok = checkRestated(text, *sidecar); !ok) return about(sidecarPath, ok.error());
  }
  return found;
}

// The sorted names of the sets that have a file of that kind.
std::vector<std::string> setsWith(const fs::path& folder, ExportKind kind) {
  const std::string_view ending = exportFormat(kind).ending;
  std::vector<std::string> names;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string name = pathText(entry->path().filename());
    std::error_code ignored;
    if (name.ends_with(ending) && name.size() > ending.size() && entry->is_regular_file(ignored)) {
      names.push_back(name.substr(0, name.size() - ending.size()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Why nothing was found: an export of engines alone keeps no texels by themselves.
Error noAtlasIn(const fs::path& folder) {
  const std::string folderName = pathText(folder);
  const std::vector<std::string> sidecars = setsWith(folder, ExportKind::Json);
  std::string why =
      "there is no atlas in this folder (no .ckatlas and no .atlas.json with a picture)";
  if (!sidecars.empty()) {
    why = fmt::format("{} is there without its texels; write {} as well (--export ckatlas)",
                      fileNameOf(sidecars.front(), ExportKind::Json),
                      fileNameOf(sidecars.front(), ExportKind::Ckatlas));
  }
  return {ErrorCode::FileNotFound, fmt::format("{}: {}", folderName, why), folderName};
}

bool isListed(const std::vector<FoundAtlas>& found, const std::string& name) {
  return std::ranges::any_of(found, [&](const FoundAtlas& set) {
    return set.kind == ExportKind::Ckatlas && set.name == name;
  });
}

Result<std::vector<FoundAtlas>> readOnce(const fs::path& folder, const FolderReading& how) {
  const std::string folderName = pathText(folder);
  std::error_code problem;
  if (!fs::is_directory(folder, problem)) {
    const bool isFile = fs::exists(folder, problem);
    return fail(ErrorCode::FileNotFound,
                fmt::format("{}: {}", folderName,
                            isFile ? "this is a file; name the folder that 'kiln bake' wrote"
                                   : "there is no such folder"),
                folderName);
  }
  std::vector<FoundAtlas> found;
  for (const std::string& name : setsWith(folder, ExportKind::Json)) {
    auto set = readSet(folder / pathFromText(fileNameOf(name, ExportKind::Json)), how);
    if (!set) return set;
    std::move(set->begin(), set->end(), std::back_inserter(found));
  }
  for (const std::string& name : setsWith(folder, ExportKind::Ckatlas)) {
    if (isListed(found, name)) continue;
    auto atlas = readAtlasFile(folder / pathFromText(fileNameOf(name, ExportKind::Ckatlas)));
    if (!atlas) return tl::unexpected(atlas.error());
    found.push_back({name, ExportKind::Ckatlas, std::move(*atlas)});
  }
  if (found.empty()) return tl::unexpected(noAtlasIn(folder));
  for (const SetFinding& finding : setFindings(folder)) {
    if (finding.kind != SetFinding::Kind::Mixed) continue;
    return fail(ErrorCode::InvalidInput, fmt::format("{}: {}", folderName, finding.message),
                folderName);
  }
  std::ranges::stable_sort(found, [](const FoundAtlas& a, const FoundAtlas& b) {
    return std::tie(a.name, a.kind) < std::tie(b.name, b.kind);
  });
  return found;
}

}  // namespace

Result<std::vector<FoundAtlas>> readAtlasFolder(const fs::path& folder, const FolderReading& how) {
  // Files that an export replaces just now may be of two exports.
  constexpr auto kLongestWait = std::chrono::seconds(10);
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    auto found = readOnce(folder, how);
    const bool mayChange = !found && FolderLock::isHeld(folder) && !how.job.stopRequested();
    if (!mayChange || std::chrono::steady_clock::now() - begin > kLongestWait) return found;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace ck
