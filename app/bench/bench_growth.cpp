#include <algorithm>

#include "app/bench/bench_frames.h"
#include "app/bench/bench_rows.h"
#include "app/bench/growth_rig.h"
#include "core/bake/bake.h"
#include "core/crowd/crowd_spawn.h"
#include "core/project/pipeline.h"
#include "render/headless.h"
#include "render/skinning/method_offers.h"
#include "render/view/framing.h"

namespace ck::cli {
namespace {

// One measurement: one quantity is varied, the others are at their middle values.
struct GrowthPoint {
  std::string axis;
  double along = 0.0;
  int actors = 100;
  GrowthShape shape;
  int frames = 0;  // per clip; 0: its keys
};

GrowthPoint pointAt(const std::string& axis, int value) {
  GrowthPoint point{axis, static_cast<double>(value), 100, {}, 0};
  if (axis == "actors") point.actors = value;
  if (axis == "joints") point.shape.joints = value;
  if (axis == "vertices") point.shape.vertices = value;
  if (axis == "clips") point.shape.clips = value;
  if (axis == "atlas frames") point.frames = value;
  return point;
}

std::vector<GrowthPoint> growthPoints(const BenchDepth& depth) {
  struct Axis {
    const char* name;
    std::vector<int> values;
  };
  const Axis axes[] = {{"actors", {25, 50, 100, 200, 400, 800}},
                       {"joints", {10, 20, 40, 80, 160}},
                       {"vertices", {500, 1000, 2000, 4000, 8000}},
                       {"clips", {1, 2, 4, 8, 16}},
                       {"atlas frames", {16, 64, 256, 1024, 4096}}};
  std::vector<GrowthPoint> points;
  for (const Axis& axis : axes) {
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      // The two ends and the middle determine the slope.
      const bool kept = i == 0 || i == 2 || i == 4;
      if (!depth.quick || kept) points.push_back(pointAt(axis.name, axis.values[i]));
    }
  }
  return points;
}

Result<AtlasPtr> bakedAs(const Character& character, const GrowthPoint& point, Encoding encoding,
                         const JobContext& job) {
  BakeSettings settings;
  settings.encoding = encoding;
  settings.frames = point.frames;
  auto baked = bake(character, settings, job);
  if (!baked) return tl::unexpected(baked.error());
  return std::make_shared<const Atlas>(std::move(baked->atlas));
}

class GrowthBench {
 public:
  GrowthBench(render::CrowdRenderer& renderer, const JobContext& job, BenchResult& result)
      : renderer_(renderer), job_(job), result_(result) {}

  Result<void> measurePoint(const GrowthPoint& point) {
    const auto character = std::make_shared<const Character>(growthCharacter(point.shape));
    if (auto ok = renderer_.setCharacter(character); !ok) return ok;
    for (const Encoding encoding : {Encoding::P16, Encoding::M16}) {
      const auto atlas = bakedAs(*character, point, encoding, job_);
      if (!atlas) return tl::unexpected(atlas.error());
      if (auto ok = renderer_.setAtlas(*atlas); !ok) return ok;
      if (auto ok = measureMethods(point, *character, **atlas); !ok) return ok;
    }
    return {};
  }

 private:
  // Only the variant that needs the second atlas.
  static std::vector<FrameCase> casesOf(Encoding encoding) {
    const std::string name = "interpolated, 4 influences";
    if (encoding == Encoding::M16) return {frameCase(Method::Matrix, name)};
    std::vector<FrameCase> cases = {bookCase(name)};
    for (const MethodInfo& info : kMethods) {
      if (render::whyNotDrawn(info.method, encoding).empty()) {
        cases.push_back(frameCase(info.method, name));
      }
    }
    return cases;
  }

  Result<void> measureMethods(const GrowthPoint& point, const Character& character,
                              const Atlas& atlas) {
    const auto names = clipNamesOf(atlas);
    CrowdOptions options;
    options.actors = point.actors;
    Crowd crowd(actorsFor(options, character, names), crowdClips(atlas, names));
    render::Camera camera;
    render::frameBox(camera, render::crowdBounds(crowd, character),
                     static_cast<double>(kBenchPicture.width) / kBenchPicture.height);
    for (const FrameCase& one : casesOf(atlas.encoding)) {
      const auto times = measureFrames(renderer_, crowd, camera, one, job_);
      if (!times) return tl::unexpected(times.error());
      BenchRow row;
      row.name = "growth";
      row.axis = point.axis;
      row.along = point.along;
      row.method = one.method;
      row.encoding = std::string(encodingInfo(atlas.encoding).name);
      row.actors = point.actors;
      row.atlasBytes = atlas.texels.size();
      row.fetches = renderer_.stats().fetchesPerVertex;
      row.frameMs = times->frameMs;
      row.wallMs = times->wallMs;
      row.vertexStageMs = times->vertexStageMs;
      row.runs = times->runs;
      row.spread = times->spread;
      result_.rows.push_back(row);
    }
    return {};
  }

  render::CrowdRenderer& renderer_;
  const JobContext& job_;
  BenchResult& result_;
};

}  // namespace

Result<void> benchGrowth(const BenchDepth& depth, const JobContext& job, BenchResult& result) {
  const auto context = render::HeadlessContext::make();
  if (!context) return tl::unexpected(context.error());
  const auto renderer = render::CrowdRenderer::make();
  if (!renderer) return tl::unexpected(renderer.error());
  result.renderer = (*renderer)->facts().renderer;
  result.gl = (*renderer)->facts().version;
  GrowthBench bench(**renderer, job, result);
  for (const GrowthPoint& point : growthPoints(depth)) {
    if (auto ok = bench.measurePoint(point); !ok) return ok;
  }
  return {};
}

}  // namespace ck::cli
