#include "core/morph/morph_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/anim/clip_sampler.h"
#include "core/base/assert.h"

namespace ck {
namespace {

const Track<float>* trackOf(const Clip& clip, const MorphMember& member) {
  for (const MorphTrack& track : clip.morphTracks) {
    if (track.mesh == member.mesh && track.target == member.target && !track.weight.empty()) {
      return &track.weight;
    }
  }
  return nullptr;
}

const Track<float>* trackOf(const Clip& clip, const NamedMorph& morph) {
  for (const MorphMember& member : morph.members) {
    if (const Track<float>* track = trackOf(clip, member)) return track;
  }
  return nullptr;
}

// Whether all clips have the same keys for the new target as for the morph.
bool movesAlike(const Character& character, const NamedMorph& morph, const MorphMember& newcomer) {
  return std::all_of(character.clips.begin(), character.clips.end(), [&](const Clip& clip) {
    const Track<float>* a = trackOf(clip, morph);
    const Track<float>* b = trackOf(clip, newcomer);
    return a == nullptr || b == nullptr || *a == *b;
  });
}

std::string freeName(const MorphSet& set, const std::string& wanted) {
  std::string name = wanted;
  for (int n = 2; findMorph(set, name) >= 0; ++n) name = fmt::format("{} {}", wanted, n);
  return name;
}

}  // namespace

MorphSet morphSetOf(const Character& character) {
  MorphSet set;
  for (std::size_t m = 0; m < character.meshes.size(); ++m) {
    const Mesh& mesh = character.meshes[m];
    for (std::size_t t = 0; t < mesh.morphTargets.size(); ++t) {
      const std::string& name = mesh.morphTargets[t].name;
      const MorphMember member{static_cast<int>(m), static_cast<int>(t)};
      const float weight = mesh.defaultMorphWeights[t];
      const int known = findMorph(set, name);
      if (known < 0) {
        set.push_back({name, weight, {member}});
        continue;
      }
      NamedMorph& morph = set[static_cast<std::size_t>(known)];
      const bool ownMesh =
          std::any_of(morph.members.begin(), morph.members.end(),
                      [&member](const MorphMember& other) { return other.mesh == member.mesh; });
      if (!ownMesh && morph.defaultWeight == weight && movesAlike(character, morph, member)) {
        morph.members.push_back(member);
      } else {
        const std::string wanted = ownMesh ? name : fmt::format("{} ({})", name, mesh.name);
        set.push_back({freeName(set, wanted), weight, {member}});
      }
    }
  }
  return set;
}

int findMorph(const MorphSet& set, std::string_view name) {
  const auto found = std::find_if(set.begin(), set.end(),
                                  [name](const NamedMorph& morph) { return morph.name == name; });
  return found == set.end() ? -1 : static_cast<int>(found - set.begin());
}

std::vector<float> defaultWeights(const MorphSet& set) {
  std::vector<float> weights;
  weights.reserve(set.size());
  for (const NamedMorph& morph : set) weights.push_back(morph.defaultWeight);
  return weights;
}

std::vector<const Track<float>*> morphTracks(const MorphSet& set, const Clip& clip) {
  std::vector<const Track<float>*> tracks(set.size(), nullptr);
  if (clip.morphTracks.empty()) return tracks;
  std::map<std::pair<int, int>, const Track<float>*> byTarget;
  for (const MorphTrack& track : clip.morphTracks) {
    if (!track.weight.empty()) byTarget.emplace(std::pair(track.mesh, track.target), &track.weight);
  }
  for (std::size_t i = 0; i < set.size(); ++i) {
    for (const MorphMember& member : set[i].members) {
      const auto found = byTarget.find({member.mesh, member.target});
      if (found == byTarget.end()) continue;
      tracks[i] = found->second;
      break;
    }
  }
  return tracks;
}

std::vector<float> sampleMorphs(const MorphSet& set, const Clip& clip, double seconds) {
  std::vector<float> weights = defaultWeights(set);
  const std::vector<const Track<float>*> tracks = morphTracks(set, clip);
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (tracks[i] != nullptr) weights[i] = static_cast<float>(sampleTrack(*tracks[i], seconds));
  }
  return weights;
}

std::vector<float> weightsOfMesh(const MorphSet& set, const Character& character, int mesh,
                                 std::span<const float> weights) {
  CK_ASSERT(weights.size() == set.size());
  std::vector<float> own = character.meshes[static_cast<std::size_t>(mesh)].defaultMorphWeights;
  for (std::size_t i = 0; i < set.size(); ++i) {
    for (const MorphMember& member : set[i].members) {
      if (member.mesh == mesh) own[static_cast<std::size_t>(member.target)] = weights[i];
    }
  }
  return own;
}

Result<void> checkMorphWeights(const MorphSet& set, std::span<const float> weights) {
  CK_ASSERT(weights.size() == set.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (std::abs(weights[i]) <= kLargestMorphWeight) continue;
    return fail(ErrorCode::InvalidInput,
                fmt::format("morph target '{}' has the weight {}; use a number from {} to {}",
                            set[i].name, weights[i], -kLargestMorphWeight, kLargestMorphWeight));
  }
  return {};
}

}  // namespace ck
