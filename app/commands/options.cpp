#include "app/commands/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <iterator>

#include "app/commands/choices.h"
#include "app/commands/numbers.h"
#include "core/bake/components.h"
#include "core/base/files.h"
#include "core/export/export_format.h"
#include "core/import/joint_map_file.h"
#include "core/import/rig_format.h"
#include "core/project/characters.h"

namespace ck::cli {
namespace {

const Words<bool> kOnOff = {{"on", true}, {"off", false}};

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

// Refuses options that contradict each other whatever the rig is: wrong usage, where the bake
// itself would speak of an invalid input.
UsageResult<void> optionsThatAgree(const BakeSettings& settings) {
  const Components components = settings.components.value_or(Components::Trs);
  if (!isPossible({settings.encoding, components})) {
    return tl::unexpected(
        fmt::format("--components: '{}' cannot be baked as {}, which {}; it is "
                    "for {}",
                    componentsName(components), encodingInfo(settings.encoding).name,
                    whyAllTogether(settings.encoding), encodingNames(storesComponents)));
  }
  if (settings.reduceMm > 0.0 && !settings.interpolate) {
    return tl::unexpected(
        std::string("--reduce: without interpolation (--interpolate off) nothing gives back the "
                    "frames that are left out"));
  }
  if (!settings.powerOfTwo) return {};
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

// Refuses what no rig is read from: says what it is, and which commands take it.
Result<void> checkIsRig(const std::filesystem::path& path) {
  const std::string name = pathText(path.filename());
  const auto refuse = [&](ErrorCode code, std::string_view why) {
    return fail(code, fmt::format("{}: {}", name, why), pathText(path));
  };
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return {};
  if (std::filesystem::is_directory(path, failed)) {
    return refuse(ErrorCode::FileUnreadable,
                  "this is a folder, not a rig file; 'kiln render', 'kiln verify' and 'kiln "
                  "export' take folders that 'kiln bake' wrote");
  }
  if (isProjectPath(name)) {
    return refuse(ErrorCode::InvalidInput,
                  "this is a project, not a rig file; 'kiln info', 'kiln bake', 'kiln export' and "
                  "'kiln render' take projects, without further files of clips");
  }
  const bool isOfAtlas = std::ranges::any_of(
      kExportFormats, [&name](const ExportFormat& each) { return name.ends_with(each.ending); });
  if (!isOfAtlas) return {};
  return refuse(ErrorCode::InvalidInput,
                "this is a file of a baked atlas, not a rig file; 'kiln render', 'kiln verify' and "
                "'kiln export' take the folder that it is in");
}

// 0 for an empty text.
UsageResult<std::uint64_t> byteLimit(std::string_view text) {
  if (text.empty()) return 0;
  if (const auto bytes = bytesFrom(text)) return *bytes;
  return tl::unexpected(
      fmt::format("--max-bytes: '{}' is not a size such as 800000, 512K or 2M", text));
}

}  // namespace

void addShellOptions(CLI::App& app, Shell& shell, bool threads) {
  app.add_flag("--json", shell.json, "One JSON document on standard output");
  app.add_flag("--quiet", shell.quiet, "No text and no progress");
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
            "Which axis is up in files that do not say (BVH)");
  app.add_flag("--merge-still-joints", options.mergeStillJoints,
               "Joints that no clip moves give their weights to their parents");
  app.add_option(
         "--socket", options.sockets,
         "A node without weights that is baked beside the joints, to hang something on; may "
         "occur several times (kiln info lists them)")
      ->allow_extra_args(false)
      ->option_text("NAME");
}

ImportSettings importSettings(const ImportOptions& options) {
  return {.heightMeters = options.heightMeters,
          .unitScale = options.unitScale,
          .joinMorphs = options.joinMorphs,
          .sockets = options.sockets,
          .mergeStillJoints = options.mergeStillJoints,
          .upAxis = options.up};
}

Result<std::vector<ImportFile>> fittedFiles(const ImportOptions& options) {
  JointMap map;
  if (!options.map.empty()) {
    auto read = readJointMap(pathFromText(options.map));
    if (!read) return tl::unexpected(read.error());
    map = std::move(*read);
  }
  std::vector<ImportFile> files;
  for (const std::string& file : options.files) {
    const std::filesystem::path path = pathFromText(file);
    ImportFile& added = files.emplace_back(path);
    if (files.size() == 1) continue;
    added.fit = map.fitOf(path);
    if (options.rest) added.fit.rest = *options.rest;
    if (options.up != UpAxis::Auto) added.fit.up = options.up;
  }
  return files;
}

Result<Character> importFiles(const ImportOptions& options, const JobContext& job,
                              std::vector<ClipFitReport>* reports) {
  const auto files = fittedFiles(options);
  if (!files) return tl::unexpected(files.error());
  for (const ImportFile& file : *files) {
    if (auto ok = checkIsRig(file.path); !ok) return tl::unexpected(ok.error());
  }
  return importWithClips(*files, importSettings(options), {}, job, reports);
}

Result<void> checkClips(const ImportOptions& options, const Character& character,
                        std::string_view example) {
  if (!character.clips.empty()) return {};
  const std::string& rig = options.files.front();
  return fail(ErrorCode::InvalidInput,
              fmt::format("{} has no clips to bake; name files with clips after it, e.g. {}",
                          pathText(pathFromText(rig).filename()), example),
              rig);
}

UsageResult<std::size_t> findClip(const Character& character, const std::string& text) {
  if (const auto named = clipNamed(character, text)) return *named;
  const auto index = text.starts_with('#') ? numberFrom<std::size_t>(text.substr(1)) : std::nullopt;
  if (index && *index < character.clips.size()) return *index;
  std::vector<std::string> names;
  bool hasComma = false;
  for (const Clip& clip : character.clips) {
    names.push_back("'" + clip.name + "'");
    hasComma = hasComma || clip.name.find(',') != std::string::npos;
  }
  return tl::unexpected(fmt::format(
      "there is no clip '{}'; the file has {}{}", text,
      names.empty() ? "no clips" : fmt::format("{}", fmt::join(names, ", ")),
      hasComma ? "; a comma in a name is written '\\,', or the clip is named by #INDEX" : ""));
}

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> names(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool isEscaped = text.compare(i, 2, "\\,") == 0;
    if (text[i] == ',') {
      names.emplace_back();
    } else {
      i += isEscaped ? 1 : 0;
      names.back() += text[i];
    }
  }
  // Text without any name is one that there is not.
  if (text.find_first_not_of(',') != std::string::npos) std::erase(names, std::string());
  return names;
}

std::string asListed(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == ',' ? std::string("\\,") : std::string(1, c);
  return text;
}

void addBakeOptions(CLI::App& app, BakeOptions& options) {
  app.add_option("--clips", options.clips, "Clips to bake, by name or #INDEX (default: all)")
      ->allow_extra_args(false)
      ->option_text("A,B");
  auto* rate = app.add_option("--rate", options.settings.rateHz,
                              "Frames a second (default: each clip's own key grid, in whole "
                              "parts of a step where fast turns or splines need them)");
  rate->check(aboveZero(100000.0))->option_text("HZ");
  app.add_option("--frames", options.settings.frames, "Frames of each clip")
      ->check(CLI::Range(2, 10000000))
      ->option_text("N")
      ->excludes(rate);
  BakeSettings& settings = options.settings;
  Words<Encoding> encodings;
  for (const EncodingInfo& each : allEncodings()) encodings.emplace_back(each.name, each.encoding);
  addChoice(app, "--encoding", settings.encoding, encodings, "How a pose becomes texels");
  addChoice(app, "--layout", options.layout,
            wordsFor({LayoutKind::Rows, LayoutKind::Tiles, LayoutKind::Linear}, layoutKindName),
            fmt::format("Where the frames lie (default: rows; linear for {})",
                        encodingNames(storesMatrices)));
  app.add_option("--tile", options.tile,
                 "Side of a tile in texels, for --layout tiles (default: 256); longer clips are "
                 "resampled to fit")
      ->check(CLI::Range(2, 65536))
      ->option_text("N");
  addChoice(app, "--power-of-two", settings.powerOfTwo, kOnOff,
            "Width and height of the texture, for --layout rows (others' always are)");
  app.add_option("--texture-size", options.textureSize,
                 "Size of the texture (default: auto, as is needed)")
      ->option_text("auto|N|WxH");
  addChoice(app, "--range", settings.rangeMode,
            Words<std::optional<RangeMode>>{{"auto", {}},
                                            {"joint", RangeMode::Joint},
                                            {"atlas", RangeMode::Atlas},
                                            {"joint-clip", RangeMode::JointClip}},
            fmt::format("Which values share a range (auto: joint-clip for {}, else joint)",
                        encodingNames(measuresClips)));
  app.add_option("--influences", settings.influences, "Influences per vertex (default: 4)")
      ->check(CLI::IsMember({1, 2, 4}))
      ->option_text("1|2|4");
  app.add_option("--reduce", settings.reduceMm,
                 "Leave out frames that interpolation gives back so that no vertex moves by more "
                 "than so many millimetres (default: 0, none)")
      ->check(finiteNumber())
      ->check(CLI::Range(0.0, kMostReduceMm))
      ->option_text("MM");
  app.add_option("--morph-slots", settings.morphs.slotCount,
                 "Morph targets that a clip keeps the weights of, those that move most (default: "
                 "8)")
      ->check(CLI::Range(1, kMostMorphSlots))
      ->option_text("N");
  app.add_option("--morph-bits", settings.morphs.bits, "Bits of each of these weights (default: 8)")
      ->check(CLI::IsMember({8, 16}))
      ->option_text("8|16");
  addChoice(
      app, "--components", settings.components,
      Words<std::optional<Components>>{
          {"auto", {}}, {"trs", Components::Trs}, {"tr", Components::Tr}, {"r", Components::R}},
      fmt::format("What of a pose {} store: position (t), rotation, scale (auto: the fewest "
                  "that lose less than 0.1 mm)",
                  encodingNames(storesComponents)));
  addChoice(app, "--interpolate", settings.interpolate, kOnOff, "Between frames");
  addChoice(
      app, "--seam", options.everyClip.seam,
      wordsFor({SeamChoice::Auto, SeamChoice::Inclusive, SeamChoice::Exclusive, SeamChoice::None},
               seamChoiceName),
      "How the clips close");
  addChoice(app, "--loop", options.everyClip.loop,
            wordsFor({LoopMode::Loop, LoopMode::Once, LoopMode::PingPong}, loopModeName),
            "What happens at the ends (default: by the seam)");
  addClipEditOptions(app, options.clipEdits);
  addReadingOption(app, settings.reading);
}

UsageResult<BakeSettings> bakeSettings(const BakeOptions& options, const Character& character) {
  BakeSettings settings = options.settings;
  settings.layout = options.layout.value_or(usualLayout(settings.encoding));
  if (options.tile > 0 && settings.layout != LayoutKind::Tiles) {
    return tl::unexpected(fmt::format("--tile is for --layout tiles, and the layout is {}",
                                      layoutKindName(settings.layout)));
  }
  if (options.tile > 0) settings.tile = options.tile;
  if (settings.powerOfTwo && settings.layout != LayoutKind::Rows) {
    return tl::unexpected(
        fmt::format("--power-of-two is for --layout rows, and the layout is {}, whose sides are "
                    "powers of two anyway",
                    layoutKindName(settings.layout)));
  }
  if (options.textureSize != "auto") {
    const auto size = sizeFrom(options.textureSize, 65536, true);
    if (!size) {
      return tl::unexpected(fmt::format(
          "--texture-size: '{}' is not auto, nor a size such as 1024 or 1024x512 of at most 65536",
          options.textureSize));
    }
    settings.textureWidth = size->width;
    settings.textureHeight = size->height;
  }
  if (auto agreed = optionsThatAgree(settings); !agreed) return tl::unexpected(agreed.error());
  std::vector<std::string> names;
  std::vector<std::string> asked;
  for (const std::string& text : options.clips)
    std::ranges::move(listed(text), std::back_inserter(asked));
  for (const std::string& text : asked) {
    const auto clip = findClip(character, text);
    if (!clip) return tl::unexpected(clip.error());
    names.push_back(character.clips[*clip].name);
    if (std::ranges::count(names, names.back()) > 1) {
      return tl::unexpected(
          fmt::format("--clips: '{}' is named twice; every clip is baked once", names.back()));
    }
  }
  if (names.empty()) {
    for (const Clip& clip : character.clips) names.push_back(clip.name);
  }
  for (std::string& name : names) {
    settings.clips.push_back(options.everyClip);
    settings.clips.back().name = std::move(name);
  }
  if (auto ok = editClips(options.clipEdits, character, settings.clips); !ok) {
    return tl::unexpected(ok.error());
  }
  return settings;
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

UsageResult<Limits> limitsFrom(const LimitOptions& options, ScreenOptions& screen) {
  Limits limits{.error = {.vertexMm = options.maxErrorMm, .shellMm = options.maxShellMm}};
  const auto bytes = byteLimit(options.maxBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  limits.bytes = *bytes;
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
