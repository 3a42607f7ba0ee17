#include <QTest>

#include "core/error/bake_error.h"
#include "render/gl/handle.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "tests/support/gl_agreement.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::GlStage;
using ck::test::largestDistance;
using ck::test::plainSettings;
using ck::test::rendererFor;
using ck::test::variedActors;

namespace {

// The rounding of a crowd of a few metres in float, far below what an eye can see.
constexpr double kTolerance = 2e-5;
// The error that the polynomial of the live poser's arcs may add on rigs with few keys
// (core/base/lanes.h).
constexpr double kLiveTolerance = 3e-4;

}  // namespace

class tst_skinners_agree : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void rejectsAnAtlasOfAnotherRig() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::barCharacter());
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Atlas other = *rig.atlas;
    other.joints.push_back(other.joints.back());
    const auto refused = renderer->setAtlas(std::make_shared<const ck::Atlas>(other));
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::InvalidInput);
  }

  void agree_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<int>("influences");
    QTest::addColumn<bool>("interpolate");
    QTest::addColumn<int>("rangeMode");
    for (const ck::MethodInfo& info : ck::kMethods) {
      const ck::Method method = info.method;
      for (const int influences : {1, 2, 4}) {
        for (const bool interpolate : {false, true}) {
          for (const auto range :
               {ck::RangeMode::Joint, ck::RangeMode::Atlas, ck::RangeMode::JointClip}) {
            const std::string name = std::string(ck::methodName(method)) + " with " +
                                     std::to_string(influences) +
                                     (interpolate ? " between frames " : " nearest frame ") +
                                     std::string(ck::rangeModeName(range));
            QTest::newRow(name.c_str())
                << static_cast<int>(method) << influences << interpolate << static_cast<int>(range);
          }
        }
      }
    }
  }
  void agree() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    QFETCH(int, influences);
    QFETCH(bool, interpolate);
    QFETCH(int, rangeMode);
    ck::BakeSettings bakeSettings;
    bakeSettings.rangeMode = static_cast<ck::RangeMode>(rangeMode);
    // The method matrix reads no other form.
    if (method == static_cast<int>(ck::Method::Matrix)) bakeSettings.encoding = ck::Encoding::M16;
    const BakedRig rig = bakedRig(ck::test::barCharacter(), bakeSettings);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const auto actors = variedActors(12, 2);
    ck::Crowd crowd(actors, rig.clips);
    ck::render::RenderSettings settings = plainSettings();
    settings.view.pose.method = static_cast<ck::Method>(method);
    settings.view.pose.influences = influences;
    settings.view.pose.sampling = ck::samplingFor(interpolate);
    for (const double seconds : {0.0, 0.41, 0.9999, 7.3}) {
      crowd.seek(seconds);
      const auto drawn = readBackPositions(*renderer, crowd, settings);
      QVERIFY(drawn.has_value());
      const auto expected =
          ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd, settings, false);
      const double distance = largestDistance(*drawn, expected);
      const double tolerance =
          settings.view.pose.method == ck::Method::Live ? kLiveTolerance : kTolerance;
      QVERIFY2(distance >= 0.0 && distance < tolerance, qPrintable(QString::number(distance)));
    }
  }

  // Every method x encoding x coded rig x moment, against the reference that reads as the method
  // does.
  void everyMethodOnCodedRigs_data() {
    QTest::addColumn<int>("rig");
    QTest::addColumn<int>("encoding");
    const auto rigs = ck::test::codedRigs();
    for (std::size_t r = 0; r < rigs.size(); ++r) {
      for (const ck::EncodingInfo& encoding : ck::allEncodings()) {
        // Most joints move against their parents, which these encodings refuse (tst_local_poses).
        if (rigs[r].name == "uneven scales" && ck::isLocal(encoding)) continue;
        QTest::addRow("%s in %s", rigs[r].name.c_str(), std::string(encoding.name).c_str())
            << static_cast<int>(r) << static_cast<int>(encoding.encoding);
      }
    }
  }
  void everyMethodOnCodedRigs() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, rig);
    QFETCH(int, encoding);
    auto rigs = ck::test::codedRigs();
    ck::BakeSettings bakeSettings;
    bakeSettings.encoding = static_cast<ck::Encoding>(encoding);
    const BakedRig baked =
        bakedRig(std::move(rigs[static_cast<std::size_t>(rig)].character), bakeSettings);
    auto renderer = rendererFor(baked);
    QVERIFY(renderer != nullptr);
    const auto error = ck::measureBakeError(*baked.character, *baked.atlas);
    QVERIFY(error.has_value());
    const auto agreement =
        ck::test::agreementOf(*renderer, baked, ck::test::momentsOf(baked, 7), plainSettings());
    QVERIFY2(agreement.problem.empty(), agreement.problem.c_str());
    QVERIFY2(agreement.worstMeters < agreement.toleranceMeters(),
             qPrintable(QString("%1 m: %2")
                            .arg(agreement.worstMeters)
                            .arg(QString::fromStdString(agreement.where))));
    QVERIFY2(agreement.worstLiveMeters < kLiveTolerance,
             qPrintable(QString("%1 m by live").arg(agreement.worstLiveMeters)));
    // The loss of an encoding is the measured one, sampled elsewhere and of larger actors.
    const double bound =
        0.002 * std::max(error->palette.vertices.max, error->direct.vertices.max) + kLiveTolerance;
    QVERIFY2(agreement.worstOfSourceMeters < bound,
             qPrintable(QString("%1 m from the source, %2 m measured")
                            .arg(agreement.worstOfSourceMeters)
                            .arg(bound)));
  }

  // The reference is a crowd of one actor without commands, at the own time that is told here.
  void actorsWithCommandsAgree_data() {
    QTest::addColumn<int>("method");
    for (const ck::MethodInfo& info : ck::kMethods) {
      const ck::Method method = info.method;
      QTest::newRow(std::string(ck::methodName(method)).c_str()) << static_cast<int>(method);
    }
  }
  void actorsWithCommandsAgree() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    constexpr double kSeconds = 0.9;
    // Odd actors fade from 0.2 s to 0.7 s, even ones hold both clips.
    const std::pair<const char*, double> told[] = {{"", 0.9},
                                                   {"pause@0.35", 0.35},
                                                   {"pause@0.35", 0.35},
                                                   {"reverse@0.6", 0.3},
                                                   {"reverse@0.4", -0.1},
                                                   {"retrace@0.65", 0.4},
                                                   {"retrace@0.4", 0.0},
                                                   {"restart@0.5", 0.4},
                                                   {"pause@0.3 restart@0.8", 0.1},
                                                   {"pause@0.3 play@0.7", 0.5}};
    ck::render::RenderSettings settings = plainSettings();
    settings.view.pose.method = static_cast<ck::Method>(method);
    ck::BakeSettings bakeSettings;
    if (settings.view.pose.method == ck::Method::Matrix) bakeSettings.encoding = ck::Encoding::M16;
    const BakedRig rig = bakedRig(ck::test::stretchedLimb(), bakeSettings);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const std::vector<ck::Actor> plain = ck::test::fadingActors(static_cast<int>(std::size(told)),
                                                                static_cast<int>(rig.clips.size()));
    std::vector<ck::Actor> actors = plain;
    std::vector<glm::dvec3> expected;
    for (std::size_t i = 0; i < actors.size(); ++i) {
      actors[i].commands = *ck::commandsFromText(told[i].first);
      ck::Crowd one(std::vector{plain[i]}, rig.clips);
      one.seek(told[i].second);
      const auto positions =
          ck::render::referencePositions(*rig.character, rig.atlas.get(), one, settings, false);
      expected.insert(expected.end(), positions.begin(), positions.end());
    }
    ck::Crowd crowd(actors, rig.clips);
    crowd.seek(0.2);
    for (int tick = 0; tick < 7; ++tick) crowd.advance((kSeconds - 0.2) / 7);
    const auto drawn = readBackPositions(*renderer, crowd, settings);
    QVERIFY2(drawn.has_value(), drawn ? "" : drawn.error().message.c_str());
    const double distance = largestDistance(*drawn, expected);
    QVERIFY2(distance >= 0.0 && distance < kLiveTolerance, qPrintable(QString::number(distance)));
    // Without commands they stand elsewhere.
    ck::Crowd clock(plain, rig.clips);
    clock.seek(kSeconds);
    const auto others = readBackPositions(*renderer, clock, settings);
    QVERIFY(others.has_value());
    QVERIFY(largestDistance(*others, expected) > 0.05);
  }

  void twoCharactersAgreeInOneFrame_data() {
    QTest::addColumn<int>("method");
    for (const ck::MethodInfo& info : ck::kMethods) {
      const ck::Method method = info.method;
      QTest::newRow(std::string(ck::methodName(method)).c_str()) << static_cast<int>(method);
    }
  }
  void twoCharactersAgreeInOneFrame() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    ck::render::RenderSettings settings = plainSettings();
    settings.view.pose.method = static_cast<ck::Method>(method);
    ck::BakeSettings bakeSettings;
    if (settings.view.pose.method == ck::Method::Matrix) bakeSettings.encoding = ck::Encoding::M16;
    const BakedRig bar = bakedRig(ck::test::barCharacter(), bakeSettings);
    const BakedRig arm = bakedRig(ck::test::stretchedLimb(), bakeSettings);
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer.has_value());
    const std::vector<ck::render::CharacterEntry> cast{{bar.character, bar.atlas, {}},
                                                       {arm.character, arm.atlas, {}}};
    QVERIFY((*renderer)->setCharacters(cast).has_value());
    std::vector<ck::Actor> actors = variedActors(9, 2);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      actors[i].character = static_cast<int>(i % 2);
      actors[i].fadeClip = 0;
      actors[i].fade = 0.3f;
    }
    const std::vector<std::vector<ck::CrowdClip>> clips{bar.clips, arm.clips};
    ck::MixedCrowd crowd(actors, clips);
    crowd.seek(0.61);
    const auto drawn = readBackPositions(**renderer, crowd, settings);
    QVERIFY2(drawn.has_value(), drawn ? "" : drawn.error().message.c_str());
    std::vector<std::vector<glm::dvec3>> expected;
    for (const BakedRig* rig : {&bar, &arm}) {
      const auto c = static_cast<std::size_t>(rig == &bar ? 0 : 1);
      expected.push_back(ck::render::referencePositions(*rig->character, rig->atlas.get(),
                                                        crowd.crowds()[c], settings, false));
    }
    std::size_t at = 0;
    for (std::size_t visible = 0; visible < crowd.size(); ++visible) {
      const ck::ActorPlace place = crowd.placeOf(visible);
      const auto& own = expected[place.character];
      const std::size_t vertices = own.size() / crowd.crowds()[place.character].size();
      for (std::size_t v = 0; v < vertices; ++v, ++at) {
        const double apart =
            glm::distance(glm::dvec3((*drawn)[at]), own[place.index * vertices + v]);
        QVERIFY2(apart < kLiveTolerance, qPrintable(QString::number(apart)));
      }
    }
    QCOMPARE(at, drawn->size());
  }

 private:
  GlStage stage_;
};

CK_TEST(tst_skinners_agree)
#include "tst_skinners_agree.moc"
