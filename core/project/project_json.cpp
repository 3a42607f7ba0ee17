#include "core/project/project_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <glm/glm.hpp>
#include <optional>

#include "core/base/json_fields.h"
#include "core/project/actors_json.h"
#include "core/project/characters_json.h"
#include "core/project/crowds.h"
#include "core/system/files.h"
#include "core/view/view_options.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "crowdkiln-project";
constexpr int kVersion = 1;
constexpr int kMinReader = 1;
constexpr std::size_t kMostEntries = 100'000;
constexpr std::size_t kMostCharacters = 1'000;
constexpr std::size_t kMostUnknown = 10'000;  // keys
constexpr std::size_t kMostProps = 10'000;
constexpr std::size_t kMostBookmarks = 10'000;
constexpr double kLargestProp = 1e6;  // largest scale of a prop
constexpr std::size_t kMostPathPoints = 10'000;
constexpr double kLeastStep = 0.01;  // between rows of seats
constexpr int kMostAisles = 1000;

void describeProp(JsonFields& fields, const fs::path& folder, Prop& prop) {
  describePath(fields, folder, prop.source.path);
  constexpr std::string_view kWhat = "is not three metres";
  const glm::vec3& at = prop.position;
  std::vector<double> place = {shortestDouble(at.x), shortestDouble(at.y), shortestDouble(at.z)};
  fields.numbers("position", place, 3, -kFarthest, kFarthest, kWhat);
  if (place.size() != 3) return fields.wrong("position", kWhat);
  prop.position = glm::dvec3(place[0], place[1], place[2]);
  fields.number("yawDegrees", prop.yawDegrees, -kFarthest, kFarthest);
  fields.number("scale", prop.scale, -kLargestProp, kLargestProp);
  if (prop.scale == 0.0f) fields.wrong("scale", "is 0");
}

// Pairs of x and z.
void describeSpawnPath(JsonFields& fields, SpawnSettings& spawn) {
  constexpr std::string_view kWhat = "is not a list of pairs of metres, x and z";
  std::vector<double> numbers;
  for (const glm::vec2& point : spawn.path) {
    numbers.insert(numbers.end(), {shortestDouble(point.x), shortestDouble(point.y)});
  }
  fields.unless(spawn.path.empty())
      .numbers("path", numbers, 2 * kMostPathPoints, -kFarthest, kFarthest, kWhat);
  if (numbers.size() % 2 != 0) return fields.wrong("path", kWhat);
  spawn.path.clear();
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    spawn.path.emplace_back(static_cast<float>(numbers[i]), static_cast<float>(numbers[i + 1]));
  }
  fields.unless(!spawn.pathClosed).flag("pathClosed", spawn.pathClosed);
  fields.unless(spawn.pathRows == 1).integer("pathRows", spawn.pathRows, 1, kMostActors);
}

void describeArcs(JsonFields fields, ArcRows& arcs) {
  fields.number("innerMeters", arcs.innerMeters, 0.0, kFarthest);
  fields.number("fromDegrees", arcs.fromDegrees, -kFarthest, kFarthest);
  fields.number("toDegrees", arcs.toDegrees, -kFarthest, kFarthest);
  fields.number("stepMeters", arcs.stepMeters, kLeastStep, kFarthest);
  fields.number("riseMeters", arcs.riseMeters, -kFarthest, kFarthest);
  fields.integer("aisles", arcs.aisles, 0, kMostAisles);
  fields.number("aisleMeters", arcs.aisleMeters, 0.0, kFarthest);
}

void describeSpawn(JsonFields& fields, SpawnSettings& spawn, std::size_t props) {
  const SpawnSettings usual;
  fields.integer("count", spawn.count, 0, kMostActors);
  fields.choice("formation", spawn.formation, formationName, Formation::Arcs);
  fields.seed("seed", spawn.seed);
  fields.number("spacingMeters", spawn.spacingMeters, 0.0, kFarthest);
  fields.integer("clipCount", spawn.clipCount, 1, static_cast<std::int64_t>(kMostEntries));
  fields.flag("varied", spawn.varied);
  constexpr std::string_view kWhat = "is not two metres, x and z";
  std::vector<double> center = {spawn.centerMeters.x, spawn.centerMeters.y};
  fields.unless(spawn.centerMeters == usual.centerMeters)
      .numbers("centerMeters", center, 2, -kFarthest, kFarthest, kWhat);
  if (center.size() != 2) return fields.wrong("centerMeters", kWhat);
  spawn.centerMeters = {center[0], center[1]};
  fields.unless(spawn.headingDegrees == usual.headingDegrees)
      .number("headingDegrees", spawn.headingDegrees, -kFarthest, kFarthest);
  fields.unless(spawn.columns == usual.columns).integer("columns", spawn.columns, 0, kMostActors);
  fields.unless(spawn.rings == usual.rings).integer("rings", spawn.rings, 1, kMostActors);
  describeSpawnPath(fields, spawn);
  if (fields.has("arcs", spawn.arcs != ArcRows())) describeArcs(fields.object("arcs"), spawn.arcs);
  fields.unless(!spawn.mirrorX).flag("mirrorX", spawn.mirrorX);
  fields.unless(!spawn.mirrorZ).flag("mirrorZ", spawn.mirrorZ);
  fields.unless(spawn.groundProp == usual.groundProp)
      .integer("groundProp", spawn.groundProp, -1, static_cast<std::int64_t>(props) - 1);
  fields.unless(spawn.shares.empty())
      .numbers("shares", spawn.shares, kMostCharacters, 0.0, kFarthest,
               "is not a list of numbers of 0 or more");
  fields.unless(spawn.variedMorphs.empty())
      .texts("variedMorphs", spawn.variedMorphs, kMostEntries, "names something that is no text");
}

void describeCrowds(JsonFields& root, Project& project) {
  if (!root.writes() && root.has("crowds")) project.crowds.clear();
  root.list("crowds", project.crowds, kMostCrowds,
            [&project](JsonFields& fields, ProjectCrowd& crowd) {
              fields.text("name", crowd.name);
              fields.flag("on", crowd.on);
              describeSpawn(fields, crowd.spawn, project.props.size());
            });
  if (project.crowds.empty()) project.crowds = {ProjectCrowd{}};
  for (int c = 0; c < crowdCount(project); ++c) {
    const std::string& name = project.crowds[static_cast<std::size_t>(c)].name;
    if (!isFreeCrowdName(project, c, name)) {
      return root.wrong("crowds", "has a name that is empty, of two lines or there twice");
    }
  }
}

void describeScreen(JsonFields fields, ScreenView& screen) {
  fields.number("distanceMeters", screen.distanceMeters, kNearestView, kFarthestView);
  fields.number("imageHeightPixels", screen.imageHeightPixels, 1.0, kTallestView);
  fields.number("fieldOfViewDegrees", screen.verticalFieldOfViewDegrees, kNarrowestView,
                kWidestView);
}

void describeLimits(JsonFields fields, ErrorLimits& limits) {
  constexpr double kMost = 1e9;
  fields.number("vertexMm", limits.vertexMm, 0.0, kMost);
  fields.number("shellMm", limits.shellMm, 0.0, kMost);
  fields.number("pixels", limits.pixels, 0.0, kMost);
}

void describeViewOption(JsonFields& fields, std::string_view key, const ViewOption& row,
                        ViewSettings& view) {
  const std::string name(key);
  double value = row.get(view);
  const bool isOwn = row.file.low < row.file.high;
  const double low = isOwn ? row.file.low : row.line.low;
  const double high = isOwn ? row.file.high : row.line.high;
  fields.unless(!row.file.isAlways && value == row.get(ViewSettings()));
  if (row.kind == ViewKind::Number) {
    fields.number(name.c_str(), value, low, high);
  } else if (row.kind == ViewKind::Whole) {
    fields.integer(name.c_str(), value, static_cast<std::int64_t>(low),
                   static_cast<std::int64_t>(high));
  } else if (row.kind == ViewKind::Flag) {
    bool flag = value != 0.0;
    fields.flag(name.c_str(), flag);
    value = flag ? 1.0 : 0.0;
  } else {
    std::string word(row.words[static_cast<std::size_t>(value)]);
    fields.text(name.c_str(), word);
    const auto known = std::ranges::find(row.words, word);
    if (known == row.words.end()) return fields.notOffered(name.c_str(), word);
    value = static_cast<double>(known - row.words.begin());
  }
  row.set(view, value);
}

void describeView(JsonFields fields, ViewSettings& view) {
  constexpr std::string_view kDetail = "detail.";
  bool isDetailUsual = true;
  for (const ViewOption& row : viewOptions()) {
    if (row.file.key.starts_with(kDetail)) {
      isDetailUsual = isDetailUsual && row.get(view) == row.get(ViewSettings());
    } else if (!row.file.key.empty()) {
      describeViewOption(fields, row.file.key, row, view);
    }
  }
  if (view.pose.influences == 3) fields.wrong("influences", "is 3, not 0 (as baked), 1, 2 or 4");
  if (fields.has("detail", !isDetailUsual)) {
    JsonFields detail = fields.object("detail");
    for (const ViewOption& row : viewOptions()) {
      if (!row.file.key.starts_with(kDetail)) continue;
      describeViewOption(detail, row.file.key.substr(kDetail.size()), row, view);
    }
  }
  if (fields.has("screen", view.screen != ScreenView())) {
    describeScreen(fields.object("screen"), view.screen);
  }
}

void describeCamera(JsonFields fields, CameraPlace& camera) {
  std::vector<double> target = {camera.target.x, camera.target.y, camera.target.z};
  fields.numbers("target", target, 3, -kFarthest, kFarthest, "is not three metres");
  if (target.size() != 3) return fields.wrong("target", "is not three metres");
  camera.target = {target[0], target[1], target[2]};
  fields.number("distanceMeters", camera.distance, 1e-6, kFarthest);
  double yaw = glm::degrees(camera.yaw);
  double pitch = glm::degrees(camera.pitch);
  fields.number("yawDegrees", yaw, -kFarthest, kFarthest);
  fields.number("pitchDegrees", pitch, -90.0, 90.0);
  camera.yaw = glm::radians(yaw);
  camera.pitch = glm::radians(pitch);
  fields.unless(!camera.orthographic).flag("orthographic", camera.orthographic);
}

void describeDesk(JsonFields fields, Desk& desk) {
  if (fields.has("camera", desk.camera.has_value())) {
    if (!desk.camera) desk.camera.emplace();
    describeCamera(fields.object("camera"), *desk.camera);
  }
  fields.unless(desk.bookmarks.empty())
      .list("bookmarks", desk.bookmarks, kMostBookmarks, [](JsonFields& entry, auto& bookmark) {
        entry.text("title", bookmark.title);
        describeCamera(entry.object("camera"), bookmark.camera);
      });
  fields.unless(desk.selected.empty())
      .wholes("selected", desk.selected, kMostActors, 0, kMostActors - 1,
              "is not a list of actors");
  fields.unless(desk.crowd == 0)
      .integer("crowd", desk.crowd, 0, static_cast<std::int64_t>(kMostCrowds) - 1);
}

// The hashes of the sources, as a list, because paths are relative in files.
void describeHashes(JsonFields& root, const fs::path& folder, FileFacts& facts) {
  using Hash = std::pair<std::string, std::uint64_t>;
  std::vector<Hash> all(facts.sourceHashes.begin(), facts.sourceHashes.end());
  root.unless(all.empty())
      .list("sourceHashes", all, kMostEntries, [&](JsonFields& entry, Hash& one) {
        describePath(entry, folder, one.first);
        std::string text = hashText(one.second);
        entry.text("xxh3", text);
        if (const auto hash = hashFromText(text)) {
          one.second = *hash;
        } else {
          entry.wrong("xxh3", "is not a hash of 16 digits");
        }
      });
  facts.sourceHashes = {all.begin(), all.end()};
}

// All but the actors.
void describeProject(JsonFields& root, const fs::path& folder, Project& project) {
  describeCharacters(root, folder, project);
  root.unless(project.props.empty())
      .list("props", project.props, kMostProps,
            [&folder](JsonFields& entry, Prop& prop) { describeProp(entry, folder, prop); });
  describeCrowds(root, project);
  root.seed("randomSeed", project.randomSeed);
  describeView(root.object("view"), project.view);
  if (root.has("errorLimits", project.errorLimits != ErrorLimits())) {
    describeLimits(root.object("errorLimits"), project.errorLimits);
  }
  root.number("playbackSpeed", project.playbackSpeed, -1000.0, 1000.0);
  describeMasks(root, project.masks);
  describeGroups(root, project.groups);
  if (root.has("desk", project.desk != Desk())) describeDesk(root.object("desk"), project.desk);
  describeHashes(root, folder, project.file);
}

// Returns the version of the file.
Result<int> checkReader(JsonFields& root, const std::optional<Error>& problem) {
  std::string format;
  root.text("format", format);
  if (problem || format != kFormat) {
    return fail(ErrorCode::InvalidInput, "this is not a Crowdkiln project");
  }
  int minReader = 0;
  std::string needs = "a version that is not out yet";
  root.integer("minReader", minReader, 1, 1'000'000);
  root.text("needs", needs);
  if (problem) return tl::unexpected(*problem);
  if (minReader == 0) return fail(ErrorCode::InvalidInput, "the key 'minReader' is missing");
  if (minReader > kVersion) {
    return fail(ErrorCode::Unsupported,
                fmt::format("the project needs Crowdkiln {} or newer", needs));
  }
  int version = minReader;
  root.integer("version", version, 1, 1'000'000);
  if (problem) return tl::unexpected(*problem);
  return version;
}

// The project with its actors apart. The parsed document, which is as large as they are, is gone
// before they become the project's list.
Result<Project> projectWithout(std::vector<Actor>& actors, std::string_view text,
                               const fs::path& folder) {
  const auto document = JsonDocument::parse(text);
  if (!document) return tl::unexpected(document.error());
  std::optional<Error> problem;
  JsonFields root(document->root(), "", problem);
  JsonAsked asked;
  root.watch(asked);
  const auto version = checkReader(root, problem);
  if (!version) return tl::unexpected(version.error());

  Project project;
  describeProject(root, folder, project);
  // Columns of actors are as long as the list, so unknown ones cannot be kept.
  JsonFields columns = root.object("actors");
  columns.unwatch();
  actors = readActors(columns, project);
  if (problem) return tl::unexpected(*problem);
  project.file.newerVersion = *version > kVersion ? *version : 0;
  auto unknown = document->unread(asked, kMostUnknown);
  if (!unknown) return tl::unexpected(unknown.error());
  project.file.unknown = std::move(*unknown);
  return project;
}

// The hash of the text that this process has read or written as a project last. A file that is the
// same is whole; reading one of a large crowd only to know that takes longer than saving it.
std::atomic<std::uint64_t> lastWhole = 0;

bool isDamaged(std::span<const std::byte> bytes, const fs::path& folder) {
  if (hashBytes(bytes) == lastWhole) return false;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto project = projectFromJson(text, folder);
  return !project && project.error().code == ErrorCode::InvalidInput;
}

// Keeps the existing file as its backup. One that is damaged does not replace an earlier backup.
Result<void> keepBackup(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return {};
  const auto old = readFile(path, kLargestProject);
  if (!old) return tl::unexpected(old.error());
  if (fs::exists(backupOf(path), failed) && isDamaged(*old, path.parent_path())) return {};
  return writeFileAtomically(backupOf(path), *old);
}

}  // namespace

fs::path backupOf(fs::path projectFile) {
  return projectFile += ".bak";
}

std::string projectToJson(Project project, const fs::path& folder) {
  JsonDraft draft;
  JsonFields root(draft);
  root.derived("format", kFormat);
  root.derived("version", kVersion);
  root.derived("minReader", kMinReader);
  root.derived("needs", "0.1");
  describeProject(root, folder, project);
  draft.add(project.file.unknown);
  return textWithActors(draft, project.actors);
}

Result<Project> projectFromJson(std::string_view text, const fs::path& folder) {
  if (text.size() > kLargestProject) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the project has {} bytes, more than the limit of {}", text.size(),
                            kLargestProject));
  }
  std::vector<Actor> actors;
  auto project = projectWithout(actors, text, folder);
  if (!project) return project;
  project->actors = ActorList(actors);
  std::vector<int>& selected = project->desk.selected;
  std::ranges::sort(selected);
  const auto repeated = std::unique(selected.begin(), selected.end());
  selected.erase(repeated, selected.end());
  std::erase_if(selected, [&](int actor) { return std::size_t(actor) >= actors.size(); });
  return project;
}

Result<void> writeProjectFile(const Project& project, const fs::path& path, Links links) {
  const std::string text = projectToJson(project, path.parent_path());
  removeUnfinished(path, links);
  removeUnfinished(backupOf(path));
  if (auto kept = keepBackup(path); !kept) return kept;
  const auto bytes = std::as_bytes(std::span(text));
  if (auto written = writeFileAtomically(path, bytes, links); !written) return written;
  lastWhole = hashBytes(bytes);
  return {};
}

Result<Project> readProjectFile(const fs::path& path) {
  const auto bytes = readFile(path, kLargestProject);
  if (!bytes) return tl::unexpected(bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  auto project = projectFromJson(text, path.parent_path());
  if (project) {
    lastWhole = hashBytes(*bytes);
    return project;
  }
  Error error = project.error();
  error.file = pathText(path);
  error.message = fmt::format("{}: {}", error.file, error.message);
  std::error_code failed;
  if (error.code == ErrorCode::InvalidInput && fs::exists(backupOf(path), failed)) {
    error.message += fmt::format("; the version before it is kept as {}", pathText(backupOf(path)));
  }
  return tl::unexpected(std::move(error));
}

}  // namespace ck
