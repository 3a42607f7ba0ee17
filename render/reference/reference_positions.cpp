#include "render/reference/reference_positions.h"

#include "core/base/parallel_for.h"
#include "core/crowd/actor_morphs.h"
#include "core/skinning/cpu_skinning.h"
#include "render/skinning/actor_poses.h"

namespace ck::render {

std::vector<glm::dvec3> referencePositions(const Character& character, const Atlas* atlas,
                                           const Crowd& crowd, const RenderSettings& settings,
                                           bool fromSource) {
  const MorphSet set = morphSetOf(character);
  const bool live = methodInfo(settings.view.pose.method).posesClips;
  const bool morphs = fromSource || (atlas == nullptr && !live);
  const bool source = morphs || live;
  const ActorPoses poses(character, atlas, crowd,
                         {.interpolate = isBetweenFrames(settings.view.pose.sampling),
                          .fades = settings.view.pose.fades,
                          .reading = methodInfo(settings.view.pose.method).reading,
                          .mixes = methodInfo(settings.view.pose.method).reads == VertexReads::Pool,
                          .masks = live});
  const ActorRecords records = crowd.instances();
  std::size_t count = 0;
  for (const Mesh& mesh : character.meshes) count += mesh.positions.size();
  std::vector<glm::dvec3> positions(crowd.size() * count);
  parallelFor(crowd.size(), {}, [&](std::size_t actor) {
    const glm::dmat4 world = actorMatrix(records[actor]);
    const auto matrices = source ? poses.source(actor) : poses.baked(actor);
    const std::vector<float> baked =
        settings.view.pose.morphs.on
            ? actorMorphs(set, atlas, crowd, actor, settings.view.pose.fades)
            : defaultWeights(set);
    std::size_t at = actor * count;
    for (std::size_t m = 0; m < character.meshes.size(); ++m) {
      const Mesh& mesh = character.meshes[m];
      const std::vector<float> weights =
          morphs ? poses.sourceMorphWeights(actor, static_cast<int>(m))
                 : weightsOfMesh(set, character, static_cast<int>(m), baked);
      const SkinnedMesh posed = skinMesh(
          mesh, matrices,
          {.influenceLimit = morphs ? 0 : settings.view.pose.influences, .morphWeights = weights});
      for (const glm::dvec3& position : posed.positions) {
        positions[at++] = transformPoint(world, position);
      }
    }
  });
  return positions;
}

}  // namespace ck::render
