#include "app/commands/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "core/bake/components.h"
#include "core/base/files.h"
#include "core/import/import_process.h"
#include "core/import/rig_format.h"

namespace ck::cli {
namespace {

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

template <class Value>
bool parsed(std::string_view text, Value& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

std::optional<LoopMode> loopFromName(const std::string& name) {
  for (const LoopMode mode : {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong}) {
    if (loopModeName(mode) == name) return mode;
  }
  return std::nullopt;
}

SeamChoice seamFromName(const std::string& name) {
  if (name == "inclusive") return SeamChoice::Inclusive;
  if (name == "exclusive") return SeamChoice::Exclusive;
  return name == "none" ? SeamChoice::None : SeamChoice::Auto;
}

// The texture's size: "1024x512", or "1024" for a square; auto leaves both at 0.
UsageResult<PixelSize> textureSize(const std::string& text) {
  PixelSize size;
  if (text == "auto") return size;
  const std::size_t cross = text.find('x');
  const std::string_view view = text;
  const bool good = parsed(view.substr(0, cross), size.width) &&
                    (cross == std::string::npos || parsed(view.substr(cross + 1), size.height));
  if (cross == std::string::npos) size.height = size.width;
  if (good && size.width >= 1 && size.height >= 1 && size.width <= 65536 && size.height <= 65536) {
    return size;
  }
  return tl::unexpected(fmt::format(
      "--texture-size: '{}' is not auto, nor a size such as 1024 or 1024x512 of at most 65536",
      text));
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

void offer(CLI::Option* option, std::vector<std::string> offered) {
  option->option_text(listed(offered));
  option->check(CLI::Validator(
      [offered = std::move(offered)](std::string& word) -> std::string {
        if (std::find(offered.begin(), offered.end(), word) != offered.end()) return {};
        return fmt::format("'{}' is not offered by this version; there is: {}", word,
                           listed(offered));
      },
      ""));
}

CLI::Validator aboveZero(double most) {
  return CLI::Validator(
      [most](std::string& word) -> std::string {
        double number = 0.0;
        if (parsed(word, number) && number > 0.0 && number <= most) return {};
        return fmt::format("'{}' is not a number above 0 and up to {:g}", word, most);
      },
      "");
}

CLI::Validator finiteNumber() {
  return CLI::Validator(
      [](std::string& word) -> std::string {
        double number = 0.0;
        if (parsed(word, number) && std::abs(number) <= 1e9) return {};
        return fmt::format("'{}' is not a number between -1e9 and 1e9", word);
      },
      "");
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
}

Result<Character> importFiles(const ImportOptions& options, const JobContext& job) {
  std::vector<std::filesystem::path> files;
  for (const std::string& file : options.files) files.push_back(pathFromText(file));
  const ImportSettings asked{options.heightMeters, options.unitScale};
  auto character = importWithClips(files, asked, {}, job);
  if (!character || asked.heightMeters <= 0.0) return character;
  const double unitScale = character->source.unitScale;
  return importWithClips(files, {0.0, unitScale}, {}, job);
}

std::optional<std::size_t> findClip(const Character& character, const std::string& text) {
  for (std::size_t i = 0; i < character.clips.size(); ++i) {
    if (character.clips[i].name == text) return i;
  }
  std::size_t index = 0;
  if (text.size() > 1 && text[0] == '#' && parsed(std::string_view(text).substr(1), index) &&
      index < character.clips.size()) {
    return index;
  }
  return std::nullopt;
}

std::string noSuchClip(const Character& character, const std::string& text) {
  std::string names;
  for (const Clip& clip : character.clips) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", clip.name);
  }
  return fmt::format("there is no clip '{}'; the file has {}", text,
                     names.empty() ? "no clips" : names);
}

void addBakeOptions(CLI::App& app, BakeOptions& options) {
  app.add_option("--clips", options.clips, "Clips to bake, by name or #INDEX (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("A,B");
  auto* rate = app.add_option("--rate", options.rateHz,
                              "Frames a second (default: each clip's own key grid, in whole "
                              "parts of a step where fast turns or splines need them)");
  rate->check(aboveZero(100000.0))->option_text("HZ");
  app.add_option("--frames", options.frames, "Frames of each clip")
      ->check(CLI::Range(2, 10000000))
      ->option_text("N")
      ->excludes(rate);
  std::vector<std::string> encodings;
  for (const EncodingInfo& encoding : allEncodings()) encodings.emplace_back(encoding.name);
  offer(app.add_option("--encoding", options.encoding, "How a pose becomes texels"), encodings);
  offer(app.add_option("--layout", options.layout,
                       fmt::format("Where the frames lie (default: rows; linear for {})",
                                   encodingNames(storesMatrices))),
        {"rows", "tiles", "linear"});
  app.add_option("--tile", options.tile,
                 "Side of a tile in texels, for --layout tiles (default: 256); longer clips are "
                 "resampled to fit")
      ->check(CLI::Range(2, 65536))
      ->option_text("N");
  offer(app.add_option("--power-of-two", options.powerOfTwo,
                       "Width and height of the texture, for --layout rows (others' always are)"),
        {"on", "off"});
  app.add_option("--texture-size", options.textureSize,
                 "Size of the texture (default: auto, as is needed)")
      ->option_text("auto|N|WxH");
  offer(
      app.add_option("--range", options.range,
                     fmt::format("Which values share a range (auto: joint-clip for {}, else joint)",
                                 encodingNames(measuresClips))),
      {"auto", "joint", "atlas", "joint-clip"});
  app.add_option("--influences", options.influences, "Influences per vertex (default: 4)")
      ->check(CLI::IsMember({1, 2, 4}))
      ->option_text("1|2|4");
  offer(app.add_option("--components", options.components,
                       fmt::format("What of a pose {} store: position (t), rotation, scale (auto: "
                                   "the fewest that lose less than 0.1 mm)",
                                   encodingNames(storesComponents))),
        {"auto", "trs", "tr", "r"});
  offer(app.add_option("--interpolate", options.interpolate, "Between frames"), {"on", "off"});
  offer(app.add_option("--seam", options.seam, "How the clips close"),
        {"auto", "inclusive", "exclusive", "none"});
  offer(app.add_option("--loop", options.loop, "What happens at the ends (default: by the seam)"),
        {"loop", "once", "ping-pong"});
  offer(app.add_option("--root", options.root, "The clips' way over the ground: kept or taken out"),
        {"keep", "strip"});
  offer(app.add_option("--reading", options.reading, "The reading that --max-error is held to"),
        {"palette", "direct"});
}

namespace {

// Refuses options that contradict each other whatever the rig is: wrong usage, where the bake
// itself would speak of an invalid input.
UsageResult<void> optionsThatAgree(const BakeOptions& options, const BakeSettings& settings,
                                   PixelSize size) {
  const Components components = settings.components.value_or(Components::Trs);
  if (!isPossible({settings.encoding, components})) {
    return tl::unexpected(fmt::format(
        "--components: '{}' cannot be baked as {}, which {}; it is for {}", options.components,
        options.encoding, whyAllTogether(settings.encoding), encodingNames(storesComponents)));
  }
  if (!settings.powerOfTwo) return {};
  for (const int texels : {size.width, size.height}) {
    if (texels == 0 || std::has_single_bit(static_cast<unsigned>(texels))) continue;
    return tl::unexpected(fmt::format(
        "--texture-size: {} is no power of two, which --power-of-two on asks for; {} and "
        "{} are",
        texels, std::bit_floor(static_cast<unsigned>(texels)),
        std::bit_ceil(static_cast<unsigned>(texels))));
  }
  return {};
}

}  // namespace

UsageResult<BakeSettings> bakeSettings(const BakeOptions& options, const Character& character) {
  BakeSettings settings;
  settings.encoding = *encodingFromName(options.encoding);
  settings.layout = layoutKindFromName(options.layout).value_or(usualLayout(settings.encoding));
  settings.rangeMode = rangeModeFromName(options.range);
  settings.components = componentsFromName(options.components);
  settings.powerOfTwo = options.powerOfTwo == "on";
  if (options.tile > 0 && settings.layout != LayoutKind::Tiles) {
    return tl::unexpected(fmt::format("--tile is for --layout tiles, and the layout is {}",
                                      layoutKindName(settings.layout)));
  }
  if (options.tile > 0) settings.tile = options.tile;
  const auto size = textureSize(options.textureSize);
  if (!size) return tl::unexpected(size.error());
  if (auto agreed = optionsThatAgree(options, settings, *size); !agreed) {
    return tl::unexpected(agreed.error());
  }
  settings.textureWidth = size->width;
  settings.textureHeight = size->height;
  settings.rateHz = options.rateHz;
  settings.frames = options.frames;
  settings.influences = options.influences;
  settings.interpolate = options.interpolate == "on";
  settings.reading = options.reading == "direct" ? Reading::Direct : Reading::Palette;
  std::vector<std::string> names;
  for (const std::string& text : options.clips) {
    const auto clip = findClip(character, text);
    if (!clip) return tl::unexpected(noSuchClip(character, text));
    names.push_back(character.clips[*clip].name);
    if (std::count(names.begin(), names.end(), names.back()) > 1) {
      return tl::unexpected(
          fmt::format("--clips: '{}' is named twice; every clip is baked once", names.back()));
    }
  }
  if (names.empty()) {
    for (const Clip& clip : character.clips) names.push_back(clip.name);
  }
  for (std::string& name : names) {
    settings.clips.push_back(
        {.name = std::move(name),
         .loop = loopFromName(options.loop),
         .seam = seamFromName(options.seam),
         .title = {},
         .edit = {.trim = {}, .rate = 1.0, .inPlace = options.root == "strip"}});
  }
  return settings;
}

void addLimitOptions(CLI::App& app, LimitOptions& options) {
  app.add_option("--max-error", options.maxErrorMm, "End with 1 where the error is larger")
      ->check(aboveZero(1e9))
      ->option_text("MM");
  app.add_option("--max-bytes", options.maxBytes,
                 "End with 1 where the texels take more; K is 1024, M 1024 K")
      ->option_text("N");
}

UsageResult<std::uint64_t> byteLimit(const LimitOptions& options) {
  std::string_view text = options.maxBytes;
  if (text.empty()) return 0;
  std::uint64_t unit = 1;
  if (text.back() == 'K' || text.back() == 'k') unit = 1024;
  if (text.back() == 'M' || text.back() == 'm') unit = 1024 * 1024;
  if (unit > 1) text.remove_suffix(1);
  double number = 0.0;
  if (!parsed(text, number) || !(number > 0.0 && number < 1e15)) {
    return tl::unexpected(fmt::format("--max-bytes: '{}' is not a size such as 800000, 512K or 2M",
                                      options.maxBytes));
  }
  return static_cast<std::uint64_t>(number * static_cast<double>(unit));
}

UsageResult<PixelSize> pixelSize(const std::string& text) {
  const std::size_t cross = text.find('x');
  PixelSize size;
  const std::string_view view = text;
  const bool good = cross != std::string::npos && parsed(view.substr(0, cross), size.width) &&
                    parsed(view.substr(cross + 1), size.height);
  if (good && size.width >= 1 && size.height >= 1 && size.width <= 16384 && size.height <= 16384) {
    return size;
  }
  return tl::unexpected(
      fmt::format("--size: '{}' is not a size such as 1280x720 of at most 16384x16384", text));
}

}  // namespace ck::cli
