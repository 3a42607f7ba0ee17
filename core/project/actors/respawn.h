#pragma once

#include <span>

#include "core/project/actors/spawn.h"
#include "core/project/ground_mesh.h"
#include "core/project/project.h"

namespace ck {

// The remainder of dealing the crowd anew.
struct Respawned {
  int byHand = 0;  // actors that the artist has placed, which stay as they are
  int beside = 0;  // dealt actors beside the ground mesh, at the height of its nearest edge
};

// Deals those actors of a crowd anew that no hand has placed, and keeps the settings as those of
// the crowd. `settings.count` counts all of its actors; it becomes at least the number of those by
// hand, and leaves the others room below kMostActors. Actors keep their order: more actors are
// added at the end, and of too many the last dealt ones go. Dealt actors keep everything but place
// and rotation, unless the seed is another than that of the crowd: then they are dealt from
// scratch. Project::desk follows. `ground` is the surface of SpawnSettings::groundProp, or null;
// while the prop's file is not read, actors keep their heights.
Respawned respawn(Project& project, int crowd, SpawnSettings settings,
                  std::span<const SpawnPart> parts, const GroundMesh* ground);

// How many actors of a crowd the artist has placed.
int countByHand(const Project& project, int crowd);

// Lets the formation of a crowd deal the actors again that the artist has placed. They stay where
// they are until then.
void releaseByHand(Project& project, int crowd);

// Puts the dealt actors of a crowd at their height on the ground; returns how many stand beside it.
// Without ground they stand at y = 0, or keep their heights while its file is not read.
int settleOnGround(Project& project, int crowd, const GroundMesh* ground);

// Marks an actor as placed by hand if an edit has moved or turned it.
void markMoved(const Actor& before, Actor& after);

}  // namespace ck
