#include <fmt/format.h>

#include "app/bench/bench_frames.h"
#include "app/bench/bench_rows.h"
#include "core/crowd/actor.h"
#include "core/morph/morph_set.h"
#include "render/headless.h"
#include "render/view/framing.h"

namespace ck::cli {
namespace {

struct Way {
  const char* name;
  Method method;
  SkinOn skinOn;
};
constexpr Way kWays[] = {{"palette", Method::Palette, SkinOn::Gpu},
                         {"palette on the processor", Method::Palette, SkinOn::Cpu},
                         {"atlas", Method::Atlas, SkinOn::Gpu},
                         {"prepass", Method::Prepass, SkinOn::Gpu},
                         {"prepass on the processor", Method::Prepass, SkinOn::Cpu}};

// Actors with different morph weights, from their clips and their own.
std::vector<Actor> facesOf(const Stage& stage, const MorphSet& set, int count) {
  CrowdOptions options;
  options.actors = count;
  std::vector<Actor> actors = actorsFor(options, *stage.character, clipNamesOf(*stage.atlas));
  for (std::size_t i = 0; i < actors.size(); ++i) {
    setMorph(actors[i], set[i % set.size()].name, static_cast<float>(i % 97 + 1) / 97.0f);
  }
  return actors;
}

}  // namespace

Result<void> benchFaces(const Stage& stage, const BenchDepth& depth, const JobContext& job,
                        BenchResult& result) {
  const MorphSet set = morphSetOf(*stage.character);
  const int count = depth.quick ? 80 : 1000;
  const std::vector<Actor> actors = facesOf(stage, set, count);
  const std::vector<CrowdClip> clips = crowdClips(*stage.atlas, clipNamesOf(*stage.atlas));
  auto renderer = render::CrowdRenderer::make();
  if (!renderer) return tl::unexpected(renderer.error());
  if (auto ok = (*renderer)->setCharacter(stage.character); !ok) return ok;
  if (auto ok = (*renderer)->setAtlas(stage.atlas); !ok) return ok;
  for (const Way& way : kWays) {
    for (const bool faces : {false, true}) {
      FrameCase one = frameCase(way.method, way.name);
      one.settings.pose.skinOn = way.skinOn;
      one.settings.pose.morphs.on = faces;
      one.settings.pose.morphs.nearMeters = 1e6;
      Crowd crowd(actors, clips);
      render::Camera camera;
      render::frameBox(camera, render::crowdBounds(crowd, *stage.character), 16.0 / 9.0);
      const auto runs = measure(job, 9, [&] {
        crowd.advance(kBenchTickSeconds);
        return (*renderer)->drawAndFinish(crowd, camera, one.settings, kBenchPicture.width,
                                          kBenchPicture.height, true);
      });
      if (!runs) return tl::unexpected(runs.error());
      BenchRow row;
      row.name = "faces";
      row.method = way.name;
      row.variant = faces ? "all near" : "none";
      row.actors = count;
      row.vertexStageMs = median(runs->processor) * 1e3;
      row.wallMs = median(runs->wall) * 1e3;
      row.runs = static_cast<int>(runs->wall.size());
      row.spread = spreadOf(runs->processor);
      result.rows.push_back(std::move(row));
    }
  }
  return {};
}

}  // namespace ck::cli
