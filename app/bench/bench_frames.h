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

// A way to draw that is measured.
struct FrameCase {
  std::string method;  // name in rows
  std::string name;
  render::RenderSettings settings;
};
FrameCase frameCase(Method method, std::string name, bool fades = false);
// The case of the book; `tickSeconds` as in bookRecords().
FrameCase bookCase(std::string name, double tickSeconds = 1.0 / 60.0);
FrameCase frameCase(Method method, const render::AtlasVariant& variant, std::string name);

// CPU time of the whole program in milliseconds, including the tick.
struct FrameTimes {
  double frameMs = 0.0;
  double vertexStageMs = 0.0;  // without rasterisation
  double wallMs = 0.0;         // wall time of a whole frame
  int runs = 0;
  double spread = 0.0;
};

// Advances the crowd by a tick and draws it with and without rasterisation, several times each.
Result<FrameTimes> measureFrames(render::CrowdRenderer& renderer, Crowd& crowd,
                                 const render::Camera& camera, const FrameCase& one,
                                 const JobContext& job);

// As above for any drawing function. `draw` gets whether to disable rasterisation.
Result<FrameTimes> measureDrawing(const JobContext& job,
                                  const std::function<Result<void>(bool)>& draw);

}  // namespace ck::cli
