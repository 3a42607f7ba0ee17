#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/crowd/crowd.h"

namespace ck {

enum class Formation { Grid, Disc, Scatter };
std::string_view formationName(Formation formation);  // "grid", "disc", "scatter"

struct SpawnSettings {
  int count = 100;
  Formation formation = Formation::Grid;
  std::uint64_t seed = 1;
  double spacingMeters = 1.6;  // between neighbours; scatter keeps at least 0.6 of it
  int clipCount = 1;           // clips 0 .. clipCount - 1 are dealt out
  bool varied = true;          // own offset, rate 0.9..1.1, heading and tint; else all alike
  // How many of the actors are of each character, in any unit; none: all are of the first.
  std::vector<double> shares = {};
  // Morph targets of which every actor gets a weight of its own, from 0 to 1: a crowd in which
  // everybody smiles differently.
  std::vector<std::string> variedMorphs = {};
  bool operator==(const SpawnSettings&) const = default;
};

// Actors on the ground about the origin. The same settings give the same actors on every machine
// (own counter-based random, no std:: distributions). count is capped at 1,000,000.
std::vector<Actor> spawnActors(const SpawnSettings& settings);

// The clip that spawnActors() gives each actor.
std::vector<int> dealtClips(const SpawnSettings& settings);

// Which of `characterCount` characters each actor is: as many as the shares say, to the nearest
// whole number, in random order.
std::vector<int> dealtCharacters(const SpawnSettings& settings, int characterCount);

// A portable random number in [0, 1) for (seed, index, stream).
double randomUnit(std::uint64_t seed, std::uint64_t index, std::uint64_t stream);

}  // namespace ck
