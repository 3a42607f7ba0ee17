#include "tests/support/rigs.h"

#include <cmath>
#include <glm/gtc/constants.hpp>

namespace ck::test {
namespace {

Mesh barMesh() {
  constexpr int kRings = 9;
  constexpr float kHalf = 0.15f;
  Mesh mesh;
  mesh.name = "Bar";
  mesh.influenceStarts.push_back(0);
  const glm::vec3 corners[4] = {
      {kHalf, 0, kHalf}, {kHalf, 0, -kHalf}, {-kHalf, 0, -kHalf}, {-kHalf, 0, kHalf}};
  for (int ring = 0; ring < kRings; ++ring) {
    const float height = 2.0f * static_cast<float>(ring) / (kRings - 1);
    const float upper = glm::clamp((height - 0.75f) / 0.5f, 0.0f, 1.0f);
    for (const glm::vec3& corner : corners) {
      mesh.positions.push_back(corner + glm::vec3(0.0f, height, 0.0f));
      mesh.normals.push_back(glm::normalize(corner));
      mesh.uvs.emplace_back(corner.x > 0 ? 1.0f : 0.0f, height / 2.0f);
      if (upper >= 0.5f) {
        mesh.influences.push_back({1, upper});
        if (upper < 1.0f) mesh.influences.push_back({0, 1.0f - upper});
      } else {
        mesh.influences.push_back({0, 1.0f - upper});
        if (upper > 0.0f) mesh.influences.push_back({1, upper});
      }
      mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
    }
  }
  for (std::uint32_t ring = 0; ring + 1 < kRings; ++ring) {
    for (std::uint32_t side = 0; side < 4; ++side) {
      const std::uint32_t a = ring * 4 + side;
      const std::uint32_t b = ring * 4 + (side + 1) % 4;
      mesh.indices.insert(mesh.indices.end(), {a, b, b + 4, a, b + 4, a + 4});
    }
  }
  return mesh;
}

Clip turnClip(const char* name, glm::vec3 axis, bool closes) {
  Clip clip;
  clip.name = name;
  clip.durationSeconds = 1.0;
  JointTracks tracks;
  tracks.joint = 1;
  for (int key = 0; key <= 30; ++key) {
    const double t = key / 30.0;
    const double angle =
        glm::half_pi<double>() * (closes ? 0.5 - 0.5 * std::cos(t * glm::two_pi<double>()) : t);
    tracks.rotation.times.push_back(t);
    tracks.rotation.values.push_back(glm::angleAxis(static_cast<float>(angle), axis));
  }
  if (closes) tracks.rotation.values.back() = tracks.rotation.values.front();
  clip.jointTracks.push_back(tracks);
  return clip;
}

}  // namespace

Character barCharacter() {
  Character bar;
  bar.name = "bar";
  Joint root;
  root.name = "root";
  Joint upper;
  upper.name = "upper";
  upper.parent = 0;
  upper.rest.translation = {0.0, 1.0, 0.0};
  bar.rig.joints = {root, upper};
  bar.rig.skinJoints = {{0, glm::dmat4(1.0)}, {1, toMatrix({.translation = {0.0, -1.0, 0.0}})}};
  bar.meshes.push_back(barMesh());
  bar.clips = {turnClip("Bend", {0, 0, 1}, true), turnClip("Twist", {0, 1, 0}, false)};
  bar.source.format = "built in code";
  return bar;
}

std::optional<std::filesystem::path> sharedModel(const char* relativePath) {
  const std::filesystem::path path = std::filesystem::path(CK_SHARED_DIR) / "models" / relativePath;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

std::filesystem::path sampleHumanoid() {
  return std::filesystem::path(CK_SOURCE_DIR) / "resources" / "samples" / "humanoid.glb";
}

}  // namespace ck::test
