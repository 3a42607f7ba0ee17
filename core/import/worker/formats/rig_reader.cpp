#include "core/import/worker/formats/rig_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "core/import/worker/assembly/assemble.h"
#include "core/import/worker/formats/foreign_files.h"
#include "core/system/files.h"

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

constexpr std::size_t kHeadBytes = 4'096;

// The format of a file by its first bytes, or by its ending if they are ambiguous; nullptr for
// unsupported files.
const RigFormat* formatOf(std::string_view text, const std::filesystem::path& file) {
  const RigFormat* named = rigFormatByEnding(file);
  text = text.substr(0, kHeadBytes);
  RigHead head{text, startOf(text)};
  for (const RigFormat& format : kRigFormats) {
    head.isNamedSo = named == &format;
    if (kReaders[static_cast<std::size_t>(format.kind)].looksLike(head)) return &format;
  }
  return named;
}

}  // namespace

void loadReaderOf(const std::filesystem::path& file) {
  // Opening a pipe may block, and no limit of time is set before confineReader().
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return;
  std::array<char, kHeadBytes> first = {};
  std::ifstream stream(file, std::ios::binary);
  stream.read(first.data(), first.size());
  const RigFormat* format =
      formatOf({first.data(), static_cast<std::size_t>(stream.gcount())}, file);
  if (format != nullptr && format->kind == RigKind::Collada) loadAssimp();
}

Result<Character> importFile(const RigFile& file, const Progress& progress) {
  progress(0.0f, "Opening the file");
  auto bytes = readAndClose(file.descriptor, kFileLimitBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->empty()) return fail(ErrorCode::InvalidInput, "the file is empty");
  const RigSource source{*bytes, file.folder, progress};
  const RigFormat* format = formatOf(source.text(), file.path);
  const std::string_view ending = format == nullptr ? std::string_view() : format->ending;
  if (const auto foreign = foreignFile(source.text(), ending)) {
    return fail(ErrorCode::Unsupported, *foreign);
  }
  if (format == nullptr) {
    return fail(ErrorCode::Unsupported,
                fmt::format("this is none of the formats that can be read: {}", rigFormatNames()));
  }
  auto scene = kReaders[static_cast<std::size_t>(format->kind)].read(source);
  if (!scene) return tl::unexpected(scene.error());
  scene->source.format = format->name;
  scene->source.hash = hashBytes(*bytes);
  if (format->clipsOnly) {
    for (SourceClip& clip : scene->clips) clip.name = pathText(file.path.stem());
  }
  *bytes = {};  // what is read of them is in the scene
  progress(0.9f, "Putting the rig together");
  return assembleCharacter(std::move(*scene));
}

}  // namespace ck::worker
