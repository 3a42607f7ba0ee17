#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/job.h"
#include "core/project/project.h"
#include "core/scene/character.h"

namespace ck {

// Characters are numbered as Actor::character has it: 0 is the project's own rig, i + 1 is cast[i].
inline int characterCount(const Project& project) {
  return 1 + static_cast<int>(project.cast.size());
}
// The own rig and its variants: what the project's own sources are read for.
bool isOwnRig(const Project& project, int character);

// The clips that Actor::clip of such an actor indexes.
const std::vector<ProjectClip>& clipsOf(const Project& project, int character);

// What people call a character; the own rig is called like its file.
std::string characterTitle(const Project& project, int character);

// Indices into Character::meshes of the named ones; names that are not there are passed over.
std::vector<int> meshesNamed(const Character& character, std::span<const std::string> names);

// A character of a cast as its source has it: the rig with its clips, and the project that it is
// baked by. For a rig file that is a new one with all clips and the usual settings.
struct CastSource {
  CharacterPtr character;
  Project project;                    // without actors and cast
  std::filesystem::path projectFile;  // of the source, where it is one; else empty
};

// The usual settings for a rig file, or what a member of the cast says of it: its bake settings,
// and its clips as adoptClips() puts them to those of the file. A project stays as it is.
void bakeAs(CastSource& source, const CastMember& member);

// Whether a bake as the member says would be another one than that of the source as it stands.
bool bakesOtherwise(const CastSource& source, const CastMember& member);

// Gives all members of this rig file these settings and clips. Clips may be gone or in another
// order: actors keep playing what they play, or the first clip.
void setCastBake(Project& project, const SourceFile& source, const BakeSettings& bake,
                 const std::vector<ProjectClip>& clips);

// Whether a path is that of a `.crowd` project, by its ending.
bool isProjectPath(std::string_view path);

// Reads a rig file, or a project with its rig and clips. Blocks; fails as readProjectFile() and
// importWithClips() do. Rig files have all clips and the usual settings until bakeAs() is called.
Result<CastSource> readCastSource(const SourceFile& source, const JobContext& job);

// The atlas file that belongs to a project file: plaza.crowd -> plaza.ckatlas.
std::filesystem::path atlasBeside(const std::filesystem::path& projectFile);

// Whether `atlas` is what baking `character` with `settings` would give, as far as its record says:
// same source and scale, joints, clips and their shapes, frames and settings.
bool atlasFits(const Atlas& atlas, const Character& character, const BakeSettings& settings);

// The atlas beside the source's project file where it fits, else one that is baked here; notes of
// the bake go to `notes`. Fails as bake() does, and where no clip is ticked.
Result<AtlasPtr> atlasOfCastSource(const CastSource& source, Notes& notes, const JobContext& job);

// Puts a member at the end of the cast, under a title that is free. Returns its number.
int addCastMember(Project& project, CastMember member);

// Whether a character other than the own rig may be called so: not empty and no other's title.
bool isFreeCastTitle(const Project& project, int character, std::string_view title);

// Takes a character other than the own rig out of the project, with its actors.
void removeCastMember(Project& project, int character);

// All members with this source get these clips, those of a project by name and title alone: their
// actors keep playing what they play, or the first clip where that is gone.
void adoptCastClips(Project& project, const SourceFile& source,
                    const std::vector<ProjectClip>& clips);

// An actor as another character: it plays the clip with the same name or title, else the first.
Actor recast(const Project& project, Actor actor, int character);

// The clip of a character that is called like this one of the own rig; -1 where it has none.
int sameClip(const Project& project, int ownClip, int character);

// One character that actors are spawned of. `clips` are the numbers of those to deal out.
struct SpawnPart {
  const Character* character = nullptr;  // null where it is not read yet
  std::vector<int> clips;
  std::vector<std::string> clipNames;  // of these clips
};

// The parts of a project: of every character the ticked clips, or all where none is ticked.
// `characters` are by number; those behind the last are not read yet.
std::vector<SpawnPart> spawnParts(const Project& project, std::span<const CharacterPtr> characters);

// spawnActors() for a cast, in the shares of the settings. Where `varied`, actors whose clip has a
// ground speed walk in circles of a few spacings, so that their feet stand and the crowd stays
// together; tints are paler where no material says which part of it they paint.
std::vector<Actor> spawnCast(std::span<const SpawnPart> parts, const SpawnSettings& settings);

// Gives a new character its share of the actors that are there, as many as each of the others has
// on average. The rest stay as they are.
void mixIn(Project& project, int character, std::span<const SpawnPart> parts);

// Deals the actors that are there to the characters by the shares of the project. Those whose
// character stays the same stay as they are.
void dealCast(Project& project, std::span<const SpawnPart> parts);

}  // namespace ck
