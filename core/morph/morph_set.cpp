#include "core/morph/morph_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
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

const Track<float>* trackOf(const Clip& clip, const std::vector<MorphMember>& members) {
  for (const MorphMember& member : members) {
    if (const Track<float>* track = trackOf(clip, member)) return track;
  }
  return nullptr;
}

// Whether all clips have the same keys for the new target as for the others.
bool movesAlike(const Character& character, const std::vector<MorphMember>& members,
                const MorphMember& newcomer) {
  return std::all_of(character.clips.begin(), character.clips.end(), [&](const Clip& clip) {
    const Track<float>* a = trackOf(clip, members);
    const Track<float>* b = trackOf(clip, newcomer);
    return a == nullptr || b == nullptr || *a == *b;
  });
}

std::string freeName(const MorphSet& set, const std::string& wanted) {
  std::string name = wanted;
  for (int n = 2; findMorph(set, name) >= 0; ++n) name = fmt::format("{} {}", wanted, n);
  return name;
}

const Mesh& meshOf(const Character& character, const MorphMember& member) {
  return character.meshes[static_cast<std::size_t>(member.mesh)];
}

const MorphTarget& targetOf(const Character& character, const MorphMember& member) {
  return meshOf(character, member).morphTargets[static_cast<std::size_t>(member.target)];
}

std::string nameWithMesh(const NamedMorph& morph, const Character& character,
                         const MorphMember& member) {
  return fmt::format("{} ({})", morph.targetName, meshOf(character, member).name);
}

// Calls `visit` with each target, mesh by mesh.
template <class Visit>
void eachTarget(const Character& character, Visit&& visit) {
  for (std::size_t m = 0; m < character.meshes.size(); ++m) {
    for (std::size_t t = 0; t < character.meshes[m].morphTargets.size(); ++t) {
      visit(MorphMember{static_cast<int>(m), static_cast<int>(t)});
    }
  }
}

// The morphs, without their names.
MorphSet channelsOf(const Character& character) {
  MorphSet set;
  std::map<int, std::size_t> known;
  eachTarget(character, [&](const MorphMember& member) {
    const MorphTarget& target = targetOf(character, member);
    if (target.channel >= 0) {
      const auto [found, isNew] = known.emplace(target.channel, set.size());
      if (!isNew) {
        set[found->second].members.push_back(member);
        return;
      }
    }
    const float weight =
        meshOf(character, member).defaultMorphWeights[static_cast<std::size_t>(member.target)];
    set.push_back({{}, target.name, {}, weight, {member}});
  });
  return set;
}

}  // namespace

MorphSet morphSetOf(const Character& character) {
  MorphSet set = channelsOf(character);
  // For each name of a target, the meshes that it belongs to.
  std::map<std::string, std::set<int>> meshesOf;
  for (NamedMorph& morph : set) {
    meshesOf[morph.targetName].insert(morph.members[0].mesh);
    for (const MorphMember& member : morph.members) {
      morph.otherNames.push_back(nameWithMesh(morph, character, member));
    }
  }
  for (NamedMorph& morph : set) {
    if (meshesOf[morph.targetName].size() == 1) morph.name = freeName(set, morph.targetName);
  }
  for (NamedMorph& morph : set) {
    if (meshesOf[morph.targetName].size() == 1) continue;
    morph.name = freeName(set, nameWithMesh(morph, character, morph.members[0]));
  }
  return set;
}

std::vector<int> morphsNamed(const MorphSet& set, std::string_view name) {
  const int exact = findMorph(set, name);
  if (exact >= 0) return {exact};
  const auto known = std::ranges::find_if(set, [name](const NamedMorph& morph) {
    return std::ranges::find(morph.otherNames, name) != morph.otherNames.end();
  });
  if (known != set.end()) return {static_cast<int>(known - set.begin())};
  std::vector<int> morphs;
  for (std::size_t m = 0; m < set.size(); ++m) {
    if (set[m].targetName == name) morphs.push_back(static_cast<int>(m));
  }
  return morphs;
}

void joinEqualMorphs(Character& character) {
  struct Joined {
    float weight = 0.0f;
    std::vector<MorphMember> members;
  };
  std::vector<Joined> joined;
  std::map<std::string, std::vector<std::size_t>> byName;
  const MorphSet before = channelsOf(character);
  for (const NamedMorph& morph : before) {
    std::vector<std::size_t>& candidates = byName[morph.targetName];
    const auto fits = [&](std::size_t index) {
      const Joined& one = joined[index];
      const bool ownMesh = std::ranges::any_of(one.members, [&](const MorphMember& a) {
        return std::ranges::find(morph.members, a.mesh, &MorphMember::mesh) != morph.members.end();
      });
      return !ownMesh && one.weight == morph.defaultWeight &&
             movesAlike(character, one.members, morph.members[0]);
    };
    auto found = std::ranges::find_if(candidates, fits);
    if (found == candidates.end()) {
      candidates.push_back(joined.size());
      joined.push_back({morph.defaultWeight, {}});
      found = candidates.end() - 1;
    }
    Joined& one = joined[*found];
    one.members.insert(one.members.end(), morph.members.begin(), morph.members.end());
  }
  for (std::size_t channel = 0; channel < joined.size(); ++channel) {
    for (const MorphMember& member : joined[channel].members) {
      character.meshes[static_cast<std::size_t>(member.mesh)]
          .morphTargets[static_cast<std::size_t>(member.target)]
          .channel = static_cast<int>(channel);
    }
  }
}

int findMorph(const MorphSet& set, std::string_view name) {
  const auto found = std::find_if(set.begin(), set.end(),
                                  [name](const NamedMorph& morph) { return morph.name == name; });
  return found == set.end() ? -1 : static_cast<int>(found - set.begin());
}

std::vector<int> storedMorphs(const MorphSet& set, std::span<const std::string> names) {
  std::vector<int> indices(set.size(), -1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const int morph : morphsNamed(set, names[i])) {
      indices[static_cast<std::size_t>(morph)] = static_cast<int>(i);
    }
  }
  return indices;
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
