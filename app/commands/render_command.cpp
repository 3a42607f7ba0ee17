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
#include "app/commands/draw_options.h"
#include "app/commands/event_options.h"
#include "app/commands/fade_options.h"
#include "app/commands/morph_options.h"
#include "app/commands/picture.h"
#include "app/commands/shell.h"
#include "core/base/files.h"
#include "core/crowd/actor.h"
#include "core/project/characters.h"
#include "core/skinning/tangent_skinning.h"
#include "render/headless.h"
#include "render/scene/welded_character.h"
#include "render/view/crowd_renderer.h"
#include "render/view/drawable_view.h"
#include "render/view/framing.h"

namespace ck::cli {
namespace {

using Json = nlohmann::ordered_json;

struct RenderOptions {
  ImportOptions import;
  BakeOptions bake;
  bool encodingAsked = false;
  CrowdOptions crowd;
  FadeOptions fade;
  WithOptions with;
  PropOptions props;
  std::string output;
  DrawOptions drawing;
  std::string camera = "frame";
  std::string size;
  double seconds = 0.0;
  int sheetColumns = 0;                   // 0: a crowd
  bool events = false;                    // whether events are listed
  bool errors = false;                    // whether bakes are measured
  std::vector<std::string> morphs;        // NAME=W
  std::vector<std::string> variedMorphs;  // NAME
  std::string stats;                      // a CSV file, or empty
  std::string settings;                   // read before the parser runs; listed for --help
};

UsageResult<glm::dvec3> pointFrom(std::string_view text) {
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

UsageResult<render::Camera> cameraFor(const RenderOptions& options, const MixedCrowd& crowd,
                                      const CastStage& stage, const PixelSize& size) {
  render::Camera camera;
  if (options.camera == "frame") {
    const double aspect = static_cast<double>(size.width) / size.height;
    render::frameActors(camera, crowd, stage.entries(), aspect);
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

// The events that were stored, with their names.
Json eventsJson(const CastStage& stage, const Drawn& drawn) {
  Json list = Json::array();
  for (const PassedEvents::One& one : drawn.events.first) {
    const CastStage::Member& member = stage.members[one.character];
    const CrowdClip& clip = member.clips[static_cast<std::size_t>(one.fired.clip)];
    // An event at the start of backward time is at -0.
    list.push_back({{"seconds", one.fired.seconds + 0.0},
                    {"actor", one.actor},
                    {"clip", clip.name},
                    {"name", clip.events[static_cast<std::size_t>(one.fired.event)].name},
                    {"weight", one.fired.weight}});
  }
  return list;
}

// The number of actors per character, if there are several.
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

// The error of each character's bake.
Json errorsJson(const CastStage& stage, const std::vector<BakeError>& errors) {
  Json list = Json::array();
  for (std::size_t c = 0; c < errors.size(); ++c) {
    Json one = {{"title", stage.members[c].title}};
    one.update(Json::parse(errorJson(errors[c])));
    list.push_back(std::move(one));
  }
  return list;
}

// What skins the visible vertices.
std::string_view methodShown(const Drawn& drawn) {
  const bool source = drawn.settings.pose.viewMode == ViewMode::Source;
  return methodName(source ? Method::Cpu : drawn.settings.pose.method);
}

Json document(const RenderOptions& options, const CastStage& stage, const Drawn& drawn,
              std::span<const std::byte> bytes) {
  const bool sheet = options.sheetColumns > 0;
  Json json = {
      {"file", options.output},
      {"size", {drawn.frame.width, drawn.frame.height}},
      {"bytes", bytes.size()},
      {"xxh3", hashText(hashBytes(bytes))},
      {"view", viewModeName(stage.view.pose.viewMode)},
      {"method", methodShown(drawn)},
      {"actors", sheet ? 1 : drawn.stats.actors},
      {"renderer", drawn.facts.renderer},
      {"gl", drawn.facts.version},
      {"draws", drawn.stats.drawCalls},
      {"fetchesPerVertex", drawn.stats.fetchesPerVertex},
      {"paletteRead", drawn.stats.paletteRead ? paletteReadName(*drawn.stats.paletteRead) : "none"},
      {"skinnedOn", drawn.stats.skinnedOnCpu ? "cpu" : "gpu"},
      {"skinningBytes", drawn.stats.skinningBytes},
      {"facesShown", drawn.stats.morphs.nearActors},
      {"verticesPerActor", drawn.stats.verticesPerActor},
      {"trianglesPerActor", drawn.stats.trianglesPerActor},
      {"atlasBytes", drawn.stats.atlasBytes},
      {"updateMs", drawn.stats.updateMs},
      {"drawMs", drawn.stats.drawMs}};
  const MethodInfo& method = methodInfo(drawn.settings.pose.method);
  const bool readsAtlas = drawn.settings.pose.viewMode != ViewMode::Source && !method.posesClips;
  if (readsAtlas) {
    json["sampling"] = samplingName(drawn.settings.pose.sampling);
  }
  if (sheet) {
    json["rows"] = clipNamesOf(*stage.members.front().entry.atlas);
    json["columns"] = options.sheetColumns;
  } else {
    json["timeSeconds"] = options.seconds + 0.0;
    json["posedAtSeconds"] = drawn.posedAtSeconds + 0.0;
    if (method.obeys.updateEvery) json["updateEvery"] = drawn.settings.pose.updateEvery;
    json["drawnBefore"] = drawn.drawnBefore;
    json["coveredPixels"] = drawn.coveredPixels;
    if (drawn.settings.pose.packedInfluences && method.obeys.packedInfluences) {
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
  for (const Note& note : drawn.notes) {
    json["notes"].push_back(
        {{"level", noteLevelName(note.level)}, {"code", note.code}, {"message", note.message}});
  }
  return json;
}

// The requested crowd. The second clip belongs to the first character and applies to its actors and
// those of its variants.
UsageResult<MixedCrowd> crowdFor(const RenderOptions& options, CastStage stage) {
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

// Why a view would be empty or meaningless.
tl::expected<void, StageRefusal> checkView(const RenderOptions& options, const CastStage& stage) {
  const ViewMode mode = stage.view.pose.viewMode;
  const auto fades = [&stage](const Actor& actor) {
    const auto& clips = stage.members[static_cast<std::size_t>(actor.character)].clips;
    return actor.on && actor.fadeClip >= 0 &&
           static_cast<std::size_t>(actor.fadeClip) < clips.size();
  };
  if (mode == ViewMode::Blends && options.fade.clip.empty() &&
      std::none_of(stage.actors.begin(), stage.actors.end(), fades)) {
    return tl::unexpected(StageRefusal{
        {ErrorCode::InvalidInput,
         "--view blends: nobody has a second clip to blend with; name one by --fade-to"},
        true});
  }
  if (mode != ViewMode::Tangents) return {};
  for (const auto& member : stage.members) {
    if (hasTangents(*member.entry.character)) return {};
  }
  return tl::unexpected(StageRefusal{
      {ErrorCode::Unsupported,
       fmt::format("{}: no mesh has tangents, so that there are none to show; export them "
                   "with the meshes, or choose another view",
                   stage.members.front().entry.character->name)}});
}

// Notes about requested things that the image does not show.
Notes notesOn(const RenderOptions& options, const Drawn& drawn) {
  Notes notes = unusedOptions(options.drawing, drawn.settings, drawn.stats);
  if (drawn.settings.pose.viewMode == ViewMode::Blends && drawn.fading == 0) {
    notes.push_back({Note::Level::Info, "NobodyFades",
                     fmt::format("nobody shows two clips at {} s, so that both halves are alike",
                                 options.seconds)});
  }
  const bool asksForFaces = !options.morphs.empty() || !options.variedMorphs.empty();
  const bool source = drawn.settings.pose.viewMode == ViewMode::Source;
  if (asksForFaces && !source && drawn.stats.actors > 0 && drawn.stats.morphs.nearActors == 0) {
    notes.push_back({Note::Level::Info, "FacesFar",
                     fmt::format("no actor within {:g} m of the camera (--morph-near) shows other "
                                 "morph weights than the defaults",
                                 drawn.settings.pose.morphs.nearMeters)});
  }
  return notes;
}

// The time at which the actors of an image were last posed.
double posedAtSeconds(double seconds, double tickRateHz) {
  if (!(tickRateHz > 0.0)) return seconds;
  // A tick at exactly the image's time must not be lost to rounding.
  constexpr double kRounding = 1e-9;
  return std::floor(seconds * tickRateHz + kRounding) / tickRateHz;
}

// Draws one image: a contact sheet, or a crowd at a time.
tl::expected<Drawn, StageRefusal> draw(const RenderOptions& options, CastStage& stage,
                                       const PixelSize& size, const JobContext& job) {
  const auto refuse = [](const Error& error) { return tl::unexpected(StageRefusal{error}); };
  const auto misuse = [](const std::string& sentence) {
    return tl::unexpected(StageRefusal{{ErrorCode::InvalidInput, sentence}, true});
  };
  const ViewMode mode = stage.view.pose.viewMode;
  if (options.sheetColumns > 0 && mode == ViewMode::Motion) {
    return misuse("--view motion: a contact sheet shows moments, which have no motion");
  }
  if (options.sheetColumns > 0 && mode == ViewMode::Blends) {
    return misuse("--view blends: a contact sheet shows every clip by itself, without fades");
  }
  if (auto ok = checkDrawing(options.drawing, stage, !options.fade.mask.empty()); !ok) {
    return misuse(ok.error());
  }
  auto played = crowdFor(options, stage);
  if (!played) return misuse(played.error());
  MixedCrowd& crowd = *played;
  const double tickRateHz = stage.view.tickRateHz;
  const double posedAt = posedAtSeconds(options.seconds, tickRateHz);
  const double tickSeconds = tickRateHz > 0.0 ? 1.0 / tickRateHz : 1.0 / 60.0;
  // The motion view draws the previous tick as well.
  crowd.seek(mode == ViewMode::Motion ? posedAt - tickSeconds : posedAt);
  const bool fadedBefore = crowd.fadingActors() > 0;
  crowd.seek(posedAt);
  const auto renderer = render::CrowdRenderer::make();
  if (!renderer) return refuse(renderer.error());
  const bool fading = fadedBefore || crowd.fadingActors() > 0;
  render::DrawableView drawable =
      render::renderSettingsFor(stage.view, stage.entries(), fading, (*renderer)->facts());
  // What a project asks for is drawn in another way; what an option asks for is refused.
  if (isAsked(options.drawing, "--method") && !drawable.methodRefusal.empty()) {
    return refuse({ErrorCode::Unsupported, drawable.methodRefusal});
  }
  if (isAsked(options.drawing, "--sampling") && !drawable.samplingRefusal.empty()) {
    return misuse("--sampling: " + drawable.samplingRefusal);
  }
  drawable.settings.tickRateHz = 0.0;  // the crowd stands at the time of its last pose
  if (auto shows = checkView(options, stage); !shows) {
    return tl::unexpected(shows.error());
  }
  const auto camera = cameraFor(options, crowd, stage, size);
  if (!camera) return misuse(camera.error());

  if (auto ok = (*renderer)->setCharacters(stage.entries()); !ok) return refuse(ok.error());
  Result<Drawn> drawn = Drawn{};
  if (options.sheetColumns == 0) {
    if (auto ok = (*renderer)->setProps(stage.props); !ok) return refuse(ok.error());
    drawn = drawCrowd(**renderer, crowd,
                      {*camera, drawable.settings, size, options.seconds, tickSeconds,
                       options.events, !options.stats.empty()});
  } else {
    auto sheet = drawContactSheet(**renderer, *stage.members.front().entry.atlas, drawable.settings,
                                  options.sheetColumns, size.width, size.height, job);
    if (!sheet) return refuse(sheet.error());
    drawn = Drawn{std::move(*sheet), (*renderer)->stats(), (*renderer)->facts()};
  }
  if (!drawn) return refuse(drawn.error());
  drawn->posedAtSeconds = posedAt;
  drawn->settings = drawable.settings;
  drawn->notes = stage.notes;
  drawn->notes.insert(drawn->notes.end(), drawable.notes.begin(), drawable.notes.end());
  for (const Note& note : notesOn(options, *drawn)) drawn->notes.push_back(note);
  return std::move(*drawn);
}

std::filesystem::path wholePath(const std::filesystem::path& path) {
  std::error_code failed;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
}

// Why an output file would overwrite an input file; empty if it would not. Projects, the files they
// use, and settings are protected by the file ending that `option` requires.
std::string whyNotWritten(const char* option, const std::string& file,
                          const RenderOptions& options) {
  const auto path = wholePath(pathFromText(file));
  const auto isRead = [&path](const std::string& text, char sign) {
    return path == wholePath(pathFromText(text)) ||
           path == wholePath(pathFromText(text.substr(0, text.rfind(sign))));
  };
  const auto sentence = [option](const std::string& read) {
    return fmt::format("{}: {} is what is to be drawn; name another file", option, read);
  };
  for (const std::string& read : options.import.files) {
    if (path == wholePath(pathFromText(read))) return sentence(read);
  }
  for (const std::string& read : options.with.files) {
    if (isRead(read, '=')) return sentence(read);
  }
  for (const std::string& read : options.props.props) {
    if (isRead(read, '@')) return sentence(read);
  }
  return {};
}

// Checks all output files.
std::string whyNotWritten(const RenderOptions& options) {
  const std::string why = whyNotWritten("--output", options.output, options);
  if (!why.empty() || options.stats.empty()) return why;
  return whyNotWritten("--stats", options.stats, options);
}

std::string counted(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

int run(const RenderOptions& options, const Shell& shell) {
  const std::string usual = options.sheetColumns > 0 ? "160x200" : "1280x720";
  const auto size = pixelSize(options.size.empty() ? usual : options.size);
  if (!size) return shell.misuse(size.error());
  if (const std::string why = whyNotWritten(options); !why.empty()) return shell.misuse(why);
  const JobContext job = shell.job();
  const auto refused = [&shell](const StageRefusal& refusal) {
    return refusal.misuse ? shell.misuse(refusal.error) : shell.fail(refusal.error);
  };
  std::optional<Method> method;
  if (isAsked(options.drawing, "--method")) method = viewAsked(options.drawing, {}).pose.method;
  auto stage = makeCastStage(
      {options.import, options.bake, options.encodingAsked, method, options.crowd, options.with},
      job.part(0.0f, options.errors ? 0.5f : 0.6f));
  if (!stage) return refused(stage.error());
  stage->view = viewAsked(options.drawing, stage->view);
  // A picture is made once, so the dearest shadows are affordable.
  if (stage->view.shadows == Shadows::Auto) stage->view.shadows = Shadows::Cascades;
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
  shell.remark(drawn->notes);
  const std::string text =
      fmt::format("{}: {} x {}, {} in {}, {:.1f} ms ({})\n", options.output, drawn->frame.width,
                  drawn->frame.height, counted(drawn->stats.actors, "actor"),
                  counted(static_cast<std::size_t>(drawn->stats.drawCalls), "draw call"),
                  drawn->stats.updateMs + drawn->stats.drawMs, drawn->facts.renderer);
  const std::string errorText = castErrorsText(*stage, drawn->errors);
  return shell.finish(
      document(options, *stage, *drawn, *bytes).dump(1, ' ', false, Json::error_handler_t::replace),
      text + errorText);
}

// Why an option of the bake has no effect; empty if it applies to a rig.
std::string whyNotBaked(const std::string& option, const RenderOptions& options) {
  const std::string& file = options.import.files.front();
  std::error_code failed;
  const bool isFolder = std::filesystem::is_directory(pathFromText(file), failed);
  if (!isFolder && !isProjectPath(file)) return {};
  // These options apply to the first file only; the others affect all rigs that are baked.
  const bool ofFirst = option == "--clips" || option == "--event" || option == "--height" ||
                       option == "--unit-scale";
  if (!ofFirst && hasFurtherRigs(options.with)) return {};
  return isFolder ? "an atlas folder is baked already; name the rig to bake it anew"
                  : "a project says itself how it is read and baked";
}

bool endsWith(const std::string& path, std::string_view ending) {
  std::string own = path.size() < ending.size() ? "" : path.substr(path.size() - ending.size());
  for (char& c : own) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return own == ending;
}

// The file endings keep outputs from overwriting rigs, projects and atlases.
std::string whyNoPicture(const std::string& path) {
  if (!endsWith(path, ".png")) return "the picture is a PNG; its name must end with .png";
  if (!endsWith(path, ".atlas.png")) return {};
  return "files whose names end with .atlas.png are atlases; name the picture otherwise";
}

std::string whyNoStats(const std::string& path) {
  return endsWith(path, ".csv") ? "" : "the costs are a CSV file; its name must end with .csv";
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
      ->check(CLI::Validator(whyNoPicture, ""))
      ->option_text("OUT.png");
  addCrowdOptions(*app, options->crowd);
  addFadeOptions(*app, options->fade);
  addWithOption(*app, options->with);
  addPropOption(*app, options->props);
  addDrawOptions(*app, options->drawing);
  app->add_option("--time", options->seconds, "Seconds after the start (default: 0)")
      ->check(finiteNumber())
      ->option_text("S");
  app->add_option("--size", options->size, "Pixels (default: 1280x720; a sheet's cell 160x200)")
      ->option_text("WxH");
  app->add_option("--camera", options->camera, "All of the crowd, or eye and target")
      ->option_text("frame|X,Y,Z:X,Y,Z");
  app->add_option("--sheet", options->sheetColumns,
                  "A contact sheet: a row per clip with this many moments")
      ->check(CLI::Range(1, 256))
      ->option_text("COLUMNS");
  app->add_option("--stats", options->stats, "A CSV file to write what the picture cost to")
      ->check(CLI::Validator(whyNoStats, ""))
      ->option_text("FILE.csv");
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
  // A contact sheet shows every clip on its own, with the first character.
  for (const char* name :
       {"--with", "--prop", "--fade-to", "--morph", "--vary-morph", "--morph-near", "--tick-rate",
        "--update-every", "--events", "--time", "--camera", "--actors", "--formation", "--seed"}) {
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
              if (option->count() == 0) continue;
              const std::string why = whyNotBaked(option->get_name(), *options);
              if (why.empty()) continue;
              return shell.misuse(fmt::format("{}: {}", option->get_name(), why));
            }
            options->with.actorsAsked = app->count("--actors") + app->count("--seed") +
                                            app->count("--formation") + app->count("--vary-morph") >
                                        0;
            options->crowd.variedMorphs = options->variedMorphs;
            options->encodingAsked = app->count("--encoding") > 0;
            return run(*options, shell);
          }};
}

}  // namespace ck::cli
