#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "render/scene/character_gpu.h"
#include "render/skinning/actor_poses.h"

namespace ck::render {

// Measures how far drawn vertices are from the source with all influences and morphs: the error at
// vertices (docs/techniques.md 3.4) of the actors of a tick. In float, so to about 1e-6 of the
// actor's size.
class SourceDistance {
 public:
  // `character` must outlive it.
  explicit SourceDistance(const CharacterGpu& character);

  // Writes the distance of every merged vertex of an actor, in metres. `turn` is the linear part of
  // the actor's matrix; `drawn` are the vertices in the world, relative to the actor's place. A
  // distance that is not a number becomes infinite.
  void measure(const ActorPoses& poses, std::size_t actor, const glm::dmat3& turn,
               std::span<const glm::vec3> drawn, std::span<float> meters) const;

 private:
  struct Vertex {
    glm::vec3 position{0.0f};  // in bind space, without morphs
    std::uint32_t place = 0;   // vertex of the mesh
    std::uint32_t firstInfluence = 0;
    std::uint32_t endInfluence = 0;
  };
  struct MeshRun {
    int mesh = 0;
    std::vector<std::uint32_t> vertices;  // merged vertices
  };

  const Character& character_;
  std::vector<Vertex> vertices_;  // one per merged vertex
  std::vector<Influence> influences_;
  std::vector<MeshRun> runs_;
};

}  // namespace ck::render
