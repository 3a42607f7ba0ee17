#include "app/commands/source_lookup.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/files.h"
#include "core/import/import_process.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHow = " (verify: --against FILE..., render: behind the folder)";

// The first clip of the atlas that the character lacks; empty where it has them all.
std::string missingClip(const Atlas& atlas, const Character& character) {
  for (const AtlasClip& baked : atlas.clips) {
    const bool there = std::any_of(character.clips.begin(), character.clips.end(),
                                   [&baked](const Clip& clip) { return clip.name == baked.name; });
    if (!there) return baked.name;
  }
  return {};
}

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
                   fmt::format("the source '{}' of the atlas is gone; name it{}", atlas.sourcePath,
                               kHow),
                   atlas.sourcePath),
              true};
    }
    paths.push_back(recorded);
  }
  FoundSource found;
  found.character = importAs(atlas, paths, job);
  if (!found.character) return found;
  if (const std::string clip = missingClip(atlas, *found.character);
      files.empty() && !clip.empty()) {
    return {fail(ErrorCode::FileNotFound,
                 fmt::format("clip '{}' of the atlas is not in {}: it came from a further file; "
                             "name all files of the bake{}",
                             clip, atlas.sourcePath, kHow),
                 atlas.sourcePath),
            true};
  }
  if (found.character->source.hash == atlas.sourceHash) return found;
  const std::string sentence = fmt::format(
      "{} is not the file that the atlas was baked from: its hash is {}, not {}",
      pathText(paths.front()), hashText(found.character->source.hash), hashText(atlas.sourceHash));
  if (files.empty()) {
    return {fail(ErrorCode::FileNotFound, sentence + "; name the source" + kHow, atlas.sourcePath),
            true};
  }
  found.character->notes.push_back({Note::Level::Warning, "SourceDiffers", sentence});
  return found;
}

}  // namespace ck::cli
