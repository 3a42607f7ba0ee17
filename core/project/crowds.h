#pragma once

#include <glm/glm.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"

namespace ck {

// The crowds of a project. Crowds are indices into Project::crowds.

inline constexpr std::size_t kMostCrowds = 1'000;

int crowdCount(const Project& project);

// The crowd that the artist edits: Desk::crowd, or the last one if there are fewer.
int chosenCrowd(const Project& project);
const ProjectCrowd& chosen(const Project& project);

// How many actors every crowd has.
std::vector<int> crowdSizes(const Project& project);

// Writes the sizes into SpawnSettings::count.
void recount(Project& project);

// Whether a crowd may be called that: not empty, one line, and no other crowd has the name. `crowd`
// is the crowd that gets it, -1 for a new one.
bool isFreeCrowdName(const Project& project, int crowd, std::string_view name);

// The crowd of a name, or of "#INDEX", counted from 0. Fails with InvalidInput, and says which
// there are.
Result<int> crowdNamed(const Project& project, std::string_view name);

// Appends a crowd without actors that is edited from now on. It is called as given or, where that
// is taken, "name 2" and so on, and has the settings of the chosen one with another seed. Returns
// its number. Fails with LimitExceeded beyond kMostCrowds.
Result<int> addCrowd(Project& project, std::string_view name);

// Appends a copy of a crowd with copies of its actors, which stand where they stand, and returns
// its number. Fails with LimitExceeded beyond kMostCrowds and kMostActors.
Result<int> duplicateCrowd(Project& project, int crowd);

// Mirrors a crowd about the middle of the world: to the other side along x, or along z. It stays
// mirrored when it is dealt anew (SpawnSettings::mirrorX).
enum class MirrorAxis { X, Z };
void mirrorCrowd(Project& project, int crowd, MirrorAxis axis);

// Removes a crowd with its actors. The last crowd stays.
void removeCrowd(Project& project, int crowd);

// Moves a crowd to another place of the list; actors stay in their crowds.
void moveCrowd(Project& project, int crowd, int place);

// The middle of every crowd on the ground (x, z): that of its formation, or of its actors where
// they stand along a path.
std::vector<glm::dvec2> crowdCenters(const Project& project);

// Whether an actor is shown: it is on, and so is its crowd.
inline bool isShown(const Project& project, const Actor& actor) {
  return actor.on && project.crowds[static_cast<std::size_t>(actor.crowd)].on;
}

// The project without the actors of crowds that are off, as pictures and exports have it.
void leaveHiddenOut(Project& project);

}  // namespace ck
