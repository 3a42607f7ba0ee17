#include <benchmark/benchmark.h>

#include "core/import/import_process.h"
#include "render/reference/book_skinner.h"
#include "render/reference/crowd_bounds.h"
#include "tests/support/gl_stage.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"

namespace {

// The objects that every frame needs, made once: the context must outlive the renderer.
struct Scene {
  ck::test::GlStage stage;
  std::unique_ptr<ck::render::CrowdRenderer> renderer;
  ck::test::BakedRig rig;
  std::string missing;

  Scene() : missing(stage.missing()) {
    if (!missing.empty()) return;
    ck::test::useBuiltImportWorker();
    auto character = ck::importCharacter(ck::test::sampleHumanoid());
    auto made = ck::render::CrowdRenderer::make();
    if (!character || !made) {
      missing = character ? made.error().message : character.error().message;
      return;
    }
    rig = ck::test::bakedRig(std::move(*character));
    renderer = std::move(*made);
    if (!renderer->setCharacter(rig.character) || !renderer->setAtlas(rig.atlas)) {
      missing = "the sample cannot be uploaded";
    }
  }
};

// One finished frame of range(0) actors at 1280 x 720, or with range(1) = 0 its vertex stage alone.
void frame(benchmark::State& state, const ck::render::RenderSettings& settings) {
  static Scene scene;
  if (!scene.missing.empty()) {
    state.SkipWithError(scene.missing.c_str());
    return;
  }
  const int count = static_cast<int>(state.range(0));
  const bool vertexStageOnly = state.range(1) == 0;
  const std::vector<ck::Actor> actors =
      ck::test::variedActors(count, static_cast<int>(scene.rig.clips.size()));
  ck::Crowd crowd(actors, scene.rig.clips);
  ck::render::Camera camera;
  ck::render::frameBox(camera, ck::render::crowdBounds(crowd, scene.rig.character), 16.0 / 9.0);
  for (auto _ : state) {
    crowd.advance(1.0 / 60.0);
    const auto drawn =
        scene.renderer->drawAndFinish(crowd, camera, settings, 1280, 720, vertexStageOnly);
    if (!drawn) return state.SkipWithError(drawn.error().message.c_str());
  }
  state.counters["fetches"] = static_cast<double>(scene.renderer->stats().fetchesPerVertex);
  state.counters["actors"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}

void frameAtlas(benchmark::State& state, ck::Sampling sampling, int influences) {
  ck::render::RenderSettings settings;
  settings.view.pose.sampling = sampling;
  settings.view.pose.influences = influences;
  frame(state, settings);
}
void frameMethod(benchmark::State& state, ck::Method method) {
  ck::render::RenderSettings settings;
  settings.view.pose.method = method;
  frame(state, settings);
}

void frameBook(benchmark::State& state) {
  ck::render::RenderSettings settings;
  settings.reference = ck::render::bookMethod();
  frame(state, settings);
}

// One pass over the crowd, or one and as many as there are shadow maps.
void framePasses(benchmark::State& state, ck::Method method, ck::SkinOn skinOn,
                 ck::Shadows shadows) {
  ck::render::RenderSettings settings;
  settings.view.pose.method = method;
  settings.view.pose.skinOn = skinOn;
  settings.view.shadows = shadows;
  frame(state, settings);
}

#define CK_FRAMES(function, name, ...)           \
  BENCHMARK_CAPTURE(function, name, __VA_ARGS__) \
      ->ArgsProduct({{64, 256}, {0, 1}})         \
      ->MeasureProcessCPUTime()                  \
      ->UseRealTime()
BENCHMARK(frameBook)->ArgsProduct({{64, 256}, {0, 1}})->MeasureProcessCPUTime()->UseRealTime();
CK_FRAMES(frameMethod, cpu, ck::Method::Cpu);
CK_FRAMES(frameMethod, pool, ck::Method::Pool);
CK_FRAMES(framePasses, palette, ck::Method::Palette, ck::SkinOn::Gpu, ck::Shadows::Off);
CK_FRAMES(framePasses, paletteMaps, ck::Method::Palette, ck::SkinOn::Gpu, ck::Shadows::Cascades);
CK_FRAMES(framePasses, prepass, ck::Method::Prepass, ck::SkinOn::Gpu, ck::Shadows::Off);
CK_FRAMES(framePasses, prepassMaps, ck::Method::Prepass, ck::SkinOn::Gpu, ck::Shadows::Cascades);
CK_FRAMES(framePasses, processor, ck::Method::Prepass, ck::SkinOn::Cpu, ck::Shadows::Off);
CK_FRAMES(framePasses, processorMaps, ck::Method::Prepass, ck::SkinOn::Cpu, ck::Shadows::Cascades);
CK_FRAMES(frameAtlas, interpolated4, ck::Sampling::Interpolated, 4);
CK_FRAMES(frameAtlas, hardwareLinear4, ck::Sampling::HardwareLinear, 4);
CK_FRAMES(frameAtlas, nearest4, ck::Sampling::Nearest, 4);
CK_FRAMES(frameAtlas, interpolated2, ck::Sampling::Interpolated, 2);
CK_FRAMES(frameAtlas, compact1, ck::Sampling::Compact, 1);
#undef CK_FRAMES

}  // namespace
