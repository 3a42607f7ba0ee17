#include <algorithm>
#include <cmath>

#include "core/anim/pose.h"
#include "render/view/crowd_renderer.h"

namespace ck::render {
namespace {

// Takes one crowd's actors into a box; `empty` says whether nothing is in it yet.
void grow(Bounds& bounds, bool& empty, const Crowd& crowd, const Character& character) {
  const Bounds body = bindBounds(character);
  // A body turns about its actor's place, so its reach to the side counts in every direction.
  const double side =
      std::hypot(std::max(-body.low.x, body.high.x), std::max(-body.low.z, body.high.z));
  for (const gpu::CkPlace& actor : crowd.instances().places()) {
    const glm::dvec3 place(actor.position);
    const glm::dvec3 scale(actor.scale);
    const glm::dvec3 a = place + glm::dvec3(-side, body.low.y, -side) * scale;
    const glm::dvec3 b = place + glm::dvec3(side, body.high.y, side) * scale;
    const glm::dvec3 low = glm::min(a, b);
    const glm::dvec3 high = glm::max(a, b);
    bounds.low = empty ? low : glm::min(bounds.low, low);
    bounds.high = empty ? high : glm::max(bounds.high, high);
    empty = false;
  }
}

}  // namespace

Bounds crowdBounds(const CrowdView& crowd, std::span<const CharacterPtr> characters) {
  Bounds bounds;
  bool empty = true;
  const std::size_t count = std::min(crowd.crowds().size(), characters.size());
  for (std::size_t c = 0; c < count; ++c) {
    if (characters[c] != nullptr) grow(bounds, empty, crowd.crowds()[c], *characters[c]);
  }
  const auto first = std::find_if(characters.begin(), characters.end(),
                                  [](const CharacterPtr& one) { return one != nullptr; });
  if (!empty || first == characters.end()) return bounds;
  return bindBounds(**first);
}

Bounds crowdBounds(const Crowd& crowd, const Character& character) {
  Bounds bounds;
  bool empty = true;
  grow(bounds, empty, crowd, character);
  return empty ? bindBounds(character) : bounds;
}

}  // namespace ck::render
