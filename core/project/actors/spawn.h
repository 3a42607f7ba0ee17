#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/project/project.h"
#include "core/scene/character.h"

namespace ck {

// A character that actors are spawned of. `clips` are the indices of the clips to assign.
struct SpawnPart {
  const Character* character = nullptr;  // null if it is not loaded
  std::vector<int> clips;
  std::vector<std::string> clipNames;  // names of these clips
  // Whether each of them has its way extracted (RootMotion::Extract); empty: none has.
  std::vector<bool> hasWay = {};
};

// The parts for the characters of a project, with their ticked clips, or all clips if none is
// ticked. Clips that a loaded character lacks are left out. `characters` is indexed by number;
// characters beyond its end are not loaded.
std::vector<SpawnPart> spawnParts(const Project& project, std::span<const CharacterPtr> characters);

// The distance in metres between neighbours of a character of this size.
double spacingFor(const Character& character);

// spawnActors() for several characters, with the shares of the settings. If `varied`, actors whose
// clip has a ground speed walk in circles of a few spacings, so that feet do not slide and the
// crowd stays together; those whose clip has its way extracted walk by that. Tints are paler if no
// material has a tint mask.
std::vector<Actor> spawnCrowd(std::span<const SpawnPart> parts, const SpawnSettings& settings);

// spawnCrowd() for one character. Actor::clip indexes `clipNames`.
std::vector<Actor> spawnFor(const Character& character, const std::vector<std::string>& clipNames,
                            const SpawnSettings& settings);

// Gives a new character its share of the actors of a crowd: as many as the other characters have on
// average. The other actors are unchanged.
void mixIn(Project& project, int crowd, int character, std::span<const SpawnPart> parts);

// Assigns the actors of a crowd to the characters according to its shares. Actors that keep their
// character are unchanged.
void dealActors(Project& project, int crowd, std::span<const SpawnPart> parts);

}  // namespace ck
