#include "app/bench/bench_frames.h"

#include <utility>

#include "render/reference/book_skinner.h"

namespace ck::cli {

FrameCase frameCase(Method method, std::string name, bool fades) {
  FrameCase one{std::string(methodName(method)), std::move(name), {}};
  one.settings.pose.method = method;
  one.settings.pose.fades = fades;
  one.settings.pose.morphs.on = false;
  // Draws the crowd only; ground and sky cost the same for all methods.
  one.settings.grid = false;
  one.settings.shadows = Shadows::Off;
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
  one.settings.pose.sampling = variant.sampling;
  one.settings.pose.influences = variant.influences;
  return one;
}

Result<FrameTimes> measureDrawing(const JobContext& job,
                                  const std::function<Result<void>(bool)>& draw) {
  constexpr std::size_t kFewest = 3;
  const auto whole = measure(job, kFewest, [&] { return draw(false); });
  if (!whole) return tl::unexpected(whole.error());
  const auto vertices = measure(job, kFewest, [&] { return draw(true); });
  if (!vertices) return tl::unexpected(vertices.error());
  FrameTimes times;
  times.frameMs = median(whole->processor) * 1e3;
  times.vertexStageMs = median(vertices->processor) * 1e3;
  times.wallMs = median(whole->wall) * 1e3;
  times.runs = static_cast<int>(whole->processor.size());
  times.spread = spreadOf(whole->processor);
  return times;
}

Result<FrameTimes> measureFrames(render::CrowdRenderer& renderer, Crowd& crowd,
                                 const render::Camera& camera, const FrameCase& one,
                                 const JobContext& job) {
  return measureDrawing(job, [&](bool vertexStageOnly) {
    crowd.advance(kBenchTickSeconds);
    return renderer.drawAndFinish(crowd, camera, one.settings, kBenchPicture.width,
                                  kBenchPicture.height, vertexStageOnly);
  });
}

}  // namespace ck::cli
