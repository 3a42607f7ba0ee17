#include <QTest>
#include <algorithm>
#include <map>

#include "core/atlas/atlas_layout.h"
#include "core/atlas/atlas_map.h"
#include "core/bake/bake.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Atlas;
using ck::TexelPlace;

namespace {

constexpr int kJoints = 3;

// An atlas of three joints of two texels with its shape written by hand and no texels.
Atlas shaped(const glm::ivec4& block, const glm::ivec4& extent,
             const std::vector<std::pair<int, int>>& clips) {
  Atlas atlas;
  atlas.shape.block = block;
  atlas.shape.extent = extent;
  atlas.joints.resize(kJoints);
  for (const auto& [first, count] : clips) {
    ck::AtlasClip clip;
    clip.firstFrame = first;
    clip.frameCount = count;
    atlas.clips.push_back(clip);
  }
  return atlas;
}

std::map<std::string, Atlas> shapes() {
  const int frame = kJoints * 2;
  return {
      {"rows in one column", shaped({2, frame, 9, 1}, {frame, 9, frame, 0}, {{0, 4}, {4, 5}})},
      // The second clip is longer than a column, and a frame is left unused after the first.
      {"rows in three columns",
       shaped({2, frame, 5, 3}, {3 * frame, 5, frame, 0}, {{0, 4}, {5, 8}})},
      {"rows in a power of two", shaped({2, frame, 16, 2}, {16, 16, frame, 0}, {{0, 14}, {16, 9}})},
      // Two by two tiles of eight texels, a clip in each of three.
      {"tiles", shaped({2, frame, 8, 2}, {16, 16, 8, 0}, {{0, 8}, {8, 3}, {16, 5}})},
      // Eight texels do not hold two frames of six: frames are broken at the width.
      {"linear", shaped({2, frame, 10, 1}, {8, 8, frame, 1}, {{0, 7}, {7, 3}})},
  };
}

}  // namespace

class tst_atlas_map : public QObject {
  Q_OBJECT
 private slots:
  void rejectsTexelsThatHoldNoPose() {
    const Atlas tiles = shapes()["tiles"];
    QVERIFY(!ck::texelPlaceAt(tiles, -1, 0));
    QVERIFY(!ck::texelPlaceAt(tiles, 0, 16));
    QVERIFY2(!ck::texelPlaceAt(tiles, 6, 0), "beside the joints of a tile");
    QVERIFY2(!ck::texelPlaceAt(tiles, 8, 3), "below the last frame of the second clip");
    QVERIFY2(!ck::texelPlaceAt(tiles, 8, 8), "the tile without a clip");
    const Atlas rows = shapes()["rows in three columns"];
    QVERIFY2(!ck::texelPlaceAt(rows, 0, 4), "the frame between two clips");
    QVERIFY2(!ck::texelPlaceAt(rows, 17, 4), "after the last frame");
    const Atlas padded = shapes()["rows in a power of two"];
    QVERIFY2(!ck::texelPlaceAt(padded, 12, 0), "beside the last column");
  }

  void everyTexelIsFoundWhereTheShaderLooks_data() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, atlas] : shapes()) QTest::newRow(name.c_str()) << name.c_str();
  }
  void everyTexelIsFoundWhereTheShaderLooks() {
    QFETCH(QString, name);
    const Atlas atlas = shapes()[name.toStdString()];
    int poses = 0;
    for (int clip = 0; clip < int(atlas.clips.size()); ++clip) {
      for (int frame = 0; frame < atlas.clips[clip].frameCount; ++frame) {
        for (int joint = 0; joint < kJoints; ++joint) {
          for (int texel = 0; texel < 2; ++texel) {
            const glm::ivec2 at = ck::gpu::ck_atlasTexel(
                atlas.shape, atlas.clips[clip].firstFrame + frame, joint, texel);
            const auto found = ck::texelPlaceAt(atlas, at.x, at.y);
            QVERIFY(found);
            QVERIFY((*found == TexelPlace{clip, frame, joint, texel}));
            ++poses;
          }
        }
      }
    }
    int found = 0;
    for (int y = 0; y < ck::atlasHeight(atlas); ++y) {
      for (int x = 0; x < ck::atlasWidth(atlas); ++x)
        found += ck::texelPlaceAt(atlas, x, y) ? 1 : 0;
    }
    QCOMPARE(found, poses);
  }

  void theRectanglesOfAClipHoldItsTexelsAndNoOthers_data() {
    everyTexelIsFoundWhereTheShaderLooks_data();
  }
  void theRectanglesOfAClipHoldItsTexelsAndNoOthers() {
    QFETCH(QString, name);
    const Atlas atlas = shapes()[name.toStdString()];
    for (int clip = 0; clip < int(atlas.clips.size()); ++clip) {
      int texels = 0;
      for (const ck::TexelRect& rect : ck::clipRects(atlas, clip)) {
        for (int y = rect.y; y < rect.y + rect.height; ++y) {
          for (int x = rect.x; x < rect.x + rect.width; ++x) {
            const auto place = ck::texelPlaceAt(atlas, x, y);
            QVERIFY(place);
            QCOMPARE(place->clip, clip);
            ++texels;
          }
        }
      }
      QCOMPARE(texels, atlas.clips[clip].frameCount * kJoints * 2);
    }
  }

  void valuesDecodeToTheStoredPose() {
    const auto baked = ck::bake(ck::test::barCharacter(), {});
    QVERIFY(baked);
    const Atlas& atlas = baked->atlas;
    const int frame = 7;
    const int joint = 1;
    const ck::JointPose pose = ck::storedPose(atlas, 0, frame, joint);
    const ck::TexelRange& range = ck::rangesFor(atlas, 0, joint).front();
    const glm::ivec2 at = ck::gpu::ck_atlasTexel(atlas.shape, frame, joint, 0);
    const glm::vec4 place = range.low + ck::texelValue(atlas, at.x, at.y) * range.size;
    QVERIFY(glm::distance(glm::vec3(place), pose.position) < 1e-6f);
    QCOMPARE(place.w, pose.scale.x);
    QCOMPARE(ck::texelKind(atlas, 0), ck::TexelKind::PositionScale);
    QCOMPARE(ck::texelKind(atlas, 1), ck::TexelKind::Rotation);
    const glm::vec4 turn = ck::texelValue(atlas, at.x + 1, at.y) * 2.0f - 1.0f;
    QVERIFY(std::abs(turn.w - pose.rotation.w) < 1e-4f);
    const std::size_t byte = ck::texelOffset(atlas, frame, joint);
    const auto low = std::to_integer<unsigned>(atlas.texels[byte]);
    QCOMPARE(ck::texelBits(atlas, at.x, at.y).x & 0xffu, low);
  }

  void wordsHoldThePoseOfP16() {
    const ck::Character bar = ck::test::barCharacter();
    ck::BakeSettings settings;
    const Atlas plain = ck::bake(bar, settings)->atlas;
    settings.encoding = ck::Encoding::U64;
    const Atlas narrow = ck::bake(bar, settings)->atlas;
    settings.encoding = ck::Encoding::U128;
    const Atlas packed = ck::bake(bar, settings)->atlas;
    QCOMPARE(ck::texelKind(packed, 0), ck::TexelKind::Packed);
    const glm::ivec2 at = ck::gpu::ck_atlasTexel(packed.shape, 7, 1, 0);
    const glm::ivec2 place = ck::gpu::ck_atlasTexel(plain.shape, 7, 1, 0);
    const glm::uvec4 words = ck::texelBits(packed, at.x, at.y);
    for (int i = 0; i < 4; ++i) {
      const glm::uvec4 halves = ck::texelBits(plain, place.x + i / 2, place.y);
      QCOMPARE(words[i], halves[i % 2 * 2] | halves[i % 2 * 2 + 1] << 16);
    }
    // Channels that a texel lacks are 0.
    const glm::uvec4 two = ck::texelBits(narrow, at.x, at.y);
    QVERIFY(two.y != 0 && two.z == 0 && two.w == 0);
  }

  void boundsHoldEveryValueAndAreReached() {
    const auto baked = ck::bake(ck::test::barCharacter(), {});
    QVERIFY(baked);
    const Atlas& atlas = baked->atlas;
    const ck::ChannelBounds bounds = ck::channelBounds(atlas);
    for (int channel = 0; channel < 4; ++channel) {
      float low = 1e9f;
      float high = -1e9f;
      for (int y = 0; y < ck::atlasHeight(atlas); ++y) {
        for (int x = 0; x < ck::atlasWidth(atlas); ++x) {
          if (!ck::texelPlaceAt(atlas, x, y)) continue;
          low = std::min(low, ck::texelValue(atlas, x, y)[channel]);
          high = std::max(high, ck::texelValue(atlas, x, y)[channel]);
        }
      }
      QCOMPARE(bounds.low[channel], low);
      QCOMPARE(bounds.high[channel], high);
    }
  }
};

CK_TEST(tst_atlas_map)
#include "tst_atlas_map.moc"
