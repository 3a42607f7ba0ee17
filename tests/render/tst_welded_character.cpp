#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "render/scene/surface_measures.h"
#include "render/scene/welded_character.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::render::weldCharacter;
using ck::render::WeldedCharacter;

namespace {

// One mesh of one triangle and a second triangle that repeats its three corners exactly.
ck::Character doubledTriangle() {
  ck::Character character = ck::test::barCharacter();
  ck::Mesh mesh;
  mesh.name = "Doubled";
  for (int copy = 0; copy < 2; ++copy) {
    for (const glm::vec3 corner : {glm::vec3(0, 0, 0), glm::vec3(1, 0, 0), glm::vec3(0, 1, 0)}) {
      mesh.positions.push_back(corner);
      mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
      mesh.tangents.emplace_back(1.0f, 0.0f, 0.0f, 1.0f);
      mesh.uvs.emplace_back(corner.x, corner.y);
    }
  }
  mesh.influenceStarts.push_back(0);
  for (std::size_t v = 0; v < 6; ++v) {
    mesh.influences.push_back({0, 0.6f});
    mesh.influences.push_back({1, 0.4f});
    mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
  }
  mesh.indices = {0, 1, 2, 3, 4, 5};
  ck::MorphTarget smile;
  smile.name = "smile";
  smile.vertices = {0, 3};
  smile.positionDeltas = {{0, 0, 1}, {0, 0, 1}};
  smile.normalDeltas = {{0, 1, 0}, {0, 1, 0}};
  mesh.morphTargets = {smile};
  mesh.defaultMorphWeights = {0.0f};
  character.meshes = {mesh};
  return character;
}

// Right triangles with legs of `edge` metres, facing +Z, with normals that lean `degrees` from it.
void addTriangles(WeldedCharacter& welded, int count, float edge, double degrees) {
  const double radians = degrees * std::acos(-1.0) / 180.0;
  for (int triangle = 0; triangle < count; ++triangle) {
    for (const glm::vec2 corner : {glm::vec2(0), glm::vec2(1, 0), glm::vec2(0, 1)}) {
      ck::render::GpuVertex vertex;
      vertex.position = glm::vec3(corner * edge, 0.0f);
      vertex.normal = {static_cast<std::int16_t>(std::lround(32767.0 * std::sin(radians))), 0,
                       static_cast<std::int16_t>(std::lround(32767.0 * std::cos(radians))), 0};
      welded.indices.push_back(static_cast<std::uint32_t>(welded.vertices.size()));
      welded.vertices.push_back(vertex);
    }
  }
}

using Change = std::function<void(ck::Mesh&)>;

}  // namespace

class tst_welded_character : public QObject {
  Q_OBJECT

 private slots:
  void rejectsWeldingWhatDiffers_data() {
    QTest::addColumn<int>("change");
    const char* names[] = {"a position",    "a normal", "a tangent's side",  "a uv",
                           "a weight",      "a joint",  "a third influence", "a morph delta",
                           "a morph normal"};
    for (int i = 0; i < 9; ++i) QTest::newRow(names[i]) << i;
  }
  void rejectsWeldingWhatDiffers() {
    QFETCH(int, change);
    const Change changes[] = {
        [](ck::Mesh& m) { m.positions[3].z = 1e-6f; },
        [](ck::Mesh& m) {
          m.normals[3] = {0, 0, -1};
        },
        [](ck::Mesh& m) { m.tangents[3].w = -1.0f; },
        [](ck::Mesh& m) { m.uvs[3].x = 0.5f; },
        [](ck::Mesh& m) { m.influences[6].weight = 0.61f; },
        [](ck::Mesh& m) { m.influences[7].skinJoint = 0; },
        [](ck::Mesh& m) {
          m.influences.insert(m.influences.begin() + 8, {0, 0.0001f});
          for (std::size_t v = 4; v < m.influenceStarts.size(); ++v) ++m.influenceStarts[v];
        },
        [](ck::Mesh& m) { m.morphTargets[0].positionDeltas[1].x = 0.01f; },
        [](ck::Mesh& m) { m.morphTargets[0].normalDeltas[1].x = 0.01f; },
    };
    ck::Character character = doubledTriangle();
    QCOMPARE(weldCharacter(character).vertices.size(), std::size_t{3});
    changes[change](character.meshes[0]);
    const WeldedCharacter welded = weldCharacter(character);
    QCOMPARE(welded.vertices.size(), std::size_t{4});
    QVERIFY(welded.weldedOf[0] != welded.weldedOf[3]);
    QCOMPARE(welded.weldedOf[1], welded.weldedOf[4]);
  }

  void rejectsWeldingAcrossMeshes() {
    ck::Character character = doubledTriangle();
    character.meshes.push_back(character.meshes[0]);
    QCOMPARE(weldCharacter(character).vertices.size(), std::size_t{6});
  }

  void keepsEveryAttributeOfEveryVertex() {
    ck::Character character = doubledTriangle();
    character.meshes.push_back(ck::test::barCharacter().meshes[0]);
    const WeldedCharacter welded = weldCharacter(character);
    std::size_t original = 0;
    for (const ck::Mesh& mesh : character.meshes) {
      for (std::size_t v = 0; v < mesh.positions.size(); ++v, ++original) {
        const auto& drawn = welded.vertices[welded.weldedOf[original]];
        QVERIFY(drawn.position == mesh.positions[v]);
        QVERIFY(drawn.uv == mesh.uvs[v]);
        for (int axis = 0; axis < 3; ++axis) {
          QVERIFY(std::abs(drawn.normal[static_cast<std::size_t>(axis)] / 32767.0f -
                           mesh.normals[v][axis]) < 2e-5f);
        }
        const auto influences = ck::influencesOf(mesh, v);
        for (std::size_t i = 0; i < influences.size(); ++i) {
          QCOMPARE(static_cast<int>(drawn.skinJoints[i]), influences[i].skinJoint);
          QVERIFY(std::abs(drawn.weights[i] - influences[i].weight) < 1e-6f);
        }
        QCOMPARE(drawn.material, 0u);  // none: one past the last
      }
    }
    QCOMPARE(welded.weldedOf.size(), original);
    for (std::size_t v = 0; v < welded.originalOf.size(); ++v) {
      QCOMPARE(static_cast<std::size_t>(welded.weldedOf[welded.originalOf[v]]), v);
    }
  }

  void keepsEveryTriangleAndItsWinding() {
    const ck::Character character = ck::test::barCharacter();
    const ck::Mesh& mesh = character.meshes[0];
    const WeldedCharacter welded = weldCharacter(character);
    QCOMPARE(welded.indices.size(), mesh.indices.size());
    // Each triangle as its corners' vertices, turned so that the smallest comes first.
    const auto triangles = [](const auto& indices, const auto& vertexOf) {
      std::vector<std::array<std::uint32_t, 3>> all;
      for (std::size_t i = 0; i < indices.size(); i += 3) {
        std::array<std::uint32_t, 3> t{vertexOf(indices[i]), vertexOf(indices[i + 1]),
                                       vertexOf(indices[i + 2])};
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
        all.push_back(t);
      }
      std::sort(all.begin(), all.end());
      return all;
    };
    QVERIFY(triangles(mesh.indices, [&](std::uint32_t v) { return welded.weldedOf[v]; }) ==
            triangles(welded.indices, [](std::uint32_t v) { return v; }));
  }

  void keepsVerticesThatNoTriangleUses() {
    ck::Character character = doubledTriangle();
    character.meshes[0].indices = {1, 2, 4};
    const WeldedCharacter welded = weldCharacter(character);
    QCOMPARE(welded.vertices.size(), std::size_t{3});
    QCOMPARE(welded.weldedOf[0], 2u);  // behind the used ones
    QVERIFY(welded.vertices[2].position == glm::vec3(0.0f));
  }

  void defaultMorphWeightsMoveTheBindPose() {
    ck::Character character = doubledTriangle();
    character.meshes[0].defaultMorphWeights = {0.5f};
    const WeldedCharacter welded = weldCharacter(character);
    QVERIFY(glm::distance(welded.vertices[welded.weldedOf[0]].position, glm::vec3(0, 0, 0.5f)) <
            1e-6f);
  }

  // A fiftieth of the corners and a tenth of the surface are passed over.
  void surfacesAreMeasuredWithoutTheirExtremes_data() {
    QTest::addColumn<int>("leaning");
    QTest::addColumn<float>("large");
    QTest::addColumn<double>("edge");
    QTest::addColumn<double>("largestTurn");
    QTest::newRow("all alike") << 0 << 0.0f << 0.1 << 0.5;
    QTest::newRow("1 % of the corners lean far") << 1 << 0.0f << 0.1 << 0.5;
    QTest::newRow("5 % of the corners lean far") << 5 << 0.0f << 0.1 << 1.0;
    QTest::newRow("a large triangle has 9 % of the surface") << 0 << 0.3f << 0.1 << 0.5;
    QTest::newRow("a large triangle has 14 % of the surface") << 0 << 0.4f << 0.4 << 0.5;
  }
  void surfacesAreMeasuredWithoutTheirExtremes() {
    QFETCH(int, leaning);
    QFETCH(float, large);
    QFETCH(double, edge);
    QFETCH(double, largestTurn);
    WeldedCharacter welded;
    addTriangles(welded, leaning, 0.1f, 120.0);
    addTriangles(welded, 100 - leaning, 0.1f, 30.0);
    if (large > 0.0f) addTriangles(welded, 1, large, 30.0);
    const ck::render::SurfaceMeasures measures = ck::render::measureSurface(welded);
    QVERIFY(std::abs(double(measures.edgeMeters) - edge * std::sqrt(2.0)) < 1e-6);
    QVERIFY(std::abs(double(measures.medianTurn) - 0.5) < 1e-4);
    QVERIFY(std::abs(double(measures.largestTurn) - largestTurn) < 1e-4);
  }

  void ordersVerticesByFirstUse() {
    const WeldedCharacter welded = weldCharacter(ck::test::barCharacter());
    std::uint32_t next = 0;
    for (const std::uint32_t index : welded.indices) {
      QVERIFY(index <= next);
      if (index == next) ++next;
    }
    QCOMPARE(static_cast<std::size_t>(next), welded.vertices.size());
  }
};

CK_TEST(tst_welded_character)
#include "tst_welded_character.moc"
