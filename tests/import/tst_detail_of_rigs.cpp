#include <QTest>
#include <ctime>

#include "core/detail/detail_levels.h"
#include "core/import/import_process.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/surface_witness.h"
#include "tests/support/test_program.h"

class tst_detail_of_rigs : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void figuresHaveLevels_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("levels");  // at least
    QTest::newRow("humanoid") << "" << 3;
    QTest::newRow("Woman") << "woman_packt/Woman.gltf" << 5;
    QTest::newRow("CesiumMan") << "cesium_man/CesiumMan.glb" << 5;
    QTest::newRow("Barbarian") << "kaykit_barbarian/Barbarian.glb" << 3;
    QTest::newRow("robot") << "robot_expressive/RobotExpressive.glb" << 3;
  }
  void figuresHaveLevels() {
    QFETCH(QString, model);
    QFETCH(int, levels);
    const auto path = model.isEmpty() ? std::optional(ck::test::sampleHumanoid())
                                      : ck::test::sharedModel(model.toUtf8().constData());
    if (!path) QSKIP("the folder of shared models is not there");
    const auto imported = ck::importCharacter(*path, {.heightMeters = 2.0});
    QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
    const auto character = std::make_shared<const ck::Character>(*imported);
    const std::clock_t start = std::clock();
    const auto detail = ck::makeDetailLevels(character);
    QVERIFY2(detail, detail ? "" : detail.error().message.c_str());
    qInfo("%.0f ms of processor time for %zu vertices, %zu meshes and %zu clips",
          1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC,
          detail->levels[0].vertices, character->meshes.size(), character->clips.size());
    QVERIFY(detail->levels.size() >= static_cast<std::size_t>(levels));
    for (std::size_t i = 1; i < detail->levels.size(); ++i) {
      const ck::DetailLevel& level = detail->levels[i];
      QVERIFY(ck::validate(*level.character));
      const bool isSmall = level.triangles < 600;
      const double seen =
          isSmall ? ck::test::farthestFrom(*level.character, *character, 5) : level.errorMeters;
      qInfo(
          "level %zu: %zu triangles, %zu vertices, %d influences, %d joints collapsed, stated "
          "%.2f mm, %s %.2f mm",
          i, level.triangles, level.vertices, level.influences, level.collapsedJoints,
          level.errorMeters * 1000.0, isSmall ? "seen" : "not tried", seen * 1000.0);
      QVERIFY(seen <= 1.1 * level.errorMeters);
      QVERIFY(seen >= 0.5 * level.errorMeters);
    }
  }
};

CK_TEST(tst_detail_of_rigs)
#include "tst_detail_of_rigs.moc"
