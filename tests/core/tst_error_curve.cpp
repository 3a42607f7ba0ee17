#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

struct Worst {
  double mm = 0.0;
  int mesh = -1;
  int vertex = -1;
};

// The definition, written out: every vertex of the clip, skinned by all influences, beside that of
// the decoded atlas with those that it is drawn with.
Worst worstAt(const ck::Character& character, const ck::Atlas& atlas, int clip, double unit,
              ck::Reading reading) {
  const ck::AtlasClip& baked = atlas.clips[std::size_t(clip)];
  const auto& clips = character.clips;
  const auto source = std::ranges::find(clips, ck::sourceNameOf(baked), &ck::Clip::name);
  const auto is =
      ck::skinMatricesAt(character.rig, *source, baked.startSeconds + unit * baked.durationSeconds);
  const auto drawn = ck::atlasSkinMatrices(atlas, clip, unit, reading);
  Worst worst;
  for (std::size_t m = 0; m < character.meshes.size(); ++m) {
    const ck::Mesh& mesh = character.meshes[m];
    const auto a = ck::skinMesh(mesh, is).positions;
    const auto b = ck::skinMesh(mesh, drawn, {.influenceLimit = atlas.recipe.influences}).positions;
    for (std::size_t v = 0; v < a.size(); ++v) {
      const double mm = 1000.0 * glm::distance(a[v], b[v]);
      if (mm > worst.mm) worst = {mm, int(m), int(v)};
    }
  }
  return worst;
}

}  // namespace

class tst_error_curve : public QObject {
  Q_OBJECT

 private slots:
  void momentsAreThoseOfTheOracle_data() {
    QTest::addColumn<int>("clip");
    QTest::addColumn<int>("frames");
    // Clip 1 closes by a step that the bake adds, which the oracle here does not know.
    QTest::addRow("inclusive, few frames") << 0 << 5;
    QTest::addRow("inclusive, keys") << 0 << 0;
    QTest::addRow("open, few frames") << 2 << 6;
  }
  void momentsAreThoseOfTheOracle() {
    QFETCH(int, clip);
    QFETCH(int, frames);
    const ck::Character character = ck::test::swingingLimb();
    ck::BakeSettings settings;
    settings.frames = frames;
    const auto made = ck::bake(character, settings);
    QVERIFY(made.has_value());
    const ck::Atlas& atlas = made->atlas;
    const auto curve = ck::errorOverTime(character, atlas, clip, {});
    QVERIFY(curve.has_value());
    const ck::AtlasClip& baked = atlas.clips[std::size_t(clip)];
    QCOMPARE(curve->palette.size(), curve->direct.size());
    QVERIFY(curve->palette.size() > std::size_t(baked.frameCount) * 4);
    QCOMPARE(curve->palette.front().unit, 0.0);
    QVERIFY(std::abs(curve->palette.back().unit - 1.0) < 1e-6);
    int between = 0;
    for (const ck::Reading reading : {ck::Reading::Palette, ck::Reading::Direct}) {
      const auto& moments = reading == ck::Reading::Palette ? curve->palette : curve->direct;
      for (std::size_t i = 0; i < moments.size(); ++i) {
        const ck::ErrorMoment& moment = moments[i];
        if (i > 0) QVERIFY(moment.unit > moments[i - 1].unit);
        if (i % 7 != 3) continue;
        const double frame = moment.unit * (baked.frameCount - 1);
        between += std::abs(frame - std::round(frame)) > 0.01 ? 1 : 0;
        const Worst worst = worstAt(character, atlas, clip, moment.unit, reading);
        const QString said =
            QString("frame %1: %2 mm, not %3").arg(frame).arg(moment.mm).arg(worst.mm);
        // Vertices are compared in float.
        QVERIFY2(std::abs(moment.mm - worst.mm) < 2e-3 + 1e-3 * worst.mm, qPrintable(said));
        QVERIFY(std::abs(moment.seconds - baked.startSeconds -
                         moment.unit * baked.durationSeconds) < 1e-9);
        if (worst.mm < 0.05) continue;
        // Another vertex may be as far off.
        const auto& mesh = character.meshes[std::size_t(moment.mesh)];
        QVERIFY(moment.vertex >= 0 && std::size_t(moment.vertex) < mesh.positions.size());
        QVERIFY(moment.joint >= 0 && std::size_t(moment.joint) < atlas.joints.size());
      }
    }
    QVERIFY(between > 4);
  }

  // The curve reaches what the bake states, and never more.
  void itsTopIsTheStatedError() {
    const ck::Character character = ck::test::swingingLimb();
    ck::BakeSettings settings;
    settings.frames = 6;
    const auto baked = ck::bake(character, settings);
    QVERIFY(baked.has_value());
    const ck::Atlas& atlas = baked->atlas;
    const auto stated = ck::measureBakeError(character, atlas);
    QVERIFY(stated.has_value());
    double most = 0.0;
    for (int clip = 0; clip < int(atlas.clips.size()); ++clip) {
      const auto curve = ck::errorOverTime(character, atlas, clip, {});
      QVERIFY(curve.has_value());
      for (const ck::ErrorMoment& moment : curve->palette) most = std::max(most, moment.mm);
    }
    QVERIFY(most <= stated->palette.vertices.max * (1.0 + 1e-6));
    QVERIFY(most > 0.9 * stated->palette.vertices.max);
  }

  void refusesWhatIsNotThere() {
    const ck::Character character = ck::test::swingingLimb();
    const auto baked = ck::bake(character, {});
    QVERIFY(baked.has_value());
    const ck::Atlas& atlas = baked->atlas;
    for (const int clip : {-1, 3}) {
      const auto curve = ck::errorOverTime(character, atlas, clip, {});
      QVERIFY(!curve.has_value());
      QCOMPARE(curve.error().code, ck::ErrorCode::InvalidInput);
    }
    std::stop_source stop;
    stop.request_stop();
    ck::JobContext job;
    job.stop = stop.get_token();
    const auto stopped = ck::errorOverTime(character, atlas, 0, {}, job);
    QVERIFY(!stopped.has_value());
    QCOMPARE(stopped.error().code, ck::ErrorCode::Cancelled);
  }
};

CK_TEST(tst_error_curve)
#include "tst_error_curve.moc"
