#include <QTest>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/import/import_process.h"
#include "render/gl/handle.h"
#include "render/view/crowd_detail.h"
#include "tests/support/gl_stage.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Crowd;
using ck::Method;
using ck::render::Camera;
using ck::render::CrowdRenderer;
using ck::render::DetailStats;
using ck::render::Frame;
using ck::render::RenderSettings;
using ck::test::BakedRig;

namespace {

constexpr int kWidth = 480;
constexpr int kHeight = 270;

const BakedRig& humanoid() {
  static const BakedRig rig = [] {
    ck::test::useBuiltImportWorker();
    auto imported = ck::importCharacter(ck::test::sampleHumanoid());
    if (!imported) qFatal("%s", imported.error().message.c_str());
    return ck::test::bakedRig(std::move(*imported));
  }();
  return rig;
}

// A crowd of enough triangles, in a square that a camera at its edge looks over.
std::vector<Actor> largeCrowd(const BakedRig& rig) {
  const auto triangles = [&rig] {
    std::size_t all = 0;
    for (const ck::Mesh& mesh : rig.character->meshes) all += mesh.indices.size() / 3;
    return all;
  }();
  const auto count = int(ck::render::CrowdDetail::kFewTriangles / triangles) + 1;
  return ck::test::variedActors(count, int(rig.clips.size()));
}

Camera overlooking(const std::vector<Actor>& actors) {
  glm::dvec3 middle(0.0);
  for (const Actor& actor : actors) middle += glm::dvec3(actor.position) / double(actors.size());
  return ck::render::lookFrom(glm::dvec3(middle.x, 6.0, -8.0), middle);
}

RenderSettings detailed(double pixels = 1.0) {
  RenderSettings settings;
  settings.detail = {.mode = ck::DetailMode::Auto, .pixels = pixels};
  return settings;
}

// A renderer with the character, and with all that far actors are drawn with.
std::unique_ptr<CrowdRenderer> readyFor(const BakedRig& rig, const Crowd& crowd,
                                        const Camera& camera) {
  auto made = CrowdRenderer::make();
  if (!made) qFatal("%s", made.error().message.c_str());
  const ck::render::CharacterEntry entry{rig.character, rig.atlas, {}};
  if (auto set = (*made)->setCharacters(std::span(&entry, 1)); !set) {
    qFatal("%s", set.error().message.c_str());
  }
  const auto first = (*made)->drawToFrame(crowd, camera, detailed(), kWidth, kHeight);
  const auto ready = (*made)->completeDetail();
  if (!first || !ready) qFatal("the detail is not made");
  return std::move(*made);
}

Frame drawn(CrowdRenderer& renderer, const Crowd& crowd, const Camera& camera,
            const RenderSettings& settings, std::span<const std::uint32_t> selected = {}) {
  auto frame = renderer.drawToFrame(crowd, camera, settings, kWidth, kHeight, selected);
  if (!frame) qFatal("%s", frame.error().message.c_str());
  return std::move(*frame);
}

std::size_t unlike(const Frame& a, const Frame& b) {
  std::size_t pixels = 0;
  for (std::size_t p = 0; p + 3 < a.rgba.size(); p += 4) {
    int most = 0;
    for (std::size_t c = p; c < p + 3; ++c) {
      most = std::max(most, std::abs(int(a.rgba[c]) - int(b.rgba[c])));
    }
    pixels += most > 24 ? 1u : 0u;
  }
  return pixels;
}

std::size_t waysUsed(const DetailStats& stats) {
  std::size_t used = (stats.pictures > 0 ? 1u : 0u) + (stats.points > 0 ? 1u : 0u);
  for (const DetailStats::Mesh& mesh : stats.meshes) used += mesh.actors > 0 ? 1u : 0u;
  return used;
}

// Where a point of the world lies in the picture, in pixels, y down.
glm::ivec2 pixelOf(const glm::dvec3& point, const Camera& camera) {
  const glm::dmat4 seen = glm::dmat4(projectionMatrix(camera, double(kWidth) / kHeight)) *
                          glm::dmat4(viewMatrix(camera));
  const glm::dvec4 clip = seen * glm::dvec4(point, 1.0);
  return {int((clip.x / clip.w * 0.5 + 0.5) * kWidth),
          int((0.5 - clip.y / clip.w * 0.5) * kHeight)};
}

}  // namespace

class tst_crowd_detail : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;

 private slots:
  void init() { CK_NEEDS_GL(stage_); }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void looksAsAtFullDetail() {
    const BakedRig& rig = humanoid();
    const std::vector<Actor> actors = largeCrowd(rig);
    const Crowd crowd(actors, rig.clips);
    const Camera camera = overlooking(actors);
    const auto renderer = readyFor(rig, crowd, camera);
    const Frame whole = drawn(*renderer, crowd, camera, RenderSettings());
    QVERIFY(!renderer->stats().detail);
    const std::size_t wholeTriangles = renderer->stats().triangles;
    const auto covered = renderer->countCovered(crowd, camera, RenderSettings(), kWidth, kHeight);
    QVERIFY(covered && *covered > 2000);

    const Frame simple = drawn(*renderer, crowd, camera, detailed());
    const std::optional<DetailStats> stats = renderer->stats().detail;
    QVERIFY(stats && !stats->isPending);
    QVERIFY2(waysUsed(*stats) >= 3, "several levels are in the picture");
    QVERIFY(renderer->stats().triangles * 2 < wholeTriangles);
    QCOMPARE(renderer->stats().actors, actors.size());
    const std::size_t pixels = unlike(whole, simple);
    QVERIFY2(pixels * 12 < *covered,
             qPrintable(QStringLiteral("%1 of %2").arg(pixels).arg(*covered)));
    // Less is allowed to be off, less is.
    const std::size_t finer = unlike(whole, drawn(*renderer, crowd, camera, detailed(0.25)));
    const std::size_t coarser = unlike(whole, drawn(*renderer, crowd, camera, detailed(8.0)));
    QVERIFY(finer <= pixels && pixels < coarser);
  }

  void everyActorInViewIsDrawnInOneWay() {
    const BakedRig& rig = humanoid();
    const std::vector<Actor> actors = largeCrowd(rig);
    const Crowd crowd(actors, rig.clips);
    const Camera camera = overlooking(actors);
    const auto renderer = readyFor(rig, crowd, camera);
    drawn(*renderer, crowd, camera, detailed());
    const DetailStats stats = *renderer->stats().detail;
    std::size_t all = stats.pictures + stats.points;
    for (const DetailStats::Mesh& mesh : stats.meshes) all += mesh.actors;
    QCOMPARE(all, stats.inView);
    QVERIFY(stats.inView <= actors.size());
    std::size_t middles = 0;
    for (const Actor& actor : actors) {
      const glm::ivec2 at = pixelOf(glm::dvec3(actor.position) + glm::dvec3(0.0, 0.9, 0.0), camera);
      middles += at.x >= 0 && at.x < kWidth && at.y >= 0 && at.y < kHeight ? 1u : 0u;
    }
    QVERIFY(middles > 100 && stats.inView >= middles);
  }

  void farActorsArePickedAsPicturesToo() {
    const BakedRig& rig = humanoid();
    const std::vector<Actor> actors = largeCrowd(rig);
    const Crowd crowd(actors, rig.clips);
    const Camera camera = overlooking(actors);
    const auto renderer = readyFor(rig, crowd, camera);
    const RenderSettings coarse = detailed(6.0);
    const ck::render::PixelBox box{0, 0, kWidth, kHeight};
    const auto whole = renderer->pickBox(crowd, camera, RenderSettings(), kWidth, kHeight, box);
    const auto simple = renderer->pickBox(crowd, camera, coarse, kWidth, kHeight, box);
    QVERIFY(whole && simple);
    QVERIFY(renderer->pose(crowd, RenderSettings()));
    // Nearly the same actors are seen, and each of them where it stands.
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(*whole, *simple, std::back_inserter(both));
    QVERIFY(both.size() * 10 >= whole->size() * 9 && both.size() * 10 >= simple->size() * 9);
    int hits = 0;
    int tried = 0;
    for (std::uint32_t actor = 0; actor < actors.size(); actor += 7) {
      const glm::dvec3 middle = glm::dvec3(actors[actor].position) +
                                glm::dvec3(0.0, 0.95 * double(actors[actor].scale), 0.0);
      const glm::ivec2 at = pixelOf(middle, camera);
      const auto seen =
          renderer->pick(crowd, camera, RenderSettings(), kWidth, kHeight, at.x, at.y);
      if (!seen || *seen != int(actor)) continue;
      ++tried;
      const auto hit = renderer->pick(crowd, camera, coarse, kWidth, kHeight, at.x, at.y);
      QVERIFY(hit);
      hits += *hit == int(actor) ? 1 : 0;
    }
    QVERIFY(tried > 10);
    QVERIFY2(hits * 10 >= tried * 8, qPrintable(QStringLiteral("%1 of %2").arg(hits).arg(tried)));
  }

  void selectedActorsStayWhole() {
    const BakedRig& rig = humanoid();
    const std::vector<Actor> actors = largeCrowd(rig);
    const Crowd crowd(actors, rig.clips);
    const Camera camera = overlooking(actors);
    const auto renderer = readyFor(rig, crowd, camera);
    drawn(*renderer, crowd, camera, detailed(8.0));
    const std::size_t before = renderer->stats().detail->meshes[0].actors;
    const std::vector<std::uint32_t> selected = {std::uint32_t(actors.size() / 2)};
    drawn(*renderer, crowd, camera, detailed(8.0), selected);
    QCOMPARE(renderer->stats().detail->meshes[0].actors, before + 1);
  }

  void methodsAgree() {
    const BakedRig& rig = humanoid();
    const std::vector<Actor> actors = largeCrowd(rig);
    const Crowd crowd(actors, rig.clips);
    const Camera camera = overlooking(actors);
    const auto renderer = readyFor(rig, crowd, camera);
    const Frame palette = drawn(*renderer, crowd, camera, detailed(2.0));
    for (const Method method : {Method::Atlas, Method::Prepass, Method::Pool, Method::Live}) {
      RenderSettings settings = detailed(2.0);
      settings.pose.method = method;
      const std::size_t pixels = unlike(palette, drawn(*renderer, crowd, camera, settings));
      QVERIFY(renderer->stats().detail);
      QVERIFY2(pixels < 400, qPrintable(QStringLiteral("%1: %2").arg(int(method)).arg(pixels)));
    }
  }

  void whatCannotBeSimplifiedIsWhole() {
    const BakedRig& rig = humanoid();
    const std::vector<Actor> few = ck::test::variedActors(20, int(rig.clips.size()));
    const Crowd crowd(few, rig.clips);
    const Camera camera = overlooking(few);
    const auto renderer = readyFor(rig, crowd, camera);
    const Frame simple = drawn(*renderer, crowd, camera, detailed());
    QVERIFY(!renderer->stats().detail);
    QCOMPARE(simple.rgba, drawn(*renderer, crowd, camera, RenderSettings()).rgba);
  }

  void aPausedCrowdUploadsNothing() {
    const BakedRig& rig = humanoid();
    const std::vector<Actor> actors = largeCrowd(rig);
    const Crowd crowd(actors, rig.clips);
    Camera camera = overlooking(actors);
    const auto renderer = readyFor(rig, crowd, camera);
    drawn(*renderer, crowd, camera, detailed());
    drawn(*renderer, crowd, camera, detailed());
    QCOMPARE(renderer->stats().uploadedBytes, std::size_t(0));
    QVERIFY(!renderer->stats().ticked);
    // A camera that turns away plans anew.
    camera.yaw += 0.6;
    drawn(*renderer, crowd, camera, detailed());
    QVERIFY(renderer->stats().ticked);
  }

  void levelsAreTinted() {
    const BakedRig& rig = humanoid();
    const std::vector<Actor> actors = largeCrowd(rig);
    const Crowd crowd(actors, rig.clips);
    const Camera camera = overlooking(actors);
    const auto renderer = readyFor(rig, crowd, camera);
    RenderSettings settings = detailed(4.0);
    const Frame plain = drawn(*renderer, crowd, camera, settings);
    settings.levels = true;
    const Frame tinted = drawn(*renderer, crowd, camera, settings);
    QVERIFY(unlike(plain, tinted) > 1000);
    settings.levels = false;
    QCOMPARE(drawn(*renderer, crowd, camera, settings).rgba, plain.rgba);
  }
};

CK_TEST(tst_crowd_detail)
#include "tst_crowd_detail.moc"
