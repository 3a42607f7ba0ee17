#include <benchmark/benchmark.h>

#include "core/import/import_process.h"
#include "tests/support/gl_stage.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"

namespace {

// What every frame needs, made once: the context must outlive the renderer.
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

// One frame of range(0) actors at 1280 x 720 (range(1) = 1) or at 8 x 8 pixels, where the vertex
// stage is nearly all there is. Reading the picture back waits for the frame.
void frame(benchmark::State& state, ck::Method method) {
  static Scene scene;
  if (!scene.missing.empty()) {
    state.SkipWithError(scene.missing.c_str());
    return;
  }
  const int count = static_cast<int>(state.range(0));
  const bool whole = state.range(1) == 1;
  const std::vector<ck::Actor> actors =
      ck::test::variedActors(count, static_cast<int>(scene.rig.clips.size()));
  ck::Crowd crowd(actors, scene.rig.clips);
  ck::render::Camera camera;
  ck::render::frameBox(camera, ck::render::crowdBounds(crowd, *scene.rig.character), 16.0 / 9.0);
  ck::render::RenderSettings settings;
  settings.method = method;
  for (auto _ : state) {
    crowd.advance(1.0 / 60.0);
    auto picture =
        scene.renderer->drawToFrame(crowd, camera, settings, whole ? 1280 : 8, whole ? 720 : 8);
    benchmark::DoNotOptimize(picture);
  }
  state.counters["actors"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}

void frameAtlas(benchmark::State& state) {
  frame(state, ck::Method::Atlas);
}
void frameCpu(benchmark::State& state) {
  frame(state, ck::Method::Cpu);
}

BENCHMARK(frameAtlas)->ArgsProduct({{64, 256}, {0, 1}})->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(frameCpu)->ArgsProduct({{64, 256}, {0, 1}})->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
