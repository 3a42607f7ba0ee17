#pragma once

#include <utility>
#include <vector>

#include "core/error/bake_error.h"

namespace ck::ui {

// The measured errors of one atlas, one for each way in which it was drawn. The view of the screen
// is not part of a way: its figures follow from those at vertices (seenFrom()).
class MeasuredErrors {
 public:
  void clear() { errors_.clear(); }
  void add(const DrawnAs& drawn, const Atlas& atlas, BakeError error);
  // Null if it is not measured.
  const BakeError* find(const DrawnAs& drawn, const Atlas& atlas) const;
  // The atlas as it was baked and `drawn`, as far as they are not measured. Equal ones are one.
  std::vector<DrawnAs> missing(const DrawnAs& drawn, const Atlas& atlas) const;
  // The view that the figures of the screen are for.
  void setScreen(const ScreenView& screen);

 private:
  std::vector<std::pair<DrawnAs, BakeError>> errors_;
};

}  // namespace ck::ui
