#include <QTest>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/base/files.h"
#include "core/import/import_process.h"
#include "tests/support/import_worker.h"
#include "tests/support/reference_poses.h"
#include "tests/support/rigs.h"

namespace {

std::filesystem::path modelOf(const std::filesystem::path& reference) {
  std::ifstream file(reference);
  return std::filesystem::path(CK_SHARED_DIR) / "models" /
         nlohmann::json::parse(file).at("model").get<std::string>();
}

bool hasNote(const ck::Character& character, const char* code) {
  return std::any_of(character.notes.begin(), character.notes.end(),
                     [code](const ck::Note& note) { return note.code == code; });
}

// Calls visit(name, our matrix, theirs) for every joint of the first clip's samples that both have.
template <class Visit>
void forEachJoint(const ck::Character& character, const std::filesystem::path& reference,
                  Visit visit) {
  std::ifstream stream(reference);
  const auto json = nlohmann::json::parse(stream);
  for (const auto& sample : json["clips"]) {
    const auto globals = ck::globalMatrices(
        character.rig,
        ck::sampleClip(character.rig, character.clips[0], sample["time"].get<double>()));
    for (const auto& joint : sample["joints"]) {
      const auto ours = ck::findJoint(character.rig, joint["name"].get<std::string>());
      if (!ours) continue;
      glm::dmat4 theirs(1.0);
      for (int i = 0; i < 16; ++i) {
        theirs[i / 4][i % 4] = joint["matrix"][static_cast<std::size_t>(i)].get<double>();
      }
      visit(joint["name"].get<std::string>(), globals[static_cast<std::size_t>(*ours)], theirs);
    }
  }
}

}  // namespace

// FBX, Collada, MD5, BVH and X come through a general library: this lists how far they are from
// their references, and holds what must be right already.
class tst_other_formats : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void rejectsWhatCannotBeRead_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("code");
    QTest::newRow("an FBX 6.1 names its version")
        << "ufbx_old_versions/max2009_blob_6100_ascii.fbx" << int(ck::ErrorCode::Unsupported);
    QTest::newRow("an IQM rig is refused by name")
        << "iqm_guy/guy.iqm" << int(ck::ErrorCode::Unsupported);
    QTest::newRow("an unknown format lists the known ones")
        << "wuson_formats/Wuson.ms3d" << int(ck::ErrorCode::Unsupported);
  }
  void rejectsWhatCannotBeRead() {
    QFETCH(QString, file);
    QFETCH(int, code);
    const auto model = ck::test::sharedModel(file.toUtf8().constData());
    if (!model) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*model);
    QVERIFY(!character.has_value());
    qInfo("%s", character.error().message.c_str());
    QCOMPARE(int(character.error().code), code);
  }

  // MD5 keeps mesh and clips in files of their own, so this is the test of importWithClips as well.
  void md5ClipsOfOtherFilesMoveTheRig() {
    const auto mesh = ck::test::sharedModel("own_md5/walker.md5mesh");
    if (!mesh) QSKIP("the folder of shared models is not there");
    const auto folder = mesh->parent_path();
    const auto character = ck::importWithClips(
        {*mesh, folder / "walker.md5anim", folder / "walk.md5anim", folder / "idle.md5anim"});
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->clips.size(), std::size_t{3});
    QCOMPARE(character->clips[0].name, std::string("walker"));
    QCOMPARE(character->clips[1].name, std::string("walk"));
    ck::test::PoseComparison how;
    how.vertexOrderKept = false;
    how.inFileSpace = true;
    const auto reference = ck::test::sharedModel("reference/own_md5/own_md5.analytic.json");
    const auto difference = ck::test::comparePoses(*character, *reference, how);
    qInfo("joints %.1e (%s), %d vertices %.1e (%s)", difference.joints,
          difference.worstJoint.c_str(), difference.verticesCompared, difference.vertices,
          difference.worstVertex.c_str());
    QVERIFY(difference.skipped.empty());
    QVERIFY(difference.verticesCompared > 1000);
    QVERIFY(difference.joints < 1e-4);
    QVERIFY(difference.vertices < 1e-4);
    // Every weight is there and the faces look outwards: the closed body has a positive volume.
    QVERIFY(!hasNote(*character, "ProvisionalReader") && !hasNote(*character, "WeightsApart"));
    const ck::Mesh& body = character->meshes[0];
    double volume = 0.0;
    for (std::size_t i = 0; i + 2 < body.indices.size(); i += 3) {
      const glm::dvec3 a(body.positions[body.indices[i]]);
      const glm::dvec3 b(body.positions[body.indices[i + 1]]);
      const glm::dvec3 c(body.positions[body.indices[i + 2]]);
      volume += glm::dot(a, glm::cross(b, c)) / 6.0;
    }
    QVERIFY(volume > 0.0);
  }

  void mixamoClipsMoveARigOfAnotherPrefix() {
    const auto rig = ck::test::sharedModel("own_mixamo_style/character.fbx");
    if (!rig) QSKIP("the folder of shared models is not there");
    const auto folder = rig->parent_path();
    const auto character =
        ck::importWithClips({*rig, folder / "walk.fbx", folder / "walk_prefix1.fbx"});
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->clips.size(), std::size_t{2});
    QCOMPARE(character->clips[0].jointTracks.size(), character->clips[1].jointTracks.size());
    QVERIFY(!hasNote(*character, "JointsUnmatched"));
  }

  // BVH from Blender: its positions hold the OFFSETs already, which three.js adds once more. The
  // same scene as Collada tells who is right. Blender writes its own Z up into a format that is
  // Y up by custom: (x, y, z) there is (x, z, -y) in the other. Below the forearms the two files
  // of that exporter differ by themselves (its BVH turns the elbows otherwise).
  void bvhPositionsHoldTheOffsets() {
    const auto file = ck::test::sharedModel("own_pilgrim/pilgrim_walk.bvh");
    const auto witness = ck::test::sharedModel("reference/own_pilgrim/pilgrim_walk.dae.three.json");
    if (!file || !witness) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*file);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(hasNote(*character, "RootOffset"));
    int compared = 0;
    double worst = 0.0;
    forEachJoint(*character, *witness,
                 [&](const std::string& name, const glm::dmat4& ours, const glm::dmat4& theirs) {
                   if (name.find("Hand") != std::string::npos) return;
                   const glm::dvec3 place(ours[3]);
                   const glm::dvec3 turned(place.x, place.z, -place.y);
                   worst = std::max(worst, glm::distance(turned, glm::dvec3(theirs[3])));
                   ++compared;
                 });
    qInfo("%d joints, %.2e m of 1.8 m", compared, worst);
    QVERIFY(compared == 5 * 20);
    // The frame times differ in their last digits, 0.041667 s and 1 / 24 s.
    QVERIFY(worst < 1e-4 * 1.8);
  }

  // Where three.js puts the joints is not asked for here, but how it turns them is.
  void bvhRotationsAreThoseOfTheReference() {
    const auto file = ck::test::sharedModel("own_pilgrim/pilgrim_walk.bvh");
    const auto witness = ck::test::sharedModel("reference/own_pilgrim/pilgrim_walk.bvh.three.json");
    if (!file || !witness) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*file);
    QVERIFY(character.has_value());
    int compared = 0;
    double worst = 0.0;
    forEachJoint(*character, *witness,
                 [&](const std::string&, const glm::dmat4& ours, const glm::dmat4& theirs) {
                   for (int c = 0; c < 3; ++c) {
                     worst =
                         std::max(worst, glm::distance(glm::dvec3(ours[c]), glm::dvec3(theirs[c])));
                   }
                   ++compared;
                 });
    qInfo("%d joints, %.2e", compared, worst);
    QCOMPARE(compared, 5 * 26);
    QVERIFY(worst < 1e-5);
  }

  void differencesFromTheReference_data() {
    QTest::addColumn<QString>("reference");
    const auto folder = std::filesystem::path(CK_SHARED_DIR) / "models" / "reference";
    for (const char* ending : {".ufbx.json", ".three.json", ".analytic.json"}) {
      for (const auto& reference : ck::test::filesBelow(folder, ending)) {
        const std::string model = ck::pathText(modelOf(reference));
        if (model.ends_with(".gltf") || model.ends_with(".glb")) continue;
        QTest::newRow(ck::pathText(reference.filename()).c_str())
            << QString::fromStdString(ck::pathText(reference));
      }
    }
    if (!std::filesystem::exists(folder)) QTest::newRow("no shared models") << QString();
  }

  // Only reports: these formats are provisional.
  void differencesFromTheReference() {
    QFETCH(QString, reference);
    if (reference.isEmpty()) QSKIP("the folder of shared models is not there");
    const std::filesystem::path path = ck::pathFromText(reference.toStdString());
    const std::filesystem::path model = modelOf(path);
    const auto character = ck::importCharacter(model);
    if (!character) {
      qInfo("%s: %s", std::string(ck::errorCodeName(character.error().code)).c_str(),
            character.error().message.c_str());
      QVERIFY(character.error().code != ck::ErrorCode::Internal);
      return;
    }
    QVERIFY(ck::validate(*character).has_value());
    const bool own = model.extension() == ".bvh" || model.extension() == ".md5mesh";
    QCOMPARE(hasNote(*character, "ProvisionalReader"), !own);
    ck::test::PoseComparison how;
    how.vertexOrderKept = false;
    how.inFileSpace = !reference.endsWith(".three.json");
    how.timesFromClipStart = model.extension() == ".fbx";
    const auto difference = ck::test::comparePoses(*character, path, how);
    qInfo("%d joints %.4f %% (%s), %zu missing; %d vertices %.4f %% (%s), %d unmatched%s%s",
          difference.jointsCompared, difference.joints * 100.0, difference.worstJoint.c_str(),
          difference.missingJoints.size(), difference.verticesCompared, difference.vertices * 100.0,
          difference.worstVertex.c_str(), difference.verticesUnmatched,
          difference.skipped.empty() ? "" : "; not compared:", difference.skipped.c_str());
  }
};

QTEST_APPLESS_MAIN(tst_other_formats)
#include "tst_other_formats.moc"
