#pragma once

#include <cstddef>
#include <functional>

namespace ck {

// Finds by how much more far actors may be off so that a crowd keeps to a number of triangles. The
// factor goes in steps of an eighth of an octave. It falls only where that leaves room, so that a
// crowd at the limit does not change back and forth.
class TriangleBudget {
 public:
  static constexpr double kMost = 64.0;  // the largest factor
  static constexpr double kRoom = 0.85;  // of the budget, below which the factor falls

  // `most` triangles; 0 is no limit, and any factor is 1 then. `trianglesAt` gives the triangles
  // for a factor, and must not increase with it. Unless it `remembers`, the factor follows from the
  // call alone. Returns whether the factor has changed.
  bool update(std::size_t most, const std::function<std::size_t(double)>& trianglesAt,
              bool remembers);

  double factor() const;
  // Whether the budget is kept with the factor; there may be too many actors that must be whole.
  bool isKept() const { return isKept_; }

 private:
  int step_ = 0;
  bool isKept_ = true;
};

}  // namespace ck
