#pragma once

#include <filesystem>
#include <optional>

#include "core/scene/character.h"

namespace ck::test {

// Two joints along +Y and a box-like bar of 2 m; clip "Bend" turns the upper joint by 90 degrees
// and back in 1 s at 30 Hz (inclusive loop), clip "Twist" turns it about Y and ends elsewhere.
Character barCharacter();

// A rig file of the shared folder, where that exists. Tests that get nothing call QSKIP and say so.
std::optional<std::filesystem::path> sharedModel(const char* relativePath);

// The bundled sample humanoid.
std::filesystem::path sampleHumanoid();

}  // namespace ck::test
