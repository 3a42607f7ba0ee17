#include "core/export/atlas_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/atlas/atlas_check.h"
#include "core/atlas/atlas_layout.h"
#include "core/base/files.h"
#include "core/container/atlas_file.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestSidecar = std::uint64_t{64} << 20;
constexpr std::uint64_t kLargestImage = std::uint64_t{8} << 30;

// Adds the file's name to an error message.
tl::unexpected<Error> about(const fs::path& path, const Error& error) {
  const std::string name = pathText(path);
  if (!error.file.empty()) return tl::unexpected(error);
  return fail(error.code, fmt::format("{}: {}", name, error.message), name);
}

tl::unexpected<Error> bad(const fs::path& path, const std::string& what) {
  return about(path, {ErrorCode::InvalidInput, what, {}});
}

// Reads a file and checks its hash against the sidecar.
Result<std::vector<std::byte>> readListed(const fs::path& folder, const ExportedFile& file) {
  const fs::path path = folder / pathFromText(file.name);
  auto bytes = readFile(path, kLargestImage);
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->size() != file.bytes || hashText(hashBytes(*bytes)) != file.xxh3) {
    return bad(path, "it is not the file that the sidecar was written for; export the set again");
  }
  return bytes;
}

// Images do not compress better than deflate. A larger image size is refused before memory is
// allocated.
Result<void> checkClaim(std::span<const std::byte> bytes, const Atlas& described) {
  constexpr std::uint64_t kTightest = 1100;
  if (texelBytesOf(described) <= kTightest * (bytes.size() + 1024)) return {};
  return fail(ErrorCode::InvalidInput,
              fmt::format("it has {} bytes, too few for {} x {} texels", bytes.size(),
                          atlasWidth(described), atlasHeight(described)));
}

// One file of a set, decoded with the sidecar's data.
Result<FoundAtlas> readOne(const fs::path& folder, const Sidecar& sidecar,
                           const ExportedFile& file) {
  const auto bytes = readListed(folder, file);
  if (!bytes) return tl::unexpected(bytes.error());
  const fs::path path = folder / pathFromText(file.name);
  FoundAtlas found{sidecar.name, file.kind, sidecar.atlas, sidecar.clipSources, sidecar.clipEvents};
  if (sidecar.rig) {
    const std::string& up = sidecar.rig->sourceUpAxis;
    found.sourceUpAxis = up == "X" ? UpAxis::X : up == "Z" ? UpAxis::Z : UpAxis::Y;
  }
  if (auto ok = checkClaim(*bytes, found.atlas); !ok) return about(path, ok.error());
  auto texels = exportFormat(file.kind).read(*bytes, found.atlas);
  if (!texels) return about(path, texels.error());
  found.atlas.texels = std::move(*texels);
  if (auto ok = checkAtlas(found.atlas); !ok) return about(path, ok.error());
  return found;
}

Result<std::vector<FoundAtlas>> readSet(const fs::path& sidecarPath) {
  const auto bytes = readFile(sidecarPath, kLargestSidecar);
  if (!bytes) return tl::unexpected(bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const auto sidecar = sidecarFromText(text);
  if (!sidecar) return about(sidecarPath, sidecar.error());
  if (pathText(sidecarPath.filename()) != fileNameOf(sidecar->name, ExportKind::Json)) {
    return bad(sidecarPath, "it speaks of an atlas of another name");
  }
  std::vector<FoundAtlas> found;
  for (const ExportedFile& file : sidecar->files) {
    auto one = readOne(sidecarPath.parent_path(), *sidecar, file);
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

bool isListed(const std::vector<FoundAtlas>& found, const std::string& name) {
  return std::ranges::any_of(found, [&](const FoundAtlas& set) {
    return set.kind == ExportKind::Ckatlas && set.name == name;
  });
}

}  // namespace

Result<std::vector<FoundAtlas>> readAtlasFolder(const fs::path& folder) {
  const std::string folderName = pathText(folder);
  std::error_code problem;
  if (!fs::is_directory(folder, problem)) {
    return fail(ErrorCode::FileNotFound, fmt::format("{}: there is no such folder", folderName),
                folderName);
  }
  std::vector<FoundAtlas> found;
  for (const std::string& name : setsWith(folder, ExportKind::Json)) {
    auto set = readSet(folder / pathFromText(fileNameOf(name, ExportKind::Json)));
    if (!set) return set;
    std::move(set->begin(), set->end(), std::back_inserter(found));
  }
  for (const std::string& name : setsWith(folder, ExportKind::Ckatlas)) {
    if (isListed(found, name)) continue;
    auto atlas = readAtlasFile(folder / pathFromText(fileNameOf(name, ExportKind::Ckatlas)));
    if (!atlas) return tl::unexpected(atlas.error());
    found.push_back({name, ExportKind::Ckatlas, std::move(*atlas)});
  }
  if (found.empty()) {
    return fail(ErrorCode::FileNotFound,
                fmt::format("{}: there is no atlas in this folder (no .ckatlas and no .atlas.json "
                            "with a picture)",
                            folderName),
                folderName);
  }
  std::ranges::stable_sort(found, [](const FoundAtlas& a, const FoundAtlas& b) {
    return std::tie(a.name, a.kind) < std::tie(b.name, b.kind);
  });
  return found;
}

}  // namespace ck
