#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ck {

// The two figures that a search weighs against each other.
struct FrontPoint {
  double bytes = 0.0;  // > 0
  double mm = 0.0;     // >= 0
};

// The points that no other is at least as small and as near as, by ascending bytes. Of equal ones
// the first.
std::vector<std::size_t> frontOf(std::span<const FrontPoint> points);

// At most `most` points of the front, its ends among them, spread over it by the logarithm of their
// bytes.
std::vector<std::size_t> thinnedFront(std::span<const FrontPoint> points, std::size_t most);

// The point of a front that lies farthest below the line between its ends, both as logarithms: from
// there on, bytes buy least. Nothing if there are fewer than three, or none is below.
std::optional<std::size_t> kneeOf(std::span<const FrontPoint> points,
                                  std::span<const std::size_t> front);

// "12.4 KB", "1.35 MB"; a limit is rounded up, so that it holds what it was made of.
std::string bytesText(std::size_t bytes, bool up);
// Rounded up to three digits; 0 for what is not positive.
double roundedUp(double value);
// The same as text: what fits into the number fits into the text.
std::string upText(double value);

}  // namespace ck
