#include "core/import/worker/bvh/stick_figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/import/worker/assembly/rig_assembly.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

class BoneMesh {
 public:
  explicit BoneMesh(double size) : size_(size) { mesh_.influenceStarts.push_back(0); }

  // An octahedron whose widest part is at a fifth of the way from `from` to `to`.
  void addBone(int node, const glm::dvec3& from, const glm::dvec3& to) {
    const double length = glm::distance(from, to);
    if (!(length > 1e-4 * size_)) return;
    const glm::dvec3 along = (to - from) / length;
    const glm::dvec3 other = std::abs(along.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0);
    const glm::dvec3 side = glm::normalize(glm::cross(other, along));
    const double width = std::clamp(0.12 * length, 0.004 * size_, 0.025 * size_);
    addOctahedron(node, from, to, from + 0.2 * length * along, side * width,
                  glm::cross(along, side) * width);
  }

  void addEnd(int node, const glm::dvec3& at) {
    const double r = 0.012 * size_;
    addOctahedron(node, at - glm::dvec3(0, r, 0), at + glm::dvec3(0, r, 0), at, glm::dvec3(0, 0, r),
                  glm::dvec3(r, 0, 0));
  }

  Mesh take() { return std::move(mesh_); }

 private:
  // side, across and the direction from `low` to `high` form a right-handed frame.
  void addOctahedron(int node, const glm::dvec3& low, const glm::dvec3& high,
                     const glm::dvec3& waist, const glm::dvec3& side, const glm::dvec3& across) {
    const std::array<glm::dvec3, 4> ring = {waist + side, waist + across, waist - side,
                                            waist - across};
    for (std::size_t i = 0; i < 4; ++i) {
      const glm::dvec3& here = ring[i];
      const glm::dvec3& next = ring[(i + 1) % 4];
      addTriangle(node, here, next, high);
      addTriangle(node, next, here, low);
    }
  }

  void addTriangle(int node, const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c) {
    const glm::vec3 normal(glm::normalize(glm::cross(b - a, c - a)));
    for (const glm::dvec3& corner : {a, b, c}) {
      mesh_.indices.push_back(static_cast<std::uint32_t>(mesh_.positions.size()));
      mesh_.positions.emplace_back(corner);
      mesh_.normals.push_back(normal);
      mesh_.influences.push_back({node, 1.0f});
      mesh_.influenceStarts.push_back(static_cast<std::uint32_t>(mesh_.influences.size()));
    }
  }

  Mesh mesh_;
  double size_;
};

}  // namespace

void addStickFigure(SourceScene& scene, const std::vector<BoneTip>& tips) {
  const std::vector<int> order = parentsFirst(scene.nodes);
  if (order.size() != scene.nodes.size() || order.empty()) return;
  std::vector<glm::dmat4> poses(order.size());  // at rest, in file space
  for (const int index : order) {
    const auto n = static_cast<std::size_t>(index);
    const int parent = scene.nodes[n].parent;
    const glm::dmat4 local = restMatrix(scene.nodes[n]);
    poses[n] = parent < 0 ? local : poses[static_cast<std::size_t>(parent)] * local;
  }
  std::vector<char> hasBone(scene.nodes.size(), 0);
  glm::dvec3 low(poses[0][3]);
  glm::dvec3 high = low;
  const auto widen = [&](const glm::dvec3& place) {
    low = glm::min(low, place);
    high = glm::max(high, place);
  };
  for (const glm::dmat4& pose : poses) widen(glm::dvec3(pose[3]));
  for (const BoneTip& tip : tips) {
    widen(transformPoint(poses[static_cast<std::size_t>(tip.node)], tip.place));
  }
  const double size = glm::distance(low, high) > 0.0 ? glm::distance(low, high) : 1.0;
  BoneMesh bones(size);
  SourceSkin skin;
  for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
    skin.nodes.push_back(static_cast<int>(n));
    skin.inverseBinds.push_back(affineInverse(poses[n]));
    const int parent = scene.nodes[n].parent;
    if (parent < 0) continue;
    const auto above = static_cast<std::size_t>(parent);
    hasBone[above] = 1;
    bones.addBone(parent, glm::dvec3(poses[above][3]), glm::dvec3(poses[n][3]));
  }
  for (const BoneTip& tip : tips) {
    const auto node = static_cast<std::size_t>(tip.node);
    hasBone[node] = 1;
    bones.addBone(tip.node, glm::dvec3(poses[node][3]), transformPoint(poses[node], tip.place));
  }
  for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
    if (hasBone[n] == 0) bones.addEnd(static_cast<int>(n), glm::dvec3(poses[n][3]));
  }
  SourceMesh result;
  result.mesh = bones.take();
  result.mesh.name = "Bones";
  result.mesh.material = static_cast<int>(scene.materials.size());
  result.skin = static_cast<int>(scene.skins.size());
  Material bone;
  bone.name = "Bone";
  bone.baseColor = glm::vec4(0.72f, 0.66f, 0.54f, 1.0f);
  bone.doubleSided = false;
  scene.materials.push_back(bone);
  scene.skins.push_back(std::move(skin));
  scene.meshes.push_back(std::move(result));
  inform(scene.notes, "StickFigure",
         "the file holds motion only; simple bones are shown for its joints");
}

}  // namespace ck::worker
