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

}  // namespace ck::render
