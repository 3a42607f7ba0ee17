#include "core/import/worker/assimp/assimp_materials.h"

#include <assimp/material.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "core/import/worker/assembly/image_decode.h"
#include "core/import/worker/assembly/surface_maps.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

// An embedded image: encoded bytes, or raw texels.
Result<Image> embedded(const aiTexture& texture, const std::string& name) {
  if (texture.mHeight == 0) {
    const auto* first = reinterpret_cast<const std::byte*>(texture.pcData);
    return decodeImage(std::span(first, texture.mWidth), name);
  }
  if (texture.mWidth == 0 || texture.mWidth > 8192 || texture.mHeight > 8192) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("picture '{}' is empty or larger than 8192 x 8192", name));
  }
  Image image;
  image.name = name;
  image.width = static_cast<int>(texture.mWidth);
  image.height = static_cast<int>(texture.mHeight);
  const std::size_t count = std::size_t{texture.mWidth} * texture.mHeight;
  image.rgba.reserve(count * 4);
  for (std::size_t i = 0; i < count; ++i) {
    const aiTexel& texel = texture.pcData[i];
    for (const unsigned char part : {texel.r, texel.g, texel.b, texel.a})
      image.rgba.push_back(part);
  }
  return image;
}

constexpr float kSeen = 0.01f;  // of full light or cover
constexpr float kLargest = 1e6f;

bool isGood(const aiColor4D& color) {
  const auto good = [](float part) { return part >= 0.0f && part < kLargest; };
  return good(color.r) && good(color.g) && good(color.b);
}

Wrap wrapOf(int mode) {
  if (mode == aiTextureMapMode_Clamp || mode == aiTextureMapMode_Decal) return Wrap::Clamp;
  return mode == aiTextureMapMode_Mirror ? Wrap::Mirror : Wrap::Repeat;
}

class Materials {
 public:
  Materials(const aiScene& source, SourceFolder& folder, SourceScene& scene)
      : source_(source), folder_(folder), scene_(scene) {}

  Material read(const aiMaterial& from) {
    from_ = &from;
    sets_ = {};
    Material material;
    aiString name;
    if (from.Get(AI_MATKEY_NAME, name) == AI_SUCCESS) material.name = name.C_Str();
    name_ = cleanText(material.name);
    material.base = mapOf(aiTextureType_DIFFUSE, "texture");
    aiColor4D color(1.0f, 1.0f, 1.0f, 1.0f);
    const bool found = from.Get(AI_MATKEY_COLOR_DIFFUSE, color) == AI_SUCCESS && isGood(color);
    // The image replaces the base colour, because exporters leave grey or black there.
    if (found && !material.base) material.baseColor = glm::vec4(color.r, color.g, color.b, 1.0f);
    readNormalMap(material);
    readEmission(material);
    readOpacity(material);
    return material;
  }

  const AssimpUvSets& uvSets() const { return sets_; }

 private:
  void leaveOut(std::string_view what) {
    warn(scene_.notes, "MaterialSimplified",
         fmt::format("material '{}': not shown: its {}", name_, what));
  }

  int imageOf(const std::string& path) {
    const auto [place, isNew] = known_.try_emplace(path, -1);
    if (!isNew) return place->second;
    const aiTexture* inside = source_.GetEmbeddedTexture(path.c_str());
    const std::string paths[] = {percentDecoded(path)};
    place->second = addImage(
        inside != nullptr ? embedded(*inside, cleanText(path)) : imageInFolder(paths, folder_),
        scene_);
    return place->second;
  }

  // The first texture of that kind with its set of texture coordinates.
  SurfaceMap mapOf(aiTextureType type, std::string_view what) {
    aiString path;
    if (from_->GetTexture(type, 0, &path) != AI_SUCCESS || path.length == 0) return {};
    int set = 0;
    from_->Get(AI_MATKEY_UVWSRC(type, 0), set);
    const bool isFirst = sets_.first < 0 || sets_.first == set;
    if (!isFirst && sets_.second >= 0 && sets_.second != set) {
      leaveOut(fmt::format("{}, which lies on a third set of texture coordinates", what));
      return {};
    }
    SurfaceMap map;
    map.image = imageOf(path.C_Str());
    if (!map) return {};
    (isFirst ? sets_.first : sets_.second) = set;
    map.uvSet = isFirst ? 0 : 1;
    int mode = aiTextureMapMode_Wrap;
    if (from_->Get(AI_MATKEY_MAPPINGMODE_U(type, 0), mode) == AI_SUCCESS) map.wrapU = wrapOf(mode);
    mode = aiTextureMapMode_Wrap;
    if (from_->Get(AI_MATKEY_MAPPINGMODE_V(type, 0), mode) == AI_SUCCESS) map.wrapV = wrapOf(mode);
    aiUVTransform placed;
    if (from_->Get(AI_MATKEY_UVTRANSFORM(type, 0), placed) == AI_SUCCESS) place(placed, map);
    return map;
  }

  // Maya's place2dTexture, which Collada files carry: offset + repeat * uv, turned about the
  // middle. v runs up there and down here.
  static void place(const aiUVTransform& placed, SurfaceMap& map) {
    const auto sane = [](float value) { return std::abs(value) < kLargest; };
    if (!sane(placed.mTranslation.x) || !sane(placed.mTranslation.y) || !sane(placed.mScaling.x) ||
        !sane(placed.mScaling.y) || !sane(placed.mRotation)) {
      return;
    }
    const glm::dvec2 scale(placed.mScaling.x, placed.mScaling.y);
    const double c = std::cos(placed.mRotation);
    const double s = std::sin(placed.mRotation);
    // In their direction of v: shift + R (scale * uv), R turning about (0.5, 0.5).
    const glm::dvec2 shift(placed.mTranslation.x + 0.5 - 0.5 * (c - s),
                           placed.mTranslation.y + 0.5 - 0.5 * (s + c));
    map.scale = glm::vec2(scale);
    map.rotation = placed.mRotation;
    map.offset = glm::vec2(shift.x - s * scale.y, 1.0 - shift.y - c * scale.y);
  }

  void readNormalMap(Material& material) {
    material.normal = mapOf(aiTextureType_NORMALS, "normal map");
    if (!material.normal) return;
    const Image& image = scene_.images[static_cast<std::size_t>(material.normal.image)];
    if (!isGrey(image)) return;
    warn(scene_.notes, "NormalMapUnused",
         fmt::format("material '{}': '{}' holds heights, not normals, and is not shown; bake "
                     "it to a normal map",
                     name_, cleanText(image.name)));
    material.normal = {};
  }

  void readEmission(Material& material) {
    material.emissive = mapOf(aiTextureType_EMISSIVE, "map of emission");
    aiColor4D color(0.0f, 0.0f, 0.0f, 1.0f);
    const bool found = from_->Get(AI_MATKEY_COLOR_EMISSIVE, color) == AI_SUCCESS && isGood(color);
    if (material.emissive) {
      material.emission = glm::vec3(1.0f);
    } else if (found && std::max({color.r, color.g, color.b}) > kSeen) {
      material.emission = glm::vec3(color.r, color.g, color.b);
    }
  }

  void readOpacity(Material& material) {
    if (const SurfaceMap map = mapOf(aiTextureType_OPACITY, "map of opacity")) {
      if (!setOpacity(map, false, material, scene_)) {
        leaveOut("map of opacity, which lies otherwise than its texture");
      }
      return;
    }
    float solid = 1.0f;
    from_->Get(AI_MATKEY_OPACITY, solid);
    if (!(solid < 1.0f - kSeen)) return;
    // Some exporters write 0 for opaque and others for clear. A material that would be invisible is
    // therefore shown as opaque.
    if (solid < kSeen) {
      leaveOut("transparency, which would leave nothing of it to see");
      return;
    }
    material.alpha = AlphaMode::Blend;
    material.baseColor.w = solid;
  }

  const aiScene& source_;
  SourceFolder& folder_;
  SourceScene& scene_;
  const aiMaterial* from_ = nullptr;
  std::string name_;
  AssimpUvSets sets_;
  std::map<std::string, int> known_;
};

}  // namespace

std::vector<AssimpUvSets> addAssimpMaterials(const aiScene& source, SourceFolder& folder,
                                             SourceScene& scene) {
  std::vector<AssimpUvSets> sets;
  Materials materials(source, folder, scene);
  for (unsigned m = 0; m < source.mNumMaterials; ++m) {
    scene.materials.push_back(materials.read(*source.mMaterials[m]));
    sets.push_back(materials.uvSets());
  }
  dropUnusedImages(scene);
  return sets;
}

}  // namespace ck::worker
