#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/anim/pose.h"
#include "core/atlas/pose_reading.h"
#include "core/skinning/cpu_skinning.h"
#include "render/view/actor_lines.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using namespace ck::render;
using ck::test::BakedRig;
using ck::test::bakedRig;
using ck::test::plainSettings;
using ck::test::rendererFor;

namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 480;

// A camera that sees the actors from the front, the first one in the middle.
Camera cameraFor(const glm::dvec3& target, double distance) {
  Camera camera;
  camera.target = target;
  camera.distance = distance;
  camera.yaw = 0.35;
  camera.pitch = 0.2;
  return camera;
}

glm::dvec2 pixelOf(const Camera& camera, const glm::dvec3& place) {
  const glm::dvec4 clip = glm::dmat4(projectionMatrix(camera, double{kWidth} / kHeight)) *
                          glm::dmat4(viewMatrix(camera)) * glm::dvec4(place, 1.0);
  return {(clip.x / clip.w * 0.5 + 0.5) * kWidth, (0.5 - clip.y / clip.w * 0.5) * kHeight};
}

// How far the pixel nearest in colour is from `color`, within a pixel of the place; 0 to 441.
double colorDistance(const Frame& frame, const glm::dvec2& place, const glm::vec3& color) {
  double least = 1e9;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int x = static_cast<int>(place.x) + dx;
      const int y = static_cast<int>(place.y) + dy;
      if (x < 0 || y < 0 || x >= kWidth || y >= kHeight) continue;
      const std::uint8_t* pixel = frame.rgba.data() + (y * kWidth + x) * 4;
      const glm::dvec3 seen(pixel[0], pixel[1], pixel[2]);
      least = std::min(least, glm::distance(seen, glm::dvec3(color) * 255.0));
    }
  }
  return least;
}

bool isOfColor(const Frame& frame, const glm::dvec2& place, const glm::vec3& color) {
  return colorDistance(frame, place, color) < 40.0;
}

int countOf(const Frame& frame, const glm::vec3& color) {
  int count = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const std::uint8_t* pixel = frame.rgba.data() + (y * kWidth + x) * 4;
      const glm::dvec3 seen(pixel[0], pixel[1], pixel[2]);
      count += glm::distance(seen, glm::dvec3(color) * 255.0) < 40.0 ? 1 : 0;
    }
  }
  return count;
}

// An actor's place as its settings say, by formula.
glm::dmat4 worldOf(const ck::Actor& actor) {
  const double angle = glm::radians(static_cast<double>(actor.rotationDegrees.y));
  glm::dmat4 world(1.0);
  world[0] = glm::dvec4(std::cos(angle), 0.0, -std::sin(angle), 0.0) * double(actor.scale);
  world[1] = glm::dvec4(0.0, 1.0, 0.0, 0.0) * double(actor.scale);
  world[2] = glm::dvec4(std::sin(angle), 0.0, std::cos(angle), 0.0) * double(actor.scale);
  world[3] = glm::dvec4(glm::dvec3(actor.position), 1.0);
  return world;
}

ck::Actor placedActor(float x = 0.0f) {
  ck::Actor actor;
  actor.position = {x, 0.0f, 0.2f};
  actor.rotationDegrees = {0.0f, 40.0f, 0.0f};
  actor.scale = 1.2f;
  return actor;
}

// The joints of an actor that has these skin matrices.
std::vector<glm::dvec3> jointsOf(const BakedRig& rig, const std::vector<glm::dmat4>& skins,
                                 const ck::Actor& actor) {
  std::vector<glm::dvec3> places;
  for (std::size_t j = 0; j < skins.size(); ++j) {
    const glm::dvec4 pivot(ck::pivotOf(rig.character->rig.skinJoints[j]), 1.0);
    places.emplace_back(worldOf(actor) * (skins[j] * pivot));
  }
  return places;
}

RenderSettings skeletonSettings(ck::Method method = ck::Method::Atlas) {
  RenderSettings settings = plainSettings();
  settings.view.pose.method = method;
  settings.view.lines.skeleton = true;
  return settings;
}

// The middle of the limb and how far away it is looked at.
Camera limbCamera(const BakedRig& rig) {
  const ck::Bounds box = ck::bindBounds(*rig.character);
  const double size = glm::length(box.high - box.low);
  return cameraFor(1.2 * 0.5 * (box.low + box.high), 3.2 * size);
}

}  // namespace

class tst_lines : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void bonesGoThroughTheJoints_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("orthographic");
    QTest::newRow("orthographic") << int(ck::Method::Palette) << true;
    for (const ck::Method method : {ck::Method::Cpu, ck::Method::Atlas, ck::Method::Palette,
                                    ck::Method::Prepass, ck::Method::Pool, ck::Method::Live}) {
      QTest::addRow("%s", std::string(ck::methodName(method)).c_str()) << int(method) << false;
    }
  }
  // On a stored frame every method and every encoding shows the same joints.
  void bonesGoThroughTheJoints() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    QFETCH(bool, orthographic);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Actor actor = placedActor();
    const ck::AtlasClip& baked = rig.atlas->clips[0];
    ck::Crowd crowd(std::vector{actor}, rig.clips);
    const double unit = 7.0 / (baked.frameCount - 1);
    crowd.seek(unit * baked.durationSeconds);
    Camera camera = limbCamera(rig);
    camera.orthographic = orthographic;
    RenderSettings settings = skeletonSettings(ck::Method(method));
    const auto frame = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    QVERIFY(frame.has_value());
    settings.view.lines.skeleton = false;
    const auto bare = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    QVERIFY(bare.has_value());
    QCOMPARE(countOf(*bare, kBoneColor), 0);
    const ck::Clip& clip = rig.character->clips[0];
    const auto skins = ck::skinMatricesAt(rig.character->rig, clip,
                                          clip.startSeconds + unit * clip.durationSeconds);
    const std::vector<int> parents = ck::skinJointParents(rig.character->rig);
    const std::vector<glm::dvec3> joints = jointsOf(rig, skins, actor);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const glm::dvec2 at = pixelOf(camera, joints[j]);
      QVERIFY2(isOfColor(*frame, at, kBoneColor),
               qPrintable(QString("joint %1 at %2, %3: %4")
                              .arg(j)
                              .arg(at.x)
                              .arg(at.y)
                              .arg(colorDistance(*frame, at, kBoneColor))));
      if (parents[j] < 0) continue;
      const glm::dvec2 from = pixelOf(camera, joints[std::size_t(parents[j])]);
      QVERIFY(isOfColor(*frame, 0.5 * (at + from), kBoneColor));
    }
  }

  // The skin matrices of both clips are mixed by the method atlas.
  void bonesFollowAFade() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Actor actor = placedActor();
    actor.fadeClip = 2;
    actor.fade = 0.5f;
    const ck::Crowd crowd(std::vector{actor}, rig.clips);
    const Camera camera = limbCamera(rig);
    const auto frame = renderer->drawToFrame(crowd, camera, skeletonSettings(), kWidth, kHeight);
    QVERIFY(frame.has_value());
    const auto one = ck::atlasSkinMatrices(*rig.atlas, 0, 0.0, ck::Reading::Direct);
    const auto other = ck::atlasSkinMatrices(*rig.atlas, 2, 0.0, ck::Reading::Direct);
    std::vector<glm::dmat4> mixed;
    for (std::size_t j = 0; j < one.size(); ++j) mixed.push_back((one[j] + other[j]) * 0.5);
    for (const glm::dvec3& joint : jointsOf(rig, mixed, actor)) {
      QVERIFY(isOfColor(*frame, pixelOf(camera, joint), kBoneColor));
    }
  }

  // The nearest of few stored frames is far from the source, so the halves have other bones.
  void halvesHaveTheirOwnBones() {
    CK_NEEDS_GL(stage_);
    ck::BakeSettings few;
    few.frames = 4;
    const BakedRig rig = bakedRig(ck::test::swingingLimb(), few);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Actor actor = placedActor();
    const ck::AtlasClip& baked = rig.atlas->clips[0];
    ck::Crowd crowd(std::vector{actor}, rig.clips);
    constexpr double kUnit = 0.48;
    crowd.seek(kUnit * baked.durationSeconds);
    const Camera camera = limbCamera(rig);
    RenderSettings settings = skeletonSettings();
    settings.view.pose.sampling = ck::Sampling::Nearest;
    settings.view.pose.viewMode = ck::ViewMode::Split;
    const ck::Clip& clip = rig.character->clips[0];
    const auto source =
        jointsOf(rig,
                 ck::skinMatricesAt(rig.character->rig, clip,
                                    clip.startSeconds + kUnit * clip.durationSeconds),
                 actor);
    const auto drawn = jointsOf(
        rig, ck::atlasSkinMatrices(*rig.atlas, 0, kUnit, ck::Reading::Direct, false), actor);
    double apart = 0.0;
    for (std::size_t j = 0; j < source.size(); ++j) {
      apart = std::max(apart, glm::distance(pixelOf(camera, source[j]), pixelOf(camera, drawn[j])));
    }
    QVERIFY2(apart > 8.0, qPrintable(QString::number(apart)));
    for (const double wipe : {0.0, 1.0}) {
      settings.view.wipe = wipe;
      const auto frame = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
      QVERIFY(frame.has_value());
      for (const glm::dvec3& joint : wipe > 0.5 ? source : drawn) {
        QVERIFY(isOfColor(*frame, pixelOf(camera, joint), kBoneColor));
      }
    }
  }

  void boxesHoldThePosedVertices() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Actor actor = placedActor();
    const ck::AtlasClip& baked = rig.atlas->clips[0];
    ck::Crowd crowd(std::vector{actor}, rig.clips);
    const double unit = 9.0 / (baked.frameCount - 1);
    crowd.seek(unit * baked.durationSeconds);
    const Camera camera = limbCamera(rig);
    RenderSettings settings = plainSettings();
    settings.view.lines.bounds = true;
    const auto frame = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    QVERIFY(frame.has_value());
    const ck::Clip& clip = rig.character->clips[0];
    const auto skins = ck::skinMatricesAt(rig.character->rig, clip,
                                          clip.startSeconds + unit * clip.durationSeconds);
    ck::Bounds box{glm::dvec3(1e9), glm::dvec3(-1e9)};
    for (const ck::Mesh& mesh : rig.character->meshes) {
      for (const glm::dvec3& place : ck::skinMesh(mesh, skins, {.influenceLimit = 4}).positions) {
        box.low = glm::min(box.low, place);
        box.high = glm::max(box.high, place);
      }
    }
    // Edges at the near side, which nothing hides: at a third of each, away from others.
    int seen = 0;
    const auto corners = cornersOf(box);
    for (std::size_t a = 0; a < corners.size(); ++a) {
      for (const std::size_t bit : {1u, 2u, 4u}) {
        if ((a & bit) != 0) continue;
        const glm::dvec3 on = glm::mix(corners[a], corners[a | bit], 0.3);
        const glm::dvec3 world(worldOf(actor) * glm::dvec4(on, 1.0));
        // Thin lines are mixed with their outline; the ground is 200 away.
        seen += colorDistance(*frame, pixelOf(camera, world), kBoundsColor) < 120.0 ? 1 : 0;
      }
    }
    // Hidden ones are half transparent.
    QVERIFY2(seen >= 7, qPrintable(QString::number(seen)));
  }

  void axesPointAlongTheJoints() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Actor actor = placedActor();
    const ck::Crowd crowd(std::vector{actor}, rig.clips);
    const Camera camera = limbCamera(rig);
    RenderSettings settings = plainSettings();
    settings.view.lines.jointAxes = true;
    const auto frame = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    QVERIFY(frame.has_value());
    const ck::Clip& clip = rig.character->clips[0];
    const std::vector<ck::SkinJoint>& joints = rig.character->rig.skinJoints;
    const auto skins = ck::skinMatricesAt(rig.character->rig, clip, clip.startSeconds);
    // On the way, as far as axes have at least.
    const ck::Bounds box = ck::bindBounds(*rig.character);
    const double shortest = 0.012 * glm::length(box.high - box.low);
    int seen = 0;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const glm::dmat4 global = worldOf(actor) * skins[j] * glm::inverse(joints[j].inverseBind);
      for (int axis = 0; axis < 3; ++axis) {
        const glm::dvec3 along = glm::normalize(glm::dvec3(global[axis]));
        const glm::dvec3 tip = glm::dvec3(global[3]) + along * (1.2 * shortest);
        seen += isOfColor(*frame, pixelOf(camera, tip), kAxisColors[axis]) ? 1 : 0;
      }
    }
    // Axes that point at the eye are covered by others.
    QVERIFY2(seen >= static_cast<int>(joints.size()) * 2, qPrintable(QString::number(seen)));
  }

  void edgesAreDrawnOverTheSelectedActorsAlone() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Bounds box = ck::bindBounds(*rig.character);
    const double size = glm::length(box.high - box.low);
    const auto apart = static_cast<float>(size);
    const ck::Crowd crowd(std::vector{placedActor(-apart), placedActor(apart)}, rig.clips);
    Camera camera = cameraFor(0.5 * (box.low + box.high), 4.0 * size);
    camera.yaw = 0.0;
    RenderSettings settings = plainSettings();
    settings.view.pose.method = ck::Method::Palette;
    const std::vector<std::uint32_t> second{1};
    const auto bare = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight, second);
    settings.view.wireframe = true;
    const auto wired = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight, second);
    const auto all = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    settings.view.wireframe = false;
    const auto none = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    QVERIFY(bare && wired && all && none);
    const auto changed = [](const Frame& a, const Frame& b, bool right) {
      int count = 0;
      for (int y = 0; y < kHeight; ++y) {
        for (int x = right ? kWidth / 2 : 0; x < (right ? kWidth : kWidth / 2); ++x) {
          const auto at = static_cast<std::size_t>(y * kWidth + x) * 4;
          count += std::abs(a.rgba[at] - b.rgba[at]) > 8 ? 1 : 0;
        }
      }
      return count;
    };
    QCOMPARE(changed(*bare, *wired, false), 0);
    QVERIFY(changed(*bare, *wired, true) > 100);
    QVERIFY(changed(*none, *all, false) > 100);
    QVERIFY(changed(*none, *all, true) > 100);
  }

  void theWipeDividesTheHalves_data() {
    QTest::addColumn<double>("wipe");
    for (const double wipe : {0.0, 0.25, 0.5, 0.9, 1.0}) QTest::addRow("%g", wipe) << wipe;
  }
  void theWipeDividesTheHalves() {
    CK_NEEDS_GL(stage_);
    QFETCH(double, wipe);
    ck::BakeSettings few;
    few.frames = 4;
    const BakedRig rig = bakedRig(ck::test::swingingLimb(), few);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(ck::test::variedActors(9, 3, 0.5f), rig.clips);
    crowd.seek(0.31);
    const Camera camera = limbCamera(rig);
    RenderSettings settings = plainSettings();
    settings.view.pose.sampling = ck::Sampling::Nearest;
    settings.view.wipe = wipe;
    const auto drawn = [&](ck::ViewMode mode) {
      settings.view.pose.viewMode = mode;
      return renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    };
    const auto source = drawn(ck::ViewMode::Source);
    const auto baked = drawn(ck::ViewMode::Baked);
    const auto split = drawn(ck::ViewMode::Split);
    QVERIFY(source && baked && split);
    QVERIFY(ck::test::differentPixels(*source, *baked) > 200);
    const int divider = static_cast<int>(wipe * kWidth);
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        if (std::abs(x - divider) <= 1) continue;  // the line
        const Frame& expected = x < divider ? *source : *baked;
        const auto at = static_cast<std::size_t>(y * kWidth + x) * 4;
        QVERIFY2(std::equal(expected.rgba.begin() + std::ptrdiff_t(at),
                            expected.rgba.begin() + std::ptrdiff_t(at) + 3,
                            split->rgba.begin() + std::ptrdiff_t(at)),
                 qPrintable(QString("%1, %2").arg(x).arg(y)));
      }
    }
  }

  void linesHaveALimit() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(ck::test::variedActors(100, 3, 0.5f), rig.clips);
    const Camera camera = limbCamera(rig);
    RenderSettings settings = skeletonSettings();
    QVERIFY(renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight));
    QCOMPARE(renderer->stats().linedActors, ActorLines::kMost);
    QCOMPARE(renderer->stats().linedActorsWanted, std::size_t{100});
    const std::vector<std::uint32_t> two{3, 90};
    QVERIFY(renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight, two));
    QCOMPARE(renderer->stats().linedActors, std::size_t{2});
    settings.view.lines.skeleton = false;
    QVERIFY(renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight));
    QCOMPARE(renderer->stats().linedActorsWanted, std::size_t{0});
  }

  // A point behind the eye must not turn a line around.
  void linesAreCutBeforeTheEye() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(std::vector{placedActor()}, rig.clips);
    const ck::Bounds box = ck::bindBounds(*rig.character);
    Camera camera = cameraFor(1.2 * 0.5 * (box.low + box.high), 0.02);
    const ck::Clip& clip = rig.character->clips[0];
    const auto joints = jointsOf(
        rig, ck::skinMatricesAt(rig.character->rig, clip, clip.startSeconds), placedActor());
    const std::vector<int> parents = ck::skinJointParents(rig.character->rig);
    int cut = 0;
    int drawn = 0;
    for (int turn = 0; turn < 8; ++turn) {
      camera.yaw = turn * 0.785;
      RenderSettings settings = skeletonSettings();
      const auto frame = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
      settings.view.lines.skeleton = false;
      const auto bare = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
      settings.view.lines.bounds = settings.view.lines.jointAxes = settings.view.wireframe = true;
      QVERIFY(frame && bare && renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight));
      QCOMPARE(countOf(*bare, kBoneColor), 0);
      // The part of every bone that is in front of the eye, in pixels.
      std::vector<std::pair<glm::dvec2, glm::dvec2>> seen;
      for (std::size_t j = 0; j < joints.size(); ++j) {
        glm::dvec3 to = joints[j];
        glm::dvec3 from = parents[j] < 0 ? to : joints[std::size_t(parents[j])];
        const auto depth = [&](const glm::dvec3& place) {
          return glm::dot(eyeOf(camera) - place, towardsEye(camera));
        };
        constexpr double kLeast = 1e-3;
        if (depth(from) < kLeast && depth(to) < kLeast) continue;
        cut += depth(from) < kLeast || depth(to) < kLeast ? 1 : 0;
        const double share = (kLeast - depth(from)) / (depth(to) - depth(from));
        const glm::dvec3 end = glm::mix(from, to, share);
        if (depth(from) < kLeast) from = end;
        if (depth(to) < kLeast) to = end;
        seen.emplace_back(pixelOf(camera, from), pixelOf(camera, to));
      }
      for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
          const glm::dvec2 at(x + 0.5, y + 0.5);
          const std::uint8_t* pixel = frame->rgba.data() + (y * kWidth + x) * 4;
          const glm::dvec3 color(pixel[0], pixel[1], pixel[2]);
          if (glm::distance(color, glm::dvec3(kBoneColor) * 255.0) >= 40.0) continue;
          ++drawn;
          const bool belongs = std::ranges::any_of(seen, [&](const auto& bone) {
            const glm::dvec2 way = bone.second - bone.first;
            const double along = std::clamp(
                glm::dot(at - bone.first, way) / std::max(glm::dot(way, way), 1e-9), 0.0, 1.0);
            return glm::distance(at, bone.first + way * along) < 4.0;
          });
          QVERIFY2(belongs, qPrintable(QString("turn %1: %2, %3").arg(turn).arg(x).arg(y)));
        }
      }
    }
    QVERIFY(cut > 0 && drawn > 200);
  }

 private:
  ck::test::GlStage stage_;
};

CK_TEST(tst_lines)
#include "tst_lines.moc"
