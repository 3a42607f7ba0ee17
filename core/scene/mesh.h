#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

namespace ck {

// The weight of one skin joint on one vertex.
struct Influence {
  int skinJoint = 0;    // into Rig::skinJoints
  float weight = 0.0f;  // > 0; the weights of a vertex sum to 1
  bool operator==(const Influence&) const = default;
};

// A morph target, stored as differences to the mesh for the vertices that it moves.
struct MorphTarget {
  std::string name;
  std::vector<std::uint32_t> vertices;    // strictly ascending
  std::vector<glm::vec3> positionDeltas;  // metres, one per entry of `vertices`
  std::vector<glm::vec3> normalDeltas;    // one per entry of `vertices`, or empty
  std::vector<glm::vec3> tangentDeltas;   // as normalDeltas
  // Targets of the same channel share one weight: those of the parts of one mesh, or what else the
  // file drives together. -1: a channel of its own.
  int channel = -1;
  bool operator==(const MorphTarget&) const = default;
};

// Triangles with one material, bound to the rig. Positions are in model space at bind time (metres,
// Y up, times bindScale or bindStretch), in the file's vertex order. Triangles wind
// counter-clockwise seen from outside.
struct Mesh {
  std::string name;   // unique in the character
  int material = -1;  // into Character::materials, or -1
  std::vector<glm::vec3> positions;
  std::vector<glm::vec3> normals;    // unit, one per vertex; computed where the file has none
  std::vector<glm::vec4> tangents;   // unit xyz, w = +-1; one per vertex or empty
  std::vector<glm::vec2> uvs;        // v runs down the image (glTF); one per vertex or empty
  std::vector<glm::vec2> secondUvs;  // for maps that have coordinates of their own, else empty
  std::vector<glm::vec4> colors;     // linear, multiplied with the material's; or empty
  // The influences of vertex v are influences[influenceStarts[v] .. influenceStarts[v + 1]),
  // heaviest first. All influences of the file are kept; renderers limit their number.
  std::vector<std::uint32_t> influenceStarts;  // positions.size() + 1 entries
  std::vector<Influence> influences;
  std::vector<std::uint32_t> indices;  // 3 per triangle
  std::vector<MorphTarget> morphTargets;
  std::vector<float> defaultMorphWeights;  // one per target
  // How many times as large as in the file the positions and position deltas are, beyond the file's
  // units: the scale that was taken out of the skin joints (core/import/skin_scale.h). > 0.
  double bindScale = 1.0;
  // The same for a scale that differs between directions: they are this times those of the file.
  // Symmetric, without mirroring; the identity where bindScale is not 1.
  glm::dmat3 bindStretch{1.0};
  bool operator==(const Mesh&) const = default;
};

// The influences of one vertex, heaviest first.
std::span<const Influence> influencesOf(const Mesh& mesh, std::size_t vertex);

// The largest number of influences on any vertex.
int maxInfluences(const Mesh& mesh);

// The `limit` heaviest influences of a vertex, renormalised to sum 1. Without renormalising,
// vertices are displaced by metres (docs/techniques.md 4.3). Unused slots have weight 0 and skin
// joint 0.
struct LimitedInfluences {
  std::array<int, 4> skinJoints = {};
  std::array<float, 4> weights = {};
};
LimitedInfluences limitInfluences(std::span<const Influence> influences, int limit);

}  // namespace ck
