#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/morph/morph_weight.h"
#include "core/scene/character.h"

namespace ck {

// One target of one mesh.
struct MorphMember {
  int mesh = 0;    // into Character::meshes
  int target = 0;  // into Mesh::morphTargets
  bool operator==(const MorphMember&) const = default;
};

// A shape by its name: the targets of that name in all meshes, which are driven together.
struct NamedMorph {
  std::string name;  // unique in the set
  float defaultWeight = 0.0f;
  std::vector<MorphMember> members;  // at least one
};

// The named shapes of a character. A list of weights "of the set" has one entry per shape.
using MorphSet = std::vector<NamedMorph>;

// Targets of one name are one shape, unless the file itself contradicts that: by different default
// weights or by different keys in a clip. Then each has its own, with the mesh in its name.
MorphSet morphSetOf(const Character& character);

// Where the shape of that name is, or -1.
int findMorph(const MorphSet& set, std::string_view name);

// Default weights, one per shape.
std::vector<float> defaultWeights(const MorphSet& set);

// Weights of the set at `seconds` of the file's timeline: the default where the clip has no keys.
std::vector<float> sampleMorphs(const MorphSet& set, const Clip& clip, double seconds);

// The weights of one mesh's targets, one per target, from weights of the set.
std::vector<float> weightsOfMesh(const MorphSet& set, const Character& character, int mesh,
                                 std::span<const float> weights);

// Fails with InvalidInput where a weight is not a number or beyond kLargestMorphWeight.
Result<void> checkMorphWeights(const MorphSet& set, std::span<const float> weights);

}  // namespace ck
