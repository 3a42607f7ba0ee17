#include "core/fit/fit_front.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace ck {
namespace {

// Smaller errors count as this one, which cannot be seen: an error of 0 has no logarithm.
constexpr double kNothingMm = 1e-4;

double logMm(const FrontPoint& point) {
  return std::log(std::max(point.mm, kNothingMm));
}

double rounded(double value, double unit, bool up) {
  return (up ? std::ceil(value / unit - 1e-9) : std::round(value / unit)) * unit;
}

}  // namespace

std::vector<std::size_t> frontOf(std::span<const FrontPoint> points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, {}, [&](std::size_t i) { return std::tuple(points[i].bytes, points[i].mm); });
  std::vector<std::size_t> front;
  double nearest = std::numeric_limits<double>::infinity();
  for (const std::size_t i : order) {
    if (!(points[i].mm < nearest)) continue;
    nearest = points[i].mm;
    front.push_back(i);
  }
  return front;
}

std::vector<std::size_t> thinnedFront(std::span<const FrontPoint> points, std::size_t most) {
  const std::vector<std::size_t> front = frontOf(points);
  if (front.size() <= most || most < 2) return front;
  const double low = std::log(points[front.front()].bytes);
  const double high = std::log(points[front.back()].bytes);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < most; ++i) {
    const double wish = low + (high - low) * static_cast<double>(i) / static_cast<double>(most - 1);
    const auto at = std::ranges::min_element(
        front, {}, [&](std::size_t each) { return std::abs(std::log(points[each].bytes) - wish); });
    if (kept.empty() || kept.back() != *at) kept.push_back(*at);
  }
  return kept;
}

std::optional<std::size_t> kneeOf(std::span<const FrontPoint> points,
                                  std::span<const std::size_t> front) {
  constexpr double kBelow = 1e-6;
  if (front.size() < 3) return std::nullopt;
  const FrontPoint& first = points[front.front()];
  const FrontPoint& last = points[front.back()];
  const double width = std::log(last.bytes) - std::log(first.bytes);
  const double height = logMm(last) - logMm(first);
  if (!(width > 0.0) || !(height < 0.0)) return std::nullopt;
  std::optional<std::size_t> knee;
  double most = kBelow;
  for (const std::size_t i : front) {
    const double along = (std::log(points[i].bytes) - std::log(first.bytes)) / width;
    const double down = (logMm(points[i]) - logMm(first)) / height;
    if (!(down - along > most)) continue;
    most = down - along;
    knee = i;
  }
  return knee;
}

std::string bytesText(std::size_t bytes, bool up) {
  const double kilobytes = static_cast<double>(bytes) / 1024.0;
  if (kilobytes < 1000.0) return fmt::format("{:g} KB", rounded(kilobytes, 0.1, up));
  return fmt::format("{:g} MB", rounded(kilobytes / 1024.0, 0.01, up));
}

double roundedUp(double value) {
  if (!(value > 0.0)) return 0.0;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2.0);
  return rounded(value, unit, true);
}

std::string upText(double value) {
  return fmt::format("{:g}", roundedUp(value));
}

}  // namespace ck
