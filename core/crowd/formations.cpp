#include "core/crowd/formations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace ck {
namespace {

using Places = std::vector<FormationPlace>;

// Random streams of formations; those of crowd_spawn.cpp are smaller. A stream belongs to one use.
enum Stream : std::uint64_t {
  kCellStream = 6,
  kJitterXStream = 7,
  kJitterZStream = 8,
  kTurnStream = 20,
  kDistanceStream = 21,
};

constexpr double kTwoPi = 6.283185307179586;

std::size_t sizeOf(int count) {
  return static_cast<std::size_t>(count);
}

// From -180 to 180, in hundredths, which hide what machines differ in.
double rounded(double degrees) {
  return std::remainder(std::round(degrees * 100.0) / 100.0, 360.0);
}

double headingOf(const glm::dvec2& ahead) {
  return std::atan2(ahead.x, ahead.y) * 360.0 / kTwoPi;
}

Places gridPlaces(const SpawnSettings& settings, int count) {
  const int asMany = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  const int columns = settings.columns > 0 ? std::min(settings.columns, count) : asMany;
  const int rows = (count + columns - 1) / columns;
  const double spacing = settings.spacingMeters;
  // Ahead and to the side of who looks ahead.
  const glm::dvec2 ahead = onCircle(settings.headingDegrees / 360.0);
  const glm::dvec2 side(ahead.y, -ahead.x);
  Places places;
  places.reserve(sizeOf(count));
  for (int i = 0; i < count; ++i) {
    const double x = (i % columns - (columns - 1) * 0.5) * spacing;
    const double z = (i / columns - (rows - 1) * 0.5) * spacing;
    places.push_back({side * x + ahead * z, settings.headingDegrees});
  }
  return places;
}

// A sunflower pattern (Vogel 1979): every actor has the same area around it. The golden angle is
// applied as a rotation with constant numbers, because sin and cos differ between C libraries.
Places discPlaces(const SpawnSettings& settings, int count) {
  constexpr double kCos = -0.7373688780783197;
  constexpr double kSin = 0.6754902942615238;
  const double growth = settings.spacingMeters * 0.62;
  Places places;
  double x = 1.0;
  double z = 0.0;
  for (int i = 0; i < count; ++i) {
    const double radius = growth * std::sqrt(i + 0.5);
    places.push_back({{x * radius, z * radius}});
    const double turned = x * kCos - z * kSin;
    z = x * kSin + z * kCos;
    x = turned;
  }
  return places;
}

// Cells of a triangular grid; a random third stays empty. Each actor is displaced by up to a fifth
// of the spacing from its cell's centre, so neighbours keep at least 0.6 of the spacing.
Places scatterPlaces(const SpawnSettings& settings, int count) {
  constexpr double kRowStep = 0.8660254037844386;
  constexpr double kMostShaken = 0.2;
  const int cells = count + count / 2 + 1;
  const int columns = std::max(1, static_cast<int>(std::sqrt(cells * kRowStep)));
  const int rows = (cells + columns - 1) / columns;
  std::vector<int> chosen(sizeOf(cells));
  std::iota(chosen.begin(), chosen.end(), 0);
  const auto rank = [&settings](int cell) {
    const auto index = static_cast<std::uint64_t>(cell);
    return std::pair(randomUnit(settings.seed, index, kCellStream), cell);
  };
  std::ranges::nth_element(chosen, chosen.begin() + count, {}, rank);
  chosen.resize(sizeOf(count));
  std::sort(chosen.begin(), chosen.end());

  Places places;
  for (const int cell : chosen) {
    const auto index = static_cast<std::uint64_t>(cell);
    double dx = randomUnit(settings.seed, index, kJitterXStream) * 2.0 - 1.0;
    double dz = randomUnit(settings.seed, index, kJitterZStream) * 2.0 - 1.0;
    const double length = std::sqrt(dx * dx + dz * dz);
    if (length > 1.0) {
      dx /= length;
      dz /= length;
    }
    const int row = cell / columns;
    const double shift = row % 2 == 0 ? -0.25 : 0.25;
    places.push_back(
        {{(cell % columns - (columns - 1) * 0.5 + shift + dx * kMostShaken) *
              settings.spacingMeters,
          ((row - (rows - 1) * 0.5) * kRowStep + dz * kMostShaken) * settings.spacingMeters}});
  }
  return places;
}

// Circles whose circumferences have room for all actors together. Every second circle is turned by
// half a step, so that no actor stands exactly behind another.
Places circlePlaces(const SpawnSettings& settings, int count) {
  const int rings = std::clamp(settings.rings, 1, std::max(1, count));
  const double perRing = static_cast<double>(count) / rings;
  const double innermost = std::max(0.5, perRing / kTwoPi - (rings - 1) * 0.5);  // in spacings
  const double all = rings * innermost + rings * (rings - 1) * 0.5;
  Places places;
  places.reserve(sizeOf(count));
  double upTo = 0.0;
  for (int ring = 0; ring < rings; ++ring) {
    const double radius = innermost + ring;
    upTo += radius;
    const int end = ring + 1 == rings ? count : static_cast<int>(std::lround(upTo / all * count));
    const int first = static_cast<int>(places.size());
    const int here = end - first;
    for (int i = 0; i < here; ++i) {
      const double turns = (i + (ring % 2) * 0.5) / here;
      places.push_back({onCircle(turns) * (radius * settings.spacingMeters),
                        rounded(turns * 360.0 + 180.0 + settings.headingDegrees)});
    }
  }
  return places;
}

// The blocks of seats between aisles are as long as each other and hold as many seats as have room,
// in their middle.
Places arcPlaces(const SpawnSettings& settings, int count) {
  const ArcRows& arcs = settings.arcs;
  // The end is behind the beginning; all around where they are the same.
  double turns = std::fmod((arcs.toDegrees - arcs.fromDegrees) / 360.0, 1.0);
  if (!(turns > 0.0)) turns += 1.0;
  const int blocks = std::clamp(arcs.aisles, 0, 1000) + 1;
  const double spacing = std::max(settings.spacingMeters, 1e-3);
  const double step = std::max(arcs.stepMeters, 1e-3);
  // Rows that are too short for a seat in every block stay empty.
  const double shortest = (blocks * spacing + (blocks - 1) * arcs.aisleMeters) / (kTwoPi * turns);
  const double inner = std::max(arcs.innerMeters, 0.0);
  double row = std::max(0.0, std::ceil((shortest - inner) / step));
  Places places;
  places.reserve(sizeOf(count));
  for (; static_cast<int>(places.size()) < count; ++row) {
    const double radius = inner + row * step;
    const double around = radius * kTwoPi;
    const double block = (around * turns - (blocks - 1) * arcs.aisleMeters) / blocks;
    const int seats = std::max(1, static_cast<int>(std::min(block / spacing + 1e-9, 1e7)));
    for (int b = 0; b < blocks; ++b) {
      const double middle = (b + 0.5) * block + b * arcs.aisleMeters;
      for (int seat = 0; seat < seats && static_cast<int>(places.size()) < count; ++seat) {
        const double along = middle + (seat - (seats - 1) * 0.5) * spacing;
        const double at = arcs.fromDegrees / 360.0 + along / around;
        places.push_back({onCircle(at) * radius,
                          rounded(at * 360.0 + 180.0 + settings.headingDegrees),
                          row * arcs.riseMeters});
      }
    }
  }
  return places;
}

// The actors of a Poisson disc in units of the smallest distance, found by the squares of a grid
// that hold one each at most.
class PoissonGrid {
 public:
  // Takes places up to `reach` from the centre.
  explicit PoissonGrid(double reach)
      : reach_(reach),
        width_(static_cast<int>(2.0 * reach / kSquare) + 5),
        squares_(sizeOf(width_) * sizeOf(width_), -1) {}

  bool hasRoom(const glm::dvec2& at) const {
    if (glm::dot(at, at) > reach_ * reach_) return false;
    const int column = squareOf(at.x);
    const int row = squareOf(at.y);
    for (int z = row - 2; z <= row + 2; ++z) {
      for (int x = column - 2; x <= column + 2; ++x) {
        const int other = squares_[sizeOf(z) * sizeOf(width_) + sizeOf(x)];
        if (other < 0) continue;
        const glm::dvec2 apart = places[sizeOf(other)] - at;
        if (glm::dot(apart, apart) < 1.0) return false;
      }
    }
    return true;
  }

  void add(const glm::dvec2& at) {
    squares_[sizeOf(squareOf(at.y)) * sizeOf(width_) + sizeOf(squareOf(at.x))] =
        static_cast<int>(places.size());
    places.push_back(at);
  }

  std::vector<glm::dvec2> places;

 private:
  static constexpr double kSquare = 0.7071067811865475;
  int squareOf(double meters) const { return static_cast<int>((meters + reach_) / kSquare) + 2; }

  double reach_;
  int width_;
  std::vector<int> squares_;
};

// Bridson 2007 ("Fast Poisson disk sampling in arbitrary dimensions"), but the samples are taken
// in the order in which they were found. The plane so fills from the centre outwards, and the first
// actors do not depend on how many there are.
Places poissonPlaces(const SpawnSettings& settings, int count) {
  constexpr std::uint64_t kTries = 30;
  constexpr double kActorsPerSquare = 0.55;  // fewer than the method reaches
  double reach = std::sqrt(count / (kActorsPerSquare * kTwoPi * 0.5)) * 1.3 + 8.0;
  for (;; reach *= 2.0) {
    PoissonGrid grid(reach);
    grid.add(glm::dvec2(0.0));
    for (std::size_t from = 0; from < grid.places.size(); ++from) {
      if (grid.places.size() >= sizeOf(count)) break;
      for (std::uint64_t i = 0; i < kTries; ++i) {
        const std::uint64_t draw = from * kTries + i;
        const double turns = randomUnit(settings.seed, draw, kTurnStream);
        // As many in every part of the ring from 1 to 2.
        const double away = std::sqrt(1.0 + 3.0 * randomUnit(settings.seed, draw, kDistanceStream));
        const glm::dvec2 at = grid.places[from] + onCircle(turns) * away;
        if (grid.hasRoom(at)) grid.add(at);
      }
    }
    if (grid.places.size() < sizeOf(count)) continue;
    Places places;
    places.reserve(sizeOf(count));
    for (std::size_t i = 0; i < sizeOf(count); ++i) {
      places.push_back({grid.places[i] * settings.spacingMeters});
    }
    return places;
  }
}

// The legs of a path, without those of no length.
struct Leg {
  glm::dvec2 from;
  glm::dvec2 ahead;  // length 1
  double begins = 0.0;
  double length = 0.0;
};

std::vector<Leg> legsOf(const SpawnSettings& settings) {
  std::vector<Leg> legs;
  const std::vector<glm::vec2>& path = settings.path;
  double begins = 0.0;
  const std::size_t count = path.size() + (settings.pathClosed ? 1 : 0);
  for (std::size_t i = 1; i < count; ++i) {
    const glm::dvec2 from(path[i - 1]);
    const glm::dvec2 way = glm::dvec2(path[i % path.size()]) - from;
    const double length = std::sqrt(glm::dot(way, way));
    if (!(length > 0.0)) continue;
    legs.push_back({from, way / length, begins, length});
    begins += length;
  }
  return legs;
}

Places pathPlaces(const SpawnSettings& settings, int count) {
  const std::vector<Leg> legs = legsOf(settings);
  const double whole = legs.back().begins + legs.back().length;
  const int rows = std::clamp(settings.pathRows, 1, std::max(1, count));
  const int inRow = (count + rows - 1) / rows;
  const int gaps = settings.pathClosed ? inRow : inRow - 1;
  const double step = gaps > 0 ? std::min(settings.spacingMeters, whole / gaps) : 0.0;
  Places places;
  places.reserve(sizeOf(count));
  std::size_t leg = 0;
  for (int i = 0; i < count; ++i) {
    const double along = i / rows * step;
    while (leg + 1 < legs.size() && along > legs[leg].begins + legs[leg].length) ++leg;
    const Leg& here = legs[leg];
    const glm::dvec2 side(here.ahead.y, -here.ahead.x);
    const double aside = (i % rows - (rows - 1) * 0.5) * settings.spacingMeters;
    const glm::dvec2 at =
        here.from + here.ahead * std::min(along - here.begins, here.length) + side * aside;
    places.push_back({at, rounded(headingOf(here.ahead) + settings.headingDegrees)});
  }
  return places;
}

Places placesAround(const SpawnSettings& settings, int count) {
  switch (settings.formation) {
    case Formation::Grid:
      return gridPlaces(settings, count);
    case Formation::Scatter:
      return scatterPlaces(settings, count);
    case Formation::Circle:
      return circlePlaces(settings, count);
    case Formation::Poisson:
      return poissonPlaces(settings, count);
    case Formation::Arcs:
      return arcPlaces(settings, count);
    case Formation::Disc:
    case Formation::Path:
      break;
  }
  return discPlaces(settings, count);
}

double distanceToLine(const glm::dvec2& point, const glm::dvec2& from, const glm::dvec2& to) {
  const glm::dvec2 way = to - from;
  const double square = glm::dot(way, way);
  const double along =
      square > 0.0 ? std::clamp(glm::dot(point - from, way) / square, 0.0, 1.0) : 0.0;
  return glm::length(point - from - way * along);
}

}  // namespace

std::vector<FormationPlace> formationPlaces(const SpawnSettings& settings, int count) {
  if (count <= 0) return {};
  if (settings.formation == Formation::Path && hasPath(settings)) {
    return pathPlaces(settings, count);
  }
  Places places = placesAround(settings, count);
  for (FormationPlace& place : places) place.meters += settings.centerMeters;
  return places;
}

double headingSpreadDegrees(Formation formation) {
  switch (formation) {
    case Formation::Grid:
      return 50.0;
    case Formation::Circle:
    case Formation::Path:
    case Formation::Arcs:
      return 30.0;
    default:
      return 360.0;
  }
}

double riseAt(const SpawnSettings& settings, const glm::dvec2& meters) {
  if (settings.formation != Formation::Arcs) return 0.0;
  const ArcRows& arcs = settings.arcs;
  const double radius = glm::length(meters - settings.centerMeters);
  const double row = (radius - std::max(arcs.innerMeters, 0.0)) / std::max(arcs.stepMeters, 1e-3);
  return std::max(std::round(row), 0.0) * arcs.riseMeters;
}

bool hasPath(const SpawnSettings& settings) {
  return !legsOf(settings).empty();
}

int roomOnPath(const SpawnSettings& settings) {
  const std::vector<Leg> legs = legsOf(settings);
  if (legs.empty() || !(settings.spacingMeters > 0.0)) return 0;
  // A path as long as a whole number of spacings has room for the last actor, too.
  constexpr double kSlack = 1e-9;
  const double spacings =
      (legs.back().begins + legs.back().length) / settings.spacingMeters + kSlack;
  return static_cast<int>(std::min(spacings, 1e8)) + (settings.pathClosed ? 0 : 1);
}

std::vector<glm::vec2> simplifiedPath(std::span<const glm::vec2> points, double toleranceMeters) {
  if (points.size() < 3) return {points.begin(), points.end()};
  std::vector<char> stays(points.size(), 0);
  stays.front() = stays.back() = 1;
  std::vector<std::pair<std::size_t, std::size_t>> parts{{0, points.size() - 1}};
  while (!parts.empty()) {
    const auto [first, last] = parts.back();
    parts.pop_back();
    double most = toleranceMeters;
    std::size_t farthest = first;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double distance = distanceToLine(glm::dvec2(points[i]), glm::dvec2(points[first]),
                                             glm::dvec2(points[last]));
      if (distance <= most) continue;
      most = distance;
      farthest = i;
    }
    if (farthest == first) continue;
    stays[farthest] = 1;
    parts.emplace_back(first, farthest);
    parts.emplace_back(farthest, last);
  }
  std::vector<glm::vec2> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (stays[i] != 0) kept.push_back(points[i]);
  }
  return kept;
}

glm::dvec2 onCircle(double turns) {
  // Eighths of a turn, in which the series of both are short.
  const double whole = std::floor(turns * 4.0 + 0.5);
  const double angle = (turns - whole * 0.25) * kTwoPi;
  const double square = angle * angle;
  double sine = 1.0;
  double cosine = 1.0;
  for (int n = 18; n >= 2; n -= 2) {
    sine = 1.0 - sine * square / (n * (n + 1));
    cosine = 1.0 - cosine * square / (n * (n - 1));
  }
  sine *= angle;
  switch ((static_cast<long long>(whole) % 4 + 4) % 4) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace ck
