#include "render/view/blend_errors.h"

#include <algorithm>

#include "core/skinning/cpu_skinning.h"
#include "render/skinning/actor_poses.h"

namespace ck::render {
namespace {

std::vector<glm::dvec3> positionsOf(const Character& character, const Atlas& atlas,
                                    const std::vector<glm::dmat4>& matrices) {
  std::vector<glm::dvec3> positions;
  for (const Mesh& mesh : character.meshes) {
    const SkinnedMesh posed = skinMesh(
        mesh, matrices,
        {.influenceLimit = atlas.recipe.influences, .morphWeights = mesh.defaultMorphWeights});
    positions.insert(positions.end(), posed.positions.begin(), posed.positions.end());
  }
  return positions;
}

BlendFigures figuresOf(const std::vector<glm::dvec3>& are, const std::vector<glm::dvec3>& belong,
                       const glm::dmat3& scale) {
  BlendFigures figures;
  for (std::size_t i = 0; i < are.size(); ++i) {
    const double mm = 1000.0 * glm::length(scale * (are[i] - belong[i]));
    figures.worstMm = std::max(figures.worstMm, mm);
    figures.meanMm += mm;
  }
  if (!are.empty()) figures.meanMm /= static_cast<double>(are.size());
  return figures;
}

}  // namespace

std::optional<std::size_t> fadingActor(const Crowd& crowd, std::span<const std::uint32_t> wanted) {
  for (const std::uint32_t actor : wanted) {
    if (actor < crowd.size() && crowd.fadeOf(actor)) return actor;
  }
  if (crowd.fadingActors() == 0) return std::nullopt;
  for (std::size_t actor = 0; actor < crowd.size(); ++actor) {
    if (crowd.fadeOf(actor)) return actor;
  }
  return std::nullopt;
}

BlendErrors blendErrors(const Character& character, const Atlas& atlas, const Crowd& crowd,
                        std::size_t actor) {
  const ActorPoses relative(character, &atlas, crowd, {.reading = Reading::Palette});
  const ActorPoses world(character, &atlas, crowd, {.reading = Reading::Direct});
  const auto belong = positionsOf(character, atlas, relative.source(actor));
  const glm::dmat3 scale(actorMatrix(crowd.instances()[actor]));
  return {figuresOf(positionsOf(character, atlas, relative.baked(actor)), belong, scale),
          figuresOf(positionsOf(character, atlas, world.baked(actor)), belong, scale)};
}

}  // namespace ck::render
