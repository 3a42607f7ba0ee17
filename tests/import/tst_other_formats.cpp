#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/reference_poses.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::hasNote;

namespace {

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

// The features of formats other than glTF. Their reference poses are in tst_references.
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
    QVERIFY(!hasNote(character->notes, "WeightsApart"));
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
    QVERIFY(!hasNote(character->notes, "JointsUnmatched"));
  }

  // BVH from Blender: its positions hold the OFFSETs already, which three.js adds once more. The
  // same scene as Collada tells who is right. Blender writes its own Z up into a format that is
  // Y up by custom, which the skeleton tells. Below the forearms the two files
  // of that exporter differ by themselves (its BVH turns the elbows otherwise).
  void bvhPositionsHoldTheOffsets() {
    const auto file = ck::test::sharedModel("own_pilgrim/pilgrim_walk.bvh");
    const auto witness = ck::test::sharedModel("reference/own_pilgrim/pilgrim_walk.dae.three.json");
    if (!file || !witness) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*file);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(hasNote(character->notes, "RootOffset") && hasNote(character->notes, "AxesFound"));
    int compared = 0;
    double worst = 0.0;
    forEachJoint(*character, *witness,
                 [&](const std::string& name, const glm::dmat4& ours, const glm::dmat4& theirs) {
                   if (name.find("Hand") != std::string::npos) return;
                   worst =
                       std::max(worst, glm::distance(glm::dvec3(ours[3]), glm::dvec3(theirs[3])));
                   ++compared;
                 });
    qInfo("%d joints, %.2e m of 1.8 m", compared, worst);
    QVERIFY(compared == 5 * 20);
    // The frame times differ in their last digits, 0.041667 s and 1 / 24 s.
    QVERIFY(worst < 1e-4 * 1.8);
  }

  // Where three.js puts the joints is not asked for here, but how it turns them is. It takes the
  // file's Z for Y.
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
                     const glm::dvec3 inFile(ours[c].x, -ours[c].z, ours[c].y);
                     worst = std::max(worst, glm::distance(inFile, glm::dvec3(theirs[c])));
                   }
                   ++compared;
                 });
    qInfo("%d joints, %.2e", compared, worst);
    QCOMPARE(compared, 5 * 26);
    QVERIFY(worst < 1e-5);
  }

  // BVH on a rig of another format and exporter: every joint is found, and a height that is asked
  // for is the rig's.
  void severalBvhAreClipsOfOneRig() {
    const auto rig = ck::test::sharedModel("own_pilgrim/pilgrim.glb");
    const auto bvh = ck::test::sharedModel("own_pilgrim/pilgrim_walk.bvh");
    if (!rig || !bvh) QSKIP("the folder of shared models is not there");
    const auto alone = ck::importCharacter(*rig);
    const auto both = ck::importWithClips({*rig, *bvh, *bvh}, {.heightMeters = 2.0});
    QVERIFY2(both.has_value(), both ? "" : both.error().message.c_str());
    QCOMPARE(both->clips.size(), alone->clips.size() + 2);
    QCOMPARE(both->clips[both->clips.size() - 2].name, std::string("pilgrim_walk"));
    QCOMPARE(both->clips.back().name, std::string("pilgrim_walk (2)"));
    QVERIFY(!hasNote(both->notes, "JointsUnmatched") && !hasNote(both->notes, "StickFigure"));
    QVERIFY(hasNote(both->notes, "RestPoseFitted"));
    const ck::Bounds bounds = ck::bindBounds(*both);
    QVERIFY(std::abs(bounds.high.y - bounds.low.y - 2.0) < 1e-4);
  }

  // The file's own witness: its clip "Wuson_Bind" holds the pose in which the mesh was bound.
  void xFilesStandInTheirBindPose() {
    const auto file = ck::test::sharedModel("wuson_formats/Testwuson.X");
    if (!file) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*file);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->clips.size(), std::size_t{3});
    QCOMPARE(character->clips[2].name, std::string("Wuson_Bind"));
    const auto skins = ck::skinMatricesAt(character->rig, character->clips[2], 0.0);
    const ck::Mesh& mesh = character->meshes[0];
    const ck::SkinnedMesh posed = ck::skinMesh(mesh, skins, {});
    double worst = 0.0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      worst = std::max(worst, glm::distance(posed.positions[v], glm::dvec3(mesh.positions[v])));
    }
    qInfo("%.1e of 3.2 units", worst);
    QVERIFY(worst < 1e-4 * 3.2);
    // 4800 ticks a second: its keys are every 160.
    QVERIFY(std::abs(ck::keyGrid(character->clips[0])->stepSeconds - 1.0 / 30.0) < 1e-6);
  }

  // X is left-handed, with matrices that multiply rows: by hand, and without a tick rate.
  void xIsMirroredAndPlaysAt4800Ticks() {
    const QTemporaryDir folder;
    const auto path = ck::pathFromText(folder.filePath("frame.x").toStdString());
    std::ofstream(path) << R"(xof 0303txt 0032
Frame Root {
 FrameTransformMatrix { 1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,10.0,20.0,30.0,1.0;; }
 Mesh M { 3; 0.0;0.0;0.0;, 0.0;1.0;0.0;, 1.0;2.0;3.0;; 1; 3;0,1,2;; }
}
AnimationSet Walk {
 Animation { {Root} AnimationKey { 2; 2; 0;3;10.0,20.0,30.0;;, 4800;3;11.0,20.0,34.0;;; } }
}
)";
    const auto character = ck::importCharacter(path);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const ck::Clip& clip = character->clips[0];
    QCOMPARE(clip.durationSeconds, 1.0);
    const ck::Mesh& mesh = character->meshes[0];
    const auto posed = ck::skinMesh(mesh, ck::skinMatricesAt(character->rig, clip, 1.0), {});
    const auto farthest =
        *std::max_element(posed.positions.begin(), posed.positions.end(),
                          [](const glm::dvec3& a, const glm::dvec3& b) { return a.x < b.x; });
    QVERIFY(glm::distance(farthest, glm::dvec3(12, 22, -37)) < 1e-5);
  }

  void colladaBumpsAreNormalMapsUnlessTheyAreHeights_data() {
    QTest::addColumn<QString>("pixel");  // blue, green, red, as TGA has them
    QTest::addColumn<bool>("shown");
    QTest::addColumn<QString>("note");
    QTest::newRow("directions") << QStringLiteral("ff8080") << true << "TangentsComputed";
    QTest::newRow("heights") << QStringLiteral("808080") << false << "NormalMapUnused";
  }
  // The file is a square that faces +z, with a picture in the place of bumps.
  void colladaBumpsAreNormalMapsUnlessTheyAreHeights() {
    QFETCH(QString, pixel);
    QFETCH(bool, shown);
    QFETCH(QString, note);
    const QTemporaryDir folder;
    const std::filesystem::path at = folder.path().toStdString();
    std::ofstream(at / "bumps.tga", std::ios::binary)
        << std::string("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\0", 18)
        << QByteArray::fromHex(pixel.toLatin1()).toStdString();
    std::filesystem::copy_file(std::filesystem::path(CK_SOURCE_DIR) / "tests/data/bumpy_square.dae",
                               at / "square.dae");
    const auto character = ck::importCharacter(at / "square.dae");
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(hasNote(character->notes, note.toStdString()));
    const ck::Mesh& mesh = character->meshes.at(0);
    const ck::Material& material = character->materials.at(static_cast<std::size_t>(mesh.material));
    QCOMPARE(material.normal.image, shown ? 0 : -1);
    QCOMPARE(mesh.tangents.empty(), !shown);
    // Collada's v grows upwards; the picture stands upright on the square.
    for (const glm::vec4& tangent : mesh.tangents) {
      QVERIFY(glm::distance(tangent, glm::vec4(1, 0, 0, 1)) < 1e-6f);
    }
  }

  // three.js plays all animations of the file at once, so that those of its second clip win, and
  // calls the joints by their sids.
  void colladaClipsAreReadAsListed() {
    const auto file = ck::test::sharedModel("assimp_dae/library_animation_clips.dae");
    const auto witness =
        ck::test::sharedModel("reference/assimp_dae/library_animation_clips.dae.three.json");
    if (!file || !witness) QSKIP("the folder of shared models is not there");
    auto character = ck::importCharacter(*file);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->clips.size(), std::size_t{2});
    QCOMPARE(character->clips[0].name, std::string("bend"));
    QVERIFY(std::abs(character->clips[0].startSeconds - 1.0 / 24.0) < 1e-9);
    QVERIFY(std::abs(character->clips[0].durationSeconds - 14.0 / 24.0) < 0.05);
    QCOMPARE(character->clips[1].name, std::string("turn"));
    std::swap(character->clips[0], character->clips[1]);
    for (std::size_t j = 0; j < character->rig.joints.size(); ++j) {
      ck::Joint& joint = character->rig.joints[j];
      if (joint.name == "Bone") joint.name = "id-skelbones-2-0";
      for (const char* number : {"1", "2", "3", "4"}) {
        if (joint.name == std::string("Bone.00") + number) {
          joint.name = std::string("id-skelbones-2-") + number;
        }
      }
    }
    int compared = 0;
    double worst = 0.0;
    forEachJoint(*character, *witness,
                 [&](const std::string&, const glm::dmat4& ours, const glm::dmat4& theirs) {
                   for (int c = 0; c < 4; ++c) {
                     worst =
                         std::max(worst, glm::distance(glm::dvec3(ours[c]), glm::dvec3(theirs[c])));
                   }
                   ++compared;
                 });
    qInfo("%d joints, %.2e", compared, worst);
    QVERIFY(compared >= 20);
    QVERIFY(worst < 1e-4);
  }
};

CK_TEST(tst_other_formats)
#include "tst_other_formats.moc"
