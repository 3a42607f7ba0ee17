#include "core/skinning/pose_thumbnail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/anim/pose.h"
#include "core/base/assert.h"
#include "core/skinning/cpu_skinning.h"

namespace ck {
namespace {

// Every pixel is the average of 3 x 3 samples.
constexpr int kSamples = 3;
constexpr double kTurn = 0.55;  // radians about the vertical axis
constexpr double kTilt = 0.16;  // radians from above

struct Corner {
  glm::dvec3 place{0.0};  // in samples to the right and down; depth increases away from the viewer
  glm::dvec3 normal{0.0, 1.0, 0.0};
  glm::dvec2 uv{0.0};
};

struct Canvas {
  int width = 0;
  int height = 0;
  std::vector<float> depth;
  std::vector<glm::vec4> color;  // linear; alpha 0 where nothing is drawn

  Canvas(int wide, int high)
      : width(wide),
        height(high),
        depth(sampleAt(0, high), std::numeric_limits<float>::max()),
        color(depth.size(), glm::vec4(0.0f)) {}

  std::size_t sampleAt(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
  // Draws a sample if nothing nearer is there. `lit` gives its colour.
  template <class Lit>
  void draw(int x, int y, double z, Lit&& lit) {
    const std::size_t at = sampleAt(x, y);
    if (static_cast<float>(z) >= depth[at]) return;
    depth[at] = static_cast<float>(z);
    color[at] = glm::vec4(glm::vec3(lit()), 1.0f);
  }
};

double toLinear(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}
double toSrgb(double linear) {
  const double value = std::clamp(linear, 0.0, 1.0);
  return value <= 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1.0 / 2.4) - 0.055;
}

glm::dmat3 viewTurn() {
  const double c = std::cos(kTurn);
  const double s = std::sin(kTurn);
  const glm::dmat3 turn(glm::dvec3(c, 0.0, -s), glm::dvec3(0.0, 1.0, 0.0), glm::dvec3(s, 0.0, c));
  const double ct = std::cos(kTilt);
  const double st = std::sin(kTilt);
  const glm::dmat3 tilt(glm::dvec3(1.0, 0.0, 0.0), glm::dvec3(0.0, ct, st),
                        glm::dvec3(0.0, -st, ct));
  return tilt * turn;
}

// The material of a mesh.
class Paint {
 public:
  Paint(const Character& character, const Mesh& mesh) {
    if (mesh.material < 0) return;
    const Material& material = character.materials[static_cast<std::size_t>(mesh.material)];
    base_ = glm::dvec3(material.baseColor);
    if (material.base.image >= 0 && !mesh.uvs.empty()) {
      image_ = &character.images[static_cast<std::size_t>(material.base.image)];
    }
  }

  glm::dvec3 at(const glm::dvec2& uv) const {
    if (image_ == nullptr || image_->rgba.empty()) return base_;
    const auto texel = [](double t, int size) {
      const int at = static_cast<int>((t - std::floor(t)) * size);
      return static_cast<std::size_t>(std::clamp(at, 0, size - 1));
    };
    const std::size_t index =
        (texel(uv.y, image_->height) * static_cast<std::size_t>(image_->width) +
         texel(uv.x, image_->width)) *
        4;
    glm::dvec3 color(0.0);
    for (int i = 0; i < 3; ++i) {
      color[i] = toLinear(image_->rgba[index + static_cast<std::size_t>(i)] / 255.0);
    }
    return color * base_;
  }

 private:
  glm::dvec3 base_{0.8};
  const Image* image_ = nullptr;
};

// A light from the upper left in front, light from the sky, and a rim light against the dark panel.
glm::dvec3 lit(const glm::dvec3& color, const glm::dvec3& normal) {
  const glm::dvec3 n = glm::normalize(normal);
  const double key = std::max(0.0, glm::dot(n, glm::normalize(glm::dvec3(-0.45, 0.65, 0.7))));
  const double sky = 0.5 + 0.5 * n.y;
  const double edge = 1.0 - std::abs(n.z);
  return color * (0.16 + 0.22 * sky + 0.95 * key) + glm::dvec3(0.05 * edge * edge);
}

double area(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

void fillTriangle(Canvas& canvas, const std::array<Corner, 3>& t, const Paint& paint) {
  const double whole = area(t[0].place, t[1].place, t[2].place);
  if (!(std::abs(whole) > 1e-9)) return;
  // Clamp before converting to integers: vertices may lie far outside the image.
  const auto low = [&](int axis, int size) {
    const double least = std::min({t[0].place[axis], t[1].place[axis], t[2].place[axis]});
    return static_cast<int>(std::clamp(std::floor(least), 0.0, static_cast<double>(size)));
  };
  const auto high = [&](int axis, int size) {
    const double most = std::max({t[0].place[axis], t[1].place[axis], t[2].place[axis]});
    return static_cast<int>(std::clamp(std::ceil(most), -1.0, size - 1.0));
  };
  const int right = high(0, canvas.width);
  const int bottom = high(1, canvas.height);
  for (int y = low(1, canvas.height); y <= bottom; ++y) {
    for (int x = low(0, canvas.width); x <= right; ++x) {
      const glm::dvec3 here(x + 0.5, y + 0.5, 0.0);
      const double a = area(here, t[1].place, t[2].place) / whole;
      const double b = area(t[0].place, here, t[2].place) / whole;
      const double c = 1.0 - a - b;
      if (a < 0.0 || b < 0.0 || c < 0.0) continue;
      canvas.draw(x, y, a * t[0].place.z + b * t[1].place.z + c * t[2].place.z, [&] {
        return lit(paint.at(a * t[0].uv + b * t[1].uv + c * t[2].uv),
                   a * t[0].normal + b * t[1].normal + c * t[2].normal);
      });
    }
  }
}

struct Lens {
  glm::dmat3 turn;
  glm::dvec3 center;
  double samplesPerMeter;
  glm::dvec2 middle;

  glm::dvec3 placeOf(const glm::dvec3& v) const {
    const glm::dvec3 seen = turn * (v - center) * samplesPerMeter;
    return {middle.x + seen.x, middle.y - seen.y, -seen.z};
  }
};

void drawMesh(Canvas& canvas, const Lens& lens, const Character& character, const Mesh& mesh,
              std::span<const glm::dmat4> skinMatrices) {
  const SkinnedMesh posed =
      skinMesh(mesh, skinMatrices, {.influenceLimit = 0, .morphWeights = mesh.defaultMorphWeights});
  const Paint paint(character, mesh);
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    std::array<Corner, 3> triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = mesh.indices[i + k];
      triangle[k].place = lens.placeOf(posed.positions[v]);
      triangle[k].normal = lens.turn * posed.normals[v];
      if (!mesh.uvs.empty()) triangle[k].uv = glm::dvec2(mesh.uvs[v]);
    }
    // Back faces are lit as if their normals pointed to the viewer.
    const glm::dvec3 middle = triangle[0].normal + triangle[1].normal + triangle[2].normal;
    for (Corner& corner : triangle) {
      if (middle.z < 0.0) corner.normal = -corner.normal;
    }
    fillTriangle(canvas, triangle, paint);
  }
}

void drawDot(Canvas& canvas, const glm::dvec3& place, double radius) {
  const int reach = static_cast<int>(std::ceil(radius));
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      const int x = static_cast<int>(place.x) + dx;
      const int y = static_cast<int>(place.y) + dy;
      const double square = radius * radius - dx * dx - dy * dy;
      if (square < 0.0 || x < 0 || y < 0 || x >= canvas.width || y >= canvas.height) continue;
      canvas.draw(x, y, place.z - std::sqrt(square), [&] {
        return lit(glm::dvec3(0.55, 0.65, 0.8), glm::dvec3(dx, -dy, std::sqrt(square) + 1e-6));
      });
    }
  }
}

// The joint's global matrix is its skin matrix times the bind matrix.
void drawBones(Canvas& canvas, const Lens& lens, const Character& character,
               std::span<const glm::dmat4> skinMatrices) {
  const Rig& rig = character.rig;
  std::vector<glm::dvec3> places(rig.joints.size());
  std::vector<char> known(rig.joints.size(), 0);
  for (std::size_t i = 0; i < rig.skinJoints.size(); ++i) {
    const auto joint = static_cast<std::size_t>(rig.skinJoints[i].joint);
    places[joint] = lens.placeOf(
        glm::dvec3((skinMatrices[i] * affineInverse(rig.skinJoints[i].inverseBind))[3]));
    known[joint] = 1;
  }
  const double radius = std::max(1.5, canvas.height / 60.0);
  for (std::size_t j = 0; j < places.size(); ++j) {
    if (known[j] == 0) continue;
    const int parent = rig.joints[j].parent;
    const bool hasBone = parent >= 0 && known[static_cast<std::size_t>(parent)] != 0;
    const glm::dvec3 from = hasBone ? places[static_cast<std::size_t>(parent)] : places[j];
    const int steps = std::clamp(
        static_cast<int>(std::ceil(glm::distance(glm::dvec2(from), glm::dvec2(places[j])))), 1,
        4096);
    for (int s = 0; s <= steps; ++s) {
      drawDot(canvas, glm::mix(from, places[j], static_cast<double>(s) / steps), radius);
    }
  }
}

Image shrunk(const Canvas& canvas, int width, int height) {
  Image image;
  image.width = width;
  image.height = height;
  image.rgba.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      glm::dvec4 sum(0.0);
      for (int s = 0; s < kSamples * kSamples; ++s) {
        sum += glm::dvec4(canvas.color[canvas.sampleAt(x * kSamples + s % kSamples,
                                                       y * kSamples + s / kSamples)]);
      }
      const std::size_t at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                              static_cast<std::size_t>(x)) *
                             4;
      for (int i = 0; i < 3 && sum.w > 0.0; ++i) {
        image.rgba[at + static_cast<std::size_t>(i)] =
            static_cast<std::uint8_t>(std::lround(255.0 * toSrgb(sum[i] / sum.w)));
      }
      image.rgba[at + 3] =
          static_cast<std::uint8_t>(std::lround(255.0 * sum.w / (kSamples * kSamples)));
    }
  }
  return image;
}

}  // namespace

PoseView poseViewOf(const Character& character) {
  Bounds box = bindBounds(character);
  if (character.meshes.empty()) box = {glm::dvec3(-0.9, 0.0, -0.9), glm::dvec3(0.9, 1.8, 0.9)};
  const glm::dvec3 size = box.high - box.low;
  const double tallest = std::max({size.y, 0.8 * size.x, 0.8 * size.z, 1e-3});
  return {(box.low + box.high) * 0.5, 0.58 * tallest};
}

Image drawPose(const Character& character, std::span<const glm::dmat4> skinMatrices,
               const PoseView& view, int width, int height) {
  CK_ASSERT(width >= 1 && height >= 1 && width <= 2048 && height <= 2048);
  CK_ASSERT(skinMatrices.size() == character.rig.skinJoints.size());
  Canvas canvas(width * kSamples, height * kSamples);
  const Lens lens{viewTurn(), view.center, canvas.height * 0.5 / view.halfHeightMeters,
                  glm::dvec2(canvas.width * 0.5, canvas.height * 0.5)};
  for (const Mesh& mesh : character.meshes) {
    drawMesh(canvas, lens, character, mesh, skinMatrices);
  }
  if (character.meshes.empty()) drawBones(canvas, lens, character, skinMatrices);
  return shrunk(canvas, width, height);
}

}  // namespace ck
