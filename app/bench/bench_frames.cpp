#include "app/bench/bench_frames.h"

#include <algorithm>
#include <utility>

#include "render/reference/book_skinner.h"
#include "render/reference/crowd_bounds.h"

namespace ck::cli {

FrameCase frameCase(Method method, std::string name, bool fades) {
  FrameCase one{std::string(methodName(method)), std::move(name), {}};
  one.settings.view.pose.method = method;
  one.settings.view.pose.fades = fades;
  one.settings.view.pose.morphs.on = false;
  // Draws the crowd only; ground and sky cost the same for all methods.
  one.settings.view.grid = false;
  one.settings.view.shadows = Shadows::Off;
  return one;
}

FrameCase bookCase(std::string name, double tickSeconds) {
  FrameCase one = frameCase(Method::Atlas, std::move(name));
  one.method = "book";
  one.settings.reference = render::bookMethod(tickSeconds);
  return one;
}

FrameCase frameCase(Method method, const render::AtlasVariant& variant, std::string name) {
  FrameCase one = frameCase(method, std::move(name), variant.blend);
  one.settings.view.pose.sampling = variant.sampling;
  one.settings.view.pose.influences = variant.influences;
  return one;
}

Result<BenchRenderer> makeRenderer(BenchResult& result) {
  auto context = render::HeadlessContext::make();
  if (!context) return tl::unexpected(context.error());
  auto renderer = render::CrowdRenderer::make();
  if (!renderer) return tl::unexpected(renderer.error());
  result.renderer = (*renderer)->facts().renderer;
  result.gl = (*renderer)->facts().version;
  return BenchRenderer{std::move(*context), std::move(*renderer)};
}

render::Camera benchCamera(const Crowd& crowd, const CharacterPtr& character) {
  render::Camera camera;
  render::frameBox(camera, render::crowdBounds(crowd, character),
                   double{kBenchImage.width} / kBenchImage.height);
  return camera;
}

Result<BenchRow> measureDrawing(const JobContext& job,
                                const std::function<Result<void>(bool)>& draw) {
  constexpr std::size_t kFewest = 3;
  const auto whole = measure(job, kFewest, [&] { return draw(false); });
  if (!whole) return tl::unexpected(whole.error());
  const auto vertices = measure(job, kFewest, [&] { return draw(true); });
  if (!vertices) return tl::unexpected(vertices.error());
  BenchRow row = rowOf("frame", *whole);
  row.frameMs = median(whole->processor) * 1e3;
  row.vertexStageMs = median(vertices->processor) * 1e3;
  row.spread = spreadOf(whole->processor);
  return row;
}

Result<BenchRow> measureFrames(render::CrowdRenderer& renderer, Crowd& crowd,
                               const render::Camera& camera, const FrameCase& one,
                               const JobContext& job) {
  auto row = measureDrawing(job, [&](bool vertexStageOnly) {
    crowd.advance(kBenchTickSeconds);
    return renderer.drawAndFinish(crowd, camera, one.settings, kBenchImage.width,
                                  kBenchImage.height, vertexStageOnly);
  });
  if (!row) return row;
  row->method = one.method;
  row->actors = static_cast<int>(crowd.size());
  row->fetches = renderer.stats().fetchesPerVertex;
  return row;
}

}  // namespace ck::cli
