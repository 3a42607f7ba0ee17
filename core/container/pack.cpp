#include "core/container/pack.h"

#include <cstddef>

#include "core/base/words.h"

namespace ck {
namespace {

constexpr std::string_view kNames[] = {"small", "fast", "none"};

}  // namespace

std::string_view packName(Pack pack) {
  return kNames[static_cast<std::size_t>(pack)];
}

std::optional<Pack> packFromName(std::string_view name) {
  return fromWord<Pack>(kNames, name);
}

Pack usualPack(const Atlas& atlas) {
  return atlas.compactMm > 0.0 ? Pack::Small : Pack::Fast;
}

}  // namespace ck
