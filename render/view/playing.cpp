#include "render/view/playing.h"

#include <algorithm>
#include <set>

namespace ck::render {

std::vector<std::vector<std::uint32_t>> selectedByCharacter(
    const CrowdView& crowd, std::span<const std::uint32_t> selected) {
  std::vector<std::vector<std::uint32_t>> split(crowd.crowds().size());
  for (const std::uint32_t visible : selected) {
    if (visible >= crowd.size()) continue;
    const ActorPlace place = crowd.placeOf(visible);
    split[place.character].push_back(place.index);
  }
  return split;
}

std::vector<std::uint32_t> actorsSeen(const CrowdView& crowd, std::span<const Playing> drawn,
                                      std::span<const std::uint32_t> farCharacters,
                                      std::span<const std::uint32_t> ids) {
  std::vector<char> seen(1, 0);
  for (const Playing& one : drawn) seen.resize(seen.size() + one.characterRenderer->actors(), 0);
  for (const std::uint32_t character : farCharacters) {
    seen.resize(seen.size() + crowd.crowds()[character].size(), 0);
  }
  for (const std::uint32_t id : ids) {
    if (id < seen.size()) seen[id] = 1;
  }
  std::vector<std::uint32_t> actors;
  std::size_t id = 1;
  for (const Playing& one : drawn) {
    for (std::size_t i = 0; i < one.characterRenderer->actors(); ++i, ++id) {
      if (seen[id] == 0) continue;
      const auto index = static_cast<std::uint32_t>(one.chosen[i]);
      actors.push_back(static_cast<std::uint32_t>(crowd.visibleOf({one.character, index})));
    }
  }
  for (const std::uint32_t character : farCharacters) {
    const std::size_t size = crowd.crowds()[character].size();
    for (std::uint32_t index = 0; index < size; ++index, ++id) {
      if (seen[id] == 0) continue;
      actors.push_back(static_cast<std::uint32_t>(crowd.visibleOf({character, index})));
    }
  }
  std::sort(actors.begin(), actors.end());
  return actors;
}

Bounds reachedBy(std::span<const Playing> drawn) {
  Bounds all{glm::dvec3(1e300), glm::dvec3(-1e300)};
  for (const Playing& one : drawn) {
    const Bounds& box = one.characterRenderer->reachedBox();
    all = Bounds{glm::min(all.low, box.low), glm::max(all.high, box.high)};
  }
  return all;
}

Result<void> drawFootprints(std::span<const Playing> drawn, Environment& environment,
                            const SceneLook& look, Shadows shadows) {
  for (const Playing& one : drawn) {
    auto marks = one.characterRenderer->drawFootprints(environment, look, shadows);
    if (!marks) return marks;
  }
  return {};
}

std::size_t trianglesOf(std::span<const Playing> drawn) {
  std::size_t triangles = 0;
  for (const Playing& one : drawn) {
    triangles += one.characterRenderer->actors() * one.characterRenderer->triangles();
  }
  return triangles;
}

void addCharacters(FrameStats& stats, std::span<const Playing> drawn,
                   std::uint32_t selectedCharacter) {
  std::set<const Atlas*> atlases;
  std::set<std::uint32_t> present;
  for (const auto& [characterRenderer, character, chosen] : drawn) {
    characterRenderer->addTo(stats);
    if (characterRenderer->actors() > 0) present.insert(character);
    const std::size_t nearActors = stats.morphs.nearActors + characterRenderer->morphs().nearActors;
    if (characterRenderer->morphs().selectedActor && character == selectedCharacter)
      stats.morphs = characterRenderer->morphs();
    stats.morphs.nearActors = nearActors;
    if (characterRenderer->atlas()) atlases.insert(characterRenderer->atlas()->atlas.get());
  }
  stats.characters = present.size();
  for (const Atlas* atlas : atlases) stats.atlasBytes += atlas->texels.size();
  const std::size_t actors = stats.actors;
  if (actors > 0) {
    stats.verticesPerActor = (stats.vertices + actors / 2) / actors;
    stats.trianglesPerActor = (stats.triangles + actors / 2) / actors;
  } else if (!drawn.empty()) {
    stats.verticesPerActor = drawn.front().characterRenderer->character()->vertexCount();
    stats.trianglesPerActor = drawn.front().characterRenderer->triangles();
  }
}

}  // namespace ck::render
