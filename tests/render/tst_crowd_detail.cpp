#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "core/crowd/mixed_crowd.h"
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
using ck::test::bakedHumanoid;
using ck::test::BakedRig;

namespace {

constexpr int kWidth = 480;
constexpr int kHeight = 270;

constexpr int kActors = 400;
constexpr float kSpacingMeters = 4.0f;

Camera overlooking(const std::vector<Actor>& actors) {
  glm::dvec3 middle(0.0);
  for (const Actor& actor : actors) middle += glm::dvec3(actor.position) / double(actors.size());
  return ck::render::lookFrom(glm::dvec3(middle.x, 6.0, middle.z - 46.0), middle);
}

RenderSettings detailed(double pixels = 1.0) {
  RenderSettings settings;
  settings.view.detail = {.mode = ck::DetailMode::Auto, .pixels = pixels};
  return settings;
}

Frame drawn(CrowdRenderer& renderer, const Crowd& crowd, const Camera& camera,
            const RenderSettings& settings, std::span<const std::uint32_t> selected = {}) {
  auto frame = renderer.drawToFrame(crowd, camera, settings, kWidth, kHeight, selected);
  if (!frame) qFatal("%s", frame.error().message.c_str());
  return std::move(*frame);
}

std::size_t unlike(const Frame& a, const Frame& b) {
  return std::size_t(ck::test::differentPixels(a, b, 24));
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
  std::unique_ptr<CrowdRenderer> renderer_;  // with all that far actors are drawn with
  std::vector<Actor> actors_;
  std::unique_ptr<Crowd> crowd_;
  Camera camera_;

 private slots:
  void init() {
    CK_NEEDS_GL(stage_);
    if (renderer_) return;
    const BakedRig& rig = bakedHumanoid();
    actors_ = ck::test::variedActors(kActors, int(rig.clips.size()), kSpacingMeters);
    crowd_ = std::make_unique<Crowd>(actors_, rig.clips);
    camera_ = overlooking(actors_);
    auto made = CrowdRenderer::make();
    QVERIFY(made);
    renderer_ = std::move(*made);
    const ck::render::CharacterEntry entry{rig.character, rig.atlas, {}};
    QVERIFY(renderer_->setCharacters(std::span(&entry, 1)));
    drawn(*renderer_, *crowd_, camera_, detailed());
    QVERIFY(renderer_->stats().detail && renderer_->stats().detail->isPending);
    renderer_->completeDetail();
  }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() {
    renderer_.reset();
    QCOMPARE(ck::render::liveGlObjects(), 0);
  }

  void budgetsAreKeptAndSayWhatTheyRefuse() {
    RenderSettings settings = detailed();
    settings.detailRemembers = false;
    settings.view.pose.morphs.on = false;  // near actors would be whole
    drawn(*renderer_, *crowd_, camera_, settings);
    const DetailStats free = *renderer_->stats().detail;
    QVERIFY(free.refusals.empty() && !free.isOverBudget);
    std::size_t asked = 0;
    for (const DetailStats::Mesh& mesh : free.meshes) asked += mesh.triangles;

    // At once, in a window that stands still, too.
    const std::size_t most = asked * 3 / 4;
    for (const std::size_t triangles : {asked / 2, most}) {
      settings.detailRemembers = true;
      settings.view.detail.mostTriangles = triangles;
      drawn(*renderer_, *crowd_, camera_, settings);
      std::size_t given = 0;
      for (const auto& mesh : renderer_->stats().detail->meshes) given += mesh.triangles;
      QVERIFY2(given <= triangles, qPrintable(QString::number(given)));
    }
    settings.detailRemembers = false;
    drawn(*renderer_, *crowd_, camera_, settings);
    const DetailStats kept = *renderer_->stats().detail;
    std::size_t triangles = 0;
    for (const DetailStats::Mesh& mesh : kept.meshes) triangles += mesh.triangles;
    QVERIFY2(triangles <= most, qPrintable(QString::number(triangles)));
    QVERIFY(triangles * 2 > most);  // it is used
    QCOMPARE(kept.inView, free.inView);
    QVERIFY(kept.pixels > 1.0 && !kept.isOverBudget && !kept.refusals.empty());
    const std::vector<std::string> names = {"guard"};
    const std::string text = ck::render::refusalText(kept, settings.view.detail, names);
    QVERIFY2(text.starts_with("The budget of " + std::to_string(most) + " triangles refuses: "),
             text.c_str());
    QVERIFY(text.find(" of guard (") != std::string::npos);
    // Actors that must be whole are, and then it is said that there is nothing simple enough.
    settings.view.detail.mostTriangles = 10;
    const std::uint32_t selected[] = {0};
    drawn(*renderer_, *crowd_, camera_, settings, selected);
    QVERIFY(renderer_->stats().detail->isOverBudget);
    settings.view.detail.mostTriangles = 0;
    drawn(*renderer_, *crowd_, camera_, settings);
    QCOMPARE(renderer_->stats().detail->pixels, 1.0);
    QVERIFY(renderer_->stats().detail->refusals.empty());

    // A memory that holds the two simplest meshes and no pictures.
    settings.view.detail.mostBytes = 60'000;
    drawn(*renderer_, *crowd_, camera_, settings);
    renderer_->completeDetail();
    drawn(*renderer_, *crowd_, camera_, settings);
    const DetailStats small = *renderer_->stats().detail;
    QCOMPARE(small.pictures, std::size_t{0});
    // The simplest meshes keep their numbers.
    QCOMPARE(small.meshes.size(), free.meshes.size());
    QCOMPARE(small.meshes[1].actors, std::size_t{0});
    QVERIFY(small.meshes.back().actors > 0);
    QCOMPARE(small.inView, free.inView);
    QVERIFY(ck::render::refusalText(small, settings.view.detail, names)
                .find("of memory refuses: mesh 1 of guard (") != std::string::npos);
    QVERIFY(ck::render::refusalText(small, settings.view.detail, names)
                .find("the pictures of guard (16.0 MB)") != std::string::npos);
    settings.view.detail.mostBytes = 0;
    drawn(*renderer_, *crowd_, camera_, settings);
    renderer_->completeDetail();
    drawn(*renderer_, *crowd_, camera_, settings);
    QCOMPARE(renderer_->stats().detail->meshes.size(), free.meshes.size());
    QVERIFY(renderer_->stats().detail->refusals.empty());
  }

  void aBudgetHoldsForSmallCrowdsToo() {
    std::vector<Actor> few(actors_.begin(), actors_.begin() + 40);
    Crowd crowd(few, bakedHumanoid().clips);
    RenderSettings settings = detailed();
    settings.view.pose.morphs.on = false;
    const auto triangles = [&] {
      drawn(*renderer_, crowd, camera_, settings);
      return renderer_->stats().triangles;
    };
    const std::size_t whole = triangles();
    QVERIFY(!renderer_->stats().detail && whole < ck::render::CrowdDetail::kFewTriangles);
    settings.view.detail.mostTriangles = whole / 3;
    QVERIFY(triangles() <= whole / 3);
    QVERIFY(renderer_->stats().detail);
  }

  void looksAsAtFullDetail() {
    const Frame whole = drawn(*renderer_, *crowd_, camera_, RenderSettings());
    QVERIFY(!renderer_->stats().detail);
    const std::size_t wholeTriangles = renderer_->stats().triangles;
    const auto covered =
        renderer_->countCovered(*crowd_, camera_, RenderSettings(), kWidth, kHeight);
    QVERIFY(covered && *covered > 2000);

    const Frame simple = drawn(*renderer_, *crowd_, camera_, detailed());
    const std::optional<DetailStats> stats = renderer_->stats().detail;
    QVERIFY(stats && !stats->isPending);
    QVERIFY2(waysUsed(*stats) >= 3, "several levels are in the picture");
    QVERIFY(renderer_->stats().triangles * 2 < wholeTriangles);
    QCOMPARE(renderer_->stats().actors, actors_.size());
    const std::size_t pixels = unlike(whole, simple);
    qInfo("%zu of %zu covered pixels are unlike", pixels, *covered);
    QVERIFY2(pixels * 3 < *covered,
             qPrintable(QStringLiteral("%1 of %2").arg(pixels).arg(*covered)));
    // Less is allowed to be off, less is.
    const std::size_t finer = unlike(whole, drawn(*renderer_, *crowd_, camera_, detailed(0.25)));
    const std::size_t coarser = unlike(whole, drawn(*renderer_, *crowd_, camera_, detailed(8.0)));
    QVERIFY(finer <= pixels && pixels < coarser);
  }

  void everyActorInViewIsDrawnInOneWay() {
    drawn(*renderer_, *crowd_, camera_, detailed());
    const DetailStats stats = *renderer_->stats().detail;
    std::size_t all = stats.pictures + stats.points;
    for (const DetailStats::Mesh& mesh : stats.meshes) all += mesh.actors;
    QCOMPARE(all, stats.inView);
    QVERIFY(stats.inView <= actors_.size());
    std::size_t middles = 0;
    for (const Actor& actor : actors_) {
      const glm::ivec2 at =
          pixelOf(glm::dvec3(actor.position) + glm::dvec3(0.0, 0.9, 0.0), camera_);
      middles += at.x >= 0 && at.x < kWidth && at.y >= 0 && at.y < kHeight ? 1u : 0u;
    }
    QVERIFY(middles > 100 && stats.inView >= middles);
    const ck::render::PixelBox box{0, 0, kWidth, kHeight};
    const auto seen = renderer_->pickBox(*crowd_, camera_, detailed(), kWidth, kHeight, box);
    QVERIFY(seen && seen->size() <= stats.inView && seen->size() * 2 > middles);
  }

  void farActorsArePickedAsPicturesToo() {
    const RenderSettings coarse = detailed(6.0);
    const ck::render::PixelBox box{0, 0, kWidth, kHeight};
    const auto whole = renderer_->pickBox(*crowd_, camera_, RenderSettings(), kWidth, kHeight, box);
    const auto simple = renderer_->pickBox(*crowd_, camera_, coarse, kWidth, kHeight, box);
    QVERIFY(whole && simple);
    QVERIFY(renderer_->pose(*crowd_, RenderSettings()));
    // Nearly the same actors are seen, and each of them where it stands.
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(*whole, *simple, std::back_inserter(both));
    QVERIFY(both.size() * 10 >= whole->size() * 9 && both.size() * 10 >= simple->size() * 9);
    int hits = 0;
    int tried = 0;
    for (std::uint32_t actor = 0; actor < actors_.size(); actor += 7) {
      const glm::dvec3 middle = glm::dvec3(actors_[actor].position) +
                                glm::dvec3(0.0, 0.95 * double(actors_[actor].scale), 0.0);
      const glm::ivec2 at = pixelOf(middle, camera_);
      const auto seen =
          renderer_->pick(*crowd_, camera_, RenderSettings(), kWidth, kHeight, at.x, at.y);
      if (!seen || *seen != int(actor)) continue;
      ++tried;
      const auto hit = renderer_->pick(*crowd_, camera_, coarse, kWidth, kHeight, at.x, at.y);
      QVERIFY(hit);
      hits += *hit == int(actor) ? 1 : 0;
    }
    QVERIFY(tried > 10);
    QVERIFY2(hits * 10 >= tried * 8, qPrintable(QStringLiteral("%1 of %2").arg(hits).arg(tried)));
  }

  void selectedActorsStayWhole() {
    const ck::render::PixelBox box{kWidth / 3, kHeight / 3, kWidth / 3, kHeight / 3};
    const auto seen = renderer_->pickBox(*crowd_, camera_, detailed(8.0), kWidth, kHeight, box);
    QVERIFY(seen && seen->size() > 4);
    drawn(*renderer_, *crowd_, camera_, detailed(8.0));
    const std::size_t before = renderer_->stats().detail->meshes[0].actors;
    const std::vector<std::uint32_t> selected = {(*seen)[seen->size() / 2]};
    drawn(*renderer_, *crowd_, camera_, detailed(8.0), selected);
    QCOMPARE(renderer_->stats().detail->meshes[0].actors, before + 1);
  }

  // They are as simple as the others, and yet seen to be selected.
  void manySelectedActorsAreMarked() {
    const Frame before = drawn(*renderer_, *crowd_, camera_, detailed(8.0));
    const ck::render::DetailStats plain = *renderer_->stats().detail;
    QVERIFY(plain.pictures > 10);
    std::vector<std::uint32_t> all(crowd_->size());
    std::iota(all.begin(), all.end(), 0u);
    QVERIFY(all.size() > ck::render::CrowdDetail::kMostWhole);
    const Frame marked = drawn(*renderer_, *crowd_, camera_, detailed(8.0), all);
    QCOMPARE(renderer_->stats().detail->meshes[0].actors, plain.meshes[0].actors);
    QCOMPARE(renderer_->stats().detail->pictures, plain.pictures);
    // As at full detail, where every selected actor is marked.
    RenderSettings full = detailed(8.0);
    full.view.detail.mode = ck::DetailMode::Full;
    const Frame wanted = drawn(*renderer_, *crowd_, camera_, full, all);
    qInfo("unlike what is wanted: %zu pixels, without marks %zu", unlike(wanted, marked),
          unlike(wanted, before));
    QVERIFY(unlike(wanted, marked) < unlike(wanted, before));
    QCOMPARE(unlike(drawn(*renderer_, *crowd_, camera_, detailed(8.0)), before), std::size_t(0));
  }

  // Clips are posed for whole meshes alone.
  void posedClipsHaveWholeMeshesAndPictures_data() {
    QTest::addColumn<bool>("source");
    QTest::newRow("live") << false;
    QTest::newRow("source") << true;
  }
  void posedClipsHaveWholeMeshesAndPictures() {
    QFETCH(bool, source);
    RenderSettings settings = detailed(2.0);
    settings.view.pose.method = source ? Method::Cpu : Method::Live;
    settings.view.pose.viewMode = source ? ck::ViewMode::Source : ck::ViewMode::Baked;
    const Frame live = drawn(*renderer_, *crowd_, camera_, settings);
    QVERIFY(renderer_->stats().detail->meshes[0].actors > 10);
    QCOMPARE(renderer_->stats().detail->meshes.size(), std::size_t{1});
    QVERIFY(renderer_->stats().detail->pictures > 10);
    QVERIFY(renderer_->stats().detail->inView <= actors_.size());
    settings.view.detail.mode = ck::DetailMode::Full;
    QVERIFY(unlike(live, drawn(*renderer_, *crowd_, camera_, settings)) < 2500);
  }

  void methodsAgree() {
    const Frame palette = drawn(*renderer_, *crowd_, camera_, detailed(2.0));
    for (const Method method : {Method::Atlas, Method::Prepass, Method::Pool, Method::Cpu}) {
      RenderSettings settings = detailed(2.0);
      settings.view.pose.method = method;
      const std::size_t pixels = unlike(palette, drawn(*renderer_, *crowd_, camera_, settings));
      QVERIFY(renderer_->stats().detail);
      QVERIFY2(pixels < 400, qPrintable(QStringLiteral("%1: %2").arg(int(method)).arg(pixels)));
    }
  }

  // Memory for the vertices of some actors is no reason to refuse the others.
  void crowdsBeyondTheMemoryAreDrawnInPieces() {
    const BakedRig rig = ck::test::bakedRig(ck::test::barCharacter());
    const std::vector<Actor> actors = ck::test::variedActors(1100, 2);
    Crowd crowd(actors, rig.clips);
    crowd.seek(1.7);  // hardly any two are at the same moment
    auto made = CrowdRenderer::make();
    QVERIFY(made);
    const ck::render::CharacterEntry entry{rig.character, rig.atlas, {}};
    QVERIFY((*made)->setCharacters(std::span(&entry, 1)));
    RenderSettings prepass;
    prepass.view.pose.method = Method::Prepass;
    prepass.lightAt = ck::render::LightAt::Pixels;  // else smaller crowds are lit at their vertices
    const std::size_t enough = prepass.view.pose.skinnedBudgetBytes;
    prepass.view.pose.skinnedBudgetBytes = 100 * 16 * 16;  // for about a hundred of the bars
    const Frame pieces = drawn(**made, crowd, camera_, prepass);
    const int divided = (*made)->stats().drawCalls;
    QCOMPARE((*made)->stats().actors, actors.size());
    prepass.view.pose.skinnedBudgetBytes = enough;
    const Frame kept = drawn(**made, crowd, camera_, prepass);
    QVERIFY(unlike(pieces, kept) < 100);
    QVERIFY((*made)->stats().drawCalls < divided);
  }

  // Ids of far actors count through the characters, those of meshes through what is drawn.
  void severalCharactersHaveTheirOwnLevels() {
    ck::test::useBuiltImportWorker();
    auto imported = ck::importCharacter(ck::test::sampleHumanoid().parent_path() / "animal.glb");
    QVERIFY(imported);
    const BakedRig animal = ck::test::bakedRig(std::move(*imported));
    const BakedRig& person = bakedHumanoid();
    std::vector<Actor> actors = actors_;
    const int clips = int(std::min(animal.clips.size(), person.clips.size()));
    for (std::size_t i = 0; i < actors.size(); ++i) {
      actors[i].character = int(i % 2);
      actors[i].clip = int(i) % clips;
    }
    const std::vector<std::vector<ck::CrowdClip>> all = {person.clips, animal.clips};
    const ck::MixedCrowd crowd(actors, all);
    auto made = CrowdRenderer::make();
    QVERIFY(made);
    CrowdRenderer& renderer = **made;
    const std::vector<ck::render::CharacterEntry> cast = {{person.character, person.atlas, {}},
                                                          {animal.character, animal.atlas, {}}};
    QVERIFY(renderer.setCharacters(cast));
    const auto picture = [&](const RenderSettings& settings) {
      auto frame = renderer.drawToFrame(crowd, camera_, settings, kWidth, kHeight);
      if (!frame) qFatal("%s", frame.error().message.c_str());
      return std::move(*frame);
    };
    RenderSettings coarse = detailed(4.0);
    picture(coarse);
    renderer.completeDetail();
    const Frame simple = picture(coarse);
    const DetailStats stats = *renderer.stats().detail;
    QVERIFY(waysUsed(stats) >= 3 && stats.pictures > 20);
    QCOMPARE(stats.actors, actors.size());
    QCOMPARE(renderer.stats().characters, std::size_t(2));
    const ck::render::PixelBox box{0, 0, kWidth, kHeight};
    const auto seen = renderer.pickBox(crowd, camera_, coarse, kWidth, kHeight, box);
    const auto whole = renderer.pickBox(crowd, camera_, RenderSettings(), kWidth, kHeight, box);
    QVERIFY(seen && whole);
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(*whole, *seen, std::back_inserter(both));
    QVERIFY(both.size() * 10 >= whole->size() * 8 && both.size() * 10 >= seen->size() * 8);
    const auto covered = renderer.countCovered(crowd, camera_, RenderSettings(), kWidth, kHeight);
    QVERIFY(covered && unlike(simple, picture(RenderSettings())) * 2 < *covered);
    // Actors of both dissolve, and are picked as they will be.
    RenderSettings fine = detailed(0.5);
    fine.detailRemembers = coarse.detailRemembers = false;
    const auto alone = renderer.pickBox(crowd, camera_, coarse, kWidth, kHeight, box);
    picture(fine);
    coarse.detailSeconds = 7.0;
    picture(coarse);
    const std::size_t dissolving = renderer.stats().detail->dissolving;
    coarse.detailSeconds = 7.1;
    const auto during = renderer.pickBox(crowd, camera_, coarse, kWidth, kHeight, box);
    QVERIFY(dissolving > 40 && alone && during);
    QCOMPARE(*during, *alone);
    coarse.detailSeconds = 7.3;
    picture(coarse);
    QCOMPARE(renderer.stats().detail->dissolving, std::size_t(0));
  }

  void smallCrowdsAreWhole() {
    const std::vector<Actor> few = ck::test::variedActors(20, 2);
    const Crowd crowd(few, bakedHumanoid().clips);
    const Frame simple = drawn(*renderer_, crowd, camera_, detailed());
    QVERIFY(!renderer_->stats().detail);
    QCOMPARE(simple.rgba, drawn(*renderer_, crowd, camera_, RenderSettings()).rgba);
  }

  void aPausedCrowdUploadsNothing() {
    Camera camera = camera_;
    drawn(*renderer_, *crowd_, camera, detailed());
    drawn(*renderer_, *crowd_, camera, detailed());
    QCOMPARE(renderer_->stats().uploadedBytes, std::size_t(0));
    QVERIFY(!renderer_->stats().ticked);
    // A camera that turns away plans anew.
    camera.yaw += 0.6;
    drawn(*renderer_, *crowd_, camera, detailed());
    QVERIFY(renderer_->stats().ticked);
  }

  // Bodies of few pixels cover most of them in part. The plain must not be emptier than it is.
  void farBodiesCoverAsMuchAsTheirMeshes() {
    RenderSettings whole;
    whole.view.shadows = ck::Shadows::Off;
    RenderSettings simple = detailed(4.0);
    simple.view.shadows = ck::Shadows::Off;
    std::vector<Actor> off = actors_;
    for (Actor& actor : off) actor.on = false;
    const Crowd emptyCrowd(off, bakedHumanoid().clips);
    for (const double farther : {2.0, 4.0}) {
      Camera camera = camera_;
      camera.distance *= farther;
      const Frame ground = drawn(*renderer_, emptyCrowd, camera, whole);
      const auto seen = [&](const RenderSettings& settings) {
        const Frame frame = drawn(*renderer_, *crowd_, camera, settings);
        double sum = 0.0;
        for (std::size_t i = 0; i < frame.rgba.size(); ++i) {
          sum += std::abs(int(frame.rgba[i]) - int(ground.rgba[i]));
        }
        return sum;
      };
      const double share = seen(simple) / seen(whole);
      QVERIFY2(share > 0.65 && share < 1.35, qPrintable(QString::number(share)));
    }
  }

  // A point is a pixel, and a body of two pixels' height covers a third of one.
  void pointsCoverAsMuchAsMeshes() {
    RenderSettings whole;
    whole.view.shadows = ck::Shadows::Off;
    RenderSettings simple = detailed();
    simple.view.shadows = ck::Shadows::Off;
    std::vector<Actor> off = actors_;
    for (Actor& actor : off) actor.on = false;
    const Crowd emptyCrowd(off, bakedHumanoid().clips);
    for (const double farther : {14.0, 20.0}) {
      Camera camera = camera_;
      camera.distance *= farther;
      const Frame ground = drawn(*renderer_, emptyCrowd, camera, whole);
      const auto covered = [&](const RenderSettings& settings) {
        const Frame frame = drawn(*renderer_, *crowd_, camera, settings);
        return double(ck::test::differentPixels(frame, ground, 8));
      };
      const double ofMeshes = covered(whole);
      const double share = covered(simple) / ofMeshes;
      const DetailStats stats = *renderer_->stats().detail;
      QCOMPARE(stats.inView, actors_.size());
      QVERIFY2(stats.points * 3 > stats.inView * 2, qPrintable(QString::number(stats.points)));
      qInfo("at %.0f times the distance %.2f of the pixels of meshes", farther, share);
      QVERIFY(share > 0.6 && share < 1.5);
    }
  }

  // The clips and walks of far actors are computed from the crowd's time.
  void aSteadyCrowdUploadsNothing() {
    std::vector<Actor> standing = actors_;
    for (Actor& actor : standing) actor.travels = false;
    Crowd crowd(standing, bakedHumanoid().clips);
    Camera camera = camera_;
    camera.distance *= 6.0;
    drawn(*renderer_, crowd, camera, detailed());
    const DetailStats stats = *renderer_->stats().detail;
    QCOMPARE(stats.pictures + stats.points, standing.size());
    QVERIFY(renderer_->stats().uploadedBytes > 0);
    const Frame before = drawn(*renderer_, crowd, camera, detailed());
    for (int tick = 0; tick < 3; ++tick) {
      crowd.advance(0.4);
      const Frame moved = drawn(*renderer_, crowd, camera, detailed());
      QVERIFY(renderer_->stats().ticked);
      QCOMPARE(renderer_->stats().uploadedBytes, std::size_t{0});
      QVERIFY(moved.rgba != before.rgba);
      // Another crowd that is put to this time.
      Crowd another(standing, bakedHumanoid().clips);
      another.seek(crowd.timeSeconds());
      QVERIFY(drawn(*renderer_, another, camera, detailed()).rgba == moved.rgba);
      drawn(*renderer_, crowd, camera, detailed());
    }
    // Neither do tints of levels.
    const Frame moved = drawn(*renderer_, crowd, camera, detailed());
    RenderSettings tinted = detailed();
    tinted.view.detail.tinted = true;
    QVERIFY(unlike(drawn(*renderer_, crowd, camera, tinted), moved) > 0);
    QCOMPARE(renderer_->stats().uploadedBytes, std::size_t{0});
    QVERIFY(drawn(*renderer_, crowd, camera, detailed()).rgba == moved.rgba);
    // Nor do near ones where the driver skins them.
    RenderSettings near = detailed();
    near.view.pose.skinOn = ck::SkinOn::Gpu;
    near.view.pose.morphs.on = false;  // faces upload their moments
    drawn(*renderer_, crowd, camera_, near);
    QVERIFY(renderer_->stats().uploadedBytes > 0);
    crowd.advance(0.4);
    drawn(*renderer_, crowd, camera_, near);
    QVERIFY(renderer_->stats().ticked);
    QVERIFY(renderer_->stats().detail->meshes.size() > 1);
    QCOMPARE(renderer_->stats().uploadedBytes, std::size_t{0});
    // Actors that walk upload lists at most.
    std::vector<Actor> walking = standing;
    for (Actor& actor : walking) {
      actor.travels = true;
      actor.turnRadius = 5.0f;
    }
    Crowd walkers(walking, bakedHumanoid().clips);
    drawn(*renderer_, walkers, camera, detailed());
    walkers.advance(0.4);
    drawn(*renderer_, walkers, camera, detailed());
    QVERIFY(renderer_->stats().uploadedBytes <= walking.size() * 4);
    // They have gone a few millimetres since they were planned.
    walkers.advance(0.002);
    drawn(*renderer_, walkers, camera, detailed());
    QVERIFY(renderer_->stats().ticked);
    QCOMPARE(renderer_->stats().uploadedBytes, std::size_t{0});
    // One that is told to stand still is written as it is, once.
    crowd.command(5, ck::PlayAction::Pause);
    drawn(*renderer_, crowd, camera, detailed());
    QVERIFY(renderer_->stats().uploadedBytes > 0);
    crowd.advance(0.3);
    drawn(*renderer_, crowd, camera, detailed());
    QVERIFY(renderer_->stats().ticked);
    QCOMPARE(renderer_->stats().uploadedBytes, std::size_t{0});
    drawn(*renderer_, crowd, camera, detailed());
    // A selected actor is whole although nothing else has changed.
    const std::uint32_t selected[] = {7};
    drawn(*renderer_, crowd, camera, detailed(), selected);
    QCOMPARE(renderer_->stats().detail->meshes[0].actors, std::size_t{1});
  }

  void levelsAreTinted() {
    RenderSettings settings = detailed(4.0);
    const Frame plain = drawn(*renderer_, *crowd_, camera_, settings);
    settings.view.detail.tinted = true;
    const Frame tinted = drawn(*renderer_, *crowd_, camera_, settings);
    QVERIFY(unlike(plain, tinted) > 1000);
    settings.view.detail.tinted = false;
    QCOMPARE(drawn(*renderer_, *crowd_, camera_, settings).rgba, plain.rgba);
  }
};

CK_TEST(tst_crowd_detail)
#include "tst_crowd_detail.moc"
