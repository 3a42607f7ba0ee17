#include "core/import/worker/fbx/fbx_materials.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "core/import/worker/assembly/image_decode.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

// The names of one property in the materials of Lambert and Phong, Maya's and 3ds Max's physical
// ones, Stingray PBS and glTF through 3ds Max.
using Names = std::array<std::string_view, 6>;
constexpr Names kBaseColors = {
    "DiffuseColor",    "Maya|baseColor",        "3dsMax|Parameters|base_color",
    "Maya|base_color", "3dsMax|main|baseColor", "Diffuse"};
constexpr Names kBaseMaps = {
    "DiffuseColor",       "Maya|baseColor",           "3dsMax|Parameters|base_color_map",
    "Maya|TEX_color_map", "3dsMax|main|baseColorMap", "Diffuse"};
constexpr Names kNormalMaps = {
    "NormalMap",           "Maya|normalCamera",    "3dsMax|Parameters|bump_map",
    "Maya|TEX_normal_map", "3dsMax|main|norm_map", "Bump"};

// What Material cannot hold.
constexpr std::array<std::string_view, 6> kOpacityMaps = {"TransparentColor",
                                                          "TransparencyFactor",
                                                          "Maya|opacity",
                                                          "3dsMax|main|opacityMap",
                                                          "3dsMax|Parameters|transparency_map",
                                                          "3dsMax|Parameters|cutout_map"};
constexpr std::array<std::string_view, 6> kEmissionMaps = {
    "EmissiveColor",         "EmissiveFactor",           "Maya|emissionColor",
    "Maya|TEX_emissive_map", "3dsMax|main|emitColorMap", "3dsMax|Parameters|emit_color_map"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kEmissions = {
    {{"EmissiveColor", "EmissiveFactor"},
     {"Maya|emissive", "Maya|emissive_intensity"},
     {"Maya|emissionColor", "Maya|emission"},
     {"3dsMax|Parameters|emit_color", "3dsMax|Parameters|emission"}}};

// Text files hold embedded images as base64, in one or more texts.
std::vector<std::byte> fromBase64(const FbxNode& content) {
  std::vector<std::byte> bytes;
  for (std::size_t v = 0; v < content.valueCount(); ++v) {
    std::vector<unsigned char> part;
    std::string kind;
    const std::string uri = "data:application/octet-stream;base64," + std::string(content.text(v));
    if (!tinygltf::DecodeDataURI(&part, kind, uri, 0, false)) continue;
    const auto decoded = std::as_bytes(std::span(part));
    bytes.insert(bytes.end(), decoded.begin(), decoded.end());
  }
  return bytes;
}

constexpr double kSeen = 0.01;  // of full light

class Materials {
 public:
  Materials(const FbxScene& file, SourceFolder& folder, SourceScene& scene)
      : file_(file), folder_(folder), scene_(scene) {}

  Material read(int object) {
    const FbxObject& source = file_.at(object);
    Material material;
    material.name = source.name;
    for (const std::string_view name : kBaseColors) {
      const auto color = fbxVector(source, name);
      const auto good = [](double part) { return part >= 0.0 && part < 1e6; };
      if (!color || !good(color->x) || !good(color->y) || !good(color->z)) continue;
      const double factor =
          name == "DiffuseColor" ? fbxNumber(source, "DiffuseFactor").value_or(1.0) : 1.0;
      material.baseColor = glm::vec4(glm::vec3(*color * std::clamp(factor, 0.0, 1e3)), 1.0f);
      break;
    }
    material.base.image = imageOf(object, kBaseMaps);
    // The image replaces the base colour, because exporters leave grey or black there.
    if (material.base.image >= 0) material.baseColor = glm::vec4(1.0f);
    material.normal.image = imageOf(object, kNormalMaps);
    if (material.normal.image >= 0 &&
        isGrey(scene_.images[static_cast<std::size_t>(material.normal.image)])) {
      const auto image = static_cast<std::size_t>(material.normal.image);
      warn(scene_.notes, "NormalMapUnused",
           fmt::format("material '{}': '{}' holds heights, not normals, and is not shown; bake it "
                       "to a normal map",
                       cleanText(material.name), cleanText(scene_.images[image].name)));
      material.normal.image = -1;
    }
    noteUnheld(object, material.name);
    return material;
  }

 private:
  template <std::size_t Count>
  bool hasImage(int material, const std::array<std::string_view, Count>& names) const {
    const auto links = file_.sources[static_cast<std::size_t>(material)];
    return std::any_of(links.begin(), links.end(), [&](const FbxLink& link) {
      const bool isImage =
          file_.at(link.object).kind == "Texture" || file_.at(link.object).kind == "LayeredTexture";
      return isImage && std::find(names.begin(), names.end(), link.property) != names.end();
    });
  }

  bool glows(int material) const {
    if (hasImage(material, kEmissionMaps)) return true;
    return std::any_of(kEmissions.begin(), kEmissions.end(), [&](const auto& names) {
      const auto color = fbxVector(file_.at(material), names.first);
      const double factor = fbxNumber(file_.at(material), names.second).value_or(1.0);
      return color && std::max({color->x, color->y, color->z}) * factor > kSeen;
    });
  }

  void noteUnheld(int object, const std::string& name) {
    const bool isClear = fbxNumber(file_.at(object), "Opacity").value_or(1.0) < 1.0 - kSeen ||
                         hasImage(object, kOpacityMaps);
    const bool isLit = glows(object);
    if (!isClear && !isLit) return;
    warn(scene_.notes, "MaterialSimplified",
         fmt::format("material '{}': {} not shown", cleanText(name),
                     isClear && isLit ? "its transparency and its emission are"
                     : isClear        ? "its transparency is"
                                      : "its emission is"));
  }

  // The image behind the first of these properties that has a texture.
  int imageOf(int material, const Names& names) {
    for (const std::string_view name : names) {
      for (const FbxLink& link : file_.sources[static_cast<std::size_t>(material)]) {
        if (link.property == name && !name.empty()) return imageOfTexture(link.object);
      }
    }
    return -1;
  }

  // Layered textures hold others, of which the first is taken.
  int imageOfTexture(int texture) {
    if (file_.at(texture).kind == "LayeredTexture") {
      const std::vector<int> layers = file_.sourcesOf(texture, "Texture");
      if (layers.empty()) return -1;
      texture = layers.front();
    }
    if (file_.at(texture).kind != "Texture") return -1;
    const std::vector<int> videos = file_.sourcesOf(texture, "Video");
    const int key = videos.empty() ? texture : videos.front();
    const auto [known, isNew] = known_.try_emplace(key, -1);
    if (!isNew) return known->second;
    return known->second = addImage(decoded(texture, key), scene_);
  }

  Result<Image> decoded(int texture, int video) {
    std::vector<std::string> paths;
    for (const int object : {texture, video}) {
      for (const char* child : {"RelativeFilename", "FileName", "Filename"}) {
        const FbxNode* node = file_.at(object).node->find(child);
        if (node != nullptr && !node->text(0).empty()) paths.emplace_back(node->text(0));
      }
    }
    const std::string path = paths.empty() ? std::string() : paths.front();
    const std::string name = cleanText(path.substr(path.find_last_of("/\\") + 1));
    const FbxNode* content = file_.at(video).node->find("Content");
    if (content != nullptr && !content->text(0).empty()) {
      std::string joined;
      for (std::size_t v = 0; v < content->valueCount() && content->valueCount() > 1; ++v) {
        joined += content->text(v);
      }
      const std::string_view whole = joined.empty() ? content->text(0) : joined;
      const auto raw = std::as_bytes(std::span(whole));
      auto inside = decodeImage(raw, name);
      return inside ? std::move(inside) : decodeImage(fromBase64(*content), name);
    }
    return imageInFolder(paths, folder_);
  }

  const FbxScene& file_;
  SourceFolder& folder_;
  SourceScene& scene_;
  std::map<int, int> known_;
};

}  // namespace

std::vector<int> addFbxMaterials(const FbxScene& file, SourceFolder& folder, SourceScene& scene) {
  std::vector<int> materialOf(file.objects.size(), -1);
  Materials materials(file, folder, scene);
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    if (file.objects[o].kind != "Material") continue;
    materialOf[o] = static_cast<int>(scene.materials.size());
    scene.materials.push_back(materials.read(static_cast<int>(o)));
  }
  return materialOf;
}

}  // namespace ck::worker
