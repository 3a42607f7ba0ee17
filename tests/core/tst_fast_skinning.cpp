#include <QTest>

#include "core/anim/pose.h"
#include "core/skinning/cpu_skinning.h"
#include "core/skinning/fast_skinning.h"
#include "tests/support/bake_rigs.h"

namespace {

// A tube of the limb's vertices as FastSkin takes them.
std::vector<ck::BindVertex> bindVertices(const ck::Mesh& mesh) {
  std::vector<ck::BindVertex> vertices;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const auto kept = ck::limitInfluences(ck::influencesOf(mesh, v), 4);
    ck::BindVertex vertex{mesh.positions[v], mesh.normals[v], {}, kept.weights};
    for (std::size_t i = 0; i < 4; ++i) {
      vertex.skinJoints[i] = static_cast<std::uint16_t>(kept.skinJoints[i]);
    }
    vertices.push_back(vertex);
  }
  return vertices;
}

// Affine matrices without rule: turned, sheared and of uneven scale, one of them mirrored.
std::vector<glm::dmat4> wildMatrices(std::size_t joints, int seed) {
  std::vector<glm::dmat4> matrices(joints);
  std::uint32_t state = static_cast<std::uint32_t>(seed) * 747796405u + 2891336453u;
  const auto number = [&state] {
    state = state * 1664525u + 1013904223u;
    return static_cast<double>(state >> 8) / 16777216.0 - 0.5;
  };
  for (std::size_t j = 0; j < joints; ++j) {
    glm::dmat4& m = matrices[j];
    for (int column = 0; column < 4; ++column) {
      for (int row = 0; row < 3; ++row) m[column][row] = 0.6 * number();
    }
    for (int axis = 0; axis < 3; ++axis) m[axis][axis] += 1.0;
    if (j == 1) m[0] = -m[0];
  }
  return matrices;
}

std::vector<glm::vec4> rowsOf(const std::vector<glm::dmat4>& matrices) {
  std::vector<glm::vec4> rows;
  for (const glm::dmat4& m : matrices) {
    for (int row = 0; row < 3; ++row) rows.emplace_back(m[0][row], m[1][row], m[2][row], m[3][row]);
  }
  return rows;
}

double degreesBetween(const glm::dvec3& a, const glm::dvec3& b) {
  return glm::degrees(std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)));
}

struct Skinned {
  std::vector<std::vector<glm::vec4>> rows;
  std::vector<std::vector<ck::PackedVertex>> vertices;
};

Skinned skinned(const ck::FastSkin& skin, int poses, std::size_t joints, int threads) {
  Skinned all;
  std::vector<ck::SkinPose> jobs;
  for (int i = 0; i < poses; ++i) {
    all.rows.push_back(rowsOf(wildMatrices(joints, i)));
    all.vertices.emplace_back(skin.vertexCount());
  }
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    jobs.push_back({all.rows[i], glm::vec3(1.0f, 2.0f, 3.0f), all.vertices[i]});
  }
  ck::JobContext job;
  job.threadCount = threads;
  skin.skin(jobs, job);
  return all;
}

}  // namespace

class tst_fast_skinning : public QObject {
  Q_OBJECT

 private slots:
  void rejectsNoVectorWhenItPacksNormals() {
    double worst = 0.0;
    for (int i = 0; i < 4000; ++i) {
      const double up = 1.0 - 2.0 * (i + 0.5) / 4000.0;
      const double turn = 2.399963 * i;
      const double side = std::sqrt(1.0 - up * up);
      const glm::dvec3 normal(side * std::cos(turn), up, side * std::sin(turn));
      const glm::vec3 back = ck::unpackNormal(ck::packNormal(glm::vec3(normal)));
      worst = std::max(worst, degreesBetween(normal, glm::dvec3(back)));
    }
    QVERIFY2(worst > 0.0 && worst < 0.1, qPrintable(QString::number(worst)));
  }

  void agreesWithTheJudge_data() {
    QTest::addColumn<int>("influences");
    QTest::addColumn<int>("poses");
    for (const int influences : {1, 2, 4}) {
      for (const int poses : {1, 7, 8, 21}) {
        QTest::addRow("%d influences, %d poses", influences, poses) << influences << poses;
      }
    }
  }
  void agreesWithTheJudge() {
    QFETCH(int, influences);
    QFETCH(int, poses);
    const ck::Character character = ck::test::limbCharacter();
    const ck::Mesh& mesh = character.meshes.front();
    const std::size_t joints = character.rig.skinJoints.size();
    const ck::FastSkin skin(bindVertices(mesh), influences);
    const Skinned all = skinned(skin, poses, joints, 2);
    for (int i = 0; i < poses; ++i) {
      const auto judged =
          ck::skinMesh(mesh, wildMatrices(joints, i), {.influenceLimit = influences});
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const ck::PackedVertex& vertex = all.vertices[static_cast<std::size_t>(i)][v];
        const double off = glm::distance(glm::dvec3(vertex.position), judged.positions[v]);
        QVERIFY2(off < 3e-6, qPrintable(QString::number(off)));
        const double turned =
            degreesBetween(glm::dvec3(ck::unpackNormal(vertex.normal)), judged.normals[v]);
        QVERIFY2(turned < 0.12, qPrintable(QString::number(turned)));
      }
    }
  }

  void putsWhatNothingPullsOnInItsPlace() {
    std::vector<ck::BindVertex> vertices(3);
    for (ck::BindVertex& vertex : vertices) vertex.normal = glm::vec3(0.0f, 1.0f, 0.0f);
    vertices[1].weights[0] = 1.0f;
    const ck::FastSkin skin(vertices, 4);
    const Skinned all = skinned(skin, 3, 1, 1);
    for (const auto& pose : all.vertices) {
      QCOMPARE(pose[0].position, glm::vec3(1.0f, 2.0f, 3.0f));
      QCOMPARE(pose[2].position, glm::vec3(1.0f, 2.0f, 3.0f));
      QVERIFY(pose[1].position != glm::vec3(1.0f, 2.0f, 3.0f));
      QVERIFY(ck::unpackNormal(pose[0].normal).y > 0.999f);
    }
  }

  // Neither threads nor neighbours change a bit.
  void givesTheSameBytesOnAnyNumberOfThreads() {
    const ck::Character character = ck::test::limbCharacter();
    const ck::FastSkin skin(bindVertices(character.meshes.front()), 4);
    const std::size_t joints = character.rig.skinJoints.size();
    const Skinned one = skinned(skin, 37, joints, 1);
    const Skinned many = skinned(skin, 37, joints, 5);
    const Skinned fewer = skinned(skin, 3, joints, 1);
    const std::size_t bytes = skin.vertexCount() * sizeof(ck::PackedVertex);
    for (std::size_t i = 0; i < one.vertices.size(); ++i) {
      QCOMPARE(std::memcmp(one.vertices[i].data(), many.vertices[i].data(), bytes), 0);
      if (i >= fewer.vertices.size()) continue;
      QCOMPARE(std::memcmp(one.vertices[i].data(), fewer.vertices[i].data(), bytes), 0);
    }
  }
};

QTEST_APPLESS_MAIN(tst_fast_skinning)
#include "tst_fast_skinning.moc"
