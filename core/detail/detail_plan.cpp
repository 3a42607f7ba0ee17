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

constexpr std::uint8_t kUnseen = SeenActors::kUnseen;
constexpr std::size_t kGroup = SeenActors::kAtOnce;
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

// Spreads the lower 16 bits apart, for Morton's order.
std::uint32_t spread(std::uint32_t bits) {
  bits &= 0xffffu;
  bits = (bits | (bits << 8)) & 0x00ff00ffu;
  bits = (bits | (bits << 4)) & 0x0f0f0f0fu;
  bits = (bits | (bits << 2)) & 0x33333333u;
  return (bits | (bits << 1)) & 0x55555555u;
}

// Sorts `items` by `keyOf(item)` < 2^kBits; items of equal keys keep their order. `scratch` is
// storage for it.
template <int kBits, typename Item, typename KeyOf>
void sortByKey(std::vector<Item>& items, std::vector<Item>& scratch, const KeyOf& keyOf) {
  std::vector<std::uint32_t> starts((std::size_t{1} << kBits) + 1, 0);
  for (const Item& item : items) ++starts[keyOf(item) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  scratch.resize(items.size());
  for (const Item& item : items) scratch[starts[keyOf(item)]++] = item;
  items.swap(scratch);
}

// Sizes of actors, pixels of a metre: 32 equal steps an octave, which the first bits of a float's
// fraction count.
constexpr int kFractionBits = 5;
constexpr int kSizeShift = 23 - kFractionBits;
constexpr int kSmallestOctave = -16;
constexpr std::uint32_t kFirstSize = static_cast<std::uint32_t>(127 + kSmallestOctave)
                                     << kFractionBits;
constexpr std::uint32_t kSizes = 32u << kFractionBits;

std::size_t sizeOf(float pixelsAMeter) {
  const std::uint32_t step = std::bit_cast<std::uint32_t>(pixelsAMeter) >> kSizeShift;
  return std::clamp(step, kFirstSize, kFirstSize + kSizes - 1) - kFirstSize;
}
double largestOf(std::size_t size) {
  if (size + 1 == kSizes) return std::numeric_limits<double>::infinity();
  const std::uint32_t next = kFirstSize + static_cast<std::uint32_t>(size) + 1;
  return static_cast<double>(std::bit_cast<float>(next << kSizeShift));
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
  if (way >= ways()) return 0;
  const auto coming = std::ranges::count_if(passing_.kept[way].shares,
                                            [](ActorShare share) { return !isGoing(share); });
  return whole_.kept[way].actors.size() + static_cast<std::size_t>(coming);
}

std::size_t DetailPlan::inView() const {
  std::size_t all = dissolves_.size();
  for (const List& list : whole_.kept) all += list.actors.size();
  return all;
}

// By Morton's order of the places on the ground, in 65,536 steps of the crowd's width.
void DetailPlan::sortIntoGroups(const ActorRecords& records) {
  const auto places = records.places();
  glm::vec2 low(std::numeric_limits<float>::max());
  glm::vec2 high(std::numeric_limits<float>::lowest());
  for (const gpu::CkPlace& place : places) {
    const glm::vec2 at(place.position.x, place.position.z);
    low = glm::min(low, at);
    high = glm::max(high, at);
  }
  const float wide = std::max({high.x - low.x, high.y - low.y, 1e-9f});
  struct Keyed {
    std::uint32_t key = 0;
    std::uint32_t actor = 0;
  };
  std::vector<Keyed> keyed(places.size());
  for (std::uint32_t i = 0; i < keyed.size(); ++i) {
    const glm::vec2 at(places[i].position.x, places[i].position.z);
    const glm::vec2 step = (at - low) * (65535.0f / wide);
    keyed[i] = {spread(static_cast<std::uint32_t>(step.x)) |
                    (spread(static_cast<std::uint32_t>(step.y)) << 1),
                i};
  }
  std::vector<Keyed> scratch;
  sortByKey<16>(keyed, scratch, [](const Keyed& one) { return one.key & 0xffffu; });
  sortByKey<16>(keyed, scratch, [](const Keyed& one) { return one.key >> 16; });
  order_.resize(keyed.size());
  std::ranges::transform(keyed, order_.begin(), &Keyed::actor);
  groups_.clear();
  for (std::size_t first = 0; first < order_.size(); first += kGroup) {
    groups_.push_back({.first = first, .count = std::min(kGroup, order_.size() - first)});
  }
}

// Returns the sum of the groups' radii.
double DetailPlan::boundGroups(const DetailTask& task) {
  const BoundingSphere sphere = boundingSphereOf(task.reach);
  spheres_.set(task.records.places(), order_, sphere.middle, sphere.radius);
  double all = 0.0;
  for (Group& group : groups_) {
    const SeenActors::Reach reach = spheres_.reachOf(group.first, group.count);
    const glm::dvec3 low(reach.low);
    const glm::dvec3 high(reach.high);
    group.center = 0.5 * (low + high);
    group.radius = 0.5 * glm::distance(low, high) + static_cast<double>(reach.radius);
    all += group.radius;
  }
  return all;
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

// Moves the actors that dissolve from the lists into those of both their ways.
void DetailPlan::passOn() {
  if (dissolves_.size() == 0) return;
  std::vector<char> passes(ways_.size(), 0);
  for (const Dissolves::One& one : dissolves_.all()) {
    passes[one.actor] = 1;
    passing_.fresh[one.from].add(one.actor, goingShare(one.step));
    passing_.fresh[one.to].add(one.actor, comingShare(one.step));
  }
  for (List& list : whole_.fresh) {
    std::erase_if(list.actors, [&passes](std::uint32_t actor) { return passes[actor] != 0; });
  }
}

void DetailPlan::Lists::begin(std::size_t ways) {
  kept.resize(ways);
  fresh.resize(ways);
  for (List& list : fresh) {
    list.actors.clear();
    list.shares.clear();
  }
}

// Keeps the new lists that differ; the storage of the old ones serves the next plan.
bool DetailPlan::Lists::keep() {
  bool changed = false;
  for (std::size_t way = 0; way < kept.size(); ++way) {
    List& before = kept[way];
    List& now = fresh[way];
    if (before.stamp != 0 && before.actors == now.actors && before.shares == now.shares) continue;
    std::swap(before, now);
    before.stamp = newStamp();
    changed = true;
  }
  return changed;
}

// Neighbours stay neighbours as long as the crowd stands, and mostly where it walks.
void DetailPlan::refreshGroups(const DetailTask& task) {
  const bool sorts = order_.size() != task.records.size();
  const std::uint64_t stamp = task.records.placesStamp();
  const bool isBounded = stamp != 0 && stamp == placesStamp_ && task.reach == boundedReach_;
  if (!sorts && isBounded) return;
  placesStamp_ = stamp;
  boundedReach_ = task.reach;
  if (!sorts && boundGroups(task) <= kGrown * sortedRadius_) return;
  sortIntoGroups(task.records);
  sortedRadius_ = boundGroups(task);
}

// Notes the ways of neighbours that may be in view.
void DetailPlan::findGroup(const Group& group, bool isInside, const DetailTask& task,
                           const SeenActors::Look& look, std::span<const char> whole,
                           std::vector<Dissolves::Change>& changes) {
  const std::span<const std::uint32_t> actors = std::span(order_).subspan(group.first, group.count);
  SeenActors::Ways before{};
  for (std::size_t i = 0; i < group.count; ++i) before[i] = ways_[actors[i]];
  SeenActors::Ways nothing{};
  if (!task.remembers) nothing.fill(kUnseen);
  SeenActors::Found found;
  spheres_.find(group.first, group.count, isInside, look, task.remembers ? before : nothing, found);
  const std::size_t picturesAt = limits_.size() - far_.size();
  for (std::size_t i = 0; i < group.count; ++i) {
    const std::uint32_t actor = actors[i];
    const auto had = static_cast<std::uint8_t>(before[i]);
    auto way = static_cast<std::uint8_t>(found.ways[i]);
    if (way != kUnseen) {
      const bool isChosen = !whole.empty() && whole[actor] != 0;
      if (isChosen) way = 0;
      ++(isChosen || found.near[i] != 0 ? wholes_ : sizes_[sizeOf(found.pixels[i])]);
      if (way < picturesAt) {
        whole_.fresh[way].actors.push_back(actor);
      } else {
        far_[way - picturesAt].push_back({actor, found.distances[i]});
      }
    }
    if (had == way) continue;
    ways_[actor] = way;
    if (had != kUnseen && way != kUnseen) changes.push_back({actor, had, way, found.distances[i]});
  }
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
  const std::vector<float> limits(limits_.begin(), limits_.end());
  std::vector<float> stricter;
  for (const double limit : limits_) stricter.push_back(static_cast<float>(limit * kReturn));
  SeenActors::Look look{.eye = glm::vec3(view.eye),
                        .pixelsAtMeter = static_cast<float>(view.pixelsAtMeter),
                        .isParallel = view.isParallel,
                        .marginMeters = static_cast<float>(view.marginMeters),
                        .wholeMeters = static_cast<float>(task.wholeMeters),
                        .limits = limits,
                        .stricterLimits = stricter};
  std::ranges::transform(planes, look.planes.begin(), [](const auto& p) { return glm::vec4(p); });
  std::vector<char> whole(task.whole.empty() ? 0 : count, 0);
  for (const std::uint32_t actor : task.whole) {
    if (actor < count) whole[actor] = 1;
  }
  whole_.begin(ways.size());
  passing_.begin(ways.size());
  for (auto& far : far_) far.clear();
  std::vector<Dissolves::Change> changes;
  for (const Group& group : groups_) {
    const double depth = depthWithin(planes, group.center) + view.marginMeters;
    if (depth >= -group.radius) {
      findGroup(group, depth > group.radius, task, look, whole, changes);
      continue;
    }
    for (std::size_t i = 0; i < group.count; ++i) ways_[order_[group.first + i]] = kUnseen;
  }
  for (std::size_t way = 0; way < ways.picturesAt(); ++way) {
    std::ranges::sort(whole_.fresh[way].actors);
  }
  // Pictures from near to far in steps of a fifth of the distance or less, so that what is near
  // hides pixels before they are shaded, and points the other way round, because they blend.
  constexpr std::size_t kPoints = 1;  // in far_
  constexpr int kShift = 21;          // leaves the exponent and two bits of the fraction
  for (std::size_t far = 0; far < far_.size(); ++far) {
    sortByKey<32 - kShift>(far_[far], scratch_, [](const Far& one) {
      return std::bit_cast<std::uint32_t>(one.distance) >> kShift;
    });
    std::vector<std::uint32_t>& actors = whole_.fresh[ways.picturesAt() + far].actors;
    actors.resize(far_[far].size());
    std::ranges::transform(far_[far], actors.begin(), &Far::actor);
    if (far == kPoints) std::ranges::reverse(actors);
  }
  dissolves_.update(task.seconds, ways_, std::move(changes), task.mostDissolving);
  passOn();
  const bool wholeChanged = whole_.keep();
  const bool passingChanged = passing_.keep();
  return wholeChanged || passingChanged;
}

}  // namespace ck
