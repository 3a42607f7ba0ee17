#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/project/crowds.h"

namespace ck {

// Edits of a project's crowds with their actors. Crowds are indices into Project::crowds.

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

// The project without the actors of crowds that are off, as pictures and exports have it.
void leaveHiddenOut(Project& project);

}  // namespace ck
