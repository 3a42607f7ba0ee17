#include "core/import/worker/fbx/fbx_materials.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/import/worker/assembly/image_decode.h"
#include "core/import/worker/assembly/surface_maps.h"
#include "core/import/worker/fbx/fbx_textures.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

// The names of one property in the materials of Lambert and Phong, Maya's Arnold and Stingray
// (which write "Maya|" before theirs), and 3ds Max's physical and glTF ones.
using Names = std::array<std::string_view, 7>;
constexpr Names kBaseColors = {
    "DiffuseColor",    "Maya|baseColor",        "3dsMax|Parameters|base_color",
    "Maya|base_color", "3dsMax|main|baseColor", "3dsMax|main|basecolor",
    "Diffuse"};
constexpr Names kBaseMaps = {"DiffuseColor",
                             "Maya|baseColor",
                             "3dsMax|Parameters|base_color_map",
                             "Maya|TEX_color_map",
                             "3dsMax|main|baseColorMap",
                             "3dsMax|main|base_color_map",
                             "Diffuse"};
constexpr Names kNormalMaps = {"NormalMap",
                               "Maya|normalCamera",
                               "3dsMax|Parameters|bump_map",
                               "Maya|TEX_normal_map",
                               "3dsMax|main|norm_map",
                               "3dsMax|main|normalMap",
                               "Bump"};
constexpr Names kMetals = {"Maya|metalness", "Maya|metallic", "3dsMax|Parameters|metalness",
                           "3dsMax|main|metalness", "3dsMax|main|Metalness"};
constexpr Names kMetalMaps = {"Maya|metalness", "Maya|TEX_metallic_map",
                              "3dsMax|Parameters|metalness_map", "3dsMax|main|metalness_map",
                              "3dsMax|main|metalnessMap"};
constexpr Names kRoughnesses = {"Maya|specularRoughness", "Maya|roughness",
                                "3dsMax|Parameters|roughness", "3dsMax|main|roughness",
                                "3dsMax|main|Roughness"};
constexpr Names kRoughnessMaps = {"Maya|specularRoughness", "Maya|TEX_roughness_map",
                                  "3dsMax|Parameters|roughness_map", "3dsMax|main|roughness_map",
                                  "3dsMax|main|roughnessMap"};
constexpr Names kOpacityMaps = {"TransparentColor",
                                "TransparencyFactor",
                                "Maya|opacity",
                                "3dsMax|main|opacityMap",
                                "3dsMax|main|opacity_map",
                                "3dsMax|Parameters|cutout_map",
                                "3dsMax|Parameters|transparency_map"};
constexpr std::string_view kTransparencyMap = kOpacityMaps.back();  // white is clear
constexpr Names kEmissionMaps = {"EmissiveColor",
                                 "Maya|emissionColor",
                                 "Maya|TEX_emissive_map",
                                 "3dsMax|main|emitColorMap",
                                 "3dsMax|main|emit_color_map",
                                 "3dsMax|main|emissionMap",
                                 "3dsMax|Parameters|emit_color_map"};

// A colour and the number that it is multiplied with.
struct Emission {
  std::string_view color;
  std::string_view strength;
};
constexpr std::array<Emission, 5> kEmissions = {
    {{"EmissiveColor", "EmissiveFactor"},
     {"Maya|emissive", "Maya|emissive_intensity"},
     {"Maya|emissionColor", "Maya|emission"},
     {"3dsMax|Parameters|emit_color", "3dsMax|Parameters|emission"},
     {"3dsMax|main|emit_color", "3dsMax|main|emission"}}};

// Maps that are seen in other programs and not here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kUnshownMaps = {
    {{"SpecularColor", "specular colour"},
     {"SpecularFactor", "specular strength"},
     {"ShininessExponent", "shininess"},
     {"Shininess", "shininess"},
     {"ReflectionFactor", "reflection"},
     {"ReflectionColor", "reflection"},
     {"DisplacementColor", "displacement"},
     {"Maya|TEX_ao_map", "ambient occlusion"}}};

constexpr double kSeen = 0.01;  // of full light or cover
constexpr double kLargest = 1e6;

double share(double value) {
  return std::clamp(value, 0.0, 1.0);
}

class Materials {
 public:
  Materials(const FbxScene& file, SourceFolder& folder, SourceScene& scene)
      : file_(file), textures_(file, folder, scene), scene_(scene) {}

  Material read(int object) {
    object_ = object;
    sets_ = {};
    unshown_.clear();
    Material material;
    material.name = source().name;
    readColor(material);
    readNormalMap(material);
    readMetal(material);
    readEmission(material);
    readOpacity(material);
    for (const auto& [property, what] : kUnshownMaps) {
      if (textureOf(property) >= 0) leaveOut(fmt::format("map of {}", what));
    }
    if (!unshown_.empty()) {
      warn(scene_.notes, "MaterialSimplified",
           fmt::format("material '{}': not shown: its {}", cleanText(material.name),
                       fmt::join(unshown_, ", its ")));
    }
    return material;
  }

  const FbxMaterials::UvSets& uvSets() const { return sets_; }

 private:
  const FbxObject& source() const { return file_.at(object_); }

  void leaveOut(std::string what) {
    if (std::ranges::find(unshown_, what) == unshown_.end()) unshown_.push_back(std::move(what));
  }

  // The first number that the material has by one of these names.
  std::optional<double> numberOf(const Names& names) const {
    for (const std::string_view name : names) {
      if (name.empty()) break;
      if (const auto value = fbxNumber(source(), name)) return value;
    }
    return std::nullopt;
  }

  // The texture behind a property, or -1.
  int textureOf(std::string_view property) const {
    for (const FbxLink& link : file_.sources[static_cast<std::size_t>(object_)]) {
      const std::string_view kind = file_.at(link.object).kind;
      if (link.property == property && (kind == "Texture" || kind == "LayeredTexture")) {
        return link.object;
      }
    }
    return -1;
  }

  // The first of these properties that has a texture; empty without one.
  std::string_view linked(const Names& names) const {
    for (const std::string_view name : names) {
      if (!name.empty() && textureOf(name) >= 0) return name;
    }
    return {};
  }

  // The map of the first of these properties that has one, with its set of texture coordinates.
  SurfaceMap mapOf(const Names& names, const char* what) {
    const std::string_view name = linked(names);
    if (name.empty()) return {};
    const FbxMap found = textures_.read(textureOf(name));
    if (!found.map) return {};
    SurfaceMap map = found.map;
    if (!hasFirst_ || sets_.first == found.uvs) {
      sets_.first = found.uvs;
      hasFirst_ = true;
    } else if (!sets_.hasSecond || sets_.second == found.uvs) {
      sets_.second = found.uvs;
      sets_.hasSecond = true;
      map.uvSet = 1;
    } else {
      leaveOut(fmt::format("{}, which lies on a third set of texture coordinates", what));
      return {};
    }
    return map;
  }

  Image& imageOf(const SurfaceMap& map) {
    return scene_.images[static_cast<std::size_t>(map.image)];
  }

  void readColor(Material& material) {
    hasFirst_ = false;
    // The template of a file is that of Lambert or Phong, whatever kind the material is of.
    FbxObject own = source();
    own.defaults = nullptr;
    if (!setBaseColor(own, material)) setBaseColor(source(), material);
    material.base = mapOf(kBaseMaps, "texture");
    // The image replaces the base colour, because exporters leave grey or black there.
    if (material.base) material.baseColor = glm::vec4(1.0f);
  }

  // Returns whether the object has a base colour.
  static bool setBaseColor(const FbxObject& object, Material& material) {
    for (const std::string_view name : kBaseColors) {
      const auto color = fbxVector(object, name);
      const auto good = [](double part) { return part >= 0.0 && part < kLargest; };
      if (!color || !good(color->x) || !good(color->y) || !good(color->z)) continue;
      const char* strength = name == "DiffuseColor"     ? "DiffuseFactor"
                             : name == "Maya|baseColor" ? "Maya|base"
                                                        : "";
      const double factor = fbxNumber(object, strength).value_or(1.0);
      material.baseColor = glm::vec4(glm::vec3(*color * std::clamp(factor, 0.0, 1e3)), 1.0f);
      return true;
    }
    return false;
  }

  void readNormalMap(Material& material) {
    material.normal = mapOf(kNormalMaps, "normal map");
    if (!material.normal || !isGrey(imageOf(material.normal))) return;
    warn(scene_.notes, "NormalMapUnused",
         fmt::format("material '{}': '{}' holds heights, not normals, and is not shown; bake it "
                     "to a normal map",
                     cleanText(material.name), cleanText(imageOf(material.normal).name)));
    material.normal = {};
  }

  // Shininess as Blender writes it from roughness, and reads it: (10 - 10 * roughness)^2. A surface
  // that reflects nothing has no shine to be sharp.
  double phongRoughness() const {
    const FbxNode* model = source().node->find("ShadingModel");
    const std::string_view shading = model == nullptr ? std::string_view() : model->text(0);
    if (shading != "phong" && shading != "Phong") return 1.0;
    const glm::dvec3 color = fbxVector(source(), "SpecularColor").value_or(glm::dvec3(0.0));
    const double strength = fbxNumber(source(), "SpecularFactor").value_or(1.0);
    const auto shininess = fbxNumber(source(), "Shininess");
    if (!shininess || !(std::max({color.x, color.y, color.z}) * strength > kSeen)) return 1.0;
    return share(1.0 - std::sqrt(std::clamp(*shininess, 0.0, 100.0)) / 10.0);
  }

  void readMetal(Material& material) {
    // Blender keeps metal in the factor of reflections, which others leave at any value.
    const double reflection = fbxNumber(source(), "ReflectionFactor").value_or(0.0);
    const auto metal = numberOf(kMetals);
    material.metallic =
        static_cast<float>(share(metal.value_or(file_.isByBlender ? reflection : 0.0)));
    const auto rough = numberOf(kRoughnesses);
    const bool inverted =
        fbxNumber(source(), "3dsMax|Parameters|roughness_inv").value_or(0.0) != 0.0;
    const double given = rough ? (inverted ? 1.0 - *rough : *rough) : phongRoughness();
    material.roughness = static_cast<float>(share(given));
    SurfaceMap metals = mapOf(kMetalMaps, "map of metal");
    SurfaceMap roughs = mapOf(kRoughnessMaps, "map of roughness");
    if (metals && roughs && !isPlacedAs(metals, roughs)) {
      leaveOut("map of roughness, which lies otherwise than that of metal");
      roughs = {};
    }
    if (!metals && !roughs) return;
    const Image* metalImage = metals ? &imageOf(metals) : nullptr;
    const Image* roughImage = roughs ? &imageOf(roughs) : nullptr;
    Image both = metalRoughnessOf(metalImage, roughImage, inverted);
    material.metalRoughness = metals ? metals : roughs;
    if (metals) material.metallic = 1.0f;
    if (roughs) material.roughness = 1.0f;
    material.metalRoughness.image = addImage(std::move(both), scene_);
  }

  void readEmission(Material& material) {
    const SurfaceMap map = mapOf(kEmissionMaps, "map of emission");
    for (const Emission& names : kEmissions) {
      auto color = fbxVector(source(), names.color);
      const double strength = fbxNumber(source(), names.strength).value_or(1.0);
      // The map replaces the colour, as it does the base colour.
      if (map) color = glm::dvec3(1.0);
      if (!color || !(strength >= 0.0 && strength < kLargest)) continue;
      const glm::dvec3 light = glm::clamp(*color, 0.0, kLargest) * strength;
      if (std::max({light.x, light.y, light.z}) <= kSeen) {
        if (map) return;  // the factor of its own kind is zero
        continue;
      }
      material.emission = glm::vec3(light);
      material.emissive = map;
      return;
    }
  }

  // The share of light that does not pass. Maya writes TransparencyFactor 1 with a TransparentColor
  // of black for what is solid (ozz_pab/arnaud.fbx, ufbx_pivots), Blender a TransparentColor of
  // white with a factor of 0 (quaternius_robot, huesitos), and 3ds Max white, without a factor,
  // beside an Opacity of 1 (ozz_pab/skeleton.fbx). So Opacity counts where the material itself has
  // it, else the product of both.
  double opacity() const {
    if (const auto own = fbxNumber(source().properties, "Opacity")) return share(*own);
    const auto factor = fbxNumber(source(), "TransparencyFactor");
    const auto color = fbxVector(source(), "TransparentColor");
    if (!factor || !color) return 1.0;
    return 1.0 - share((color->x + color->y + color->z) / 3.0 * *factor);
  }

  void readOpacity(Material& material) {
    const std::string_view name = linked(kOpacityMaps);
    if (!name.empty()) return readOpacityMap(name, material);
    const double solid = opacity();
    if (solid >= 1.0 - kSeen) return;
    // Some programs write 0 for opaque, so a material that would be invisible is opaque.
    if (solid < kSeen) return leaveOut("transparency, which would leave nothing of it to see");
    material.alpha = AlphaMode::Blend;
    material.baseColor.w = static_cast<float>(solid);
  }

  void readOpacityMap(std::string_view name, Material& material) {
    const SurfaceMap map = mapOf(kOpacityMaps, "map of opacity");
    if (!map) return;
    if (!setOpacity(map, name == kTransparencyMap, material, scene_)) {
      leaveOut("map of opacity, which lies otherwise than its texture");
    }
  }

  const FbxScene& file_;
  FbxTextures textures_;
  SourceScene& scene_;
  int object_ = -1;
  FbxMaterials::UvSets sets_;
  bool hasFirst_ = false;
  std::vector<std::string> unshown_;
};

}  // namespace

FbxMaterials addFbxMaterials(const FbxScene& file, SourceFolder& folder, SourceScene& scene) {
  FbxMaterials result;
  result.ofObject.assign(file.objects.size(), -1);
  Materials materials(file, folder, scene);
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    if (file.objects[o].kind != "Material") continue;
    result.ofObject[o] = static_cast<int>(scene.materials.size());
    scene.materials.push_back(materials.read(static_cast<int>(o)));
    result.uvSets.push_back(materials.uvSets());
  }
  dropUnusedImages(scene);
  return result;
}

}  // namespace ck::worker
