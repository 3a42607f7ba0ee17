#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands/scene_stage.h"
#include "render/frame/frame_stats.h"
#include "render/view/render_settings.h"

namespace ck::cli {

// How the crowd is drawn. Empty options are as in the project's view, or the defaults.
struct DrawOptions {
  std::optional<Method> method;
  std::optional<Sampling> sampling;
  std::optional<int> updateEvery;
  std::optional<SkinOn> skinOn;
  std::optional<ViewMode> viewMode;
  std::optional<Shadows> shadows;
  std::optional<double> tickRateHz;
  std::optional<PaletteRead> paletteRead;
  std::optional<int> prepassMebibytes;
  std::optional<double> morphNearMeters;
  std::optional<double> errorScaleMm;
  std::optional<double> wipe;
  std::optional<DetailMode> detail;
  std::optional<double> detailPixels;
  std::optional<int> detailTriangles;
  std::optional<int> detailMebibytes;
  bool packedInfluences = false;
  bool noGrid = false;
  bool showSockets = false;
  std::vector<std::string> shown;  // lines, by their words in --show
};
void addDrawOptions(CLI::App& app, DrawOptions& options);

// The view after applying the options.
ViewSettings viewAsked(const DrawOptions& options, ViewSettings view);

// Checks that the options do not contradict each other or the scene's view, which they have edited.
// `masked`: whether an option requests a mask.
UsageResult<void> checkDrawing(const DrawOptions& options, const Scene& scene, bool masked);

// A note for each option that had no effect in the current context.
Notes unusedOptions(const DrawOptions& options, const render::RenderSettings& settings,
                    const render::FrameStats& stats);

}  // namespace ck::cli
