#include <QTest>
#include <set>

#include "core/atlas/atlas_layout.h"
#include "tests/support/test_program.h"

namespace {

ck::Result<ck::AtlasLayout> layOut(int joints, const std::vector<int>& frames, int limit) {
  return ck::layOutAtlas(
      {.code = {}, .jointCount = joints, .frameCounts = frames, .maxTextureSize = limit});
}

}  // namespace

class tst_atlas_layout : public QObject {
  Q_OBJECT
 private slots:
  void rejectsMoreJointsThanARowHolds() {
    const auto layout = layOut(5000, {10}, 4096);
    QVERIFY(!layout);
    QCOMPARE(layout.error().code, ck::ErrorCode::LimitExceeded);
    QVERIFY(layout.error().message.find("at most 2048 joints fit") != std::string::npos);
  }

  void rejectsMoreFramesThanFitAndSaysHowManyDo() {
    // Two columns of 100 frames fit a limit of 100 with 25 joints (50 texels).
    const auto layout = layOut(25, {150, 60}, 100);
    QVERIFY(!layout);
    QCOMPARE(layout.error().code, ck::ErrorCode::LimitExceeded);
    QVERIFY(layout.error().message.find("holds 200") != std::string::npos);
  }

  void rejectsSizesBeyond32Bits() {
    // An hour at 60 Hz of 5,000 joints, ten times over: more than 2^32 texels.
    const std::vector<int> hours(10, 216'000);
    QCOMPARE(layOut(5000, hours, 16384).error().code, ck::ErrorCode::LimitExceeded);
    const std::vector<int> largest(100, 100'000'000);
    QCOMPARE(layOut(5000, largest, 16384).error().code, ck::ErrorCode::LimitExceeded);
  }

  void oneColumnStacksTheClips() {
    const auto layout = layOut(36, {37, 22, 251}, 16384);
    QVERIFY(layout);
    QCOMPARE(layout->shape.extent, glm::ivec4(72, 310, 72, 0));
    QCOMPARE(layout->firstFrames, (std::vector<int>{0, 37, 59}));
    QCOMPARE(layout->bytes, std::size_t(72 * 310 * 8));
  }

  void clipsAreNotCutWhereTheyFitAColumn() {
    const auto layout = layOut(3, {60, 60, 30, 250, 20}, 100);
    QVERIFY(layout);
    // 60 + 60 would cut the second; 250 is longer than a column and goes on from where it is.
    QCOMPARE(layout->firstFrames, (std::vector<int>{0, 100, 160, 190, 440}));
    QCOMPARE(layout->shape.block, glm::ivec4(2, 6, 100, 5));
    QCOMPARE(layout->shape.extent, glm::ivec4(30, 100, 6, 0));
  }

  void aLineFillsTheSmallestSquare() {
    // 4096 texels fill a square of 64; one more needs one of 128.
    ck::LayoutRequest request{.kind = ck::LayoutKind::Linear, .code = {}, .jointCount = 1};
    const std::vector<int> full = {2000, 48};
    request.frameCounts = full;
    const auto exact = ck::layOutAtlas(request);
    QVERIFY(exact);
    QCOMPARE(exact->shape.extent, glm::ivec4(64, 64, 2, 1));
    QCOMPARE(exact->usedTexels, exact->texels);
    const std::vector<int> more = {2000, 49};
    request.frameCounts = more;
    QCOMPARE(ck::layOutAtlas(request)->shape.extent, glm::ivec4(128, 128, 2, 1));
  }

  // 85 joints of three texels in tiles of 256: 16 of them in a texture of 1024.
  void anAtlasOf1024HoldsSixteenTilesOf256() {
    const std::vector<int> sixteen(16, 256);
    ck::LayoutRequest request{.kind = ck::LayoutKind::Tiles,
                              .code = {ck::Encoding::T32, ck::Components::Trs},
                              .jointCount = 85,
                              .frameCounts = sixteen};
    const auto layout = ck::layOutAtlas(request);
    QVERIFY(layout);
    QCOMPARE(layout->shape.extent, glm::ivec4(1024, 1024, 256, 0));
    QCOMPARE(layout->shape.block, glm::ivec4(3, 255, 256, 4));
    QCOMPARE(layout->firstFrames[5], 5 * 256);
    QCOMPARE(ck::gpu::ck_atlasTexel(layout->shape, 5 * 256 + 7, 10, 2), glm::ivec2(256 + 32, 263));
    const std::vector<int> seventeen(17, 256);
    request.frameCounts = seventeen;
    QCOMPARE(ck::layOutAtlas(request)->shape.extent.x, 2048);
    request.maxTextureSize = 1024;
    QCOMPARE(ck::layOutAtlas(request).error().code, ck::ErrorCode::LimitExceeded);
  }

  void rowsTakeTheSmallestPowersOfTwo() {
    // 86 texels wide, 300 frames: 128 x 512 and 256 x 256 are equal, and the higher one is taken.
    const std::vector<int> frames = {200, 100};
    ck::LayoutRequest request{
        .code = {}, .jointCount = 43, .frameCounts = frames, .powerOfTwo = true};
    const auto layout = ck::layOutAtlas(request);
    QVERIFY(layout);
    QCOMPARE(layout->shape.extent, glm::ivec4(128, 512, 86, 0));
    request.height = 256;
    QCOMPARE(ck::layOutAtlas(request)->shape.extent, glm::ivec4(256, 256, 86, 0));
    QCOMPARE(ck::layOutAtlas(request)->firstFrames[1], 256);
  }

  void aWidthByHandMakesTheLowestTextureThatFits() {
    const std::vector<int> frames = {60, 60, 30};
    const ck::LayoutRequest request{
        .code = {}, .jointCount = 3, .frameCounts = frames, .width = 13};
    const auto layout = ck::layOutAtlas(request);
    QVERIFY(layout);
    // Two columns: 60 + 30 in one of them.
    QCOMPARE(layout->shape.extent, glm::ivec4(13, 90, 6, 0));
    QCOMPARE(layout->firstFrames, (std::vector<int>{0, 90, 150}));
  }

  void everyTexelHasItsOwnPlace_data() {
    QTest::addColumn<int>("joints");
    QTest::addColumn<int>("limit");
    QTest::newRow("one column") << 7 << 16384;
    QTest::newRow("several columns") << 7 << 64;
    QTest::newRow("columns as wide as the limit") << 32 << 64;
  }
  void everyTexelHasItsOwnPlace() {
    QFETCH(int, joints);
    QFETCH(int, limit);
    const std::vector<int> frames =
        joints == 32 ? std::vector<int>{40, 24} : std::vector<int>{40, 50, 2, 90};
    const auto layout = layOut(joints, frames, limit);
    QVERIFY(layout);
    std::set<std::pair<int, int>> seen;
    for (std::size_t clip = 0; clip < frames.size(); ++clip) {
      for (int frame = 0; frame < frames[clip]; ++frame) {
        for (int joint = 0; joint < joints; ++joint) {
          for (int texel = 0; texel < 2; ++texel) {
            const glm::ivec2 at = ck::gpu::ck_atlasTexel(
                layout->shape, layout->firstFrames[clip] + frame, joint, texel);
            QVERIFY(at.x >= 0 && at.x < layout->shape.extent.x && at.x < limit);
            QVERIFY(at.y >= 0 && at.y < layout->shape.extent.y && at.y <= limit);
            QVERIFY(seen.insert({at.x, at.y}).second);
          }
        }
      }
    }
  }
};

CK_TEST(tst_atlas_layout)
#include "tst_atlas_layout.moc"
