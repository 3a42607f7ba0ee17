#include "core/project/characters_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "core/atlas/recipe_settings.h"
#include "core/import/joint_map_file.h"
#include "core/project/actor_columns.h"
#include "core/project/characters.h"
#include "core/scene/clip_edit_json.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 100'000;
constexpr std::size_t kMostCharacters = 1'000;
constexpr std::size_t kMostEvents = 1000;  // per clip

// A path as files have it: relative to `base` if possible, with '/'.
std::string relativePath(const std::string& source, const fs::path& base) {
  std::error_code failed;
  const fs::path path = fs::absolute(pathFromText(source), failed).lexically_normal();
  const fs::path relative = path.lexically_relative(base.lexically_normal());
  const std::u8string text = (relative.empty() ? path : relative).generic_u8string();
  return std::string(text.begin(), text.end());
}

void describeTrim(JsonFields& fields, std::optional<Trim>& trim) {
  if (!fields.has("trimSeconds", trim.has_value())) return;
  constexpr std::string_view kWhat = "is not a start and an end in seconds";
  const Trim before = trim.value_or(Trim{});
  std::vector<double> ends = {before.startSeconds, before.endSeconds};
  fields.numbers("trimSeconds", ends, kMostEntries, -kFarthest, kFarthest, kWhat);
  if (ends.size() != 2) return fields.wrong("trimSeconds", kWhat);
  if (!(ends[0] < ends[1])) fields.wrong("trimSeconds", "ends before it starts");
  trim = Trim{ends[0], ends[1]};
}

void describeClip(JsonFields& fields, ProjectClip& clip) {
  fields.text("name", clip.name);
  fields.flag("ticked", clip.ticked);
  fields.optionalChoice("loop", clip.loop, loopModeName, LoopMode::PingPong);
  fields.unless(clip.seam == SeamChoice::Auto)
      .choice("seam", clip.seam, seamChoiceName, SeamChoice::None);
  fields.unless(clip.title.empty()).text("title", clip.title);
  describeTrim(fields, clip.edit.trim);
  fields.unless(clip.edit.rate == 1.0)
      .number("rate", clip.edit.rate, kSlowestClipRate, kFastestClipRate);
  describeClipEdit(fields, clip.edit);
  fields.unless(clip.events.empty())
      .list("events", clip.events, kMostEvents, [](JsonFields& entry, ClipEvent& event) {
        entry.text("name", event.name);
        entry.number("seconds", event.seconds, -kFarthest, kFarthest);
      });
}

std::string_view readingName(Reading reading) {
  return reading == Reading::Palette ? "palette" : "direct";
}

void describeBake(JsonFields fields, BakeSettings& bake) {
  describeRecipe(fields, bake);
  fields.integer("tile", bake.tile, 2, 1 << 16);
  fields.flag("powerOfTwo", bake.powerOfTwo);
  fields.integer("textureWidth", bake.textureWidth, 0, 1 << 16);
  fields.integer("textureHeight", bake.textureHeight, 0, 1 << 16);
  fields.number("rateHz", bake.rateHz, 0.0, 100'000.0);
  fields.integer("frames", bake.frames, 0, 10'000'000);
  fields.unless(bake.morphs.slotCount == MorphForm{}.slotCount)
      .integer("morphSlots", bake.morphs.slotCount, 1, kMostMorphSlots);
  fields.unless(bake.morphs.bits == MorphForm{}.bits).integer("morphBits", bake.morphs.bits, 8, 16);
  if (auto ok = checkMorphForm(bake.morphs); !ok) fields.wrong("morphBits", "is not 8 or 16");
  fields.choice("reading", bake.reading, readingName, Reading::Direct);
  fields.integer("maxTextureSize", bake.maxTextureSize, 16, 1 << 20);
}

// If the rig is that of another project, only names and titles of clips are written: the rest is in
// the file of that project.
void describeClips(JsonFields& fields, ProjectCharacter& character) {
  const bool onlyNames = fields.writes() && isFromProject(character);
  fields.list("clips", character.clips, kMostEntries, [=](JsonFields& entry, ProjectClip& clip) {
    if (!onlyNames) return describeClip(entry, clip);
    entry.text("name", clip.name);
    entry.unless(clip.title.empty()).text("title", clip.title);
  });
}

void describeRig(JsonFields& fields, const fs::path& folder, ProjectCharacter& character) {
  fields.list("sources", character.sources, kMostEntries,
              [&folder](JsonFields& entry, SourceFile& source) {
                describePath(entry, folder, source.path);
                describeClipFit(entry, source.fit);
              });
  describeClips(fields, character);
  if (fields.writes() && isFromProject(character)) return;
  JsonFields import = fields.object("import");
  import.number("heightMeters", character.import.heightMeters, 0.0, kFarthest);
  import.number("unitScale", character.import.unitScale, 0.0, kFarthest);
  import.unless(!character.import.joinMorphs).flag("joinMorphs", character.import.joinMorphs);
  import.unless(character.import.sockets.empty())
      .texts("sockets", character.import.sockets, kMostEntries, "is not a list of names");
  import.unless(!character.import.mergeStillJoints)
      .flag("mergeStillJoints", character.import.mergeStillJoints);
  import.unless(character.import.upAxis == UpAxis::Auto)
      .choice("upAxis", character.import.upAxis, upAxisName, UpAxis::Z);
  describeBake(fields.object("bake"), character.bake);
}

void describeHiddenMeshes(JsonFields& fields, ProjectCharacter& character) {
  fields.unless(character.hiddenMeshes.empty())
      .texts("hiddenMeshes", character.hiddenMeshes, kMostEntries, "is not a list of names");
}

// `earlier` are the characters before this one.
void describeTitle(JsonFields& fields, std::span<const ProjectCharacter> earlier,
                   std::string& title) {
  fields.unless(title.empty()).text("title", title);
  const bool taken = std::ranges::find(earlier, title, &ProjectCharacter::title) != earlier.end();
  if (title.empty() ? !earlier.empty() : taken) {
    fields.wrong("title", fmt::format("'{}' is empty or there twice", title));
  }
}

// A variant has nothing that it shares with its base.
void describeCharacter(JsonFields& fields, const fs::path& folder,
                       std::span<const ProjectCharacter> earlier, ProjectCharacter& character) {
  describeTitle(fields, earlier, character.title);
  describeHiddenMeshes(fields, character);
  if (fields.has("variantOf", character.variantOf.has_value())) {
    std::size_t base = static_cast<std::size_t>(character.variantOf.value_or(0));
    fields.integer("variantOf", base, 0, static_cast<std::int64_t>(kMostCharacters));
    if (base >= earlier.size() || earlier[base].variantOf) {
      fields.wrong("variantOf", "is no character before this one that is no variant itself");
    }
    character.variantOf = static_cast<int>(base);
    return;
  }
  describeRig(fields, folder, character);
  if (character.sources.empty() && !earlier.empty()) fields.wrong("sources", "names no file");
  if (isFromProject(character) && character.sources.size() > 1) {
    fields.wrong("sources", "names further files besides a project");
  }
}

}  // namespace

void describePath(JsonFields& fields, const fs::path& folder, std::string& path) {
  std::error_code failed;
  const fs::path base = folder.empty() ? fs::current_path(failed) : fs::absolute(folder, failed);
  std::string text = fields.writes() ? relativePath(path, base) : std::string();
  fields.text("path", text);
  if (fields.writes() || fields.problem()) return;
  const bool network =
      text.starts_with("//") || text.starts_with("\\\\") || text.find("://") != std::string::npos;
  if (text.empty() || network || text.find('\0') != std::string::npos) {
    return fields.wrong("path", fmt::format("'{}' does not name a file of this machine", text));
  }
  path = pathText((base / pathFromText(text)).lexically_normal());
}

void describeCharacters(JsonFields& root, const fs::path& folder, Project& project) {
  std::vector<ProjectCharacter>& all = project.characters;
  const auto before = [&all](const ProjectCharacter& one) { return std::span(all.data(), &one); };
  if (!root.writes()) all.clear();
  root.list("characters", all, kMostCharacters, [&](JsonFields& entry, ProjectCharacter& one) {
    describeCharacter(entry, folder, before(one), one);
  });
  if (all.empty()) all.emplace_back();
}

}  // namespace ck
