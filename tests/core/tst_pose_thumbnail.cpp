#include <QTest>
#include <array>
#include <cmath>

#include "core/anim/pose.h"
#include "core/skinning/pose_thumbnail.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

ck::Image drawn(const ck::Character& character, double seconds, int width = 48, int height = 64) {
  return ck::drawPose(character, ck::skinMatricesAt(character.rig, character.clips[0], seconds),
                      ck::poseViewOf(character), width, height);
}

int alphaAt(const ck::Image& image, int x, int y) {
  return image.rgba[(std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 4 + 3];
}

int coveredPixels(const ck::Image& image) {
  int count = 0;
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) count += image.rgba[i] > 127 ? 1 : 0;
  return count;
}

// The bar with one material without light, so that its colours are those of the picture.
ck::Character unlitBar(const glm::vec4& color) {
  ck::Character bar = ck::test::barCharacter();
  ck::Material material;
  material.baseColor = color;
  material.unlit = true;
  bar.materials = {material};
  bar.meshes[0].material = 0;
  return bar;
}

// A picture of two columns.
ck::Image columns(std::array<std::uint8_t, 4> left, std::array<std::uint8_t, 4> right) {
  ck::Image image{"columns", 2, 1, {}};
  image.rgba.insert(image.rgba.end(), left.begin(), left.end());
  image.rgba.insert(image.rgba.end(), right.begin(), right.end());
  return image;
}

// Red, green, blue and alpha in the middle of the bar.
std::array<int, 4> middleOf(const ck::Character& character) {
  const ck::Image image = drawn(character, 0.0);
  std::array<int, 4> rgba = {};
  for (std::size_t i = 0; i < 4; ++i) {
    rgba[i] = image.rgba[(std::size_t{32} * 48 + 24) * 4 + i];
  }
  return rgba;
}

int coded(double linear) {
  return static_cast<int>(std::lround(255.0 * (1.055 * std::pow(linear, 1.0 / 2.4) - 0.055)));
}

}  // namespace

class tst_pose_thumbnail : public QObject {
  Q_OBJECT
 private slots:
  void rejectsNothingOfAnEmptyCharacter() {
    ck::Character empty;
    const ck::Image image = ck::drawPose(empty, {}, ck::poseViewOf(empty), 8, 8);
    QCOMPARE(image.rgba.size(), std::size_t{8 * 8 * 4});
    QCOMPARE(coveredPixels(image), 0);
  }

  // The bar stands 2 m high in the middle; an image of 64 pixels shows 2 x 0.58 x 2 m.
  void characterStandsInTheMiddle() {
    const ck::Image image = drawn(ck::test::barCharacter(), 0.0);
    QCOMPARE(image.width, 48);
    QCOMPARE(alphaAt(image, 24, 32), 255);
    QCOMPARE(alphaAt(image, 2, 32), 0);
    QCOMPARE(alphaAt(image, 24, 0), 0);
    const double pixelsPerMeter = 64.0 / (2.0 * 0.58 * 2.0);
    const double wanted = 2.0 * pixelsPerMeter * 0.3 * 1.3 * pixelsPerMeter;
    QVERIFY(std::abs(coveredPixels(image) - wanted) < 0.4 * wanted);
  }

  void poseIsSeen() {
    const ck::Character bar = ck::test::barCharacter();
    const ck::Image upright = drawn(bar, 0.0);
    // Halfway through, the upper half lies on its side: nothing is left at the top.
    const ck::Image bent = drawn(bar, 0.5);
    QCOMPARE(alphaAt(upright, 24, 12), 255);
    QCOMPARE(alphaAt(bent, 24, 12), 0);
    QVERIFY(bent.rgba != upright.rgba);
    QVERIFY(drawn(bar, 1.0).rgba == upright.rgba);
  }

  void unlitColorsAreThoseOfTheFile() {
    ck::Character bar = unlitBar({0.5f, 0.2f, 0.05f, 1.0f});
    const std::array<int, 4> plain = {coded(0.5), coded(0.2), coded(0.05), 255};
    QVERIFY(middleOf(bar) == plain);
    bar.meshes[0].colors.assign(bar.meshes[0].positions.size(), {0.5f, 1.0f, 2.0f, 1.0f});
    const std::array<int, 4> painted = {coded(0.25), coded(0.2), coded(0.1), 255};
    QVERIFY(middleOf(bar) == painted);
  }

  // All uvs lie at u = 1.25: in the left column where the picture repeats, in the right one else.
  void picturesAreWrappedAndPlaced() {
    ck::Character bar = unlitBar(glm::vec4(1.0f));
    bar.images = {columns({255, 0, 0, 255}, {0, 0, 255, 255})};
    ck::Mesh& mesh = bar.meshes[0];
    mesh.uvs.assign(mesh.positions.size(), {1.25f, 0.5f});
    ck::SurfaceMap& base = bar.materials[0].base;
    base.image = 0;
    const auto isRed = [&] { return middleOf(bar)[0] == 255 && middleOf(bar)[2] == 0; };
    QVERIFY(isRed());
    base.wrapU = ck::Wrap::Clamp;
    QVERIFY(!isRed());
    base.wrapU = ck::Wrap::Mirror;
    QVERIFY(!isRed());
    base.offset.x = 0.5f;  // 1.75 lies at 0.25
    QVERIFY(isRed());
    base = {.image = 0, .wrapU = ck::Wrap::Clamp, .scale = {0.2f, 1.0f}};  // 0.25
    QVERIFY(isRed());
    // A quarter turn counter-clockwise: u' = v = 0.5 + 0.25, right; and 0.5 - 0.25, left.
    base = {.image = 0, .wrapU = ck::Wrap::Clamp, .offset = {0.25f, 0.0f}};
    base.rotation = 1.5707964f;
    QVERIFY(!isRed());
    base.offset.x = -0.25f;
    QVERIFY(isRed());
    base = {.image = 0, .uvSet = 1};
    mesh.secondUvs.assign(mesh.positions.size(), {0.75f, 0.5f});
    QVERIFY(!isRed());
  }

  void alphaCutsAndCovers() {
    ck::Character bar = unlitBar({1.0f, 1.0f, 1.0f, 0.4f});
    QCOMPARE(middleOf(bar)[3], 255);
    bar.materials[0].alpha = ck::AlphaMode::Mask;
    QCOMPARE(middleOf(bar)[3], 0);
    bar.materials[0].alphaCutoff = 0.3f;
    QCOMPARE(middleOf(bar)[3], 255);
    // Front and back of the bar cover one after the other.
    bar.materials[0].alpha = ck::AlphaMode::Blend;
    QVERIFY(std::abs(middleOf(bar)[3] - 255.0 * (1.0 - 0.6 * 0.6)) <= 1.0);
    // A mask of tint is no opacity.
    bar.materials[0].baseColor.w = 1.0f;
    bar.materials[0].base.image = 0;
    bar.images = {columns({255, 255, 255, 0}, {255, 255, 255, 0})};
    QCOMPARE(middleOf(bar)[3], 0);
    bar.materials[0].alphaIsTintMask = true;
    QCOMPARE(middleOf(bar)[3], 255);
  }

  void emissionGlowsAndMetalIsTinted() {
    ck::Character bar = unlitBar({0.0f, 0.0f, 0.0f, 1.0f});
    bar.materials[0].unlit = false;
    const std::array<int, 4> dark = middleOf(bar);
    bar.materials[0].emission = {0.3f, 0.0f, 0.0f};
    const std::array<int, 4> glowing = middleOf(bar);
    QVERIFY(glowing[0] >= coded(0.3) && glowing[0] < coded(0.36));
    QCOMPARE(glowing[2], dark[2]);
    bar.materials[0].emission = glm::vec3(0.0f);
    bar.materials[0].baseColor = {0.9f, 0.6f, 0.2f, 1.0f};
    const std::array<int, 4> rough = middleOf(bar);
    bar.materials[0].metallic = 1.0f;
    bar.materials[0].roughness = 0.2f;
    const std::array<int, 4> metal = middleOf(bar);
    QVERIFY(metal != rough);
    QVERIFY(metal[0] > metal[1] && metal[1] > metal[2]);
  }

  void bonesAreDrawnWhereThereIsNoMesh() {
    ck::Character bar = ck::test::barCharacter();
    bar.meshes.clear();
    const ck::Image image = drawn(bar, 0.0);
    QVERIFY(coveredPixels(image) > 20);
    QVERIFY(coveredPixels(image) < 48 * 64 / 4);
  }
};

CK_TEST(tst_pose_thumbnail)
#include "tst_pose_thumbnail.moc"
