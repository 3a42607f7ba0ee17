#include "core/import/worker/assembly/surface_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/import/worker/assembly/image_decode.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr double kDielectric = 0.04;  // what a surface that is no metal reflects

std::uint8_t byteOf(double share) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * 255.0));
}

double brightness(const glm::dvec3& color) {
  return std::sqrt(glm::dot(glm::dvec3(0.299, 0.587, 0.114), color * color));
}

double largest(const glm::dvec3& color) {
  return std::max({color.x, color.y, color.z});
}

const std::array<double, 256>& linearBytes() {
  static const std::array<double, 256> table = [] {
    std::array<double, 256> made = {};
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i] = linearOf(static_cast<double>(i) / 255.0);
    }
    return made;
  }();
  return table;
}

// Texels of an image that is stretched over another size: the nearest of them. White without one.
class Stretched {
 public:
  Stretched(const Image* image, int width, int height)
      : image_(image), width_(width), height_(height) {}

  const std::uint8_t* at(int x, int y) const {
    static constexpr std::uint8_t kWhite[4] = {255, 255, 255, 255};
    if (image_ == nullptr) return kWhite;
    const auto from = [](int place, int size, int of) {
      return std::size_t(std::int64_t{2} * place + 1) * std::size_t(of) / (2 * std::size_t(size));
    };
    return &image_->rgba[(from(y, height_, image_->height) * std::size_t(image_->width) +
                          from(x, width_, image_->width)) *
                         4];
  }

 private:
  const Image* image_;
  int width_;
  int height_;
};

// An empty image as large as the larger of both; 1 x 1 without any.
Image largerOf(const Image* a, const Image* b) {
  Image image;
  image.width = 1;
  image.height = 1;
  for (const Image* one : {a, b}) {
    if (one == nullptr) continue;
    image.width = std::max(image.width, one->width);
    image.height = std::max(image.height, one->height);
    if (image.name.empty()) image.name = one->name;
  }
  image.rgba.reserve(std::size_t(image.width) * std::size_t(image.height) * 4);
  return image;
}

void put(Image& image, std::uint8_t r, std::uint8_t g, std::uint8_t b, std::uint8_t a) {
  image.rgba.insert(image.rgba.end(), {r, g, b, a});
}

double meanOf(const std::uint8_t* texel) {
  return (texel[0] + texel[1] + texel[2]) / 3.0;
}

// How much of a metal a surface is that scatters and reflects so brightly.
double metallicOf(double scattered, double reflected, double notReflected) {
  if (reflected < kDielectric) return 0.0;
  const double b = scattered * notReflected / (1.0 - kDielectric) + reflected - 2.0 * kDielectric;
  const double c = kDielectric - reflected;
  const double root = std::sqrt(std::max(b * b - 4.0 * kDielectric * c, 0.0));
  return std::clamp((root - b) / (2.0 * kDielectric), 0.0, 1.0);
}

}  // namespace

double linearOf(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double displayOf(double value) {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1.0 / 2.4) - 0.055;
}

glm::vec4 linearColor(const glm::vec4& color) {
  const auto part = [](float value) { return value > 0.0f && value < 1e6f ? value : 0.0f; };
  glm::vec4 linear(0.0f, 0.0f, 0.0f, std::min(part(color.w), 1.0f));
  for (int c = 0; c < 3; ++c) linear[c] = static_cast<float>(linearOf(part(color[c])));
  return linear;
}

AlphaUse alphaUseOf(const Image& image) {
  constexpr std::uint8_t kGone = 13;    // 5 %
  constexpr std::uint8_t kThere = 242;  // 95 %
  std::size_t less = 0;
  std::size_t between = 0;
  for (std::size_t at = 3; at < image.rgba.size(); at += 4) {
    const std::uint8_t alpha = image.rgba[at];
    less += alpha < kThere ? 1 : 0;
    between += alpha > kGone && alpha < kThere ? 1 : 0;
  }
  // A few texels are what scaling or compressing leaves along edges.
  const std::size_t count = image.rgba.size() / 4;
  if (less * 2'000 <= count) return AlphaUse::None;
  return between * 4 <= less ? AlphaUse::Cut : AlphaUse::Shaded;
}

Image withOpacity(const Image& colors, const Image& opacity, bool inverted) {
  Image result = largerOf(&colors, &opacity);
  const Stretched color(&colors, result.width, result.height);
  const Stretched cover(&opacity, result.width, result.height);
  const bool inAlpha = alphaUseOf(opacity) != AlphaUse::None;
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < result.width; ++x) {
      const std::uint8_t* texel = color.at(x, y);
      const std::uint8_t* share = cover.at(x, y);
      const double alpha = inAlpha ? share[3] : meanOf(share);
      put(result, texel[0], texel[1], texel[2],
          byteOf((inverted && !inAlpha ? 255.0 - alpha : alpha) / 255.0));
    }
  }
  return result;
}

bool isPlacedAs(const SurfaceMap& a, SurfaceMap b) {
  b.image = a.image;
  return a == b;
}

bool setOpacity(const SurfaceMap& map, bool inverted, Material& material, SourceScene& scene) {
  if (material.base && !isPlacedAs(material.base, map)) return false;
  const auto imageOf = [&scene](const SurfaceMap& one) -> const Image& {
    return scene.images[static_cast<std::size_t>(one.image)];
  };
  AlphaUse use = AlphaUse::None;
  if (material.base.image == map.image) {
    use = alphaUseOf(imageOf(map));
  } else {
    const Image white{imageOf(map).name, 1, 1, {255, 255, 255, 255}};
    Image made =
        withOpacity(material.base ? imageOf(material.base) : white, imageOf(map), inverted);
    use = alphaUseOf(made);
    if (use == AlphaUse::None) return true;
    material.base = map;
    material.base.image = addImage(std::move(made), scene);
  }
  if (use == AlphaUse::Cut) material.alpha = AlphaMode::Mask;
  if (use == AlphaUse::Shaded) material.alpha = AlphaMode::Blend;
  return true;
}

Image metalRoughnessOf(const Image* metallic, const Image* roughness, bool glossy) {
  Image result = largerOf(metallic, roughness);
  const Stretched metal(metallic, result.width, result.height);
  const Stretched rough(roughness, result.width, result.height);
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < result.width; ++x) {
      const double mean = meanOf(rough.at(x, y)) / 255.0;
      put(result, 255, byteOf(glossy ? 1.0 - mean : mean), byteOf(meanOf(metal.at(x, y)) / 255.0),
          255);
    }
  }
  return result;
}

MetalSurface metalSurfaceOf(const GlossySurface& glossy) {
  constexpr double kSmall = 1e-6;
  const double notReflected = 1.0 - largest(glossy.specular);
  MetalSurface surface;
  surface.metallic =
      metallicOf(brightness(glossy.diffuse), brightness(glossy.specular), notReflected);
  const double metallic = surface.metallic;
  const glm::dvec3 fromDiffuse =
      glossy.diffuse * (notReflected / (1.0 - kDielectric) / std::max(1.0 - metallic, kSmall));
  const glm::dvec3 fromSpecular =
      (glossy.specular - kDielectric * (1.0 - metallic)) / std::max(metallic, kSmall);
  surface.base = glm::clamp(glm::mix(fromDiffuse, fromSpecular, metallic * metallic), 0.0, 1.0);
  surface.roughness = std::clamp(1.0 - glossy.glossiness, 0.0, 1.0);
  return surface;
}

MetalMaps metalMapsOf(const Image* colors, const Image* gloss, const GlossySurface& factor) {
  MetalMaps maps;
  maps.base = largerOf(colors, gloss);
  maps.metalRoughness = largerOf(colors, gloss);
  const Stretched color(colors, maps.base.width, maps.base.height);
  const Stretched shine(gloss, maps.base.width, maps.base.height);
  const std::array<double, 256>& linear = linearBytes();
  const auto linearTexel = [&linear](const std::uint8_t* texel) {
    return glm::dvec3(linear[texel[0]], linear[texel[1]], linear[texel[2]]);
  };
  const auto surfaceAt = [&](int x, int y) {
    const std::uint8_t* reflected = shine.at(x, y);
    return metalSurfaceOf({.diffuse = factor.diffuse * linearTexel(color.at(x, y)),
                           .specular = factor.specular * linearTexel(reflected),
                           .glossiness = factor.glossiness * reflected[3] / 255.0});
  };
  for (int y = 0; y < maps.base.height; ++y) {
    for (int x = 0; x < maps.base.width; ++x) {
      const std::uint8_t* texel = color.at(x, y);
      const MetalSurface surface = surfaceAt(x, y);
      put(maps.base, byteOf(displayOf(surface.base.x)), byteOf(displayOf(surface.base.y)),
          byteOf(displayOf(surface.base.z)), texel[3]);
      put(maps.metalRoughness, 255, byteOf(surface.roughness), byteOf(surface.metallic), 255);
    }
  }
  const std::vector<std::uint8_t>& texels = maps.metalRoughness.rgba;
  maps.isUniform = std::equal(texels.begin() + 4, texels.end(), texels.begin());
  const MetalSurface first = surfaceAt(0, 0);  // not rounded to bytes
  maps.roughness = first.roughness;
  maps.metallic = first.metallic;
  return maps;
}

void noteMissingUvs(SourceScene& scene) {
  for (const SourceMesh& source : scene.meshes) {
    const Mesh& mesh = source.mesh;
    if (mesh.material < 0) continue;
    const Material& material = scene.materials[static_cast<std::size_t>(mesh.material)];
    const auto isBare = [&mesh](const SurfaceMap* map) {
      return *map && (map->uvSet == 0 ? mesh.uvs : mesh.secondUvs).empty();
    };
    if (std::ranges::none_of(
            std::array{&material.base, &material.metalRoughness, &material.emissive}, isBare)) {
      continue;
    }
    warn(scene.notes, "UvsMissing",
         fmt::format("mesh '{}' lacks the texture coordinates of a picture on its material, which "
                     "is not shown; unwrap it to see the picture",
                     cleanText(mesh.name)));
  }
}

void dropUnusedImages(SourceScene& scene) {
  std::vector<int> places(scene.images.size(), -1);
  std::vector<Image> kept;
  for (Material& material : scene.materials) {
    for (SurfaceMap* map :
         {&material.base, &material.normal, &material.metalRoughness, &material.emissive}) {
      if (!*map) continue;
      int& place = places[static_cast<std::size_t>(map->image)];
      if (place < 0) {
        place = static_cast<int>(kept.size());
        kept.push_back(std::move(scene.images[static_cast<std::size_t>(map->image)]));
      }
      map->image = place;
    }
  }
  scene.images = std::move(kept);
}

}  // namespace ck::worker
