#include <fmt/format.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <string>

#include "core/atlas/compact_slack.h"
#include "core/atlas/pose_reading.h"
#include "core/bake/bake.h"
#include "core/bake/bake_error.h"
#include "core/container/atlas_file.h"
#include "core/container/small_form.h"
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

// The largest distance, in millimetres, of any vertex in any stored frame from where another atlas
// of the same settings draws it. Morph targets at full weight are vertices of their own.
double largestMoveMm(const ck::Character& character, const ck::Atlas& a, const ck::Atlas& b) {
  double most = 0.0;
  for (int clip = 0; clip < static_cast<int>(a.clips.size()); ++clip) {
    const int frames = a.clips[static_cast<std::size_t>(clip)].frameCount;
    for (int frame = 0; frame < frames; ++frame) {
      std::vector<ck::JointPose> poses[2];
      for (int joint = 0; joint < static_cast<int>(a.joints.size()); ++joint) {
        const int first = a.clips[static_cast<std::size_t>(clip)].firstFrame;
        poses[0].push_back(ck::storedPose(a, clip, first + frame, joint));
        poses[1].push_back(ck::storedPose(b, clip, first + frame, joint));
      }
      const auto ours = ck::skinMatricesOf(a, poses[0]);
      const auto theirs = ck::skinMatricesOf(b, poses[1]);
      for (const ck::Mesh& mesh : character.meshes) {
        const auto compare = [&](std::size_t vertex, const glm::vec3& at) {
          glm::dvec3 off(0.0);
          for (const ck::Influence& influence : ck::influencesOf(mesh, vertex)) {
            const auto j = static_cast<std::size_t>(influence.skinJoint);
            off += static_cast<double>(influence.weight) *
                   glm::dvec3((ours[j] - theirs[j]) * glm::dvec4(glm::dvec3(at), 1.0));
          }
          most = std::max(most, 1000.0 * glm::length(off));
        };
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) compare(v, mesh.positions[v]);
        for (const ck::MorphTarget& target : mesh.morphTargets) {
          for (std::size_t i = 0; i < target.vertices.size(); ++i) {
            const std::size_t v = target.vertices[i];
            compare(v, mesh.positions[v] + target.positionDeltas[i]);
          }
        }
      }
    }
  }
  return most;
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

  void compactPosesMoveNoVertexFurther_data() {
    QTest::addColumn<ck::Character>("character");
    QTest::addColumn<ck::BakeSettings>("settings");
    ck::test::useBuiltImportWorker();
    const auto humanoid = ck::importCharacter(ck::test::sampleHumanoid());
    QVERIFY(humanoid.has_value());
    const std::pair<const char*, ck::Character> rigs[] = {
        {"limb", ck::test::swingingLimb()}, {"swelling", swelling(0.5f)}, {"humanoid", *humanoid}};
    for (const auto& [name, character] : rigs) {
      for (const ck::EncodingInfo& info : ck::allEncodings()) {
        if (!ck::canBeCompact(info)) continue;
        for (const auto mode :
             {ck::RangeMode::Atlas, ck::RangeMode::Joint, ck::RangeMode::JointClip}) {
          const std::string title = fmt::format("{}, {}, {}", name, info.name, rangeModeName(mode));
          ck::BakeSettings settings;
          settings.encoding = info.encoding;
          settings.rangeMode = mode;
          if (ck::storesComponents(info)) settings.components = ck::Components::Trs;
          QTest::newRow(title.c_str()) << character << settings;
        }
      }
      ck::BakeSettings turns;
      turns.encoding = ck::Encoding::T16;
      turns.components = ck::Components::R;
      QTest::addRow("%s, T16, rotations alone", name) << character << turns;
    }
  }
  void compactPosesMoveNoVertexFurther() {
    QFETCH(ck::Character, character);
    QFETCH(ck::BakeSettings, settings);
    const auto fine = ck::bake(character, settings);
    QVERIFY2(fine.has_value(), fine ? "" : fine.error().message.c_str());
    QCOMPARE(fine->atlas.compactMm, 0.0);
    const std::size_t bytes = ck::atlasToBytes(fine->atlas, {}, ck::Pack::Small).size();
    for (const double mm : {0.2, 2.0, 20.0}) {
      settings.compactMm = mm;
      const auto compact = ck::bake(character, settings);
      QVERIFY(compact.has_value());
      QCOMPARE(compact->atlas.compactMm, mm);
      const double moved = largestMoveMm(character, fine->atlas, compact->atlas);
      // Poses are read in float.
      QVERIFY2(moved <= mm + 0.001, qPrintable(QString::number(moved)));
      // Not far finer than it may be: bounds are for all roundings at once. Of the swelling bar no
      // number may be off at all by 0.2 mm, and its turns alone are predicted.
      const bool mustRound = mm > 1.0 && settings.components != ck::Components::R;
      if (mustRound) {
        QVERIFY2(moved > 0.05 * mm, qPrintable(QString::number(moved)));
      }
      const auto file = ck::atlasToBytes(compact->atlas, {}, ck::Pack::Small);
      const std::size_t described = 8 + 8 + 4 * compact->atlas.joints.size();
      QVERIFY(file.size() < (mustRound ? bytes : bytes + described + 1));
      const auto read = ck::atlasFileFromBytes(file);
      QVERIFY(read.has_value());
      QVERIFY(read->atlas == compact->atlas);
      QVERIFY(read->atlas.compactReach == compact->atlas.compactReach);
      for (const int threads : {1, 3}) {
        ck::JobContext job;
        job.threadCount = threads;
        const auto again = ck::bake(character, settings, job);
        QVERIFY(again.has_value() && again->atlas == compact->atlas);
      }
    }
  }

  void onlyNumbersOf16BitsAreCompact() {
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      ck::BakeSettings settings;
      settings.encoding = info.encoding;
      const auto fine = ck::bake(ck::test::barCharacter(), settings);
      settings.compactMm = 5.0;
      QCOMPARE(ck::compactMmFor(settings), ck::canBeCompact(info) ? 5.0 : 0.0);
      const auto compact = ck::bake(ck::test::barCharacter(), settings);
      QVERIFY(fine.has_value() && compact.has_value());
      QCOMPARE(fine->atlas == compact->atlas, !ck::canBeCompact(info));
    }
  }

  // Boxes hold what rounding may move.
  void boxesHoldCompactPoses() {
    ck::BakeSettings settings;
    settings.compactMm = 20.0;
    const ck::Character character = ck::test::swingingLimb();
    const auto compact = ck::bake(character, settings);
    QVERIFY(compact.has_value());
    for (std::size_t c = 0; c < compact->atlas.clips.size(); ++c) {
      const ck::AtlasClip& clip = compact->atlas.clips[c];
      for (int frame = 0; frame < clip.frameCount; ++frame) {
        const auto skins = ck::skinMatricesOf(
            compact->atlas, ck::storedFrame(compact->atlas, static_cast<int>(c), frame));
        for (const ck::Mesh& mesh : character.meshes) {
          for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            glm::dvec3 place(0.0);
            for (const ck::Influence& own : ck::influencesOf(mesh, v)) {
              const glm::dvec4 at(glm::dvec3(mesh.positions[v]), 1.0);
              place += static_cast<double>(own.weight) *
                       glm::dvec3(skins[static_cast<std::size_t>(own.skinJoint)] * at);
            }
            for (int axis = 0; axis < 3; ++axis) {
              QVERIFY(place[axis] >= clip.bounds.low[axis] - 1e-5);
              QVERIFY(place[axis] <= clip.bounds.high[axis] + 1e-5);
            }
          }
        }
      }
    }
  }

  // A file may say that next to nothing may be moved, of joints that have no size: a share of
  // nothing by nothing.
  void slackOfNothingIsNone() {
    ck::BakeSettings settings;
    settings.compactMm = 1.0;
    auto compact = ck::bake(ck::test::barCharacter(), settings);
    QVERIFY(compact.has_value());
    ck::Atlas& atlas = compact->atlas;
    atlas.compactMm = 2e-322;
    for (ck::TexelRange& range : atlas.ranges) range.low.w = range.size.w = 0.0f;
    for (std::size_t joint = 0; joint < atlas.joints.size(); ++joint) {
      for (const int slack : ck::compactSlack(atlas, 0, static_cast<int>(joint))) {
        QCOMPARE(slack, 0);
      }
    }
  }

  // Rounding to the predicted again changes nothing, so that a container holds what the bake made.
  void roundedBlocksStayAsTheyAre() {
    for (const ck::Character& character : {ck::test::swingingLimb(), swelling(0.5f)}) {
      ck::BakeSettings settings;
      settings.compactMm = 1.0;
      const auto compact = ck::bake(character, settings);
      QVERIFY(compact.has_value());
      const ck::Atlas& atlas = compact->atlas;
      for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
        const ck::ClipModel model = ck::clipModel(atlas, clip, true);
        ck::ClipBlock block = ck::takeBlock(atlas, clip);
        const std::vector<std::byte> before = block.bytes;
        ck::roundToPredicted(model, ck::numberFormat(atlas), block);
        QVERIFY(block.bytes == before);
        QVERIFY(!ck::packSmall(model, ck::numberFormat(atlas), block).empty());
      }
    }
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
