#include "core/detail/detail_plan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/assert.h"

namespace ck {
namespace {

constexpr std::uint8_t kUnseen = 255;
constexpr std::size_t kGroup = 64;
// Groups of walkers grow; they are sorted anew when they have grown by this factor.
constexpr double kGrown = 2.0;

// The planes of a view, pointing inwards; the distance of a point is dot(plane, (point, 1)).
using Planes = std::array<glm::dvec4, 6>;

Planes planesOf(const glm::dmat4& viewProjection) {
  const glm::dmat4 rows = glm::transpose(viewProjection);
  Planes planes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto row = static_cast<glm::length_t>(axis);
    planes[axis * 2] = rows[3] + rows[row];
    planes[axis * 2 + 1] = rows[3] - rows[row];
  }
  for (glm::dvec4& plane : planes) {
    const double length = glm::length(glm::dvec3(plane));
    plane = length > 0.0 ? plane / length : glm::dvec4(0.0, 0.0, 0.0, 1.0);
  }
  return planes;
}

// The smallest signed distance of the point to the planes: negative outside of the view.
double depthWithin(const Planes& planes, const glm::dvec3& point) {
  double depth = std::numeric_limits<double>::max();
  for (const glm::dvec4& plane : planes) {
    depth = std::min(depth, glm::dot(glm::dvec3(plane), point) + plane.w);
  }
  return depth;
}

// A sphere about an actor of scale 1 that stands at the origin, whatever way it is turned.
struct BoundingSphere {
  double middle = 0.0;  // height of its centre where the actor is upright
  double radius = 0.0;
};

BoundingSphere boundingSphereOf(const ActorReach& reach) {
  const double half = 0.5 * (reach.high - reach.low);
  return {0.5 * (reach.high + reach.low), std::hypot(half, reach.side)};
}

double scaleOf(const gpu::CkPlace& place) {
  return static_cast<double>(std::abs(place.scale.x));
}

// The middle of the bounding sphere in the world: its height along the actor's own vertical axis,
// which is the second column of the rotation.
glm::dvec3 middleOf(const gpu::CkPlace& place, double height) {
  const glm::dvec4 q(place.rotation);
  const glm::dvec3 up(2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z),
                      2.0 * (q.y * q.z + q.w * q.x));
  return glm::dvec3(place.position) + up * (height * static_cast<double>(place.scale.x));
}

// Spreads the lower 16 bits apart, for Morton's order.
std::uint32_t spread(std::uint32_t bits) {
  bits &= 0xffffu;
  bits = (bits | (bits << 8)) & 0x00ff00ffu;
  bits = (bits | (bits << 4)) & 0x0f0f0f0fu;
  bits = (bits | (bits << 2)) & 0x33333333u;
  return (bits | (bits << 1)) & 0x55555555u;
}

// Orders from near to far, in steps of a fifth of the distance or less, so that what is near hides
// pixels before they are shaded.
void sortByDistance(std::vector<std::uint32_t>& actors, std::span<const float> distances) {
  constexpr int kShift = 21;  // leaves the exponent and two bits of the fraction
  std::array<std::uint32_t, (1u << (32 - kShift)) + 1> starts = {};
  const auto bucket = [distances](std::size_t i) {
    return std::bit_cast<std::uint32_t>(distances[i]) >> kShift;
  };
  for (std::size_t i = 0; i < actors.size(); ++i) ++starts[bucket(i) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> sorted(actors.size());
  for (std::size_t i = 0; i < actors.size(); ++i) sorted[starts[bucket(i)]++] = actors[i];
  actors = std::move(sorted);
}

// Sizes of actors, pixels of a metre, in steps of a 16th of an octave.
constexpr int kStepsAnOctave = 16;
constexpr int kSmallestOctave = -16;
constexpr std::size_t kSizes = 32 * kStepsAnOctave;

std::size_t sizeOf(double pixelsAMeter) {
  const double step = (std::log2(pixelsAMeter) - kSmallestOctave) * kStepsAnOctave;
  return static_cast<std::size_t>(std::clamp(step, 0.0, static_cast<double>(kSizes - 1)));
}
double largestOf(std::size_t size) {
  return size + 1 == kSizes
             ? std::numeric_limits<double>::infinity()
             : std::exp2(static_cast<double>(size + 1) / kStepsAnOctave + kSmallestOctave);
}

// Per way: the most pixels that a metre of an actor may take.
std::vector<double> limitsOf(const DetailWays& ways, double allowedPixels, double height) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  const auto limitOf = [&](double error) { return error > 0.0 ? allowedPixels / error : kAny; };
  std::vector<double> limits;
  for (const double error : ways.meshErrors) limits.push_back(limitOf(error));
  limits.front() = kAny;
  limits.push_back(
      ways.picture ? std::min(limitOf(ways.picture->errorMeters), ways.picture->mostPixels / height)
                   : -1.0);
  limits.push_back(ways.pointPixels ? *ways.pointPixels / height : -1.0);
  return limits;
}

}  // namespace

std::size_t DetailPlan::count(std::size_t way) const {
  if (way >= lists_.size()) return 0;
  const auto coming =
      std::ranges::count_if(passing_[way].shares, [](ActorShare share) { return !isGoing(share); });
  return lists_[way].actors.size() + static_cast<std::size_t>(coming);
}

std::size_t DetailPlan::inView() const {
  std::size_t all = dissolves_.size();
  for (const List& list : lists_) all += list.actors.size();
  return all;
}

// By Morton's order of the places on the ground, in 65,536 steps of the crowd's width.
void DetailPlan::sortIntoGroups(const ActorRecords& records) {
  const auto places = records.places();
  glm::dvec2 low(std::numeric_limits<double>::max());
  glm::dvec2 high(std::numeric_limits<double>::lowest());
  for (const gpu::CkPlace& place : places) {
    const glm::dvec2 at(place.position.x, place.position.z);
    low = glm::min(low, at);
    high = glm::max(high, at);
  }
  const double wide = std::max({high.x - low.x, high.y - low.y, 1e-9});
  std::vector<std::pair<std::uint32_t, std::uint32_t>> keyed(places.size());
  for (std::uint32_t i = 0; i < keyed.size(); ++i) {
    const glm::dvec2 at(places[i].position.x, places[i].position.z);
    const glm::dvec2 step = (at - low) * (65535.0 / wide);
    keyed[i] = {spread(static_cast<std::uint32_t>(step.x)) |
                    (spread(static_cast<std::uint32_t>(step.y)) << 1),
                i};
  }
  std::sort(keyed.begin(), keyed.end());
  order_.resize(keyed.size());
  std::transform(keyed.begin(), keyed.end(), order_.begin(),
                 [](const auto& k) { return k.second; });
  groups_.clear();
  for (std::size_t first = 0; first < order_.size(); first += kGroup) {
    groups_.push_back({.first = first, .count = std::min(kGroup, order_.size() - first)});
  }
}

void DetailPlan::boundGroups(const DetailTask& task) {
  const auto places = task.records.places();
  const BoundingSphere sphere = boundingSphereOf(task.reach);
  for (Group& group : groups_) {
    glm::dvec3 low(std::numeric_limits<double>::max());
    glm::dvec3 high(std::numeric_limits<double>::lowest());
    double largest = 0.0;
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
      const gpu::CkPlace& place = places[order_[i]];
      low = glm::min(low, glm::dvec3(place.position));
      high = glm::max(high, glm::dvec3(place.position));
      largest = std::max(largest, scaleOf(place));
    }
    group.center = 0.5 * (low + high);
    group.radius =
        0.5 * glm::distance(low, high) + largest * (std::abs(sphere.middle) + sphere.radius);
  }
}

std::vector<std::size_t> DetailPlan::countsAt(const DetailWays& ways, double allowedPixels) const {
  const std::vector<double> limits = limitsOf(ways, allowedPixels, height_);
  std::vector<std::size_t> counts(limits.size(), 0);
  counts.front() = wholes_;
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    if (sizes_[size] == 0) continue;
    std::size_t way = limits.size() - 1;
    while (way > 0 && largestOf(size) > limits[way] * kReturn) --way;
    counts[way] += sizes_[size];
  }
  return counts;
}

std::uint8_t DetailPlan::wayFor(double pixelsAMeter, std::uint8_t before) const {
  for (std::size_t way = limits_.size() - 1; way > 0; --way) {
    const bool isCoarser = before != kUnseen && way > before;
    if (pixelsAMeter <= limits_[way] * (isCoarser ? kReturn : 1.0)) {
      return static_cast<std::uint8_t>(way);
    }
  }
  return 0;
}

// Moves the actors that dissolve from the lists into those of both their ways.
void DetailPlan::passOn(std::vector<std::vector<std::uint32_t>>& lists,
                        std::vector<List>& passing) const {
  if (dissolves_.size() == 0) return;
  std::vector<char> passes(ways_.size(), 0);
  for (const Dissolves::One& one : dissolves_.all()) {
    passes[one.actor] = 1;
    passing[one.from].actors.push_back(one.actor);
    passing[one.from].shares.push_back(goingShare(one.step));
    passing[one.to].actors.push_back(one.actor);
    passing[one.to].shares.push_back(comingShare(one.step));
  }
  for (auto& list : lists) {
    std::erase_if(list, [&passes](std::uint32_t actor) { return passes[actor] != 0; });
  }
}

bool DetailPlan::keep(List& kept, List list) {
  if (kept.stamp != 0 && kept.actors == list.actors && kept.shares == list.shares) return false;
  kept = std::move(list);
  kept.stamp = newStamp();
  return true;
}

// Neighbours stay neighbours as long as the crowd stands, and mostly where it walks.
void DetailPlan::refreshGroups(const DetailTask& task) {
  const bool sorts = order_.size() != task.records.size();
  const std::uint64_t stamp = task.records.placesStamp();
  if (!sorts && stamp != 0 && stamp == placesStamp_) return;
  placesStamp_ = stamp;
  const auto bounded = [&] {
    boundGroups(task);
    return std::accumulate(groups_.begin(), groups_.end(), 0.0,
                           [](double all, const Group& group) { return all + group.radius; });
  };
  if (!sorts && bounded() <= kGrown * sortedRadius_) return;
  sortIntoGroups(task.records);
  sortedRadius_ = bounded();
}

bool DetailPlan::update(const DetailTask& task, const DetailWays& ways) {
  CK_ASSERT(task.allowedPixels > 0.0 && ways.size() < kUnseen);
  const std::size_t count = task.records.size();
  if (ways_.size() != count || limits_.size() != ways.size()) {
    ways_.assign(count, kUnseen);
    dissolves_.clear();
  }
  refreshGroups(task);
  height_ = std::max(task.reach.high - task.reach.low, 1e-9);
  limits_ = limitsOf(ways, task.allowedPixels, height_);
  sizes_.assign(kSizes, 0);
  wholes_ = 0;
  const DetailView& view = task.view;
  const Planes planes = planesOf(view.viewProjection);
  const BoundingSphere sphere = boundingSphereOf(task.reach);
  std::vector<char> whole(task.whole.empty() ? 0 : count, 0);
  for (const std::uint32_t actor : task.whole) {
    if (actor < count) whole[actor] = 1;
  }
  std::vector<std::vector<std::uint32_t>> lists(ways.size());
  std::array<std::vector<float>, 2> distances;  // of pictures and points
  std::vector<Dissolves::Change> changes;
  const auto add = [&](std::uint32_t actor, bool isInside) {
    const gpu::CkPlace& place = task.records.places()[actor];
    const glm::dvec3 middle = middleOf(place, sphere.middle);
    const double scale = scaleOf(place);
    const double radius = sphere.radius * scale;
    if (!isInside && depthWithin(planes, middle) + view.marginMeters < -radius) {
      ways_[actor] = kUnseen;
      return;
    }
    const double distance = glm::distance(middle, view.eye);
    const double nearest = view.isParallel ? 1.0 : std::max(distance - radius, 1e-6);
    const bool isWhole =
        distance - radius < task.wholeMeters || (!whole.empty() && whole[actor] != 0);
    const std::uint8_t before = ways_[actor];
    const double pixelsAMeter = scale * view.pixelsAtMeter / nearest;
    const std::uint8_t way =
        isWhole ? std::uint8_t{0} : wayFor(pixelsAMeter, task.remembers ? before : kUnseen);
    ++(isWhole ? wholes_ : sizes_[sizeOf(pixelsAMeter)]);
    if (before != way && before != kUnseen) {
      changes.push_back({actor, before, way, static_cast<float>(distance)});
    }
    ways_[actor] = way;
    lists[way].push_back(actor);
    if (way >= ways.picturesAt()) {
      distances[way - ways.picturesAt()].push_back(static_cast<float>(distance));
    }
  };
  for (const Group& group : groups_) {
    const double depth = depthWithin(planes, group.center) + view.marginMeters;
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
      if (depth < -group.radius) {
        ways_[order_[i]] = kUnseen;
      } else {
        add(order_[i], depth > group.radius);
      }
    }
  }
  for (std::size_t way = 0; way < ways.picturesAt(); ++way) {
    std::sort(lists[way].begin(), lists[way].end());
  }
  sortByDistance(lists[ways.picturesAt()], distances[0]);
  sortByDistance(lists[ways.pointsAt()], distances[1]);
  dissolves_.update(task.seconds, ways_, std::move(changes), task.mostDissolving);
  std::vector<List> passing(ways.size());
  passOn(lists, passing);
  lists_.resize(ways.size());
  passing_.resize(ways.size());
  bool changed = false;
  for (std::size_t way = 0; way < ways.size(); ++way) {
    if (keep(lists_[way], {std::move(lists[way]), {}, 0})) changed = true;
    if (keep(passing_[way], std::move(passing[way]))) changed = true;
  }
  return changed;
}

}  // namespace ck
