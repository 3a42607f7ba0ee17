#include "core/crowd/actor.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

namespace ck {

glm::dquat turnOf(const glm::vec3& degrees) {
  const glm::dvec3 half = glm::dvec3(degrees) * (glm::pi<double>() / 360.0);
  const auto about = [&half](int axis) {
    glm::dquat turn(std::cos(half[axis]), 0.0, 0.0, 0.0);
    turn[axis] = std::sin(half[axis]);  // glm indexes x, y, z, w
    return turn;
  };
  return about(1) * about(0) * about(2);
}

// With R = Ry Rx Rz, R maps z to (sin y cos x, -sin x, cos y cos x), and the second row of R is
// (cos x sin z, cos x cos z, -sin x).
glm::vec3 degreesOf(const glm::dquat& turn) {
  const glm::dmat3 r = glm::mat3_cast(turn);
  const double sine = glm::clamp(-r[2].y, -1.0, 1.0);
  const double cosine = std::hypot(r[2].x, r[2].z);
  constexpr double kUpright = 1e-7;
  const bool poles = cosine < kUpright;
  const double x = std::atan2(sine, cosine);
  const double y = poles ? std::atan2(-r[0].z, r[0].x) : std::atan2(r[2].x, r[2].z);
  const double z = poles ? 0.0 : std::atan2(r[0].y, r[1].y);
  return glm::vec3(glm::degrees(glm::dvec3(x, y, z)));
}

std::optional<float> morphOf(const Actor& actor, std::string_view name) {
  const auto at = std::ranges::lower_bound(actor.morphs, name, {}, &MorphWeight::name);
  if (at == actor.morphs.end() || at->name != name) return std::nullopt;
  return at->weight;
}

void setMorph(Actor& actor, std::string_view name, std::optional<float> weight) {
  if (morphOf(actor, name) == weight) return;
  actor.morphs.edit([&](std::vector<MorphWeight>& morphs) {
    const auto at = std::ranges::lower_bound(morphs, name, {}, &MorphWeight::name);
    const bool known = at != morphs.end() && at->name == name;
    if (!weight) {
      if (known) morphs.erase(at);
    } else if (known) {
      at->weight = *weight;
    } else {
      morphs.insert(at, {std::string(name), *weight});
    }
  });
}

}  // namespace ck
