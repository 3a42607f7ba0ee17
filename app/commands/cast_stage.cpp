#include "app/commands/cast_stage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/files.h"
#include "core/project/characters.h"
#include "core/project/project_json.h"
#include "core/project/scene.h"
#include "core/project/spawn.h"
#include "render/skinning/method_offers.h"

namespace ck::cli {
namespace {

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

// All clips of a rig file, as the options of the command say.
UsageResult<ProjectCharacter> bakedByOptions(ProjectCharacter character, BakeOptions options,
                                             const Character& rig) {
  options.clips.clear();
  auto settings = bakeSettings(options, rig);
  if (!settings) return tl::unexpected(settings.error());
  for (const BakeClip& clip : settings->clips) {
    for (ProjectClip& own : character.clips) {
      if (own.name != clip.name) continue;
      own.loop = clip.loop;
      own.seam = clip.seam;
      own.edit = clip.edit;
    }
  }
  character.bake = std::move(*settings);
  character.bake.clips.clear();
  return character;
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

// The files of --with as characters of the project; their shares go behind those that are there.
UsageResult<void> addFurther(Project& project, const WithOptions& with,
                             std::vector<double>& shares) {
  for (const std::string& text : with.files) {
    const auto further = furtherFrom(text);
    if (!further) return tl::unexpected(further.error());
    addCharacter(project, characterFrom(project, {further->file}));
    shares.push_back(further->share * (shares[0] > 0.0 ? shares[0] : 1.0));
  }
  return {};
}

// The project that the first file is, or one of a rig or an atlas.
tl::expected<Project, StageRefusal> projectOf(const ImportOptions& import) {
  const std::string& first = import.files.front();
  if (!isProjectPath(first)) {
    Project project;
    project.characters.front().sources = {{first}};
    return project;
  }
  auto project = readProjectFile(pathFromText(first));
  if (!project) return tl::unexpected(StageRefusal{project.error()});
  if (import.files.size() == 1) return std::move(*project);
  return tl::unexpected(
      misuse(fmt::format("{} names its own files; further characters come by --with", first)));
}

// Makes stages as the project says, but those of files that the command names as its options say.
class Loader {
 public:
  Loader(const CastRequest& request, const Project& project, Notes& notes)
      : request_(request),
        isProject_(isProjectPath(request.import.files.front())),
        ofProject_(characterCount(project)),
        usual_(project.view.pose.method),
        bake_(request.bake),
        notes_(notes) {}

  // Whether the failure of load() was a misuse of the command.
  bool misused() const { return misused_; }
  // Of an atlas folder, or of clips that options give events: one list per clip.
  const std::vector<std::vector<CrowdEvent>>& events() const { return events_; }

  Result<CharacterStage> load(const ProjectCharacter& asked, int number, const JobContext& job) {
    if (number > 0)
      return number < ofProject_ ? stageLoader({})(asked, number, job) : further(asked, job);
    if (!isProject_) {
      if (auto ok = fit(usual_); !ok) return misuseOf(ok.error());
      return first(job);
    }
    const std::string& path = request_.import.files.front();
    if (asked.sources.empty()) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{}: the project has no rig; import one into it", path), path);
    }
    auto stage = stageLoader(atlasBeside(pathFromText(path)))(asked, 0, job);
    if (!stage) return stage;
    const bool isDrawn = render::whyNotDrawn(usual_, stage->atlas->encoding).empty();
    if (auto ok = fit(isDrawn ? usual_ : Method::Palette); !ok) return misuseOf(ok.error());
    return stage;
  }

 private:
  Result<CharacterStage> misuseOf(const std::string& sentence) {
    misused_ = true;
    return fail(ErrorCode::InvalidInput, sentence);
  }

  UsageResult<void> fit(Method usual) {
    if (!bakesByOptions(request_)) return {};
    return fitEncoding(bake_, request_.encodingAsked, request_.method.value_or(usual), notes_);
  }

  // A rig with further files, or an atlas folder.
  Result<CharacterStage> first(const JobContext& job) {
    auto made = makeStage(request_.import, bake_, job);
    if (!made) {
      misused_ = made.error().misuse;
      return tl::unexpected(made.error().error);
    }
    events_ = std::move(made->clipEvents);
    CharacterStage stage{{made->character, {}, {}}, {}, made->atlas, std::move(made->notes)};
    for (const std::string& name : clipNamesOf(*stage.atlas)) {
      stage.settings.clips.push_back({.name = name});
    }
    return stage;
  }

  Result<CharacterStage> further(const ProjectCharacter& asked, const JobContext& job) {
    if (isFromProject(asked)) return stageLoader({})(asked, 1, job);
    auto source = readCharacterSource(asked, job.part(0.0f, 0.5f));
    if (!source) return tl::unexpected(source.error());
    auto settings = bakedByOptions(settingsFor(asked, *source), bake_, *source->character);
    if (!settings) return misuseOf(settings.error());
    Notes notes = source->character->notes;
    auto atlas = bakeCharacter(*source, *settings, notes, job.part(0.5f, 1.0f));
    if (!atlas) return tl::unexpected(atlas.error());
    return CharacterStage{std::move(*source), std::move(*settings), *atlas, std::move(notes)};
  }

  const CastRequest& request_;
  bool isProject_;
  int ofProject_;
  Method usual_;
  BakeOptions bake_;
  Notes& notes_;
  bool misused_ = false;
  std::vector<std::vector<CrowdEvent>> events_;
};

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
  PropShapes shapes;
  for (const std::string& text : options.props) {
    const auto prop = propFrom(text);
    if (!prop) return tl::unexpected(misuse(prop.error()));
    const auto shape = shapes.read(prop->source, job);
    if (!shape) return tl::unexpected(StageRefusal{shape.error()});
    stage.props.push_back({*shape, prop->position, prop->yawDegrees, prop->scale});
  }
  return {};
}

std::vector<render::CharacterEntry> CastStage::entries() const {
  std::vector<render::CharacterEntry> all;
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
  auto project = projectOf(request.import);
  if (!project) return tl::unexpected(project.error());
  CastStage stage;
  Loader loader(request, *project, stage.notes);
  const bool keeps = isProjectPath(request.import.files.front()) && request.with.files.empty() &&
                     !request.with.actorsAsked;
  std::vector<double> shares = sharesOf(*project);
  if (auto ok = addFurther(*project, request.with, shares); !ok) {
    return tl::unexpected(misuse(ok.error()));
  }
  const auto load = [&loader](const ProjectCharacter& asked, int number, const JobContext& part) {
    return loader.load(asked, number, part);
  };
  auto scene = loadScene(std::move(*project), load, job);
  if (!scene) return tl::unexpected(StageRefusal{scene.error(), loader.misused()});
  for (SceneCharacter& one : scene->characters) {
    stage.members.push_back(
        {one.title,
         {one.stage->source.character, one.stage->atlas, std::move(one.hiddenMeshes)},
         std::move(one.clips)});
  }
  std::vector<CrowdClip>& first = stage.members.front().clips;
  for (std::size_t i = 0; i < std::min(first.size(), loader.events().size()); ++i) {
    first[i].events = loader.events()[i];
  }
  for (const SceneProp& one : scene->props) {
    stage.props.push_back({one.shape, one.prop.position, one.prop.yawDegrees, one.prop.scale});
  }
  stage.notes.insert(stage.notes.end(), scene->notes.begin(), scene->notes.end());
  stage.masks = scene->project.masks;
  stage.view = scene->project.view;
  if (keeps) {
    stage.actors = scene->project.actors.toVector();
    return stage;
  }
  const std::vector<CharacterPtr> characters = stage.characters();
  SpawnSettings spawn = spawnSettings(request.crowd, *characters.front());
  for (const CharacterPtr& one : characters) {
    spawn.spacingMeters = std::max(spawn.spacingMeters, spacingFor(*one));
  }
  spawn.shares = shares;
  stage.actors = spawnCrowd(spawnParts(scene->project, characters), spawn);
  return stage;
}

}  // namespace ck::cli
