#include <QTest>

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
