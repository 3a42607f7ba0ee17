#include "render/methods/cpu/source_distance.h"

#include <cmath>
#include <limits>

#include "core/skinning/cpu_skinning.h"
#include "render/methods/cpu/affine.h"

namespace ck::render {

SourceDistance::SourceDistance(const CharacterGpu& character) : character_(*character.character) {
  // The mesh and the vertex in it of every vertex of the character.
  struct Place {
    int mesh;
    std::uint32_t vertex;
  };
  std::vector<Place> places;
  for (std::size_t m = 0; m < character_.meshes.size(); ++m) {
    runs_.push_back({static_cast<int>(m), {}});
    for (std::uint32_t v = 0; v < character_.meshes[m].positions.size(); ++v) {
      places.push_back({static_cast<int>(m), v});
    }
  }
  for (const std::uint32_t original : character.welded.originalOf) {
    const auto [m, vertex] = places[original];
    const Mesh& mesh = character_.meshes[static_cast<std::size_t>(m)];
    const std::span<const Influence> all = influencesOf(mesh, vertex);
    runs_[static_cast<std::size_t>(m)].vertices.push_back(
        static_cast<std::uint32_t>(vertices_.size()));
    vertices_.push_back(
        {.position = mesh.positions[vertex],
         .place = vertex,
         .firstInfluence = static_cast<std::uint32_t>(influences_.size()),
         .endInfluence = static_cast<std::uint32_t>(influences_.size() + all.size())});
    influences_.insert(influences_.end(), all.begin(), all.end());
  }
}

void SourceDistance::measure(const ActorPoses& poses, std::size_t actor, const glm::dmat3& turn,
                             std::span<const glm::vec3> drawn, std::span<float> meters) const {
  std::vector<Affine> joints;
  for (const glm::dmat4& matrix : poses.source(actor)) {
    joints.push_back(toAffine(glm::dmat4(turn) * matrix));
  }
  for (const MeshRun& run : runs_) {
    const Mesh& mesh = character_.meshes[static_cast<std::size_t>(run.mesh)];
    const bool morphs = !mesh.morphTargets.empty();
    std::vector<glm::dvec3> morphed;
    if (morphs) morphed = morphedMesh(mesh, poses.sourceMorphWeights(actor, run.mesh)).positions;
    for (const std::uint32_t v : run.vertices) {
      const Vertex& vertex = vertices_[v];
      Affine sum;
      for (std::uint32_t i = vertex.firstInfluence; i < vertex.endInfluence; ++i) {
        addWeighted(sum, joints[static_cast<std::size_t>(influences_[i].skinJoint)],
                    influences_[i].weight);
      }
      const glm::vec3 bound = morphs ? glm::vec3(morphed[vertex.place]) : vertex.position;
      const float distance = glm::distance(movedPoint(sum, bound), drawn[v]);
      meters[v] = std::isnan(distance) ? std::numeric_limits<float>::infinity() : distance;
    }
  }
}

}  // namespace ck::render
