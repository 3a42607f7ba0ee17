#include "render/view/spot_place.h"

#include "core/crowd/actor_morphs.h"
#include "core/skinning/cpu_skinning.h"
#include "render/skinning/actor_poses.h"
#include "render/view/drawable_view.h"

namespace ck::render {

std::optional<glm::dvec3> placeOf(const Spot& spot, const CharacterEntry& entry, const Crowd& crowd,
                                  std::size_t actor, const PoseSettings& asked) {
  if (entry.character == nullptr || actor >= crowd.size()) return std::nullopt;
  const Character& character = *entry.character;
  const Atlas* atlas = entry.atlas.get();
  const PoseSettings pose = settledFor(asked, atlas);
  const MethodInfo& method = methodInfo(pose.method);
  const bool ofFile = atlas == nullptr || pose.viewMode == ViewMode::Source;
  const ActorPoses poses(character, atlas, crowd,
                         {.interpolate = isBetweenFrames(pose.sampling),
                          .fades = pose.fades,
                          .reading = method.reading,
                          .mixes = method.reads == VertexReads::Pool,
                          .masks = method.posesClips});
  const std::vector<glm::dmat4> skins =
      ofFile || method.posesClips ? poses.source(actor) : poses.baked(actor);
  const glm::dmat4 world = actorMatrix(crowd.instances()[actor]);
  if (spot.mesh < 0) {
    if (spot.joint < 0 || static_cast<std::size_t>(spot.joint) >= skins.size()) return std::nullopt;
    const auto joint = static_cast<std::size_t>(spot.joint);
    return transformPoint(world * skins[joint], pivotOf(character.rig.skinJoints[joint]));
  }
  if (static_cast<std::size_t>(spot.mesh) >= character.meshes.size()) return std::nullopt;
  const Mesh& mesh = character.meshes[static_cast<std::size_t>(spot.mesh)];
  const auto vertex = static_cast<std::size_t>(spot.vertex);
  if (spot.vertex < 0 || vertex >= mesh.positions.size()) return std::nullopt;
  std::vector<float> weights;
  if (ofFile) {
    weights = poses.sourceMorphWeights(actor, spot.mesh);
  } else {
    const MorphSet morphs = morphSetOf(character);
    weights = weightsOfMesh(morphs, character, spot.mesh,
                            pose.morphs.on ? actorMorphs(morphs, atlas, crowd, actor, pose.fades)
                                           : defaultWeights(morphs));
  }
  const SkinnedMesh posed = skinMesh(
      mesh, skins, {.influenceLimit = ofFile ? 0 : pose.influences, .morphWeights = weights});
  return transformPoint(world, posed.positions[vertex]);
}

}  // namespace ck::render
