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

// The middle of every crowd on the ground (x, z): that of its formation, or of its actors where
// they stand along a path.
std::vector<glm::dvec2> crowdCenters(const Project& project);

// Whether an actor is shown: it is on, and so is its crowd.
inline bool isShown(const Project& project, const Actor& actor) {
  return actor.on && project.crowds[static_cast<std::size_t>(actor.crowd)].on;
}

}  // namespace ck
