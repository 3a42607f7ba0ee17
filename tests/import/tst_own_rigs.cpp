#include <QTest>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <map>
#include <set>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/import_worker.h"
#include "tests/support/test_program.h"

namespace {

constexpr double kTolerance = 1e-5;  // metres; files have nine digits, meshes floats

std::filesystem::path rigFile(const std::string& name) {
  return std::filesystem::path(CK_SOURCE_DIR) / "tests/data/rigs" / name;
}

glm::dmat4 turnAt(double heightMeters, double degrees) {
  const glm::dvec3 pivot(0.0, heightMeters, 0.0);
  const glm::dmat4 there = glm::translate(glm::dmat4(1.0), pivot);
  return glm::rotate(there, glm::radians(degrees), glm::dvec3(0, 0, 1)) *
         glm::translate(glm::dmat4(1.0), -pivot);
}

// The pose of the joints 'root', 'middle' and 'tip' in a clip, by the formulae of make_rigs.py.
glm::dmat4 skinMatrix(int joint, const std::string& clip, double seconds) {
  if (clip == "rise") {
    return glm::translate(glm::dmat4(1.0), glm::dvec3(0.5, 1.0, 0.0) * (seconds / 2.0));
  }
  glm::dmat4 matrix(1.0);
  if (joint >= 1) matrix *= turnAt(1.0, 90.0 * seconds);
  if (joint >= 2) matrix *= turnAt(2.0, -30.0 * seconds);
  return matrix;
}

glm::dvec3 placeOf(const glm::dvec3& bind, const std::string& clip, double seconds) {
  constexpr double kRowWeights[4][3] = {{1, 0, 0}, {0.75, 0.25, 0}, {0, 0.25, 0.75}, {0, 0, 1}};
  const auto& weights = kRowWeights[std::lround(bind.y)];
  glm::dvec3 place(0.0);
  for (int joint = 0; joint < 3; ++joint) {
    place += weights[joint] * glm::dvec3(skinMatrix(joint, clip, seconds) * glm::dvec4(bind, 1.0));
  }
  return place;
}

// How far the character in its clip is from the formulae, in metres.
double worstDistance(const ck::Character& character, const ck::Clip& clip,
                     const std::string& meant) {
  double worst = 0.0;
  const ck::Mesh& mesh = character.meshes.front();
  for (const double share : {0.0, 0.2, 0.25, 0.5, 0.9, 1.0}) {
    const double seconds = share * clip.durationSeconds;
    const auto posed = ck::skinMesh(mesh, ck::skinMatricesAt(character.rig, clip, seconds), {});
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const glm::dvec3 wanted = placeOf(glm::dvec3(mesh.positions[v]), meant, seconds);
      worst = std::max(worst, glm::distance(posed.positions[v], wanted));
    }
  }
  return worst;
}

}  // namespace

// The readers of all formats on one rig whose poses are known by formula (tests/data/rigs), so that
// they are tested without the shared models.
class tst_own_rigs : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void theStripIsTheSameInEveryFormat_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QString>("format");
    QTest::addColumn<double>("unitScale");
    QTest::addColumn<QString>("upAxis");
    QTest::addColumn<bool>("uvsRunUp");
    QTest::newRow("glTF") << QStringList{"strip.gltf"} << "glTF" << 1.0 << "Y" << false;
    QTest::newRow("FBX") << QStringList{"strip.fbx"} << "FBX" << 0.01 << "Y" << true;
    QTest::newRow("Collada") << QStringList{"strip.dae"} << "Collada" << 0.5 << "Z" << true;
    QTest::newRow("X") << QStringList{"strip.x"} << "X" << 1.0 << "Y" << false;
    QTest::newRow("MD5") << QStringList{"strip.md5mesh", "bend.md5anim", "rise.md5anim"} << "MD5"
                         << 1.0 << "Z" << false;
  }
  void theStripIsTheSameInEveryFormat() {
    QFETCH(QStringList, files);
    QFETCH(QString, format);
    QFETCH(double, unitScale);
    QFETCH(QString, upAxis);
    QFETCH(bool, uvsRunUp);
    std::vector<ck::ImportFile> paths;
    for (const QString& file : files) paths.emplace_back(rigFile(file.toStdString()));
    const auto character = ck::importWithClips(paths);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(QString::fromStdString(character->source.format), format);
    QCOMPARE(character->source.unitScale, unitScale);
    QCOMPARE(QString::fromStdString(character->source.upAxis), upAxis);
    const auto root = ck::findJoint(character->rig, "root");
    const auto middle = ck::findJoint(character->rig, "middle");
    const auto tip = ck::findJoint(character->rig, "tip");
    QVERIFY(root && middle && tip);
    QCOMPARE(character->rig.joints[std::size_t(*middle)].parent, *root);
    QCOMPARE(character->rig.joints[std::size_t(*tip)].parent, *middle);

    QCOMPARE(character->meshes.size(), std::size_t{1});
    compareMesh(character->meshes.front(), uvsRunUp);
    QVERIFY(character->meshes.front().material >= 0);
    const ck::Material& cloth =
        character->materials[std::size_t(character->meshes.front().material)];
    QCOMPARE(cloth.name, std::string("cloth"));
    const bool coloured = format != "MD5";
    const glm::vec4 colour = coloured ? glm::vec4(0.8f, 0.4f, 0.2f, 1.0f) : glm::vec4(1.0f);
    QVERIFY(glm::distance(cloth.baseColor, colour) < 1e-6f);

    QCOMPARE(character->clips.size(), std::size_t{2});
    for (const auto& [name, seconds] :
         std::map<std::string, double>{{"bend", 1.0}, {"rise", 2.0}}) {
      const ck::Clip& clip = character->clips[name == "bend" ? 0 : 1];
      QCOMPARE(clip.name, name);
      QCOMPARE(clip.startSeconds, 0.0);
      QVERIFY(std::abs(clip.durationSeconds - seconds) < 1e-6);
      const double worst = worstDistance(*character, clip, name);
      QVERIFY2(worst < kTolerance, qPrintable(QString("%1 m in %2").arg(worst).arg(name.c_str())));
    }
  }

  // The strip as it lies where another axis of its file is up: mesh and motion turn together.
  void anotherAxisIsUpByChoice_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<int>("up");
    QTest::addColumn<QString>("read");
    // The model's axes as columns, where x is across the strip as it is read without a choice, y
    // along it and z out of it.
    QTest::addColumn<QList<int>>("axes");
    const QStringList x = {"strip.x"};
    const QStringList md5 = {"strip.md5mesh", "bend.md5anim", "rise.md5anim"};
    const auto row = [](const char* name, const QStringList& files, ck::UpAxis up, const char* read,
                        const QList<int>& axes) {
      QTest::newRow(name) << files << int(up) << QString(read) << axes;
    };
    // Of a point (x, y, -z) of the file: it is left-handed.
    row("X, z", x, ck::UpAxis::Z, "Z", {1, 0, 0, 0, 0, 1, 0, -1, 0});
    row("X, x", x, ck::UpAxis::X, "X", {0, 1, 0, -1, 0, 0, 0, 0, 1});
    row("X, y", x, ck::UpAxis::Y, "Y", {1, 0, 0, 0, 1, 0, 0, 0, 1});
    // Of a point (x, -z, y) of the file.
    row("MD5, y", md5, ck::UpAxis::Y, "Y", {1, 0, 0, 0, 0, 1, 0, -1, 0});
    row("MD5, x", md5, ck::UpAxis::X, "X", {0, 1, 0, 0, 0, 1, 1, 0, 0});
    row("MD5, z", md5, ck::UpAxis::Z, "Z", {1, 0, 0, 0, 1, 0, 0, 0, 1});
    row("FBX says it", {"strip.fbx"}, ck::UpAxis::Z, "Y", {1, 0, 0, 0, 1, 0, 0, 0, 1});
  }
  void anotherAxisIsUpByChoice() {
    QFETCH(QStringList, files);
    QFETCH(int, up);
    QFETCH(QString, read);
    QFETCH(QList<int>, axes);
    glm::dmat3 turn(1.0);
    for (int i = 0; i < 9; ++i) turn[i / 3][i % 3] = axes[i];
    std::vector<ck::ImportFile> usual;
    std::vector<ck::ImportFile> chosen;
    for (const QString& file : files) {
      const auto path = rigFile(file.toStdString());
      usual.emplace_back(path);
      chosen.emplace_back(path, ck::ClipFit{.up = ck::UpAxis(up)});
    }
    const auto before = ck::importWithClips(usual);
    const auto after = ck::importWithClips(chosen, {.upAxis = ck::UpAxis(up)});
    QVERIFY2(before && after, after ? "" : after.error().message.c_str());
    QCOMPARE(QString::fromStdString(after->source.upAxis), read);
    const ck::Mesh& mesh = after->meshes.front();
    for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
      const glm::dvec3 normal = turn * glm::dvec3(before->meshes.front().normals[v]);
      QVERIFY(glm::distance(glm::dvec3(mesh.normals[v]), normal) < 1e-6);
    }
    QCOMPARE(after->clips.size(), std::size_t{2});
    for (std::size_t c = 0; c < 2; ++c) {
      for (const double seconds : {0.0, 0.4, 1.0}) {
        const auto pose = [&](const ck::Character& of) {
          const auto matrices = ck::skinMatricesAt(of.rig, of.clips[c], seconds);
          return ck::skinMesh(of.meshes.front(), matrices, {}).positions;
        };
        const auto places = pose(*before);
        const auto turned = pose(*after);
        for (std::size_t v = 0; v < places.size(); ++v) {
          QVERIFY(glm::distance(glm::dvec3(turned[v]), turn * glm::dvec3(places[v])) < kTolerance);
        }
      }
    }
  }

  void bvhMovesTheStripAndStandsAlone() {
    const auto character = ck::importWithClips({rigFile("strip.gltf"), rigFile("bend.bvh")});
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->clips.size(), std::size_t{3});
    QCOMPARE(character->clips[2].name, std::string("bend (2)"));
    QVERIFY(worstDistance(*character, character->clips[2], "bend") < kTolerance);

    const auto alone = ck::importCharacter(rigFile("bend.bvh"));
    QVERIFY2(alone.has_value(), alone ? "" : alone.error().message.c_str());
    QCOMPARE(alone->source.format, std::string("BVH"));
    const auto tip = ck::findJoint(alone->rig, "tip");
    QVERIFY(tip);
    const auto pose = ck::sampleClip(alone->rig, alone->clips.front(), 0.5);
    const auto globals = ck::globalMatrices(alone->rig, pose);
    const glm::dvec3 wanted(skinMatrix(2, "bend", 0.5) * glm::dvec4(0, 2, 0, 1));
    QVERIFY(glm::distance(glm::dvec3(globals[std::size_t(*tip)][3]), wanted) < kTolerance);
  }

 private:
  // Every corner is there, faces and normals look at +Z, and pictures stand as the file means them.
  static void compareMesh(const ck::Mesh& mesh, bool uvsRunUp) {
    std::set<std::pair<int, int>> corners;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const glm::vec3 place = mesh.positions[v];
      const glm::vec3 corner(place.x < 0.0f ? -0.25f : 0.25f, std::round(place.y), 0.0f);
      QVERIFY(glm::distance(place, corner) < 1e-6f);
      QVERIFY(glm::distance(mesh.normals[v], glm::vec3(0, 0, 1)) < 1e-6f);
      const float v3 = corner.y / 3.0f;
      const glm::vec2 uv(corner.x < 0.0f ? 0.0f : 1.0f, uvsRunUp ? 1.0f - v3 : v3);
      QVERIFY(glm::distance(mesh.uvs[v], uv) < 1e-6f);
      corners.emplace(corner.x < 0.0f ? 0 : 1, int(corner.y));
    }
    QCOMPARE(corners.size(), std::size_t{8});
    QCOMPARE(mesh.indices.size(), std::size_t{18});
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      const glm::vec3 a = mesh.positions[mesh.indices[i]];
      const glm::vec3 b = mesh.positions[mesh.indices[i + 1]];
      const glm::vec3 c = mesh.positions[mesh.indices[i + 2]];
      QVERIFY(std::abs(glm::cross(b - a, c - a).z - 0.5f) < 1e-6f);
    }
  }
};

CK_TEST(tst_own_rigs)
#include "tst_own_rigs.moc"
