#include "core/project/characters_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>

#include "core/base/files.h"
#include "core/project/actor_columns.h"
#include "core/project/characters.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 100'000;
constexpr std::size_t kMostCharacters = 1'000;
constexpr std::size_t kMostEvents = 1000;  // per clip

std::vector<SourceFile> readSources(JsonFields& owner, const std::string& where,
                                    const fs::path& folder, std::optional<Error>& problem) {
  std::vector<SourceFile> sources;
  for (const JsonValue* entry : owner.list("sources", kMostEntries)) {
    JsonFields fields(*entry, where + "sources.", problem);
    readSourcePath(fields, folder, sources.emplace_back().path, problem);
    if (problem) break;
  }
  return sources;
}

void readEdit(JsonFields& fields, ClipEdit& edit) {
  fields.number("rate", edit.rate, kSlowestClipRate, kFastestClipRate);
  fields.flag("inPlace", edit.inPlace);
  if (!fields.has("trimSeconds")) return;
  constexpr std::string_view kWhat = "is not a start and an end in seconds";
  const auto ends = fields.numbers("trimSeconds", kMostEntries, -kFarthest, kFarthest, kWhat);
  if (ends.size() != 2) return fields.wrong("trimSeconds", kWhat);
  edit.trim = Trim{ends[0], ends[1]};
  if (!(edit.trim->startSeconds < edit.trim->endSeconds)) {
    fields.wrong("trimSeconds", "ends before it starts");
  }
}

std::vector<ClipEvent> readEvents(JsonFields& clip, const std::string& where,
                                  std::optional<Error>& problem) {
  std::vector<ClipEvent> events;
  for (const JsonValue* entry : clip.list("events", kMostEvents)) {
    JsonFields fields(*entry, where + "events.", problem);
    ClipEvent event;
    fields.text("name", event.name);
    fields.number("seconds", event.seconds, -kFarthest, kFarthest);
    events.push_back(std::move(event));
  }
  return events;
}

// `where` is the prefix of keys in messages.
std::vector<ProjectClip> readClips(JsonFields& owner, const std::string& where,
                                   std::optional<Error>& problem) {
  std::vector<ProjectClip> clips;
  for (const JsonValue* entry : owner.list("clips", kMostEntries)) {
    JsonFields fields(*entry, where, problem);
    ProjectClip clip;
    fields.text("name", clip.name);
    fields.flag("ticked", clip.ticked);
    fields.optionalChoice("loop", clip.loop, {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong},
                          loopModeName);
    fields.choice(
        "seam", clip.seam,
        {SeamChoice::Auto, SeamChoice::Inclusive, SeamChoice::Exclusive, SeamChoice::None},
        seamChoiceName);
    fields.text("title", clip.title);
    readEdit(fields, clip.edit);
    clip.events = readEvents(fields, where, problem);
    clips.push_back(std::move(clip));
  }
  return clips;
}

void readBake(JsonFields fields, BakeSettings& bake, const std::optional<Error>& problem) {
  std::string word(encodingInfo(bake.encoding).name);
  fields.text("encoding", word);
  if (const auto encoding = encodingFromName(word)) {
    bake.encoding = *encoding;
  } else if (!problem) {
    fields.notOffered("encoding", word);
  }
  fields.choice("layout", bake.layout, {LayoutKind::Rows, LayoutKind::Tiles, LayoutKind::Linear},
                layoutKindName);
  fields.optionalChoice("range", bake.rangeMode,
                        {RangeMode::Atlas, RangeMode::Joint, RangeMode::JointClip}, rangeModeName);
  fields.optionalChoice("components", bake.components,
                        {Components::Trs, Components::Tr, Components::R}, componentsName);
  fields.integer("tile", bake.tile, 2, 1 << 16);
  fields.flag("powerOfTwo", bake.powerOfTwo);
  fields.integer("textureWidth", bake.textureWidth, 0, 1 << 16);
  fields.integer("textureHeight", bake.textureHeight, 0, 1 << 16);
  fields.choice("reading", bake.reading, {Reading::Palette, Reading::Direct},
                [](Reading reading) -> std::string_view {
                  return reading == Reading::Palette ? "palette" : "direct";
                });
  fields.number("rateHz", bake.rateHz, 0.0, 100'000.0);
  fields.integer("frames", bake.frames, 0, 10'000'000);
  fields.integer("influences", bake.influences, 1, 4);
  if (bake.influences == 3) fields.wrong("influences", "is 3, not 1, 2 or 4");
  fields.flag("interpolate", bake.interpolate);
  fields.integer("maxTextureSize", bake.maxTextureSize, 16, 1 << 20);
}

// `where` is the prefix of keys in messages.
void readRig(JsonFields& fields, const std::string& where, const fs::path& folder,
             ProjectCharacter& character, std::optional<Error>& problem) {
  character.sources = readSources(fields, where, folder, problem);
  JsonFields import(fields.part("import"), where + "import.", problem);
  import.number("heightMeters", character.import.heightMeters, 0.0, kFarthest);
  import.number("unitScale", character.import.unitScale, 0.0, kFarthest);
  character.clips = readClips(fields, where + "clips.", problem);
  readBake(JsonFields(fields.part("bake"), where + "bake.", problem), character.bake, problem);
}

// The titles that were read so far. Every character except the first must have one.
class Titles {
 public:
  void read(JsonFields& fields, std::string& title, bool isFirst) {
    fields.text("title", title);
    if (isFirst && title.empty()) return;
    if (taken_.insert(title).second && !title.empty()) return;
    fields.wrong("title", fmt::format("'{}' is empty or there twice", title));
  }

 private:
  std::unordered_set<std::string> taken_;
};

// Version 1 has the first character at the top level and the others in the list "cast". An entry
// without a path is a variant of the first character. An entry with the path of an earlier entry
// shares that entry's clips and settings.
void readVersion1(JsonFields& root, const fs::path& folder, Project& project,
                  std::optional<Error>& problem) {
  readRig(root, "", folder, project.characters.front(), problem);
  Titles titles;
  for (const JsonValue* entry : root.list("cast", kMostCharacters - 1)) {
    JsonFields fields(*entry, "cast.", problem);
    ProjectCharacter character;
    titles.read(fields, character.title, false);
    character.hiddenMeshes = fields.texts("hiddenMeshes", kMostEntries, "is not a list of names");
    if (fields.has("path")) {
      readSourcePath(fields, folder, character.sources.emplace_back().path, problem);
    } else {
      character.variantOf = 0;
    }
    for (int c = 1; c < characterCount(project) && !character.variantOf; ++c) {
      const ProjectCharacter& other = project.characters[static_cast<std::size_t>(c)];
      if (other.sources == character.sources) character.variantOf = c;
    }
    if (character.variantOf) {
      character.sources.clear();
    } else {
      character.clips = readClips(fields, "cast.clips.", problem);
      readBake(JsonFields(fields.part("bake"), "cast.bake.", problem), character.bake, problem);
    }
    if (problem) return;
    project.characters.push_back(std::move(character));
  }
}

void readVersion2(JsonFields& root, const fs::path& folder, Project& project,
                  std::optional<Error>& problem) {
  std::vector<ProjectCharacter> all;
  Titles titles;
  for (const JsonValue* entry : root.list("characters", kMostCharacters)) {
    JsonFields fields(*entry, "characters.", problem);
    ProjectCharacter character;
    titles.read(fields, character.title, all.empty());
    character.hiddenMeshes = fields.texts("hiddenMeshes", kMostEntries, "is not a list of names");
    if (fields.has("variantOf")) {
      std::size_t base = 0;
      fields.integer("variantOf", base, 0, static_cast<std::int64_t>(kMostCharacters));
      if (base >= all.size() || all[base].variantOf) {
        fields.wrong("variantOf", "is no character before this one that is no variant itself");
      }
      character.variantOf = static_cast<int>(base);
    } else {
      readRig(fields, "characters.", folder, character, problem);
      if (character.sources.empty() && !all.empty()) fields.wrong("sources", "names no file");
      if (isFromProject(character) && character.sources.size() > 1) {
        fields.wrong("sources", "names further files besides a project");
      }
    }
    if (problem) return;
    all.push_back(std::move(character));
  }
  if (!all.empty()) project.characters = std::move(all);
}

}  // namespace

void readSourcePath(JsonFields& fields, const fs::path& folder, std::string& path,
                    const std::optional<Error>& problem) {
  std::string text;
  fields.text("path", text);
  if (problem) return;
  const bool network =
      text.starts_with("//") || text.starts_with("\\\\") || text.find("://") != std::string::npos;
  if (text.empty() || network || text.find('\0') != std::string::npos) {
    return fields.wrong("path", fmt::format("'{}' does not name a file of this machine", text));
  }
  std::error_code failed;
  const fs::path base = folder.empty() ? fs::current_path(failed) : fs::absolute(folder, failed);
  path = pathText((base / pathFromText(text)).lexically_normal());
}

void readCharacters(JsonFields& root, int version, const fs::path& folder, Project& project,
                    std::optional<Error>& problem) {
  if (version == 1) {
    readVersion1(root, folder, project, problem);
  } else {
    readVersion2(root, folder, project, problem);
  }
}

}  // namespace ck
