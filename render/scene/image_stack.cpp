#include "render/scene/image_stack.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/gl/context.h"
#include "render/scene/surface_features.h"

namespace ck::render {
namespace {

constexpr int kLargestSide = 1024;
constexpr std::size_t kByteBudget = 256u << 20;

// The old pixels that contribute to a new pixel along one axis, with their weights.
struct Taps {
  int first = 0;
  std::vector<float> weights;  // sum 1
};

std::vector<Taps> tapsFor(int from, int to) {
  std::vector<Taps> all(static_cast<std::size_t>(to));
  const double scale = static_cast<double>(from) / to;
  // A tent filter as wide as the larger of the two pixels: averages when shrinking, interpolates
  // linearly when enlarging.
  const double reach = std::max(scale, 1.0);
  for (int i = 0; i < to; ++i) {
    Taps& taps = all[static_cast<std::size_t>(i)];
    const double center = (i + 0.5) * scale;
    taps.first = std::max(0, static_cast<int>(std::floor(center - reach)));
    const int last = std::min(from - 1, static_cast<int>(std::ceil(center + reach)));
    double sum = 0.0;
    for (int p = taps.first; p <= last; ++p) {
      const double weight = std::max(0.0, 1.0 - std::abs(p + 0.5 - center) / reach);
      taps.weights.push_back(static_cast<float>(weight));
      sum += weight;
    }
    for (float& weight : taps.weights) weight /= static_cast<float>(sum);
  }
  return all;
}

struct Size {
  int width = 1;
  int height = 1;
};

Size commonSize(const Character& character, const std::vector<bool>& used, std::size_t layers) {
  Size size;
  for (std::size_t p = 0; p < used.size(); ++p) {
    if (!used[p]) continue;
    size.width = std::max(size.width, character.images[p].width);
    size.height = std::max(size.height, character.images[p].height);
  }
  size.width = std::min(size.width, kLargestSide);
  size.height = std::min(size.height, kLargestSide);
  const auto bytes = [&] {
    return layers * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) *
           16 / 3;
  };
  while (bytes() > kByteBudget && (size.width > 1 || size.height > 1)) {
    size.width = std::max(1, size.width / 2);
    size.height = std::max(1, size.height / 2);
  }
  return size;
}

void uploadLayer(const Image& image, int layer) {
  glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, image.width, image.height, 1, GL_RGBA,
                  GL_UNSIGNED_BYTE, image.rgba.data());
}

void setFiltering() {
  glGenerateMipmap(GL_TEXTURE_2D_ARRAY);
  // In software every sample is expensive. One mipmap level without anisotropy looks nearly the
  // same on small actors.
  const auto facts = readContextFacts();
  const bool software = facts && facts->software;
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER,
                  software ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_REPEAT);
  if (!software && epoxy_has_gl_extension("GL_EXT_texture_filter_anisotropic")) {
    GLfloat most = 1.0f;
    glGetFloatv(GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, &most);
    glTexParameterf(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_ANISOTROPY_EXT, std::min(most, 4.0f));
  }
}

// The images that the meshes use.
std::vector<bool> usedImages(const Character& character, ImageUse use) {
  std::vector<bool> used(character.images.size(), false);
  for (const Mesh& mesh : character.meshes) {
    if (mesh.material < 0) continue;
    const Material& material = character.materials[static_cast<std::size_t>(mesh.material)];
    const auto add = [&used](const SurfaceMap& map, bool shown) {
      if (map && shown) used[static_cast<std::size_t>(map.image)] = true;
    };
    if (use == ImageUse::Color) {
      add(material.base, true);
      add(material.emissive,
          material.emission != glm::vec3(0.0f) && hasUvsFor(mesh, material.emissive));
    } else {
      add(material.normal, !mesh.tangents.empty() && hasUvsFor(mesh, material.normal));
      add(material.metalRoughness, hasUvsFor(mesh, material.metalRoughness));
    }
  }
  return used;
}

// Each new pixel is the mean of the area that it covers, or linearly interpolated where the image
// is enlarged.
Image resized(const Image& image, int width, int height) {
  if (image.width == width && image.height == height) return image;
  const std::vector<Taps> across = tapsFor(image.width, width);
  const std::vector<Taps> down = tapsFor(image.height, height);
  std::vector<float> rows(static_cast<std::size_t>(image.height) * static_cast<std::size_t>(width) *
                          4);
  const auto rowOf = [](int y, int rowWidth) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(rowWidth) * 4;
  };
  for (int y = 0; y < image.height; ++y) {
    for (std::size_t x = 0; x < across.size(); ++x) {
      for (std::size_t c = 0; c < 4; ++c) {
        float sum = 0.0f;
        for (std::size_t t = 0; t < across[x].weights.size(); ++t) {
          const std::size_t p = static_cast<std::size_t>(across[x].first) + t;
          sum += across[x].weights[t] * image.rgba[rowOf(y, image.width) + p * 4 + c];
        }
        rows[rowOf(y, width) + x * 4 + c] = sum;
      }
    }
  }
  Image out{image.name, width, height, {}};
  out.rgba.resize(rowOf(height, width));
  for (int y = 0; y < height; ++y) {
    const Taps& taps = down[static_cast<std::size_t>(y)];
    for (std::size_t i = 0; i < static_cast<std::size_t>(width) * 4; ++i) {
      float sum = 0.0f;
      for (std::size_t t = 0; t < taps.weights.size(); ++t) {
        sum += taps.weights[t] * rows[rowOf(taps.first + static_cast<int>(t), width) + i];
      }
      out.rgba[rowOf(y, width) + i] =
          static_cast<std::uint8_t>(std::clamp(sum + 0.5f, 0.0f, 255.0f));
    }
  }
  return out;
}

}  // namespace

Result<ImageStack> uploadImages(const Character& character, ImageUse use) {
  const std::vector<bool> used = usedImages(character, use);
  const auto wanted = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  if (wanted == 0 && use == ImageUse::Data) return ImageStack{};
  const std::size_t layers = std::max<std::size_t>(1, wanted);
  GLint limit = 0;
  glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &limit);
  if (layers > static_cast<std::size_t>(limit)) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("{}: {} pictures are used, and this graphics driver draws {} at once",
                            character.name, wanted, limit));
  }
  const Size size = commonSize(character, used, layers);
  ImageStack stack;
  stack.texture = GlHandle::generate(GlKind::Texture);
  stack.layerOf.assign(character.images.size(), -1);
  stack.bytes = layers * static_cast<std::size_t>(size.width) *
                static_cast<std::size_t>(size.height) * 16 / 3;
  drainGlErrors();
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D_ARRAY, stack.texture.name());
  const GLint format = use == ImageUse::Color ? GL_SRGB8_ALPHA8 : GL_RGBA8;
  glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, format, size.width, size.height,
               static_cast<GLsizei>(layers), 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  int layer = 0;
  for (std::size_t p = 0; p < used.size(); ++p) {
    if (!used[p]) continue;
    stack.layerOf[p] = layer;
    uploadLayer(resized(character.images[p], size.width, size.height), layer++);
  }
  if (layer == 0) {
    uploadLayer({"white", size.width, size.height, std::vector<std::uint8_t>(4, 255)}, 0);
  }
  setFiltering();
  glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
  if (outOfGlMemory()) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("{}: the graphics driver has no memory for its {} pictures ({} MB)",
                            character.name, layers, stack.bytes / 1000000));
  }
  return stack;
}

}  // namespace ck::render
