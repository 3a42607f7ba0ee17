#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/commands/shell.h"
#include "core/bake/bake_settings.h"
#include "core/crowd/crowd_spawn.h"
#include "core/scene/character.h"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace ck::cli {

// A value, or a message about wrong usage.
template <class T>
using UsageResult = tl::expected<T, std::string>;

// Adds --json, --quiet and, for commands that compute, --threads.
void addShellOptions(CLI::App& app, Shell& shell, bool threads);

// Accepts numbers in (0, most], but not "nan" or "inf".
CLI::Validator aboveZero(double most);
CLI::Validator finiteNumber();

// Refuses words that are not in `offered`, with a message that lists them.
void offer(CLI::Option* option, std::vector<std::string> offered);

// FILE..., and how its units are interpreted.
struct ImportOptions {
  std::vector<std::string> files;
  double heightMeters = 0.0;
  double unitScale = 0.0;
};
void addImportOptions(CLI::App& app, ImportOptions& options);

// Imports the rig and the further files' clips. A height is first converted to metres per unit, so
// that an import with the unitScale of an atlas gives identical numbers.
Result<Character> importFiles(const ImportOptions& options, const JobContext& job);

// A clip by name, or by #INDEX counted from 0.
std::optional<std::size_t> findClip(const Character& character, const std::string& text);

// "there is no clip 'Run'; the file has 'Walk', 'Idle'"
std::string noSuchClip(const Character& character, const std::string& text);

// The options that determine the content of a bake.
struct BakeOptions {
  std::vector<std::string> clips;
  double rateHz = 0.0;
  int frames = 0;
  std::string encoding = "P16";
  std::string layout;  // empty: chosen by the encoding
  std::string range = "auto";
  std::string powerOfTwo = "off";
  std::string textureSize = "auto";
  int tile = 0;  // 0: not given
  std::string seam = "auto";
  std::string loop;
  std::string interpolate = "on";
  std::string reading = "palette";
  std::string components = "auto";
  std::string root = "keep";
  int influences = 4;
  std::vector<std::string> events;  // CLIP:SECONDS=NAME (event_options.h)
};
void addBakeOptions(CLI::App& app, BakeOptions& options);
UsageResult<BakeSettings> bakeSettings(const BakeOptions& options, const Character& character);

// Limits that a result must meet.
struct LimitOptions {
  double maxErrorMm = 0.0;  // 0: none
  std::string maxBytes;     // "512K", "2M", "100000"; empty: none
};
void addLimitOptions(CLI::App& app, LimitOptions& options);
UsageResult<std::uint64_t> byteLimit(const LimitOptions& options);  // 0: none

// "1280x720"
struct PixelSize {
  int width = 0;
  int height = 0;
};
UsageResult<PixelSize> pixelSize(const std::string& text);

}  // namespace ck::cli
