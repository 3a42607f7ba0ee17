#include <fmt/format.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <string>

#include "core/atlas/pose_reading.h"
#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/import/import_process.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

// The bar, 2 m long, whose upper joint swells by `share` and back.
ck::Character swelling(float share) {
  ck::Character bar = ck::test::barCharacter();
  bar.clips.erase(bar.clips.begin() + 1, bar.clips.end());
  for (ck::JointTracks& tracks : bar.clips[0].jointTracks) {
    if (tracks.joint != 1) continue;
    tracks.scale.times = {0.0, 0.5, 1.0};
    tracks.scale.values = {glm::vec3(1.0f), glm::vec3(1.0f + share), glm::vec3(1.0f)};
  }
  return bar;
}

ck::Atlas baked(const ck::Character& character, ck::Encoding encoding, ck::RangeMode mode) {
  ck::BakeSettings settings;
  settings.encoding = encoding;
  settings.rangeMode = mode;
  if (encoding != ck::Encoding::P16) settings.components = ck::Components::Trs;
  auto result = ck::bake(character, settings);
  if (!result) qFatal("%s", result.error().message.c_str());
  return std::move(result->atlas);
}

}  // namespace

Q_DECLARE_METATYPE(ck::BakeSettings)
Q_DECLARE_METATYPE(ck::Character)
Q_DECLARE_METATYPE(ck::Encoding)
Q_DECLARE_METATYPE(ck::RangeMode)

class tst_texel_ranges : public QObject {
  Q_OBJECT
 private slots:
  // The vertices of the upper half are up to 1 m from its joint, so 1e-6 moves them by 0.001 mm.
  void rangesTooNarrowToMatterAreConstants_data() {
    QTest::addColumn<ck::Encoding>("encoding");
    QTest::addColumn<ck::RangeMode>("mode");
    for (const auto encoding : {ck::Encoding::P16, ck::Encoding::T16, ck::Encoding::T8}) {
      for (const auto mode : {ck::RangeMode::Joint, ck::RangeMode::JointClip}) {
        QTest::addRow("%s %s", ck::encodingName(encoding).data(), ck::rangeModeName(mode).data())
            << encoding << mode;
      }
    }
  }
  void rangesTooNarrowToMatterAreConstants() {
    QFETCH(ck::Encoding, encoding);
    QFETCH(ck::RangeMode, mode);
    const bool isPivot = encoding == ck::Encoding::P16;
    for (const auto& [share, isKept] : {std::pair(8e-7f, false), std::pair(1e-4f, true)}) {
      const ck::Character character = swelling(share);
      const ck::Atlas atlas = baked(character, encoding, mode);
      const ck::TexelRange& range = ck::rangesFor(atlas, 0, 1)[isPivot ? 0 : 2];
      const float size = isPivot ? range.size.w : range.size.x;
      const float low = isPivot ? range.low.w : range.low.x;
      if (isKept) {
        QVERIFY2(std::abs(size - share) < 1e-6f, qPrintable(QString::number(size)));
      } else {
        QCOMPARE(size, 0.0f);
        // The middle of what is rounded away.
        QVERIFY(low > 1.0f && low < 1.0f + share);
      }
    }
  }

  // Everything that is left out is below what is said, at the vertices.
  void theErrorStaysBelowTheLimit() {
    const ck::Character still = swelling(0.0f);
    const ck::Character noisy = swelling(8e-7f);
    const auto errorOf = [](const ck::Character& character) {
      const ck::Atlas atlas = baked(character, ck::Encoding::P16, ck::RangeMode::Joint);
      return ck::measureBakeError(character, atlas, ck::JobContext{})->palette.vertices.max;
    };
    QVERIFY(errorOf(noisy) <= errorOf(still) + 0.003);
  }

  void placesAreKeptFromAThousandthOfAMillimetreOn() {
    for (const auto& [meters, isKept] : {std::pair(1e-6f, false), std::pair(1e-4f, true)}) {
      ck::Character bar = ck::test::barCharacter();
      ck::JointTracks way;
      way.translation.times = {0.0, 1.0};
      way.translation.values = {glm::vec3(0.0f), glm::vec3(meters, 0.0f, 0.0f)};
      bar.clips[1].jointTracks.push_back(way);
      const ck::Atlas atlas = baked(bar, ck::Encoding::P16, ck::RangeMode::Joint);
      QCOMPARE(ck::rangesFor(atlas, 1, 0)[0].size.x > 0.0f, isKept);
    }
  }

  void rotationsKeepWhatTheySpan() {
    const ck::Atlas bytes = baked(swelling(0.0f), ck::Encoding::T8, ck::RangeMode::Joint);
    QVERIFY(ck::rangesFor(bytes, 0, 1)[1].size.w > 0.1f);
  }
};

CK_TEST(tst_texel_ranges)
#include "tst_texel_ranges.moc"
