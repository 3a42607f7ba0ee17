#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/scene/character.h"

namespace ck::test {

// How far a character is from samples of Blender's world, which is in metres with Z up: joints by
// their heads, and vertices by the nearest one of ours.
struct PosesByPlace {
  bool betweenFrames = false;  // whether samples between frames are compared, too
  double joints = 0.0;         // largest distances in metres
  double vertices = 0.0;
  double size = 1e-9;  // of the model
  int jointsCompared = 0;
  int verticesCompared = 0;
  std::string worst = {};  // joint

  // Compares one sample of a reference. Those of clips that the character does not have are left
  // out, and those between frames, where Blender bends curves. The only clip of a character is
  // compared whatever its name.
  void compare(const Character& character, const nlohmann::json& sample);
};

}  // namespace ck::test
