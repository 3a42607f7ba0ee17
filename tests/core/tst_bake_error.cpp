#include <QTest>
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "core/anim/pose.h"
#include "core/atlas/atlas_layout.h"
#include "core/bake/bake.h"
#include "core/bake/bake_window.h"
#include "core/bake/pose/lane_poser.h"
#include "core/error/bake_error.h"
#include "core/error/error_moments.h"
#include "core/error/stretch_comparison.h"
#include "core/morph/morph_set.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/made_clips.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Reading;

namespace {

struct Sample {
  double mm = 0.0;
  std::string joint;
  double seconds = 0.0;
};

// The definition of docs/techniques.md 3.4, written out for a clip whose frames are its keys, by
// 200 even times in every interval.
std::vector<Sample> bruteForce(const ck::Character& character, const ck::Atlas& atlas,
                               Reading reading) {
  constexpr int kParts = 200;
  std::vector<Sample> samples;
  const ck::Clip& clip = character.clips[0];
  const int steps = atlas.clips[0].frameCount - 1;
  for (int i = 0; i <= steps * kParts; ++i) {
    const double unit = i / (steps * static_cast<double>(kParts));
    const double seconds = clip.startSeconds + unit * clip.durationSeconds;
    const auto source = ck::skinMatricesAt(character.rig, clip, seconds);
    const auto baked = ck::atlasSkinMatrices(atlas, 0, unit, reading);
    for (std::size_t j = 0; j < source.size(); ++j) {
      const glm::dvec3 pivot = ck::pivotOf(character.rig.skinJoints[j]);
      Sample sample{0.0, atlas.joints[j].name, seconds};
      for (const glm::dvec3 off :
           {glm::dvec3(0.03, 0, 0), glm::dvec3(0, 0.03, 0), glm::dvec3(0, 0, 0.03)}) {
        const glm::dvec4 at(pivot + off, 1.0);
        sample.mm = std::max(sample.mm, 1000.0 * glm::distance(glm::dvec3(source[j] * at),
                                                               glm::dvec3(baked[j] * at)));
      }
      samples.push_back(sample);
    }
  }
  return samples;
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance;
}

}  // namespace

class tst_bake_error : public QObject {
  Q_OBJECT
 private slots:
  void rejectsAnAtlasOfAnotherRig_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("says");
    QTest::newRow("another number of joints") << 0 << "2 joints there and 7 here";
    QTest::newRow("another name of a joint") << 1 << "joint 3 is 'joint3' there and 'elbow' here";
    QTest::newRow("a clip that is gone") << 2 << "no clip 'Closed'";
    QTest::newRow("a clip of another length") << 3 << "'Closed' is 1.0000 s long";
  }
  void rejectsAnAtlasOfAnotherRig() {
    QFETCH(int, which);
    QFETCH(QString, says);
    ck::Character limb = ck::test::swingingLimb();
    ck::Atlas atlas = ck::bake(which == 0 ? ck::test::barCharacter() : limb, {})->atlas;
    if (which == 1) limb.rig.joints[3].name = "elbow";
    if (which == 2) limb.clips[0].name = "Other";
    if (which == 3) limb.clips[0].durationSeconds = 0.9;
    const auto error = ck::measureBakeError(limb, atlas);
    QVERIFY(!error);
    QCOMPARE(error.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY2(error.error().message.find(says.toStdString()) != std::string::npos,
             error.error().message.c_str());
  }

  // The closing step of an exclusive loop belongs to the length.
  void rejectsExclusiveClipsOfAnotherLength() {
    ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = ck::bake(limb, {})->atlas;
    const auto exclusive =
        std::ranges::find(atlas.clips, ck::Seam::Exclusive, &ck::AtlasClip::seam);
    QVERIFY(exclusive != atlas.clips.end());
    QVERIFY(ck::measureBakeError(limb, atlas));
    for (const double seconds : {-1.0 / 30.0, 0.01, 1.0}) {
      ck::Atlas forged = atlas;
      forged.clips[static_cast<std::size_t>(exclusive - atlas.clips.begin())].durationSeconds +=
          seconds;
      const auto error = ck::measureBakeError(limb, forged);
      QVERIFY(!error);
      QCOMPARE(error.error().code, ck::ErrorCode::InvalidInput);
      QVERIFY2(error.error().message.find("s long there and") != std::string::npos,
               error.error().message.c_str());
    }
  }

  void agreesWithBruteForce_data() {
    QTest::addColumn<int>("reading");
    QTest::newRow("relative to the parent") << static_cast<int>(Reading::Palette);
    QTest::newRow("each joint by itself") << static_cast<int>(Reading::Direct);
  }
  void agreesWithBruteForce() {
    QFETCH(int, reading);
    ck::Character limb = ck::test::swingingLimb();
    limb.clips.resize(1);
    const ck::Atlas atlas = ck::bake(limb, {})->atlas;
    const auto measured = ck::measureBakeError(limb, atlas);
    QVERIFY(measured);
    const ck::ErrorFigures& figures =
        static_cast<Reading>(reading) == Reading::Palette ? measured->palette : measured->direct;
    auto samples = bruteForce(limb, atlas, static_cast<Reading>(reading));
    double squares = 0.0;
    for (const Sample& sample : samples) squares += sample.mm * sample.mm;
    std::sort(samples.begin(), samples.end(),
              [](const Sample& a, const Sample& b) { return a.mm < b.mm; });
    const Sample& worst = samples.back();
    QVERIFY(near(figures.shell.max, worst.mm, 0.01 * worst.mm));
    QCOMPARE(figures.shell.worstJoint, worst.joint);
    QCOMPARE(figures.shell.worstClip, std::string("Closed"));
    QVERIFY(near(figures.shell.worstTimeSeconds, worst.seconds, 0.002));
    const double rms = std::sqrt(squares / static_cast<double>(samples.size()));
    QVERIFY(near(figures.shell.rms, rms, 0.01 * rms));
    const double p99 = samples[samples.size() * 99 / 100].mm;
    QVERIFY(near(figures.shell.p99, p99, 0.03 * p99));
  }

  void theDirectReadingIsTheWorseOne() {
    const ck::Character limb = ck::test::swingingLimb();
    const auto error = ck::measureBakeError(limb, ck::bake(limb, {})->atlas);
    QVERIFY(error);
    QVERIFY(error->palette.shell.max < 0.5);
    QVERIFY(error->direct.shell.max > 2.0 * error->palette.shell.max);
    QVERIFY(error->palette.maxDegrees > 0.0 && error->palette.maxDegrees < 0.1);
  }

  void framesBetweenKeysAreMeasuredToo() {
    // One frame for ten keys: what lies between is lost, and the figure says how much.
    const ck::Character bar = ck::test::barCharacter();
    ck::BakeSettings coarse;
    coarse.frames = 4;
    const auto error = ck::measureBakeError(bar, ck::bake(bar, coarse)->atlas);
    QVERIFY(error);
    QVERIFY(error->palette.shell.max > 5.0);
    QVERIFY(error->palette.maxDegrees > 10.0);
  }

  void aPivotPutWrongIsMeasuredInFull() {
    const ck::Character limb = ck::test::swingingLimb();
    ck::Atlas atlas = ck::bake(limb, {})->atlas;
    // Every position of the last joint 10 mm further along x.
    atlas.ranges.back().low.x += 0.01f;
    const auto error = ck::measureBakeError(limb, atlas);
    QVERIFY(error);
    QVERIFY(near(error->palette.shell.max, 10.0, 0.5));
    QCOMPARE(error->palette.shell.worstJoint, std::string("joint6"));
  }

  void jointsThatMoveNothingAreNotJudged() {
    ck::Character limb = ck::test::swingingLimb();
    for (ck::Influence& influence : limb.meshes[0].influences) {
      if (influence.skinJoint == 6) influence.skinJoint = 5;
    }
    ck::Atlas atlas = ck::bake(limb, {})->atlas;
    atlas.ranges.back().low.x += 0.01f;
    QVERIFY(ck::measureBakeError(limb, atlas)->palette.shell.max < 0.5);
  }

  void verticesAreComparedWithAllInfluencesOfTheSource() {
    ck::Character limb = ck::test::limbCharacter(6);
    limb.clips.push_back(ck::test::swingClip(limb, {}));
    ck::BakeSettings settings;
    settings.influences = 1;
    const ck::Atlas atlas = ck::bake(limb, settings)->atlas;
    double worst = 0.0;
    for (int i = 0; i <= 150; ++i) {
      const auto source = ck::skinMatricesAt(limb.rig, limb.clips[0], i / 150.0);
      const auto baked = ck::atlasSkinMatrices(atlas, 0, i / 150.0, Reading::Palette);
      const auto all = ck::skinMesh(limb.meshes[0], source);
      const auto kept = ck::skinMesh(limb.meshes[0], baked, {.influenceLimit = 1});
      for (std::size_t v = 0; v < all.positions.size(); ++v) {
        worst = std::max(worst, glm::distance(all.positions[v], kept.positions[v]) * 1000.0);
      }
    }
    const auto error = ck::measureBakeError(limb, atlas);
    QVERIFY(error);
    QVERIFY(near(error->palette.vertices.max, worst, 0.001 * worst));
    QCOMPARE(error->palette.vertices.worstMesh, std::string("Tube"));
    QVERIFY(error->palette.vertices.max > error->palette.shell.max);
  }

  // Of long clips every stretch is sampled at a part of the vertices; all of them at 3,001 even
  // moments are the witness.
  void verticesOfLongClipsAreTakenInTurn() {
    ck::Character limb = ck::test::limbCharacter(6);
    limb.clips.push_back(ck::test::swingClip(limb, {.keyCount = 301}));
    ck::BakeSettings settings;
    settings.influences = 1;
    const ck::Atlas atlas = ck::bake(limb, settings)->atlas;
    std::vector<double> all;
    double squares = 0.0;
    constexpr int kMoments = 3000;
    for (int i = 0; i <= kMoments; ++i) {
      const double unit = i / static_cast<double>(kMoments);
      const auto source =
          ck::skinMatricesAt(limb.rig, limb.clips[0], unit * limb.clips[0].durationSeconds);
      const auto baked = ck::atlasSkinMatrices(atlas, 0, unit, Reading::Palette);
      const auto wanted = ck::skinMesh(limb.meshes[0], source);
      const auto shown = ck::skinMesh(limb.meshes[0], baked, {.influenceLimit = 1});
      for (std::size_t v = 0; v < wanted.positions.size(); ++v) {
        all.push_back(glm::distance(wanted.positions[v], shown.positions[v]) * 1000.0);
        squares += all.back() * all.back();
      }
    }
    std::ranges::sort(all);
    const auto error = ck::measureBakeError(limb, atlas);
    QVERIFY(error);
    const ck::ErrorFigure& vertices = error->palette.vertices;
    const double rms = std::sqrt(squares / static_cast<double>(all.size()));
    const double p99 = all[all.size() * 99 / 100];
    QVERIFY2(near(vertices.rms, rms, 0.01 * rms),
             qPrintable(QString("%1 of %2").arg(vertices.rms).arg(rms)));
    QVERIFY2(near(vertices.p99, p99, 0.03 * p99),
             qPrintable(QString("%1 of %2").arg(vertices.p99).arg(p99)));
    QVERIFY(near(vertices.max, all.back(), 0.001 * all.back()));
  }

  void placesThatAreNotNumbersAreNoPerfectPoses_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("says");
    QTest::newRow("a texel") << 0 << "moves joint 'joint3' to a place that is not a number, at 0.";
    QTest::newRow("a spline between keys") << 1 << "clip 'Closed' moves joint 'joint0' to a place";
    QTest::newRow("a morph weight") << 2 << "gives morph target 'morph1' a weight that is not";
  }
  void placesThatAreNotNumbersAreNoPerfectPoses() {
    QFETCH(int, which);
    QFETCH(QString, says);
    ck::Character limb = ck::test::swingingLimb();
    limb.clips.resize(1);
    ck::test::addMorphs(limb, 1);
    ck::BakeSettings settings;
    settings.encoding = ck::Encoding::M32;
    ck::Atlas atlas = ck::bake(limb, settings)->atlas;
    if (which == 0) {
      const float nan = std::numeric_limits<float>::quiet_NaN();
      std::memcpy(atlas.texels.data() + ck::texelOffset(atlas, 7, 3), &nan, sizeof nan);
    }
    if (which == 1) {
      auto& track = limb.clips[0].jointTracks[0].translation;
      track = {ck::Interpolation::Cubic, {0.0, 1.0}, std::vector<glm::vec3>(6, glm::vec3(0.0f))};
      track.values[2].x = 3e38f;
    }
    if (which == 2) {
      limb.clips[0].morphTracks[1].weight.values[2] = std::numeric_limits<float>::infinity();
    }
    const auto error = ck::measureBakeError(limb, atlas);
    QVERIFY(!error);
    QCOMPARE(error.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY2(error.error().message.find(says.toStdString()) != std::string::npos,
             error.error().message.c_str());
  }

  void pixelsAreThoseOfTheView() {
    // 2 m high at 1 m with 90 degrees.
    const ck::ScreenView view{1.0, 500.0, 90.0};
    QVERIFY(near(ck::pixelsPerMeter(view), 250.0, 1e-9));
    const ck::Character limb = ck::test::swingingLimb();
    const auto error = ck::measureBakeError(limb, ck::bake(limb, {})->atlas, {.screen = view});
    QVERIFY(error);
    const ck::ErrorFigures& figures = error->direct;
    QVERIFY(near(figures.screen.max, 0.25 * figures.vertices.max, 1e-9));
    QVERIFY(near(figures.screen.rms, 0.25 * figures.vertices.rms, 1e-9));
    QCOMPARE(figures.screen.worstVertex, figures.vertices.worstVertex);
  }

  void whatIsDrawnIsMeasured() {
    ck::Character limb = ck::test::limbCharacter(6);
    limb.clips.push_back(ck::test::swingClip(limb, {}));
    ck::test::addMorphs(limb, 1);
    const ck::Atlas atlas = ck::bake(limb, {})->atlas;
    const auto as = [&](const ck::DrawnAs& drawn) {
      return *ck::measureBakeError(limb, atlas, drawn);
    };
    const ck::BakeError stated = *ck::measureBakeError(limb, atlas);
    QCOMPARE(as({.influences = 4}).palette.vertices.max, stated.palette.vertices.max);
    QVERIFY(as({.influences = 1}).palette.vertices.max > stated.palette.vertices.max);
    QVERIFY(as({.influences = 8}).palette.vertices.max < stated.palette.vertices.max);
    QVERIFY(as({.influences = 1}).palette.shell.max == stated.palette.shell.max);
    QVERIFY(as({.interpolate = false}).palette.shell.max > 5.0 * stated.palette.shell.max);
    QVERIFY(as({.influences = 8, .morphs = false}).palette.vertices.max > 20.0);
  }

  void filteringByTheTextureUnitIsMeasured() {
    // A slide of 200 mm a frame: a fraction of 8 bits is up to 0.39 mm off.
    ck::Character bar = ck::test::barCharacter();
    bar.clips.resize(1);
    bar.clips[0].jointTracks.resize(1);
    bar.clips[0].jointTracks[0] = {};
    auto& track = bar.clips[0].jointTracks[0].translation;
    track.times = {0.0, 1.0};
    track.values = {glm::vec3(0.0f), glm::vec3(6.0f, 0.0f, 0.0f)};
    bar.clips[0].startSeconds = 0.0;
    bar.clips[0].durationSeconds = 1.0;
    ck::BakeSettings settings;
    settings.rateHz = 30.0;
    const ck::Atlas atlas = ck::bake(bar, settings)->atlas;
    const auto plain = ck::measureBakeError(bar, atlas);
    const auto filtered = ck::measureBakeError(bar, atlas, {.hardwareLinear = true});
    QVERIFY(plain && filtered);
    QVERIFY(plain->direct.shell.max < 0.1);
    QVERIFY(near(filtered->direct.shell.max, 200.0 / 512.0, 0.1));
    QVERIFY(near(filtered->direct.vertices.max, 200.0 / 512.0, 0.1));
    // Measured in double, as everything that the texture unit filters, and in float lanes.
    QVERIFY(near(filtered->palette.shell.max, plain->palette.shell.max, 2e-4));
  }

  void lanesMeasureWhatTheOracleMeasures_data() {
    QTest::addColumn<ck::Encoding>("encoding");
    QTest::addColumn<int>("influences");
    QTest::addColumn<std::uint32_t>("clips");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      const bool isDefault = info.encoding == ck::Encoding::P16;
      QTest::newRow(std::string(info.name).c_str())
          << info.encoding << 8 << (isDefault ? 40u : 12u);
    }
    QTest::newRow("P16, one influence drawn") << ck::Encoding::P16 << 1 << 12u;
    QTest::newRow("T16, one influence drawn") << ck::Encoding::T16 << 1 << 12u;
  }
  void lanesMeasureWhatTheOracleMeasures() {
    constexpr double kRoundingMm = 2e-3;
    constexpr double kRoundingDegrees = 2e-3;
    QFETCH(ck::Encoding, encoding);
    QFETCH(int, influences);
    QFETCH(std::uint32_t, clips);
    // By whether the character has morphs.
    std::array<int, 2> moments = {};
    std::array<std::ptrdiff_t, 2> losing = {};  // clusters
    std::array<int, 2> inFloat = {};            // float and double agree to the bit by chance only
    for (std::uint32_t seed = 0; seed < 2 * clips; ++seed) {
      ck::test::MadeClip made = ck::test::madeClip(seed / 2);
      const std::size_t morphed = seed % 2;
      if (morphed == 1) ck::test::addMorphs(made.character, seed);
      ck::BakeSettings settings = made.settings;
      settings.encoding = encoding;
      settings.components = std::nullopt;
      const auto baked = ck::bake(made.character, settings);
      if (!baked && baked.error().code == ck::ErrorCode::Unsupported) continue;
      // Too much moves, or scales change.
      const bool mayRefuse = ck::isLocal(ck::encodingInfo(encoding));
      if (!baked && mayRefuse && baked.error().code == ck::ErrorCode::InvalidInput) continue;
      QVERIFY2(baked, baked ? "" : baked.error().message.c_str());
      const ck::Atlas& atlas = baked->atlas;
      const ck::MorphSet morphs = ck::morphSetOf(made.character);
      const ck::ComparisonInputs inputs{made.character,
                                        atlas,
                                        ck::makeShell(made.character),
                                        morphs,
                                        ck::storedMorphs(morphs, atlas.morphs.names),
                                        ck::vertexModelOf(made.character, morphs, influences, {}),
                                        true,
                                        false,
                                        true};
      losing[morphed] += std::ranges::count_if(inputs.vertices.clusters,
                                               &ck::VertexModel::Cluster::losesInfluences);
      for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
        const ck::AtlasClip& clip = atlas.clips[c];
        const auto window = ck::bakedWindow(made.character, atlas.recipe, clip);
        QVERIFY(window);
        const ck::ComparedClip one{static_cast<int>(c), window->motion.get(),
                                   window->closingSeconds};
        ck::ComparedClip many = one;
        many.poser = std::make_shared<const ck::LanePoser>(made.character.rig, *window->motion,
                                                           window->closingSeconds);
        ck::PoseComparison oracle(inputs, one);
        ck::PoseComparison lanes(inputs, many);
        const auto stretches = ck::stretchesOf(*window->motion, clip, window->closingSeconds, true);
        for (std::size_t i = 0; i < stretches.size(); i += 5) {
          std::vector<double> seconds;
          for (const double share : ck::kShares) {
            seconds.push_back(stretches[i].from + share * (stretches[i].to - stretches[i].from));
          }
          lanes.prepare(seconds);
          for (const double at : seconds) {
            const ck::Spots wanted = oracle.at(at);
            const ck::Spots got = lanes.at(at);
            for (std::size_t r = 0; r < 2; ++r) {
              for (std::size_t m = 0; m < 3; ++m) {
                inFloat[morphed] += wanted[r][m].value != got[r][m].value ? 1 : 0;
                const double rounding = m == static_cast<std::size_t>(ck::Measure::Degrees)
                                            ? kRoundingDegrees
                                            : kRoundingMm;
                QVERIFY2(std::abs(wanted[r][m].value - got[r][m].value) <
                             rounding + 1e-4 * wanted[r][m].value,
                         qPrintable(QString("%1: clip %2, %3 s, reading %4, measure %5: %6, %7")
                                        .arg(made.title.c_str())
                                        .arg(c)
                                        .arg(at)
                                        .arg(r)
                                        .arg(m)
                                        .arg(wanted[r][m].value)
                                        .arg(got[r][m].value)));
              }
            }
            ++moments[morphed];
          }
        }
        // Two groups of eight stretches side by side, and a part of one.
        const auto some = std::span(stretches).first(std::min<std::size_t>(stretches.size(), 21));
        ck::StretchFindings together;
        ck::StretchComparison(inputs, many, c, some, together).compare(0, some.size(), {});
        ck::StretchFindings alone;
        ck::StretchComparison(inputs, one, c, some, alone).compare(0, some.size(), {});
        for (std::size_t r = 0; r < 2; ++r) {
          const auto same = [&](double a, double b, double share) {
            return std::abs(a - b) < kRoundingMm + share * b;
          };
          for (std::size_t m = 0; m < ck::kMeasures; ++m) {
            const double wanted = alone.worsts[r][m].spot.value;
            const double got = together.worsts[r][m].spot.value;
            QVERIFY2(
                same(got, wanted, 1e-4),
                qPrintable(QString("%1: %2 for %3").arg(made.title.c_str()).arg(got).arg(wanted)));
          }
          for (const auto& errors : {&ck::StretchFindings::shell, &ck::StretchFindings::vertices}) {
            const ck::ErrorTally& got = (together.*errors)[r];
            const ck::ErrorTally& wanted = (alone.*errors)[r];
            QVERIFY2(same(got.rms(), wanted.rms(), 1e-4), qPrintable(QString("%1: rms %2 for %3")
                                                                         .arg(made.title.c_str())
                                                                         .arg(got.rms())
                                                                         .arg(wanted.rms())));
            // A quantile is a bin, 0.8 % wide, and jumps where errors have a gap.
            for (const double share : {0.3, 0.6, 0.9}) {
              const double value = got.quantile(share);
              QVERIFY(value > 0.99 * wanted.quantile(share - 0.01) - kRoundingMm);
              QVERIFY(value < 1.01 * wanted.quantile(share + 0.01) + kRoundingMm);
            }
          }
        }
      }
    }
    for (const std::size_t morphed : {std::size_t{0}, std::size_t{1}}) {
      QVERIFY(influences > 1 || losing[morphed] > 0);
      QVERIFY2(moments[morphed] > 200, qPrintable(QString::number(moments[morphed])));
      QVERIFY(inFloat[morphed] > moments[morphed]);
    }
  }

  void viewsThatMakeNoSenseAreRefused() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = ck::bake(limb, {})->atlas;
    for (const ck::DrawnAs& drawn :
         {ck::DrawnAs{.influences = 3}, ck::DrawnAs{.screen = {.distanceMeters = 0.0}},
          ck::DrawnAs{.screen = {.imageHeightPixels = std::nan("")}},
          ck::DrawnAs{.screen = {.verticalFieldOfViewDegrees = 180.0}}}) {
      const auto error = ck::measureBakeError(limb, atlas, drawn);
      QVERIFY(!error);
      QCOMPARE(error.error().code, ck::ErrorCode::InvalidInput);
    }
  }

  void withoutInterpolationBothReadingsAreTheNearestFrame() {
    const ck::Character limb = ck::test::swingingLimb();
    ck::BakeSettings settings;
    settings.interpolate = false;
    const auto error = ck::measureBakeError(limb, ck::bake(limb, settings)->atlas);
    QVERIFY(error);
    QCOMPARE(error->palette.shell.max, error->direct.shell.max);
    QVERIFY(error->palette.shell.max > 5.0);
  }

  void sameFiguresOnAnyNumberOfThreads() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = ck::bake(limb, {})->atlas;
    ck::JobContext one;
    one.threadCount = 1;
    ck::JobContext five;
    five.threadCount = 5;
    const auto a = ck::measureBakeError(limb, atlas, one);
    const auto b = ck::measureBakeError(limb, atlas, five);
    QVERIFY(a && b);
    QCOMPARE(a->palette.shell.max, b->palette.shell.max);
    QCOMPARE(a->palette.shell.rms, b->palette.shell.rms);
    QCOMPARE(a->direct.shell.p99, b->direct.shell.p99);
    QCOMPARE(a->direct.shell.worstJoint, b->direct.shell.worstJoint);
  }

  void stoppingIsHeard() {
    const ck::Character limb = ck::test::swingingLimb();
    std::stop_source source;
    source.request_stop();
    ck::JobContext job;
    job.stop = source.get_token();
    const auto error = ck::measureBakeError(limb, ck::bake(limb, {})->atlas, job);
    QCOMPARE(error.error().code, ck::ErrorCode::Cancelled);
  }
};

CK_TEST(tst_bake_error)
#include "tst_bake_error.moc"
