#include "core/project/actors/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "core/base/json_fields.h"
#include "core/project/actors/placement_csv.h"
#include "core/project/actors_json.h"
#include "core/project/cast_names.h"
#include "core/project/characters.h"
#include "core/project/crowds.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;
using Columns = std::span<const ActorColumn>;

constexpr std::string_view kFormat = "crowdkiln-actors";
constexpr int kVersion = 1;
constexpr std::string_view kSpace =
    "metres, right-handed, +Y up, characters face +Z; rotationDegrees are about x, y and z and the "
    "rotation is Ry * Rx * Rz; an actor's matrix is T * R * scale";
constexpr std::uint64_t kMostJsonBytes = std::uint64_t{256} << 20;  // parsed values need far more
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr std::size_t kMostCharacters = 1'000;
constexpr std::size_t kMostEntries = 100'000;

// A character as the file lists it.
struct ListedCharacter {
  std::string title;
  std::string set;
  std::vector<std::string> clips;
  std::vector<std::string> hiddenMeshes;
};

void describeCharacter(JsonFields& fields, ListedCharacter& one) {
  constexpr std::string_view kWhat = "is not a list of names";
  fields.text("title", one.title);
  fields.text("set", one.set);
  fields.texts("clips", one.clips, kMostEntries, kWhat);
  fields.texts("hiddenMeshes", one.hiddenMeshes, kMostEntries, kWhat);
}

void describeListedCrowds(JsonFields& root, std::vector<ProjectCrowd>& crowds) {
  const bool isUsual = crowds == std::vector<ProjectCrowd>(1);
  root.unless(isUsual).list("crowds", crowds, kMostCrowds,
                            [](JsonFields& fields, ProjectCrowd& crowd) {
                              fields.text("name", crowd.name);
                              fields.flag("on", crowd.on);
                            });
}

// The lists that actors of the file refer to by numbers, as a project of its own.
Project listedProject(JsonFields& root) {
  Project listed;
  std::vector<ListedCharacter> characters;
  root.list("characters", characters, kMostCharacters, describeCharacter);
  if (characters.empty()) {
    root.wrong("characters", "is no list of the characters that the actors are");
    return listed;
  }
  listed.characters.clear();
  for (const ListedCharacter& one : characters) {
    ProjectCharacter& character = listed.characters.emplace_back();
    character.title = one.title;
    for (const std::string& name : one.clips) character.clips.push_back({.name = name});
  }
  describeMasks(root, listed.masks);
  describeGroups(root, listed.groups);
  listed.crowds.clear();  // an actor of no listed crowd is of the first one
  describeListedCrowds(root, listed.crowds);
  return listed;
}

// Refuses keys of "actors" that are no column.
void checkKeys(JsonFields actors, Columns columns) {
  if (!actors.has("count")) actors.wrong("count", "is missing");
  for (const std::string& key : actors.keys()) {
    if (key == "count" || key == "morphs" || key == kActorCommands) continue;
    if (std::ranges::find(columns, key, &ActorColumn::key) == columns.end()) {
      actors.wrong(key, "is no property of an actor that this version has");
    }
  }
}

// The names by which a file lists what the column chooses from.
std::vector<std::string> listedNames(const Project& listed, ActorKind kind, int character) {
  std::vector<std::string> names;
  if (kind == ActorKind::Character) {
    for (const ProjectCharacter& one : listed.characters) names.push_back(one.title);
  } else if (kind == ActorKind::Mask) {
    for (const JointMask& one : listed.masks) names.push_back(one.name);
  } else if (kind == ActorKind::Group) {
    names = listed.groups;
  } else if (kind == ActorKind::Crowd) {
    for (const ProjectCrowd& one : listed.crowds) names.push_back(one.name);
  } else {
    for (const ProjectClip& one : clipsOf(listed, character)) names.push_back(one.name);
  }
  return names;
}

// Renumbers actors of a file's list for the project.
class Renumbering {
 public:
  Renumbering(const Project& listed, const Project& project) : cast_(project) {
    characters_ = listedNames(listed, ActorKind::Character, 0);
    masks_ = listedNames(listed, ActorKind::Mask, 0);
    groups_ = listedNames(listed, ActorKind::Group, 0);
    crowds_ = listedNames(listed, ActorKind::Crowd, 0);
    for (int c = 0; c < characterCount(listed); ++c) {
      clips_.push_back(listedNames(listed, ActorKind::Clip, c));
    }
  }

  Result<Actor> operator()(const Actor& read, std::size_t index, Columns columns) const {
    Actor actor = read;
    for (const ActorColumn& column : columns) {
      if (!isReference(column)) continue;
      const std::vector<std::string>& names = listed(column.kind, read.character);
      const double value = column.get(read);
      // -1 for none, and the first clip of a character without clips.
      if (value < 0.0 || value >= static_cast<double>(names.size())) {
        column.set(actor, column.get(Actor{}));
        continue;
      }
      const std::string& name = names[static_cast<std::size_t>(value)];
      const int number = cast_.find(column.kind, actor.character, name);
      if (number < 0) {
        return fail(ErrorCode::InvalidInput,
                    fmt::format("actors.{}[{}]: {}", column.key, index,
                                cast_.missing(column.kind, actor.character, name)));
      }
      column.set(actor, number);
    }
    return actor;
  }

 private:
  const std::vector<std::string>& listed(ActorKind kind, int character) const {
    if (kind == ActorKind::Character) return characters_;
    if (kind == ActorKind::Group) return groups_;
    if (kind == ActorKind::Crowd) return crowds_;
    return kind == ActorKind::Mask ? masks_ : clips_[static_cast<std::size_t>(character)];
  }

  CastNames cast_;
  std::vector<std::string> characters_;
  std::vector<std::string> masks_;
  std::vector<std::string> groups_;
  std::vector<std::string> crowds_;
  std::vector<std::vector<std::string>> clips_;  // by character
};

Result<void> checkVersion(JsonFields& root, const std::optional<Error>& problem) {
  std::string format;
  root.text("format", format);
  if (problem || format != kFormat) {
    return fail(ErrorCode::InvalidInput, "this is not a file of actors");
  }
  int version = 0;
  root.integer("version", version, 1, 1'000'000);
  if (problem) return tl::unexpected(*problem);
  if (version == 0) return fail(ErrorCode::InvalidInput, "the key 'version' is missing");
  if (version <= kVersion) return {};
  return fail(ErrorCode::Unsupported,
              fmt::format("the actors are of version {}; this program reads version {}", version,
                          kVersion));
}

Result<Project> listedIn(std::string_view text, Columns columns) {
  const auto document = JsonDocument::parse(text);
  if (!document) return tl::unexpected(document.error());
  std::optional<Error> problem;
  JsonFields root(document->root(), "", problem);
  if (auto ok = checkVersion(root, problem); !ok) return tl::unexpected(ok.error());
  Project listed = listedProject(root);
  checkKeys(root.object("actors"), columns);
  if (problem) return tl::unexpected(*problem);
  listed.actors = ActorList(readActors(root.object("actors"), listed, columns));
  if (problem) return tl::unexpected(*problem);
  return listed;
}

Result<ActorList> actorsFromJson(std::string_view text, const Project& project, Columns columns) {
  const auto listed = listedIn(text, columns);
  if (!listed) return tl::unexpected(listed.error());
  const Renumbering renumbered(*listed, project);
  std::vector<Actor> actors;
  actors.reserve(listed->actors.size());
  for (std::size_t i = 0; i < listed->actors.size(); ++i) {
    auto actor = renumbered(listed->actors[i], i, columns);
    if (!actor) return tl::unexpected(actor.error());
    actors.push_back(std::move(*actor));
  }
  return ActorList(actors);
}

// The first character of a text but for blanks and a byte order mark.
char firstOf(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? '\0' : text[at];
}

}  // namespace

bool isPlacementPath(std::string_view path) {
  std::string small(path);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small.ends_with(kPlacementJson) || small.ends_with(".csv");
}

std::vector<std::string> setNamesOf(const Project& project,
                                    const std::map<int, std::string>& exported) {
  std::vector<std::string> names;
  for (int c = 0; c < characterCount(project); ++c) {
    const auto set = exported.find(baseOf(project, c));
    names.push_back(set == exported.end() ? std::string() : set->second);
  }
  return names;
}

std::string placementJson(const Project& project, std::span<const std::string> sets,
                          Columns columns, std::string setId) {
  const CastNames cast(project);
  std::vector<ListedCharacter> characters;
  for (int c = 0; c < characterCount(project); ++c) {
    const auto index = static_cast<std::size_t>(c);
    const auto clips = cast.names(ActorKind::Clip, c);
    characters.push_back({cast.names(ActorKind::Character, c)[index],
                          sets[index],
                          {clips.begin(), clips.end()},
                          project.characters[index].hiddenMeshes});
  }
  std::vector<JointMask> masks = project.masks;
  for (std::size_t m = 0; m < masks.size(); ++m) masks[m].name = cast.names(ActorKind::Mask, 0)[m];
  std::vector<std::string> groups = project.groups;
  std::vector<ProjectCrowd> crowds;
  for (const ProjectCrowd& crowd : project.crowds) crowds.push_back({crowd.name, crowd.on, {}});
  JsonDraft draft;
  JsonFields root(draft);
  root.derived("format", kFormat);
  root.derived("version", kVersion);
  if (!setId.empty()) root.text("setId", setId);
  root.derived("space", kSpace);
  root.list("characters", characters, kMostCharacters, describeCharacter);
  describeMasks(root, masks);
  describeGroups(root, groups);
  describeListedCrowds(root, crowds);
  return textWithActors(draft, project.actors, columns);
}

std::string placementCsv(const Project& project, std::span<const std::string> sets,
                         Columns columns) {
  return actorsToCsv(project, sets, columns);
}

Result<Project> listedFromJson(std::string_view text) {
  return listedIn(text, actorColumns());
}

Result<ActorList> placementFromText(std::string_view text, const Project& project,
                                    Columns columns) {
  const bool isJson = firstOf(text) == '{';
  const std::uint64_t most = isJson ? kMostJsonBytes : kMostBytes;
  if (text.size() > most) {
    return fail(
        ErrorCode::LimitExceeded,
        fmt::format("the actors have {} bytes, more than the limit of {}", text.size(), most));
  }
  return isJson ? actorsFromJson(text, project, columns) : actorsFromCsv(text, project, columns);
}

Result<ActorList> readPlacement(const fs::path& path, const Project& project) {
  const auto bytes = readFile(path, kMostBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  auto actors = placementFromText(text, project);
  if (actors) return actors;
  const std::string name = pathText(path);
  return fail(actors.error().code, fmt::format("{}: {}", name, actors.error().message), name);
}

Result<std::vector<SceneFile>> placementFiles(const Project& project,
                                              std::span<const std::string> sets) {
  std::vector<SceneFile> files = {
      {kPlacementJson, placementJson(project, sets, actorColumns(), std::string(kNoSetId))},
      {kPlacementCsv, placementCsv(project, sets)}};
  for (const SceneFile& file : files) {
    const auto read = placementFromText(file.text, project);
    if (!read) return tl::unexpected(read.error());
    if (*read == project.actors) continue;
    return fail(ErrorCode::Internal,
                fmt::format("the actors of {} read back differently", file.ending));
  }
  files.front().setIdAt = files.front().text.find(kNoSetId);
  return files;
}

}  // namespace ck
