#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/crowd/crowd_spawn.h"

namespace ck {

// Where an actor of a formation stands, and where it looks.
struct FormationPlace {
  glm::dvec2 meters{0.0};       // x and z
  double headingDegrees = 0.0;  // about y: 0 looks along +Z, 90 along +X
  double riseMeters = 0.0;      // above the ground
};

// The places of `count` actors by the settings, in the order of the actors. The same on every
// machine. Actors of Poisson that are there stay where they are when `count` grows.
std::vector<FormationPlace> formationPlaces(const SpawnSettings& settings, int count);

// Within how many degrees actors look beside the heading of their place where they are varied: 360
// for formations in which they look anywhere.
double headingSpreadDegrees(Formation formation);

// How far above the ground an actor of the formation is that stands at a place (x, z).
double riseAt(const SpawnSettings& settings, const glm::dvec2& meters);

// Whether the artist has drawn a path: at least two different points.
bool hasPath(const SpawnSettings& settings);

// Room for so many actors in a row of a path at its full spacing.
int roomOnPath(const SpawnSettings& settings);

// The points of a line that is drawn by hand, without those that are nearer than `toleranceMeters`
// to the line through the others (Douglas and Peucker 1973). The first and the last point stay.
std::vector<glm::vec2> simplifiedPath(std::span<const glm::vec2> points, double toleranceMeters);

// The point of the unit circle after `turns` from +Z to +X, as (x, z). Computed without the C
// library, whose sines differ between machines.
glm::dvec2 onCircle(double turns);

}  // namespace ck
