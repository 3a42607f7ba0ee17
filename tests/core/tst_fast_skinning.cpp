#include <QTest>

#include "core/anim/pose.h"
#include "core/skinning/cpu_skinning.h"
#include "core/skinning/fast_skinning.h"
#include "core/skinning/shape_skin.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/test_program.h"

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
      const auto reference =
          ck::skinMesh(mesh, wildMatrices(joints, i), {.influenceLimit = influences});
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const ck::PackedVertex& vertex = all.vertices[static_cast<std::size_t>(i)][v];
        const double off = glm::distance(glm::dvec3(vertex.position), reference.positions[v]);
        QVERIFY2(off < 3e-6, qPrintable(QString::number(off)));
        const double turned =
            degreesBetween(glm::dvec3(ck::unpackNormal(vertex.normal)), reference.normals[v]);
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

  // Shapes of some vertices on top of a pose; the others stay.
  void shapesAgreeWithTheJudge_data() {
    QTest::addColumn<int>("influences");
    QTest::addColumn<int>("stride");
    for (const int influences : {1, 2, 4}) {
      QTest::addRow("%d influences, all vertices", influences) << influences << 1;
      QTest::addRow("%d influences, every seventh", influences) << influences << 7;
    }
  }
  void shapesAgreeWithTheJudge() {
    QFETCH(int, influences);
    QFETCH(int, stride);
    ck::Character character = ck::test::limbCharacter();
    ck::Mesh& mesh = character.meshes.front();
    for (int t = 0; t < 3; ++t) {
      ck::MorphTarget target;
      target.name = "shape " + std::to_string(t);
      for (std::size_t v = static_cast<std::size_t>(t); v < mesh.positions.size();
           v += static_cast<std::size_t>(stride)) {
        const auto part = static_cast<float>(v % 11) * 0.01f;
        target.vertices.push_back(static_cast<std::uint32_t>(v));
        target.positionDeltas.emplace_back(part, -0.05f, 0.02f * static_cast<float>(t));
        target.normalDeltas.emplace_back(0.3f, part, -0.2f);
      }
      mesh.morphTargets.push_back(std::move(target));
      mesh.defaultMorphWeights.push_back(0.0f);
    }
    const ck::MorphSet set = ck::morphSetOf(character);
    const ck::DifferenceSet differences = ck::differenceSet(character, set);
    const std::vector<ck::BindVertex> bind = bindVertices(mesh);
    std::vector<ck::BindVertex> places;
    for (const std::uint32_t vertex : differences.vertices) places.push_back(bind[vertex]);
    const ck::ShapeSkin shapes(differences, places, influences);
    const ck::FastSkin skin(bind, influences);
    const std::size_t joints = character.rig.skinJoints.size();
    const std::vector<glm::vec4> rows = rowsOf(wildMatrices(joints, 5));
    // One after another with the same scratch: nothing may be left of the one before.
    for (const auto& weights : {std::vector<float>{0.7f, 0.0f, -0.4f}, {0.0f, 1.5f, 0.0f}}) {
      std::vector<ck::PackedVertex> plain(bind.size());
      const ck::SkinPose at{rows, glm::vec3(0.0f), plain};
      skin.skin(std::span(&at, 1));
      std::vector<ck::PackedVertex> shown = plain;
      std::vector<ck::ShownShape> asked;
      std::vector<char> moves(bind.size(), 0);
      for (int t = 0; t < 3; ++t) {
        const auto index = static_cast<std::size_t>(t);
        if (weights[index] == 0.0f) continue;
        asked.push_back({t, weights[index]});
        for (const std::uint32_t v : mesh.morphTargets[index].vertices) moves[v] = 1;
      }
      shapes.skin(asked, {rows, glm::vec3(0.0f), shown});
      const auto reference = ck::skinMesh(mesh, wildMatrices(joints, 5),
                                          {.influenceLimit = influences, .morphWeights = weights});
      double farthest = 0.0;
      for (std::size_t v = 0; v < bind.size(); ++v) {
        const double off = glm::distance(glm::dvec3(shown[v].position), reference.positions[v]);
        QVERIFY2(off < 3e-6, qPrintable(QString::number(off)));
        const double turned =
            degreesBetween(glm::dvec3(ck::unpackNormal(shown[v].normal)), reference.normals[v]);
        QVERIFY2(turned < 0.12, qPrintable(QString::number(turned)));
        if (moves[v] == 0) QVERIFY(glm::distance(shown[v].position, plain[v].position) < 3e-6f);
        farthest = std::max(farthest, double(glm::distance(shown[v].position, plain[v].position)));
      }
      QVERIFY(farthest > 0.01);
    }
  }

  void shapesLeaveWhatNothingPullsOnInItsPlace() {
    ck::DifferenceSet set;
    set.vertices = {1};
    set.morphs = {{{0}, {glm::vec3(0.5f)}, {glm::vec3(0.0f)}}};
    ck::BindVertex loose;
    loose.normal = glm::vec3(0.0f, 1.0f, 0.0f);
    const ck::ShapeSkin shapes(set, std::span(&loose, 1), 4);
    std::vector<ck::PackedVertex> vertices(2);
    const std::vector<glm::vec4> rows(3, glm::vec4(7.0f));
    const ck::ShownShape shown{0, 1.0f};
    shapes.skin(std::span(&shown, 1), {rows, glm::vec3(1.0f, 2.0f, 3.0f), vertices});
    QCOMPARE(vertices[0].position, glm::vec3(0.0f));
    QCOMPARE(vertices[1].position, glm::vec3(1.0f, 2.0f, 3.0f));
    QVERIFY(ck::unpackNormal(vertices[1].normal).y > 0.999f);
  }

  // Neither threads nor neighbours change a bit, nor whether there are enough poses for eight
  // lanes.
  void givesTheSameBytesOnAnyNumberOfThreads() {
    const ck::Character character = ck::test::limbCharacter();
    std::vector<ck::BindVertex> vertices = bindVertices(character.meshes.front());
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      // With none to four influences, of numbers that are no multiples of eight.
      for (std::size_t i = v % 5; i < 4; ++i) vertices[v].weights[i] = 0.0f;
    }
    const ck::FastSkin skin(vertices, 4);
    const std::size_t joints = character.rig.skinJoints.size();
    const Skinned one = skinned(skin, 37, joints, 1);
    const Skinned many = skinned(skin, 37, joints, 5);
    const Skinned some = skinned(skin, 6, joints, 1);
    const Skinned fewer = skinned(skin, 3, joints, 1);
    const std::size_t bytes = skin.vertexCount() * sizeof(ck::PackedVertex);
    for (const Skinned* other : {&many, &some, &fewer}) {
      for (std::size_t i = 0; i < other->vertices.size(); ++i) {
        QCOMPARE(std::memcmp(one.vertices[i].data(), other->vertices[i].data(), bytes), 0);
      }
    }
  }
};

CK_TEST(tst_fast_skinning)
#include "tst_fast_skinning.moc"
