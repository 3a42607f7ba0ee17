#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/crowd/crowd.h"

namespace ck {

enum class Formation { Grid, Disc, Scatter };
inline constexpr std::string_view kFormationNames[] = {"grid", "disc", "scatter"};
inline std::string_view formationName(Formation formation) {
  return nameOf(kFormationNames, formation);
}

struct SpawnSettings {
  int count = 100;
  Formation formation = Formation::Grid;
  std::uint64_t seed = 1;
  double spacingMeters = 1.6;  // distance of neighbours; scatter keeps at least 0.6 of it
  int clipCount = 1;           // actors get clips 0 .. clipCount - 1
  bool varied = true;          // vary offset, rate (0.9 .. 1.1), heading and tint per actor
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

// The clip of each actor of spawnActors().
std::vector<int> dealtClips(const SpawnSettings& settings);

// The character of each actor, out of `characterCount`. The numbers of actors follow the shares,
// rounded to the nearest integer; the order is random.
std::vector<int> dealtCharacters(const SpawnSettings& settings, int characterCount);

// A random number in [0, 1) for (seed, index, stream), the same on every machine.
double randomUnit(std::uint64_t seed, std::uint64_t index, std::uint64_t stream);

}  // namespace ck
