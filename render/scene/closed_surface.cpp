#include "render/scene/closed_surface.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "core/anim/pose.h"

namespace ck::render {
namespace {

// An index per distinct position, and the connected piece that it belongs to.
class Corners {
 public:
  std::uint32_t add(const glm::vec3& position) {
    const std::array<float, 3> key{position.x, position.y, position.z};
    const auto [found, isNew] = numbers_.emplace(key, static_cast<std::uint32_t>(pieces_.size()));
    if (isNew) pieces_.push_back(found->second);
    return found->second;
  }

  std::uint32_t pieceOf(std::uint32_t corner) {
    while (pieces_[corner] != corner) {
      pieces_[corner] = pieces_[pieces_[corner]];
      corner = pieces_[corner];
    }
    return corner;
  }

  void join(std::uint32_t a, std::uint32_t b) { pieces_[pieceOf(a)] = pieceOf(b); }

 private:
  std::map<std::array<float, 3>, std::uint32_t> numbers_;
  std::vector<std::uint32_t> pieces_;
};

bool isMirror(const glm::vec3& scale) {
  return scale.x * scale.y * scale.z < 0.0f;
}

bool mirrorsAtRest(const Rig& rig) {
  const std::vector<glm::dmat4> skins = skinMatrices(rig, restMatrices(rig));
  return std::any_of(skins.begin(), skins.end(), [](const glm::dmat4& skin) {
    return glm::determinant(glm::dmat3(skin)) < 0.0;
  });
}

bool mirrorsByKeys(const Character& character) {
  for (const Clip& clip : character.clips) {
    for (const JointTracks& tracks : clip.jointTracks) {
      const auto& joint = character.rig.joints[static_cast<std::size_t>(tracks.joint)];
      const bool atRest = isMirror(glm::vec3(joint.rest.scale));
      const bool cubic = tracks.scale.interpolation == Interpolation::Cubic;
      const auto& values = tracks.scale.values;
      for (std::size_t i = cubic ? 1 : 0; i < values.size(); i += cubic ? 3 : 1) {
        if (isMirror(values[i]) != atRest) return true;
      }
    }
  }
  return false;
}

// Whether a mesh is closed and winds outwards everywhere. Back faces of such a mesh are never
// visible from outside and can be culled, which saves a third of the drawing time on a CPU.
// Vertices with equal bind positions count as one. Every edge must occur equally often in both
// directions, and every connected piece must enclose a positive volume.
bool isClosedSurface(const Mesh& mesh) {
  Corners corners;
  std::vector<std::uint32_t> cornerOf;
  for (const glm::vec3& position : mesh.positions) cornerOf.push_back(corners.add(position));
  // Number of passes from the smaller to the larger corner, minus passes in the other direction.
  std::unordered_map<std::uint64_t, int> balance;
  for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = cornerOf[mesh.indices[t + i]];
      const std::uint32_t b = cornerOf[mesh.indices[t + (i + 1) % 3]];
      if (a == b) continue;
      const std::uint64_t edge =
          (static_cast<std::uint64_t>(std::min(a, b)) << 32) | std::max(a, b);
      balance[edge] += a < b ? 1 : -1;
      corners.join(a, b);
    }
  }
  for (const auto& [edge, walks] : balance) {
    if (walks != 0) return false;
  }
  std::unordered_map<std::uint32_t, double> volumes;
  for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
    const glm::dvec3 a(mesh.positions[mesh.indices[t]]);
    const glm::dvec3 b(mesh.positions[mesh.indices[t + 1]]);
    const glm::dvec3 c(mesh.positions[mesh.indices[t + 2]]);
    volumes[corners.pieceOf(cornerOf[mesh.indices[t]])] += glm::dot(a, glm::cross(b, c));
  }
  for (const auto& [piece, volume] : volumes) {
    if (volume <= 0.0) return false;
  }
  return true;
}

}  // namespace

bool showsFrontsOnly(const Character& character) {
  if (mirrorsAtRest(character.rig) || mirrorsByKeys(character)) return false;
  for (const Mesh& mesh : character.meshes) {
    const Material* material =
        mesh.material < 0 ? nullptr : &character.materials[static_cast<std::size_t>(mesh.material)];
    if (material != nullptr && !material->doubleSided) continue;
    // Through the gaps of a surface its inner side is seen.
    const bool hasGaps = material != nullptr && material->alpha != AlphaMode::Opaque;
    if (hasGaps || !isClosedSurface(mesh)) return false;
  }
  return true;
}

}  // namespace ck::render
