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

// A morph: the targets of one channel (MorphTarget::channel), which share one weight.
struct NamedMorph {
  std::string name;        // unique in the set
  std::string targetName;  // in the file; morphs of several meshes may have the same
  std::vector<std::string> otherNames = {};  // "target (mesh)", one per member
  float defaultWeight = 0.0f;
  std::vector<MorphMember> members;  // at least one
};

// The morphs of a character. A list of weights "of the set" has one entry per morph.
using MorphSet = std::vector<NamedMorph>;

// A morph has the name of its target. If morphs of several meshes have the same, the mesh of the
// first member follows in brackets: "smile (Head)", "smile (Teeth)". A name that is still not
// unique gets a number: "smile 2".
MorphSet morphSetOf(const Character& character);

// The index of the morph of that name, or -1.
int findMorph(const MorphSet& set, std::string_view name);

// The morphs that a name in a project, an atlas or on the command line means, ascending: the morph
// of that name, or the one that is known by it as well, or all with that target name. So "smile"
// moves head and teeth, and files that were written when those were one morph, or before they were
// joined, still mean what they meant.
std::vector<int> morphsNamed(const MorphSet& set, std::string_view name);

// Gives all targets of one name one channel, as the artist may ask for
// (ImportSettings::joinMorphs). Targets stay apart where a mesh has several of that name, or where
// the file gives them different default weights or different keys in a clip.
void joinEqualMorphs(Character& character);

// For each morph, its index in a list of names, such as AtlasMorphs::names, or -1.
std::vector<int> storedMorphs(const MorphSet& set, std::span<const std::string> names);

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
