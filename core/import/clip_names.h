#pragma once

#include <string>
#include <string_view>

#include "core/scene/character.h"

namespace ck {

// Whether a clip's name says nothing about its motion, because programs write it by themselves:
// "Take 001", "mixamo.com", "Scene", "Animation 3", "ArmatureAction".
bool isGenericClipName(std::string_view name);

// The name without what exporters put around it: the object in front ("Armature|Walk") and the
// layer behind ("Armature|Walk|Layer0"). The whole name if nothing would remain.
std::string plainClipName(std::string_view name);

// Gives the clips of a file, of which the character has just been read, names that tell the artist
// more, and a note (ClipsRenamed): the only clip of a file is called like the file
// (Character::name) if its name is generic, and every clip has its plain name if no other clip has
// it. Clip::nameInFile has what the file calls a renamed clip.
void nameClips(Character& character);

}  // namespace ck
