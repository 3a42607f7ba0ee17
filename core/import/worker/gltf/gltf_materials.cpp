#include "core/import/worker/gltf/gltf_materials.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>

#include "core/base/parallel_for.h"
#include "core/import/worker/assembly/image_decode.h"
#include "core/import/worker/assembly/surface_maps.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostImageBytes = 1'000'000'000;
constexpr double kLargest = 1e6;  // of a factor

// The images of a material of the specular-glossiness kind as one of metal and roughness.
struct GlossyImages {
  int base = -1;
  int metalRoughness = -1;  // -1: the factors say it all
  float metallic = 1.0f;
  float roughness = 1.0f;
};

class Images {
 public:
  Images(const tinygltf::Model& model, SourceFolder& folder, SourceScene& scene)
      : model_(model), folder_(folder), scene_(scene) {}

  // Decodes what textures show on all cores, for ofTexture() to take. Pictures are most of the time
  // that a file with large ones takes.
  void decodeAhead() {
    struct Job {
      int image;
      std::optional<Result<Image>> decoded;
    };
    std::vector<Job> jobs;
    for (const tinygltf::Texture& texture : model_.textures) {
      const int image = imageOf(texture);
      const bool known = std::ranges::find(jobs, image, &Job::image) != jobs.end();
      // Files are opened one after the other.
      if (!known && image >= 0 && static_cast<std::size_t>(image) < model_.images.size() &&
          isInside(model_.images[static_cast<std::size_t>(image)])) {
        jobs.push_back({image, {}});
      }
    }
    if (jobs.size() < 2) return;
    std::atomic<std::size_t> total = 0;
    parallelFor(jobs.size(), {}, [&](std::size_t i) {
      if (total > kMostImageBytes) return;
      jobs[i].decoded = decoded(model_.images[static_cast<std::size_t>(jobs[i].image)]);
      if (*jobs[i].decoded) total += (*jobs[i].decoded)->rgba.size();
    });
    for (Job& job : jobs) {
      if (job.decoded) ahead_.emplace(job.image, std::move(*job.decoded));
    }
  }

  // Index of a texture's decoded image; -1 and a note if it cannot be read. `texture` >= 0.
  int ofTexture(int texture) {
    if (static_cast<std::size_t>(texture) >= model_.textures.size()) {
      warn(scene_.notes, "PictureUnreadable",
           fmt::format("a material names texture {}, but the file has {} of them", texture,
                       model_.textures.size()));
      return -1;
    }
    const int image = imageOf(model_.textures[static_cast<std::size_t>(texture)]);
    if (image < 0 || static_cast<std::size_t>(image) >= model_.images.size()) {
      warn(scene_.notes, "PictureUnreadable",
           fmt::format("texture {} names no picture that can be read", texture));
      return -1;
    }
    const auto [known, isNew] = known_.try_emplace(image, -1);
    if (!isNew) return known->second;
    const auto ahead = ahead_.find(image);
    known->second =
        add(ahead != ahead_.end() ? std::move(ahead->second)
                                  : decoded(model_.images[static_cast<std::size_t>(image)]));
    return known->second;
  }

  // The converted images of one of scattered colours, or -1, and one of reflections, or -1. Made
  // once for all materials that have both and the factors in common.
  GlossyImages glossy(int colors, int gloss, const GlossySurface& factor) {
    const auto& [diffuse, specular, glossiness] = factor;
    const auto key = std::tuple(colors, gloss, diffuse.x, diffuse.y, diffuse.z, specular.x,
                                specular.y, specular.z, glossiness);
    const auto [known, isNew] = glossy_.try_emplace(key);
    if (!isNew) return known->second;
    const auto at = [this](int image) {
      return image < 0 ? nullptr : &scene_.images[static_cast<std::size_t>(image)];
    };
    MetalMaps maps = metalMapsOf(at(colors), at(gloss), factor);
    GlossyImages& made = known->second;
    if (maps.isUniform) {
      made.metallic = static_cast<float>(maps.metallic);
      made.roughness = static_cast<float>(maps.roughness);
    } else {
      made.metalRoughness = add(std::move(maps.metalRoughness));
    }
    made.base = add(std::move(maps.base));
    return made;
  }

 private:
  // A texture names its WebP beside another picture for programs that cannot read it. A KTX2 is the
  // second choice, because most of them are packed for graphics cards.
  static int imageOf(const tinygltf::Texture& texture) {
    const auto named = [&texture](const char* extension) {
      const auto found = texture.extensions.find(extension);
      if (found == texture.extensions.end() || !found->second.IsObject()) return -1;
      if (!found->second.Has("source") || !found->second.Get("source").IsInt()) return -1;
      return found->second.Get("source").GetNumberAsInt();
    };
    if (const int image = named("EXT_texture_webp"); image >= 0) return image;
    return texture.source >= 0 ? texture.source : named("KHR_texture_basisu");
  }

  int add(Result<Image> image) {
    if (image && total_ + image->rgba.size() > kMostImageBytes) {
      image = fail(ErrorCode::LimitExceeded,
                   fmt::format("picture '{}': all pictures together exceed 1 GB", image->name));
    }
    if (image) total_ += image->rgba.size();
    return addImage(std::move(image), scene_);
  }

  static bool isInside(const tinygltf::Image& image) {
    return !image.image.empty() || image.bufferView >= 0;
  }

  Result<Image> decoded(const tinygltf::Image& image) const {
    const auto bytes = bytesOf(image);
    if (!bytes) return tl::unexpected(bytes.error());
    return decodeImage(*bytes, cleanText(image.name.empty() ? image.uri : image.name));
  }

  Result<std::vector<std::byte>> bytesOf(const tinygltf::Image& image) const {
    const auto toBytes = [](const unsigned char* first, std::size_t size) {
      const auto* bytes = reinterpret_cast<const std::byte*>(first);
      return std::vector<std::byte>(bytes, bytes + size);
    };
    if (!image.image.empty()) return toBytes(image.image.data(), image.image.size());
    if (image.bufferView < 0) return folder_.read(percentDecoded(image.uri));
    const auto bad = [] {
      return fail(ErrorCode::InvalidInput, "a picture lies in a buffer view that is not there");
    };
    if (static_cast<std::size_t>(image.bufferView) >= model_.bufferViews.size()) return bad();
    const auto& view = model_.bufferViews[static_cast<std::size_t>(image.bufferView)];
    if (view.buffer < 0 || static_cast<std::size_t>(view.buffer) >= model_.buffers.size())
      return bad();
    const auto& data = model_.buffers[static_cast<std::size_t>(view.buffer)].data;
    if (view.byteOffset > data.size() || view.byteLength > data.size() - view.byteOffset)
      return bad();
    return toBytes(data.data() + view.byteOffset, view.byteLength);
  }

  const tinygltf::Model& model_;
  SourceFolder& folder_;
  SourceScene& scene_;
  std::map<int, int> known_;
  std::map<int, Result<Image>> ahead_;  // by their place in the file
  using GlossyKey = std::tuple<int, int, double, double, double, double, double, double, double>;
  std::map<GlossyKey, GlossyImages> glossy_;
  std::size_t total_ = 0;
};

// Our own samples mark in the material's extras that the alpha channel of the base colour is a tint
// mask: "tintMask": "baseColorTexture.a", or true.
bool hasTintMask(const tinygltf::Value& extras) {
  if (!extras.IsObject() || !extras.Has("tintMask")) return false;
  const tinygltf::Value& value = extras.Get("tintMask");
  if (value.IsString()) return value.Get<std::string>() == "baseColorTexture.a";
  return value.IsBool() && value.Get<bool>();
}

Wrap wrapOf(int mode) {
  if (mode == TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE) return Wrap::Clamp;
  return mode == TINYGLTF_TEXTURE_WRAP_MIRRORED_REPEAT ? Wrap::Mirror : Wrap::Repeat;
}

// The object of an extension; null without it.
const tinygltf::Value& objectOf(const tinygltf::ExtensionMap& extensions, const char* name) {
  static const tinygltf::Value nothing;
  const auto found = extensions.find(name);
  return found == extensions.end() || !found->second.IsObject() ? nothing : found->second;
}

// A number of an object; nothing without it, or if it is not finite and of a sane size.
std::optional<double> numberIn(const tinygltf::Value& object, const char* name) {
  if (!object.IsObject() || !object.Has(name) || !object.Get(name).IsNumber()) return std::nullopt;
  const double value = object.Get(name).GetNumberAsDouble();
  return std::abs(value) <= kLargest ? std::optional(value) : std::nullopt;
}

// The numbers of a list; empty without it, or if one of them is not as above.
std::vector<double> numbersIn(const tinygltf::Value& object, const char* name) {
  std::vector<double> numbers;
  if (!object.IsObject() || !object.Has(name) || !object.Get(name).IsArray()) return {};
  const tinygltf::Value& list = object.Get(name);
  for (std::size_t i = 0; i < list.ArrayLen(); ++i) {
    const tinygltf::Value& value = list.Get(static_cast<int>(i));
    if (!value.IsNumber() || !(std::abs(value.GetNumberAsDouble()) <= kLargest)) return {};
    numbers.push_back(value.GetNumberAsDouble());
  }
  return numbers;
}

double share(double value) {
  return value >= 0.0 ? std::min(value, 1.0) : 0.0;
}

// Where a map is named: its texture, its set of texture coordinates and its extensions.
struct MapSource {
  int texture = -1;
  int texCoord = 0;
  tinygltf::ExtensionMap extensions = {};
};

template <class Info>  // a TextureInfo of tinygltf
MapSource mapSource(const Info& info) {
  return {info.index, info.texCoord, info.extensions};
}

// The same for a map that an extension names.
MapSource mapSource(const tinygltf::Value& object, const char* name) {
  MapSource source;
  if (!object.IsObject() || !object.Has(name)) return source;
  const tinygltf::Value& info = object.Get(name);
  source.texture = static_cast<int>(numberIn(info, "index").value_or(-1.0));
  source.texCoord = static_cast<int>(numberIn(info, "texCoord").value_or(0.0));
  if (info.IsObject() && info.Has("extensions") && info.Get("extensions").IsObject()) {
    const tinygltf::Value& extensions = info.Get("extensions");
    for (const std::string& key : extensions.Keys()) source.extensions[key] = extensions.Get(key);
  }
  return source;
}

// Reads one material.
class MaterialReader {
 public:
  MaterialReader(const tinygltf::Model& model, const tinygltf::Material& source, Images& images,
                 SourceScene& scene)
      : model_(model), source_(source), images_(images), scene_(scene) {}

  Material read() {
    Material& material = material_;
    material.name = source_.name;
    material.doubleSided = source_.doubleSided;
    material.alphaIsTintMask = hasTintMask(source_.extras);
    material.unlit = source_.extensions.count("KHR_materials_unlit") > 0;
    const char* const glossy = "KHR_materials_pbrSpecularGlossiness";
    if (source_.extensions.count(glossy) > 0) {
      readGlossy(objectOf(source_.extensions, glossy));
    } else {
      readMetal();
    }
    if (source_.normalTexture.index >= 0) {
      material.normal = mapOf(mapSource(source_.normalTexture), "normal map");
      const double scale = source_.normalTexture.scale;
      if (std::abs(scale) <= 1e3) material.normalScale = static_cast<float>(scale);
    }
    readEmission();
    readAlpha();
    return std::move(material_);
  }

  const GltfUvSets& uvSets() const { return sets_; }

 private:
  void readBaseColor(const std::vector<double>& factor) {
    for (std::size_t c = 0; c < factor.size() && c < 4; ++c) {
      if (factor[c] >= 0.0 && factor[c] <= kLargest) {
        material_.baseColor[static_cast<int>(c)] = static_cast<float>(factor[c]);
      }
    }
  }

  void readMetal() {
    const auto& surface = source_.pbrMetallicRoughness;
    readBaseColor(surface.baseColorFactor);
    material_.base = mapOf(mapSource(surface.baseColorTexture), "texture");
    material_.metallic = static_cast<float>(share(surface.metallicFactor));
    material_.roughness = static_cast<float>(share(surface.roughnessFactor));
    material_.metalRoughness =
        mapOf(mapSource(surface.metallicRoughnessTexture), "map of metal and roughness");
  }

  // With maps, the factors go into the new images; only opacity stays a factor.
  void readGlossy(const tinygltf::Value& object) {
    readBaseColor(numbersIn(object, "diffuseFactor"));
    const std::vector<double> reflected = numbersIn(object, "specularFactor");
    GlossySurface factor;
    factor.diffuse = glm::dvec3(material_.baseColor);
    for (std::size_t c = 0; c < reflected.size() && c < 3; ++c) {
      factor.specular[static_cast<int>(c)] = share(reflected[c]);
    }
    factor.glossiness = share(numberIn(object, "glossinessFactor").value_or(1.0));
    material_.base = mapOf(mapSource(object, "diffuseTexture"), "texture");
    SurfaceMap gloss = mapOf(mapSource(object, "specularGlossinessTexture"), "map of reflections");
    if (!material_.base && !gloss) {
      const MetalSurface surface = metalSurfaceOf(factor);
      material_.baseColor = glm::vec4(glm::vec3(surface.base), material_.baseColor.w);
      material_.metallic = static_cast<float>(surface.metallic);
      material_.roughness = static_cast<float>(surface.roughness);
      return;
    }
    if (material_.base && gloss && !isPlacedAs(material_.base, gloss)) {
      warn(scene_.notes, "MaterialSimplified",
           fmt::format("material '{}': its map of reflections does not lie as its texture does and "
                       "is not shown; lay out both alike",
                       cleanText(source_.name)));
      gloss.image = -1;
    }
    const GlossyImages made = images_.glossy(material_.base.image, gloss.image, factor);
    if (!material_.base) material_.base = gloss;
    material_.baseColor = glm::vec4(glm::vec3(1.0f), material_.baseColor.w);
    material_.metallic = made.metallic;
    material_.roughness = made.roughness;
    if (made.metalRoughness >= 0) {
      material_.metalRoughness = material_.base;
      material_.metalRoughness.image = made.metalRoughness;
    }
    material_.base.image = made.base;
  }

  void readEmission() {
    const tinygltf::Value& strong = objectOf(source_.extensions, "KHR_materials_emissive_strength");
    const double strength = std::max(numberIn(strong, "emissiveStrength").value_or(1.0), 0.0);
    for (std::size_t c = 0; c < source_.emissiveFactor.size() && c < 3; ++c) {
      const double value = source_.emissiveFactor[c] * strength;
      if (value >= 0.0 && value <= kLargest) {
        material_.emission[static_cast<int>(c)] = static_cast<float>(value);
      }
    }
    // A map times black is black.
    if (material_.emission == glm::vec3(0.0f)) return;
    material_.emissive = mapOf(mapSource(source_.emissiveTexture), "map of emission");
  }

  void readAlpha() {
    if (material_.alphaIsTintMask) return;  // alpha has another meaning there
    if (source_.alphaMode == "BLEND") material_.alpha = AlphaMode::Blend;
    if (source_.alphaMode == "MASK") material_.alpha = AlphaMode::Mask;
    // Above 1, which the standard allows, everything is cut.
    if (material_.alpha == AlphaMode::Mask) {
      material_.alphaCutoff = static_cast<float>(share(source_.alphaCutoff));
      if (source_.alphaCutoff > 1.0) material_.baseColor.w = 0.0f;
    }
  }

  // Without an image if there is none, or if it cannot be shown; then with a note.
  SurfaceMap mapOf(const MapSource& source, const char* what) {
    if (source.texture < 0) return {};
    SurfaceMap map;
    int texCoord = source.texCoord;
    const tinygltf::Value& moved = objectOf(source.extensions, "KHR_texture_transform");
    texCoord = static_cast<int>(numberIn(moved, "texCoord").value_or(texCoord));
    const int known = setOf(texCoord);
    if (known < 0) {
      warn(scene_.notes, "MaterialSimplified",
           fmt::format("material '{}': its {} lies on a third set of texture coordinates "
                       "(TEXCOORD_{}) and is not shown; use at most two",
                       cleanText(source_.name), what, texCoord));
      return {};
    }
    map.image = images_.ofTexture(source.texture);
    if (!map) return {};
    (known == 0 ? sets_.first : sets_.second) = texCoord;
    map.uvSet = known;
    const auto vector = [&moved](const char* name, float fallback) {
      const std::vector<double> numbers = numbersIn(moved, name);
      return numbers.size() == 2 ? glm::vec2(numbers[0], numbers[1]) : glm::vec2(fallback);
    };
    map.offset = vector("offset", 0.0f);
    map.scale = vector("scale", 1.0f);
    map.rotation = static_cast<float>(numberIn(moved, "rotation").value_or(0.0));
    const int sampler = model_.textures[static_cast<std::size_t>(source.texture)].sampler;
    if (sampler >= 0 && static_cast<std::size_t>(sampler) < model_.samplers.size()) {
      const tinygltf::Sampler& how = model_.samplers[static_cast<std::size_t>(sampler)];
      map.wrapU = wrapOf(how.wrapS);
      map.wrapV = wrapOf(how.wrapT);
    }
    return map;
  }

  // The place of a set of texture coordinates among those of the material; -1 for a third one.
  int setOf(int texCoord) const {
    if (sets_.first < 0 || sets_.first == texCoord) return 0;
    return sets_.second < 0 || sets_.second == texCoord ? 1 : -1;
  }

  const tinygltf::Model& model_;
  const tinygltf::Material& source_;
  Images& images_;
  SourceScene& scene_;
  Material material_;
  GltfUvSets sets_;
};

// A feature that is in materials of any number is named once for all of them.
void noteOcclusion(const tinygltf::Model& model, Notes& notes) {
  std::size_t count = 0;
  std::string first;
  for (const tinygltf::Material& material : model.materials) {
    if (material.occlusionTexture.index < 0) continue;
    if (count++ == 0) first = cleanText(material.name);
  }
  if (count == 0) return;
  inform(notes, "OcclusionUnused",
         fmt::format("the maps of ambient occlusion of {} materials, '{}' first, are not shown; "
                     "bake them into the colours to see them",
                     count, first));
}

void noteVariants(const tinygltf::Model& model, Notes& notes) {
  const tinygltf::Value& object = objectOf(model.extensions, "KHR_materials_variants");
  if (!object.IsObject() || !object.Has("variants") || !object.Get("variants").IsArray()) return;
  const tinygltf::Value& list = object.Get("variants");
  constexpr std::size_t kMostNamed = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(list.ArrayLen(), kMostNamed); ++i) {
    const tinygltf::Value& variant = list.Get(static_cast<int>(i));
    const bool named = variant.IsObject() && variant.Has("name") && variant.Get("name").IsString();
    names += fmt::format("{}'{}'", i == 0 ? "" : ", ",
                         named ? cleanText(variant.Get("name").Get<std::string>()) : "");
  }
  if (list.ArrayLen() > kMostNamed) names += ", ...";
  inform(
      notes, "MaterialVariants",
      fmt::format("the file has {} looks ({}); its default look is shown", list.ArrayLen(), names));
}

}  // namespace

std::vector<GltfUvSets> addGltfMaterials(const tinygltf::Model& model, SourceFolder& folder,
                                         SourceScene& scene) {
  Images images(model, folder, scene);
  images.decodeAhead();
  std::vector<GltfUvSets> sets;
  for (const tinygltf::Material& source : model.materials) {
    MaterialReader reader(model, source, images, scene);
    scene.materials.push_back(reader.read());
    sets.push_back(reader.uvSets());
  }
  dropUnusedImages(scene);
  noteOcclusion(model, scene.notes);
  noteVariants(model, scene.notes);
  return sets;
}

}  // namespace ck::worker
