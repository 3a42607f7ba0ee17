#pragma once

#include <optional>
#include <string>

#include "app/commands/cast_stage.h"
#include "app/commands/options.h"
#include "render/frame/frame_stats.h"
#include "render/view/render_settings.h"

namespace ck::cli {

// How the crowd is drawn. What is not said is as the project has it in its view, or as usual.
struct DrawOptions {
  std::optional<std::string> method;
  std::optional<std::string> sampling;
  std::optional<std::string> skinOn;
  std::optional<std::string> shadows;
  std::optional<std::string> paletteRead;
  std::optional<int> updateEvery;
  std::optional<int> prepassMebibytes;
  std::optional<double> tickRateHz;
  std::optional<double> morphNear;  // metres
  std::string view = "baked";
  bool packedInfluences = false;
  bool noGrid = false;
};
void addDrawOptions(CLI::App& app, DrawOptions& options);

// The method that is asked for; nothing where the project has its say.
std::optional<Method> methodAsked(const DrawOptions& options);

// Why the options contradict each other or what is drawn. `masked`: whether a mask is asked for by
// an option.
UsageResult<void> checkDrawing(const DrawOptions& options, const CastStage& stage, bool masked);

// The settings to draw the stage with, but for how often it is posed. `fading`: whether any actor
// shows two clips. What a project's view asks for and its atlases do not allow is drawn in another
// way, with a note in the stage; the same by an option is refused.
UsageResult<render::RenderSettings> drawSettings(const DrawOptions& options, CastStage& stage,
                                                 bool fading);

// How many poses a second are shown; 0: actors are posed for the very time of the picture.
double tickRateOf(const DrawOptions& options, const CastStage& stage);

// What options did not do in the current context: one note each.
Notes unusedOptions(const DrawOptions& options, const render::RenderSettings& settings,
                    const render::FrameStats& stats, const render::ContextFacts& facts);

}  // namespace ck::cli
