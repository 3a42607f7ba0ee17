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

// The boxes of a character's actors, each of the clip that it shows, in the actor's own space.
class ActorBoxes {
 public:
  ActorBoxes(const CharacterEntry& entry, const Crowd& crowd)
      : atlas_(entry.atlas.get()), crowd_(crowd) {
    if (atlas_ == nullptr) body_ = bodyOf(*entry.character);
  }
  const Bounds& of(std::size_t actor) const {
    if (atlas_ == nullptr) return body_;
    const int clip = crowd_.clips()[static_cast<std::size_t>(crowd_.clipOf(actor))].atlasClip;
    return atlas_->clips[static_cast<std::size_t>(std::max(clip, 0))].bounds;
  }

 private:
  const Atlas* atlas_;
  const Crowd& crowd_;
  Bounds body_;
};

bool crosses(const Bounds& box, const glm::dvec3& from, const glm::dvec3& to) {
  double first = 0.0;
  double last = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double way = to[axis] - from[axis];
    double enters = box.low[axis] - from[axis];
    double leaves = box.high[axis] - from[axis];
    if (way == 0.0) {
      if (enters > 0.0 || leaves < 0.0) return false;
      continue;
    }
    enters /= way;
    leaves /= way;
    first = std::max(first, std::min(enters, leaves));
    last = std::min(last, std::max(enters, leaves));
  }
  return first <= last;
}

glm::dvec3 inSpaceOf(const gpu::CkPlace& actor, const glm::dvec3& point) {
  const glm::vec4 back(-actor.rotation.x, -actor.rotation.y, -actor.rotation.z, actor.rotation.w);
  const glm::vec3 away(point - glm::dvec3(actor.position));
  return glm::dvec3(gpu::ck_rotate(back, away) / actor.scale.x);
}

}  // namespace

int actorsBetween(const glm::dvec3& from, const glm::dvec3& to, const CrowdView& crowd,
                  std::span<const CharacterEntry> characters, std::uint32_t except) {
  const ActorPlace spared = crowd.placeOf(except);
  int count = 0;
  for (std::size_t c = 0; c < std::min(crowd.crowds().size(), characters.size()); ++c) {
    if (characters[c].character == nullptr) continue;
    const Crowd& own = crowd.crowds()[c];
    const ActorBoxes boxes(characters[c], own);
    const ActorRecords records = own.instances();
    for (std::size_t actor = 0; actor < own.size(); ++actor) {
      if (c == spared.character && actor == spared.index) continue;
      const gpu::CkPlace& place = records.places()[actor];
      const bool between = crosses(boxes.of(actor), inSpaceOf(place, from), inSpaceOf(place, to));
      count += between ? 1 : 0;
    }
  }
  return count;
}

void frameActors(Camera& camera, const CrowdView& crowd, std::span<const CharacterEntry> characters,
                 double aspect, std::span<const std::uint32_t> only) {
  const auto chosen = selectedByCharacter(crowd, only);
  std::vector<glm::dvec3> corners;
  for (std::size_t c = 0; c < std::min(crowd.crowds().size(), characters.size()); ++c) {
    if (characters[c].character == nullptr) continue;
    const Crowd& own = crowd.crowds()[c];
    const ActorBoxes boxes(characters[c], own);
    const ActorRecords records = own.instances();
    const auto add = [&](std::size_t actor) {
      addCorners(corners, boxes.of(actor), records.places()[actor]);
    };
    for (const std::uint32_t actor : chosen[c]) add(actor);
    for (std::size_t actor = 0; only.empty() && actor < own.size(); ++actor) add(actor);
  }
  if (!corners.empty()) framePoints(camera, corners, aspect);
}

}  // namespace ck::render
