#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/project/project.h"
#include "core/scene/character.h"

namespace ck {

// Characters are numbered as in Project::characters, which is what Actor::character holds.
inline int characterCount(const Project& project) {
  return static_cast<int>(project.characters.size());
}

// The character whose sources, clips and bake settings a character has: itself, or the one that it
// is a variant of.
int baseOf(const Project& project, int character);
const ProjectCharacter& baseCharacter(const Project& project, int character);
bool shareRig(const Project& project, int a, int b);

// The clips that Actor::clip of such an actor indexes.
const std::vector<ProjectClip>& clipsOf(const Project& project, int character);

// The title, or the name of the first source without its ending.
std::string characterTitle(const Project& project, int character);

// Indices into Character::meshes of the meshes that a character is drawn without. Names that the
// rig does not have are skipped.
std::vector<int> hiddenMeshesOf(const ProjectCharacter& asked, const Character& character);

// Whether a path ends in `.crowd`.
bool isProjectPath(std::string_view path);
// Whether the rig, the clips and the bake settings come from another project file.
bool isFromProject(const ProjectCharacter& character);

// A character that is read from this file and called like it. Where a character besides the first
// has this source, it is a variant of that one.
ProjectCharacter characterFrom(const Project& project, const SourceFile& source);

// Appends a character under its title, or a similar one where that is taken. Returns its number.
int addCharacter(Project& project, ProjectCharacter character);

// Whether a character may have this title: not empty, one line, and no other character's.
bool isFreeCharacterTitle(const Project& project, int character, std::string_view title);

// Removes a character other than the first, with its actors. The first of its variants takes over
// its sources, clips and bake settings.
void removeCharacter(Project& project, int character);

// Replaces the clips of a character and its variants. Their actors keep playing the clip of the
// same name, or the first where that is gone; a second clip that is gone becomes none.
void setClips(Project& project, int character, std::vector<ProjectClip> clips);

// The clip of `character` that goes by the title of `clip` of the character `of`, else by its name;
// -1 where it has none.
int sameClip(const Project& project, int of, int clip, int character);

// An actor as another character: it plays sameClip(), or the first where there is none.
Actor recast(const Project& project, Actor actor, int character);

}  // namespace ck
