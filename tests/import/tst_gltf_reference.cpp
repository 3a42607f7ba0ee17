#include <QTest>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/anim/clip_sampler.h"
#include "core/base/files.h"
#include "core/import/import_process.h"
#include "tests/support/import_worker.h"
#include "tests/support/reference_poses.h"
#include "tests/support/rigs.h"

namespace {

std::filesystem::path modelOf(const std::filesystem::path& reference) {
  std::ifstream file(reference);
  const auto json = nlohmann::json::parse(file);
  return std::filesystem::path(CK_SHARED_DIR) / "models" / json.at("model").get<std::string>();
}

bool isGltf(const std::filesystem::path& file) {
  return file.extension() == ".gltf" || file.extension() == ".glb";
}

// What the reference itself gets wrong or cannot show, by the end of its file name.
double allowance(const std::string& reference) {
  // Its quaternions are not of unit length, and three.js interpolates them as they are.
  if (reference.find("SimpleSkin") != std::string::npos) return 5e-4;
  return 1e-4;
}

}  // namespace

class tst_gltf_reference : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void posesEqualTheReference_data() {
    QTest::addColumn<QString>("reference");
    const auto folder = std::filesystem::path(CK_SHARED_DIR) / "models" / "reference";
    for (const char* ending : {".three.json", ".analytic.json"}) {
      for (const auto& reference : ck::test::filesBelow(folder, ending)) {
        if (!isGltf(modelOf(reference))) continue;
        QTest::newRow(ck::pathText(reference.filename()).c_str())
            << QString::fromStdString(ck::pathText(reference));
      }
    }
    if (!std::filesystem::exists(folder)) QTest::newRow("no shared models") << QString();
  }

  void posesEqualTheReference() {
    QFETCH(QString, reference);
    if (reference.isEmpty()) QSKIP("the folder of shared models is not there");
    const std::filesystem::path path = ck::pathFromText(reference.toStdString());
    const auto character = ck::importCharacter(modelOf(path));
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(ck::validate(*character).has_value());
    const auto difference = ck::test::comparePoses(*character, path);
    for (const std::string& name : difference.missingJoints) {
      QFAIL(("joint missing: '" + name + "'").c_str());
    }
    if (!difference.skipped.empty()) qInfo("skipped:%s", difference.skipped.c_str());
    qInfo("%d joints %.1e (%s), %d vertices %.1e (%s)", difference.jointsCompared,
          difference.joints, difference.worstJoint.c_str(), difference.verticesCompared,
          difference.vertices, difference.worstVertex.c_str());
    QVERIFY2(difference.jointsCompared + difference.verticesCompared > 0, "nothing was compared");
    const double allowed = allowance(reference.toStdString());
    QVERIFY2(difference.joints <= allowed, difference.worstJoint.c_str());
    QVERIFY2(difference.vertices <= allowed, difference.worstVertex.c_str());
  }
};

QTEST_APPLESS_MAIN(tst_gltf_reference)
#include "tst_gltf_reference.moc"
