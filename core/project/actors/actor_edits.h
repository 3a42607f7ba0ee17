#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/project/actor_columns.h"
#include "core/project/project.h"

namespace ck {

// Edits of a project's actors and groups. Actors are indices into Project::actors, ascending and
// unique; functions with a Result change nothing where they fail.

// Appends actors that the artist puts down: they are `byHand`. Where one of them would stand on an
// actor that is there, all are moved together to the right (+x) by their own width and a spacing,
// until each has a place of its own. Returns their indices. Fails with LimitExceeded beyond
// kMostActors.
Result<std::vector<int>> appendActors(Project& project, std::vector<Actor> actors);

// Copies of actors beside the originals, by appendActors().
Result<std::vector<int>> duplicateActors(Project& project, std::span<const int> actors);

// The later actors move up; Desk::selected names the same ones as before. Groups stay.
void removeActors(Project& project, std::span<const int> actors);

// Sets a property of an actor: a number is brought into the column's range, another character keeps
// the clip of the same name.
void setValue(const Project& project, Actor& actor, const ActorColumn& column, double value);

// Shows or hides actors in the crowd.
void showActors(Project& project, std::span<const int> actors, bool shown);

// All actors for which `fits` is true.
std::vector<int> actorsWhere(const Project& project, const std::function<bool(const Actor&)>& fits);

// The actors that have in this column what one of `actors` has. A clip is that of its character and
// those that share the rig.
std::vector<int> actorsLike(const Project& project, std::span<const int> actors,
                            const ActorColumn& column);

// Whether a group may be called that: not empty, one line, and no other group has the name.
// `group` is the group that gets it, -1 for a new one.
bool isFreeGroupName(const Project& project, int group, std::string_view name);

// A new group of these actors, called `name` or, where that is taken, "name 2" and so on. An actor
// is in one group: it leaves its old one. Returns the group's number. Fails with LimitExceeded
// beyond kMostGroups.
Result<int> addGroup(Project& project, std::string_view name, std::span<const int> actors);

// Puts actors into a group; -1: into none.
void setGroup(Project& project, std::span<const int> actors, int group);

// Removes the group; its actors stay, in no group.
void removeGroup(Project& project, int group);

// Removes all groups that have no actor.
void removeEmptyGroups(Project& project);

// Moves a group to another place of the list; actors stay in their groups.
void moveGroup(Project& project, int group, int place);

}  // namespace ck
