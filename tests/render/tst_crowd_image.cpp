#include <epoxy/gl.h>
#include <fmt/format.h>
#include <png.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/system/files.h"
#include "render/gl/handle.h"
#include "render/reference/crowd_bounds.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "render/scene/atlas_gpu.h"
#include "tests/support/gl_feedback.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/steady_crowds.h"
#include "tests/support/test_program.h"

using namespace ck::render;
using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::differentPixels;
using ck::test::plainSettings;
using ck::test::rendererFor;
using ck::test::variedActors;

namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 200;

// Bars side by side, far enough apart that none hides another from the front.
std::vector<ck::Actor> rowOfActors(int count) {
  std::vector<ck::Actor> actors(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    actors[static_cast<std::size_t>(i)].position.x = 3.0f * static_cast<float>(i);
    actors[static_cast<std::size_t>(i)].clip = 1;
    actors[static_cast<std::size_t>(i)].offset = 0.2f * static_cast<float>(i);
  }
  return actors;
}

// A driver that takes textures of 4 x 4 texels.
void APIENTRY smallTextures(GLenum what, GLint* value) {
  *value = what == GL_MAX_TEXTURE_SIZE ? 4 : 0;
}

// A driver that runs out of memory at the next texture, and says so once.
bool isOutOfMemory = false;
void APIENTRY textureWithoutMemory(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum,
                                   const void*) {
  isOutOfMemory = true;
}
GLenum APIENTRY errorOfMemory() {
  return std::exchange(isOutOfMemory, false) ? GL_OUT_OF_MEMORY : GL_NO_ERROR;
}

// Puts a function of the test in place of one of OpenGL.
template <class Function>
class Replaced {
 public:
  Replaced(Function& function, Function other) : function_(function), real_(function) {
    function_ = other;
  }
  ~Replaced() { function_ = real_; }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;

 private:
  Function& function_;
  Function real_;
};

Camera frontCamera(const ck::Crowd& crowd, const BakedRig& rig) {
  Camera camera;
  camera.yaw = 0.0;
  camera.pitch = 0.1;
  frameBox(camera, ck::render::crowdBounds(crowd, rig.character), double{kWidth} / kHeight);
  return camera;
}

glm::ivec2 pixelOf(const Camera& camera, const glm::dvec3& place) {
  const glm::dvec4 clip = glm::dmat4(projectionMatrix(camera, double{kWidth} / kHeight)) *
                          glm::dmat4(viewMatrix(camera)) * glm::dvec4(place, 1.0);
  return {static_cast<int>((clip.x / clip.w * 0.5 + 0.5) * kWidth),
          static_cast<int>((0.5 - clip.y / clip.w * 0.5) * kHeight)};
}

// The bar with two materials: its lower half plain red, its upper half a green picture whose alpha
// keeps the tint away.
ck::Character paintedBar() {
  ck::Character bar = ck::test::barCharacter();
  bar.images = {{"white", 2, 2, {}}, {"green", 8, 4, {}}};
  bar.images[0].rgba.assign(2 * 2 * 4, 255);
  for (int i = 0; i < 8 * 4; ++i) {
    bar.images[1].rgba.insert(bar.images[1].rgba.end(), {0, 255, 0, 0});
  }
  bar.materials.resize(2);
  bar.materials[0].name = "red";
  bar.materials[0].baseColor = {1.0f, 0.0f, 0.0f, 1.0f};
  bar.materials[1].name = "green";
  bar.materials[1].base.image = 1;
  bar.materials[1].alphaIsTintMask = true;
  ck::Mesh upper = bar.meshes[0];
  upper.name = "Upper";
  upper.material = 1;
  upper.indices.assign(bar.meshes[0].indices.begin() + 96, bar.meshes[0].indices.end());
  bar.meshes[0].material = 0;
  bar.meshes[0].indices.resize(96);
  bar.meshes.push_back(upper);
  return bar;
}

// The bar with lids, so that it has no holes; with `open` one triangle more, hidden inside, so that
// it counts as having one.
ck::Character liddedBar(bool open) {
  ck::Character bar = ck::test::barCharacter();
  std::vector<std::uint32_t>& indices = bar.meshes[0].indices;
  indices.insert(indices.end(), {32, 33, 34, 32, 34, 35, 0, 2, 1, 0, 3, 2});
  if (open) indices.insert(indices.end(), {0, 2, 6});
  return bar;
}

struct ColorCount {
  int red = 0;
  int green = 0;
  int blue = 0;
};
ColorCount countColors(const Frame& frame) {
  ColorCount count;
  for (std::size_t p = 0; p < frame.rgba.size(); p += 4) {
    const int r = frame.rgba[p];
    const int g = frame.rgba[p + 1];
    const int b = frame.rgba[p + 2];
    if (r > g + 60 && r > b + 60) ++count.red;
    if (g > r + 60 && g > b + 60) ++count.green;
    if (b > r + 60 && b > g + 60) ++count.blue;
  }
  return count;
}

}  // namespace

class tst_crowd_image : public QObject {
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
    QCOMPARE(stage_.complaints(), std::string());
    QCOMPARE(liveGlObjects(), 0);
  }

  void withoutPerspectiveAnActorIsAsLargeEverywhere() {
    Camera camera;
    camera.yaw = camera.pitch = 0.0;
    const auto covered = [&](double z, bool orthographic) {
      std::vector<ck::Actor> one = rowOfActors(1);
      one[0].position.z = float(z);
      const ck::Crowd crowd(one, rig_.clips);
      camera.orthographic = orthographic;
      const auto count = renderer_->countCovered(crowd, camera, plainSettings(), kWidth, kHeight);
      return count ? double(*count) : -1.0;
    };
    const double atTarget = covered(0.0, true);
    QVERIFY2(atTarget > 500.0, qPrintable(QString::number(atTarget)));
    // Far away, near the eye at 6 m, and behind it.
    for (const double z : {-30.0, 5.0, 20.0}) {
      QVERIFY2(std::abs(covered(z, true) - atTarget) < 0.03 * atTarget,
               qPrintable(QString("%1 of %2").arg(covered(z, true)).arg(atTarget)));
    }
    QVERIFY(covered(-30.0, false) < 0.1 * atTarget);
    QCOMPARE(covered(20.0, false), 0.0);
  }

  void rejectsToDrawNothing() {
    auto empty = CrowdRenderer::make();
    QVERIFY(empty.has_value());
    const ck::Crowd crowd(rowOfActors(1), rig_.clips);
    const auto frame = (*empty)->drawToFrame(crowd, Camera{}, {}, 8, 8);
    QVERIFY(!frame.has_value());
    QCOMPARE(frame.error().code, ck::ErrorCode::InvalidInput);
    const auto atlas = (*empty)->setAtlas(rig_.atlas);
    QVERIFY(!atlas.has_value());
  }

  void rejectsSettingsAndSizesThatCannotBe() {
    const ck::Crowd crowd(rowOfActors(1), rig_.clips);
    RenderSettings settings = plainSettings();
    settings.view.pose.influences = 3;
    QCOMPARE(renderer_->drawToFrame(crowd, Camera{}, settings, 8, 8).error().code,
             ck::ErrorCode::InvalidInput);
    QCOMPARE(renderer_->drawToFrame(crowd, Camera{}, {}, 0, 8).error().code,
             ck::ErrorCode::LimitExceeded);
    QCOMPARE(renderer_->drawToFrame(crowd, Camera{}, {}, 1 << 20, 8).error().code,
             ck::ErrorCode::LimitExceeded);
  }

  // A limit that no driver of a test machine has by itself.
  void rejectsAnAtlasBeyondTheDriversTextures() {
    const Replaced driver(epoxy_glGetIntegerv, smallTextures);
    const auto atlas = uploadAtlas(rig_.atlas);
    QVERIFY(!atlas.has_value());
    QCOMPARE(atlas.error().code, ck::ErrorCode::LimitExceeded);
    const std::string size =
        fmt::format("{} x {} texels", ck::atlasWidth(*rig_.atlas), ck::atlasHeight(*rig_.atlas));
    QVERIFY2(atlas.error().message.find(size) != std::string::npos, atlas.error().message.c_str());
    QVERIFY(atlas.error().message.find("up to 4 x 4") != std::string::npos);
  }

  void rejectsAnAtlasThatTheDriverHasNoMemoryFor() {
    const ck::Crowd crowd(rowOfActors(2), rig_.clips);
    const Camera camera = frontCamera(crowd, rig_);
    const auto before = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight);
    {
      const Replaced textures(epoxy_glTexImage2D, textureWithoutMemory);
      const Replaced errors(epoxy_glGetError, errorOfMemory);
      const auto atlas = uploadAtlas(rig_.atlas);
      QVERIFY(!atlas.has_value());
      QCOMPARE(atlas.error().code, ck::ErrorCode::LimitExceeded);
      QVERIFY2(atlas.error().message.find("has no memory for the atlas") != std::string::npos,
               atlas.error().message.c_str());
    }
    const auto after = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight);
    QVERIFY(before.has_value() && after.has_value());
    QVERIFY(before->rgba == after->rgba);
  }

  void rejectsACharacterWithoutTrianglesAndKeepsTheOld() {
    const ck::Crowd crowd(rowOfActors(2), rig_.clips);
    const Camera camera = frontCamera(crowd, rig_);
    const auto before = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight);
    ck::Character bare = ck::test::barCharacter();
    bare.meshes.clear();
    const auto refused =
        renderer_->setCharacter(std::make_shared<const ck::Character>(std::move(bare)));
    QVERIFY(!refused.has_value());
    const auto after = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight);
    QVERIFY(before.has_value() && after.has_value());
    QVERIFY(before->rgba == after->rgba);
  }

  void aThousandActorsAreOneDraw() {
    const ck::Crowd crowd(variedActors(1000, 2), rig_.clips);
    const auto frame =
        renderer_->drawToFrame(crowd, frontCamera(crowd, rig_), plainSettings(), kWidth, kHeight);
    QVERIFY(frame.has_value());
    QCOMPARE(renderer_->stats().drawCalls, 1);
    QCOMPARE(renderer_->stats().actors, std::size_t{1000});
    // Two texels for each of four joints in two frames; a record and a mark per actor, and the
    // clips' table.
    QCOMPARE(renderer_->stats().fetchesPerVertex, 16);
    QCOMPARE(renderer_->stats().uploadedBytes,
             std::size_t{69000} + ck::test::clipTableBytes(rig_.clips));
    QCOMPARE(renderer_->stats().trianglesPerActor, std::size_t{64});
    QCOMPARE(renderer_->stats().atlasBytes, rig_.atlas->texels.size());
  }

  // Data that have not changed since are not sent again.
  void aStandingCrowdThatPlaysOnSendsNothing() {
    constexpr std::size_t kActors = 137;  // as no other test has, so that all of it is new
    const std::size_t table = ck::test::clipTableBytes(rig_.clips);
    ck::Crowd crowd(variedActors(kActors, 2), rig_.clips);
    const auto bytes = [&](std::vector<std::uint32_t> selected) {
      const auto frame = renderer_->drawToFrame(crowd, frontCamera(crowd, rig_), plainSettings(),
                                                kWidth, kHeight, selected);
      return frame && renderer_->stats().ticked ? renderer_->stats().uploadedBytes : SIZE_MAX;
    };
    QCOMPARE(bytes({}), kActors * (68 + 1) + table);
    crowd.advance(0.1);
    QCOMPARE(bytes({}), std::size_t{0});
    crowd.setTint(7, 0xff0000);
    QCOMPARE(bytes({}), std::size_t{64 * 52});
    crowd.advance(0.1);
    QCOMPARE(bytes({3}), kActors);
  }

  void everyActorIsWhereItsVerticesAre() {
    const ck::Crowd crowd(rowOfActors(5), rig_.clips);
    const Camera camera = frontCamera(crowd, rig_);
    const RenderSettings settings = plainSettings();
    const auto frame = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    const ck::Crowd emptyCrowd(std::vector<ck::Actor>{}, rig_.clips);
    const auto empty = renderer_->drawToFrame(emptyCrowd, camera, settings, kWidth, kHeight);
    QVERIFY(frame.has_value() && empty.has_value());
    const auto positions =
        referencePositions(*rig_.character, rig_.atlas.get(), crowd, settings, false);
    const std::size_t perActor = positions.size() / 5;
    int checked = 0;
    for (std::size_t actor = 0; actor < 5; ++actor) {
      for (std::size_t ring = 1; ring + 1 < perActor / 4; ++ring) {
        glm::dvec3 middle(0.0);
        for (std::size_t corner = 0; corner < 4; ++corner) {
          middle += positions[actor * perActor + ring * 4 + corner] * 0.25;
        }
        const glm::ivec2 at = pixelOf(camera, middle);
        const auto found = renderer_->pick(crowd, camera, settings, kWidth, kHeight, at.x, at.y);
        QVERIFY(found.has_value());
        QCOMPARE(*found, static_cast<int>(actor));
        const auto p = static_cast<std::size_t>(at.y * kWidth + at.x) * 4;
        QVERIFY(!std::equal(frame->rgba.begin() + static_cast<std::ptrdiff_t>(p),
                            frame->rgba.begin() + static_cast<std::ptrdiff_t>(p) + 3,
                            empty->rgba.begin() + static_cast<std::ptrdiff_t>(p)));
        ++checked;
      }
    }
    QCOMPARE(checked, 35);
    const int covered = differentPixels(*frame, *empty);
    QVERIFY2(covered > 200 && covered < kWidth * kHeight / 2, qPrintable(QString::number(covered)));
  }

  void nobodyIsPickedBesideTheActors() {
    const ck::Crowd crowd(rowOfActors(3), rig_.clips);
    const Camera camera = frontCamera(crowd, rig_);
    for (const glm::ivec2 at :
         {glm::ivec2(0, 0), glm::ivec2(kWidth - 1, kHeight - 1), pixelOf(camera, {1.5, 1.0, 0.0}),
          glm::ivec2(-1, 5), glm::ivec2(kWidth, 5)}) {
      const auto found = renderer_->pick(crowd, camera, {}, kWidth, kHeight, at.x, at.y);
      QVERIFY(found.has_value());
      QCOMPARE(*found, -1);
    }
  }

  // The witness of a box is every one of its pixels by itself.
  void boxHoldsWhatItsPixelsHold() {
    const ck::Crowd crowd(rowOfActors(5), rig_.clips);
    const Camera camera = frontCamera(crowd, rig_);
    const auto all = renderer_->pickBox(crowd, camera, {}, kWidth, kHeight, {-50, -50, 5000, 5000});
    QVERIFY(all.has_value());
    QCOMPARE(*all, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
    const glm::ivec2 middle(kWidth / 2, kHeight / 2);
    for (const ck::render::PixelBox box : {ck::render::PixelBox{middle.x - 4, middle.y - 3, 9, 7},
                                           {0, 0, 6, 5},
                                           {middle.x - 30, middle.y, 24, 2},
                                           {kWidth - 3, middle.y, 40, 3}}) {
      std::set<std::uint32_t> wanted;
      for (int y = box.y; y < box.y + box.height; ++y) {
        for (int x = box.x; x < box.x + box.width; ++x) {
          const auto one = renderer_->pick(crowd, camera, {}, kWidth, kHeight, x, y);
          if (*one >= 0) wanted.insert(static_cast<std::uint32_t>(*one));
        }
      }
      const auto found = renderer_->pickBox(crowd, camera, {}, kWidth, kHeight, box);
      QVERIFY(found.has_value());
      QCOMPARE(*found, std::vector<std::uint32_t>(wanted.begin(), wanted.end()));
    }
    const auto outside = renderer_->pickBox(crowd, camera, {}, kWidth, kHeight, {-9, -9, 5, 5});
    QVERIFY(outside.has_value() && outside->empty());
  }

  void actorsMoveWithTime() {
    ck::Crowd crowd(variedActors(9, 2), rig_.clips);
    const Camera camera = frontCamera(crowd, rig_);
    crowd.seek(0.1);
    const auto first = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight);
    const auto again = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight);
    crowd.seek(0.5);
    const auto later = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight);
    QVERIFY(first.has_value() && again.has_value() && later.has_value());
    QVERIFY(first->rgba == again->rgba);
    QVERIFY(differentPixels(*first, *later) > 300);
    renderer_ = rendererFor(rig_);
    crowd.seek(0.1);
    const auto elsewhere = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight);
    QVERIFY(elsewhere.has_value() && first->rgba == elsewhere->rgba);
  }

  void bothMethodsPaintThePicture() {
    ck::Crowd crowd(variedActors(16, 2), rig_.clips);
    crowd.seek(0.37);
    const Camera camera = frontCamera(crowd, rig_);
    RenderSettings settings;
    const auto atlas = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    settings.view.pose.method = ck::Method::Cpu;
    const auto cpu = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    QVERIFY(atlas.has_value() && cpu.has_value());
    QCOMPARE(renderer_->stats().fetchesPerVertex, 0);
    QVERIFY(differentPixels(*atlas, *cpu) < kWidth * kHeight / 500);
    const ck::Crowd emptyCrowd(std::vector<ck::Actor>{}, rig_.clips);
    const auto empty = renderer_->drawToFrame(emptyCrowd, camera, settings, kWidth, kHeight);
    QVERIFY(empty.has_value());
    QVERIFY(differentPixels(*atlas, *empty) > 1000);
  }

  void splitShowsTheSourceLeftAndTheBakeRight() {
    ck::Crowd crowd(variedActors(16, 2), rig_.clips);
    crowd.seek(0.37);
    const Camera camera = frontCamera(crowd, rig_);
    Frame frames[3];
    const ck::ViewMode shown[3] = {ck::ViewMode::Source, ck::ViewMode::Baked, ck::ViewMode::Split};
    for (int i = 0; i < 3; ++i) {
      RenderSettings settings;
      settings.view.pose.viewMode = shown[i];
      // One influence makes the bake differ from the source by more than a glance.
      settings.view.pose.influences = 1;
      auto frame = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
      QVERIFY(frame.has_value());
      frames[i] = std::move(*frame);
    }
    QVERIFY(differentPixels(frames[0], frames[1]) > 20);
    int wrong = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        if (std::abs(x - kWidth / 2) <= 1) continue;
        const Frame& side = frames[x < kWidth / 2 ? 0 : 1];
        const std::size_t p = static_cast<std::size_t>(y * kWidth + x) * 4;
        for (std::size_t c = 0; c < 3; ++c) wrong += side.rgba[p + c] != frames[2].rgba[p + c];
      }
    }
    QCOMPARE(wrong, 0);
    QCOMPARE(renderer_->stats().drawCalls, 2);
  }

  void errorIsPaintedFromColdToHot() {
    ck::Crowd crowd(rowOfActors(4), rig_.clips);
    crowd.seek(0.37);
    const Camera camera = frontCamera(crowd, rig_);
    RenderSettings settings = plainSettings();
    settings.view.pose.viewMode = ck::ViewMode::Error;
    settings.view.pose.influences = 1;
    settings.view.errorScaleMm = 1e6;
    const auto cold = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    settings.view.errorScaleMm = 1e-3;
    const auto hot = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    QVERIFY(cold.has_value() && hot.has_value());
    // Viridis runs from violet to yellow: red and green grow, blue falls.
    const auto yellow = [](const Frame& frame) {
      int count = 0;
      for (std::size_t p = 0; p < frame.rgba.size(); p += 4) {
        count +=
            frame.rgba[p] > frame.rgba[p + 2] + 60 && frame.rgba[p + 1] > frame.rgba[p + 2] + 60;
      }
      return count;
    };
    QVERIFY(yellow(*hot) > yellow(*cold) + 200);
  }

  void withoutAnAtlasTheSourceIsDrawn() {
    ck::Crowd crowd(rowOfActors(3), rig_.clips);
    crowd.seek(0.41);
    const Camera camera = frontCamera(crowd, rig_);
    RenderSettings settings = plainSettings();
    settings.view.pose.viewMode = ck::ViewMode::Source;
    const auto source = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    QVERIFY(renderer_->setAtlas(nullptr).has_value());
    const auto bare = renderer_->drawToFrame(crowd, camera, plainSettings(), kWidth, kHeight);
    QVERIFY(source.has_value() && bare.has_value());
    QVERIFY(source->rgba == bare->rgba);
  }

  void selectionIsSeen() {
    const ck::Crowd crowd(rowOfActors(3), rig_.clips);
    const Camera camera = frontCamera(crowd, rig_);
    const std::vector<std::uint32_t> selected{1, 77};
    const auto plain = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight);
    const auto marked = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight, selected);
    QVERIFY(plain.has_value() && marked.has_value());
    QVERIFY(differentPixels(*plain, *marked) > 100);
    // Only about the actor in the middle.
    const int left = pixelOf(camera, {1.5, 0.0, 0.0}).x;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < left - 4; ++x) {
        const std::size_t p = static_cast<std::size_t>(y * kWidth + x) * 4;
        QCOMPARE(plain->rgba[p], marked->rgba[p]);
      }
    }
  }

  void shadowsAndGridAreSwitches() {
    const ck::Crowd crowd(rowOfActors(3), rig_.clips);
    const Camera camera = frontCamera(crowd, rig_);
    RenderSettings settings = plainSettings();
    const auto plain = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    settings.view.shadows = ck::Shadows::Soft;
    const auto shadows = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    settings.view.grid = true;
    const auto grid = renderer_->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    QVERIFY(plain.has_value() && shadows.has_value() && grid.has_value());
    QVERIFY(differentPixels(*plain, *shadows) > 50);
    QVERIFY(differentPixels(*grid, *shadows) > 50);
  }

  void picturesAndTintsAreSeen() {
    rig_ = bakedRig(paintedBar());
    renderer_ = rendererFor(rig_);
    QVERIFY(renderer_ != nullptr);
    auto actors = rowOfActors(2);
    for (const std::uint32_t tint : {0xffffffu, 0x0000ffu}) {
      for (ck::Actor& actor : actors) actor.tint = tint;
      const ck::Crowd crowd(actors, rig_.clips);
      const auto frame =
          renderer_->drawToFrame(crowd, frontCamera(crowd, rig_), plainSettings(), kWidth, kHeight);
      QVERIFY(frame.has_value());
      const ColorCount count = countColors(*frame);
      // The plain red half takes the tint, and blue on red is black; the green half is masked.
      QCOMPARE(count.red > 100, tint == 0xffffffu);
      QVERIFY(count.green > 100);
      QCOMPARE(renderer_->stats().drawCalls, 1);
    }
  }

  void leavingOutBackFacesIsNotSeen_data() {
    QTest::addColumn<float>("scale");
    QTest::newRow("upright") << 1.0f;
    QTest::newRow("mirrored") << -1.0f;
  }
  void leavingOutBackFacesIsNotSeen() {
    QFETCH(float, scale);
    Frame frames[2];
    for (const bool open : {false, true}) {
      rig_ = bakedRig(liddedBar(open));
      renderer_ = rendererFor(rig_);
      QVERIFY(renderer_ != nullptr);
      auto actors = rowOfActors(4);
      for (ck::Actor& actor : actors) {
        actor.scale = scale;
        if (scale < 0.0f) actor.position.y = 2.5f;  // mirrored bodies hang down
      }
      const ck::Crowd crowd(actors, rig_.clips);
      auto frame =
          renderer_->drawToFrame(crowd, frontCamera(crowd, rig_), plainSettings(), kWidth, kHeight);
      QVERIFY(frame.has_value());
      const ck::Crowd emptyCrowd(std::vector<ck::Actor>{}, rig_.clips);
      const auto empty = renderer_->drawToFrame(emptyCrowd, frontCamera(crowd, rig_),
                                                plainSettings(), kWidth, kHeight);
      QVERIFY(empty.has_value());
      QVERIFY(differentPixels(*frame, *empty) > 200);
      frames[open ? 1 : 0] = std::move(*frame);
    }
    QVERIFY(differentPixels(frames[0], frames[1]) < 20);
  }

  void anySizeCanBeDrawn() {
    const ck::Crowd crowd(rowOfActors(2), rig_.clips);
    for (const glm::ivec2 size :
         {glm::ivec2(1, 1), glm::ivec2(3, 700), glm::ivec2(900, 2), glm::ivec2(64, 64)}) {
      for (const ck::ViewMode shown :
           {ck::ViewMode::Baked, ck::ViewMode::Split, ck::ViewMode::Error}) {
        RenderSettings settings;
        settings.view.pose.viewMode = shown;
        const auto frame = renderer_->drawToFrame(crowd, Camera{}, settings, size.x, size.y);
        QVERIFY(frame.has_value());
        QCOMPARE(frame->rgba.size(), static_cast<std::size_t>(size.x * size.y) * 4);
      }
    }
    QVERIFY(renderer_->draw(crowd, Camera{}, {}, 0, 0, 0).has_value());
  }

  void anEmptyCrowdIsAnEmptyPlace() {
    const ck::Crowd emptyCrowd(std::vector<ck::Actor>{}, rig_.clips);
    for (const auto method : {ck::Method::Atlas, ck::Method::Cpu}) {
      RenderSettings settings;
      settings.view.pose.method = method;
      QVERIFY(renderer_->drawToFrame(emptyCrowd, Camera{}, settings, 32, 32).has_value());
      QCOMPARE(renderer_->stats().drawCalls, 0);
      const auto positions = readBackPositions(*renderer_, emptyCrowd, settings);
      QVERIFY(positions.has_value() && positions->empty());
    }
  }

  void stateOfTheCallerDoesNotMatter() {
    const ck::Crowd crowd(rowOfActors(3), rig_.clips);
    const Camera camera = frontCamera(crowd, rig_);
    const auto before = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight);
    ck::test::disturbGlState();
    const auto after = renderer_->drawToFrame(crowd, camera, {}, kWidth, kHeight);
    QVERIFY(before.has_value() && after.has_value());
    QVERIFY(before->rgba == after->rgba);
  }

  void aCrowdOfAnotherAtlasReadsNothingBesideThisOne() {
    std::vector<ck::CrowdClip> clips = rig_.clips;
    for (ck::CrowdClip& clip : clips) clip.firstFrame = 1000000;
    const ck::Crowd lost(rowOfActors(2), clips);
    for (const bool interpolate : {false, true}) {
      RenderSettings settings = plainSettings();
      settings.view.pose.sampling = ck::samplingFor(interpolate);
      const auto positions = readBackPositions(*renderer_, lost, settings);
      QVERIFY(positions.has_value());
      // Some pose of the bar: no vertex is further from its actor than the bar is long.
      for (std::size_t i = 0; i < positions->size(); ++i) {
        const float x = i < positions->size() / 2 ? 0.0f : 3.0f;
        QVERIFY(glm::distance((*positions)[i], glm::vec3(x, 0.0f, 0.0f)) < 2.1f);
      }
    }
  }

  void moreVerticesThan16BitsAreDrawn() {
    ck::Character wide = ck::test::barCharacter();
    ck::Mesh& mesh = wide.meshes[0];
    const ck::Mesh one = mesh;
    constexpr std::uint32_t kCopies = 2000;
    for (std::uint32_t copy = 1; copy < kCopies; ++copy) {
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      const auto firstInfluence = static_cast<std::uint32_t>(mesh.influences.size());
      for (const glm::vec3& p : one.positions) {
        mesh.positions.push_back(p + glm::vec3(0.0f, 0.0f, 1e-4f * static_cast<float>(copy)));
      }
      mesh.normals.insert(mesh.normals.end(), one.normals.begin(), one.normals.end());
      mesh.uvs.insert(mesh.uvs.end(), one.uvs.begin(), one.uvs.end());
      mesh.influences.insert(mesh.influences.end(), one.influences.begin(), one.influences.end());
      for (std::size_t v = 1; v < one.influenceStarts.size(); ++v) {
        mesh.influenceStarts.push_back(firstInfluence + one.influenceStarts[v]);
      }
      for (const std::uint32_t index : one.indices) mesh.indices.push_back(first + index);
    }
    rig_ = bakedRig(std::move(wide));
    renderer_ = rendererFor(rig_);
    QVERIFY(renderer_ != nullptr);
    ck::Crowd crowd(rowOfActors(1), rig_.clips);
    crowd.seek(0.3);
    const auto frame =
        renderer_->drawToFrame(crowd, frontCamera(crowd, rig_), plainSettings(), kWidth, kHeight);
    QVERIFY(frame.has_value());
    QVERIFY(renderer_->stats().verticesPerActor > 65535);
    const auto drawn = readBackPositions(*renderer_, crowd, plainSettings());
    QVERIFY(drawn.has_value());
    const double distance = ck::test::largestDistance(
        *drawn,
        referencePositions(*rig_.character, rig_.atlas.get(), crowd, plainSettings(), false));
    QVERIFY(distance >= 0.0 && distance < 2e-5);
  }

  void tooManyActorsForTheCpuAreRefusedWithANumber() {
    const ck::Crowd crowd(variedActors(500000, 2, 0.1f), rig_.clips);
    RenderSettings settings = plainSettings();
    settings.view.pose.method = ck::Method::Cpu;
    const auto frame = renderer_->drawToFrame(crowd, Camera{}, settings, 8, 8);
    QVERIFY(!frame.has_value());
    QCOMPARE(frame.error().code, ck::ErrorCode::LimitExceeded);
    QVERIFY(frame.error().message.find("at most") != std::string::npos);
  }

  void pngsAreReadBackTheSame() {
    QTemporaryDir folder;
    const std::filesystem::path path =
        std::filesystem::path(folder.path().toStdString()) / ck::pathFromText("Bild \u00fc.png");
    Frame frame{3, 2, {}};
    for (int i = 0; i < 24; ++i) frame.rgba.push_back(static_cast<std::uint8_t>(i * 10));
    QVERIFY(writePng(frame, path).has_value());
    const auto bytes = ck::readFile(path, 1 << 20);
    QVERIFY(bytes.has_value());
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    QVERIFY(png_image_begin_read_from_memory(&image, bytes->data(), bytes->size()) != 0);
    image.format = PNG_FORMAT_RGBA;
    std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
    QVERIFY(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) != 0);
    QCOMPARE(image.width, 3u);
    QCOMPARE(image.height, 2u);
    QVERIFY(pixels == frame.rgba);
    QVERIFY(!writePng(frame, path / "below.png").has_value());
  }

  void boundsHoldEveryVertexAtRest() {
    const ck::Crowd crowd(variedActors(20, 2), rig_.clips);
    const ck::Bounds bounds = ck::render::crowdBounds(crowd, rig_.character);
    RenderSettings settings = plainSettings();
    const ck::Crowd still(variedActors(20, 1), std::vector<ck::CrowdClip>(1));
    for (const glm::dvec3& p :
         referencePositions(*rig_.character, nullptr, still, settings, true)) {
      QVERIFY(glm::all(glm::greaterThanEqual(p, bounds.low - 1e-5)));
      QVERIFY(glm::all(glm::lessThanEqual(p, bounds.high + 1e-5)));
    }
  }

 private:
  ck::test::GlStage stage_;
  BakedRig rig_;
  std::unique_ptr<CrowdRenderer> renderer_;
};

CK_TEST(tst_crowd_image)
#include "tst_crowd_image.moc"
