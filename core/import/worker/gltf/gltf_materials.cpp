#include "core/import/worker/gltf/gltf_materials.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <cmath>
#include <cstddef>
#include <map>

#include "core/import/worker/assembly/image_decode.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostImageBytes = 1'000'000'000;

class Images {
 public:
  Images(const tinygltf::Model& model, SourceFolder& folder, SourceScene& scene)
      : model_(model), folder_(folder), scene_(scene) {}

  // Index of a texture's decoded image; -1 and a note if it cannot be read.
  int ofTexture(int texture) {
    if (texture < 0 || static_cast<std::size_t>(texture) >= model_.textures.size()) return -1;
    const int image = imageOf(model_.textures[static_cast<std::size_t>(texture)]);
    if (image < 0 || static_cast<std::size_t>(image) >= model_.images.size()) {
      warn(scene_.notes, "PictureUnreadable",
           fmt::format("texture {} names no picture that can be read", texture));
      return -1;
    }
    const auto [known, isNew] = known_.try_emplace(image, -1);
    if (isNew) known->second = decode(model_.images[static_cast<std::size_t>(image)]);
    return known->second;
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

  int decode(const tinygltf::Image& image) {
    const auto bytes = bytesOf(image);
    const std::string name = cleanText(image.name.empty() ? image.uri : image.name);
    auto decoded = bytes ? decodeImage(*bytes, name) : Result<Image>(tl::unexpected(bytes.error()));
    if (decoded && total_ + decoded->rgba.size() > kMostImageBytes) {
      decoded = fail(ErrorCode::LimitExceeded,
                     fmt::format("picture '{}': all pictures together exceed 1 GB", name));
    }
    if (decoded) total_ += decoded->rgba.size();
    return addImage(std::move(decoded), scene_);
  }

  Result<std::vector<std::byte>> bytesOf(const tinygltf::Image& image) {
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

void noteTransform(const tinygltf::ExtensionMap& extensions, const char* what,
                   const tinygltf::Material& source, Notes& notes) {
  if (extensions.count("KHR_texture_transform") == 0) return;
  warn(notes, "TextureTransformIgnored",
       fmt::format("material '{}': the shift or scale of its {} is not applied",
                   cleanText(source.name), what));
}

void addNormalMap(const tinygltf::Material& source, Images& images, Material& material,
                  Notes& notes) {
  const auto& base = source.pbrMetallicRoughness.baseColorTexture;
  const auto& map = source.normalTexture;
  // A mesh keeps one set of texture coordinates: that of its base colour.
  if (base.index >= 0 && base.texCoord != map.texCoord) {
    warn(notes, "NormalMapUnused",
         fmt::format("material '{}': its normal map has texture coordinates of its own "
                     "(TEXCOORD_{}, its colour TEXCOORD_{}) and is not shown; use one set for both",
                     cleanText(source.name), map.texCoord, base.texCoord));
    return;
  }
  material.normal.image = images.ofTexture(map.index);
  if (std::abs(map.scale) <= 1e3) material.normalScale = static_cast<float>(map.scale);
  noteTransform(map.extensions, "normal map", source, notes);
}

}  // namespace

void addGltfMaterials(const tinygltf::Model& model, SourceFolder& folder, SourceScene& scene) {
  Images images(model, folder, scene);
  for (const tinygltf::Material& source : model.materials) {
    Material material;
    material.name = source.name;
    const auto& base = source.pbrMetallicRoughness;
    for (std::size_t c = 0; c < base.baseColorFactor.size() && c < 4; ++c) {
      const double value = base.baseColorFactor[c];
      if (value >= 0.0 && value <= 1e6)
        material.baseColor[static_cast<int>(c)] = static_cast<float>(value);
    }
    if (base.baseColorTexture.index >= 0) {
      material.base.image = images.ofTexture(base.baseColorTexture.index);
      noteTransform(base.baseColorTexture.extensions, "texture", source, scene.notes);
    }
    if (source.normalTexture.index >= 0) addNormalMap(source, images, material, scene.notes);
    material.alphaIsTintMask = hasTintMask(source.extras);
    material.doubleSided = source.doubleSided;
    scene.materials.push_back(std::move(material));
  }
}

}  // namespace ck::worker
