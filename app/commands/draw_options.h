#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "app/commands/scene_stage.h"
#include "core/view/view_options.h"
#include "render/frame/frame_stats.h"
#include "render/view/render_settings.h"

namespace ck::cli {

// The settings of the view that options give. The others are as in the project's view, or the
// defaults.
class DrawOptions {
 public:
  void addTo(CLI::App& app);
  bool has(std::string_view option) const { return given_.contains(&viewOption(option)); }
  std::optional<Method> method() const;
  void applyTo(ViewSettings& view) const;

  // Checks that the options do not contradict each other or the scene's view, which they have
  // edited. `masked`: whether an option requests a mask.
  UsageResult<void> check(const Scene& scene, bool masked) const;

  // A note for each option that had no effect in the current context.
  Notes unused(const render::RenderSettings& settings, const render::FrameStats& stats) const;

 private:
  std::map<const ViewOption*, double> given_;
};

}  // namespace ck::cli
