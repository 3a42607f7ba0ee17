#include "app/commands/source_lookup.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/files.h"
#include "core/export/atlas_folder.h"
#include "core/import/import_process.h"
#include "core/import/still_joints.h"
#include "core/project/character_stage.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHow = " (verify and export: --against FILE..., render: behind the folder)";

tl::unexpected<Refusal> missing(std::string sentence, const std::string& file) {
  return tl::unexpected(Refusal({ErrorCode::FileNotFound, std::move(sentence) + kHow, file}, true));
}

// The first clip of the atlas that the character lacks; empty if it has all.
std::string missingClip(const Atlas& atlas, const Character& character) {
  for (const AtlasClip& baked : atlas.clips) {
    const std::string& name = sourceNameOf(baked);
    if (!clipNamed(character, name)) return name;
  }
  return {};
}

constexpr std::uint64_t kLargestSource = std::uint64_t{8} << 30;

bool isTheSource(const fs::path& path, std::uint64_t hash) {
  const auto bytes = readFile(path, kLargestSource);
  return bytes && hashBytes(*bytes) == hash;
}

// The stored path is as seen from the folder of the atlas. The rig may also be in that folder or a
// few levels above, recognised by name and hash. A file with another hash is used as a last resort,
// to report the difference.
fs::path recordedPath(const std::string& text, std::uint64_t hash, const fs::path& folder) {
  constexpr int kFoldersUp = 3;
  if (text.empty()) return {};
  const fs::path path = pathFromText(text);
  std::error_code failed;
  std::vector<fs::path> places = {folder / path};
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

std::vector<std::string> socketNames(const Atlas& atlas) {
  std::vector<std::string> names;
  for (const AtlasJoint& joint : atlas.joints) {
    if (joint.isSocket) names.push_back(joint.name);
  }
  return names;
}

// Imports in the file's own scale first, because most atlases were baked in it. An atlas with fewer
// joints may have been baked without those that stand still.
Result<Character> importAs(const FoundAtlas& set, const std::vector<ImportFile>& files,
                           const JobContext& job) {
  const Atlas& atlas = set.atlas;
  ImportSettings settings{.sockets = socketNames(atlas), .upAxis = set.sourceUpAxis};
  auto character = importWithClips(files, settings, {}, job);
  if (!character) return character;
  const bool sameScale = character->source.unitScale == atlas.unitScale || !(atlas.unitScale > 0.0);
  if (!sameScale) settings.unitScale = atlas.unitScale;
  const auto missing = static_cast<std::ptrdiff_t>(character->rig.skinJoints.size()) -
                       static_cast<std::ptrdiff_t>(atlas.joints.size());
  settings.mergeStillJoints = missing > 0 && stillJointCount(*character) == missing;
  if (sameScale && !settings.mergeStillJoints) return character;
  return importWithClips(files, settings, {}, job);
}

// Files that were named anew are fitted as those of the same name or place in the bake.
std::vector<ImportFile> fittedAs(const FoundAtlas& set, const std::vector<fs::path>& paths) {
  std::vector<ImportFile> files;
  for (std::size_t f = 0; f < paths.size(); ++f) {
    ImportFile& file = files.emplace_back(paths[f]);
    if (f == 0) continue;
    const auto named = std::ranges::find_if(set.clipSources, [&](const ClipSource& source) {
      return pathFromText(source.path).filename() == paths[f].filename();
    });
    if (named != set.clipSources.end()) {
      file.fit = named->fit;
    } else if (f <= set.clipSources.size()) {
      file.fit = set.clipSources[f - 1].fit;
    }
  }
  return files;
}

// The rig and the files of added clips, as the atlas records them. Fails if one is missing or a
// file of clips has changed.
UsageResult<std::vector<fs::path>> recordedPaths(const FoundAtlas& set, const fs::path& folder) {
  const Atlas& atlas = set.atlas;
  std::vector<fs::path> paths = {recordedPath(atlas.sourcePath, atlas.sourceHash, folder)};
  if (paths.front().empty()) {
    return missing(fmt::format("the source '{}' of the atlas is gone; name it", atlas.sourcePath),
                   atlas.sourcePath);
  }
  for (const ClipSource& clip : set.clipSources) {
    const fs::path path = recordedPath(clip.path, clip.hash, folder);
    if (path.empty() || !isTheSource(path, clip.hash)) {
      return missing(fmt::format("the file '{}', from which clips of the atlas came, is {}; name "
                                 "all files of the bake",
                                 clip.path, path.empty() ? "gone" : "another one by now"),
                     clip.path);
    }
    paths.push_back(path);
  }
  return paths;
}

// Whether the atlas has any joint of the rig at another place.
bool isBoundElsewhere(const Atlas& atlas, const Rig& rig) {
  const std::vector<std::string> names = skinJointNames(rig);
  if (names.size() != atlas.joints.size()) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const AtlasJoint& joint = atlas.joints[i];
    if (joint.name == names[i] && !isBoundAsIn(joint, rig.skinJoints[i])) return true;
  }
  return false;
}

}  // namespace

UsageResult<Character> findSource(const FoundAtlas& set, const fs::path& folder,
                                  const std::vector<std::string>& files, const JobContext& job) {
  const Atlas& atlas = set.atlas;
  std::vector<fs::path> paths;
  paths.reserve(files.size());
  for (const std::string& file : files) paths.push_back(pathFromText(file));
  if (files.empty()) {
    auto recorded = recordedPaths(set, folder);
    if (!recorded) return tl::unexpected(recorded.error());
    paths = std::move(*recorded);
  }
  auto character = importAs(set, fittedAs(set, paths), job);
  if (!character) return tl::unexpected(character.error());
  const std::string clip = missingClip(atlas, *character);
  if (files.empty() && !clip.empty()) {
    return missing(fmt::format("clip '{}' of the atlas is not in {}: it came from a further file; "
                               "name all files of the bake",
                               clip, atlas.sourcePath),
                   atlas.sourcePath);
  }
  if (character->source.hash == atlas.sourceHash) {
    if (isBoundElsewhere(atlas, character->rig)) {
      return tl::unexpected(Refusal({ErrorCode::InvalidInput,
                                     fmt::format("the atlas is of a version of the program that "
                                                 "read the units of {} otherwise; bake it again",
                                                 pathText(paths.front().filename())),
                                     pathText(folder)},
                                    false));
    }
    return std::move(*character);
  }
  const std::string sentence = fmt::format(
      "{} is not the file that the atlas was baked from: its hash is {}, not {}",
      pathText(paths.front()), hashText(character->source.hash), hashText(atlas.sourceHash));
  if (files.empty()) return missing(sentence + "; name the source", atlas.sourcePath);
  character->notes.push_back({Note::Level::Warning, "SourceDiffers", sentence});
  return std::move(*character);
}

}  // namespace ck::cli
