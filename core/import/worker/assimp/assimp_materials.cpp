#include "core/import/worker/assimp/assimp_materials.h"

#include <assimp/material.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/import/worker/assembly/image_decode.h"
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

}  // namespace

void addAssimpMaterials(const aiScene& source, SourceFolder& folder, SourceScene& scene) {
  std::map<std::string, int> known;
  const auto imageOf = [&](const std::string& path) {
    const auto [place, isNew] = known.try_emplace(path, -1);
    if (!isNew) return place->second;
    const aiTexture* inside = source.GetEmbeddedTexture(path.c_str());
    const std::string paths[] = {percentDecoded(path)};
    place->second = addImage(
        inside != nullptr ? embedded(*inside, cleanText(path)) : imageInFolder(paths, folder),
        scene);
    return place->second;
  };
  for (unsigned m = 0; m < source.mNumMaterials; ++m) {
    const aiMaterial& from = *source.mMaterials[m];
    Material material;
    aiString name;
    if (from.Get(AI_MATKEY_NAME, name) == AI_SUCCESS) material.name = name.C_Str();
    aiColor4D color(1.0f, 1.0f, 1.0f, 1.0f);
    const bool found = from.Get(AI_MATKEY_COLOR_DIFFUSE, color) == AI_SUCCESS;
    const auto good = [](float part) { return part >= 0.0f && part < 1e6f; };
    if (found && good(color.r) && good(color.g) && good(color.b)) {
      material.baseColor = glm::vec4(color.r, color.g, color.b, 1.0f);
    }
    aiString path;
    if (from.GetTexture(aiTextureType_DIFFUSE, 0, &path) == AI_SUCCESS && path.length > 0) {
      material.base.image = imageOf(path.C_Str());
      // The image replaces the base colour, because exporters leave grey or black there.
      if (material.base.image >= 0) material.baseColor = glm::vec4(1.0f);
    }
    if (from.GetTexture(aiTextureType_NORMALS, 0, &path) == AI_SUCCESS && path.length > 0) {
      material.normal.image = imageOf(path.C_Str());
      if (material.normal.image >= 0 &&
          isGrey(scene.images[static_cast<std::size_t>(material.normal.image)])) {
        material.normal.image = -1;
        warn(scene.notes, "NormalMapUnused",
             fmt::format("material '{}': '{}' holds heights, not normals, and is not shown; bake "
                         "it to a normal map",
                         cleanText(material.name), cleanText(path.C_Str())));
      }
    }
    scene.materials.push_back(std::move(material));
  }
}

}  // namespace ck::worker
