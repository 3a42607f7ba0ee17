#pragma once

#include <string>
#include <vector>

#include "app/bench/bench_timing.h"
#include "app/commands/options.h"
#include "core/crowd/crowd.h"
#include "render/view/crowd_renderer.h"

namespace ck::cli {

inline constexpr PixelSize kBenchPicture{1280, 720};
inline constexpr double kBenchTickSeconds = 1.0 / 60.0;

// One way to draw that is measured.
struct FrameCase {
  std::string method;  // as rows name it
  std::string name;
  render::RenderSettings settings;
};
FrameCase frameCase(Method method, std::string name, bool fades = false);
// The write-up's formulation; `tickSeconds` as in bookRecords().
FrameCase bookCase(std::string name, double tickSeconds = 1.0 / 60.0);
FrameCase frameCase(Method method, const render::AtlasVariant& variant, std::string name);

// Milliseconds of processor time of the whole program, the tick included.
struct FrameTimes {
  double frameMs = 0.0;
  double vertexStageMs = 0.0;  // with the rasteriser switched off
  double wallMs = 0.0;         // a whole frame by the clock on the wall
  int runs = 0;
  double spread = 0.0;
};

// Moves the crowd on by a tick and draws it, whole and without the rasteriser, several times each.
Result<FrameTimes> measureFrames(render::CrowdRenderer& renderer, Crowd& crowd,
                                 const render::Camera& camera, const FrameCase& one,
                                 const JobContext& job);

// The same of anything that draws; `draw` is told whether to draw without the rasteriser.
Result<FrameTimes> measureDrawing(const JobContext& job,
                                  const std::function<Result<void>(bool)>& draw);

}  // namespace ck::cli
