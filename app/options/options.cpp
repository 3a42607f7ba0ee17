#include "app/options/options.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "app/options/choices.h"
#include "app/options/numbers.h"
#include "core/atlas/recipe_settings.h"
#include "core/bake/components.h"
#include "core/export/export_format.h"
#include "core/import/host/sandbox.h"
#include "core/import/joint_map_file.h"
#include "core/import/rig_format.h"
#include "core/project/characters.h"
#include "core/system/files.h"
#include "core/view/view_options.h"

namespace ck::cli {
namespace {

constexpr const char* kReadingOptions[] = {
    "height", "unit-scale", "join-morphs", "map", "rest", "up", "socket", "merge-still-joints"};
// Besides those of the recipe.
constexpr const char* kBakeOptions[] = {"clips",        "rate",         "frames",      "tile",
                                        "power-of-two", "texture-size", "morph-slots", "morph-bits",
                                        "seam",         "loop",         "root",        "root-joint",
                                        "root-axes",    "loop-offset",  "event",       "reading"};

const Words<bool> kOnOff = {{"on", true}, {"off", false}};

// The check of a number of a setting that may be "auto".
auto whyNoAutomaticNumber(const RecipeSetting<std::optional<double>>& setting) {
  return [&setting](const std::string& text) {
    const auto number = numberFrom<double>(text);
    if (text == "auto" || (number && setting.isPossible(*number))) return std::string();
    return fmt::format("'{}' is not auto, nor a number from {} to {}", text, setting.values.front(),
                       setting.values.back());
  };
}

template <class Member>
void addSetting(CLI::App& app, const RecipeSetting<Member>& setting, BakeRecipe& recipe) {
  Member& value = recipe.*setting.member;
  const auto names = setting.named != nullptr ? encodingNames(setting.named) : std::string();
  const std::string help = fmt::format(fmt::runtime(setting.help), names);
  if constexpr (kIsChoice<Member>) {
    Words<Member> words;
    if constexpr (kIsAutomatic<Member>) words.push_back({"auto", {}});
    for (const auto each : setting.values) words.emplace_back(setting.name(each), each);
    addChoice(app, setting.option, value, words, help);
  } else if constexpr (std::is_same_v<Member, bool>) {
    addChoice(app, setting.option, value, kOnOff, help);
  } else if constexpr (kIsAutomaticNumber<Member>) {
    app.add_option_function<std::string>(
           setting.option,
           [&value](const std::string& text) {
             value = text == "auto" ? std::nullopt : numberFrom<double>(text);
           },
           help)
        ->check(CLI::Validator(whyNoAutomaticNumber(setting), ""))
        ->option_text(setting.unit);
  } else if constexpr (std::is_same_v<Member, double>) {
    app.add_option(setting.option, value, help)
        ->check(finiteNumber())
        ->check(CLI::Range(setting.values.front(), setting.values.back()))
        ->option_text(setting.unit);
  } else {
    app.add_option(setting.option, value, help)
        ->check(CLI::IsMember(std::set(setting.values.begin(), setting.values.end())))
        ->option_text(fmt::format("{}", fmt::join(setting.values, "|")));
  }
}

// The options of the screen and of the actors of a project.
constexpr const char* kActorOptions[] = {"screen-distance", "screen-height", "screen-angle",
                                         "actors",          "seed",          "formation",
                                         "vary-morph",      "place",         "play"};

// "1024x512", or "1024" for a square if `square`. Nothing unless both sides are from 1 to `most`.
std::optional<PixelSize> sizeFrom(std::string_view text, int most, bool square) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos && !square) return std::nullopt;
  const auto width = numberFrom<int>(text.substr(0, cross));
  const auto height =
      cross == std::string_view::npos ? width : numberFrom<int>(text.substr(cross + 1));
  if (!width || !height || std::min(*width, *height) < 1 || std::max(*width, *height) > most) {
    return std::nullopt;
  }
  return PixelSize{*width, *height};
}

// Refuses options that contradict each other or the settings that they edit, whatever the rig is:
// wrong usage, where the bake itself would speak of an invalid input.
UsageResult<void> optionsThatAgree(const BakeOptions& options, const BakeSettings& settings) {
  const auto given = [&options](const char* name) { return isGiven(options.app, name); };
  if (given("--tile") && settings.layout != LayoutKind::Tiles) {
    return tl::unexpected(fmt::format("--tile is for --layout tiles, and the layout is {}",
                                      layoutKindName(settings.layout)));
  }
  if (given("--power-of-two") && settings.powerOfTwo && settings.layout != LayoutKind::Rows) {
    return tl::unexpected(
        fmt::format("--power-of-two is for --layout rows, and the layout is {}, whose sides are "
                    "powers of two anyway",
                    layoutKindName(settings.layout)));
  }
  if ((given("--components") || given("--encoding")) && !isPossible(codeOf(settings))) {
    return tl::unexpected(
        fmt::format("--components: '{}' cannot be baked as {}, which {}; it is "
                    "for {}",
                    componentsName(*settings.components), encodingInfo(settings).name,
                    whyAllTogether(encodingOf(settings)), encodingNames(storesComponents)));
  }
  if (given("--reduce") && settings.reduceMm > 0.0 && !settings.interpolate) {
    return tl::unexpected(
        std::string("--reduce: without interpolation (--interpolate off) nothing gives back the "
                    "frames that are left out"));
  }
  if (!settings.powerOfTwo || !(given("--power-of-two") || given("--texture-size"))) return {};
  for (const int texels : {settings.textureWidth, settings.textureHeight}) {
    if (texels == 0 || std::has_single_bit(static_cast<unsigned>(texels))) continue;
    return tl::unexpected(fmt::format(
        "--texture-size: {} is no power of two, which --power-of-two on asks for; {} and "
        "{} are",
        texels, std::bit_floor(static_cast<unsigned>(texels)),
        std::bit_ceil(static_cast<unsigned>(texels))));
  }
  return {};
}

std::string whyNoRate(const std::string& text) {
  return text == "keys" ? std::string() : aboveZero(100000.0)(std::string(text));
}

std::string whyNoTextureSize(const std::string& text) {
  if (text == "auto" || sizeFrom(text, 65536, true)) return {};
  return fmt::format("'{}' is not auto, nor a size such as 1024 or 1024x512 of at most 65536",
                     text);
}

// 0 for an empty text.
UsageResult<std::uint64_t> byteLimit(std::string_view text) {
  if (text.empty()) return 0;
  if (const auto bytes = bytesFrom(text)) return *bytes;
  return tl::unexpected(
      fmt::format("--max-bytes: '{}' is not a size such as 800000, 512K or 2M", text));
}

// The settings with those of the options that are given.
BakeSettings edited(const BakeOptions& options, BakeSettings settings) {
  const auto take = [&](const char* name, auto... members) {
    if (!isGiven(options.app, name)) return;
    ((settings.*members = options.settings.*members), ...);
  };
  const bool isUsualLayout = settings.layout == usualLayout(encodingOf(settings));
  forEachSetting([&](const auto& setting) { take(setting.option, setting.member); });
  if (isUsualLayout && !isGiven(options.app, "--layout")) {
    settings.layout = usualLayout(encodingOf(settings));
  }
  take("--tile", &BakeSettings::tile);
  take("--power-of-two", &BakeSettings::powerOfTwo);
  take("--texture-size", &BakeSettings::textureWidth, &BakeSettings::textureHeight);
  take("--rate", &BakeSettings::rateHz, &BakeSettings::frames);
  take("--frames", &BakeSettings::rateHz, &BakeSettings::frames);
  const MorphForm& morphs = options.settings.morphs;
  if (isGiven(options.app, "--morph-slots")) settings.morphs.slotCount = morphs.slotCount;
  if (isGiven(options.app, "--morph-bits")) settings.morphs.bits = morphs.bits;
  take("--reading", &BakeSettings::reading);
  return settings;
}

}  // namespace

void addShellOptions(CLI::App& app, Shell& shell, bool threads) {
  app.add_flag("--json", shell.json, "One JSON document on standard output");
  app.add_flag("--quiet", shell.quiet, "No text and no progress");
  app.add_flag_callback("--require-sandbox", requireSandbox,
                        "Read no file of others where this system cannot confine its reader");
  if (!threads) return;
  app.add_option("--threads", shell.threads, "Threads to use (default: all cores)")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
}

void addSettingsOption(CLI::App& app) {
  app.add_option_function<std::string>(
         "--settings", [](const std::string&) {},
         "A JSON file with these options, by the same names")
      ->option_text("FILE.json");
}

void addImportOptions(CLI::App& app, ImportOptions& options) {
  options.app = &app;
  app.add_option("FILE", options.files,
                 fmt::format("The rig, then files that add clips: {}", rigFormatNames()))
      ->required()
      ->option_text("...");
  auto* height = app.add_option("--height", options.heightMeters,
                                "Scale the model so that its bind pose is this many metres tall");
  height->check(aboveZero(1e6))->option_text("M");
  app.add_option("--unit-scale", options.unitScale, "Metres per unit of the file")
      ->check(aboveZero(1e9))
      ->option_text("F")
      ->excludes(height);
  app.add_flag("--join-morphs", options.joinMorphs,
               "Morph targets of one name share one weight in all meshes");
  app.add_option("--map", options.map,
                 "A joint map: which joints of the further files move which of the rig")
      ->option_text("FILE.json");
  addChoice(app, "--rest", options.rest,
            Words<std::optional<RestFit>>{{"auto", RestFit::Auto},
                                          {"keep", RestFit::KeepRotations},
                                          {"offset", RestFit::ApplyOffset}},
            "What becomes of joints that rest turned against the rig's");
  addChoice(app, "--up", options.up,
            wordsFor({UpAxis::Auto, UpAxis::X, UpAxis::Y, UpAxis::Z}, upAxisName),
            "Which axis is up in files that do not say (BVH, MD5, X)");
  app.add_flag("--merge-still-joints", options.mergeStillJoints,
               "Joints that no clip moves give their weights to their parents");
  app.add_option(
         "--socket", options.sockets,
         "A node without weights that is baked beside the joints, to hang something on; may "
         "occur several times (kiln info lists them)")
      ->allow_extra_args(false)
      ->option_text("NAME");
}

Result<void> editReading(const ImportOptions& options, ProjectCharacter& character) {
  ImportSettings& import = character.import;
  const auto given = [&options](const char* name) { return isGiven(options.app, name); };
  if (given("--height") || given("--unit-scale")) {
    import.heightMeters = options.heightMeters;
    import.unitScale = options.unitScale;
  }
  import.joinMorphs = import.joinMorphs || options.joinMorphs;
  import.mergeStillJoints = import.mergeStillJoints || options.mergeStillJoints;
  if (given("--socket")) import.sockets = options.sockets;
  if (given("--up")) import.upAxis = options.up;
  JointMap map;
  if (!options.map.empty()) {
    auto read = readJointMap(pathFromText(options.map));
    if (!read) return tl::unexpected(read.error());
    map = std::move(*read);
  }
  for (std::size_t f = 1; f < character.sources.size(); ++f) {
    SourceFile& file = character.sources[f];
    if (!options.map.empty()) file.fit = map.fitOf(pathFromText(file.path));
    if (options.rest) file.fit.rest = *options.rest;
    if (given("--up") && options.up != UpAxis::Auto) file.fit.up = options.up;
  }
  return {};
}

bool isGiven(const CLI::App* app, const char* name) {
  const CLI::Option* option = app == nullptr ? nullptr : app->get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

namespace {

void addGiven(std::vector<std::string>& given, std::span<const char* const> names,
              const CLI::App* app) {
  for (const char* name : names) {
    if (isGiven(app, fmt::format("--{}", name).c_str())) given.emplace_back(name);
  }
}

}  // namespace

std::vector<std::string> givenEdits(const CLI::App* app) {
  std::vector<std::string> given;
  addGiven(given, kReadingOptions, app);
  forEachSetting([&](const auto& setting) {
    if (isGiven(app, setting.option)) given.emplace_back(setting.option + 2);
  });
  addGiven(given, kBakeOptions, app);
  return given;
}

std::vector<std::string> givenViewEdits(const CLI::App* app) {
  std::vector<std::string> given;
  std::string_view last;  // several rows stand for --show
  for (const ViewOption& row : viewOptions()) {
    const std::string_view option = row.line.option;
    const bool isAgain = option == std::exchange(last, option);
    if (option.empty() || isAgain || !isGiven(app, std::string(option).c_str())) continue;
    given.emplace_back(option.substr(2));
  }
  addGiven(given, kActorOptions, app);
  return given;
}

bool isOfReading(std::string_view name) {
  return std::ranges::find(kReadingOptions, name) != std::end(kReadingOptions);
}

void addBakeOptions(CLI::App& app, BakeOptions& options) {
  options.app = &app;
  addClipOptions(app, options.clips);
  auto* rate = app.add_option_function<std::string>(
      "--rate",
      [&options](const std::string& text) {
        options.settings.rateHz = numberFrom<double>(text).value_or(0.0);
      },
      "Frames a second (default: keys, each clip's own key grid, in whole parts of a step where "
      "fast turns or splines need them)");
  rate->check(CLI::Validator(whyNoRate, ""))->option_text("HZ|keys");
  app.add_option("--frames", options.settings.frames, "Frames of each clip")
      ->check(CLI::Range(2, 10000000))
      ->option_text("N")
      ->excludes(rate);
  BakeSettings& settings = options.settings;
  forEachSetting([&](const auto& setting) { addSetting(app, setting, settings); });
  app.add_option("--tile", settings.tile,
                 "Side of a tile in texels, for --layout tiles (default: 256); longer clips are "
                 "resampled to fit")
      ->check(CLI::Range(2, 65536))
      ->option_text("N");
  addChoice(app, "--power-of-two", settings.powerOfTwo, kOnOff,
            "Width and height of the texture, for --layout rows (others' always are)");
  app.add_option_function<std::string>(
         "--texture-size",
         [&settings](const std::string& text) {
           const auto size = sizeFrom(text, 65536, true).value_or(PixelSize{});
           settings.textureWidth = size.width;
           settings.textureHeight = size.height;
         },
         "Size of the texture (default: auto, as is needed)")
      ->check(CLI::Validator(whyNoTextureSize, ""))
      ->option_text("auto|N|WxH");
  app.add_option("--morph-slots", settings.morphs.slotCount,
                 "Morph targets that a clip keeps the weights of, those that move most (default: "
                 "8)")
      ->check(CLI::Range(1, kMostMorphSlots))
      ->option_text("N");
  app.add_option("--morph-bits", settings.morphs.bits, "Bits of each of these weights (default: 8)")
      ->check(CLI::IsMember({8, 16}))
      ->option_text("8|16");
  addReadingOption(app, settings.reading);
}

UsageResult<void> editBake(const BakeOptions& options, const Character& character,
                           ProjectCharacter& settings) {
  settings.bake = edited(options, settings.bake);
  if (auto agreed = optionsThatAgree(options, settings.bake); !agreed) return agreed;
  return editClips(options.clips, character, settings.clips);
}

void addReadingOption(CLI::App& app, Reading& reading) {
  addChoice(app, "--reading", reading,
            Words<Reading>{{"palette", Reading::Palette}, {"direct", Reading::Direct}},
            "The reading that --max-error, --max-shell and --max-pixels are held to");
}

void addScreenOptions(CLI::App& app, ScreenOptions& options, std::string_view otherwise) {
  const ScreenView usual;
  const auto add = [&](const char* name, std::optional<double>& value, const char* help,
                       double number, double low, double high, const char* unit) {
    app.add_option(name, value, fmt::format("{} (default: {:g}{})", help, number, otherwise))
        ->check(finiteNumber())
        ->check(CLI::Range(low, high))
        ->option_text(unit);
  };
  add("--screen-distance", options.distanceMeters,
      "How far away characters are seen, for the error on the screen", usual.distanceMeters,
      kNearestView, kFarthestView, "METRES");
  add("--screen-height", options.imageHeightPixels, "Height of the picture that they are seen in",
      usual.imageHeightPixels, 1.0, kTallestView, "PX");
  add("--screen-angle", options.verticalFieldOfViewDegrees,
      "Vertical field of view of that picture in degrees", usual.verticalFieldOfViewDegrees,
      kNarrowestView, kWidestView, "DEGREES");
}

ScreenView screenView(const ScreenOptions& options, ScreenView usual) {
  return {options.distanceMeters.value_or(usual.distanceMeters),
          options.imageHeightPixels.value_or(usual.imageHeightPixels),
          options.verticalFieldOfViewDegrees.value_or(usual.verticalFieldOfViewDegrees)};
}

void addLimitOptions(CLI::App& app, LimitOptions& options) {
  app.add_option("--max-error", options.maxErrorMm,
                 "End with 1 where a vertex is farther off, in millimetres")
      ->check(aboveZero(1e9))
      ->option_text("MM");
  app.add_option("--max-shell", options.maxShellMm,
                 fmt::format("End with 1 where the error {:g} cm from joints is larger",
                             100.0 * kShellMeters))
      ->check(aboveZero(1e9))
      ->option_text("MM");
  app.add_option("--max-pixels", options.maxPixels,
                 "End with 1 where a vertex is farther off on the screen; METRES stands for "
                 "--screen-distance")
      ->option_text("PX[@METRES]");
  app.add_option("--max-bytes", options.maxBytes,
                 "End with 1 where the texels take more; K is 1024, M 1024 K")
      ->option_text("N");
}

UsageResult<FitLimits> limitsFrom(const LimitOptions& options, ScreenOptions& screen) {
  FitLimits limits{.error = {.vertexMm = options.maxErrorMm, .shellMm = options.maxShellMm}};
  const auto bytes = byteLimit(options.maxBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  limits.bytes = static_cast<std::size_t>(*bytes);
  if (options.maxPixels.empty()) return limits;
  const std::string_view text = options.maxPixels;
  const std::size_t sign = text.find('@');
  const auto pixels = numberFrom<double>(text.substr(0, sign));
  std::optional<double> meters = screen.distanceMeters;
  if (sign != std::string_view::npos) meters = numberFrom<double>(text.substr(sign + 1));
  const bool isDistance = sign == std::string_view::npos ||
                          (meters && *meters >= kNearestView && *meters <= kFarthestView);
  if (!pixels || !(*pixels > 0.0 && *pixels <= 1e9) || !isDistance) {
    return tl::unexpected(fmt::format(
        "--max-pixels: '{}' is not a number of pixels such as 2, nor one at a distance in metres "
        "such as 2@5",
        text));
  }
  if (screen.distanceMeters && *screen.distanceMeters != meters) {
    return tl::unexpected(
        fmt::format("--max-pixels: '{}' and --screen-distance {:g} are two "
                    "distances; leave one of them out",
                    text, *screen.distanceMeters));
  }
  screen.distanceMeters = meters;
  limits.error.pixels = *pixels;
  return limits;
}

UsageResult<PixelSize> pixelSize(const std::string& text) {
  if (const auto size = sizeFrom(text, 16384, false)) return *size;
  return tl::unexpected(
      fmt::format("--size: '{}' is not a size such as 1280x720 of at most 16384x16384", text));
}

}  // namespace ck::cli
