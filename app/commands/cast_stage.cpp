#include "app/commands/cast_stage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <variant>

#include "core/base/files.h"
#include "core/project/cast.h"
#include "core/project/pipeline.h"
#include "core/project/project_json.h"
#include "core/project/props.h"
#include "render/skinning/method_offers.h"

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

bool isThere(const std::string& file) {
  std::error_code failed;
  return std::filesystem::exists(pathFromText(file), failed);
}

StageRefusal misuse(std::string sentence) {
  return {{ErrorCode::InvalidInput, std::move(sentence)}, true};
}

// What is behind the last '=' is the share, unless it is no number and of the name.
UsageResult<Further> furtherFrom(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || isThere(text)) return Further{text, 1.0};
  const std::string file = text.substr(0, equals);
  double share = 0.0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + equals + 1, end, share);
  const bool isNumber = read.ec != std::errc::invalid_argument && read.ptr == end;
  if (isNumber && read.ec == std::errc() && share > 0.0 && share <= 1e6) {
    return Further{file, share};
  }
  if (!isNumber && !isThere(file)) return Further{text, 1.0};
  return tl::unexpected(
      fmt::format("--with: '{}' behind '{}=' is no share, which is a number above 0 and up to "
                  "1000000",
                  text.substr(equals + 1), file));
}

StageRefusal named(const std::string& title, StageRefusal refusal) {
  refusal.error.message = fmt::format("{}: {}", title, refusal.error.message);
  return refusal;
}

// All clips of a rig file, as the options of the command say.
UsageResult<void> bakeByOptions(CastSource& source, BakeOptions options) {
  if (!source.projectFile.empty()) return {};
  options.clips.clear();
  auto settings = bakeSettings(options, *source.character);
  if (!settings) return tl::unexpected(settings.error());
  for (const BakeClip& clip : settings->clips) {
    for (ProjectClip& own : source.project.clips) {
      if (own.name != clip.name) continue;
      own.loop = clip.loop;
      own.seam = clip.seam;
      own.shape = clip.shape;
    }
  }
  source.project.bake = std::move(*settings);
  source.project.bake.clips.clear();
  return {};
}

// How a rig file among the sources is baked: as a member of the project says, or as the options do.
using BakedBy = std::variant<CastMember, BakeOptions>;

// Reads sources once each, however many members have them.
class Sources {
 public:
  Sources(Notes& notes, const JobContext& job) : notes_(notes), job_(job) {}

  // As the first member of the source says. Notes get `noteBefore` in front.
  tl::expected<Ready, StageRefusal> read(const SourceFile& source, const BakedBy& by,
                                         const std::string& noteBefore) {
    for (const auto& [path, ready] : known_) {
      if (path == source.path) return ready;
    }
    auto read = readCastSource(source, job_);
    if (!read) return tl::unexpected(StageRefusal{read.error()});
    if (const auto* member = std::get_if<CastMember>(&by)) {
      bakeAs(*read, *member);
    } else if (auto ok = bakeByOptions(*read, std::get<BakeOptions>(by)); !ok) {
      return tl::unexpected(misuse(ok.error()));
    }
    Notes notes;
    const auto atlas = atlasOfCastSource(*read, notes, job_);
    if (!atlas) return tl::unexpected(StageRefusal{atlas.error()});
    const Notes& ofImport = read->character->notes;
    notes.insert(notes.begin(), ofImport.begin(), ofImport.end());
    for (Note& note : notes) {
      note.message = noteBefore + note.message;
      notes_.push_back(std::move(note));
    }
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

void noteMissingMeshes(CastStage& stage, const std::string& title, const Character& character,
                       std::span<const std::string> hiddenMeshes) {
  std::vector<std::string> names;
  for (const Mesh& mesh : character.meshes) names.push_back(mesh.name);
  for (const std::string& name : hiddenMeshes) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    stage.notes.push_back({Note::Level::Warning, "HiddenMeshMissing",
                           fmt::format("{}: there is no mesh '{}' to hide; the rig has '{}'", title,
                                       name, fmt::join(names, "', '"))});
  }
}

void addMember(CastStage& stage, const std::string& title, const Ready& ready,
               std::span<const std::string> hiddenMeshes) {
  noteMissingMeshes(stage, title, *ready.character, hiddenMeshes);
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
    auto own = sources.read({first}, CastMember{}, {});
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

UsageResult<Prop> propFrom(const std::string& text) {
  Prop prop{.source = {text}};
  const std::size_t sign = text.rfind('@');
  if (sign == std::string::npos || isThere(text)) return prop;
  const std::string file = text.substr(0, sign);
  const std::string place = text.substr(sign + 1);
  const std::vector<double> numbers = numbersFrom(place);
  if (numbers.size() < 2 || numbers.size() > 4) {
    const bool isOfNumbers = place.find_first_not_of("0123456789+-.,eE") == std::string::npos;
    if (!isOfNumbers && !isThere(file)) return prop;
    return tl::unexpected(
        fmt::format("--prop: '{}' behind '{}@' is no place, which is X,Z[,YAW[,SCALE]] with "
                    "numbers below a million",
                    place, file));
  }
  prop.source.path = file;
  prop.position = {numbers[0], 0.0, numbers[1]};
  if (numbers.size() > 2) prop.yawDegrees = static_cast<float>(numbers[2]);
  if (numbers.size() > 3) prop.scale = static_cast<float>(numbers[3]);
  if (!(prop.scale > 0.0f)) {
    return tl::unexpected(
        fmt::format("--prop: '{}': the scale is {:g}, and must be above 0", text, numbers[3]));
  }
  return prop;
}

// Ready members in the order of the cast, of which the first `ofProject` are the project's and the
// others are baked by the options; their clips go into the project.
tl::expected<void, StageRefusal> readMembers(CastStage& stage, Opened& opened, Sources& sources,
                                             std::size_t ofProject, const BakeOptions& bake) {
  Project& project = opened.project;
  addMember(stage, characterTitle(project, 0), opened.own, {});
  const std::vector<CastMember> cast = project.cast;
  for (std::size_t i = 0; i < cast.size(); ++i) {
    const CastMember& member = cast[i];
    if (member.source.path.empty()) {
      addMember(stage, member.title, opened.own, member.hiddenMeshes);
      continue;
    }
    const std::string file = pathText(pathFromText(member.source.path).filename());
    const auto ready =
        sources.read(member.source, i < ofProject ? BakedBy(member) : BakedBy(bake), file + ": ");
    if (!ready) return tl::unexpected(named(member.title, ready.error()));
    adoptCastClips(project, member.source, ready->clips);
    addMember(stage, member.title, *ready, member.hiddenMeshes);
  }
  return {};
}

constexpr Encoding kMatrixEncoding = Encoding::M16;

// Whole matrices for a method that needs them, unless another encoding is asked for, which is then
// refused.
UsageResult<void> fitEncoding(BakeOptions& bake, bool encodingAsked, Method method, Notes& notes) {
  const std::string why = render::whyNotDrawn(method, *encodingFromName(bake.encoding));
  if (why.empty()) return {};
  if (encodingAsked) {
    return tl::unexpected(fmt::format("--encoding {}: {}", bake.encoding, why));
  }
  bake.encoding = encodingInfo(kMatrixEncoding).name;
  const auto isOther = [](const EncodingInfo& info) {
    return storesMatrices(info) && info.encoding != kMatrixEncoding;
  };
  notes.push_back({Note::Level::Info, "EncodingChosen",
                   fmt::format("rig files are baked as {}, because the method {} blends whole "
                               "matrices; --encoding {} chooses otherwise",
                               bake.encoding, methodName(method), encodingNames(isOther, "or"))});
  return {};
}

// Rig files that options are to bake.
bool bakesByOptions(const CastRequest& request) {
  std::error_code failed;
  const std::string& first = request.import.files.front();
  if (!isProjectPath(first) && !std::filesystem::is_directory(pathFromText(first), failed)) {
    return true;
  }
  return hasFurtherRigs(request.with);
}

// The files of --with as members of the project; their shares go behind those that are there.
UsageResult<void> addFurther(Project& project, const WithOptions& with,
                             std::vector<double>& shares) {
  for (const std::string& text : with.files) {
    const auto further = furtherFrom(text);
    if (!further) return tl::unexpected(further.error());
    const std::string stem = pathText(pathFromText(further->file).stem());
    addCastMember(project, {.title = stem, .source = {further->file}});
    shares.push_back(further->share * (shares[0] > 0.0 ? shares[0] : 1.0));
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

bool hasFurtherRigs(const WithOptions& options) {
  return std::any_of(options.files.begin(), options.files.end(), [](const std::string& text) {
    const auto further = furtherFrom(text);
    return further && !isProjectPath(further->file);
  });
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
    const auto prop = propFrom(text);
    if (!prop) return tl::unexpected(misuse(prop.error()));
    const auto shape = shapeOf(known, prop->source, job);
    if (!shape) return tl::unexpected(StageRefusal{shape.error()});
    stage.props.push_back({*shape, prop->position, prop->yawDegrees, prop->scale});
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

tl::expected<CastStage, StageRefusal> makeCastStage(const CastRequest& request,
                                                    const JobContext& job) {
  const bool isProject = isProjectPath(request.import.files.front());
  CastStage stage;
  Sources sources(stage.notes, job);
  BakeOptions bake = request.bake;
  const auto fit = [&](Method usual) {
    if (!bakesByOptions(request)) return UsageResult<void>();
    return fitEncoding(bake, request.encodingAsked, request.method.value_or(usual), stage.notes);
  };
  if (!isProject) {
    if (auto ok = fit(ViewSettings{}.method); !ok) return tl::unexpected(misuse(ok.error()));
  }
  auto opened = open(request.import, bake, sources, stage.notes, job);
  if (!opened) return tl::unexpected(opened.error());
  Project& project = opened->project;
  if (isProject) {
    const Method usual = project.view.method;
    const bool isDrawn = render::whyNotDrawn(usual, opened->own.atlas->encoding).empty();
    if (auto ok = fit(isDrawn ? usual : Method::Palette); !ok)
      return tl::unexpected(misuse(ok.error()));
  }
  const bool keeps = isProject && request.with.files.empty() && !request.with.actorsAsked;
  const std::size_t ofProject = project.cast.size();
  std::vector<double> shares = sharesOf(project);
  if (auto ok = addFurther(project, request.with, shares); !ok) {
    return tl::unexpected(misuse(ok.error()));
  }
  if (auto read = readMembers(stage, *opened, sources, ofProject, bake); !read) {
    return tl::unexpected(read.error());
  }
  stage.masks = project.masks;
  stage.view = project.view;
  placeProps(stage, project.props, job);
  if (keeps) {
    stage.actors = project.actors.toVector();
    return stage;
  }
  SpawnSettings spawn = spawnSettings(request.crowd, *opened->own.character);
  for (const CastStage::Member& member : stage.members) {
    spawn.spacingMeters = std::max(spawn.spacingMeters, spacingFor(*member.entry.character));
  }
  spawn.shares = shares;
  const std::vector<CharacterPtr> characters = stage.characters();
  stage.actors = spawnCast(spawnParts(project, characters), spawn);
  return stage;
}

}  // namespace ck::cli
