#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "core/base/files.h"
#include "core/project/actors_json.h"
#include "core/project/cast.h"
#include "core/base/json_fields.h"
#include "core/project/project_json.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr int kReader = 1;  // the version of the format that this program writes
constexpr std::size_t kMostBytes = 256u * 1024u * 1024u;
constexpr std::size_t kMostEntries = 100'000;
constexpr std::size_t kMostCharacters = 1'000;
constexpr std::size_t kMostEvents = 1000;  // of a clip
constexpr std::size_t kMostMasks = 1000;
constexpr std::size_t kMostProps = 10'000;
constexpr double kLargestProp = 1e6;  // times its own size

Error invalid(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

// The path of a file of this machine, relative to `folder`.
void readPath(JsonFields& fields, const fs::path& folder, std::string& path,
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

void readSources(JsonFields& root, const fs::path& folder, Project& project,
                 std::optional<Error>& problem) {
  for (const JsonValue* entry : root.list("sources", kMostEntries)) {
    JsonFields fields(*entry, "sources.", problem);
    readPath(fields, folder, project.sources.emplace_back().path, problem);
    if (problem) return;
  }
}

void readShape(JsonFields& fields, ClipEdit& shape) {
  fields.number("rate", shape.rate, kSlowestClipRate, kFastestClipRate);
  fields.flag("inPlace", shape.inPlace);
  if (!fields.has("trimSeconds")) return;
  constexpr std::string_view kWhat = "is not a start and an end in seconds";
  const auto ends = fields.numbers("trimSeconds", kMostEntries, -kFarthest, kFarthest, kWhat);
  if (ends.size() != 2) return fields.wrong("trimSeconds", kWhat);
  shape.trim = Trim{ends[0], ends[1]};
  if (!(shape.trim->startSeconds < shape.trim->endSeconds)) {
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

void readMasks(JsonFields& root, Project& project, std::optional<Error>& problem) {
  for (const JsonValue* entry : root.list("masks", kMostMasks)) {
    JsonFields fields(*entry, "masks.", problem);
    JointMask mask;
    fields.text("name", mask.name);
    for (const JsonValue* each : fields.list("parts", kMostEntries)) {
      JsonFields partFields(*each, "masks.parts.", problem);
      MaskPart part;
      double weight = 1.0;
      partFields.text("joint", part.joint);
      partFields.number("weight", weight, 0.0, 1.0);
      partFields.flag("subtree", part.subtree);
      part.weight = static_cast<float>(weight);
      mask.parts.push_back(std::move(part));
    }
    project.masks.push_back(std::move(mask));
  }
}

// `where` stands in front of the keys that sentences name.
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
    readShape(fields, clip.shape);
    clip.events = readEvents(fields, where, problem);
    clips.push_back(std::move(clip));
  }
  return clips;
}

void readProps(JsonFields& root, const fs::path& folder, Project& project,
               std::optional<Error>& problem) {
  for (const JsonValue* entry : root.list("props", kMostProps)) {
    JsonFields fields(*entry, "props.", problem);
    Prop& prop = project.props.emplace_back();
    readPath(fields, folder, prop.source.path, problem);
    constexpr std::string_view kWhat = "is not three metres";
    const auto place = fields.numbers("position", 3, -kFarthest, kFarthest, kWhat);
    if (place.size() == 3) {
      prop.position = {place[0], place[1], place[2]};
    } else if (fields.has("position")) {
      fields.wrong("position", kWhat);
    }
    double yaw = 0.0;
    double scale = 1.0;
    fields.number("yawDegrees", yaw, -kFarthest, kFarthest);
    fields.number("scale", scale, -kLargestProp, kLargestProp);
    if (static_cast<float>(scale) == 0.0f) fields.wrong("scale", "is 0");
    prop.yawDegrees = static_cast<float>(yaw);
    prop.scale = static_cast<float>(scale);
    if (problem) return;
  }
}

void readBake(JsonFields fields, BakeSettings& bake, std::optional<Error>& problem) {
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

void readCast(JsonFields& root, const fs::path& folder, Project& project,
              std::optional<Error>& problem) {
  std::unordered_set<std::string> titles;
  for (const JsonValue* entry : root.list("cast", kMostCharacters - 1)) {
    JsonFields fields(*entry, "cast.", problem);
    CastMember& member = project.cast.emplace_back();
    fields.text("title", member.title);
    if (!titles.insert(member.title).second || member.title.empty()) {
      fields.wrong("title", fmt::format("'{}' is empty or there twice", member.title));
    }
    if (fields.has("path")) readPath(fields, folder, member.source.path, problem);
    member.hiddenMeshes = fields.texts("hiddenMeshes", kMostEntries, "is not a list of names");
    if (!member.source.path.empty()) {
      member.clips = readClips(fields, "cast.clips.", problem);
      readBake(JsonFields(fields.part("bake"), "cast.bake.", problem), member.bake, problem);
    }
    if (problem) return;
  }
}

void readSpawn(JsonFields fields, SpawnSettings& spawn) {
  fields.integer("count", spawn.count, 0, kMostActors);
  fields.choice("formation", spawn.formation,
                {Formation::Grid, Formation::Disc, Formation::Scatter}, formationName);
  fields.seed("seed", spawn.seed);
  fields.number("spacingMeters", spawn.spacingMeters, 0.0, kFarthest);
  fields.integer("clipCount", spawn.clipCount, 1, static_cast<std::int64_t>(kMostEntries));
  fields.flag("varied", spawn.varied);
  spawn.shares = fields.numbers("shares", kMostCharacters, 0.0, kFarthest,
                                "is not a list of numbers of 0 or more");
  spawn.variedMorphs =
      fields.texts("variedMorphs", kMostEntries, "names something that is no text");
}

void readView(JsonFields fields, ViewSettings& settings) {
  fields.choice("method", settings.method, methodFromName, methodName);
  fields.flag("grid", settings.grid);
  fields.choice("sampling", settings.sampling,
                {ViewSampling::AsBaked, ViewSampling::Interpolated, ViewSampling::HardwareLinear,
                 ViewSampling::Nearest, ViewSampling::Compact},
                viewSamplingName);
  const int influences = settings.influences;
  fields.integer("influences", settings.influences, 0, 4);
  if (settings.influences == 3) {
    fields.wrong("influences", "is 3, not 0 (as baked), 1, 2 or 4");
    settings.influences = influences;
  }
  fields.choice("skinOn", settings.skinOn, {SkinOn::Auto, SkinOn::Gpu, SkinOn::Cpu}, skinOnName);
  fields.integer("updateEvery", settings.updateEvery, 1, 16);
  fields.choice("shadows", settings.shadows,
                {Shadows::Auto, Shadows::Off, Shadows::Soft, Shadows::Cascades}, shadowsName);
  fields.number("tickRateHz", settings.tickRateHz, 0.0, 1000.0);
  fields.choice("paletteRead", settings.paletteRead,
                {PaletteRead::Auto, PaletteRead::TextureBuffer, PaletteRead::StorageBuffer},
                paletteReadName);
  fields.flag("packedInfluences", settings.packedInfluences);
  fields.number("facesWithinMeters", settings.facesWithinMeters, 0.0, kFarthest);
}

Result<void> checkReader(JsonFields& root, const std::optional<Error>& problem) {
  std::string format;
  root.text("format", format);
  if (problem || format != "crowdkiln-project") {
    return tl::unexpected(invalid("this is not a Crowdkiln project"));
  }
  int minReader = 0;
  std::string needs = "a version that is not out yet";
  root.integer("minReader", minReader, 1, 1'000'000);
  root.text("needs", needs);
  if (problem) return tl::unexpected(*problem);
  if (minReader == 0) return tl::unexpected(invalid("the key 'minReader' is missing"));
  if (minReader > kReader) {
    return fail(ErrorCode::Unsupported,
                fmt::format("the project needs Crowdkiln {} or newer", needs));
  }
  return {};
}

}  // namespace

Result<Project> projectFromJson(std::string_view text, const fs::path& folder) {
  if (text.size() > kMostBytes) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the project has {} bytes, more than the limit of {}", text.size(),
                            kMostBytes));
  }
  const auto document = JsonDocument::parse(text);
  if (!document) return tl::unexpected(document.error());
  std::optional<Error> problem;
  JsonFields root(document->root(), "", problem);
  if (auto ok = checkReader(root, problem); !ok) return tl::unexpected(ok.error());

  Project project;
  readSources(root, folder, project, problem);
  JsonFields import(root.part("import"), "import.", problem);
  import.number("heightMeters", project.import.heightMeters, 0.0, kFarthest);
  import.number("unitScale", project.import.unitScale, 0.0, kFarthest);
  project.clips = readClips(root, "clips.", problem);
  readCast(root, folder, project, problem);
  readProps(root, folder, project, problem);
  readBake(JsonFields(root.part("bake"), "bake.", problem), project.bake, problem);
  readSpawn(JsonFields(root.part("spawn"), "spawn.", problem), project.spawn);
  root.seed("randomSeed", project.randomSeed);
  readView(JsonFields(root.part("view"), "view.", problem), project.view);
  root.number("playbackSpeed", project.playbackSpeed, -1000.0, 1000.0);
  readMasks(root, project, problem);
  readActors(JsonFields(root.part("actors"), "actors.", problem), project, problem);
  if (problem) return tl::unexpected(*problem);
  return project;
}

}  // namespace ck
