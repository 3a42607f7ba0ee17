#include <QTest>
#include <array>
#include <random>

#include "core/anim/pose.h"
#include "core/atlas/atlas_check.h"
#include "core/atlas/atlas_map.h"
#include "core/atlas/local_poses.h"
#include "core/atlas/pose_reading.h"
#include "core/bake/bake.h"
#include "core/bake/single_poses.h"
#include "core/bake/vertex_error.h"
#include "core/error/bake_error.h"
#include "core/fit/fit.h"
#include "core/import/import_process.h"
#include "core/system/files.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/rig_files.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Encoding;
using ck::test::hasNote;

namespace {

constexpr Encoding kLocal[] = {Encoding::R64, Encoding::R32};

ck::BakeSettings settingsFor(Encoding encoding) {
  ck::BakeSettings settings;
  settings.encoding = encoding;
  return settings;
}

std::vector<std::uint32_t> wordsOf(std::span<const std::byte> bytes) {
  std::vector<std::uint32_t> words(bytes.size() / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    words[i / 4] |= std::to_integer<std::uint32_t>(bytes[i]) << (8 * (i % 4));
  }
  return words;
}

std::vector<std::uint32_t> encoded(Encoding encoding, const ck::JointPose& pose,
                                   const ck::TexelRange& range) {
  std::vector<std::byte> bytes(ck::bytesPerJoint({encoding}));
  ck::encodePose({encoding}, pose, std::span(&range, 1), bytes);
  return wordsOf(bytes);
}

// The distance of a vertex from where the source has it, at stored frames, for a character's rig in
// pivot form: rounding alone. In millimetres; witness are the poses of core/anim/pose.h in double.
double roundingMm(const ck::Character& character, const ck::Atlas& atlas) {
  const ck::MorphSet morphs = ck::morphSetOf(character);
  const std::vector<float> rest = ck::defaultWeights(morphs);
  const ck::VertexModel model = ck::vertexModelOf(character, morphs, 8, {});
  ck::VertexComparison comparison(model);
  double most = 0.0;
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    const ck::AtlasClip& baked = atlas.clips[c];
    const ck::Clip& source = character.clips[c];
    if (!baked.stepFrames.empty()) continue;
    const int last = baked.frameCount - 1;
    const int stride = std::max(1, last / 60);
    for (int frame = 0; frame <= last; frame += stride) {
      const double passed = frame * baked.durationSeconds / last;
      // The closing step has no source, and a closed loop ends in its first pose.
      if (passed > source.durationSeconds || (frame == last && baked.seam != ck::Seam::None)) break;
      std::vector<glm::dmat4> exact =
          ck::skinMatricesAt(character.rig, source, source.startSeconds + passed);
      for (std::size_t joint = 0; joint < exact.size(); ++joint) {
        const ck::AtlasJoint& entry = atlas.joints[joint];
        const ck::JointPose pose = ck::pivotPoseOf(exact[joint], glm::dvec3(entry.pivot));
        exact[joint] = ck::skinMatrixOf(ck::PoseForm::Pivot, pose, entry);
      }
      const auto drawn =
          ck::skinMatricesOf(atlas, ck::storedFrame(atlas, static_cast<int>(c), frame));
      most = std::max(most, 1000.0 * comparison.worst({exact, drawn, rest, rest}).meters);
    }
  }
  return most;
}

}  // namespace

class tst_local_poses : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void rejectsRangesOfTheWholeAtlas() {
    for (const Encoding encoding : kLocal) {
      ck::BakeSettings settings = settingsFor(encoding);
      settings.rangeMode = ck::RangeMode::Atlas;
      const auto baked = ck::bake(ck::test::swingingLimb(), settings);
      QVERIFY(!baked);
      QCOMPARE(baked.error().code, ck::ErrorCode::InvalidInput);
      QVERIFY2(baked.error().message.find("choose ranges per joint, or per joint and clip") !=
                   std::string::npos,
               baked.error().message.c_str());
    }
  }

  // One sentence that names joints, and what to choose instead.
  void rejectsRigsThatMostlyMove() {
    ck::Character limb = ck::test::swingingLimb();
    const auto move = [&limb](std::size_t joint) {
      auto& place = limb.clips[1].jointTracks[joint].translation;
      const glm::vec3 at(limb.rig.joints[joint].rest.translation);
      place = {ck::Interpolation::Linear, {0.0, 0.5}, {at, at + glm::vec3(0.0f, 0.01f, 0.0f)}};
    };
    for (const std::size_t joint : {2, 3, 5}) move(joint);
    for (const Encoding encoding : kLocal) {
      const auto baked = ck::bake(limb, settingsFor(encoding));
      QVERIFY2(baked, baked ? "" : baked.error().message.c_str());
      QVERIFY(hasNote(baked->notes, "PlacesTracked",
                      "joints 'joint2', 'joint3' and 'joint5' move against their parents"));
      QCOMPARE(ck::trackCount(ck::tracksOf(baked->atlas)), 4);  // and that of the root
    }
    move(6);
    for (const Encoding encoding : kLocal) {
      const std::string name(ck::encodingName(encoding));
      const std::string due =
          "limb: joints 'joint2', 'joint3', 'joint5' and 1 more of 7 move against their parents, "
          "and " +
          name +
          " stores how joints turn, and the places of at most half of them; bake as P16, P16F, P8, "
          "U128, U64, D16, T32, T16, T8, M32, M16 or M16F, which store the place of every joint";
      const auto baked = ck::bake(limb, settingsFor(encoding));
      QVERIFY(!baked);
      QCOMPARE(baked.error().code, ck::ErrorCode::InvalidInput);
      QCOMPARE(baked.error().message, due);
      QCOMPARE(ck::bakeCost(limb, settingsFor(encoding)).error().message, due);
    }
  }

  void rejectsScalesThatHaveNoRoom() {
    ck::Character limb = ck::test::swingingLimb();
    const auto scaled = [&limb](float first, float last) {
      ck::Character other = limb;
      other.clips[2].jointTracks[4].scale = {
          ck::Interpolation::Linear, {0.5, 1.0}, {glm::vec3(first), glm::vec3(last)}};
      return other;
    };
    const auto refused = ck::bake(scaled(1.0f, 1.2f), settingsFor(Encoding::R32));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ck::ErrorCode::InvalidInput);
    QCOMPARE(refused.error().message,
             std::string("limb: joint 'joint4' changes its scale, in clip 'Away' for one, and R32 "
                         "has a lasting scale per joint and clip; bake as R64, which has room for "
                         "scales"));
    // One that lasts is kept by both, one that changes by R64.
    for (const Encoding encoding : kLocal) {
      const ck::Character lasting = scaled(1.2f, 1.2f);
      const auto baked = ck::bake(lasting, settingsFor(encoding));
      QVERIFY2(baked, baked ? "" : baked.error().message.c_str());
      QVERIFY(std::abs(
                  ck::storedPose(baked->atlas, 2, baked->atlas.clips[2].firstFrame + 3, 4).scale.x -
                  1.2f) < 1e-4f);
    }
    const ck::Character changing = scaled(0.0f, 1.2f);
    const auto baked = ck::bake(changing, settingsFor(Encoding::R64));
    QVERIFY(baked);
    const int first = baked->atlas.clips[2].firstFrame;
    QCOMPARE(ck::storedPose(baked->atlas, 2, first, 4).scale.x, 0.0f);
    const double mm = roundingMm(changing, baked->atlas);
    QVERIFY2(mm < 0.16, qPrintable(QString::number(mm)));
  }

  void rejectsAtlasesWhoseTracksDoNotFit() {
    ck::Atlas atlas = ck::bake(ck::test::swingingLimb(), settingsFor(Encoding::R64))->atlas;
    QVERIFY(ck::checkAtlas(atlas));
    ck::Atlas more = atlas;
    more.ranges[3].size.x = 0.1f;  // a joint more that should have a track
    QVERIFY(!ck::checkAtlas(more));
    atlas.recipe.rangeMode = ck::RangeMode::Atlas;
    atlas.ranges.resize(1);
    QVERIFY(!ck::checkAtlas(atlas));
  }

  // shaders/shared/packed.glsl, by hand.
  void bitsLieWhereThePageSays() {
    const ck::TexelRange range{glm::vec4(0.0f), glm::vec4(0.0f, 0.0f, 0.0f, 2.0f)};
    const ck::JointPose upright{{}, glm::vec3(1.0f), {1.0f, 0.0f, 0.0f, 0.0f}};
    const auto at64 = encoded(Encoding::R64, upright, range);
    QCOMPARE(at64[0], 16383u | 16383u << 15 | 3u << 30);
    QCOMPARE(at64[1], 16383u | 65536u << 15);
    const auto at32 = encoded(Encoding::R32, upright, range);
    QCOMPARE(at32.size(), std::size_t(1));
    QCOMPARE(at32[0], 511u | 511u << 10 | 511u << 20 | 3u << 30);
    // A quarter turn about -y: y is left out and made positive, so w is at the lower end.
    const float root = std::sqrt(0.5f);
    const ck::JointPose turned{{}, glm::vec3(2.0f), {0.9999f * root, 0.0f, -root, 0.0f}};
    QCOMPARE(encoded(Encoding::R64, turned, range)[0] >> 30, 1u);
    QVERIFY((encoded(Encoding::R64, turned, range)[1] & 32767u) < 4u);
    QCOMPARE(encoded(Encoding::R64, turned, range)[1] >> 15, 131071u);
    QCOMPARE(encoded(Encoding::R32, turned, range)[0], 511u | 511u << 10 | 0u << 20 | 1u << 30);
    // Tracks: x at the top, y at a half, z at an eighth.
    const ck::TexelRange walked{glm::vec4(1.0f, 2.0f, 3.0f, 1.0f),
                                glm::vec4(1.0f, 4.0f, 8.0f, 0.0f)};
    std::array<std::byte, 8> bytes = {};
    ck::encodeTrack({Encoding::R64}, {2.0f, 4.0f, 4.0f}, walked, bytes);
    const std::uint64_t whole =
        std::uint64_t{2097151} | std::uint64_t{1048576} << 21 | std::uint64_t{262144} << 42;
    QCOMPARE(wordsOf(bytes)[0], static_cast<std::uint32_t>(whole));
    QCOMPARE(wordsOf(bytes)[1], static_cast<std::uint32_t>(whole >> 32));
    ck::encodeTrack({Encoding::R32}, {2.0f, 4.0f, 4.0f}, walked, bytes);
    // 1048575, 524288 and 131072 of 20 bits.
    QCOMPARE(wordsOf(bytes)[0], 1023u | 512u << 10 | 128u << 20);
    QCOMPARE(wordsOf(bytes)[1], 1023u | 0u << 10 | 0u << 20);
  }

  // Turns are rounded to the nearest that there is, which is nearer than three numbers rounded each
  // by itself get where all four are alike (0.276 degrees with ten bits: tst_encoding).
  void turnsAndTracksAreRoundedToTheNearest() {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
    const ck::TexelRange range{glm::vec4(-1.0f, -2.0f, -1.0f, 0.5f),
                               glm::vec4(2.0f, 3.0f, 2.0f, 1.0f)};
    for (const Encoding encoding : kLocal) {
      const bool wide = encoding == Encoding::R64;
      double degrees = 0.0;
      double track = 0.0;
      double scale = 0.0;
      for (int i = 0; i < 20000; ++i) {
        glm::quat turn(unit(random), unit(random), unit(random), unit(random));
        if (i % 2 == 0) turn = 0.05f * turn + glm::quat(0.5f, -0.5f, 0.5f, 0.5f);
        turn = glm::normalize(turn);
        const ck::JointPose pose{{}, glm::vec3(1.0f + 0.5f * unit(random)), turn};
        std::vector<std::byte> bytes(ck::bytesPerJoint({encoding}));
        ck::encodePose({encoding}, pose, std::span(&range, 1), bytes);
        const ck::JointPose back = ck::decodePose({encoding}, bytes, std::span(&range, 1), {});
        const glm::dquat off = glm::conjugate(glm::dquat(turn)) * glm::dquat(back.rotation);
        degrees = std::max(
            degrees, glm::degrees(2.0 * std::asin(std::min(
                                            1.0, glm::length(glm::dvec3(off.x, off.y, off.z))))));
        scale = std::max(scale, double(std::abs(back.scale.x - pose.scale.x)));
        const glm::vec3 place(unit(random), -0.5f + unit(random), unit(random));
        std::vector<std::byte> moved(ck::bytesPerTrack({encoding}));
        ck::encodeTrack({encoding}, place, range, moved);
        track =
            std::max(track, double(glm::length(ck::decodeTrack({encoding}, moved, range) - place)));
      }
      // docs/techniques.md 3.2, and for 15 bits a 32nd of what ten have.
      const double most = wide ? 0.16 / 32.0 : 0.16;
      QVERIFY2(degrees < most && degrees > 0.8 * most, qPrintable(QString::number(degrees)));
      if (wide) QVERIFY2(scale < 0.51 / 131071.0, qPrintable(QString::number(scale)));
      // 3 m in 2^21 or 2^20 parts.
      const double step = 3.0 / (wide ? 2097151.0 : 1048575.0);
      QVERIFY2(track < step, qPrintable(QString::number(track)));
      QVERIFY2(track > 0.4 * step, qPrintable(QString::number(track)));
    }
  }

  // Poses relative to the parents, put together again.
  void walksFromTheRoots() {
    const ck::Character limb = ck::test::swingingLimb();
    ck::BakeSettings settings;
    settings.encoding = Encoding::T32;
    const ck::Atlas exact = ck::bake(limb, settings)->atlas;
    for (const Encoding encoding : kLocal) {
      const ck::Atlas atlas = ck::bake(limb, settingsFor(encoding))->atlas;
      QCOMPARE(
          ck::columnCount(atlas),
          atlas.joints.size() + static_cast<std::size_t>(ck::encodingInfo(encoding).trackTexels));
      for (int frame = 0; frame < atlas.clips[1].frameCount; ++frame) {
        const auto drawn = ck::skinMatricesOf(atlas, ck::storedFrame(atlas, 1, frame));
        const auto due = ck::skinMatricesOf(exact, ck::storedFrame(exact, 1, frame));
        for (std::size_t joint = 0; joint < due.size(); ++joint) {
          const ck::JointPose alone =
              ck::storedPose(atlas, 1, atlas.clips[1].firstFrame + frame, static_cast<int>(joint));
          const glm::dvec3 pivot(atlas.joints[joint].pivot);
          const double meters = glm::distance(glm::dvec3(drawn[joint] * glm::dvec4(pivot, 1.0)),
                                              glm::dvec3(due[joint] * glm::dvec4(pivot, 1.0)));
          QVERIFY2(meters < (encoding == Encoding::R64 ? 2e-4 : 6e-3),
                   qPrintable(QString::number(meters)));
          QVERIFY(glm::distance(glm::dvec3(alone.position),
                                glm::dvec3(drawn[joint] * glm::dvec4(pivot, 1.0))) < 1e-5);
        }
      }
    }
  }

  void everyTexelIsFoundAgain() {
    for (const Encoding encoding : kLocal) {
      ck::BakeSettings settings = settingsFor(encoding);
      settings.layout = ck::LayoutKind::Linear;
      const ck::Atlas atlas = ck::bake(ck::test::swingingLimb(), settings)->atlas;
      const int joints = static_cast<int>(atlas.joints.size());
      const int perTrack = ck::encodingInfo(encoding).trackTexels;
      const int frame = atlas.clips[1].firstFrame + 5;
      for (int column = 0; column < static_cast<int>(ck::columnCount(atlas)); ++column) {
        const glm::ivec2 at = ck::gpu::ck_atlasTexel(atlas.shape, frame, column, 0);
        const auto place = ck::texelPlaceAt(atlas, at.x, at.y);
        QVERIFY(place);
        const bool isTrack = column >= joints;
        // The root alone has one.
        const ck::TexelPlace due{1, 5, isTrack ? 0 : column, isTrack ? 1 + column - joints : 0};
        QVERIFY(*place == due);
        QCOMPARE(ck::texelKind(atlas, place->texel),
                 isTrack ? ck::TexelKind::Track : ck::TexelKind::Turn);
      }
      QCOMPARE(static_cast<int>(ck::columnCount(atlas)), joints + perTrack);
    }
  }

  // docs/techniques.md 3.2: at vertices of rigs of two metres.
  void roundingOfAllRigsIsWithinTheDocumentedBound_data() {
    QTest::addColumn<QString>("file");
    for (const ck::test::RigFile& rig : ck::test::rigFiles()) {
      if (!rig.whyNotBaked.empty()) continue;
      QTest::newRow(rig.name.c_str()) << QString::fromStdString(ck::pathText(rig.path));
    }
  }
  void roundingOfAllRigsIsWithinTheDocumentedBound() {
    QFETCH(QString, file);
    const auto character =
        ck::importCharacter(ck::pathFromText(file.toStdString()), {.heightMeters = 2.0});
    QVERIFY2(character, character ? "" : character.error().message.c_str());
    for (const Encoding encoding : kLocal) {
      const auto baked = ck::bake(*character, settingsFor(encoding));
      if (!baked) {
        const std::string& why = baked.error().message;
        QVERIFY2(why.find("; bake as ") != std::string::npos, why.c_str());
        qInfo("%s", why.c_str());
        continue;
      }
      const double mm = roundingMm(*character, baked->atlas);
      const auto name = ck::encodingName(encoding);
      qInfo("%s: %.4f mm, %d tracks of %zu joints", name.data(), mm,
            ck::trackCount(ck::tracksOf(baked->atlas)), baked->atlas.joints.size());
      // Some are wider than they are high.
      const ck::Bounds box = ck::bindBounds(*character);
      const glm::dvec3 size = box.high - box.low;
      const double larger = std::max({1.0, 0.5 * size.x, 0.5 * size.y, 0.5 * size.z});
      const double most = larger * (encoding == Encoding::R64 ? 0.16 : 6.0);
      QVERIFY2(mm <= most, qPrintable(QString("%1 mm of %2").arg(mm).arg(most)));
    }
  }

  // A search finds them for readers of palettes alone, with the bytes that a bake has.
  void searchesTakeThemForPalettes() {
    const ck::Character limb = ck::test::swingingLimb();
    ck::FitWish wish;
    wish.choices.encodings = {Encoding::R32, Encoding::P16};
    wish.choices.influences = {4};
    wish.choices.rates = {ck::FitRate{}};
    wish.limits.error.vertexMm = 20.0;
    const auto found = ck::findAtlas(limb, wish);
    QVERIFY(found && found->best);
    const ck::FitRow& best = found->rows[*found->best];
    QCOMPARE(encodingOf(best.settings), Encoding::R32);
    QCOMPARE(best.fetches, 12);
    QCOMPARE(best.bytes, ck::bake(limb, best.settings)->atlas.texels.size());
    QCOMPARE(best.bytes, ck::bakeCost(limb, best.settings)->bytes);
    wish.settings.reading = ck::Reading::Direct;
    const auto direct = ck::findAtlas(limb, wish);
    QVERIFY(direct && direct->best);
    for (const ck::FitRow& row : direct->rows) QCOMPARE(encodingOf(row.settings), Encoding::P16);
  }
};

CK_TEST(tst_local_poses)
#include "tst_local_poses.moc"
