#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/morph/morph_set.h"

namespace ck {

// A shape as differences, for the places that it moves.
struct DifferenceMesh {
  std::vector<std::uint32_t> places;  // ascending, into DifferenceSet::vertices
  std::vector<glm::vec3> positions;   // metres, one per place
  std::vector<glm::vec3> normals;     // one per place; 0 where the file has none
};

// How many steps of an integer accumulator a metre, or a unit of a normal, has: powers of two, at
// most 2^20, and so small that no sum of weights up to kLargestMorphWeight overflows 32 bits.
struct MorphScale {
  float position = 1048576.0f;
  float normal = 1048576.0f;
};

// All shapes of a character over one list of its vertices, reduced to the places that any shape
// moves: what every fast way to morph is made from.
struct DifferenceSet {
  std::vector<std::uint32_t> vertices;  // for every place, where it is in the list
  std::vector<std::int32_t> placeOf;    // for every vertex of the list its place, or -1
  std::vector<glm::vec3> positions;     // without any shape, one per place; metres, bind time
  std::vector<glm::vec3> normals;       // the same, unit
  std::vector<DifferenceMesh> morphs;   // one per shape of the set
  MorphScale scale;
};

// `vertices` names the list: entries count through all meshes of the character one after another
// (WeldedCharacter::originalOf, for one).
DifferenceSet differenceSet(const Character& character, const MorphSet& set,
                            std::span<const std::uint32_t> vertices);

// The same for all vertices of the character.
DifferenceSet differenceSet(const Character& character, const MorphSet& set);

}  // namespace ck
