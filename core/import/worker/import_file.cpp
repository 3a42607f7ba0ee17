#include "core/import/worker/import_file.h"

#include "core/base/files.h"

namespace ck::worker {

Result<Character> importFile(const std::filesystem::path& file, const Progress& progress) {
  progress(0.0f, "Opening the file");
  const auto bytes = readFile(file, kFileLimitBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->empty()) return fail(ErrorCode::InvalidInput, "the file is empty");
  SourceFolder folder(file);
  auto scene = [&]() -> Result<SourceScene> {
    if (looksLikeGlb(*bytes) || looksLikeJson(*bytes)) return readGltf(*bytes, folder, progress);
    return fail(ErrorCode::Unsupported, "this is not a rig file that can be read");
  }();
  if (!scene) return tl::unexpected(scene.error());
  scene->source.hash = hashBytes(*bytes);
  progress(0.9f, "Putting the rig together");
  return assembleCharacter(std::move(*scene));
}

}  // namespace ck::worker
