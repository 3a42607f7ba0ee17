#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/commands/cast_stage.h"
#include "app/commands/options.h"
#include "render/frame/frame_stats.h"
#include "render/view/render_settings.h"

namespace ck::cli {

// How the crowd is drawn: edits of a view, in the order of the command line. Settings without an
// option are those of the project's view, or the defaults.
struct DrawOptions {
  struct Edit {
    std::string option;
    std::function<void(ViewSettings&)> apply;
  };
  std::vector<Edit> edits;
};
void addDrawOptions(CLI::App& app, DrawOptions& options);

// Whether the option is given.
bool isAsked(const DrawOptions& options, std::string_view option);

// The view after applying the options.
ViewSettings viewAsked(const DrawOptions& options, ViewSettings view);

// Checks that the options do not contradict each other or the stage's view, which they have edited.
// `masked`: whether an option requests a mask.
UsageResult<void> checkDrawing(const DrawOptions& options, const CastStage& stage, bool masked);

// A note for each option that had no effect in the current context.
Notes unusedOptions(const DrawOptions& options, const render::RenderSettings& settings,
                    const render::FrameStats& stats);

}  // namespace ck::cli
