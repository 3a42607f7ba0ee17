#include <QTest>
#include <algorithm>
#include <cmath>

#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using namespace ck::render;
using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::drawBy;
using ck::test::kBook;
using ck::test::largestDistance;
using ck::test::plainSettings;
using ck::test::rendererFor;
using ck::test::variedActors;
using ck::test::wayName;

namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 200;
constexpr double kTolerance = 4e-5;  // of the difference of two positions, each to half of it

// From the surface to the key light, as shaders/crowd/light_direction.glsl has it.
glm::dvec3 toLight() {
  return glm::normalize(glm::dvec3(-0.3145, 0.7863, 0.5318));
}

Camera cameraAbove() {
  Camera camera;
  camera.target = {0.0, 0.3, 0.0};
  camera.distance = 9.0;
  camera.yaw = 0.4;
  camera.pitch = 0.8;
  return camera;
}

// The brightness of the picture about a place, 0 to 255.
double brightnessAt(const Frame& frame, const Camera& camera, const glm::dvec3& place) {
  const glm::dvec4 clip = glm::dmat4(projectionMatrix(camera, double{kWidth} / kHeight)) *
                          glm::dmat4(viewMatrix(camera)) * glm::dvec4(place, 1.0);
  const int x = static_cast<int>((clip.x / clip.w * 0.5 + 0.5) * kWidth);
  const int y = static_cast<int>((0.5 - clip.y / clip.w * 0.5) * kHeight);
  double sum = 0.0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const auto p = static_cast<std::size_t>((y + dy) * kWidth + x + dx) * 4;
      sum += frame.rgba.at(p) + frame.rgba.at(p + 1) + frame.rgba.at(p + 2);
    }
  }
  return sum / 27.0;
}

// Where a place casts to on the ground.
glm::dvec3 castFrom(const glm::dvec3& place) {
  return place - toLight() * (place.y / toLight().y);
}

std::vector<glm::dvec3> differences(const std::vector<glm::dvec3>& now,
                                    const std::vector<glm::dvec3>& before) {
  std::vector<glm::dvec3> result;
  for (std::size_t i = 0; i < now.size(); ++i) result.push_back(now[i] - before[i]);
  return result;
}

double longest(const std::vector<glm::dvec3>& ways) {
  double most = 0.0;
  for (const glm::dvec3& way : ways) most = std::max(most, glm::length(way));
  return most;
}

}  // namespace

class tst_frame_passes : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    CK_NEEDS_GL(stage_);
    rig_ = bakedRig(ck::test::barCharacter());
    renderer_ = rendererFor(rig_);
    QVERIFY(renderer_ != nullptr);
  }
  void cleanup() {
    renderer_.reset();
    QCOMPARE(QString::fromStdString(stage_.complaints()), QString());
  }

  void rejectsAMotionForACrowdThatWasSought() {
    ck::Crowd crowd(variedActors(6, 2), rig_.clips);
    RenderSettings settings = plainSettings();
    settings.view.pose.viewMode = ck::ViewMode::Motion;
    QVERIFY(readBackMotion(*renderer_, crowd, settings).has_value());
    crowd.seek(3.7);
    const auto motion = readBackMotion(*renderer_, crowd, settings);
    QVERIFY(motion.has_value());
    for (const glm::vec3& way : *motion) QCOMPARE(glm::length(way), 0.0f);
  }

  void bodiesCastOnTheGroundInEveryMethod_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<ck::SkinOn>("skinOn");
    for (int way = 0; way <= kBook; ++way) {
      const bool skins = way != kBook && ck::kMethods[std::size_t(way)].obeys.skinOn;
      const std::string name = wayName(way);
      QTest::newRow(name.c_str()) << way << ck::SkinOn::Gpu;
      if (skins) QTest::newRow((name + ", by the processor").c_str()) << way << ck::SkinOn::Cpu;
    }
  }
  void bodiesCastOnTheGroundInEveryMethod() {
    QFETCH(int, method);
    bakeFor(method);
    const ck::Crowd crowd(std::vector<ck::Actor>(1), rig_.clips);
    const Camera camera = cameraAbove();
    RenderSettings settings = plainSettings();
    drawBy(method, settings);
    QFETCH(ck::SkinOn, skinOn);
    settings.view.pose.skinOn = skinOn;
    const auto bare = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    settings.view.shadows = ck::Shadows::Cascades;
    const auto shaded = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    QVERIFY(bare.has_value() && shaded.has_value());
    QVERIFY(renderer_->stats().shadowMaps >= 1);
    // The box of the body in its first pose, by the reference.
    const auto vertices =
        referencePositions(*rig_.character, rig_.atlas.get(), crowd, settings, false);
    const auto highest = *std::max_element(vertices.begin(), vertices.end(),
                                           [](const auto& a, const auto& b) { return a.y < b.y; });
    const glm::dvec3 middle(0.0, highest.y * 0.7, 0.0);
    const glm::dvec3 inShadow = castFrom(middle);
    const glm::dvec3 inLight(-inShadow.x, 0.0, -inShadow.z);
    const double dark = brightnessAt(*shaded, camera, inShadow);
    QVERIFY2(dark < brightnessAt(*bare, camera, inShadow) * 0.8, qPrintable(QString::number(dark)));
    QVERIFY(std::abs(brightnessAt(*shaded, camera, inLight) -
                     brightnessAt(*bare, camera, inLight)) < 3.0);
  }

  // Characters that are still being read, say.
  void nobodyCastsNothing() {
    const std::vector<CharacterEntry> cast(2);
    QVERIFY(renderer_->setCharacters(cast).has_value());
    std::vector<ck::Actor> actors(3);
    actors[2].character = 1;
    const ck::MixedCrowd crowd(actors, std::vector{rig_.clips, rig_.clips});
    RenderSettings settings = plainSettings();
    settings.view.shadows = ck::Shadows::Cascades;
    const auto drawn = renderer_->drawToFrame(crowd, cameraAbove(), settings, kWidth, kHeight);
    QVERIFY2(drawn.has_value(), drawn ? "" : drawn.error().message.c_str());
    QCOMPARE(renderer_->stats().shadowMaps, 0);
    settings.view.shadows = ck::Shadows::Off;
    const auto bare = renderer_->drawToFrame(crowd, cameraAbove(), settings, kWidth, kHeight);
    QVERIFY(bare->rgba == drawn->rgba);
  }

  void bodiesCastOnEachOther() {
    // The second stands where the first casts to.
    std::vector<ck::Actor> actors(2);
    actors[0].scale = 2.0f;
    const glm::dvec3 there = castFrom({0.0, 1.4, 0.0});
    actors[1].position = glm::vec3(static_cast<float>(there.x), 0.0f, static_cast<float>(there.z));
    actors[1].scale = 0.5f;
    const Camera camera = cameraAbove();
    RenderSettings settings = plainSettings();
    settings.view.shadows = ck::Shadows::Cascades;
    const ck::Crowd alone(std::span<const ck::Actor>(actors).subspan(1), rig_.clips);
    const ck::Crowd both(actors, rig_.clips);
    const auto lit = renderer_->drawToFrame(alone, camera, settings, kWidth, kHeight);
    const auto shaded = renderer_->drawToFrame(both, camera, settings, kWidth, kHeight);
    QVERIFY(lit.has_value() && shaded.has_value());
    const auto vertices =
        referencePositions(*rig_.character, rig_.atlas.get(), alone, settings, false);
    const auto highest = *std::max_element(vertices.begin(), vertices.end(),
                                           [](const auto& a, const auto& b) { return a.y < b.y; });
    const glm::dvec3 top(there.x, highest.y * 0.8, there.z);
    QVERIFY(brightnessAt(*shaded, camera, top) < brightnessAt(*lit, camera, top) * 0.9);
  }

  void ticksComeAtTheirOwnRate() {
    std::vector<ck::Actor> actors = variedActors(6, 2);
    // A second clip is uploaded in every tick.
    actors[2].fadeClip = 1 - actors[2].clip;
    actors[2].fade = 0.5f;
    ck::Crowd crowd(actors, rig_.clips);
    crowd.seek(1.0);
    RenderSettings settings = plainSettings();
    settings.view.tickRateHz = 10.0;
    int ticks = 0;
    for (int picture = 0; picture < 60; ++picture) {
      crowd.advance(1.0 / 60.0);
      QVERIFY(renderer_->drawToFrame(crowd, cameraAbove(), settings, 32, 32).has_value());
      ticks += renderer_->stats().ticked ? 1 : 0;
      QCOMPARE(renderer_->stats().uploadedBytes > 0, renderer_->stats().ticked);
    }
    QVERIFY2(ticks == 10 || ticks == 11, qPrintable(QString::number(ticks)));
  }

  void betweenTicksActorsStayAsTheyWerePosed() {
    ck::Crowd crowd(variedActors(6, 2), rig_.clips);
    crowd.seek(1.01);
    RenderSettings settings = plainSettings();
    settings.view.tickRateHz = 10.0;
    const auto expectedPositions = [&] {
      return referencePositions(*rig_.character, rig_.atlas.get(), crowd, settings, false);
    };
    const auto before = expectedPositions();
    QVERIFY(readBackPositions(*renderer_, crowd, settings).has_value());
    crowd.advance(0.05);
    const auto between = readBackPositions(*renderer_, crowd, settings);
    QVERIFY(between.has_value());
    QVERIFY(largestDistance(*between, before) < kTolerance);
    QVERIFY(largestDistance(*between, expectedPositions()) > 1e-3);
    crowd.advance(0.05);
    const auto after = readBackPositions(*renderer_, crowd, settings);
    QVERIFY(after.has_value());
    QVERIFY(largestDistance(*after, expectedPositions()) < kTolerance);
  }

  void aCrowdThatRestsIsNotPosedAgain() {
    const ck::Crowd crowd(variedActors(6, 2), rig_.clips);
    RenderSettings settings = plainSettings();
    const auto ticks = [&](std::span<const std::uint32_t> selected) {
      auto drawn = renderer_->drawToFrame(crowd, cameraAbove(), settings, 32, 32, selected);
      return drawn.has_value() && renderer_->stats().ticked;
    };
    const std::vector<std::uint32_t> one{1};
    QVERIFY(ticks({}));
    QVERIFY(!ticks({}));
    QVERIFY(ticks(one));
    QVERIFY(!ticks(one));
    settings.view.grid = true;
    QVERIFY(!ticks(one));
    settings.view.pose.influences = 1;
    QVERIFY(ticks(one));
    QVERIFY(renderer_->setAtlas(rig_.atlas).has_value());
    QVERIFY(ticks(one));
  }

  void motionIsThatOfTheReference_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<ck::SkinOn>("skinOn");
    QTest::addColumn<double>("startSeconds");
    QTest::addColumn<double>("stepSeconds");
    QTest::newRow("palette, by the processor, across the seams")
        << static_cast<int>(ck::Method::Palette) << ck::SkinOn::Cpu << 0.97 << 0.06;
    for (int way = 0; way <= kBook; ++way) {
      const std::string name = wayName(way);
      QTest::newRow((name + ", within a clip").c_str()) << way << ck::SkinOn::Gpu << 0.31 << 0.02;
      QTest::newRow((name + ", across the seams").c_str())
          << way << ck::SkinOn::Gpu << 0.97 << 0.06;
      QTest::newRow((name + ", backwards").c_str()) << way << ck::SkinOn::Gpu << 1.02 << -0.05;
    }
  }
  void motionIsThatOfTheReference() {
    QFETCH(int, method);
    QFETCH(double, startSeconds);
    QFETCH(double, stepSeconds);
    bakeFor(method);
    ck::Crowd crowd(variedActors(9, 2), rig_.clips);
    crowd.seek(startSeconds);
    RenderSettings settings = plainSettings();
    drawBy(method, settings);
    QFETCH(ck::SkinOn, skinOn);
    settings.view.pose.skinOn = skinOn;
    settings.view.pose.viewMode = ck::ViewMode::Motion;
    const bool fromSource = settings.view.pose.method == ck::Method::Live;
    const auto expectedPositions = [&] {
      RenderSettings baked = settings;
      baked.view.pose.viewMode = ck::ViewMode::Baked;
      // The poses of a method are tested elsewhere; here, their changes between two moments.
      auto drawn = readBackPositions(*renderer_, crowd, baked);
      std::vector<glm::dvec3> places;
      if (drawn) places.assign(drawn->begin(), drawn->end());
      const bool mixes =
          settings.view.pose.method == ck::Method::Pool;  // matrices, as no reference does
      if (method == kBook || mixes || fromSource) return places;
      return referencePositions(*rig_.character, rig_.atlas.get(), crowd, baked, false);
    };
    const auto before = expectedPositions();
    QVERIFY(readBackMotion(*renderer_, crowd, settings).has_value());
    crowd.advance(stepSeconds);
    const auto motion = readBackMotion(*renderer_, crowd, settings);
    QVERIFY2(motion.has_value(), motion ? "" : motion.error().message.c_str());
    const auto expected = differences(expectedPositions(), before);
    QVERIFY(longest(expected) > 1e-3);
    const double distance = largestDistance(*motion, expected);
    QVERIFY2(distance >= 0.0 && distance < kTolerance, qPrintable(QString::number(distance)));
  }

  void motionIsRightWhereActorsChangeTheirClips() {
    std::vector<ck::Actor> actors = variedActors(4, 2);
    for (int i = 0; i < 2; ++i) {
      ck::Actor& actor = actors[std::size_t(i)];
      actor = ck::fadingFrom(actor, rig_.clips, 0.41, {.clip = 1 - i, .seconds = 0.0});
    }
    ck::Crowd crowd(actors, rig_.clips);
    crowd.seek(0.4);
    RenderSettings settings = plainSettings();
    settings.view.pose.method = ck::Method::Palette;
    settings.view.pose.viewMode = ck::ViewMode::Motion;
    const auto expectedPositions = [&] {
      return referencePositions(*rig_.character, rig_.atlas.get(), crowd, settings, false);
    };
    const auto before = expectedPositions();
    QVERIFY(readBackMotion(*renderer_, crowd, settings).has_value());
    crowd.advance(0.02);
    const auto motion = readBackMotion(*renderer_, crowd, settings);
    QVERIFY(motion.has_value());
    const auto expected = differences(expectedPositions(), before);
    QVERIFY(longest(expected) > 1e-3);
    QVERIFY(largestDistance(*motion, expected) < kTolerance);
  }

  void motionStaysWhileTheCrowdRests() {
    ck::Crowd crowd(variedActors(4, 2), rig_.clips);
    RenderSettings settings = plainSettings();
    settings.view.pose.viewMode = ck::ViewMode::Motion;
    QVERIFY(readBackMotion(*renderer_, crowd, settings).has_value());
    crowd.advance(0.03);
    const auto first = readBackMotion(*renderer_, crowd, settings);
    settings.view.pose.influences = 4;
    settings.view.pose.fades = false;  // another tick at the same moment
    const auto second = readBackMotion(*renderer_, crowd, settings);
    QVERIFY(first.has_value() && second.has_value());
    QVERIFY(*first == *second);
    double longestWay = 0.0;
    for (const glm::vec3& way : *first) longestWay = std::max(longestWay, double(glm::length(way)));
    QVERIFY(longestWay > 1e-3);
  }

  // Trails are kept for the motion view alone: where it was not shown in the last tick, neither the
  // actors nor a camera that has gone about since have a motion.
  void motionThatWasNotWatchedIsNone_data() {
    QTest::addColumn<bool>("before");
    QTest::addColumn<bool>("another");
    QTest::newRow("switched on for the first time") << false << false;
    QTest::newRow("switched on again") << true << false;
    QTest::newRow("switched on again with another tick") << true << true;
  }
  void motionThatWasNotWatchedIsNone() {
    QFETCH(bool, before);
    QFETCH(bool, another);
    ck::Crowd crowd(variedActors(4, 2), rig_.clips);
    RenderSettings settings = plainSettings();
    RenderSettings motion = settings;
    motion.view.pose.viewMode = ck::ViewMode::Motion;
    Camera camera = ck::render::lookFrom({2.0, 1.5, 6.0}, {0.0, 1.0, 0.0});
    if (before) QVERIFY(readBackMotion(*renderer_, crowd, motion, &camera).has_value());
    for (int tick = 0; tick < 2; ++tick) {
      crowd.advance(0.3);
      camera.yaw += 0.2;
      QVERIFY(renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight).has_value());
    }
    camera.yaw += 0.5;
    if (another) motion.view.pose.influences = settings.view.pose.influences == 4 ? 2 : 4;
    const auto seen = readBackMotion(*renderer_, crowd, motion, &camera);
    QVERIFY(seen.has_value() && !seen->empty());
    for (const glm::vec3& way : *seen) QVERIFY(glm::length(way) < 1e-5f);
  }

  // An actor that stands moves before a camera that turns and walks, as its two views say.
  void motionIsThatBeforeTheCamera_data() {
    QTest::addColumn<int>("method");
    for (int way = 0; way <= kBook; ++way) QTest::newRow(wayName(way).c_str()) << way;
  }
  void motionIsThatBeforeTheCamera() {
    QFETCH(int, method);
    bakeFor(method);
    std::vector<ck::Actor> actors = variedActors(3, 2);
    for (ck::Actor& actor : actors) actor.rate = 0.0f;
    ck::Crowd crowd(actors, rig_.clips);
    RenderSettings settings = plainSettings();
    drawBy(method, settings);
    settings.view.pose.viewMode = ck::ViewMode::Motion;
    Camera camera = ck::render::lookFrom({2.0, 1.5, 6.0}, {0.0, 1.0, 0.0});
    const glm::dmat4 before(ck::render::viewMatrix(camera));
    QVERIFY(readBackMotion(*renderer_, crowd, settings, &camera).has_value());
    crowd.advance(0.02);
    const auto still = readBackMotion(*renderer_, crowd, settings, &camera);
    QVERIFY(still.has_value());
    for (const glm::vec3& way : *still) QCOMPARE(way, glm::vec3(0.0f));

    camera = ck::render::lookFrom({2.6, 1.4, 5.5}, {0.4, 1.1, 0.2});
    const glm::dmat4 now(ck::render::viewMatrix(camera));
    crowd.advance(0.02);
    const auto motion = readBackMotion(*renderer_, crowd, settings, &camera);
    const auto places = readBackPositions(*renderer_, crowd, settings);
    QVERIFY(motion.has_value() && places.has_value());
    QCOMPARE(motion->size(), places->size());
    double furthest = 0.0;
    for (std::size_t v = 0; v < places->size(); ++v) {
      const glm::dvec4 place(glm::dvec3((*places)[v]), 1.0);
      // The eye saw it there and sees it here; its axes lie in the world as they do now.
      const glm::dvec3 way(now * place - before * place);
      const glm::dvec3 inWorld = glm::transpose(glm::dmat3(now)) * way;
      furthest = std::max(furthest, glm::distance(inWorld, glm::dvec3((*motion)[v])));
      QVERIFY(glm::length(inWorld) > 0.1);
    }
    QVERIFY2(furthest < 1e-4, qPrintable(QString::number(furthest)));
    // A crowd that rests keeps the motion that it had.
    camera = ck::render::lookFrom({0.0, 3.0, 9.0}, {0.0, 1.0, 0.0});
    const auto resting = readBackMotion(*renderer_, crowd, settings, &camera);
    QVERIFY(resting.has_value());
    QVERIFY(*resting == *motion);
  }

  // Actors that move are bright, those that stand are dark.
  void motionIsSeen() {
    std::vector<ck::Actor> actors(2);
    actors[0].position.x = -1.5f;
    actors[1].position.x = 1.5f;
    actors[1].rate = 0.0f;
    actors[0].clip = actors[1].clip = 1;
    ck::Crowd crowd(actors, rig_.clips);
    RenderSettings settings = plainSettings();
    settings.view.pose.viewMode = ck::ViewMode::Motion;
    settings.motionScaleMetersPerSecond = 0.2;
    const auto resting = renderer_->drawToFrame(crowd, cameraAbove(), settings, kWidth, kHeight);
    crowd.advance(0.1);
    const auto moving = renderer_->drawToFrame(crowd, cameraAbove(), settings, kWidth, kHeight);
    QVERIFY(resting.has_value() && moving.has_value());
    const auto vertices =
        referencePositions(*rig_.character, rig_.atlas.get(), crowd, settings, false);
    const std::size_t each = vertices.size() / 2;
    const auto brightest = [&](const Frame& frame, std::size_t actor) {
      double most = 0.0;
      for (std::size_t v = actor * each; v < (actor + 1) * each; ++v) {
        most = std::max(most, brightnessAt(frame, cameraAbove(), vertices[v]));
      }
      return most;
    };
    QVERIFY(brightest(*moving, 0) > brightest(*resting, 0) + 30.0);
    QVERIFY(std::abs(brightest(*moving, 1) - brightest(*resting, 1)) < 3.0);
  }

  void passesAreTimedByName() {
    const ck::Crowd crowd(variedActors(4, 2), rig_.clips);
    RenderSettings settings = plainSettings();
    settings.view.shadows = ck::Shadows::Cascades;
    QVERIFY(renderer_->drawToFrame(crowd, cameraAbove(), settings, 64, 64).has_value());
    QStringList names;
    for (const PassCost& pass : renderer_->stats().passes) {
      names << QString::fromStdString(pass.name);
      QVERIFY(pass.cpuMs >= 0.0);
      // A software renderer's queries read 0 whatever it does.
      if (renderer_->facts().software) QVERIFY(!pass.gpuMs.has_value());
    }
    QCOMPARE(names, (QStringList{"tick", "shadows", "crowd", "ground"}));
    settings.view.shadows = ck::Shadows::Off;
    QVERIFY(renderer_->drawToFrame(crowd, cameraAbove(), settings, 64, 64).has_value());
    QCOMPARE(renderer_->stats().passes.size(), std::size_t{3});
    QCOMPARE(renderer_->stats().shadowMaps, 0);
  }

  // As on a graphics card, whose answers come some frames later; here they may well be 0.
  void queriesAreReadWithoutWaiting() {
    const ck::Crowd crowd(variedActors(2, 2), rig_.clips);
    PassTimers timers(false);
    for (int frame = 0; frame < 12; ++frame) {
      timers.startFrame();
      timers.begin("one");
      timers.begin("two");
      timers.endFrame();
      // Something has to be drawn for the driver to get at the queries at all.
      QVERIFY(renderer_->drawAndFinish(crowd, cameraAbove(), plainSettings(), 8, 8).has_value());
      QCOMPARE(timers.costs().size(), std::size_t{2});
      if (frame == 0) QVERIFY(!timers.costs()[0].gpuMs.has_value());
    }
    for (const PassCost& pass : timers.costs()) {
      QVERIFY(pass.gpuMs.has_value());
      QVERIFY(*pass.gpuMs >= 0.0 && *pass.gpuMs < 1000.0);
    }
    // A pass that is new has no time yet.
    timers.startFrame();
    timers.begin("three");
    timers.endFrame();
    QVERIFY(!timers.costs()[0].gpuMs.has_value());
  }

  void figuresAreWrittenAsCsv() {
    FrameStats stats;
    stats.actors = 7;
    stats.vertices = 700;
    stats.drawCalls = 2;
    stats.shadowMaps = 3;
    stats.passes = {{"tick", 0.5, std::nullopt}, {"crowd", 1.25, 2.5}};
    ContextFacts facts;
    facts.renderer = "a \"card\", quoted";
    const QString csv = QString::fromStdString(statsCsv(stats, facts));
    const QStringList lines = csv.split(QStringLiteral("\r\n"));
    QCOMPARE(lines.front(), QStringLiteral("figure,value,unit"));
    QVERIFY(lines.contains(QStringLiteral("renderer,\"a \"\"card\"\", quoted\",")));
    QVERIFY(lines.contains(QStringLiteral("actors,7,")));
    QVERIFY(lines.contains(QStringLiteral("draws,8,a frame")));
    QVERIFY(lines.contains(QStringLiteral("vertices,2800,a frame")));
    QVERIFY(lines.contains(QStringLiteral("tick cpu,0.500,\"ms\"")));
    QVERIFY(lines.contains(QStringLiteral("crowd gpu,2.500,ms")));
    QVERIFY(!csv.contains(QStringLiteral("tick gpu")));
  }

 private:
  // The method matrix has encodings of its own.
  void bakeFor(int way) {
    if (way == kBook || !ck::kMethods[std::size_t(way)].matricesOnly) return;
    ck::BakeSettings settings;
    settings.encoding = ck::Encoding::M32;
    rig_ = bakedRig(ck::test::barCharacter(), settings);
    renderer_ = rendererFor(rig_);
    QVERIFY(renderer_ != nullptr);
  }

  ck::test::GlStage stage_;
  BakedRig rig_;
  std::unique_ptr<CrowdRenderer> renderer_;
};

CK_TEST(tst_frame_passes)
#include "tst_frame_passes.moc"
