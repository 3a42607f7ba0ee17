#include "core/project/project_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/project/actors_json.h"
#include "core/project/characters.h"
#include "core/project/view_json.h"

namespace ck {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 2;
constexpr int kMinReader = 2;
constexpr std::size_t kLineWidth = 100;
constexpr std::uint64_t kMostBytes = 256u * 1024u * 1024u;

std::string oneLine(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Objects and lists of objects are broken into lines where they do not fit into one, for people and
// version control. Other lists stay on one line: a column of actors is one.
std::string fileText(const Json& value, std::size_t indent) {
  const bool ofObjects = value.is_array() && !value.empty() && value.front().is_object();
  if (!value.is_object() && !ofObjects) return oneLine(value);
  std::vector<std::string> parts;
  std::size_t width = indent;
  bool fits = indent > 0;
  for (const auto& [key, each] : value.items()) {
    const std::string name = ofObjects ? std::string() : oneLine(Json(key)) + ": ";
    parts.push_back(name + fileText(each, indent + 2));
    width += parts.back().size() + 2;
    fits = fits && width <= kLineWidth && parts.back().find('\n') == std::string::npos;
  }
  const std::string open = ofObjects ? "[" : "{";
  const std::string close = ofObjects ? "]" : "}";
  if (fits) return fmt::format("{}{}{}", open, fmt::join(parts, ", "), close);
  const std::string line = "\n" + std::string(indent, ' ');
  return fmt::format("{}{}  {}{}{}", open, line, fmt::join(parts, "," + line + "  "), line, close);
}

std::string relativePath(const SourceFile& source, const fs::path& folder) {
  std::error_code failed;
  const fs::path base =
      (folder.empty() ? fs::current_path(failed) : fs::absolute(folder, failed)).lexically_normal();
  const fs::path path = fs::absolute(pathFromText(source.path), failed).lexically_normal();
  const fs::path relative = path.lexically_relative(base);
  const std::u8string text = (relative.empty() ? path : relative).generic_u8string();
  return std::string(text.begin(), text.end());
}

Json sourcesJson(const ProjectCharacter& character, const fs::path& folder) {
  Json sources = Json::array();
  for (const SourceFile& source : character.sources) {
    sources.push_back({{"path", relativePath(source, folder)}});
  }
  return sources;
}

Json clipJson(const ProjectClip& clip) {
  Json entry = {{"name", clip.name}, {"ticked", clip.ticked}};
  if (clip.loop) entry["loop"] = loopModeName(*clip.loop);
  if (clip.seam != SeamChoice::Auto) entry["seam"] = seamChoiceName(clip.seam);
  if (!clip.title.empty()) entry["title"] = clip.title;
  if (clip.edit.trim) {
    entry["trimSeconds"] = {clip.edit.trim->startSeconds, clip.edit.trim->endSeconds};
  }
  if (clip.edit.rate != 1.0) entry["rate"] = clip.edit.rate;
  if (clip.edit.inPlace) entry["inPlace"] = true;
  for (const ClipEvent& event : clip.events) {
    entry["events"].push_back({{"name", event.name}, {"seconds", event.seconds}});
  }
  return entry;
}

Json propsJson(const Project& project, const fs::path& folder) {
  Json props = Json::array();
  for (const Prop& prop : project.props) {
    const glm::vec3& at = prop.position;
    props.push_back(
        {{"path", relativePath(prop.source, folder)},
         {"position", {shortestDouble(at.x), shortestDouble(at.y), shortestDouble(at.z)}},
         {"yawDegrees", shortestDouble(prop.yawDegrees)},
         {"scale", shortestDouble(prop.scale)}});
  }
  return props;
}

// Automatic choices are not written.
Json bakeJson(const BakeSettings& bake) {
  Json json = {{"encoding", encodingInfo(bake.encoding).name},
               {"layout", layoutKindName(bake.layout)}};
  if (bake.rangeMode) json["range"] = rangeModeName(*bake.rangeMode);
  if (bake.components) json["components"] = componentsName(*bake.components);
  json["tile"] = bake.tile;
  json["powerOfTwo"] = bake.powerOfTwo;
  json["textureWidth"] = bake.textureWidth;
  json["textureHeight"] = bake.textureHeight;
  json["rateHz"] = bake.rateHz;
  json["frames"] = bake.frames;
  json["influences"] = bake.influences;
  json["interpolate"] = bake.interpolate;
  json["reading"] = bake.reading == Reading::Palette ? "palette" : "direct";
  json["maxTextureSize"] = bake.maxTextureSize;
  return json;
}

// A variant writes nothing that it shares. What the file of a project says of its clips and its
// bake is not written again.
Json characterJson(const ProjectCharacter& character, const fs::path& folder) {
  Json json = Json::object();
  if (!character.title.empty()) json["title"] = character.title;
  if (!character.hiddenMeshes.empty()) json["hiddenMeshes"] = character.hiddenMeshes;
  if (character.variantOf) {
    json["variantOf"] = *character.variantOf;
    return json;
  }
  json["sources"] = sourcesJson(character, folder);
  json["clips"] = Json::array();
  const bool fromProject = isFromProject(character);
  for (const ProjectClip& clip : character.clips) {
    Json written =
        clipJson(fromProject ? ProjectClip{.name = clip.name, .title = clip.title} : clip);
    if (fromProject) written.erase("ticked");
    json["clips"].push_back(std::move(written));
  }
  if (fromProject) return json;
  json["import"] = {{"heightMeters", character.import.heightMeters},
                    {"unitScale", character.import.unitScale}};
  json["bake"] = bakeJson(character.bake);
  return json;
}

Json spawnJson(const SpawnSettings& spawn) {
  Json json = {{"count", spawn.count},         {"formation", formationName(spawn.formation)},
               {"seed", spawn.seed},           {"spacingMeters", spawn.spacingMeters},
               {"clipCount", spawn.clipCount}, {"varied", spawn.varied}};
  if (!spawn.shares.empty()) json["shares"] = spawn.shares;
  if (!spawn.variedMorphs.empty()) json["variedMorphs"] = spawn.variedMorphs;
  return json;
}

Json masksJson(const std::vector<JointMask>& masks) {
  Json list = Json::array();
  for (const JointMask& mask : masks) {
    Json parts = Json::array();
    for (const MaskPart& part : mask.parts) {
      parts.push_back({{"joint", part.joint},
                       {"weight", shortestDouble(part.weight)},
                       {"subtree", part.subtree}});
    }
    list.push_back({{"name", mask.name}, {"parts", std::move(parts)}});
  }
  return list;
}

// Keeps the existing file as path.bak.
Result<void> keepBackup(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return {};
  const auto old = readFile(path, kMostBytes);
  if (!old) return tl::unexpected(old.error());
  fs::path backup = path;
  backup += ".bak";
  return writeFileAtomically(backup, *old);
}

}  // namespace

std::string projectToJson(const Project& project, const fs::path& folder) {
  Json root = {{"format", "crowdkiln-project"},
               {"version", kVersion},
               {"minReader", kMinReader},
               {"needs", "0.2"}};
  for (const ProjectCharacter& character : project.characters) {
    root["characters"].push_back(characterJson(character, folder));
  }
  if (!project.props.empty()) root["props"] = propsJson(project, folder);
  root["spawn"] = spawnJson(project.spawn);
  root["randomSeed"] = project.randomSeed;
  root["view"] = Json::parse(viewJson(project.view));
  root["playbackSpeed"] = project.playbackSpeed;
  if (!project.masks.empty()) root["masks"] = masksJson(project.masks);
  std::string text = fileText(root, 0);
  text.resize(text.size() - 2);  // the last key, whose columns are written one a line, follows
  return text + ",\n  \"actors\": " + actorsToJson(project.actors) + "\n}\n";
}

Result<void> writeProjectFile(const Project& project, const fs::path& path) {
  const std::string text = projectToJson(project, path.parent_path());
  if (auto kept = keepBackup(path); !kept) return kept;
  return writeFileAtomically(path, std::as_bytes(std::span(text)));
}

Result<Project> readProjectFile(const fs::path& path) {
  const auto bytes = readFile(path, kMostBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  auto project = projectFromJson(text, path.parent_path());
  if (project) return project;
  Error error = project.error();
  error.file = pathText(path);
  error.message = fmt::format("{}: {}", error.file, error.message);
  return tl::unexpected(std::move(error));
}

}  // namespace ck
