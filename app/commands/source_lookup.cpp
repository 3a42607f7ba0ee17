#include "app/commands/source_lookup.h"

#include <fmt/format.h>

#include "core/base/files.h"
#include "core/import/import_process.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

fs::path recordedPath(const Atlas& atlas, const fs::path& folder) {
  const fs::path path = pathFromText(atlas.sourcePath);
  std::error_code failed;
  if (fs::is_regular_file(path, failed)) return path;
  if (path.is_relative() && fs::is_regular_file(folder / path, failed)) return folder / path;
  return {};
}

// Imports in the file's own scale first, because that is what most atlases were baked in.
Result<Character> importAs(const Atlas& atlas, const std::vector<fs::path>& files,
                           const JobContext& job) {
  auto character = importWithClips(files, {}, {}, job);
  if (!character || character->source.unitScale == atlas.unitScale || !(atlas.unitScale > 0.0)) {
    return character;
  }
  return importWithClips(files, {0.0, atlas.unitScale}, {}, job);
}

}  // namespace

FoundSource findSource(const Atlas& atlas, const fs::path& folder,
                       const std::vector<std::string>& files, const JobContext& job) {
  std::vector<fs::path> paths;
  for (const std::string& file : files) paths.push_back(pathFromText(file));
  if (files.empty()) {
    const fs::path recorded = recordedPath(atlas, folder);
    if (recorded.empty()) {
      return {fail(ErrorCode::FileNotFound,
                   fmt::format("the source '{}' of the atlas is gone; name it with --against",
                               atlas.sourcePath),
                   atlas.sourcePath),
              true};
    }
    paths.push_back(recorded);
  }
  FoundSource found;
  found.character = importAs(atlas, paths, job);
  if (!found.character || found.character->source.hash == atlas.sourceHash) return found;
  const std::string sentence = fmt::format(
      "{} is not the file that the atlas was baked from: its hash is {}, not {}",
      pathText(paths.front()), hashText(found.character->source.hash), hashText(atlas.sourceHash));
  if (files.empty()) {
    return {fail(ErrorCode::FileNotFound, sentence + "; name the source with --against",
                 atlas.sourcePath),
            true};
  }
  found.character->notes.push_back({Note::Level::Warning, "SourceDiffers", sentence});
  return found;
}

}  // namespace ck::cli
