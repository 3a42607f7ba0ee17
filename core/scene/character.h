#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
  // The PNG of at most 8 bits or JPEG that `rgba` was decoded from, without gamma, profile
  // and orientation; empty if there is none. Exports write it as it is. Changes of `rgba` clear it.
  std::vector<std::byte> file = {};

  // Whether they look the same, whatever they were read from.
  bool operator==(const Image& other) const {
    return name == other.name && width == other.width && height == other.height &&
           rgba == other.rgba;
  }
};

// "image/png" or "image/jpeg", by the first bytes; empty for others.
std::string_view mimeOfImage(std::span<const std::byte> file);

// How texture coordinates outside of [0, 1] are read (glTF 2.0, samplers).
enum class Wrap { Repeat, Mirror, Clamp };

// An image as it lies on a surface.
struct SurfaceMap {
  int image = -1;  // into Character::images, or -1
  int uvSet = 0;   // 0: Mesh::uvs, 1: Mesh::secondUvs
  Wrap wrapU = Wrap::Repeat;
  Wrap wrapV = Wrap::Repeat;
  // The place in the image is offset + R * (scale * uv), R the matrix (cos, sin; -sin, cos) of
  // `rotation` (glTF, KHR_texture_transform).
  glm::vec2 offset{0.0f};
  float rotation = 0.0f;  // radians
  glm::vec2 scale{1.0f};

  explicit operator bool() const { return image >= 0; }
  bool operator==(const SurfaceMap&) const = default;
};

// How alpha, that of the base colour times that of its image and of the vertex, is shown.
enum class AlphaMode {
  Opaque,  // not at all
  Mask,    // parts below Material::alphaCutoff are left out
  Blend,   // as the covered share of the surface
};

// The look of a surface, in the terms of glTF 2.0 (metallic-roughness).
struct Material {
  std::string name;
  glm::vec4 baseColor{1.0f, 1.0f, 1.0f, 1.0f};  // linear; multiplied with base and Mesh::colors
  SurfaceMap base = {};                         // sRGB
  // A normal map in tangent space (glTF), with linear values. It is shown on meshes that have
  // tangents and uvs.
  SurfaceMap normal = {};
  float normalScale = 1.0f;  // scales the two components along the surface
  AlphaMode alpha = AlphaMode::Opaque;
  float alphaCutoff = 0.5f;
  float metallic = 0.0f;           // 0 .. 1
  float roughness = 1.0f;          // 0 .. 1
  SurfaceMap metalRoughness = {};  // linear; green times roughness, blue times metallic
  glm::vec3 emission{0.0f};        // linear, its strength included; multiplied with emissive
  SurfaceMap emissive = {};        // sRGB
  bool unlit = false;              // shown as baseColor, without light
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
  // XXH3 over the further files and how their clips are fitted to the rig; 0 without such files.
  std::uint64_t clipsHash = 0;
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
  // Names of the nodes that move no vertex and may be named by ImportSettings::sockets, in file
  // order.
  std::vector<std::string> socketCandidates;
  SourceInfo source;
  Notes notes;  // everything that the import changed or left out
  bool operator==(const Character&) const = default;
};
using CharacterPtr = std::shared_ptr<const Character>;

// The index of the clip of that name, or else of the first one that its file calls so
// (Clip::nameInFile).
std::optional<std::size_t> clipNamed(const Character& character, std::string_view name);

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
