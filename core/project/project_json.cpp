#include "core/project/project_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/project/actors_json.h"
#include "core/project/cast.h"

namespace ck {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr int kMinReader = 1;
constexpr std::uint64_t kMostBytes = 256u * 1024u * 1024u;

std::string oneLine(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// An array of objects with one entry a line; everything else on one line.
std::string entryText(const Json& value) {
  if (!value.is_array() || value.empty() || !value.front().is_object()) return oneLine(value);
  std::string text = "[";
  for (const Json& entry : value) {
    text += text.size() == 1 ? "\n    " : ",\n    ";
    text += oneLine(entry);
  }
  return text + "\n  ]";
}

// Two levels are broken into lines for people and version control. `actors` is the object of that
// key, which comes last.
std::string fileText(const Json& root, const std::string& actors) {
  std::string text = "{";
  for (const auto& [key, value] : root.items()) {
    text += text.size() == 1 ? "\n  " : ",\n  ";
    text += oneLine(Json(key)) + ": ";
    if (!value.is_object()) {
      text += entryText(value);
      continue;
    }
    std::string inner;
    for (const auto& [innerKey, innerValue] : value.items()) {
      inner += inner.empty() ? "\n    " : ",\n    ";
      inner += oneLine(Json(innerKey)) + ": " + oneLine(innerValue);
    }
    text += "{" + inner + (inner.empty() ? "}" : "\n  }");
  }
  return text + ",\n  \"actors\": " + actors + "\n}\n";
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

Json sourcesJson(const Project& project, const fs::path& folder) {
  Json sources = Json::array();
  for (const SourceFile& source : project.sources) {
    sources.push_back({{"path", relativePath(source, folder)}});
  }
  return sources;
}

Json clipJson(const ProjectClip& clip) {
  Json entry = {{"name", clip.name}, {"ticked", clip.ticked}};
  if (clip.loop) entry["loop"] = loopModeName(*clip.loop);
  if (clip.seam != SeamChoice::Auto) entry["seam"] = seamChoiceName(clip.seam);
  if (!clip.title.empty()) entry["title"] = clip.title;
  if (clip.shape.trim) {
    entry["trimSeconds"] = {clip.shape.trim->startSeconds, clip.shape.trim->endSeconds};
  }
  if (clip.shape.rate != 1.0) entry["rate"] = clip.shape.rate;
  if (clip.shape.inPlace) entry["inPlace"] = true;
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

Json clipsJson(const Project& project) {
  Json clips = Json::array();
  for (const ProjectClip& clip : project.clips) clips.push_back(clipJson(clip));
  return clips;
}

// What is chosen by itself is not written.
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

// A member without a path is a variant of the project's own rig. What a project says itself of its
// clips and its bake is not said again.
Json castJson(const Project& project, const fs::path& folder) {
  Json cast = Json::array();
  for (const CastMember& member : project.cast) {
    Json entry = {{"title", member.title}};
    if (!member.source.path.empty()) entry["path"] = relativePath(member.source, folder);
    if (!member.hiddenMeshes.empty()) entry["hiddenMeshes"] = member.hiddenMeshes;
    const bool ofProject = isProjectPath(member.source.path);
    for (const ProjectClip& clip : member.clips) {
      Json written =
          clipJson(ofProject ? ProjectClip{.name = clip.name, .title = clip.title} : clip);
      // Most are ticked; what is missing is.
      if (clip.ticked || ofProject) written.erase("ticked");
      entry["clips"].push_back(std::move(written));
    }
    if (!ofProject && !(member.bake == BakeSettings{})) entry["bake"] = bakeJson(member.bake);
    cast.push_back(std::move(entry));
  }
  return cast;
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

Json viewJson(const ViewSettings& view) {
  Json json = {{"method", methodName(view.method)},           {"grid", view.grid},
               {"sampling", viewSamplingName(view.sampling)}, {"influences", view.influences},
               {"shadows", shadowsName(view.shadows)},        {"tickRateHz", view.tickRateHz},
               {"skinOn", skinOnName(view.skinOn)},           {"updateEvery", view.updateEvery}};
  const ViewSettings usual;
  if (view.paletteRead != usual.paletteRead) {
    json["paletteRead"] = paletteReadName(view.paletteRead);
  }
  if (view.packedInfluences) json["packedInfluences"] = true;
  if (view.facesWithinMeters != usual.facesWithinMeters) {
    json["facesWithinMeters"] = view.facesWithinMeters;
  }
  return json;
}

// Keeps what is at `path` as path.bak.
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
               {"needs", "0.1"}};
  root["sources"] = sourcesJson(project, folder);
  root["import"] = {{"heightMeters", project.import.heightMeters},
                    {"unitScale", project.import.unitScale}};
  root["clips"] = clipsJson(project);
  if (!project.cast.empty()) root["cast"] = castJson(project, folder);
  if (!project.props.empty()) root["props"] = propsJson(project, folder);
  root["bake"] = bakeJson(project.bake);
  root["spawn"] = spawnJson(project.spawn);
  root["randomSeed"] = project.randomSeed;
  root["view"] = viewJson(project.view);
  root["playbackSpeed"] = project.playbackSpeed;
  if (!project.masks.empty()) root["masks"] = masksJson(project.masks);
  return fileText(root, actorsToJson(project.actors));
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
