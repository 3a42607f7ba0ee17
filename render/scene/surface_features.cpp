#include "render/scene/surface_features.h"

#include <algorithm>
#include <cmath>

#include "core/scene/gloss.h"

namespace ck::render {
namespace {

bool isPlaced(const SurfaceMap& map) {
  return map.wrapU != Wrap::Repeat || map.wrapV != Wrap::Repeat || map.offset != glm::vec2(0.0f) ||
         map.rotation != 0.0f || map.scale != glm::vec2(1.0f);
}

bool isGlowing(const Material& material) {
  return material.emission != glm::vec3(0.0f);
}

void addMap(SurfaceFeatures& features, const SurfaceMap& map) {
  if (!map) return;
  features.secondUvs = features.secondUvs || map.uvSet == 1;
  features.placedMaps = features.placedMaps || isPlaced(map);
}

void addMaterial(SurfaceFeatures& features, const Material& material) {
  features.unlit = features.unlit || material.unlit;
  features.cut = features.cut || material.alpha != AlphaMode::Opaque;
  features.blended = features.blended || material.alpha == AlphaMode::Blend;
  addMap(features, material.base);
  if (material.unlit) return;
  addMap(features, material.normal);
  if (isGlossy(material)) {
    features.gloss = true;
    features.glossMaps = features.glossMaps || bool(material.metalRoughness);
    addMap(features, material.metalRoughness);
  }
  if (isGlowing(material)) {
    features.glow = true;
    features.glowMaps = features.glowMaps || bool(material.emissive);
    addMap(features, material.emissive);
  }
}

int layerOf(const SurfaceMap& map, const ImageStack& images) {
  return map ? images.layerOf[static_cast<std::size_t>(map.image)] : -1;
}

// Where a map lies: offset, wraps and set, layer; then the two columns of its matrix.
void addPlace(std::vector<glm::vec4>& texels, const SurfaceMap& map, int layer) {
  const int code = static_cast<int>(map.wrapU) + 3 * static_cast<int>(map.wrapV) + 9 * map.uvSet;
  texels.emplace_back(map.offset, static_cast<float>(code), static_cast<float>(layer));
  const float c = std::cos(map.rotation);
  const float s = std::sin(map.rotation);
  texels.emplace_back(c * map.scale.x, -s * map.scale.x, s * map.scale.y, c * map.scale.y);
}

}  // namespace

bool hasUvsFor(const Mesh& mesh, const SurfaceMap& map) {
  return !(map.uvSet == 1 ? mesh.secondUvs : mesh.uvs).empty();
}

SurfaceFeatures featuresOf(const Character& character) {
  SurfaceFeatures features;
  for (const Mesh& mesh : character.meshes) {
    features.colors = features.colors || std::ranges::any_of(mesh.colors, [](const glm::vec4& one) {
                        return one != glm::vec4(1.0f);
                      });
    if (mesh.material < 0) continue;
    addMaterial(features, character.materials[static_cast<std::size_t>(mesh.material)]);
  }
  return features;
}

std::vector<glm::vec4> surfaceTexels(const Character& character, const ImageStack& colors,
                                     const ImageStack& data) {
  std::vector<Material> materials = character.materials;
  materials.emplace_back();
  std::vector<glm::vec4> texels;
  for (const Material& material : materials) {
    texels.emplace_back(material.emission, material.unlit ? 1.0f : 0.0f);
    texels.emplace_back(material.metallic, material.roughness, static_cast<float>(material.alpha),
                        material.alphaCutoff);
    addPlace(texels, material.base, layerOf(material.base, colors));
    // Normal maps have a table of their own.
    addPlace(texels, material.normal, -1);
    addPlace(texels, material.metalRoughness,
             isGlossy(material) && data.texture ? layerOf(material.metalRoughness, data) : -1);
    addPlace(texels, material.emissive,
             isGlowing(material) ? layerOf(material.emissive, colors) : -1);
  }
  return texels;
}

}  // namespace ck::render
