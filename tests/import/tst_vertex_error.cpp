#include <QTest>

#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/import/import_process.h"
#include "tests/support/import_worker.h"
#include "tests/support/made_clips.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

// The error at vertices of real rigs, against all vertices skinned in double at 1,000 moments.
class tst_vertex_error : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void isThatOfAllVertices_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("influences");
    const auto row = [](const char* model, ck::Encoding encoding, int influences) {
      QTest::newRow(model) << model << static_cast<int>(encoding) << influences;
    };
    row("cesium_man/CesiumMan.glb", ck::Encoding::P16, 4);
    row("fox/Fox.glb", ck::Encoding::T8, 2);
    row("own_quantised_morph/own_quantised_morph.glb", ck::Encoding::M16F, 1);
  }
  void isThatOfAllVertices() {
    QFETCH(QString, model);
    QFETCH(int, encoding);
    QFETCH(int, influences);
    const auto path = ck::test::sharedModel(model.toUtf8().constData());
    if (!path) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*path, {.heightMeters = 2.0});
    QVERIFY2(character, character ? "" : character.error().message.c_str());
    ck::BakeSettings settings;
    settings.clips = {{.name = character->clips.front().name}};
    settings.encoding = static_cast<ck::Encoding>(encoding);
    settings.influences = influences;
    const auto baked = ck::bake(*character, settings);
    QVERIFY2(baked, baked ? "" : baked.error().message.c_str());
    const auto stated = ck::measureBakeError(*character, baked->atlas);
    QVERIFY(stated);
    qInfo("%.3f mm at '%s', vertex %d of '%s'", stated->palette.vertices.max,
          stated->palette.vertices.worstJoint.c_str(), stated->palette.vertices.worstVertex,
          stated->palette.vertices.worstMesh.c_str());
    const QString problem = ck::test::falseFigure(*character, baked->atlas, *stated, 5);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
  }
};

CK_TEST(tst_vertex_error)
#include "tst_vertex_error.moc"
