#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/clip_edit_options.h"
#include "app/commands/shell.h"
#include "core/atlas/error_figures.h"
#include "core/bake/bake_settings.h"
#include "core/import/import_process.h"
#include "core/scene/character.h"

namespace CLI {
class App;
}

namespace ck::cli {

// Adds --json, --quiet and, for commands that compute, --threads.
void addShellOptions(CLI::App& app, Shell& shell, bool threads);

// Adds --settings FILE.json. The file is read before the parser runs (settings_file.h), so that
// nothing is stored.
void addSettingsOption(CLI::App& app);

// FILE..., and how its units are interpreted.
struct ImportOptions {
  std::vector<std::string> files;
  double heightMeters = 0.0;
  double unitScale = 0.0;
  bool joinMorphs = false;
  bool mergeStillJoints = false;
  std::vector<std::string> sockets = {};  // names of nodes (ImportSettings::sockets)
  std::string map = {};                   // a joint map (joint_map_file.h); empty: none
  std::optional<RestFit> rest = {};       // of all files of clips; else as the map says
  UpAxis up = UpAxis::Auto;               // of all files that do not say
};
// The settings of an import that they ask for.
ImportSettings importSettings(const ImportOptions& options);
void addImportOptions(CLI::App& app, ImportOptions& options);

// The files, and how each is fitted to the rig. Fails as readJointMap() does.
Result<std::vector<ImportFile>> fittedFiles(const ImportOptions& options);

// Imports the rig and the further files' clips. `reports` as in importWithClips().
Result<Character> importFiles(const ImportOptions& options, const JobContext& job,
                              std::vector<ClipFitReport>* reports = nullptr);

// Fails if the character has no clips, and says by `example` how files of clips are named behind
// the rig: "kiln bake rig.glb walk.fbx -o out".
Result<void> checkClips(const ImportOptions& options, const Character& character,
                        std::string_view example);

// A clip by name, or by #INDEX counted from 0. Fails with "there is no clip 'Run'; the file has
// 'Walk', 'Idle'".
UsageResult<std::size_t> findClip(const Character& character, const std::string& text);

// The names of an option such as --clips, which have commas between them; "\," is a comma in a
// name. Empty names are left out.
std::vector<std::string> listed(const std::string& text);
// A name as listed() reads it.
std::string asListed(const std::string& name);

// The options that determine the content of a bake.
struct BakeOptions {
  std::vector<std::string> clips;  // listed(), by name or #INDEX; empty: all
  BakeSettings settings = {};      // its clips, layout and size are set by bakeSettings()
  BakeClip everyClip = {};         // what applies to all clips
  ClipEditOptions clipEdits = {};
  std::optional<LayoutKind> layout = {};  // nothing: chosen by the encoding
  std::string textureSize = "auto";
  int tile = 0;                          // 0: not given
  std::vector<std::string> events = {};  // CLIP:SECONDS=NAME (event_options.h)
};
void addBakeOptions(CLI::App& app, BakeOptions& options);
UsageResult<BakeSettings> bakeSettings(const BakeOptions& options, const Character& character);

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
struct Limits {
  ErrorLimits error;
  std::uint64_t bytes = 0;  // 0: none
};
// A distance in --max-pixels becomes that of `screen`. It is refused beside another distance.
UsageResult<Limits> limitsFrom(const LimitOptions& options, ScreenOptions& screen);

// "1280x720"
struct PixelSize {
  int width = 0;
  int height = 0;
};
UsageResult<PixelSize> pixelSize(const std::string& text);

}  // namespace ck::cli
