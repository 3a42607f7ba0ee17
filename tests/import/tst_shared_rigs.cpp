#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/export/set/atlas_export.h"
#include "core/import/import_process.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"
#include "tests/support/atlas_decoder.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

// Bakes of real rigs: how good they are, and whether the exported files alone give the poses that
// other programs computed (shared/models/reference).
namespace {

using Json = nlohmann::json;

Json readJson(const std::filesystem::path& path) {
  std::ifstream file(path);
  return Json::parse(file);
}

glm::dmat4 matrixOf(const Json& numbers) {
  glm::dmat4 m;
  for (int i = 0; i < 16; ++i) m[i / 4][i % 4] = numbers[static_cast<std::size_t>(i)].get<double>();
  return m;
}

// Skin matrices of a clip at several moments, read by the Python decoder from the files alone.
Json decodedPoses(ck::test::AtlasDecoder& decoder, const QString& sidecar, const std::string& clip,
                  const std::vector<double>& units) {
  QStringList arguments = {sidecar, "--clip", QString::fromStdString(clip)};
  for (const double unit : units) arguments << "--unit" << QString::number(unit, 'g', 17);
  return decoder.document(arguments);
}

// The moments of one clip in a reference file.
struct ReferenceClip {
  std::vector<double> units;
  std::vector<Json> joints;
  std::vector<Json> meshes;
};

std::map<std::string, ReferenceClip> referenceClips(const Json& reference, const ck::Atlas& atlas) {
  std::map<std::string, ReferenceClip> clips;
  for (const Json& moment : reference["clips"]) {
    const std::string name = moment["clip"].is_string() ? moment["clip"].get<std::string>() : "";
    for (const ck::AtlasClip& clip : atlas.clips) {
      const bool only = atlas.clips.size() == 1;
      if ((clip.name != name && !only) || clip.durationSeconds <= 0.0) continue;
      const double seconds = moment["time"].get<double>() - clip.startSeconds;
      clips[clip.name].units.push_back(std::clamp(seconds / clip.durationSeconds, 0.0, 1.0));
      clips[clip.name].joints.push_back(moment["joints"]);
      clips[clip.name].meshes.push_back(moment["meshes"]);
    }
  }
  return clips;
}

// How far the vertices of a mesh are from those of another program, in metres.
double farthest(const ck::SkinnedMesh& ours, const Json& theirs, const glm::dmat4& toModel) {
  double most = 0.0;
  for (std::size_t i = 0; i < theirs["vertexIndices"].size(); ++i) {
    const auto index = theirs["vertexIndices"][i].get<std::size_t>();
    glm::dvec3 place(0.0);
    for (int axis = 0; axis < 3; ++axis) {
      place[axis] = theirs["positions"][i][std::size_t(axis)].get<double>();
    }
    most =
        std::max(most, glm::distance(ours.positions.at(index), ck::transformPoint(toModel, place)));
  }
  return most;
}

}  // namespace

class tst_shared_rigs : public QObject {
  Q_OBJECT

  ck::test::AtlasDecoder decoder_;

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  // The promise for humanoids with linear keys, 2 m tall, on their own keys.
  void figuresBakeWithinAMillimetre_data() {
    QTest::addColumn<QString>("model");
    for (const char* model :
         {"cesium_man/CesiumMan.glb", "rigged_figure/RiggedFigure.gltf", "woman_packt/Woman.gltf",
          "robot_expressive/RobotExpressive.glb", "kaykit_barbarian/Barbarian.glb",
          "kenney_character/character.glb", "greenman/greenman.glb", "fox/Fox.glb"}) {
      QTest::newRow(model) << model;
    }
  }
  void figuresBakeWithinAMillimetre() {
    QFETCH(QString, model);
    const auto path = ck::test::sharedModel(model.toUtf8().constData());
    if (!path) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*path, {.heightMeters = 2.0});
    QVERIFY2(character, character ? "" : character.error().message.c_str());
    const auto result = ck::bake(*character, {});
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    const auto error = ck::measureBakeError(*character, result->atlas);
    QVERIFY(error);
    qInfo("%.3f mm (%s, %s at %.3f s), direct %.2f mm", error->palette.shell.max,
          error->palette.shell.worstClip.c_str(), error->palette.shell.worstJoint.c_str(),
          error->palette.shell.worstTimeSeconds, error->direct.shell.max);
    QVERIFY(error->palette.shell.max <= 1.0);
    QVERIFY(error->palette.shell.max > 0.0);
  }

  void shearThatOneScaleCannotHoldIsNamed() {
    const auto path = ck::test::sharedModel("own_pilgrim/pilgrim.glb");
    if (!path) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*path, {.heightMeters = 2.0});
    QVERIFY(character);
    ck::BakeSettings settings;
    settings.encoding = ck::Encoding::P16;
    const auto result = ck::bake(*character, settings);
    QVERIFY(result);
    const auto error = ck::measureBakeError(*character, result->atlas);
    QVERIFY(error && error->palette.vertices.max > 1.0);
    QVERIFY(ck::test::hasNote(result->notes, "ScaleDropped", error->palette.vertices.worstJoint));
  }

  // Their meshes and armatures have different units, so that every joint scales by 100 or 0.01.
  void rigsOfTwoUnitsNeedNoScale_data() {
    QTest::addColumn<QString>("model");
    for (const char* model :
         {"own_cm_armature/own_cm_armature.glb", "quaternius_man/Male_Casual.fbx",
          "quaternius_wolf_glb/Wolf.glb", "robot_expressive/RobotExpressive.glb"}) {
      QTest::newRow(model) << model;
    }
  }
  void rigsOfTwoUnitsNeedNoScale() {
    QFETCH(QString, model);
    const auto path = ck::test::sharedModel(model.toUtf8().constData());
    if (!path) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*path, {.heightMeters = 2.0});
    QVERIFY2(character, character ? "" : character.error().message.c_str());
    QVERIFY(ck::test::hasNote(character->notes, "MeshesRescaled"));
    ck::BakeSettings settings;
    const auto exact = ck::bake(*character, settings);
    settings.encoding = ck::Encoding::D16;
    const auto rigid = ck::bake(*character, settings);
    QVERIFY(exact && rigid);
    QVERIFY(!ck::test::hasNote(rigid->notes, "ScaleDropped"));
    const double pivotMm = ck::measureBakeError(*character, exact->atlas)->palette.vertices.max;
    const double rigidMm = ck::measureBakeError(*character, rigid->atlas)->palette.vertices.max;
    qInfo("D16 %.3f mm, P16 %.3f mm", rigidMm, pivotMm);
    // D16 rounds about the model's origin and not about the joint.
    QVERIFY(rigidMm < pivotMm + 0.4);
  }

  // Skins the mesh as it is exported by matrices that only the Python decoder read from D16.
  void verticesWithoutScaleAreThoseOfOtherPrograms() {
    const auto path = ck::test::sharedModel("robot_expressive/RobotExpressive.glb");
    const auto referencePath =
        ck::test::sharedModel("reference/robot_expressive/RobotExpressive.glb.three.json");
    if (!path || !referencePath) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*path);
    QVERIFY(character);
    ck::BakeSettings settings;
    settings.encoding = ck::Encoding::D16;
    const ck::Atlas atlas = ck::bake(*character, settings)->atlas;
    const QTemporaryDir folder;
    QVERIFY(ck::exportAtlas(atlas, "rig", ck::pathFromText(folder.path().toStdString()),
                            {.kinds = {ck::ExportKind::Png}}));
    const ck::Bounds bind = ck::bindBounds(*character);
    const double size = glm::distance(bind.low, bind.high);
    int compared = 0;
    double most = 0.0;
    for (const auto& [name, moments] : referenceClips(readJson(*referencePath), atlas)) {
      const Json decoded =
          decodedPoses(decoder_, folder.filePath("rig.atlas.json"), name, moments.units);
      QVERIFY(!decoded.is_null());
      for (std::size_t i = 0; i < moments.units.size(); ++i) {
        std::vector<glm::dmat4> skins;
        for (const Json& joint : decoded["poses"][i]["joints"]) {
          skins.push_back(matrixOf(joint["matrix"]));
        }
        for (const Json& theirs : moments.meshes[i]) {
          if (theirs.contains("morphWeights")) continue;
          // Readers name parts otherwise; of two with as many vertices the nearer one is meant.
          double nearest = 1e9;
          for (const ck::Mesh& mesh : character->meshes) {
            if (mesh.positions.size() != theirs["vertexCount"].get<std::size_t>()) continue;
            nearest = std::min(nearest, farthest(ck::skinMesh(mesh, skins), theirs,
                                                 character->source.sourceToModel));
          }
          most = std::max(most, nearest);
          ++compared;
        }
      }
    }
    qInfo("%d meshes, %.2f mm off at a size of %.2f m", compared, most * 1000.0, size);
    QVERIFY(compared > 40);
    // A millimetre on two metres, which is what a bake promises between its frames.
    QVERIFY(most < 0.0005 * size);
  }

  void exportedFilesAloneGiveTheReferencePoses_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"cesium_man/CesiumMan.glb", "fox/Fox.glb", "woman_packt/Woman.gltf",
                              "robot_expressive/RobotExpressive.glb", "greenman/greenman.glb",
                              "kenney_character/character.glb"}) {
      QTest::newRow(model) << model;
    }
  }
  void exportedFilesAloneGiveTheReferencePoses() {
    QFETCH(QString, model);
    const auto path = ck::test::sharedModel(model.toUtf8().constData());
    const auto referencePath =
        ck::test::sharedModel(("reference/" + model + ".three.json").toUtf8().constData());
    if (!path || !referencePath) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*path);
    QVERIFY(character);
    const ck::Atlas atlas = ck::bake(*character, {})->atlas;
    const QTemporaryDir folder;
    QVERIFY(ck::exportAtlas(atlas, "rig", ck::pathFromText(folder.path().toStdString()),
                            {.kinds = {ck::ExportKind::Png}}));
    const auto clips = referenceClips(readJson(*referencePath), atlas);
    QVERIFY(!clips.empty());
    const std::vector<std::string> names = ck::skinJointNames(character->rig);
    const ck::Bounds bind = ck::bindBounds(*character);
    double size = glm::distance(bind.low, bind.high);
    for (const ck::AtlasClip& clip : atlas.clips) {
      size = std::max(size, glm::distance(clip.bounds.low, clip.bounds.high));
    }
    int compared = 0;
    for (const auto& [name, moments] : clips) {
      const Json decoded =
          decodedPoses(decoder_, folder.filePath("rig.atlas.json"), name, moments.units);
      QVERIFY(!decoded.is_null());
      for (std::size_t i = 0; i < moments.units.size(); ++i) {
        compared += compareMoment(*character, names, decoded["poses"][i]["joints"],
                                  moments.joints[i], size);
      }
    }
    QVERIFY(compared > 50);
    qInfo("%d joint matrices compared", compared);
  }

 private:
  // World matrix of a joint = skin matrix * bind matrix, against the reference's in model space.
  // Returns how many were compared; fails the test where one is off.
  int compareMoment(const ck::Character& character, const std::vector<std::string>& names,
                    const Json& decoded, const Json& reference, double size) {
    int compared = 0;
    for (const Json& joint : reference) {
      const auto found = std::find(names.begin(), names.end(), joint["name"].get<std::string>());
      if (found == names.end() || !joint.contains("matrix")) continue;
      const auto index = static_cast<std::size_t>(found - names.begin());
      const ck::SkinJoint& skinJoint = character.rig.skinJoints[index];
      const glm::dmat4 world =
          matrixOf(decoded[index]["matrix"]) * ck::affineInverse(skinJoint.inverseBind);
      const glm::dmat4 wanted = character.source.sourceToModel * matrixOf(joint["matrix"]);
      const double apart = glm::distance(glm::dvec3(world[3]), glm::dvec3(wanted[3]));
      // A millimetre on two metres, which is what a bake promises between its frames.
      if (apart > 0.0005 * size) {
        QTest::qFail(qPrintable(QString("%1 is %2 of the size off")
                                    .arg(QString::fromStdString(*found))
                                    .arg(apart / size)),
                     __FILE__, __LINE__);
      }
      for (int column = 0; column < 3; ++column) {
        const double length = glm::length(glm::dvec3(wanted[column]));
        const double off = glm::distance(glm::dvec3(world[column]), glm::dvec3(wanted[column]));
        if (off > 0.01 * length) {
          QTest::qFail(qPrintable(QString("%1 is turned by %2")
                                      .arg(QString::fromStdString(*found))
                                      .arg(off / length)),
                       __FILE__, __LINE__);
        }
      }
      ++compared;
    }
    return compared;
  }
};

CK_TEST(tst_shared_rigs, QCoreApplication)
#include "tst_shared_rigs.moc"
