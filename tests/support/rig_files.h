#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/character.h"

namespace ck::test {

// A rig file that tests bake and draw.
struct RigFile {
  std::string name;  // as a test row is called
  std::filesystem::path path;
  std::string_view whyNotBaked;  // as whyNotBaked() must say of it
};

// The bundled samples, the rigs of tests/data and, where the shared models are there, all glTF
// files of these that are no invalid ones and small rigs of other formats. Files that cannot be
// baked are named in the source; a test fails where one of them can, or another cannot.
std::vector<RigFile> rigFiles();

// "no skin" or "no clips"; empty where the character can be baked.
std::string_view whyNotBaked(const Character& character);

}  // namespace ck::test
