#include "ui/document/measured_errors.h"

#include <algorithm>

namespace ck::ui {
namespace {

// Equal for two settings that draw the atlas in the same way.
DrawnAs wayOf(DrawnAs drawn, const Atlas& atlas) {
  drawn.influences = drawn.influences.value_or(atlas.recipe.influences);
  drawn.interpolate = drawn.interpolate.value_or(atlas.recipe.interpolate);
  drawn.morphs = drawn.morphs || atlas.morphs.empty();
  drawn.screen = {};
  return drawn;
}

constexpr auto kWay = &std::pair<DrawnAs, BakeError>::first;

}  // namespace

void MeasuredErrors::add(const DrawnAs& drawn, const Atlas& atlas, BakeError error) {
  errors_.emplace_back(wayOf(drawn, atlas), std::move(error));
}

const BakeError* MeasuredErrors::find(const DrawnAs& drawn, const Atlas& atlas) const {
  const auto found = std::ranges::find(errors_, wayOf(drawn, atlas), kWay);
  return found == errors_.end() ? nullptr : &found->second;
}

std::vector<DrawnAs> MeasuredErrors::missing(const DrawnAs& drawn, const Atlas& atlas) const {
  std::vector<DrawnAs> ways;
  for (const DrawnAs& one : {DrawnAs{.screen = drawn.screen}, drawn}) {
    if (find(one, atlas)) continue;
    if (ways.empty() || wayOf(ways.front(), atlas) != wayOf(one, atlas)) ways.push_back(one);
  }
  return ways;
}

void MeasuredErrors::setScreen(const ScreenView& screen) {
  for (auto& [way, error] : errors_) {
    if (error.view != screen) error = seenFrom(std::move(error), screen);
  }
}

}  // namespace ck::ui
