#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/morph/morph_weight.h"
#include "core/scene/character.h"

namespace ck {

// One morph target of one mesh.
struct MorphMember {
  int mesh = 0;    // into Character::meshes
  int target = 0;  // into Mesh::morphTargets
  bool operator==(const MorphMember&) const = default;
};

// A morph: all targets of one name in all meshes, which share one weight.
struct NamedMorph {
  std::string name;  // unique in the set
  float defaultWeight = 0.0f;
  std::vector<MorphMember> members;  // at least one
};

// The morphs of a character. A list of weights "of the set" has one entry per morph.
using MorphSet = std::vector<NamedMorph>;

// Targets with the same name form one morph, unless the file gives them different default weights
// or different keys in a clip. Such targets become separate morphs with the mesh in their name.
MorphSet morphSetOf(const Character& character);

// The index of the morph of that name, or -1.
int findMorph(const MorphSet& set, std::string_view name);

// Default weights, one per morph.
std::vector<float> defaultWeights(const MorphSet& set);

// The keys of every morph in a clip, one entry per morph: null if it has none. The clip must
// outlive them.
std::vector<const Track<float>*> morphTracks(const MorphSet& set, const Clip& clip);

// Weights of the set at `seconds` on the file's timeline. Morphs without keys have their default
// weight.
std::vector<float> sampleMorphs(const MorphSet& set, const Clip& clip, double seconds);

// The weights of one mesh's targets, one per target, taken from weights of the set.
std::vector<float> weightsOfMesh(const MorphSet& set, const Character& character, int mesh,
                                 std::span<const float> weights);

// Fails with InvalidInput if a weight is not finite or exceeds kLargestMorphWeight.
Result<void> checkMorphWeights(const MorphSet& set, std::span<const float> weights);

}  // namespace ck
