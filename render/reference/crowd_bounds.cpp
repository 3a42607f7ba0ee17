#include "render/reference/crowd_bounds.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ck::render {

Bounds crowdBounds(const CrowdView& crowd, std::span<const CharacterPtr> characters) {
  std::optional<Bounds> box;
  for (std::size_t c = 0; c < std::min(crowd.crowds().size(), characters.size()); ++c) {
    if (characters[c] == nullptr) continue;
    const Bounds body = bindBounds(*characters[c]);
    const double side =
        std::hypot(std::max(-body.low.x, body.high.x), std::max(-body.low.z, body.high.z));
    for (const gpu::CkPlace& actor : crowd.crowds()[c].instances().places()) {
      const glm::dvec3 place(actor.position);
      const glm::dvec3 scale(actor.scale);
      const glm::dvec3 a = place + glm::dvec3(-side, body.low.y, -side) * scale;
      const glm::dvec3 b = place + glm::dvec3(side, body.high.y, side) * scale;
      if (!box) box = Bounds{a, a};
      box->low = glm::min(box->low, glm::min(a, b));
      box->high = glm::max(box->high, glm::max(a, b));
    }
  }
  return box.value_or(bindBounds(*characters.front()));
}

Bounds crowdBounds(const Crowd& crowd, const CharacterPtr& character) {
  return crowdBounds(CrowdView(crowd), std::span(&character, 1));
}

}  // namespace ck::render
