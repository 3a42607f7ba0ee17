#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/base/job.h"
#include "core/morph/morph_set.h"

namespace ck {

// A morph target as differences, for the places that it moves. A place is an entry of
// DifferenceSet::vertices.
struct DifferenceMesh {
  std::vector<std::uint32_t> places;  // ascending, into DifferenceSet::vertices
  std::vector<glm::vec3> positions;   // metres, one per place
  std::vector<glm::vec3> normals;     // one per place; 0 if the file has no normal deltas
  // One per place; 0 if the file has no tangent deltas. Empty if turnsTangents is false.
  std::vector<glm::vec3> tangents = {};
};

// Steps of an integer accumulator per metre and per unit of a normal. Both are powers of two, at
// most 2^20, and small enough that sums with weights up to kLargestMorphWeight fit into 32 bits
// (docs/techniques.md 5.1).
struct MorphScale {
  float position = 1048576.0f;
  float normal = 1048576.0f;
};

// All morphs of a character over one list of its vertices, reduced to the places that any morph
// moves. All fast morph paths start from this. Normals and tangents of a place, and their deltas,
// are divided by the length that they have with default weights: vertex buffers hold unit vectors
// there, to which deltas are added.
struct DifferenceSet {
  std::vector<std::uint32_t> vertices;  // for each place, its index in the vertex list
  std::vector<std::int32_t> placeOf;    // for each vertex of the list, its place or -1
  std::vector<glm::vec3> positions;     // without morphs, one per place; metres, bind time
  std::vector<glm::vec3> normals;       // without morphs, one per place
  // xyz without morphs, one per place; w is the side, 0 for no tangent. Empty if turnsTangents is
  // false.
  std::vector<glm::vec4> tangents;
  std::vector<DifferenceMesh> morphs;  // one per morph of the set
  // Whether a morph has tangent deltas on a mesh with tangents. Otherwise morphs leave tangents as
  // they are, apart from keeping them orthogonal to the normal.
  bool turnsTangents = false;
  MorphScale scale;
};

// `vertices` is the vertex list. Its entries count through all meshes of the character in order, as
// WeldedCharacter::originalOf does. The work grows with the vertices that morphs move. The result
// is of no use if the job is stopped.
DifferenceSet differenceSet(const Character& character, const MorphSet& set,
                            std::span<const std::uint32_t> vertices, const JobContext& job = {});

// As above, for all vertices of the character.
DifferenceSet differenceSet(const Character& character, const MorphSet& set,
                            const JobContext& job = {});

}  // namespace ck
