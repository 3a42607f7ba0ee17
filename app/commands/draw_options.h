#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/commands/cast_stage.h"
#include "app/commands/options.h"
#include "render/frame/frame_stats.h"
#include "render/view/render_settings.h"

namespace ck::cli {

// How the crowd is drawn: edits of a view, in the order of the command line. What no option says is
// as the project has it in its view, or as usual.
struct DrawOptions {
  struct Edit {
    std::string option;
    std::function<void(ViewSettings&)> apply;
  };
  std::vector<Edit> edits;
};
void addDrawOptions(CLI::App& app, DrawOptions& options);

// Whether the option is among them.
bool isAsked(const DrawOptions& options, std::string_view option);

// The view as the options leave it.
ViewSettings viewAsked(const DrawOptions& options, ViewSettings view);

// Why the options contradict each other or what is drawn by the view of the stage, which they have
// edited. `masked`: whether a mask is asked for by an option.
UsageResult<void> checkDrawing(const DrawOptions& options, const CastStage& stage, bool masked);

// A note for each option that had no effect in the current context.
Notes unusedOptions(const DrawOptions& options, const render::RenderSettings& settings,
                    const render::FrameStats& stats);

}  // namespace ck::cli
