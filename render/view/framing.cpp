#include "render/view/framing.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/anim/pose.h"
#include "render/view/playing.h"

namespace ck::render {
namespace {

// In model space. A body may rotate about its actor's place, so its horizontal extent counts in
// every direction.
Bounds bodyOf(const Character& character) {
  const Bounds body = bindBounds(character);
  const double side =
      std::hypot(std::max(-body.low.x, body.high.x), std::max(-body.low.z, body.high.z));
  return {glm::dvec3(-side, body.low.y, -side), glm::dvec3(side, body.high.y, side)};
}

// Extends a box by one crowd's actors.
void grow(std::optional<Bounds>& box, const Crowd& crowd, const Character& character) {
  const Bounds body = bodyOf(character);
  for (const gpu::CkPlace& actor : crowd.instances().places()) {
    const glm::dvec3 place(actor.position);
    const glm::dvec3 a = place + body.low * glm::dvec3(actor.scale);
    const glm::dvec3 b = place + body.high * glm::dvec3(actor.scale);
    if (!box) box = Bounds{glm::min(a, b), glm::max(a, b)};
    box->low = glm::min(box->low, glm::min(a, b));
    box->high = glm::max(box->high, glm::max(a, b));
  }
}

void addCorners(std::vector<glm::dvec3>& corners, const Bounds& box, const gpu::CkPlace& actor) {
  for (const glm::dvec3& own : cornersOf(box)) {
    const glm::vec3 turned = gpu::ck_rotate(actor.rotation, glm::vec3(own) * actor.scale.x);
    corners.emplace_back(actor.position + turned);
  }
}

}  // namespace

void frameActors(Camera& camera, const CrowdView& crowd, std::span<const CharacterEntry> characters,
                 double aspect, std::span<const std::uint32_t> only) {
  const auto chosen = selectedByCharacter(crowd, only);
  std::vector<glm::dvec3> corners;
  for (std::size_t c = 0; c < std::min(crowd.crowds().size(), characters.size()); ++c) {
    if (characters[c].character == nullptr) continue;
    const Crowd& own = crowd.crowds()[c];
    const Atlas* atlas = characters[c].atlas.get();
    const Bounds body = atlas != nullptr ? Bounds() : bodyOf(*characters[c].character);
    const ActorRecords records = own.instances();
    const auto add = [&](std::size_t actor) {
      const int clip = own.clips()[static_cast<std::size_t>(own.clipOf(actor))].atlasClip;
      addCorners(corners,
                 atlas != nullptr ? atlas->clips[static_cast<std::size_t>(std::max(clip, 0))].bounds
                                  : body,
                 records.places()[actor]);
    };
    for (const std::uint32_t actor : chosen[c]) add(actor);
    for (std::size_t actor = 0; only.empty() && actor < own.size(); ++actor) add(actor);
  }
  if (!corners.empty()) framePoints(camera, corners, aspect);
}

Bounds crowdBounds(const CrowdView& crowd, std::span<const CharacterPtr> characters) {
  std::optional<Bounds> box;
  const std::size_t count = std::min(crowd.crowds().size(), characters.size());
  for (std::size_t c = 0; c < count; ++c) {
    if (characters[c] != nullptr) grow(box, crowd.crowds()[c], *characters[c]);
  }
  const auto first = std::find_if(characters.begin(), characters.end(),
                                  [](const CharacterPtr& one) { return one != nullptr; });
  if (box || first == characters.end()) return box.value_or(Bounds());
  return bindBounds(**first);
}

Bounds crowdBounds(const Crowd& crowd, const Character& character) {
  std::optional<Bounds> box;
  grow(box, crowd, character);
  return box ? *box : bindBounds(character);
}

}  // namespace ck::render
