#include "app/commands/source_lookup.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/files.h"
#include "core/export/atlas_folder.h"
#include "core/import/import_process.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHow = " (verify: --against FILE..., render: behind the folder)";

// The first clip of the atlas that the character lacks; empty if it has all.
std::string missingClip(const Atlas& atlas, const Character& character) {
  for (const AtlasClip& baked : atlas.clips) {
    const std::string& name = sourceNameOf(baked);
    const bool there = std::any_of(character.clips.begin(), character.clips.end(),
                                   [&name](const Clip& clip) { return clip.name == name; });
    if (!there) return name;
  }
  return {};
}

constexpr std::uint64_t kLargestSource = std::uint64_t{8} << 30;

bool isTheSource(const fs::path& path, std::uint64_t hash) {
  const auto bytes = readFile(path, kLargestSource);
  return bytes && hashBytes(*bytes) == hash;
}

// The stored path is as it was given, so it may be relative to a former current folder. The rig may
// also be in the atlas folder or a few levels above, recognised by name and hash. A file with
// another hash is used as a last resort, to report the difference.
fs::path recordedPath(const std::string& text, std::uint64_t hash, const fs::path& folder) {
  constexpr int kFoldersUp = 3;
  if (text.empty()) return {};
  const fs::path path = pathFromText(text);
  std::error_code failed;
  std::vector<fs::path> places = {path, folder / path};
  fs::path up = fs::absolute(folder, failed).lexically_normal();
  for (int i = 0; i <= kFoldersUp; ++i, up = up.parent_path())
    places.push_back(up / path.filename());
  fs::path differing;
  for (const fs::path& place : places) {
    if (!fs::is_regular_file(place, failed)) continue;
    if (isTheSource(place, hash)) return place;
    if (differing.empty()) differing = place;
  }
  return differing;
}

// Imports in the file's own scale first, because most atlases were baked in it.
Result<Character> importAs(const Atlas& atlas, const std::vector<fs::path>& files,
                           const JobContext& job) {
  auto character = importWithClips(files, {}, {}, job);
  if (!character || character->source.unitScale == atlas.unitScale || !(atlas.unitScale > 0.0)) {
    return character;
  }
  return importWithClips(files, {0.0, atlas.unitScale}, {}, job);
}

// The files of added clips. Fails if one is missing or has changed.
Result<std::vector<fs::path>> clipFiles(const FoundAtlas& set, const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const ClipSource& clip : set.clipSources) {
    const fs::path path = recordedPath(clip.path, clip.hash, folder);
    if (path.empty() || !isTheSource(path, clip.hash)) {
      return fail(ErrorCode::FileNotFound,
                  fmt::format("the file '{}', from which clips of the atlas came, is {}; name all "
                              "files of the bake{}",
                              clip.path, path.empty() ? "gone" : "another one by now", kHow),
                  clip.path);
    }
    paths.push_back(path);
  }
  return paths;
}

}  // namespace

FoundSource findSource(const FoundAtlas& set, const fs::path& folder,
                       const std::vector<std::string>& files, const JobContext& job) {
  const Atlas& atlas = set.atlas;
  std::vector<fs::path> paths;
  for (const std::string& file : files) paths.push_back(pathFromText(file));
  if (files.empty()) {
    const fs::path recorded = recordedPath(atlas.sourcePath, atlas.sourceHash, folder);
    if (recorded.empty()) {
      return {fail(ErrorCode::FileNotFound,
                   fmt::format("the source '{}' of the atlas is gone; name it{}", atlas.sourcePath,
                               kHow),
                   atlas.sourcePath),
              true};
    }
    paths.push_back(recorded);
    const auto further = clipFiles(set, folder);
    if (!further) return {tl::unexpected(further.error()), true};
    paths.insert(paths.end(), further->begin(), further->end());
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
