#include "render/scene/welded_character.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <unordered_map>

#include "core/skinning/tangent_skinning.h"
#include "render/scene/closed_surface.h"

namespace ck::render {
namespace {

// All attributes of a vertex that must be equal for merging, without padding. Influences and morph
// deltas, whose number varies, are represented by an id.
struct WeldKey {
  glm::vec3 position{0.0f};
  glm::vec3 normal{0.0f};
  glm::vec4 tangent{0.0f};
  glm::vec4 color{1.0f};
  glm::vec2 uv{0.0f};
  glm::vec2 secondUv{0.0f};
  std::uint32_t mesh = 0;
  std::uint32_t rest = 0;
};
static_assert(sizeof(WeldKey) == 80);

void append(std::string& bytes, const void* value, std::size_t size) {
  bytes.append(static_cast<const char*>(value), size);
}

// Influences and morph deltas of every vertex of a mesh as bytes that are equal if the values are.
std::vector<std::string> restBytes(const Mesh& mesh) {
  std::vector<std::string> bytes(mesh.positions.size());
  for (std::size_t v = 0; v < bytes.size(); ++v) {
    for (const Influence& influence : influencesOf(mesh, v)) {
      append(bytes[v], &influence.skinJoint, sizeof influence.skinJoint);
      append(bytes[v], &influence.weight, sizeof influence.weight);
    }
  }
  for (std::uint32_t t = 0; t < mesh.morphTargets.size(); ++t) {
    const MorphTarget& target = mesh.morphTargets[t];
    for (std::size_t i = 0; i < target.vertices.size(); ++i) {
      std::string& out = bytes[target.vertices[i]];
      out += 'm';
      append(out, &t, sizeof t);
      append(out, &target.positionDeltas[i], sizeof(glm::vec3));
      if (!target.normalDeltas.empty()) append(out, &target.normalDeltas[i], sizeof(glm::vec3));
      if (!target.tangentDeltas.empty()) append(out, &target.tangentDeltas[i], sizeof(glm::vec3));
    }
  }
  return bytes;
}

// The bind vertices of a mesh with default morph weights.
struct BindShape {
  std::vector<glm::vec3> positions;
  std::vector<glm::vec3> normals;
  std::vector<glm::vec4> tangents;  // unit length, as in the mesh; or empty
};
BindShape defaultShape(const Mesh& mesh) {
  BindShape shape{mesh.positions, mesh.normals, mesh.tangents};
  for (std::size_t t = 0; t < mesh.morphTargets.size(); ++t) {
    const float weight = mesh.defaultMorphWeights[t];
    if (weight == 0.0f) continue;
    const MorphTarget& target = mesh.morphTargets[t];
    for (std::size_t i = 0; i < target.vertices.size(); ++i) {
      const std::uint32_t v = target.vertices[i];
      shape.positions[v] += weight * target.positionDeltas[i];
      if (!target.normalDeltas.empty()) shape.normals[v] += weight * target.normalDeltas[i];
      if (!target.tangentDeltas.empty() && !shape.tangents.empty()) {
        shape.tangents[v] += glm::vec4(weight * target.tangentDeltas[i], 0.0f);
      }
    }
  }
  for (glm::vec4& tangent : shape.tangents) {
    const float length = glm::length(glm::vec3(tangent));
    if (length > 1e-20f) tangent = glm::vec4(glm::vec3(tangent) / length, tangent.w);
  }
  for (glm::vec3& normal : shape.normals) {
    const float length = glm::length(normal);
    normal = length > 1e-20f ? normal / length : glm::vec3(0.0f, 1.0f, 0.0f);
  }
  return shape;
}

std::int16_t signedFraction(float value) {
  return static_cast<std::int16_t>(std::lround(glm::clamp(value, -1.0f, 1.0f) * 32767.0f));
}

std::array<std::uint16_t, 4> packedColor(const glm::vec4& color) {
  std::array<std::uint16_t, 4> packed = {};
  for (int i = 0; i < 4; ++i) {
    packed[static_cast<std::size_t>(i)] =
        static_cast<std::uint16_t>(std::lround(glm::clamp(color[i], 0.0f, 1.0f) * 65535.0f));
  }
  return packed;
}

GpuVertex gpuVertex(const Mesh& mesh, const BindShape& shape, std::size_t v,
                    std::uint32_t material) {
  GpuVertex out;
  out.position = shape.positions[v];
  const glm::vec3 normal = shape.normals[v];
  out.normal = {signedFraction(normal.x), signedFraction(normal.y), signedFraction(normal.z), 0};
  if (!mesh.uvs.empty()) out.uv = mesh.uvs[v];
  const LimitedInfluences kept = limitInfluences(influencesOf(mesh, v), 4);
  for (std::size_t i = 0; i < 4; ++i) {
    out.skinJoints[i] = static_cast<std::uint16_t>(kept.skinJoints[i]);
    out.weights[i] = kept.weights[i];
  }
  out.material = material;
  return out;
}

// The unmerged vertices and triangles of all meshes, with their merge keys.
struct Unwelded {
  std::vector<GpuVertex> vertices;
  std::vector<std::uint32_t> tangents;  // packed, 0 for none
  std::vector<std::array<std::uint16_t, 4>> colors;
  std::vector<glm::vec2> secondUvs;
  std::vector<WeldKey> keys;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint32_t> meshStarts;  // into `indices`
};

void addMesh(Unwelded& all, const Character& character, std::uint32_t meshIndex,
             std::unordered_map<std::string, std::uint32_t>& rests) {
  const Mesh& mesh = character.meshes[meshIndex];
  const BindShape shape = defaultShape(mesh);
  const std::vector<std::string> bytes = restBytes(mesh);
  const std::uint32_t first = static_cast<std::uint32_t>(all.vertices.size());
  const std::uint32_t material = mesh.material >= 0
                                     ? static_cast<std::uint32_t>(mesh.material)
                                     : static_cast<std::uint32_t>(character.materials.size());
  std::vector<std::int16_t> morphs(mesh.positions.size(), 0);
  for (const MorphTarget& target : mesh.morphTargets) {
    for (const std::uint32_t v : target.vertices) morphs[v] = 32767;
  }
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    WeldKey key;
    // Adding 0 maps -0 to 0.
    key.position = mesh.positions[v] + 0.0f;
    key.normal = mesh.normals[v] + 0.0f;
    if (!mesh.tangents.empty()) key.tangent = mesh.tangents[v] + 0.0f;
    if (!mesh.uvs.empty()) key.uv = mesh.uvs[v] + 0.0f;
    if (!mesh.secondUvs.empty()) key.secondUv = mesh.secondUvs[v] + 0.0f;
    if (!mesh.colors.empty()) key.color = mesh.colors[v] + 0.0f;
    key.mesh = meshIndex;
    key.rest = rests.emplace(bytes[v], static_cast<std::uint32_t>(rests.size())).first->second;
    all.keys.push_back(key);
    all.vertices.push_back(gpuVertex(mesh, shape, v, material));
    all.vertices.back().normal[3] = morphs[v];
    all.tangents.push_back(shape.tangents.empty() ? 0 : packTangent(shape.tangents[v]));
    all.colors.push_back(packedColor(key.color));
    all.secondUvs.push_back(mesh.secondUvs.empty() ? key.uv : key.secondUv);
  }
  all.meshStarts.push_back(static_cast<std::uint32_t>(all.indices.size()));
  for (const std::uint32_t index : mesh.indices) all.indices.push_back(first + index);
}

// Unused vertices are kept after the used ones, because their positions can be read back.
void orderByUse(WeldedCharacter& welded) {
  const std::size_t count = welded.vertices.size();
  std::vector<unsigned> order(count);
  std::size_t used = meshopt_optimizeVertexFetchRemap(order.data(), welded.indices.data(),
                                                      welded.indices.size(), count);
  for (unsigned& place : order) {
    if (place == ~0u) place = static_cast<unsigned>(used++);
  }
  meshopt_remapIndexBuffer(welded.indices.data(), welded.indices.data(), welded.indices.size(),
                           order.data());
  const auto move = [&order](auto& stream) {
    const auto before = stream;
    for (std::size_t v = 0; v < before.size(); ++v) stream[order[v]] = before[v];
  };
  move(welded.vertices);
  move(welded.tangents);
  move(welded.colors);
  move(welded.secondUvs);
  for (std::uint32_t& place : welded.weldedOf) place = order[place];
}

}  // namespace

WeldedCharacter weldCharacter(const Character& character) {
  Unwelded all;
  std::unordered_map<std::string, std::uint32_t> rests;
  for (std::uint32_t mesh = 0; mesh < character.meshes.size(); ++mesh) {
    addMesh(all, character, mesh, rests);
  }
  WeldedCharacter welded;
  welded.meshStarts = std::move(all.meshStarts);
  welded.meshStarts.push_back(static_cast<std::uint32_t>(all.indices.size()));
  welded.frontsOnly = showsFrontsOnly(character);
  const std::size_t count = all.vertices.size();
  welded.weldedOf.resize(count);
  if (count == 0) return welded;
  // Without indices every vertex is kept, not only those of triangles.
  const std::size_t unique = meshopt_generateVertexRemap(welded.weldedOf.data(), nullptr, count,
                                                         all.keys.data(), count, sizeof(WeldKey));
  welded.vertices.resize(unique);
  const bool tangents = std::any_of(all.tangents.begin(), all.tangents.end(),
                                    [](std::uint32_t packed) { return packed != 0; });
  const auto keep = [&welded, unique](auto& stream, const auto& from) {
    stream.resize(unique);
    for (std::size_t v = 0; v < from.size(); ++v) stream[welded.weldedOf[v]] = from[v];
  };
  keep(welded.vertices, all.vertices);
  if (tangents) keep(welded.tangents, all.tangents);
  const auto any = [&character](auto member) {
    return std::ranges::any_of(character.meshes,
                               [member](const Mesh& mesh) { return !(mesh.*member).empty(); });
  };
  if (any(&Mesh::colors)) keep(welded.colors, all.colors);
  if (any(&Mesh::secondUvs)) keep(welded.secondUvs, all.secondUvs);
  welded.indices = std::move(all.indices);
  for (std::uint32_t& index : welded.indices) index = welded.weldedOf[index];
  if (!welded.indices.empty()) {
    for (std::size_t mesh = 0; mesh + 1 < welded.meshStarts.size(); ++mesh) {
      std::uint32_t* first = welded.indices.data() + welded.meshStarts[mesh];
      const std::size_t indices = welded.meshStarts[mesh + 1] - welded.meshStarts[mesh];
      if (indices > 0) meshopt_optimizeVertexCache(first, first, indices, unique);
    }
    orderByUse(welded);
  }
  welded.originalOf.resize(unique);
  for (std::size_t v = count; v-- > 0;) {
    welded.originalOf[welded.weldedOf[v]] = static_cast<std::uint32_t>(v);
  }
  return welded;
}

float weightOfPacked(float packed) {
  return (packed - std::floor(packed)) * 2.0f;
}

PackedInfluences packInfluences(std::span<const GpuVertex> vertices) {
  PackedInfluences packed;
  packed.vertices.reserve(vertices.size());
  for (const GpuVertex& vertex : vertices) {
    glm::vec4 influences(0.0f);
    for (int i = 0; i < 4; ++i) {
      const auto at = static_cast<std::size_t>(i);
      influences[i] = static_cast<float>(vertex.skinJoints[at]) + vertex.weights[at] * 0.5f;
      const double lost = static_cast<double>(weightOfPacked(influences[i])) -
                          static_cast<double>(vertex.weights[at]);
      packed.worstWeightError = std::max(packed.worstWeightError, std::abs(lost));
    }
    packed.vertices.push_back(influences);
  }
  return packed;
}

}  // namespace ck::render
