#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/import/import_process.h"
#include "core/import/worker/assembly/shape_normals.h"
#include "core/import/worker/assembly/surface_tangents.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

// A square in the plane z = 0, two by one, of two unit squares that share the middle edge. The
// picture stands upright on the right one, and on the left one too, or mirrored there.
ck::Mesh pair(bool leftMirrored) {
  ck::Mesh mesh;
  for (const float y : {0.0f, 1.0f}) {
    for (const float x : {-1.0f, 0.0f, 1.0f}) {
      mesh.positions.emplace_back(x, y, 0.0f);
      mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
      // v runs down the picture.
      mesh.uvs.emplace_back(leftMirrored ? std::abs(x) : x, 1.0f - y);
      mesh.influences.push_back({0, 1.0f});
    }
  }
  mesh.indices = {0, 1, 3, 1, 4, 3, 1, 2, 4, 2, 5, 4};
  for (std::uint32_t v = 0; v <= 6; ++v) mesh.influenceStarts.push_back(v);
  return mesh;
}

}  // namespace

// Tangents for normal maps, made where a file has none.
class tst_surface_tangents : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void rejectsTextureCoordinatesWithoutArea() {
    ck::Mesh mesh = pair(false);
    for (glm::vec2& uv : mesh.uvs) uv = glm::vec2(0.25f);
    QCOMPARE(ck::worker::makeTangents(mesh), std::size_t{0});
    QCOMPARE(mesh.tangents.size(), std::size_t{6});
    for (const glm::vec4& tangent : mesh.tangents) {
      QVERIFY(std::abs(glm::length(glm::vec3(tangent)) - 1.0f) < 1e-6f);
      QVERIFY(std::abs(tangent.z) < 1e-6f);
      QCOMPARE(tangent.w, 1.0f);
    }
  }

  // A file whose coordinates are no numbers is refused later, and must not take long until then.
  void rejectsNoNumbersAsManyPoints() {
    ck::Mesh mesh = pair(false);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      mesh.positions[v] = glm::vec3(v % 2 == 0 ? 0.0f : -0.0f);
      mesh.uvs[v] = glm::vec2(std::numeric_limits<float>::quiet_NaN());
    }
    QCOMPARE(ck::worker::surfacePoints(mesh, true, &mesh.uvs).count, std::size_t{1});
  }

  // The material may be shared with a mesh that has texture coordinates and shows the map.
  void rejectsTangentsWithoutTextureCoordinatesBesideAMap_data() {
    QTest::addColumn<bool>("map");
    QTest::addColumn<bool>("uvs");
    QTest::addColumn<bool>("kept");
    QTest::newRow("no coordinates, a map") << true << false << false;
    QTest::newRow("coordinates, a map") << true << true << true;
    QTest::newRow("no coordinates, no map") << false << false << true;
  }
  void rejectsTangentsWithoutTextureCoordinatesBesideAMap() {
    QFETCH(bool, map);
    QFETCH(bool, uvs);
    QFETCH(bool, kept);
    ck::worker::SourceScene scene;
    scene.materials.resize(1);
    scene.materials[0].normal.image = map ? 0 : -1;
    scene.meshes.resize(1);
    ck::Mesh& mesh = scene.meshes[0].mesh;
    mesh = pair(false);
    mesh.material = 0;
    const std::vector<glm::vec4> given(mesh.positions.size(), glm::vec4(0, 1, 0, -1));
    mesh.tangents = given;
    if (!uvs) mesh.uvs.clear();
    ck::worker::completeTangents(scene);
    QVERIFY(mesh.tangents == (kept ? given : std::vector<glm::vec4>{}));
    QCOMPARE(scene.notes.size(), kept ? std::size_t{0} : std::size_t{1});
    if (!kept) QCOMPARE(scene.notes[0].code, std::string("NormalMapUnused"));
  }

  void uprightPicturesHaveUToTheRight() {
    ck::Mesh mesh = pair(false);
    QCOMPARE(ck::worker::makeTangents(mesh), std::size_t{0});
    for (const glm::vec4& tangent : mesh.tangents) {
      QVERIFY(glm::distance(tangent, glm::vec4(1, 0, 0, 1)) < 1e-6f);
    }
  }

  void mirroredHalvesDoubleTheVerticesBetween() {
    ck::Mesh mesh = pair(true);
    mesh.morphTargets.push_back({"Push", {1, 2}, {{0, 0, 1}, {0, 0, 2}}, {}, {}});
    mesh.influences[1].skinJoint = 7;
    QCOMPARE(ck::worker::makeTangents(mesh), std::size_t{2});
    QCOMPARE(mesh.positions.size(), std::size_t{8});
    QCOMPARE(mesh.influenceStarts.size(), std::size_t{9});
    // The third corner of the list is that of the bottom middle: its twin has all that it has.
    const auto twin = static_cast<std::size_t>(
        std::find(mesh.positions.begin() + 6, mesh.positions.end(), mesh.positions[1]) -
        mesh.positions.begin());
    QVERIFY(twin >= 6 && twin < 8);
    QCOMPARE(ck::influencesOf(mesh, twin)[0].skinJoint, 7);
    QCOMPARE(mesh.morphTargets[0].vertices,
             (std::vector<std::uint32_t>{1, 2, static_cast<std::uint32_t>(twin)}));
    QCOMPARE(mesh.morphTargets[0].positionDeltas[2], glm::vec3(0, 0, 1));
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
      const glm::vec4 tangent = mesh.tangents[mesh.indices[i]];
      // On the left u grows to the left, and the side is the other one.
      const glm::vec4 expected = i < 6 ? glm::vec4(-1, 0, 0, -1) : glm::vec4(1, 0, 0, 1);
      QVERIFY(glm::distance(tangent, expected) < 1e-6f);
    }
  }

  // Corners that are listed once for each triangle are one place all the same.
  void listedCornersAreSmoothTogether() {
    ck::Mesh shared = pair(false);
    shared.positions[2].z = 1.0f;
    shared.positions[5].z = 1.0f;
    ck::Mesh listed = shared;
    listed.positions.clear(), listed.normals.clear(), listed.uvs.clear(), listed.indices.clear();
    listed.influences.clear(), listed.influenceStarts = {0};
    for (const std::uint32_t v : shared.indices) {
      listed.indices.push_back(static_cast<std::uint32_t>(listed.positions.size()));
      listed.positions.push_back(shared.positions[v]);
      listed.normals.push_back(shared.normals[v]);
      listed.uvs.push_back(shared.uvs[v]);
      listed.influences.push_back({0, 1.0f});
      listed.influenceStarts.push_back(static_cast<std::uint32_t>(listed.influences.size()));
    }
    ck::worker::makeTangents(shared);
    ck::worker::makeTangents(listed);
    for (std::size_t i = 0; i < shared.indices.size(); ++i) {
      QVERIFY(glm::distance(shared.tangents[shared.indices[i]], listed.tangents[i]) < 1e-6f);
    }
  }

  // Against tangents that another program has written into a file.
  void agreesWithTangentsOfFiles() {
    const auto path = ck::test::sharedModel("blender_io/01_morphed_cube.gltf");
    if (!path) QSKIP("the shared test rigs are not here");
    const auto character = ck::importCharacter(*path);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    std::size_t compared = 0;
    std::size_t apart = 0;
    for (const ck::Mesh& mesh : character->meshes) {
      if (mesh.tangents.empty() || mesh.uvs.empty()) continue;
      ck::Mesh made = mesh;
      ck::worker::makeTangents(made);
      for (std::size_t v = 0; v < mesh.tangents.size(); ++v) {
        const float along = glm::dot(glm::vec3(made.tangents[v]), glm::vec3(mesh.tangents[v]));
        apart += along < 0.98f || made.tangents[v].w != mesh.tangents[v].w ? 1 : 0;
        ++compared;
      }
    }
    QVERIFY(compared > 0);
    QVERIFY2(apart == 0, qPrintable(QString("%1 of %2").arg(apart).arg(compared)));
  }
};

CK_TEST(tst_surface_tangents)
#include "tst_surface_tangents.moc"
