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

std::vector<std::uint32_t> actorsSeen(const CrowdView& crowd, std::span<const Playing> playing,
                                      std::span<const std::uint32_t> ids) {
  std::vector<char> seen(1, 0);
  for (const Playing& one : playing) seen.resize(seen.size() + one.characterRenderer->actors(), 0);
  for (const std::uint32_t id : ids) {
    if (id < seen.size()) seen[id] = 1;
  }
  std::vector<std::uint32_t> actors;
  std::size_t id = 1;
  for (const Playing& one : playing) {
    for (std::uint32_t index = 0; index < one.characterRenderer->actors(); ++index, ++id) {
      if (seen[id] == 0) continue;
      actors.push_back(static_cast<std::uint32_t>(crowd.visibleOf({one.character, index})));
    }
  }
  std::sort(actors.begin(), actors.end());
  return actors;
}

void addCharacters(FrameStats& stats, std::span<const Playing> playing,
                   std::uint32_t selectedCharacter) {
  std::set<const Atlas*> atlases;
  for (const auto& [characterRenderer, character] : playing) {
    characterRenderer->addTo(stats);
    const std::size_t nearActors = stats.morphs.nearActors + characterRenderer->morphs().nearActors;
    if (characterRenderer->morphs().selectedActor && character == selectedCharacter)
      stats.morphs = characterRenderer->morphs();
    stats.morphs.nearActors = nearActors;
    if (characterRenderer->atlas()) atlases.insert(characterRenderer->atlas()->atlas.get());
  }
  for (const Atlas* atlas : atlases) stats.atlasBytes += atlas->texels.size();
  const std::size_t actors = stats.actors;
  if (actors > 0) {
    stats.verticesPerActor = (stats.vertices + actors / 2) / actors;
    stats.trianglesPerActor = (stats.triangles + actors / 2) / actors;
  } else if (!playing.empty()) {
    stats.verticesPerActor = playing.front().characterRenderer->character()->vertexCount();
    stats.trianglesPerActor = playing.front().characterRenderer->triangles();
  }
}

}  // namespace ck::render
