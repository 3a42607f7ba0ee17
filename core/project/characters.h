#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/project/project.h"
#include "core/scene/character.h"

namespace ck {

// Characters are numbered by their index in Project::characters, which is the value of
// Actor::character.
inline int characterCount(const Project& project) {
  return static_cast<int>(project.characters.size());
}

// The character that provides sources, clips and bake settings: the character itself, or the one
// that it is a variant of.
int baseOf(const Project& project, int character);
const ProjectCharacter& baseCharacter(const Project& project, int character);
bool shareRig(const Project& project, int a, int b);

// The clips that Actor::clip indexes for actors of this character.
const std::vector<ProjectClip>& clipsOf(const Project& project, int character);

// The title, or the name of the first source without its ending.
std::string characterTitle(const Project& project, int character);

// Indices into Character::meshes of the hidden meshes. Names that the rig does not have are
// ignored.
std::vector<int> hiddenMeshesOf(const ProjectCharacter& asked, const Character& character);

// Whether a path ends in `.crowd`.
bool isProjectPath(std::string_view path);
// Whether the rig, the clips and the bake settings come from another project file.
bool isFromProject(const ProjectCharacter& character);

// A character with this file as source, named after it. If a character other than the first has
// this source, the result is a variant of that character.
ProjectCharacter characterFrom(const Project& project, const SourceFile& source);

// Appends a character with its title, or a similar one if that is in use. Returns its number.
int addCharacter(Project& project, ProjectCharacter character);

// Whether a character may have this title: not empty, one line, unique.
bool isFreeCharacterTitle(const Project& project, int character, std::string_view title);

// Removes a character other than the first, and its actors. Its first variant takes over its
// sources, clips and bake settings.
void removeCharacter(Project& project, int character);

// Replaces the clips of a character and its variants. Their actors keep the clip of the same name,
// or get the first clip if it was removed; a removed second clip becomes none.
void setClips(Project& project, int character, std::vector<ProjectClip> clips);

// The clip of `character` with the same title as `clip` of the character `of`, else with the same
// name; -1 if it has none.
int sameClip(const Project& project, int of, int clip, int character);

// The actor as another character, with the clip sameClip() or the first clip.
Actor recast(const Project& project, Actor actor, int character);

}  // namespace ck
