#include "app/options/folder_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/bake/bake.h"
#include "core/bake/bake_window.h"
#include "core/import/rig_format.h"
#include "core/import/still_joints.h"
#include "core/project/source_files.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Refusal> missing(std::string sentence, const std::string& file) {
  return tl::unexpected(
      Refusal({ErrorCode::FileNotFound, std::move(sentence) + " (--against FILE...)", file}));
}

// The first clip of the atlas that the character lacks; empty if it has all.
std::string missingClip(const Atlas& atlas, const Character& character) {
  for (const AtlasClip& baked : atlas.clips) {
    const std::string& name = sourceNameOf(baked);
    if (!clipNamed(character, name)) return name;
  }
  return {};
}

bool isTheSource(const fs::path& path, std::uint64_t hash) {
  const auto found = hashOfFile(path, kLargestRig);
  return found && *found == hash;
}

// A file beside the atlas with this hash, whatever it is called.
fs::path withHash(std::uint64_t hash, const fs::path& folder) {
  for (const fs::path& place : {folder, (folder / "..").lexically_normal()}) {
    std::error_code failed;
    for (fs::directory_iterator entry(place, failed), end; !failed && entry != end;
         entry.increment(failed)) {
      std::error_code ignored;
      const fs::path& file = entry->path();
      if (rigFormatByEnding(file) != nullptr && entry->is_regular_file(ignored) &&
          isTheSource(file, hash)) {
        return file;
      }
    }
  }
  return {};
}

// The stored path is relative to the folder. The rig may also be in the atlas folder or a few
// levels above. A file with another hash is used as a last resort, to report the difference.
fs::path recordedPath(const std::string& text, std::uint64_t hash, const fs::path& folder) {
  constexpr int kFoldersUp = 3;
  const fs::path path = pathFromText(text);
  std::error_code failed;
  // Paths are stated as seen from the folder without links.
  const fs::path resolved = fs::weakly_canonical(fs::absolute(folder, failed), failed);
  std::vector<fs::path> places = {(resolved / path).lexically_normal()};
  fs::path up = resolved;
  for (int i = 0; i <= kFoldersUp; ++i, up = up.parent_path())
    places.push_back(up / path.filename());
  if (text.empty()) places.clear();
  fs::path differing;
  for (const fs::path& place : places) {
    if (!fs::is_regular_file(place, failed)) continue;
    if (isTheSource(place, hash)) return place;
    if (differing.empty()) differing = place;
  }
  const fs::path same = withHash(hash, folder);
  return same.empty() ? differing : same;
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
                           ImportSettings& settings, const JobContext& job) {
  const Atlas& atlas = set.atlas;
  settings = {.sockets = socketNames(atlas), .upAxis = set.sourceUpAxis};
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

// Finds and imports the character of a set, and says in `wanted` how.
UsageResult<Character> findSource(const FoundAtlas& set, const fs::path& folder,
                                  const std::vector<std::string>& against, ProjectCharacter& wanted,
                                  const JobContext& job) {
  const Atlas& atlas = set.atlas;
  std::vector<fs::path> paths;
  for (const std::string& file : against) paths.push_back(pathFromText(file));
  if (against.empty()) {
    auto recorded = recordedPaths(set, folder);
    if (!recorded) return tl::unexpected(recorded.error());
    paths = std::move(*recorded);
  }
  const std::vector<ImportFile> files = fittedAs(set, paths);
  for (const ImportFile& file : files) wanted.sources.push_back({pathText(file.path), file.fit});
  auto character = importAs(set, files, wanted.import, job);
  if (!character) return tl::unexpected(character.error());
  const std::string clip = missingClip(atlas, *character);
  if (against.empty() && !clip.empty()) {
    return missing(fmt::format("clip '{}' of the atlas is not in {}: it came from a further file; "
                               "name all files of the bake",
                               clip, atlas.sourcePath),
                   atlas.sourcePath);
  }
  if (character->source.hash == atlas.sourceHash) {
    if (!isBoundElsewhere(atlas, character->rig)) return std::move(*character);
    return fail(ErrorCode::InvalidInput,
                fmt::format("the atlas is of a version of the program that read the units of {} "
                            "otherwise; bake it again",
                            pathText(paths.front().filename())),
                pathText(folder));
  }
  const std::string sentence = fmt::format(
      "{} is not the file that the atlas was baked from: its hash is {}, not {}",
      pathText(paths.front()), hashText(character->source.hash), hashText(atlas.sourceHash));
  if (against.empty()) return missing(sentence + "; name the source", atlas.sourcePath);
  character->notes.push_back({Note::Level::Warning, "SourceDiffers", sentence});
  return std::move(*character);
}

// The time on the file's timeline of an event of a baked clip.
double secondsOf(const AtlasClip& baked, double unit) {
  const EventWindow window = windowOf(baked);
  double share = unit + window.offset;
  if (share > 1.0) share -= 1.0;
  return window.startSeconds + share * window.durationSeconds * window.rate;
}

// The events that the sidecar states, at the times of the file where they are the file's.
std::vector<ClipEvent> eventsOf(const AtlasClip& baked, const ExportedEvents& exported,
                                const std::vector<ClipEvent>& ofFile) {
  constexpr double kSameUnit = 1e-6;
  std::vector<ClipEvent> events;
  for (const ExportedEvent& event : exported.list) {
    ClipEvent& one = events.emplace_back(ClipEvent{event.name, secondsOf(baked, event.unit)});
    for (const ClipEvent& known : ofFile) {
      const auto units = crowdEvents({known}, windowOf(baked));
      if (known.name == event.name && !units.empty() &&
          std::abs(units.front().unit - event.unit) <= kSameUnit) {
        one.seconds = known.seconds;
      }
    }
  }
  return events;
}

// The clips of the atlas as clips of a project. A sidecar has their events; a container alone has
// none, and then they are those of the file.
std::vector<ProjectClip> clipsOf(const FoundAtlas& set, const Character* character) {
  std::vector<ProjectClip> clips;
  const bool hasSidecar = set.sourceUpAxis != UpAxis::Auto;
  for (std::size_t c = 0; c < set.atlas.clips.size(); ++c) {
    const AtlasClip& baked = set.atlas.clips[c];
    const std::string& name = sourceNameOf(baked);
    ProjectClip& clip = clips.emplace_back(ProjectClip{.name = name, .edit = baked.edit});
    if (baked.name != name) clip.title = baked.name;
    std::vector<ClipEvent> ofFile;
    const auto source =
        character == nullptr ? std::optional<std::size_t>() : clipNamed(*character, name);
    if (source) ofFile = character->clips[*source].events;
    if (c < set.clipEvents.size()) {
      clip.events = eventsOf(baked, set.clipEvents[c], ofFile);
    } else if (!hasSidecar) {
      clip.events = std::move(ofFile);
    }
    if (character == nullptr) continue;
    BakeSettings asBaked;
    asBaked.seamMm = set.atlas.recipe.seamMm;
    // Values that the file gives by itself are not repeated: an offset changes a seam's name.
    const auto window = planWindow(*character, bakeClipOf(clip), asBaked);
    if (window && window->seam == baked.seam && window->loop == baked.loop) continue;
    clip.loop = baked.loop;
    clip.seam = baked.seam == Seam::None        ? SeamChoice::None
                : baked.seam == Seam::Exclusive ? SeamChoice::Exclusive
                                                : SeamChoice::Inclusive;
  }
  return clips;
}

// Whether these frames are those of the atlas.
bool givesFrames(const Atlas& atlas, const Character& character, const BakeSettings& settings) {
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    const auto window = planWindow(character, settings.clips[c], settings);
    if (!window) return false;
    const auto moments = window->frameCount - static_cast<int>(window->stepFrames.size());
    if (moments != momentCount(atlas.clips[c])) return false;
  }
  return true;
}

// Sets the frames or the rate that give the moments of the clips; neither for the key grid.
void findRate(const Atlas& atlas, const Character& character, BakeSettings& settings) {
  if (givesFrames(atlas, character, settings)) return;
  BakeSettings tried = settings;
  tried.frames = momentCount(atlas.clips.front());
  if (givesFrames(atlas, character, tried)) {
    settings = tried;
    return;
  }
  tried = settings;
  double low = 0.0;
  double high = 1e6;
  for (const AtlasClip& clip : atlas.clips) {
    const double steps = momentCount(clip) - 1;
    if (!(clip.durationSeconds > 0.0)) continue;
    low = std::max(low, (steps - 0.5) / clip.durationSeconds);
    high = std::min(high, (steps + 0.5) / clip.durationSeconds);
  }
  for (const double rate : {std::ceil(low), std::floor(high), 0.5 * (low + high)}) {
    tried.rateHz = rate;
    if (!(rate > 0.0) || !givesFrames(atlas, character, tried)) continue;
    settings = tried;
    return;
  }
}

}  // namespace

BakeSettings recipeOf(const Atlas& atlas, const Character& character,
                      const ProjectCharacter& settings, const JobContext& job) {
  BakeSettings recipe;
  recipe.clips = bakeInputs(settings).clips;
  static_cast<BakeRecipe&>(recipe) = atlas.recipe;
  if (!storesComponents(encodingInfo(recipe))) recipe.components.reset();
  if (atlas.ranges.empty()) recipe.rangeMode.reset();
  if (!atlas.morphs.empty()) recipe.morphs = atlas.morphs.form;
  if (atlas.recipe.layout == LayoutKind::Tiles) recipe.tile = atlas.shape.block.z;
  findRate(atlas, character, recipe);
  const auto fits = [&] {
    const auto cost = bakeCost(character, recipe, job);
    return cost && cost->width == atlasWidth(atlas) && cost->height == atlasHeight(atlas);
  };
  if (fits()) return recipe;
  recipe.powerOfTwo = atlas.recipe.layout == LayoutKind::Rows;
  if (recipe.powerOfTwo && fits()) return recipe;
  recipe.powerOfTwo = false;
  recipe.textureWidth = atlasWidth(atlas);
  recipe.textureHeight = atlasHeight(atlas);
  return recipe;
}

UsageResult<std::vector<FolderSet>> folderSets(const fs::path& folder,
                                               const std::vector<std::string>& against,
                                               const JobContext& job) {
  auto found = readAtlasFolder(folder, {.job = job});
  if (!found) return tl::unexpected(found.error());
  std::vector<FolderSet> sets;
  for (FoundAtlas& image : *found) {
    if (sets.empty() || sets.back().name != image.name) sets.push_back({image.name, {}, {}});
    sets.back().images.push_back(std::move(image));
  }
  for (FolderSet& set : sets) {
    const FoundAtlas& first = set.images.front();
    set.character.title = set.name;
    auto character = findSource(first, folder, against, set.character, job);
    if (!character && job.stopRequested()) return tl::unexpected(character.error());
    if (!character) {
      set.whyGone = character.error();
      set.character.sources = {{first.atlas.sourcePath}};
    } else {
      set.source.emplace().character = std::make_shared<const Character>(std::move(*character));
    }
    set.character.clips = clipsOf(first, set.source ? set.source->character.get() : nullptr);
  }
  return sets;
}

}  // namespace ck::cli
