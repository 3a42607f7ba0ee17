#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/scene/clip.h"
#include "core/scene/mesh.h"
#include "core/scene/rig.h"

namespace ck {

// A decoded image: 8 bits per channel, RGBA, sRGB colours, straight alpha, top row first.
struct Image {
  std::string name;
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;  // width * height * 4
  bool operator==(const Image&) const = default;
};

struct Material {
  std::string name;
  glm::vec4 baseColor{1.0f, 1.0f, 1.0f, 1.0f};  // linear
  int baseImage = -1;                           // into Character::images, or -1
  // A normal map in tangent space (glTF), with linear values. Index into Character::images, or
  // -1. It is shown on meshes that have tangents and uvs.
  int normalImage = -1;
  float normalScale = 1.0f;  // scales the two components along the surface
  // If true, the image's alpha channel says where an actor's tint applies (our own samples).
  // Otherwise the tint applies everywhere.
  bool alphaIsTintMask = false;
  // Whether back faces are drawn; true where the file does not say.
  bool doubleSided = true;
  bool operator==(const Material&) const = default;
};

// Where a character came from, and how the file's space was converted to model space.
struct SourceInfo {
  std::string path;               // as given, UTF-8
  std::string format;             // "glTF", "GLB", "FBX", "Collada", "MD5", "BVH", "X"
  double unitScale = 1.0;         // metres per file unit
  std::string upAxis = "Y";       // of the file: "X", "Y" or "Z"
  glm::dmat4 sourceToModel{1.0};  // file space -> model space (metres, Y up)
  std::uint64_t hash = 0;         // XXH3 of the file's bytes
  bool operator==(const SourceInfo&) const = default;
};

// Everything that was read from a rig file. Immutable once made; shared by pointer.
struct Character {
  std::string name;  // the file's name without its ending
  Rig rig;
  std::vector<Mesh> meshes;
  std::vector<Clip> clips;
  std::vector<Material> materials;
  std::vector<Image> images;
  SourceInfo source;
  Notes notes;  // everything that the import changed or left out
  bool operator==(const Character&) const = default;
};
using CharacterPtr = std::shared_ptr<const Character>;

// Checks every index, size, order and number that these headers promise. Fails with InvalidInput
// and the first violation.
Result<void> validate(const Character& character);

struct Bounds {
  glm::dvec3 low{0.0};
  glm::dvec3 high{0.0};
};

// The same character, `factor` times as large, with sourceToModel scaled as well. factor > 0.
Character scaled(const Character& character, double factor);

}  // namespace ck
