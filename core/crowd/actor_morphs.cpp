#include "core/crowd/actor_morphs.h"

#include <algorithm>

namespace ck {
namespace {

template <class Morphs>
auto placeOf(Morphs& morphs, std::string_view name) {
  return std::lower_bound(
      morphs.begin(), morphs.end(), name,
      [](const MorphWeight& morph, std::string_view wanted) { return morph.name < wanted; });
}

}  // namespace

std::optional<float> morphOf(const Actor& actor, std::string_view name) {
  const auto at = placeOf(actor.morphs, name);
  if (at == actor.morphs.end() || at->name != name) return std::nullopt;
  return at->weight;
}

void setMorph(Actor& actor, std::string_view name, std::optional<float> weight) {
  const auto at = placeOf(actor.morphs, name);
  const bool known = at != actor.morphs.end() && at->name == name;
  if (!weight) {
    if (known) actor.morphs.erase(at);
  } else if (known) {
    at->weight = *weight;
  } else {
    actor.morphs.insert(at, {std::string(name), *weight});
  }
}

}  // namespace ck
