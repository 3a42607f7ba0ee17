#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/bench/bench_run.h"
#include "core/crowd/crowd.h"
#include "render/headless.h"
#include "render/view/crowd_renderer.h"

namespace ck::cli {

inline constexpr PixelSize kBenchImage{1280, 720};
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

// A renderer with a context of its own, and the result named after it.
struct BenchRenderer {
  std::unique_ptr<render::HeadlessContext> context;
  std::unique_ptr<render::CrowdRenderer> renderer;
};
Result<BenchRenderer> makeRenderer(BenchResult& result);

// A camera that shows the box of the crowd (render::crowdBounds).
render::Camera benchCamera(const Crowd& crowd, const CharacterPtr& character);

// Draws frames with and without rasterisation, several times each. The row has the times: CPU time
// of the whole program, and wall time of a whole frame. `draw` gets whether to disable
// rasterisation.
Result<BenchRow> measureDrawing(const JobContext& job,
                                const std::function<Result<void>(bool)>& draw);

// As above for a crowd, which advances by a tick before each frame. The row has method, actors and
// fetches as well.
Result<BenchRow> measureFrames(render::CrowdRenderer& renderer, Crowd& crowd,
                               const render::Camera& camera, const FrameCase& one,
                               const JobContext& job);

}  // namespace ck::cli
