#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/json_fields.h"
#include "core/project/actors_json.h"
#include "core/project/characters_json.h"
#include "core/project/project_json.h"
#include "core/project/view_json.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr int kReader = 2;  // the version that this program writes
constexpr std::size_t kMostBytes = 256u * 1024u * 1024u;
constexpr std::size_t kMostEntries = 100'000;
constexpr std::size_t kMostCharacters = 1'000;
constexpr std::size_t kMostMasks = 1000;
constexpr std::size_t kMostProps = 10'000;
constexpr double kLargestProp = 1e6;  // largest scale of a prop

Error invalid(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
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

void readProps(JsonFields& root, const fs::path& folder, Project& project,
               std::optional<Error>& problem) {
  for (const JsonValue* entry : root.list("props", kMostProps)) {
    JsonFields fields(*entry, "props.", problem);
    Prop& prop = project.props.emplace_back();
    readSourcePath(fields, folder, prop.source.path, problem);
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

// Returns the version of the file.
Result<int> checkReader(JsonFields& root, const std::optional<Error>& problem) {
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
  int version = minReader;
  root.integer("version", version, 1, 1'000'000);
  if (problem) return tl::unexpected(*problem);
  return version;
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
  const auto version = checkReader(root, problem);
  if (!version) return tl::unexpected(version.error());

  Project project;
  readCharacters(root, *version, folder, project, problem);
  readProps(root, folder, project, problem);
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
