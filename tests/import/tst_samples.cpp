#include <QTest>
#include <algorithm>

#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/bake/seam.h"
#include "core/container/atlas_file.h"
#include "core/import/import_process.h"
#include "core/project/project_json.h"
#include "core/skinning/cpu_skinning.h"
#include "core/stage/pipeline.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

const std::filesystem::path kFolder = std::filesystem::path(CK_SOURCE_DIR) / "resources/samples";

const ck::Clip* clipOf(const ck::Character& character, std::string_view name) {
  for (const ck::Clip& clip : character.clips) {
    if (clip.name == name) return &clip;
  }
  return nullptr;
}

// How far any vertex of the feet slides over ground that passes at the clip's speed while it is
// within `contactMeters` of the ground, in one cycle; millimetres. Sampled between the keys too.
double worstSlipMm(const ck::Character& character, const ck::Clip& clip, double contactMeters) {
  constexpr int kSamples = 400;
  const ck::Mesh& mesh = character.meshes.front();
  std::vector<double> first(mesh.positions.size());
  std::vector<double> last(mesh.positions.size());
  std::vector<char> touching(mesh.positions.size(), 0);
  double worst = 0.0;
  for (int i = 0; i <= kSamples; ++i) {
    const double elapsed = clip.durationSeconds * i / kSamples;
    const auto posed =
        ck::skinMesh(mesh, ck::skinMatricesAt(character.rig, clip, clip.startSeconds + elapsed));
    for (std::size_t v = 0; v < posed.positions.size(); ++v) {
      const double z = posed.positions[v].z + clip.groundSpeedMetersPerSecond * elapsed;
      if (posed.positions[v].y >= contactMeters) {
        touching[v] = 0;
        continue;
      }
      if (touching[v] == 0) first[v] = last[v] = z;
      touching[v] = 1;
      first[v] = std::min(first[v], z);
      last[v] = std::max(last[v], z);
      worst = std::max(worst, last[v] - first[v]);
    }
  }
  return worst * 1000.0;
}

}  // namespace

// The promises about the characters and crowds that the program brings with it.
class tst_samples : public QObject {
  Q_OBJECT

  ck::Character humanoid_;

 private slots:
  void initTestCase() {
    ck::test::useBuiltImportWorker();
    auto character = ck::importCharacter(kFolder / "humanoid.glb");
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    humanoid_ = std::move(*character);
  }

  void humanoidHasThePromisedParts() {
    QCOMPARE(humanoid_.meshes.size(), std::size_t{1});
    const ck::Mesh& mesh = humanoid_.meshes.front();
    QVERIFY(mesh.positions.size() >= 2000 && mesh.positions.size() <= 4000);
    QVERIFY(humanoid_.rig.joints.size() >= 25 && humanoid_.rig.joints.size() <= 40);
    QVERIFY(ck::maxInfluences(mesh) <= 4);
    QCOMPARE(mesh.uvs.size(), mesh.positions.size());
    QCOMPARE(humanoid_.images.size(), std::size_t{1});
    std::vector<std::string> targets;
    for (const ck::MorphTarget& target : mesh.morphTargets) targets.push_back(target.name);
    std::sort(targets.begin(), targets.end());
    QCOMPARE(targets, (std::vector<std::string>{"blink", "mouthOpen", "smile"}));
    for (const char* name : {"idle", "walk", "run", "wave", "cheer", "dance", "fall"}) {
      QVERIFY2(clipOf(humanoid_, name) != nullptr, name);
    }
  }

  void loopsCloseWithoutAPop_data() {
    QTest::addColumn<QString>("clip");
    for (const char* name : {"idle", "walk", "run", "wave", "cheer", "dance"}) {
      QTest::newRow(name) << name;
    }
  }
  void loopsCloseWithoutAPop() {
    QFETCH(QString, clip);
    const auto verdict = ck::measureSeam(humanoid_, *clipOf(humanoid_, clip.toStdString()));
    QCOMPARE(verdict.seam, ck::Seam::Inclusive);
    QVERIFY(verdict.seamMm < 0.1);
  }

  void standingFeetStayWhereTheyAre_data() {
    QTest::addColumn<QString>("clip");
    QTest::newRow("walk") << "walk";
    QTest::newRow("run") << "run";
  }
  void standingFeetStayWhereTheyAre() {
    QFETCH(QString, clip);
    const ck::Clip& moving = *clipOf(humanoid_, clip.toStdString());
    QVERIFY(moving.groundSpeedMetersPerSecond > 1.0);
    const double slip = worstSlipMm(humanoid_, moving, 0.005);
    qInfo("%s: at most %.1f mm", qPrintable(clip), slip);
    QVERIFY(slip <= 20.0);
    // The measure sees feet that slide: on ground that does not move they do, by a step's length.
    ck::Clip wrong = moving;
    wrong.groundSpeedMetersPerSecond = 0.0;
    QVERIFY(worstSlipMm(humanoid_, wrong, 0.005) > 200.0);
  }

  void crowdsAreBakedFromTheRigsBesideThem_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("actors");
    QTest::newRow("plaza") << "plaza" << 128;
    QTest::newRow("meadow") << "meadow" << 90;
  }
  void crowdsAreBakedFromTheRigsBesideThem() {
    QFETCH(QString, name);
    QFETCH(int, actors);
    const std::string stem = name.toStdString();
    const auto project = ck::readProjectFile(kFolder / stem / (stem + ".crowd"));
    QVERIFY2(project.has_value(), project ? "" : project.error().message.c_str());
    QCOMPARE(static_cast<int>(project->actors.size()), actors);
    const auto character = ck::importCharacter(project->characters.front().sources.front().path,
                                               project->characters.front().import);
    QVERIFY(character.has_value());
    auto fresh = ck::bake(*character, ck::bakeInputs(project->characters.front()));
    QVERIFY(fresh.has_value());
    const auto stored = ck::readAtlasFile(kFolder / stem / (stem + ".ckatlas"));
    QVERIFY2(stored.has_value(), stored ? "" : stored.error().message.c_str());
    fresh->atlas.sourcePath = stored->sourcePath;
    QVERIFY(fresh->atlas == *stored);
  }
};

CK_TEST(tst_samples)
#include "tst_samples.moc"
