#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/project/project.h"
#include "core/scene/character.h"

namespace ck {

// One character that actors are spawned of. `clips` are the numbers of the clips to deal out.
struct SpawnPart {
  const Character* character = nullptr;  // null while it is not loaded
  std::vector<int> clips;
  std::vector<std::string> clipNames;  // of these clips
};

// The parts of a project: of every character the ticked clips, or all where none is ticked.
// `characters` are by number; those past its end are not loaded.
std::vector<SpawnPart> spawnParts(const Project& project, std::span<const CharacterPtr> characters);

// The distance in metres between neighbours of a character of this size.
double spacingFor(const Character& character);

// spawnActors() for several characters, in the shares of the settings. Where `varied`, actors whose
// clip has a ground speed walk in circles of a few spacings, so that their feet stand and the crowd
// stays together; tints are paler where no material says which part of it they paint.
std::vector<Actor> spawnCrowd(std::span<const SpawnPart> parts, const SpawnSettings& settings);

// spawnCrowd() for one character. Actor::clip indexes `clipNames`.
std::vector<Actor> spawnFor(const Character& character, const std::vector<std::string>& clipNames,
                            const SpawnSettings& settings);

// Gives a new character its share of the existing actors, as many as each of the others has on
// average. The other actors stay as they are.
void mixIn(Project& project, int character, std::span<const SpawnPart> parts);

// Deals the existing actors to the characters by the shares of the project. Actors whose character
// stays the same stay as they are.
void dealActors(Project& project, std::span<const SpawnPart> parts);

}  // namespace ck
