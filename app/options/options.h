#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/options/clip_options.h"
#include "app/options/shell.h"
#include "core/atlas/error_figures.h"
#include "core/bake/bake_settings.h"
#include "core/fit/fit.h"
#include "core/project/project.h"
#include "core/scene/character.h"

namespace CLI {
class App;
}

namespace ck::cli {

// Adds --json, --quiet, --require-sandbox and, for commands that compute, --threads.
void addShellOptions(CLI::App& app, Shell& shell, bool threads);

// Adds --settings FILE.json. The file is read before the parser runs (settings_file.h), so that
// nothing is stored.
void addSettingsOption(CLI::App& app);

// The files, and how they are read.
struct ImportOptions {
  const CLI::App* app = nullptr;  // knows which options are given; set by addImportOptions()
  std::vector<std::string> files = {};
  double heightMeters = 0.0;
  double unitScale = 0.0;
  bool joinMorphs = false;
  bool mergeStillJoints = false;
  std::vector<std::string> sockets = {};  // names of nodes (ImportSettings::sockets)
  std::string map = {};                   // a joint map (joint_map_file.h); empty: none
  std::optional<RestFit> rest = {};       // of all files of clips; else as the map says
  UpAxis up = UpAxis::Auto;               // of all files that do not say
};
void addImportOptions(CLI::App& app, ImportOptions& options);

// Applies the options that are given to a character with sources of its own. Fails as
// readJointMap() does.
Result<void> editReading(const ImportOptions& options, ProjectCharacter& character);

// How a character is baked: the values of the options, of which those that are given are edits of
// its settings.
struct BakeOptions {
  const CLI::App* app = nullptr;  // set by addBakeOptions(); null: nothing is given
  BakeSettings settings = {};     // `clips` is not used
  ClipOptions clips = {};
};
void addBakeOptions(CLI::App& app, BakeOptions& options);

// Applies the options that are given to the settings and the clips of a character that was read. If
// another encoding is given and no layout, a layout that is usual for the old one becomes usual for
// the new one. Options that contradict each other or the rest of the settings are refused.
UsageResult<void> editBake(const BakeOptions& options, const Character& character,
                           ProjectCharacter& settings);

// Whether an option is given; also if the command has no such option.
bool isGiven(const CLI::App* app, const char* name);
// The names without dashes of those options of reading, baking and clips that are given.
std::vector<std::string> givenEdits(const CLI::App* app);
// The same of options that edit the view or the actors of a project.
std::vector<std::string> givenViewEdits(const CLI::App* app);
// Whether an option of the former is one of reading.
bool isOfReading(std::string_view name);

// Adds --reading, which the limits of the error apply to.
void addReadingOption(CLI::App& app, Reading& reading);

// The view that the error on the screen is stated for.
struct ScreenOptions {
  std::optional<double> distanceMeters;
  std::optional<double> imageHeightPixels;
  std::optional<double> verticalFieldOfViewDegrees;
};
// `otherwise` ends the defaults in the help.
void addScreenOptions(CLI::App& app, ScreenOptions& options, std::string_view otherwise = {});
// `usual` with the values that are given.
ScreenView screenView(const ScreenOptions& options, ScreenView usual = {});

// Limits that a result must meet.
struct LimitOptions {
  double maxErrorMm = 0.0;  // at vertices; 0: none
  double maxShellMm = 0.0;  // 0: none
  std::string maxPixels;    // "2", or "2@5" at a distance of 5 metres; empty: none
  std::string maxBytes;     // "512K", "2M", "100000"; empty: none
};
void addLimitOptions(CLI::App& app, LimitOptions& options);
// A distance in --max-pixels becomes that of `screen`. It is refused beside another distance.
UsageResult<FitLimits> limitsFrom(const LimitOptions& options, ScreenOptions& screen);

// "1280x720"
struct PixelSize {
  int width = 0;
  int height = 0;
};
UsageResult<PixelSize> pixelSize(const std::string& text);

}  // namespace ck::cli
