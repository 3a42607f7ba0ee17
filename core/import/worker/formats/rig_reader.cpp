#include "core/import/worker/formats/rig_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/files.h"
#include "core/import/worker/assembly/assemble.h"

namespace ck::worker {
namespace {

struct RigReader {
  bool (*looksLike)(const RigHead& head);
  Result<SourceScene> (*read)(const RigSource& source);
};

// Indexed by RigKind.
#define CK_ROW(kind, ...) {looksLike##kind, read##kind},
constexpr RigReader kReaders[] = {CK_RIG_FORMATS(CK_ROW)};
#undef CK_ROW

// The format of a file by its content, or by its ending if the content is ambiguous; nullptr for
// unsupported files.
const RigFormat* formatOf(const RigSource& source, const std::filesystem::path& file) {
  const RigFormat* named = rigFormatByEnding(file);
  const std::size_t size = std::min<std::size_t>(source.bytes.size(), 4'096);
  const RigSource first{source.bytes.first(size), source.folder, source.progress};
  RigHead head{first.text(), first.start()};
  for (const RigFormat& format : kRigFormats) {
    head.isNamedSo = named == &format;
    if (kReaders[static_cast<std::size_t>(format.kind)].looksLike(head)) return &format;
  }
  return named;
}

tl::unexpected<Error> notRead(const RigSource& source) {
  if (source.text().starts_with("INTERQUAKEMODEL")) {
    return fail(ErrorCode::Unsupported,
                "IQM rigs cannot be read: only their mesh would come through; export as glTF");
  }
  return fail(ErrorCode::Unsupported,
              fmt::format("this is none of the formats that can be read: {}", rigFormatNames()));
}

}  // namespace

Result<Character> importFile(const std::filesystem::path& file, const Progress& progress) {
  progress(0.0f, "Opening the file");
  auto bytes = readFile(file, kFileLimitBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->empty()) return fail(ErrorCode::InvalidInput, "the file is empty");
  SourceFolder folder(file);
  const RigSource source{*bytes, folder, progress};
  const RigFormat* format = formatOf(source, file);
  if (format == nullptr) return notRead(source);
  auto scene = kReaders[static_cast<std::size_t>(format->kind)].read(source);
  if (!scene) return tl::unexpected(scene.error());
  scene->source.format = format->name;
  scene->source.hash = hashBytes(*bytes);
  if (format->clipsOnly) {
    for (SourceClip& clip : scene->clips) clip.name = pathText(file.stem());
  }
  *bytes = {};  // what is read of them is in the scene
  progress(0.9f, "Putting the rig together");
  return assembleCharacter(std::move(*scene));
}

}  // namespace ck::worker
