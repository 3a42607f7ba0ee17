#include "core/export/targets/one_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>

namespace ck {
namespace {

constexpr int kBorder = 8;       // texels around a picture: three mip levels
constexpr int kPlainTexels = 8;  // side of a square of one colour
constexpr glm::vec4 kWhite(1.0f);

double linearOf(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}
double srgbOf(double linear) {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

std::uint8_t byteOf(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255.0));
}

// The picture of a material, opaque and in its colour. Without one, a square of the colour.
Image tileOf(const Character& character, int materialIndex) {
  const Material material =
      materialIndex < 0 ? Material{} : character.materials[std::size_t(materialIndex)];
  Image tile;
  if (material.base.image >= 0) {
    tile = character.images[std::size_t(material.base.image)];
  } else {
    tile.width = kPlainTexels;
    tile.height = kPlainTexels;
    tile.rgba.assign(std::size_t(kPlainTexels) * kPlainTexels * 4, 255);
  }
  tile.name = "albedo";
  tile.file.clear();
  std::array<std::array<std::uint8_t, 256>, 3> table;
  for (int channel = 0; channel < 3; ++channel) {
    const double factor = std::clamp(double(material.baseColor[channel]), 0.0, 1.0);
    for (std::size_t value = 0; value < 256; ++value) {
      table[std::size_t(channel)][value] =
          byteOf(srgbOf(factor * linearOf(static_cast<double>(value) / 255.0)));
    }
  }
  for (std::size_t i = 0; i < tile.rgba.size(); i += 4) {
    for (std::size_t channel = 0; channel < 3; ++channel) {
      tile.rgba[i + channel] = table[channel][tile.rgba[i + channel]];
    }
    tile.rgba[i + 3] = 255;
  }
  return tile;
}

// Half as wide and half as high, at least one texel, by averages.
Image halved(const Image& image) {
  Image half;
  half.name = image.name;
  half.width = std::max(1, image.width / 2);
  half.height = std::max(1, image.height / 2);
  half.rgba.reserve(std::size_t(half.width) * std::size_t(half.height) * 4);
  for (int y = 0; y < half.height; ++y) {
    for (int x = 0; x < half.width; ++x) {
      for (std::size_t channel = 0; channel < 4; ++channel) {
        double sum = 0.0;
        for (int corner = 0; corner < 4; ++corner) {
          const int column = std::min(2 * x + corner % 2, image.width - 1);
          const int row = std::min(2 * y + corner / 2, image.height - 1);
          const std::size_t at =
              (std::size_t(row) * std::size_t(image.width) + std::size_t(column)) * 4;
          sum += linearOf(image.rgba[at + channel] / 255.0);
        }
        half.rgba.push_back(channel == 3 ? 255 : byteOf(srgbOf(0.25 * sum)));
      }
    }
  }
  return half;
}

struct Place {
  int x = 0;  // of the tile's first texel inside its border
  int y = 0;
};
struct Packed {
  int width = 0;
  int height = 0;
  std::vector<Place> places;  // one per tile
};

int powerOfTwo(int least) {
  int size = 1;
  while (size < least) size *= 2;
  return size;
}

// Tiles on shelves, the highest first, in a picture whose sides are powers of two.
Packed pack(const std::vector<Image>& tiles) {
  std::vector<std::size_t> order(tiles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return tiles[i].height; });
  double area = 0.0;
  int widest = 0;
  for (const Image& tile : tiles) {
    area += double(tile.width + 2 * kBorder) * (tile.height + 2 * kBorder);
    widest = std::max(widest, tile.width + 2 * kBorder);
  }
  Packed packed;
  packed.width = powerOfTwo(std::max(widest, static_cast<int>(std::ceil(std::sqrt(area)))));
  packed.places.resize(tiles.size());
  int x = 0;
  int y = 0;
  int shelf = 0;
  for (const std::size_t i : order) {
    const int width = tiles[i].width + 2 * kBorder;
    if (x + width > packed.width) {
      x = 0;
      y += shelf;
      shelf = 0;
    }
    packed.places[i] = {x + kBorder, y + kBorder};
    x += width;
    shelf = std::max(shelf, tiles[i].height + 2 * kBorder);
  }
  packed.height = powerOfTwo(y + shelf);
  return packed;
}

// Draws a tile with its border, which repeats the tile's edge.
void draw(const Image& tile, const Place& place, Image& picture) {
  for (int y = -kBorder; y < tile.height + kBorder; ++y) {
    for (int x = -kBorder; x < tile.width + kBorder; ++x) {
      const int column = std::clamp(x, 0, tile.width - 1);
      const int row = std::clamp(y, 0, tile.height - 1);
      const std::size_t from =
          (std::size_t(row) * std::size_t(tile.width) + std::size_t(column)) * 4;
      const std::size_t to =
          (std::size_t(place.y + y) * std::size_t(picture.width) + std::size_t(place.x + x)) * 4;
      std::copy_n(tile.rgba.begin() + std::ptrdiff_t(from), 4,
                  picture.rgba.begin() + std::ptrdiff_t(to));
    }
  }
}

// Where the picture of the mesh's material lies at each vertex.
std::vector<glm::vec2> uvsOf(const Character& character, const Mesh& mesh) {
  const SurfaceMap map =
      mesh.material < 0 ? SurfaceMap{} : character.materials[std::size_t(mesh.material)].base;
  const bool second = map.uvSet == 1 && !mesh.secondUvs.empty();
  std::vector<glm::vec2> uvs = second ? mesh.secondUvs : mesh.uvs;
  if (uvs.empty()) uvs.resize(mesh.positions.size(), glm::vec2(0.0f));
  if (map.offset == glm::vec2(0.0f) && map.rotation == 0.0f && map.scale == glm::vec2(1.0f)) {
    return uvs;
  }
  const glm::mat2 turn(std::cos(map.rotation), -std::sin(map.rotation), std::sin(map.rotation),
                       std::cos(map.rotation));
  for (glm::vec2& uv : uvs) uv = map.offset + turn * (map.scale * uv);
  return uvs;
}

// The uvs of a mesh in the picture. A surface that lies in another repeat of its tile is moved into
// the first; what then lies outside is cut, and `cuts` is set.
std::vector<glm::vec2> movedUvs(std::vector<glm::vec2> uvs, const Image& tile, const Place& place,
                                const Packed& packed, bool isPlain, bool& cuts) {
  constexpr float kRounding = 1e-3f;
  glm::vec2 low(std::numeric_limits<float>::max());
  for (const glm::vec2& uv : uvs) low = glm::min(low, uv);
  const glm::vec2 repeat = glm::floor(low + kRounding);
  const glm::vec2 size(tile.width, tile.height);
  const glm::vec2 whole(packed.width, packed.height);
  for (glm::vec2& uv : uvs) {
    glm::vec2 inside = isPlain ? glm::vec2(0.5f) : uv - repeat;
    cuts = cuts || glm::any(glm::greaterThan(inside, glm::vec2(1.0f + kRounding)));
    inside = glm::clamp(inside, 0.0f, 1.0f);
    uv = (glm::vec2(place.x, place.y) + inside * size) / whole;
  }
  return uvs;
}

bool isPlain(const Character& character, int material) {
  return material < 0 || character.materials[std::size_t(material)].base.image < 0;
}

bool isWhite(const Character& character, int material) {
  return isPlain(character, material) &&
         (material < 0 ||
          glm::vec3(character.materials[std::size_t(material)].baseColor) == glm::vec3(kWhite));
}

}  // namespace

OnePicture onePictureOf(const Character& character, int mostTexels) {
  // Materials in the order of their first mesh.
  std::vector<int> materials;
  for (const Mesh& mesh : character.meshes) {
    if (std::ranges::find(materials, mesh.material) == materials.end()) {
      materials.push_back(mesh.material);
    }
  }
  OnePicture result;
  std::vector<Image> tiles;
  for (const int material : materials) tiles.push_back(tileOf(character, material));
  const auto tooLarge = [&](const Image& tile) {
    return tile.width > mostTexels || tile.height > mostTexels;
  };
  const bool allWhite =
      std::ranges::all_of(materials, [&](int material) { return isWhite(character, material); });
  if (tiles.size() <= 1 || allWhite) {
    for (const Mesh& mesh : character.meshes) result.uvs.push_back(uvsOf(character, mesh));
    if (allWhite) return result;
    result.image = tiles.front();
    while (tooLarge(*result.image)) {
      result.image = halved(*result.image);
      result.isShrunk = true;
    }
    return result;
  }
  Packed packed = pack(tiles);
  while (packed.width > mostTexels || packed.height > mostTexels) {
    const auto largest = std::ranges::max_element(
        tiles, {}, [](const Image& tile) { return std::int64_t{tile.width} * tile.height; });
    *largest = halved(*largest);
    result.isShrunk = true;
    packed = pack(tiles);
  }
  Image picture;
  picture.name = "albedo";
  picture.width = packed.width;
  picture.height = packed.height;
  picture.rgba.assign(std::size_t(packed.width) * std::size_t(packed.height) * 4, 255);
  for (std::size_t i = 0; i < tiles.size(); ++i) draw(tiles[i], packed.places[i], picture);
  for (const Mesh& mesh : character.meshes) {
    const auto i =
        static_cast<std::size_t>(std::ranges::find(materials, mesh.material) - materials.begin());
    result.uvs.push_back(movedUvs(uvsOf(character, mesh), tiles[i], packed.places[i], packed,
                                  isPlain(character, mesh.material), result.cutsRepeats));
  }
  result.image = std::move(picture);
  return result;
}

}  // namespace ck
