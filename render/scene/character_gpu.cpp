#include "render/scene/character_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace ck::render {
namespace {

// Over a picture that has no mask the tint is laid on at half strength, so that the picture is
// still to be seen.
constexpr float kTintOverPicture = 0.5f;

// What the fragment shader needs to know of every material; one more for meshes without.
std::vector<glm::vec4> materialTexels(const Character& character, const PictureStack& pictures) {
  std::vector<glm::vec4> texels;
  for (const Material& material : character.materials) {
    const int layer = material.basePicture >= 0
                          ? pictures.layerOf[static_cast<std::size_t>(material.basePicture)]
                          : -1;
    const bool masked = layer >= 0 && material.alphaIsTintMask;
    texels.push_back(material.baseColor);
    const float tint = masked || layer < 0 ? 1.0f : kTintOverPicture;
    texels.emplace_back(static_cast<float>(layer), masked ? 1.0f : 0.0f, tint, 0.0f);
  }
  texels.emplace_back(0.6f, 0.6f, 0.6f, 1.0f);
  texels.emplace_back(-1.0f, 0.0f, 1.0f, 0.0f);
  return texels;
}

// CharacterGpu::medianTurn and largestTurn.
void measureTurns(CharacterGpu& gpu) {
  const WeldedCharacter& welded = gpu.welded;
  std::vector<float> sines;
  sines.reserve(welded.indices.size());
  for (std::size_t t = 0; t + 2 < welded.indices.size(); t += 3) {
    const GpuVertex* corners[3];
    for (std::size_t i = 0; i < 3; ++i) corners[i] = &welded.vertices[welded.indices[t + i]];
    const glm::vec3 facet = glm::cross(corners[1]->position - corners[0]->position,
                                       corners[2]->position - corners[0]->position);
    const float area = glm::length(facet);
    if (area <= 0.0f) continue;
    for (const GpuVertex* corner : corners) {
      const glm::vec3 normal(corner->normal[0], corner->normal[1], corner->normal[2]);
      const float cosine = glm::dot(facet, normal) / (area * std::max(glm::length(normal), 1.0f));
      sines.push_back(cosine <= 0.0f ? 1.0f : std::sqrt(std::max(1.0f - cosine * cosine, 0.0f)));
    }
  }
  if (sines.empty()) return;
  const auto at = [&sines](std::size_t place) {
    const auto found = sines.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(sines.begin(), found, sines.end());
    return *found;
  };
  gpu.medianTurn = at(sines.size() / 2);
  gpu.largestTurn = at(sines.size() * 49 / 50);
}

// CharacterGpu::edgeMeters; 0 without triangles.
float edgeOfMost(const WeldedCharacter& welded) {
  struct Triangle {
    float edge;
    float area;
  };
  std::vector<Triangle> triangles;
  double whole = 0.0;
  for (std::size_t t = 0; t + 2 < welded.indices.size(); t += 3) {
    glm::vec3 sides[3];
    float edge = 0.0f;
    for (std::size_t i = 0; i < 3; ++i) {
      sides[i] = welded.vertices[welded.indices[t + (i + 1) % 3]].position -
                 welded.vertices[welded.indices[t + i]].position;
      edge = std::max(edge, glm::length(sides[i]));
    }
    triangles.push_back({edge, glm::length(glm::cross(sides[0], sides[1]))});
    whole += static_cast<double>(triangles.back().area);
  }
  std::sort(triangles.begin(), triangles.end(),
            [](const Triangle& a, const Triangle& b) { return a.edge < b.edge; });
  double passed = 0.0;
  for (const Triangle& triangle : triangles) {
    passed += static_cast<double>(triangle.area);
    if (passed >= 0.9 * whole) return triangle.edge;
  }
  return 0.0f;
}

Result<void> uploadIndices(CharacterGpu& gpu) {
  const std::vector<std::uint32_t>& indices = gpu.welded.indices;
  gpu.wideIndices = gpu.vertexCount() > std::numeric_limits<std::uint16_t>::max();
  if (gpu.wideIndices) {
    return gpu.indices.upload(std::as_bytes(std::span(indices)), BufferUse::Static,
                              "the triangles of the character");
  }
  const std::vector<std::uint16_t> narrow(indices.begin(), indices.end());
  return gpu.indices.upload(std::as_bytes(std::span(narrow)), BufferUse::Static,
                            "the triangles of the character");
}

}  // namespace

Result<CharacterGpu> uploadCharacter(CharacterPtr character) {
  if (character->rig.skinJoints.size() > std::numeric_limits<std::uint16_t>::max()) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("{}: {} joints move vertices, and 65535 can be drawn", character->name,
                            character->rig.skinJoints.size()));
  }
  CharacterGpu gpu;
  gpu.welded = weldCharacter(*character);
  if (gpu.welded.indices.empty()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: there are no triangles to draw", character->name));
  }
  auto stored = gpu.vertices.upload(std::as_bytes(std::span(gpu.welded.vertices)),
                                    BufferUse::Static, "the vertices of the character");
  if (!stored) return tl::unexpected(stored.error());
  if (gpu.hasTangents()) {
    auto turned = gpu.tangents.upload(std::as_bytes(std::span(gpu.welded.tangents)),
                                      BufferUse::Static, "the tangents of the character");
    if (!turned) return tl::unexpected(turned.error());
  }
  if (auto indices = uploadIndices(gpu); !indices) return tl::unexpected(indices.error());
  auto pictures = uploadPictures(*character);
  if (!pictures) return tl::unexpected(pictures.error());
  gpu.pictures = std::move(*pictures);
  const std::vector<glm::vec4> materials = materialTexels(*character, gpu.pictures);
  auto table = gpu.materials.upload(std::as_bytes(std::span(materials)), BufferUse::Static,
                                    "the materials of the character");
  if (!table) return tl::unexpected(table.error());
  for (std::size_t facts = 1; facts < materials.size(); facts += 2) {
    gpu.pictured = gpu.pictured || materials[facts].x >= 0.0f;
    gpu.tintMasked = gpu.tintMasked || materials[facts].y > 0.5f;
  }
  measureTurns(gpu);
  gpu.edgeMeters = edgeOfMost(gpu.welded);
  gpu.character = std::move(character);
  return gpu;
}

}  // namespace ck::render
