#include <benchmark/benchmark.h>
#include <epoxy/gl.h>

#include <cmath>
#include <numeric>

#include "core/import/import_process.h"
#include "render/far/impostor_set.h"
#include "render/gl/framebuffer.h"
#include "tests/support/gl_stage.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"

namespace {

constexpr int kWidth = 1280;
constexpr int kHeight = 720;
constexpr std::size_t kBudget = std::size_t{16} << 20;

// The humanoid and what draws it as pictures and points.
struct Plain {
  ck::test::GlStage stage;
  std::string missing;
  ck::render::ContextFacts facts;
  ck::render::ShaderLibrary shaders;
  ck::test::BakedRig rig;
  std::shared_ptr<ck::render::CharacterGpu> character;
  std::shared_ptr<ck::render::AtlasGpu> atlas;
  std::unique_ptr<ck::render::ImpostorSet> set;
  std::optional<ck::render::Target> target;

  Plain() : missing(stage.missing()) {
    if (!missing.empty()) return;
    ck::test::useBuiltImportWorker();
    auto imported = ck::importCharacter(ck::test::sampleHumanoid());
    auto read = ck::render::readContextFacts();
    auto made = ck::render::Target::make(kWidth, kHeight, ck::render::TargetFormat::Rgba8);
    if (!imported || !read || !made) {
      missing = "the sample or the context cannot be used";
      return;
    }
    facts = *read;
    target = std::move(*made);
    rig = ck::test::bakedRig(std::move(*imported));
    character =
        std::make_shared<ck::render::CharacterGpu>(*ck::render::uploadCharacter(rig.character));
    atlas = std::make_shared<ck::render::AtlasGpu>(*ck::render::uploadAtlas(rig.atlas));
    if (auto planned = plan(); planned) set = std::move(*planned);
    if (!set || !set->goOn(1e9)) missing = "the pictures cannot be drawn";
  }

  ck::Result<std::unique_ptr<ck::render::ImpostorSet>> plan() {
    return ck::render::ImpostorSet::make(character, atlas, {}, shaders, facts, kBudget);
  }
};

Plain& plain() {
  static Plain one;
  return one;
}

// A square of actors, seen so that those in the middle are this many pixels high.
struct View {
  ck::render::Camera camera;
  ck::render::SceneLook look;
  std::vector<ck::Actor> actors;
  std::vector<std::uint32_t> nearFirst;

  View(int count, int clips, double pixels) : actors(ck::test::variedActors(count, clips)) {
    camera.pitch = 0.4;
    camera.distance = 1.8 * kHeight / pixels / (2.0 * std::tan(0.5 * camera.fieldOfViewY));
    look.viewProjection = projectionMatrix(camera, double(kWidth) / kHeight) * viewMatrix(camera);
    look.eye = glm::vec3(eyeOf(camera));
    look.fogMeters = float(camera.distance * 3.6);
    nearFirst.resize(actors.size());
    std::iota(nearFirst.begin(), nearFirst.end(), 0u);
    std::ranges::sort(nearFirst, {}, [this](std::uint32_t i) {
      return glm::distance(actors[i].position, look.eye);
    });
  }
};

void frames(benchmark::State& state, bool points) {
  Plain& one = plain();
  if (!one.missing.empty()) return state.SkipWithError(one.missing.c_str());
  View view(static_cast<int>(state.range(0)), static_cast<int>(one.rig.clips.size()),
            static_cast<double>(state.range(1)));
  ck::Crowd crowd(view.actors, one.rig.clips);
  ck::render::FarActors far;
  ck::render::resetGlState();
  for (auto _ : state) {
    crowd.advance(1.0 / 60.0);
    const bool stored = far.upload(crowd.instances(), view.nearFirst).has_value();
    glBindFramebuffer(GL_FRAMEBUFFER, one.target->name());
    glViewport(0, 0, kWidth, kHeight);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const ck::render::DrawPass pass{.look = view.look};
    const auto drawn = points ? one.set->drawPoints(far, pass, kWidth, kHeight)
                              : one.set->draw(far, pass, kWidth, kHeight);
    glFinish();
    if (!stored || !drawn) return state.SkipWithError("the actors cannot be drawn");
  }
}

void pictures(benchmark::State& state) {
  Plain& one = plain();
  if (!one.missing.empty()) return state.SkipWithError(one.missing.c_str());
  for (auto _ : state) {
    auto set = one.plan();
    if (!set || !(*set)->goOn(1e9)) return state.SkipWithError("the pictures cannot be drawn");
    state.counters["moments"] = (*set)->moments();
    state.counters["directions"] = (*set)->directions();
    state.counters["cell"] = (*set)->cellPixels();
    state.counters["errorMm"] = 1000.0 * (*set)->errorMeters();
  }
}

}  // namespace

BENCHMARK(pictures)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(frames, impostors, false)
    ->ArgsProduct({{10000, 100000}, {8, 12, 20}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(frames, points, true)
    ->ArgsProduct({{100000}, {2, 4}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->MeasureProcessCPUTime();
