#include "render/view/playing.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <set>

#include "render/gl/framebuffer.h"

namespace ck::render {
namespace {

// What a pass feeds back of all welded vertices of a character renderer, actor by actor.
template <class Value>
Result<std::vector<Value>> feedBack(const CharacterRenderer& characterRenderer, DrawPass pass) {
  std::vector<Value> values(characterRenderer.actors() *
                            characterRenderer.character()->vertexCount());
  Buffer buffer;
  auto room = buffer.allocate(std::max<std::size_t>(values.size() * sizeof(Value), 4),
                              "the vertices to read back");
  if (!room) return tl::unexpected(room.error());
  pass.feedbackBuffer = buffer.name();
  // Of two halves the right one: what is baked, or what the book times.
  if (auto drawn = characterRenderer.draw(1, pass); !drawn) return tl::unexpected(drawn.error());
  buffer.read(std::as_writable_bytes(std::span(values)));
  return values;
}

// The same of all character renderers, in the order of the crowd's actors and the characters' own
// vertices.
template <class Value>
Result<std::vector<Value>> feedBackEvery(const CrowdView& crowd, std::span<const Playing> playing,
                                         const DrawPass& pass) {
  // A context without a window has no framebuffer to draw nothing into.
  const KeptFramebuffer kept;
  auto target = Target::make(1, 1, TargetFormat::Rgba8);
  if (!target) return tl::unexpected(target.error());
  glBindFramebuffer(GL_FRAMEBUFFER, target->name());
  std::vector<std::vector<Value>> fedBack(crowd.crowds().size());
  std::vector<const CharacterGpu*> characters(crowd.crowds().size(), nullptr);
  for (const Playing& one : playing) {
    auto values = feedBack<Value>(*one.characterRenderer, pass);
    if (!values) return tl::unexpected(values.error());
    fedBack[one.character] = std::move(*values);
    characters[one.character] = one.characterRenderer->character().get();
  }
  std::vector<Value> all;
  for (std::size_t visible = 0; visible < crowd.size(); ++visible) {
    const ActorPlace place = crowd.placeOf(visible);
    if (characters[place.character] == nullptr) continue;
    const CharacterGpu& character = *characters[place.character];
    const std::size_t first = place.index * character.vertexCount();
    for (const std::uint32_t vertex : character.welded.weldedOf) {
      all.push_back(fedBack[place.character][first + vertex]);
    }
  }
  return all;
}

}  // namespace

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

Result<std::vector<glm::vec3>> feedBackAll(const CrowdView& crowd, std::span<const Playing> playing,
                                           const DrawPass& pass) {
  return feedBackEvery<glm::vec3>(crowd, playing, pass);
}

Result<std::vector<glm::vec4>> feedBackTangents(const CrowdView& crowd,
                                                std::span<const Playing> playing) {
  DrawPass pass;
  pass.kind = DrawPass::Kind::Tangents;
  return feedBackEvery<glm::vec4>(crowd, playing, pass);
}

void addCharacters(FrameStats& stats, std::span<const Playing> playing,
                   std::uint32_t selectedCharacter) {
  std::set<const Atlas*> atlases;
  for (const auto& [characterRenderer, character] : playing) {
    const std::size_t actors = characterRenderer->actors();
    stats.characters += actors > 0 ? 1 : 0;
    stats.actors += actors;
    const std::size_t nearActors = stats.morphs.nearActors + characterRenderer->morphs().nearActors;
    if (characterRenderer->morphs().selectedActor && character == selectedCharacter)
      stats.morphs = characterRenderer->morphs();
    stats.morphs.nearActors = nearActors;
    stats.vertices += actors * characterRenderer->character()->vertexCount();
    stats.triangles += actors * characterRenderer->triangles();
    stats.drawCalls += characterRenderer->drawCalls();
    stats.fetchesPerVertex =
        std::max(stats.fetchesPerVertex, characterRenderer->fetchesPerVertex());
    if (stats.ticked) stats.uploadedBytes += characterRenderer->uploadedBytes();
    stats.skinningBytes += characterRenderer->skinningBytes();
    stats.skinnedOnCpu = stats.skinnedOnCpu || characterRenderer->skinsOnCpu();
    if (!stats.paletteRead) stats.paletteRead = characterRenderer->paletteRead();
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
