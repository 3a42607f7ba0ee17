#include <QTest>

#include "render/scene/closed_surface.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::render::showsFrontsOnly;

namespace {

// A cube of side 1 with its own four corners on every face, as files with flat normals have it.
ck::Mesh cube(const glm::vec3& at) {
  ck::Mesh mesh;
  mesh.name = "Cube";
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {0.0f, 1.0f}) {
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      for (const glm::vec2 corner :
           {glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(1, 1), glm::vec2(0, 1)}) {
        glm::vec3 p(0.0f);
        p[axis] = side;
        p[(axis + 1) % 3] = corner.x;
        p[(axis + 2) % 3] = corner.y;
        mesh.positions.push_back(at + p);
      }
      const std::uint32_t face[6] = {0, 1, 2, 0, 2, 3};
      for (int i = 0; i < 6; ++i) {
        mesh.indices.push_back(first + face[side > 0.5f ? i : 5 - i]);
      }
    }
  }
  return mesh;
}

ck::Character with(std::vector<ck::Mesh> meshes) {
  ck::Character character;
  character.meshes = std::move(meshes);
  return character;
}

}  // namespace

class tst_closed_surface : public QObject {
  Q_OBJECT

 private slots:
  void rejectsATubeWithOpenEnds() { QVERIFY(!showsFrontsOnly(ck::test::barCharacter())); }

  void rejectsAHole() {
    ck::Mesh mesh = cube({0, 0, 0});
    mesh.indices.resize(mesh.indices.size() - 3);
    QVERIFY(!showsFrontsOnly(with({mesh})));
  }

  void rejectsOneTriangleThatWindsTheOtherWay() {
    ck::Mesh mesh = cube({0, 0, 0});
    std::swap(mesh.indices[0], mesh.indices[1]);
    QVERIFY(!showsFrontsOnly(with({mesh})));
  }

  void rejectsAPieceThatIsInsideOut() {
    ck::Mesh inner = cube({2, 0, 0});
    std::reverse(inner.indices.begin(), inner.indices.end());
    QVERIFY(!showsFrontsOnly(with({inner})));
    // Also where a sound piece of the same mesh is larger.
    ck::Mesh both = cube({0, 0, 0});
    for (glm::vec3& p : both.positions) p *= 1.5f;
    const auto first = static_cast<std::uint32_t>(both.positions.size());
    both.positions.insert(both.positions.end(), inner.positions.begin(), inner.positions.end());
    for (const std::uint32_t index : inner.indices) both.indices.push_back(first + index);
    QVERIFY(!showsFrontsOnly(with({both})));
  }

  void knowsACubeWithSplitCorners() {
    QVERIFY(showsFrontsOnly(with({cube({0, 0, 0})})));
    QVERIFY(showsFrontsOnly(with({cube({-5, 3, 9}), cube({7, 0, 0})})));
  }

  void aHoleMattersOnlyToDoubleSidedMaterials() {
    ck::Mesh open = cube({0, 0, 0});
    open.indices.resize(open.indices.size() - 3);
    ck::Character character = with({open});
    character.materials.resize(1);
    character.meshes[0].material = 0;
    QVERIFY(!showsFrontsOnly(character));
    character.materials[0].doubleSided = false;
    QVERIFY(showsFrontsOnly(character));
  }

  void jointsThatTurnThingsInsideOutShowBacks() {
    ck::Character character = with({cube({0, 0, 0})});
    character.rig.joints = {{.name = "root", .preTransform = glm::dmat4(1.0), .rest = {}}};
    character.rig.skinJoints = {{.joint = 0, .inverseBind = glm::dmat4(1.0)}};
    QVERIFY(showsFrontsOnly(character));
    ck::Character atRest = character;
    atRest.rig.joints[0].rest.scale.x = -1.0;
    QVERIFY(!showsFrontsOnly(atRest));
    // Bound as it is, it is not turned over.
    atRest.rig.skinJoints[0].inverseBind[0][0] = -1.0;
    QVERIFY(showsFrontsOnly(atRest));
    ck::Track<glm::vec3> scale{.interpolation = ck::Interpolation::Linear,
                               .times = {0.0, 1.0},
                               .values = {glm::vec3(1.0f), glm::vec3(1.0f, 2.0f, 1.0f)}};
    ck::Clip clip;
    clip.jointTracks = {{.joint = 0, .translation = {}, .rotation = {}, .scale = scale}};
    character.clips = {clip};
    QVERIFY(showsFrontsOnly(character));
    character.clips[0].jointTracks[0].scale.values[1].y = -2.0f;
    QVERIFY(!showsFrontsOnly(character));
  }

  void triangleWithoutAreaIsNoHole() {
    ck::Mesh mesh = cube({0, 0, 0});
    mesh.indices.insert(mesh.indices.end(), {0, 0, 1});
    QVERIFY(showsFrontsOnly(with({mesh})));
  }
};

CK_TEST(tst_closed_surface)
#include "tst_closed_surface.moc"
