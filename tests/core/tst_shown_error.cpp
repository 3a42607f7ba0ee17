#include <QTest>

#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/export/targets/shown_error.h"
#include "core/morph/morph_set.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/step_rigs.h"
#include "tests/support/test_program.h"

namespace {

const ck::Atlas& atlasOf(const ck::Character& character, const ck::BakeSettings& settings = {}) {
  static std::vector<std::unique_ptr<ck::Atlas>> kept;
  kept.push_back(std::make_unique<ck::Atlas>(ck::bake(character, settings)->atlas));
  return *kept.back();
}

// Draws what the atlas holds, moved by `off`, as matrices or as vertices.
ck::ShownBy atlasPlayer(const ck::Character& character, const ck::Atlas& atlas, bool asVertices,
                        glm::dvec3 off = glm::dvec3(0.0)) {
  ck::ShownBy player;
  player.influences = atlas.recipe.influences;
  player.corners = [](int) { return std::vector<double>(); };
  player.poseAt = [&character, &atlas, asVertices, off](int clip, double seconds,
                                                        ck::ShownPose& pose) {
    const double unit = ck::unitAt(atlas.clips[std::size_t(clip)], seconds);
    auto skins = ck::atlasSkinMatrices(atlas, clip, unit, ck::Reading::Palette);
    for (glm::dmat4& skin : skins) skin[3] += glm::dvec4(off, 0.0);
    if (!asVertices) {
      pose.skinMatrices = std::move(skins);
      return;
    }
    pose.positions.clear();
    for (const ck::Mesh& mesh : character.meshes) {
      const auto posed = ck::skinMesh(mesh, skins, {.influenceLimit = atlas.recipe.influences});
      pose.positions.insert(pose.positions.end(), posed.positions.begin(), posed.positions.end());
    }
  };
  return player;
}

}  // namespace

class tst_shown_error : public QObject {
  Q_OBJECT
 private slots:
  // The bake's own measurement judges the same drawing.
  void agreesWithTheErrorOfTheBake_data() {
    QTest::addColumn<bool>("asVertices");
    QTest::newRow("matrices") << false;
    QTest::newRow("vertices") << true;
  }
  void agreesWithTheErrorOfTheBake() {
    QFETCH(bool, asVertices);
    const ck::Character limb = ck::test::swingingLimb();
    ck::BakeSettings settings;
    settings.rateHz = 8.0;
    settings.influences = 2;
    const ck::Atlas& atlas = atlasOf(limb, settings);
    const auto expected = ck::measureBakeError(limb, atlas);
    const auto shown = ck::shownError(limb, atlas, atlasPlayer(limb, atlas, asVertices), {});
    QVERIFY(expected && shown);
    const ck::ErrorFigure& figure = expected->palette.vertices;
    QVERIFY(figure.max > 1.0);
    QVERIFY2(std::abs(shown->max - figure.max) < 0.03 * figure.max,
             qPrintable(QString("%1 mm instead of %2").arg(shown->max).arg(figure.max)));
    QVERIFY(std::abs(shown->rms - figure.rms) < 0.05 * figure.rms);
    QVERIFY(std::abs(shown->p99 - figure.p99) < 0.05 * figure.p99);
    QCOMPARE(shown->worstClip, figure.worstClip);
  }

  void findsWhatAPlayerAdds() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas& atlas = atlasOf(limb);
    const auto without = ck::shownError(limb, atlas, atlasPlayer(limb, atlas, false), {});
    const auto with =
        ck::shownError(limb, atlas, atlasPlayer(limb, atlas, false, {0.0, 0.02, 0.0}), {});
    QVERIFY(without && with);
    QVERIFY(with->max >= 20.0 && with->max <= 20.1 + without->max);
    QVERIFY(std::abs(with->rms - 20.0) < 1.0);
  }

  // A player that holds poses is worst at the ends of a held part, which lie on no frame.
  void looksOnBothSidesOfAPlayersCorners() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas& atlas = atlasOf(limb);
    ck::ShownBy player = atlasPlayer(limb, atlas, false);
    constexpr double kHold = 0.0737;
    player.corners = [&](int clip) {
      std::vector<double> corners;
      for (double at = kHold; at < atlas.clips[std::size_t(clip)].durationSeconds; at += kHold) {
        corners.push_back(at);
      }
      return corners;
    };
    player.poseAt = [&](int clip, double seconds, ck::ShownPose& pose) {
      const double held = std::floor(seconds / kHold) * kHold;
      pose.skinMatrices = ck::atlasSkinMatrices(
          atlas, clip, ck::unitAt(atlas.clips[std::size_t(clip)], held), ck::Reading::Palette);
    };
    const auto shown = ck::shownError(limb, atlas, player, {});
    QVERIFY(shown);
    // By brute force, in steps of 0.1 ms.
    double largest = 0.0;
    ck::PoseDistance distance(limb, atlas.recipe.influences, {});
    ck::ShownPose pose;
    for (int clip = 0; clip < int(atlas.clips.size()); ++clip) {
      const ck::AtlasClip& baked = atlas.clips[std::size_t(clip)];
      for (double at = 0.0; at <= baked.durationSeconds; at += 1e-4) {
        player.poseAt(clip, at, pose);
        const auto exact =
            ck::atlasSkinMatrices(atlas, clip, ck::unitAt(baked, at), ck::Reading::Palette);
        largest = std::max(largest, distance.mm(exact, pose.skinMatrices));
      }
    }
    QVERIFY(largest > 10.0);
    QVERIFY2(shown->max > 0.97 * largest && shown->max < 1.03 * largest + 0.5,
             qPrintable(QString("%1 mm instead of %2").arg(shown->max).arg(largest)));
  }

  void aPingPongClipIsMeasuredThereAndBack() {
    const ck::Character limb = ck::test::swingingLimb();
    ck::BakeSettings settings;
    settings.clips = {{.name = "Away", .loop = ck::LoopMode::PingPong}};
    const ck::Atlas& atlas = atlasOf(limb, settings);
    ck::ShownBy player = atlasPlayer(limb, atlas, false);
    const double length = atlas.clips[0].durationSeconds;
    QCOMPARE(ck::cycleSeconds(atlas.clips[0]), 2.0 * length);
    const auto both = ck::shownError(limb, atlas, player, {});
    QVERIFY(both && both->max < 1.0);
    // A player that stays at the end instead of going back.
    player.poseAt = [&](int clip, double seconds, ck::ShownPose& pose) {
      pose.skinMatrices =
          ck::atlasSkinMatrices(atlas, clip, std::min(seconds / length, 1.0), ck::Reading::Palette);
    };
    const auto stays = ck::shownError(limb, atlas, player, {});
    QVERIFY(stays && stays->max > 50.0);
  }

  void knowsWhatMorphsCost() {
    ck::Character limb = ck::test::swingingLimb();
    QCOMPARE(ck::morphLossMm(limb, atlasOf(limb)), 0.0);
    ck::test::addStepMorphs(limb);
    const double loss = ck::morphLossMm(limb, atlasOf(limb));
    double longest = 0.0;
    for (const ck::MorphTarget& target : limb.meshes[0].morphTargets) {
      for (const glm::vec3& delta : target.positionDeltas) {
        longest = std::max(longest, 1000.0 * double(glm::length(delta)));
      }
    }
    QVERIFY(longest > 0.0);
    QVERIFY2(loss > 0.9 * longest && loss < 2.1 * longest,
             qPrintable(QString("%1 mm, deltas are up to %2 mm").arg(loss).arg(longest)));
  }

  void rejectsAnAtlasOfAnotherRig() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas& atlas = atlasOf(limb);
    ck::Character other = limb;
    other.rig.skinJoints.pop_back();
    const auto shown = ck::shownError(other, atlas, atlasPlayer(limb, atlas, false), {});
    QVERIFY(!shown);
    QCOMPARE(shown.error().code, ck::ErrorCode::InvalidInput);
  }
};

CK_TEST(tst_shown_error)
#include "tst_shown_error.moc"
