#include "app/bench/growth_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "core/anim/pose.h"
#include "core/base/transform.h"

namespace ck::cli {
namespace {

constexpr int kLimbs = 5;
constexpr int kCorners = 8;  // vertices per ring
constexpr double kLimbMeters = 0.9;

// Joints are assigned to the limbs in turn, each further out.
int parentOf(int joint) {
  return joint == 0 ? -1 : std::max(0, joint - kLimbs);
}

Rig growthRig(int joints) {
  Rig rig;
  const double step = kLimbMeters / std::max(1, (joints - 1 + kLimbs - 1) / kLimbs);
  for (int j = 0; j < joints; ++j) {
    Joint joint;
    joint.name = fmt::format("joint{}", j);
    joint.parent = parentOf(j);
    joint.rest.translation = {0.0, j == 0 ? kLimbMeters : step, 0.0};
    if (j >= 1 && j <= kLimbs) {
      const double angle = glm::two_pi<double>() * j / kLimbs;
      joint.rest.rotation = glm::angleAxis(angle, glm::dvec3(0.0, 0.0, 1.0));
    }
    rig.joints.push_back(joint);
  }
  const std::vector<glm::dmat4> rest = restMatrices(rig);
  for (int j = 0; j < joints; ++j) {
    rig.skinJoints.push_back({j, affineInverse(rest[static_cast<std::size_t>(j)])});
  }
  return rig;
}

void addVertex(const Rig& rig, const std::vector<glm::dmat4>& rest, int vertex, int count,
               Mesh& mesh) {
  const int joints = static_cast<int>(rig.joints.size());
  const int ring = vertex / kCorners;
  const int rings = std::max(1, count / kCorners);
  const int joint = std::min(joints - 1, ring * joints / rings);
  const double angle = glm::two_pi<double>() * (vertex % kCorners) / kCorners;
  const double along = 0.2 * static_cast<double>(ring * joints % rings) / rings;
  const glm::dvec4 out(std::cos(angle), 0.0, std::sin(angle), 0.0);
  const glm::dmat4& place = rest[static_cast<std::size_t>(joint)];
  mesh.positions.emplace_back(glm::dvec3(place * (0.06 * out + glm::dvec4(0.0, along, 0.0, 1.0))));
  mesh.normals.emplace_back(glm::normalize(glm::dvec3(place * out)));
  // Four consecutive joints; the nearest one has the largest weight.
  constexpr float kWeights[] = {0.4f, 0.3f, 0.2f, 0.1f};
  const int pulling = std::min(joints, 4);
  for (int i = 0; i < pulling; ++i) {
    const float weight = i + 1 < pulling ? kWeights[i] : 1.0f;
    float left = 1.0f;
    for (int k = 0; k < i; ++k) left -= kWeights[k];
    mesh.influences.push_back({(joint + i) % joints, std::min(weight, left)});
  }
  mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
}

Mesh growthMesh(const Rig& rig, int vertices) {
  Mesh mesh;
  mesh.name = "Body";
  mesh.influenceStarts.push_back(0);
  const std::vector<glm::dmat4> rest = restMatrices(rig);
  for (int v = 0; v < vertices; ++v) addVertex(rig, rest, v, vertices, mesh);
  const auto count = static_cast<std::uint32_t>(vertices);
  for (std::uint32_t v = 0; v + kCorners < count; ++v) {
    const std::uint32_t next = v % kCorners + 1 < kCorners ? v + 1 : v + 1 - kCorners;
    mesh.indices.insert(mesh.indices.end(),
                        {v, v + kCorners, next, next, v + kCorners, next + kCorners});
  }
  return mesh;
}

Clip growthClip(const Rig& rig, int number, int keys) {
  constexpr double kHz = 30.0;
  Clip clip;
  clip.name = fmt::format("Clip {}", number);
  clip.durationSeconds = (keys - 1) / kHz;
  for (int j = 0; j < static_cast<int>(rig.joints.size()); ++j) {
    JointTracks tracks;
    tracks.joint = j;
    const Trs& rest = rig.joints[static_cast<std::size_t>(j)].rest;
    for (int key = 0; key < keys; ++key) {
      const double turn = glm::two_pi<double>() * key / (keys - 1);
      const double angle = 0.25 * std::sin(turn + 0.7 * j + number);
      const glm::dquat rotation =
          rest.rotation * glm::angleAxis(angle, glm::normalize(glm::dvec3(1.0, 0.2 * number, 0.4)));
      tracks.rotation.times.push_back(key / kHz);
      tracks.rotation.values.push_back(glm::normalize(glm::quat(rotation)));
    }
    tracks.rotation.values.back() = tracks.rotation.values.front();
    clip.jointTracks.push_back(std::move(tracks));
  }
  return clip;
}

}  // namespace

Character growthCharacter(const GrowthShape& shape) {
  Character character;
  character.name = "growth";
  character.rig = growthRig(shape.joints);
  // Whole rings, so that all vertices of the triangles exist.
  const int vertices = std::max(2 * kCorners, shape.vertices - shape.vertices % kCorners);
  character.meshes.push_back(growthMesh(character.rig, vertices));
  for (int clip = 0; clip < shape.clips; ++clip) {
    character.clips.push_back(growthClip(character.rig, clip, shape.keys));
  }
  character.source.format = "built in code";
  return character;
}

}  // namespace ck::cli
