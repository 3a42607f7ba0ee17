#include "tests/support/rich_character.h"

#include <cstring>
#include <span>

#include "core/import/character_file.h"
#include "core/system/files.h"
#include "tests/support/rigs.h"

namespace ck::test {

Character richCharacter() {
  Character character = barCharacter();
  character.source.path = "models/bar.glb";
  character.source.unitScale = 0.01;
  character.source.upAxis = "Z";
  character.source.hash = 0x0123456789abcdefull;
  character.source.sourceToModel = toMatrix({.translation = {1, 2, 3}, .scale = {2, 2, 2}});
  character.notes = {{Note::Level::Warning, "WeightsDropped", "3 weights were left out"},
                     {Note::Level::Info, "NamesMadeUnique", "H\u00fcfte (2)"}};
  character.rig.joints[1].name = "H\u00fcfte \u9aa8 \U0001F600";
  character.rig.skinJoints.push_back({1, toMatrix({.translation = {0, -1.5, 0}})});
  Mesh& mesh = character.meshes[0];
  mesh.material = 0;
  mesh.tangents.assign(mesh.positions.size(), glm::vec4(1, 0, 0, -1));
  mesh.morphTargets.push_back(
      {"Smile", {1, 4}, {{0, 1, 0}, {0, 0, 1}}, {{1, 0, 0}, {0, 1, 0}}, {}});
  mesh.morphTargets.push_back({"Blink", {}, {}, {}, {}});
  mesh.morphTargets[0].channel = 3;
  mesh.defaultMorphWeights = {0.25f, 0.0f};
  Clip clip;
  clip.name = "Cubic";
  clip.startSeconds = 0.5;
  clip.durationSeconds = 1.0;
  clip.groundSpeedMetersPerSecond = 1.4;
  JointTracks tracks;
  tracks.joint = 1;
  tracks.translation = {Interpolation::Cubic, {0.5, 1.5}, std::vector<glm::vec3>(6, {1, 2, 3})};
  tracks.scale = {Interpolation::Step, {0.5}, {{2, 2, 2}}};
  clip.jointTracks.push_back(tracks);
  clip.morphTracks.push_back({0, 1, {Interpolation::Linear, {0.5, 1.5}, {0.0f, 1.0f}}});
  clip.events = {{"Fu\u00df", 0.75}, {"", -3.0}};
  character.clips.push_back(clip);
  const SurfaceMap map{0, 1, Wrap::Mirror, Wrap::Clamp, {0.5f, -1}, 2.0f, {3, 0.25f}};
  character.materials.push_back({.name = "Skin",
                                 .baseColor = {0.5f, 0.25f, 1.0f, 1.0f},
                                 .base = map,
                                 .normal = {.image = 0},
                                 .normalScale = 0.75f,
                                 .alpha = AlphaMode::Mask,
                                 .alphaCutoff = 0.25f,
                                 .metallic = 1.0f,
                                 .roughness = 0.125f,
                                 .metalRoughness = map,
                                 .emission = {1, 2, 30},
                                 .emissive = map,
                                 .unlit = true,
                                 .alphaIsTintMask = true,
                                 .doubleSided = false});
  character.socketCandidates = {"Hand.R", "Gr\u00fcn"};
  character.images.push_back({"skin.png", 2, 1, {1, 2, 3, 4, 5, 6, 7, 8}});
  for (const int byte : {0xff, 0xd8, 0xff, 0xd9}) {
    character.images[0].file.push_back(static_cast<std::byte>(byte));
  }
  return character;
}

void sign(std::vector<std::byte>& bytes) {
  if (bytes.size() < blob::kHeaderBytes) return;
  const std::uint64_t total = bytes.size();
  const std::uint64_t hash =
      hashBytes(std::span<const std::byte>(bytes).subspan(blob::kHeaderBytes));
  std::memcpy(bytes.data() + 8, &total, 8);
  std::memcpy(bytes.data() + 16, &hash, 8);
}

}  // namespace ck::test
