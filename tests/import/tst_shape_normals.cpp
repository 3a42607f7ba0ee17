#include <QTest>

#include "core/import/import_process.h"
#include "core/import/worker/assembly/shape_normals.h"
#include "core/morph/morph_set.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

using ck::worker::NormalsFrom;

double degreesBetween(const glm::dvec3& a, const glm::dvec3& b) {
  return glm::degrees(std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)));
}

// A strip of two squares in the plane z = 0, with a vertex at every corner of every triangle.
ck::Mesh strip() {
  ck::Mesh mesh;
  const auto corner = [&mesh](float x, float y) {
    mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
    mesh.positions.emplace_back(x, y, 0.0f);
    mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
  };
  for (const float x : {0.0f, 1.0f}) {
    corner(x, 0), corner(x + 1, 0), corner(x + 1, 1);
    corner(x, 0), corner(x + 1, 1), corner(x, 1);
  }
  return mesh;
}

// Raises the right edge by its length, so that the right square leans at 45 degrees.
ck::MorphTarget lean(const ck::Mesh& mesh) {
  ck::MorphTarget target;
  target.name = "lean";
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    if (mesh.positions[v].x < 1.5f) continue;
    target.vertices.push_back(static_cast<std::uint32_t>(v));
    target.positionDeltas.emplace_back(0.0f, 0.0f, 1.0f);
  }
  return target;
}

}  // namespace

// Normals of morph targets whose file has none.
class tst_shape_normals : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void rejectsTrianglesWithoutArea() {
    ck::Mesh mesh = strip();
    for (glm::vec3& position : mesh.positions) position = glm::vec3(1.0f);
    ck::MorphTarget target = lean(strip());
    ck::worker::ShapeNormals(mesh, NormalsFrom::File).add(target);
    QCOMPARE(target.vertices.size(), target.normalDeltas.size());
    for (const glm::vec3& delta : target.normalDeltas) QVERIFY(glm::length(delta) < 2.0f);
  }

  void surfacesStaySmooth() {
    const ck::Mesh mesh = strip();
    ck::MorphTarget target = lean(mesh);
    ck::worker::ShapeNormals(mesh, NormalsFrom::File).add(target);
    // The left edge keeps its normal; every other vertex is on the right square.
    QCOMPARE(target.vertices.size(), std::size_t{9});
    for (std::size_t i = 0; i < target.vertices.size(); ++i) {
      const glm::vec3 at = mesh.positions[target.vertices[i]];
      const glm::dvec3 normal(mesh.normals[target.vertices[i]] + target.normalDeltas[i]);
      if (at.x > 1.5f) {
        QVERIFY(degreesBetween(normal, {-1, 0, 1}) < 1e-3);
      } else {
        // At the fold, the normal of each vertex lies between the two.
        QVERIFY(at.x == 1.0f);
        const double tilt = degreesBetween(normal, {0, 0, 1});
        QVERIFY2(tilt > 15.0 && tilt < 40.0, qPrintable(QString::number(tilt)));
      }
    }
  }

  void edgesAreKept() {
    ck::Mesh mesh = strip();
    // The right square has another normal: an edge between the two.
    for (std::size_t v = 6; v < mesh.normals.size(); ++v) mesh.normals[v] = {0.0f, 0.6f, 0.8f};
    ck::MorphTarget target = lean(mesh);
    ck::worker::ShapeNormals(mesh, NormalsFrom::File).add(target);
    for (const std::uint32_t v : target.vertices) QVERIFY(v >= 6);
    ck::MorphTarget smooth = lean(mesh);
    ck::worker::ShapeNormals(mesh, NormalsFrom::Computed).add(smooth);
    QVERIFY(std::any_of(smooth.vertices.begin(), smooth.vertices.end(),
                        [](std::uint32_t v) { return v < 6; }));
  }

  // One scene of Blender as FBX, whose shapes have no normals of their own, and as GLB, where
  // Blender wrote those of the shapes.
  void fbxShapesTurnTheirNormals() {
    const auto fbx = ck::test::sharedModel("own_pilgrim/pilgrim.fbx");
    const auto glb = ck::test::sharedModel("own_pilgrim/pilgrim.glb");
    if (!fbx || !glb) QSKIP("the folder of shared models is not there");
    const auto read = ck::importCharacter(*fbx);
    const auto witness = ck::importCharacter(*glb);
    QVERIFY(read && witness);
    // In bind space of the FBX file Z is up.
    const glm::dmat3 upright(1, 0, 0, 0, 0, -1, 0, 1, 0);
    const auto shapesOf = [](const ck::Character& character, const char* name,
                             const glm::dmat3& turn) {
      const ck::MorphSet set = ck::morphSetOf(character);
      std::vector<std::pair<glm::dvec3, glm::dvec3>> all;  // rest position, shown normal
      const int morph = ck::findMorph(set, name);
      if (morph < 0) return all;
      const ck::MorphMember member = set[static_cast<std::size_t>(morph)].members.front();
      const ck::Mesh& mesh = character.meshes[static_cast<std::size_t>(member.mesh)];
      std::vector<float> weights(mesh.morphTargets.size(), 0.0f);
      weights[static_cast<std::size_t>(member.target)] = 1.0f;
      const ck::MorphedMesh shown = ck::morphedMesh(mesh, weights);
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        all.emplace_back(turn * glm::dvec3(mesh.positions[v]), turn * shown.normals[v]);
      }
      return all;
    };
    for (const char* name : {"smile", "tall"}) {
      const auto ours = shapesOf(*read, name, upright);
      const auto due = shapesOf(*witness, name, glm::dmat3(1.0));
      QVERIFY(!ours.empty() && !due.empty());
      double worst = 0.0;
      double sum = 0.0;
      for (const auto& [position, normal] : due) {
        double best = 180.0;
        for (const auto& [at, shown] : ours) {
          if (glm::distance(at, position) < 1e-3)
            best = std::min(best, degreesBetween(shown, normal));
        }
        worst = std::max(worst, best);
        sum += best;
      }
      qInfo("%s: %.2f degrees on average, %.2f at most", name, sum / double(due.size()), worst);
      QVERIFY(worst < 3.0);
    }
  }
};

CK_TEST(tst_shape_normals)
#include "tst_shape_normals.moc"
