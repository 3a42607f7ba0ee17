#include "tests/support/bake_rigs.h"

#include <cmath>
#include <glm/gtc/constants.hpp>

#include "core/anim/pose.h"

namespace ck::test {
namespace {

Mesh tube(int influences, std::size_t jointCount) {
  Mesh mesh;
  mesh.name = "Tube";
  mesh.influenceStarts.push_back(0);
  constexpr int kRings = 30;
  for (int ring = 0; ring < kRings; ++ring) {
    for (int corner = 0; corner < 3; ++corner) {
      const float angle = 2.0944f * static_cast<float>(corner);
      mesh.positions.emplace_back(0.1f * std::cos(angle), 1.6f * static_cast<float>(ring) / kRings,
                                  0.1f * std::sin(angle));
      mesh.normals.emplace_back(std::cos(angle), 0.0f, std::sin(angle));
      float left = 1.0f;
      for (int i = 0; i < influences; ++i) {
        const float weight = i + 1 == influences ? left : left * 0.6f;
        const int joint = (ring / 4 + i) % static_cast<int>(jointCount);
        mesh.influences.push_back({joint, weight});
        left -= weight;
      }
      mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
    }
  }
  for (std::uint32_t v = 0; v + 3 < mesh.positions.size(); ++v) {
    mesh.indices.insert(mesh.indices.end(), {v, v + 1, v + 3});
  }
  return mesh;
}

}  // namespace

Character limbCharacter(int influences) {
  Character limb;
  limb.name = "limb";
  const int parents[] = {-1, 0, 1, 2, 3, 1, 5};
  for (int j = 0; j < 7; ++j) {
    Joint joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = parents[j];
    joint.rest.translation = glm::dvec3(0.02 * j, j == 0 ? 0.2 : 0.3, 0.01);
    joint.rest.rotation = glm::angleAxis(0.3 * j, glm::normalize(glm::dvec3(1.0, j, -1.0)));
    limb.rig.joints.push_back(joint);
  }
  const auto rest = restMatrices(limb.rig);
  for (int j = 0; j < 7; ++j) limb.rig.skinJoints.push_back({j, affineInverse(rest[j])});
  limb.meshes.push_back(tube(influences, limb.rig.skinJoints.size()));
  limb.source.path = "limb.glb";
  limb.source.format = "built in code";
  limb.source.hash = 0x0123456789abcdefull;
  return limb;
}

Clip swingClip(const Character& character, const Swing& swing) {
  Clip clip;
  clip.name = swing.name;
  clip.startSeconds = swing.startSeconds;
  clip.durationSeconds = (swing.keyCount - 1) / swing.hz;
  for (std::size_t j = 0; j < character.rig.joints.size(); ++j) {
    JointTracks tracks;
    tracks.joint = static_cast<int>(j);
    const Trs& rest = character.rig.joints[j].rest;
    const glm::dvec3 axis = glm::normalize(glm::dvec3(1.0, 0.5 * static_cast<double>(j), 0.3));
    for (int key = 0; key < swing.keyCount; ++key) {
      const double turn = glm::two_pi<double>() * swing.cyclesPerStep * key;
      const double angle = swing.amplitudeRadians * std::sin(turn + static_cast<double>(j));
      const glm::dquat rotation = rest.rotation * glm::angleAxis(angle, axis);
      const double time = swing.startSeconds + key / swing.hz;
      tracks.rotation.times.push_back(time);
      tracks.rotation.values.push_back(glm::normalize(glm::quat(rotation)));
      if (j != 0) continue;
      tracks.translation.times.push_back(time);
      tracks.translation.values.emplace_back(rest.translation +
                                             glm::dvec3(0.0, 0.05 * std::cos(turn), 0.0));
    }
    clip.jointTracks.push_back(tracks);
  }
  return clip;
}

Character swingingLimb() {
  Character limb = limbCharacter();
  limb.clips.push_back(swingClip(limb, {.name = "Closed"}));
  limb.clips.push_back(swingClip(limb, {.name = "Open end", .keyCount = 30}));
  limb.clips.push_back(swingClip(limb, {.name = "Away", .keyCount = 20, .startSeconds = 0.5}));
  return limb;
}

Character slowLimb() {
  constexpr double kRadians = 0.06;
  constexpr std::size_t kRest = 20;
  Character limb = limbCharacter();
  limb.name = "slow";
  const Swing slow{.cyclesPerStep = 1.0 / 60.0, .amplitudeRadians = kRadians};
  const auto add = [&](const char* name, int keyCount, double startSeconds) {
    Swing swing = slow;
    swing.name = name;
    swing.keyCount = keyCount;
    swing.startSeconds = startSeconds;
    limb.clips.push_back(swingClip(limb, swing));
  };
  add("Loop", 61, 0.0);
  add("Away", 60, 0.5);
  add("Open", 47, -0.25);
  for (JointTracks& tracks : limb.clips.back().jointTracks) {
    std::vector<glm::quat>& keys = tracks.rotation.values;
    for (std::size_t key = kRest; key < keys.size(); ++key) keys[key] = keys[kRest];
  }
  return limb;
}

ExportKinds everyKind(TexelFormat format) {
  ExportKinds kinds = {ExportKind::Json};
  for (const ExportFormat& each : kExportFormats) {
    if (each.stored != nullptr && !each.stored(format).empty()) kinds.insert(each.kind);
  }
  return kinds;
}

}  // namespace ck::test
