#include "app/commands/cast_stage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/files.h"
#include "core/project/cast.h"
#include "core/project/pipeline.h"
#include "core/project/project_json.h"
#include "core/project/props.h"

namespace ck::cli {
namespace {

// A character with everything that is needed to draw it, and its clips in the order of Actor::clip.
struct Ready {
  CharacterPtr character;
  AtlasPtr atlas;
  std::vector<ProjectClip> clips;
  std::vector<std::vector<CrowdEvent>> atlasEvents = {};  // of an atlas folder, one list per clip
};

struct Further {
  std::string file;
  double share = 1.0;
};

// The part behind the last '=' is the share where it is a number above 0; else it is of the name.
Further furtherFrom(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  Further further{text, 1.0};
  if (equals == std::string::npos) return further;
  double share = 0.0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + equals + 1, end, share);
  if (read.ec == std::errc() && read.ptr == end && share > 0.0 && share <= 1e6) {
    further = {text.substr(0, equals), share};
  }
  return further;
}

StageRefusal named(const std::string& title, StageRefusal refusal) {
  refusal.error.message = fmt::format("{}: {}", title, refusal.error.message);
  return refusal;
}

// Reads sources once each, however many members have them.
class Sources {
 public:
  Sources(Notes& notes, const JobContext& job) : notes_(notes), job_(job) {}

  // As the first member of the source says, or as usual.
  tl::expected<Ready, StageRefusal> read(const SourceFile& source, const CastMember& member = {}) {
    for (const auto& [path, ready] : known_) {
      if (path == source.path) return ready;
    }
    auto read = readCastSource(source, job_);
    if (!read) return tl::unexpected(StageRefusal{read.error()});
    bakeAs(*read, member);
    const auto atlas = atlasOfCastSource(*read, notes_, job_);
    if (!atlas) return tl::unexpected(StageRefusal{atlas.error()});
    notes_.insert(notes_.end(), read->character->notes.begin(), read->character->notes.end());
    Ready ready{read->character, *atlas, read->project.clips};
    known_.emplace_back(source.path, ready);
    return ready;
  }

 private:
  Notes& notes_;
  JobContext job_;
  std::vector<std::pair<std::string, Ready>> known_;
};

std::vector<std::string> namesOf(const std::vector<ProjectClip>& clips) {
  std::vector<std::string> names;
  for (const ProjectClip& clip : clips) names.push_back(clip.name);
  return names;
}

void addMember(CastStage& stage, const std::string& title, const Ready& ready,
               std::span<const std::string> hiddenMeshes) {
  std::vector<CrowdClip> clips = crowdClips(*ready.atlas, namesOf(ready.clips));
  std::vector<std::vector<ClipEvent>> events;
  for (const ProjectClip& clip : ready.clips) events.push_back(clip.events);
  setEvents(clips, *ready.atlas, events);
  for (std::size_t i = 0; i < std::min(clips.size(), ready.atlasEvents.size()); ++i) {
    clips[i].events = ready.atlasEvents[i];
  }
  if (clips.empty()) clips.emplace_back();
  stage.members.push_back(
      {title,
       {ready.character, ready.atlas, meshesNamed(*ready.character, hiddenMeshes)},
       std::move(clips)});
}

// The project of the first file: one that is read, or made of a rig or an atlas.
struct Opened {
  Project project;
  Ready own;
};

tl::expected<Opened, StageRefusal> open(const ImportOptions& import, const BakeOptions& bake,
                                        Sources& sources, Notes& notes, const JobContext& job) {
  const std::string& first = import.files.front();
  Opened opened;
  if (isProjectPath(first)) {
    auto project = readProjectFile(pathFromText(first));
    if (!project) return tl::unexpected(StageRefusal{project.error()});
    if (import.files.size() > 1) {
      return tl::unexpected(StageRefusal{
          {ErrorCode::InvalidInput,
           fmt::format("{} names its own files; further characters come by --with", first)},
          true});
    }
    auto own = sources.read({first});
    if (!own) return tl::unexpected(own.error());
    opened = {std::move(*project), std::move(*own)};
    adoptClips(opened.project, *opened.own.character);
    opened.own.clips = opened.project.clips;
    return opened;
  }
  auto stage = makeStage(import, bake, job);
  if (!stage) return tl::unexpected(stage.error());
  notes.insert(notes.end(), stage->notes.begin(), stage->notes.end());
  opened.own = {stage->character, stage->atlas, {}, stage->clipEvents};
  for (const std::string& name : clipNamesOf(*stage->atlas)) {
    opened.own.clips.push_back({.name = name});
  }
  opened.project.sources = {{first}};
  opened.project.clips = opened.own.clips;
  return opened;
}

// One for each character: as it was spawned, or as the actors are that there are.
std::vector<double> sharesOf(const Project& project) {
  std::vector<double> shares = project.spawn.shares;
  shares.resize(static_cast<std::size_t>(characterCount(project)), 0.0);
  if (!project.spawn.shares.empty()) return shares;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    shares[static_cast<std::size_t>(project.actors[i].character)] += 1.0;
  }
  if (project.actors.size() == 0) shares[0] = 1.0;
  return shares;
}

// A file's shape is read once, however many props stand there with it.
Result<CharacterPtr> shapeOf(std::vector<std::pair<std::string, CharacterPtr>>& known,
                             const SourceFile& source, const JobContext& job) {
  for (const auto& [path, shape] : known) {
    if (path == source.path) return shape;
  }
  auto shape = readPropShape(source, job);
  if (shape) known.emplace_back(source.path, *shape);
  return shape;
}

// Of a project: what is missing is left out, as in the editor.
void placeProps(CastStage& stage, const std::vector<Prop>& props, const JobContext& job) {
  std::vector<std::pair<std::string, CharacterPtr>> known;
  for (const Prop& prop : props) {
    const auto shape = shapeOf(known, prop.source, job);
    if (shape) {
      stage.props.push_back({*shape, prop.position, prop.yawDegrees, prop.scale});
    } else {
      stage.notes.push_back({Note::Level::Warning, "PropMissing",
                             fmt::format("a prop is left out: {}", shape.error().message)});
    }
  }
}

// Up to four numbers between commas; nothing where a word is none.
std::vector<double> numbersFrom(std::string_view text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (true) {
    double number = 0.0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc() || !(std::abs(number) < 1e6)) return {};
    numbers.push_back(number);
    if (read.ptr == end) return numbers;
    if (*read.ptr != ',') return {};
    at = read.ptr + 1;
  }
}

Prop propFrom(const std::string& text) {
  Prop prop{.source = {text}};
  const std::size_t sign = text.rfind('@');
  if (sign == std::string::npos) return prop;
  const std::vector<double> numbers = numbersFrom(std::string_view(text).substr(sign + 1));
  if (numbers.size() < 2 || numbers.size() > 4) return prop;
  prop.source.path = text.substr(0, sign);
  prop.position = {numbers[0], 0.0, numbers[1]};
  if (numbers.size() > 2) prop.yawDegrees = static_cast<float>(numbers[2]);
  if (numbers.size() > 3) prop.scale = static_cast<float>(numbers[3]);
  return prop;
}

// Ready members in the order of the cast; their clips go into the project.
tl::expected<void, StageRefusal> readMembers(CastStage& stage, Opened& opened, Sources& sources) {
  Project& project = opened.project;
  addMember(stage, characterTitle(project, 0), opened.own, {});
  const std::vector<CastMember> cast = project.cast;
  for (const CastMember& member : cast) {
    if (member.source.path.empty()) {
      addMember(stage, member.title, opened.own, member.hiddenMeshes);
      continue;
    }
    const auto ready = sources.read(member.source, member);
    if (!ready) return tl::unexpected(named(member.title, ready.error()));
    adoptCastClips(project, member.source, ready->clips);
    addMember(stage, member.title, *ready, member.hiddenMeshes);
  }
  return {};
}

}  // namespace

void addWithOption(CLI::App& app, WithOptions& options) {
  app.add_option("--with", options.files,
                 "Another character in the same crowd: a rig or a .crowd project; as many actors "
                 "as the first has, or SHARE times that")
      ->allow_extra_args(false)
      ->option_text("FILE[=SHARE]");
}

void addPropOption(CLI::App& app, PropOptions& options) {
  app.add_option("--prop", options.props,
                 "A mesh that stands in the scene: a file that rigs are read from, its place in "
                 "metres (default: 0,0), degrees about the vertical, and times its size")
      ->allow_extra_args(false)
      ->option_text("MESH[@X,Z[,YAW[,SCALE]]]");
}

tl::expected<void, StageRefusal> addProps(CastStage& stage, const PropOptions& options,
                                          const JobContext& job) {
  std::vector<std::pair<std::string, CharacterPtr>> known;
  for (const std::string& text : options.props) {
    const Prop prop = propFrom(text);
    if (prop.scale == 0.0f) {
      return tl::unexpected(StageRefusal{
          {ErrorCode::InvalidInput, fmt::format("--prop: '{}' has no size; its scale is 0", text)},
          true});
    }
    const auto shape = shapeOf(known, prop.source, job);
    if (!shape) return tl::unexpected(StageRefusal{shape.error()});
    stage.props.push_back({*shape, prop.position, prop.yawDegrees, prop.scale});
  }
  return {};
}

std::vector<render::CastEntry> CastStage::entries() const {
  std::vector<render::CastEntry> all;
  for (const Member& member : members) all.push_back(member.entry);
  return all;
}

std::vector<CharacterPtr> CastStage::characters() const {
  std::vector<CharacterPtr> all;
  for (const Member& member : members) all.push_back(member.entry.character);
  return all;
}

MixedCrowd CastStage::crowd() const {
  std::vector<std::vector<CrowdClip>> clips;
  for (const Member& member : members) clips.push_back(member.clips);
  return MixedCrowd(actors, clips, masks);
}

tl::expected<CastStage, StageRefusal> makeCastStage(const ImportOptions& import,
                                                    const BakeOptions& bake,
                                                    const CrowdOptions& crowd,
                                                    const WithOptions& with,
                                                    const JobContext& job) {
  CastStage stage;
  Sources sources(stage.notes, job);
  auto opened = open(import, bake, sources, stage.notes, job);
  if (!opened) return tl::unexpected(opened.error());
  Project& project = opened->project;
  const bool keeps = isProjectPath(import.files.front()) && with.files.empty() && !with.actorsAsked;
  std::vector<double> shares = sharesOf(project);
  for (const std::string& text : with.files) {
    const Further further = furtherFrom(text);
    const std::string stem = pathText(pathFromText(further.file).stem());
    addCastMember(project, {.title = stem, .source = {further.file}});
    shares.push_back(further.share * (shares[0] > 0.0 ? shares[0] : 1.0));
  }
  if (auto read = readMembers(stage, *opened, sources); !read) {
    return tl::unexpected(read.error());
  }
  stage.masks = project.masks;
  placeProps(stage, project.props, job);
  if (keeps) {
    stage.actors = project.actors.toVector();
    return stage;
  }
  SpawnSettings spawn = spawnSettings(crowd, *opened->own.character);
  for (const CastStage::Member& member : stage.members) {
    spawn.spacingMeters = std::max(spawn.spacingMeters, spacingFor(*member.entry.character));
  }
  spawn.shares = shares;
  const std::vector<CharacterPtr> characters = stage.characters();
  stage.actors = spawnCast(spawnParts(project, characters), spawn);
  return stage;
}

}  // namespace ck::cli
