#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/crowd/crowd.h"

namespace ck {

enum class Formation {
  Grid,     // rows and columns
  Disc,     // a sunflower pattern
  Scatter,  // a triangular grid with gaps, shaken
  Circle,   // on circles around the centre
  Path,     // along SpawnSettings::path
  Poisson,  // random, no two nearer than the spacing
  Arcs,     // rows of seats on arcs around the centre, as in a stadium
};
inline constexpr std::string_view kFormationNames[] = {"grid", "disc",    "scatter", "circle",
                                                       "path", "poisson", "arc-rows"};
// In the order in which they are offered.
inline constexpr Formation kFormations[] = {
    Formation::Grid,    Formation::Disc, Formation::Circle, Formation::Scatter,
    Formation::Poisson, Formation::Path, Formation::Arcs};
inline std::string_view formationName(Formation formation) {
  return nameOf(kFormationNames, formation);
}

// Seats in rows on arcs around a centre. Rows are as many as the actors need; the first one is
// filled first.
struct ArcRows {
  double innerMeters = 12.0;  // radius of the first row
  // Where rows begin and end, from +Z to +X as seen from above; the end is behind the beginning.
  double fromDegrees = 120.0;
  double toDegrees = 240.0;
  double stepMeters = 0.9;   // from a row to the next one
  double riseMeters = 0.45;  // of each row over the one before
  int aisles = 2;            // radial ways without seats, which part all rows alike
  double aisleMeters = 1.2;
  bool operator==(const ArcRows&) const = default;
};

struct SpawnSettings {
  int count = 100;
  Formation formation = Formation::Grid;
  std::uint64_t seed = 1;
  // Distance of neighbours; Scatter keeps at least 0.6 of it, Poisson all of it. Circle and Arcs
  // measure it along the circles. Path shortens it where the actors would not find room on the
  // path.
  double spacingMeters = 1.6;
  int clipCount = 1;             // actors get clips 0 .. clipCount - 1
  bool varied = true;            // vary offset, rate (0.9 .. 1.1), heading and tint per actor
  glm::dvec2 centerMeters{0.0};  // x and z of the formation's centre; a path has its own place
  int columns = 0;               // Grid: actors side by side; 0: as many as rows
  int rings = 1;                 // Circle: concentric circles, one spacing apart
  // Counter-clockwise as seen from above. Grid: the whole formation is turned. Circle: away from
  // the look at the centre, as for Arcs. Path: away from the way ahead. The others look anywhere.
  double headingDegrees = 0.0;
  // Path: points on the ground (x, z), in metres, joined by straight lines; closed: the last one
  // leads to the first again. Several rows walk side by side, one spacing apart. Without two
  // different points the actors stand as a Disc.
  std::vector<glm::vec2> path = {};
  bool pathClosed = false;
  int pathRows = 1;
  ArcRows arcs = {};
  // Whether the crowd is dealt as a mirror about the middle of the world shows it, along x and
  // along z. The places of the settings (centre, path, where arcs begin and end) are those of the
  // mirrored one; a heading is that of the original.
  bool mirrorX = false;
  bool mirrorZ = false;
  // The prop on whose surface actors stand, an index into Project::props; -1: the plane y = 0.
  int groundProp = -1;
  // Relative number of actors per character, in any unit. Empty: all actors are of the first
  // character.
  std::vector<double> shares = {};
  // Morphs for which every actor gets a random weight in [0, 1], e.g. to give each actor another
  // smile.
  std::vector<std::string> variedMorphs = {};
  bool operator==(const SpawnSettings&) const = default;
};

// Creates actors on the ground around the origin. The same settings give the same actors on every
// machine, because random numbers are counter-based and no std:: distribution is used. `count` is
// limited to 1,000,000.
std::vector<Actor> spawnActors(const SpawnSettings& settings);

// The settings of the crowd that a mirror along x, along z or both shows.
SpawnSettings mirrored(SpawnSettings settings, bool alongX, bool alongZ);

// Mirrors the place and the rotation of an actor about the middle of the world: to the other side
// along x, along z or both.
void mirror(Actor& actor, bool alongX, bool alongZ);

// The clip of each actor of spawnActors().
std::vector<int> dealtClips(const SpawnSettings& settings);

// The character of each actor, out of `characterCount`. The numbers of actors follow the shares,
// rounded to the nearest integer; the order is random.
std::vector<int> dealtCharacters(const SpawnSettings& settings, int characterCount);

// A random number in [0, 1) for (seed, index, stream), the same on every machine.
double randomUnit(std::uint64_t seed, std::uint64_t index, std::uint64_t stream);

}  // namespace ck
