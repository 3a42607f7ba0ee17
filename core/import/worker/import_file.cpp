#include "core/import/worker/import_file.h"

#include <fmt/format.h>

#include "core/base/files.h"
#include "core/import/worker/assembly/assemble.h"

namespace ck::worker {
namespace {

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
  const auto bytes = readFile(file, kFileLimitBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->empty()) return fail(ErrorCode::InvalidInput, "the file is empty");
  SourceFolder folder(file);
  const RigSource source{*bytes, folder, progress};
  const auto kind = rigKindOf(*bytes, file);
  if (!kind) return notRead(source);
  auto scene = readRig(*kind, source);
  if (!scene) return tl::unexpected(scene.error());
  const RigFormat& format = rigFormat(*kind);
  scene->source.format = format.name;
  scene->source.hash = hashBytes(*bytes);
  if (format.clipsOnly) {
    for (SourceClip& clip : scene->clips) clip.name = pathText(file.stem());
  }
  progress(0.9f, "Putting the rig together");
  return assembleCharacter(std::move(*scene));
}

}  // namespace ck::worker
