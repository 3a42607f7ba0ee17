#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/bake_report.h"
#include "app/commands/cast_errors.h"
#include "app/commands/cast_stage.h"
#include "app/commands/commands.h"
#include "app/commands/contact_sheet.h"
#include "app/commands/event_options.h"
#include "app/commands/fade_options.h"
#include "app/commands/framing.h"
#include "app/commands/morph_options.h"
#include "app/commands/shell.h"
#include "core/base/files.h"
#include "core/morph/actor_morphs.h"
#include "core/project/cast.h"
#include "core/skinning/tangent_skinning.h"
#include "render/headless.h"
#include "render/scene/packed_influences.h"
#include "render/view/crowd_renderer.h"

namespace ck::cli {
namespace {

using Json = nlohmann::ordered_json;

struct RenderOptions {
  ImportOptions import;
  BakeOptions bake;
  CrowdOptions crowd;
  FadeOptions fade;
  WithOptions with;
  PropOptions props;
  std::string output;
  std::string method = "palette";
  std::string skinOn = "auto";
  std::string view = "baked";
  std::string camera = "frame";
  std::string size;
  double seconds = 0.0;
  int sheetColumns = 0;  // 0: a crowd
  bool noGrid = false;
  std::string paletteRead = "auto";
  bool packedInfluences = false;
  bool events = false;                    // whether they are listed
  bool errors = false;                    // whether bakes are measured
  double tickRateHz = 0.0;                // 0: actors are posed for the very time of the picture
  int prepassMebibytes = 0;               // 0: as usual
  std::vector<std::string> morphs;        // NAME=W
  std::vector<std::string> variedMorphs;  // NAME
  std::optional<double> morphNear;        // metres
  std::string shadows = "cascades";
  std::string stats;     // a CSV file, or empty
  std::string settings;  // read before the parser runs; here for --help
};

// Events that actors have passed since the start: the first of them, and how many there are.
struct PassedEvents {
  struct One {
    FiredEvent fired;
    std::size_t actor = 0;  // of all that there are, hidden ones too
    std::size_t character = 0;
  };
  std::vector<One> first;
  std::size_t count = 0;
};

// What was drawn, for the document.
struct Drawn {
  render::Frame frame;
  render::FrameStats stats;
  render::ContextFacts facts;
  std::size_t coveredPixels = 0;
  std::size_t fading = 0;  // actors that show two clips
  PassedEvents events = {};
  std::vector<BakeError> errors = {};  // of every character, where they are asked for
};

Used<glm::dvec3> pointFrom(std::string_view text) {
  glm::dvec3 point(0.0);
  const char* at = text.data();
  const char* end = at + text.size();
  for (int axis = 0; axis < 3; ++axis) {
    const auto read = std::from_chars(at, end, point[axis]);
    const bool last = axis == 2;
    const bool good = read.ec == std::errc() && std::isfinite(point[axis]) &&
                      (last ? read.ptr == end : read.ptr != end && *read.ptr == ',');
    if (!good) return tl::unexpected(std::string());
    at = read.ptr + 1;
  }
  return point;
}

Used<render::Camera> cameraFor(const RenderOptions& options, const MixedCrowd& crowd,
                               const CastStage& stage, const PixelSize& size) {
  render::Camera camera;
  if (options.camera == "frame") {
    const double aspect = static_cast<double>(size.width) / size.height;
    render::frameBox(camera, render::crowdBounds(crowd, stage.characters()), aspect);
    std::vector<AtlasPtr> atlases;
    for (const auto& member : stage.members) atlases.push_back(member.entry.atlas);
    frameActors(camera, crowd, atlases, aspect);
    return camera;
  }
  const std::string_view text = options.camera;
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const auto eye = pointFrom(text.substr(0, colon));
    const auto target = pointFrom(text.substr(colon + 1));
    if (eye && target && glm::distance(*eye, *target) > 1e-6) {
      return render::lookFrom(*eye, *target);
    }
  }
  return tl::unexpected(
      fmt::format("--camera: '{}' is neither 'frame' nor X,Y,Z:X,Y,Z with two different points",
                  options.camera));
}

Used<render::RenderSettings> renderSettings(const RenderOptions& options) {
  render::RenderSettings settings;
  settings.method = methodFromName(options.method).value_or(Method::Palette);
  settings.skinOn = skinOnFromName(options.skinOn).value_or(SkinOn::Auto);
  settings.sampledAsBaked = true;
  settings.influences = 0;  // as baked
  settings.grid = !options.noGrid;
  if (options.paletteRead == "texture") settings.paletteRead = render::PaletteRead::TextureBuffer;
  if (options.paletteRead == "storage") settings.paletteRead = render::PaletteRead::StorageBuffer;
  settings.packedInfluences = options.packedInfluences;
  if (options.morphNear) settings.morphs.nearMeters = *options.morphNear;
  if (options.prepassMebibytes > 0) {
    settings.skinnedBudgetBytes = static_cast<std::size_t>(options.prepassMebibytes) << 20;
  }
  settings.shadows = shadowsFromName(options.shadows).value_or(Shadows::Cascades);
  if (options.view == "source") {
    if (options.morphNear) {
      return tl::unexpected(std::string("--morph-near: --view source shows all faces"));
    }
    settings.shown = render::Shown::Source;
    settings.method = Method::Cpu;
  }
  if (options.view == "split") settings.shown = render::Shown::Split;
  if (options.view == "error") settings.shown = render::Shown::Error;
  if (options.view == "motion") {
    settings.shown = render::Shown::Motion;
    if (options.sheetColumns > 0) {
      return tl::unexpected(
          std::string("--view motion: a contact sheet shows moments, which have no motion"));
    }
  }
  if (options.view == "tangents") settings.shown = render::Shown::Tangents;
  if (options.view == "blends") settings.shown = render::Shown::Blends;
  return settings;
}

std::size_t differingPixels(const render::Frame& a, const render::Frame& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 3 < a.rgba.size(); i += 4) {
    count += std::equal(a.rgba.begin() + static_cast<std::ptrdiff_t>(i),
                        a.rgba.begin() + static_cast<std::ptrdiff_t>(i + 4),
                        b.rgba.begin() + static_cast<std::ptrdiff_t>(i))
                 ? 0u
                 : 1u;
  }
  return count;
}

// When the actors of a picture were posed last.
double posedAtSeconds(const RenderOptions& options) {
  if (!(options.tickRateHz > 0.0)) return options.seconds;
  // A tick at the very time of the picture must not be lost to rounding.
  constexpr double kRounding = 1e-9;
  return std::floor(options.seconds * options.tickRateHz + kRounding) / options.tickRateHz;
}

// In steps, because one step counts so many rounds of a clip and no more. A crowd passes millions
// in an hour, so all are counted but only those that will be listed are kept.
PassedEvents eventsSinceStart(const MixedCrowd& crowd, double end, std::size_t mostKept) {
  const int steps = static_cast<int>(std::clamp(std::abs(end) / 10.0, 1.0, 10000.0));
  PassedEvents events;
  for (int i = 0; i < steps; ++i) {
    for (const FiredEvent& fired : crowd.eventsBetween(end * i / steps, end * (i + 1) / steps)) {
      if (events.count++ >= mostKept) continue;
      events.first.push_back(
          {fired, crowd.sourceIndexOf(fired.actor), crowd.placeOf(fired.actor).character});
    }
  }
  return events;
}

// Those that were kept, with their names.
Json eventsJson(const CastStage& stage, const Drawn& drawn) {
  Json list = Json::array();
  for (const PassedEvents::One& one : drawn.events.first) {
    const CastStage::Member& member = stage.members[one.character];
    const CrowdClip& clip = member.clips[static_cast<std::size_t>(one.fired.clip)];
    list.push_back({{"seconds", one.fired.seconds},
                    {"actor", one.actor},
                    {"clip", clip.name},
                    {"name", clip.events[static_cast<std::size_t>(one.fired.event)].name},
                    {"weight", one.fired.weight}});
  }
  return list;
}

// How the crowd is taken.
struct Shot {
  render::Camera camera;
  render::RenderSettings settings;
  PixelSize size;
  double seconds = 0.0;      // the time of the picture
  double tickSeconds = 0.0;  // between the last pose and the one before
  bool listsEvents = false;
};

// The tick before the picture, for the motion view to compare with.
Result<void> drawTickBefore(render::CrowdRenderer& renderer, MixedCrowd& crowd, const Shot& shot) {
  crowd.seek(crowd.timeSeconds() - shot.tickSeconds);
  const auto before = renderer.drawToFrame(crowd, shot.camera, shot.settings, 1, 1);
  crowd.advance(shot.tickSeconds);
  return before ? Result<void>() : tl::unexpected(before.error());
}

Result<Drawn> drawCrowd(render::CrowdRenderer& renderer, MixedCrowd& crowd, const Shot& shot) {
  // The ground and sky alone, to count what the crowd covers.
  const auto empty =
      renderer.drawToFrame(MixedCrowd({}, std::vector<std::vector<CrowdClip>>(1)), shot.camera,
                           shot.settings, shot.size.width, shot.size.height);
  if (!empty) return tl::unexpected(empty.error());
  if (shot.settings.shown == render::Shown::Motion) {
    auto before = drawTickBefore(renderer, crowd, shot);
    if (!before) return tl::unexpected(before.error());
  }
  auto frame =
      renderer.drawToFrame(crowd, shot.camera, shot.settings, shot.size.width, shot.size.height);
  if (!frame) return tl::unexpected(frame.error());
  Drawn drawn;
  drawn.coveredPixels = differingPixels(*frame, *empty);
  drawn.frame = std::move(*frame);
  drawn.stats = renderer.stats();
  drawn.facts = renderer.facts();
  drawn.fading = crowd.fadingActors();
  constexpr std::size_t kMostListed = 10'000;
  drawn.events = eventsSinceStart(crowd, shot.seconds, shot.listsEvents ? kMostListed : 0);
  return drawn;
}

// How many actors each character has, where there are several.
Json castJson(const CastStage& stage) {
  Json cast = Json::array();
  for (std::size_t c = 0; c < stage.members.size(); ++c) {
    const auto actors = std::count_if(
        stage.actors.begin(), stage.actors.end(),
        [c](const Actor& actor) { return actor.on && actor.character == static_cast<int>(c); });
    cast.push_back({{"title", stage.members[c].title}, {"actors", actors}});
  }
  return cast;
}

// How far the bake of each character is from its source.
Json errorsJson(const CastStage& stage, const std::vector<BakeError>& errors) {
  Json list = Json::array();
  for (std::size_t c = 0; c < errors.size(); ++c) {
    Json one = {{"title", stage.members[c].title}};
    one.update(Json::parse(errorJson(errors[c])));
    list.push_back(std::move(one));
  }
  return list;
}

Json document(const RenderOptions& options, const CastStage& stage, const Drawn& drawn,
              std::span<const std::byte> bytes) {
  const bool sheet = options.sheetColumns > 0;
  Json json = {{"file", options.output},
               {"size", {drawn.frame.width, drawn.frame.height}},
               {"bytes", bytes.size()},
               {"xxh3", hashText(hashBytes(bytes))},
               {"view", options.view},
               {"method", options.view == "source" ? "cpu" : options.method},
               {"actors", sheet ? 1 : drawn.stats.actors},
               {"renderer", drawn.facts.renderer},
               {"gl", drawn.facts.version},
               {"draws", drawn.stats.drawCalls},
               {"fetchesPerVertex", drawn.stats.fetchesPerVertex},
               {"skinnedOn", drawn.stats.skinnedOnCpu ? "cpu" : "gpu"},
               {"skinningBytes", drawn.stats.skinningBytes},
               {"facesShown", drawn.stats.morphs.nearActors},
               {"verticesPerActor", drawn.stats.verticesPerActor},
               {"trianglesPerActor", drawn.stats.trianglesPerActor},
               {"atlasBytes", drawn.stats.atlasBytes},
               {"updateMs", drawn.stats.updateMs},
               {"drawMs", drawn.stats.drawMs}};
  if (sheet) {
    json["rows"] = clipNamesOf(*stage.members.front().entry.atlas);
    json["columns"] = options.sheetColumns;
  } else {
    json["timeSeconds"] = options.seconds;
    json["posedAtSeconds"] = posedAtSeconds(options);
    json["coveredPixels"] = drawn.coveredPixels;
    if (options.packedInfluences) {
      const render::WeldedCharacter welded =
          render::weldCharacter(*stage.members.front().entry.character);
      json["packedWeightError"] = render::packInfluences(welded.vertices).worstWeightError;
    }
    json["props"] = drawn.stats.props;
    json["fadingActors"] = drawn.fading;
    json["eventsPassed"] = drawn.events.count;
    if (options.events) json["events"] = eventsJson(stage, drawn);
    if (stage.members.size() > 1) json["cast"] = castJson(stage);
  }
  if (options.errors) json["errors"] = errorsJson(stage, drawn.errors);
  json["notes"] = Json::array();
  for (const Note& note : stage.notes) {
    json["notes"].push_back(
        {{"level", noteLevelName(note.level)}, {"code", note.code}, {"message", note.message}});
  }
  return json;
}

// The crowd as it is asked for. The second clip is one of the first character, for its actors and
// its variants'.
Used<MixedCrowd> crowdFor(const RenderOptions& options, CastStage stage) {
  const CastStage::Member& first = stage.members.front();
  std::vector<std::string> names;
  for (const CrowdClip& clip : first.clips) names.push_back(clip.name);
  std::vector<Actor> own;
  for (Actor& actor : stage.actors) {
    const auto& member = stage.members[static_cast<std::size_t>(actor.character)];
    if (member.entry.character == first.entry.character) own.push_back(actor);
  }
  if (auto varied = morphNames(options.variedMorphs, *first.entry.character); !varied) {
    return tl::unexpected(varied.error());
  }
  if (auto ok = applyFade(options.fade, names, first.entry.character->rig, own); !ok) {
    return tl::unexpected(ok.error());
  }
  const auto morphs = morphWeights(options.morphs, *first.entry.character);
  if (!morphs) return tl::unexpected(morphs.error());
  for (Actor& actor : own) {
    for (const MorphWeight& morph : *morphs) setMorph(actor, morph.name, morph.weight);
  }
  const bool fades = !options.fade.clip.empty();
  if (fades) stage.masks = masksOf(options.fade);
  auto next = own.begin();
  for (Actor& actor : stage.actors) {
    const auto& member = stage.members[static_cast<std::size_t>(actor.character)];
    if (member.entry.character == first.entry.character) {
      actor = *next++;
    } else if (fades) {
      actor.mask = -1;
    }
  }
  return stage.crowd();
}

// Why a view would show nothing, or nothing to say.
Result<void> checkView(const render::RenderSettings& settings, const CastStage& stage) {
  if (settings.shown != render::Shown::Tangents) return {};
  for (const auto& member : stage.members) {
    if (hasTangents(*member.entry.character)) return {};
  }
  return fail(ErrorCode::Unsupported,
              fmt::format("{}: no mesh has tangents, so that there are none to show; export them "
                          "with the meshes, or choose another view",
                          stage.members.front().entry.character->name));
}

// The one picture: a sheet, or a crowd at a time.
tl::expected<Drawn, StageRefusal> draw(const RenderOptions& options, const CastStage& stage,
                                       const PixelSize& size, const JobContext& job) {
  const auto refuse = [](const Error& error) { return tl::unexpected(StageRefusal{error}); };
  const auto misuse = [](const std::string& sentence) {
    return tl::unexpected(StageRefusal{{ErrorCode::InvalidInput, sentence}, true});
  };
  const auto settings = renderSettings(options);
  if (!settings) return misuse(settings.error());
  if (auto shows = checkView(*settings, stage); !shows) return refuse(shows.error());
  const auto played = crowdFor(options, stage);
  if (!played) return misuse(played.error());
  MixedCrowd crowd = *played;
  crowd.seek(posedAtSeconds(options));
  const auto camera = cameraFor(options, crowd, stage, size);
  if (!camera) return misuse(camera.error());

  const auto renderer = render::CrowdRenderer::make();
  if (!renderer) return refuse(renderer.error());
  if (auto ok = (*renderer)->setCast(stage.entries()); !ok) return refuse(ok.error());
  if (options.sheetColumns == 0) {
    if (auto ok = (*renderer)->setProps(stage.props); !ok) return refuse(ok.error());
    const double tickSeconds = options.tickRateHz > 0.0 ? 1.0 / options.tickRateHz : 1.0 / 60.0;
    auto drawn =
        drawCrowd(**renderer, crowd,
                  {*camera, *settings, size, options.seconds, tickSeconds, options.events});
    if (!drawn) return refuse(drawn.error());
    return std::move(*drawn);
  }
  auto sheet = drawContactSheet(**renderer, *stage.members.front().entry.atlas, *settings,
                                options.sheetColumns, size.width, size.height, job);
  if (!sheet) return refuse(sheet.error());
  return Drawn{std::move(*sheet), (*renderer)->stats(), (*renderer)->facts()};
}

int run(const RenderOptions& options, const Shell& shell) {
  const std::string usual = options.sheetColumns > 0 ? "160x200" : "1280x720";
  const auto size = pixelSize(options.size.empty() ? usual : options.size);
  if (!size) return shell.misuse(size.error());
  const JobContext job = shell.job();
  const auto refused = [&shell](const StageRefusal& refusal) {
    return refusal.misuse ? shell.misuse(refusal.error) : shell.fail(refusal.error);
  };
  auto stage = makeCastStage(options.import, options.bake, options.crowd, options.with,
                             job.part(0.0f, options.errors ? 0.5f : 0.6f));
  if (!stage) return refused(stage.error());
  if (auto placed = addProps(*stage, options.props, job); !placed) return refused(placed.error());
  const auto context = render::HeadlessContext::make();
  if (!context) return shell.fail(context.error());
  std::vector<BakeError> errors;
  if (options.errors) {
    auto measured = measureCastErrors(*stage, job.part(0.5f, 0.6f));
    if (!measured) return shell.fail(measured.error());
    errors = std::move(*measured);
  }
  auto drawn = draw(options, *stage, *size, job.part(0.6f, 1.0f));
  if (!drawn) return refused(drawn.error());
  drawn->errors = std::move(errors);
  if (job.stopRequested()) return shell.fail({ErrorCode::Cancelled, "interrupted"});

  const std::filesystem::path output = pathFromText(options.output);
  if (auto ok = render::writePng(drawn->frame, output); !ok) return shell.fail(ok.error());
  if (!options.stats.empty()) {
    const std::string csv = render::statsCsv(drawn->stats, drawn->facts);
    auto kept = writeFileAtomically(pathFromText(options.stats), std::as_bytes(std::span(csv)));
    if (!kept) return shell.fail(kept.error());
  }
  const auto bytes = readFile(output, std::uint64_t{4} << 30);
  if (!bytes) return shell.fail(bytes.error());
  shell.remark(stage->notes);
  const std::string text = fmt::format(
      "{}: {} x {}, {} actors in {} draw calls, {:.1f} ms ({})\n", options.output,
      drawn->frame.width, drawn->frame.height, drawn->stats.actors, drawn->stats.drawCalls,
      drawn->stats.updateMs + drawn->stats.drawMs, drawn->facts.renderer);
  const std::string errorText = castErrorsText(*stage, drawn->errors);
  return shell.finish(
      document(options, *stage, *drawn, *bytes).dump(1, ' ', false, Json::error_handler_t::replace),
      text + errorText);
}

// Why options of the bake have no say; empty for a rig.
std::string whyNotBaked(const std::string& file) {
  std::error_code failed;
  if (isProjectPath(file)) return "a project says itself how it is read and baked";
  const bool isFolder = std::filesystem::is_directory(pathFromText(file), failed);
  return isFolder ? "an atlas folder is baked already; name the rig to bake it anew" : "";
}

}  // namespace

Command addRender(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* app = root.add_subcommand(
      "render",
      "Draw a crowd, or a contact sheet, of a rig, an atlas folder or a project without a window");
  addImportOptions(*app, options->import);
  app->add_option("-o,--output", options->output, "The PNG to write")
      ->required()
      ->check(CLI::Validator(
          [](std::string& path) -> std::string {
            std::string ending = path.size() < 4 ? "" : path.substr(path.size() - 4);
            for (char& c : ending)
              c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            return ending == ".png" ? "" : "the picture is a PNG; its name must end with .png";
          },
          ""))
      ->option_text("OUT.png");
  addCrowdOptions(*app, options->crowd);
  addFadeOptions(*app, options->fade);
  addWithOption(*app, options->with);
  addPropOption(*app, options->props);
  offer(app->add_option("--method", options->method, "How the crowd is skinned"),
        {"palette", "atlas", "matrix", "live", "prepass", "pool", "cpu"});
  offer(app->add_option("--skin-on", options->skinOn, "Where palette and prepass skin vertices"),
        {"auto", "gpu", "cpu"});
  offer(app->add_option("--view", options->view, "What is shown"),
        {"baked", "source", "split", "error", "blends", "motion", "tangents"});
  offer(app->add_option("--shadows", options->shadows, "What actors cast"),
        {"cascades", "soft", "off"});
  app->add_option("--time", options->seconds, "Seconds after the start (default: 0)")
      ->check(finiteNumber())
      ->option_text("S");
  app->add_option(
         "--tick-rate", options->tickRateHz,
         "Poses a second: the picture shows the last one up to its time (default: its own)")
      ->check(aboveZero(1000.0))
      ->option_text("HZ");
  app->add_option("--size", options->size, "Pixels (default: 1280x720; a sheet's cell 160x200)")
      ->option_text("WxH");
  app->add_option("--camera", options->camera, "All of the crowd, or eye and target")
      ->option_text("frame|X,Y,Z:X,Y,Z");
  app->add_option("--sheet", options->sheetColumns,
                  "A contact sheet: a row per clip with this many moments")
      ->check(CLI::Range(1, 256))
      ->option_text("COLUMNS");
  app->add_option("--stats", options->stats, "A CSV file to write what the picture cost to")
      ->option_text("FILE.csv");
  offer(app->add_option("--palette-read", options->paletteRead,
                        "What palette and live read matrices through (default: the faster one)"),
        {"auto", "texture", "storage"});
  app->add_flag("--packed-influences", options->packedInfluences,
                "Joint and weight in one float (method live)");
  app->add_option("--prepass-mb", options->prepassMebibytes,
                  "Memory that skinned vertices may take, in MiB (method prepass; default: 1024)")
      ->check(CLI::Range(1, 1 << 20))
      ->option_text("MIB");
  app->add_flag("--events", options->events,
                "List in the document which events were passed since the start, with their times");
  app->add_flag("--errors", options->errors,
                "State how far the bake of each character is from its source, members of the cast "
                "and of a project included");
  app->add_option("--morph", options->morphs, "Weight of a morph target, for all actors")
      ->allow_extra_args(false)
      ->option_text("NAME=W");
  app->add_option("--vary-morph", options->variedMorphs,
                  "A morph target of which every actor gets a weight of its own, from 0 to 1")
      ->allow_extra_args(false)
      ->option_text("NAME");
  app->add_option("--morph-near", options->morphNear,
                  "How far from the camera morph targets are still shown (default: 25)")
      ->check(CLI::Range(0.0, 1e6))
      ->option_text("METRES");
  app->add_flag("--no-grid", options->noGrid, "Leave the ground grid out");
  // A sheet shows every clip by itself, on the first character as it is.
  for (const char* name : {"--with", "--prop", "--fade-to", "--morph", "--vary-morph",
                           "--morph-near", "--tick-rate", "--events"}) {
    app->get_option("--sheet")->excludes(app->get_option(name));
  }
  const std::size_t others = std::as_const(*app).get_options().size();
  addBakeOptions(*app, options->bake);
  addEventOption(*app, options->bake.events);
  app->get_option("--sheet")->excludes(app->get_option("--event"));
  const auto all = std::as_const(*app).get_options();
  std::vector<const CLI::Option*> ofBake(all.begin() + static_cast<std::ptrdiff_t>(others),
                                         all.end());
  for (const char* name : {"--height", "--unit-scale"}) ofBake.push_back(app->get_option(name));
  app->add_option("--settings", options->settings,
                  "A JSON file with these options, by the same names")
      ->option_text("FILE.json");
  addShellOptions(*app, shell, true);
  return {app, [options, app, ofBake, &shell] {
            for (const CLI::Option* option : ofBake) {
              const std::string why = whyNotBaked(options->import.files.front());
              if (option->count() == 0 || why.empty()) continue;
              return shell.misuse(fmt::format("{}: {}", option->get_name(), why));
            }
            options->with.actorsAsked = app->count("--actors") + app->count("--seed") +
                                            app->count("--formation") + app->count("--vary-morph") >
                                        0;
            options->crowd.variedMorphs = options->variedMorphs;
            return run(*options, shell);
          }};
}

}  // namespace ck::cli
