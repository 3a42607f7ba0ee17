#include "core/skinning/pose_thumbnail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "core/anim/pose.h"
#include "core/base/assert.h"
#include "core/skinning/cpu_skinning.h"

namespace ck {
namespace {

// Every pixel is the average of 3 x 3 samples.
constexpr int kSamples = 3;
constexpr double kTurn = 0.55;   // radians about the vertical axis
constexpr double kTilt = 0.16;   // radians from above
constexpr float kSolid = 0.98f;  // alpha that hides what is behind

// The values that are mixed between the corners of a triangle.
struct Vertex {
  glm::dvec3 normal{0.0, 1.0, 0.0};
  glm::dvec2 uv{0.0};
  glm::dvec2 secondUv{0.0};
  glm::dvec4 color{1.0};
};

struct Corner {
  glm::dvec3 place{0.0};  // in samples to the right and down; depth increases away from the viewer
  Vertex vertex;
};

Vertex mixed(const std::array<Corner, 3>& t, const glm::dvec3& share) {
  const auto mix = [&t, &share](auto member) {
    return share.x * t[0].vertex.*member + share.y * t[1].vertex.*member +
           share.z * t[2].vertex.*member;
  };
  return {mix(&Vertex::normal), mix(&Vertex::uv), mix(&Vertex::secondUv), mix(&Vertex::color)};
}

// Light of a sample: what a surface shows, and the share of what is behind that it covers.
struct Shown {
  glm::dvec3 color{0.0};
  double alpha = 1.0;
};

struct Canvas {
  int width = 0;
  int height = 0;
  std::vector<float> depth;
  std::vector<glm::vec4> color;  // linear, times alpha; alpha 0 where nothing is drawn

  Canvas(int wide, int high)
      : width(wide),
        height(high),
        depth(sampleAt(0, high), std::numeric_limits<float>::max()),
        color(depth.size(), glm::vec4(0.0f)) {}

  std::size_t sampleAt(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
  // Draws a sample if nothing nearer is there. `shown` gives its Shown. Translucent samples are
  // laid over earlier ones and hide nothing that comes later.
  template <class Show>
  void draw(int x, int y, double z, Show&& show) {
    const std::size_t at = sampleAt(x, y);
    if (static_cast<float>(z) >= depth[at]) return;
    const Shown shown = show();
    if (shown.alpha <= 0.0) return;
    const auto alpha = static_cast<float>(shown.alpha);
    if (alpha >= kSolid) depth[at] = static_cast<float>(z);
    color[at] = glm::vec4(glm::vec3(shown.color) * alpha, alpha) + color[at] * (1.0f - alpha);
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

// A coordinate of a map as its wrap has it, in [0, 1].
double wrapped(double place, Wrap wrap) {
  if (wrap == Wrap::Clamp) return std::clamp(place, 0.0, 1.0);
  if (wrap == Wrap::Repeat) return place - std::floor(place);
  return 1.0 - std::abs(place - 2.0 * std::floor(place * 0.5) - 1.0);
}

// A map of a material on a mesh.
class Map {
 public:
  Map() = default;
  Map(const Character& character, const Mesh& mesh, const SurfaceMap& map) : map_(map) {
    usesSecond_ = map.uvSet == 1 && !mesh.secondUvs.empty();
    if (map.image < 0 || (!usesSecond_ && mesh.uvs.empty())) return;
    const Image& image = character.images[static_cast<std::size_t>(map.image)];
    if (!image.rgba.empty()) image_ = &image;
  }

  explicit operator bool() const { return image_ != nullptr; }

  // The nearest texel, each channel in [0, 1] as stored.
  glm::dvec4 at(const Vertex& vertex) const {
    const double c = std::cos(static_cast<double>(map_.rotation));
    const double s = std::sin(static_cast<double>(map_.rotation));
    const glm::dvec2 uv = glm::dvec2(map_.scale) * (usesSecond_ ? vertex.secondUv : vertex.uv);
    const glm::dvec2 place =
        glm::dvec2(map_.offset) + glm::dvec2(c * uv.x + s * uv.y, c * uv.y - s * uv.x);
    const auto texel = [](double t, int size) {
      return static_cast<std::size_t>(std::clamp(static_cast<int>(t * size), 0, size - 1));
    };
    const std::size_t index = (texel(wrapped(place.y, map_.wrapV), image_->height) *
                                   static_cast<std::size_t>(image_->width) +
                               texel(wrapped(place.x, map_.wrapU), image_->width)) *
                              4;
    glm::dvec4 value(0.0);
    for (int i = 0; i < 4; ++i) {
      value[i] = image_->rgba[index + static_cast<std::size_t>(i)] / 255.0;
    }
    return value;
  }

 private:
  SurfaceMap map_;
  bool usesSecond_ = false;
  const Image* image_ = nullptr;
};

glm::dvec3 toLinear(const glm::dvec4& srgb) {
  return {toLinear(srgb.x), toLinear(srgb.y), toLinear(srgb.z)};
}

// Light from the upper left in front and from the sky; and a rim light against the dark panel.
struct Light {
  glm::dvec3 taken;  // is multiplied with the colour
  glm::dvec3 added;
};
Light lightOn(const glm::dvec3& n) {
  const double key = std::max(0.0, glm::dot(n, glm::normalize(glm::dvec3(-0.45, 0.65, 0.7))));
  const double sky = 0.5 + 0.5 * n.y;
  const double edge = 1.0 - std::abs(n.z);
  return {glm::dvec3(0.16 + 0.22 * sky + 0.95 * key), glm::dvec3(0.05 * edge * edge)};
}

// The reflection on metal, roughly: a pale band above the horizon, a dark ground and the lamp.
double mirroredLight(const glm::dvec3& n, double roughness) {
  const glm::dvec3 r(2.0 * n.z * n.x, 2.0 * n.z * n.y, 2.0 * n.z * n.z - 1.0);
  const double soft = 0.08 + roughness;
  const double above = glm::smoothstep(-soft, soft, r.y);
  const double lamp = std::max(0.0, glm::dot(r, glm::normalize(glm::dvec3(-0.45, 0.65, 0.7))));
  return glm::mix(0.08, 0.75 - 0.35 * std::max(r.y, 0.0), above) +
         1.6 * std::pow(lamp, glm::mix(40.0, 3.0, std::sqrt(roughness))) * (1.0 - 0.6 * roughness);
}

glm::dvec3 lit(const glm::dvec3& color, const glm::dvec3& normal) {
  const Light light = lightOn(glm::normalize(normal));
  return color * light.taken + light.added;
}

// The material of a mesh.
class Paint {
 public:
  Paint(const Character& character, const Mesh& mesh) {
    if (mesh.material < 0) {
      material_.baseColor = glm::vec4(glm::vec3(mesh.colors.empty() ? 0.8f : 1.0f), 1.0f);
      return;
    }
    material_ = character.materials[static_cast<std::size_t>(mesh.material)];
    base_ = Map(character, mesh, material_.base);
    metalRoughness_ = Map(character, mesh, material_.metalRoughness);
    emissive_ = Map(character, mesh, material_.emissive);
  }

  // Whether the mesh is drawn after those that hide what is behind them.
  bool isBlended() const { return material_.alpha == AlphaMode::Blend; }

  Shown at(const Vertex& vertex) const {
    glm::dvec3 color = glm::dvec3(material_.baseColor) * glm::dvec3(vertex.color);
    double alpha = static_cast<double>(material_.baseColor.w) * vertex.color.w;
    if (base_) {
      const glm::dvec4 texel = base_.at(vertex);
      color *= toLinear(texel);
      if (!material_.alphaIsTintMask) alpha *= texel.w;
    }
    if (material_.alpha == AlphaMode::Opaque) alpha = 1.0;
    if (material_.alpha == AlphaMode::Mask) {
      alpha = alpha < static_cast<double>(material_.alphaCutoff) ? 0.0 : 1.0;
    }
    alpha = std::clamp(alpha, 0.0, 1.0);
    if (alpha <= 0.0 || material_.unlit) return {color, alpha};
    glm::dvec3 shown = mirrored(lit(color, vertex.normal), color, vertex);
    glm::dvec3 glow(material_.emission);
    if (emissive_) glow *= toLinear(emissive_.at(vertex));
    return {shown + glow, alpha};
  }

 private:
  // `rough` is the colour of a surface without metal.
  glm::dvec3 mirrored(const glm::dvec3& rough, const glm::dvec3& color,
                      const Vertex& vertex) const {
    double metallic = static_cast<double>(material_.metallic);
    double roughness = static_cast<double>(material_.roughness);
    if (metalRoughness_) {
      const glm::dvec4 texel = metalRoughness_.at(vertex);
      roughness *= texel.y;
      metallic *= texel.z;
    }
    if (metallic <= 0.0) return rough;
    const glm::dvec3 metal = color * mirroredLight(glm::normalize(vertex.normal), roughness);
    return glm::mix(rough, metal, metallic);
  }

  Material material_;
  Map base_;
  Map metalRoughness_;
  Map emissive_;
};

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
        return paint.at(mixed(t, {a, b, c}));
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

void drawMesh(Canvas& canvas, const Lens& lens, const Mesh& mesh, const Paint& paint,
              std::span<const glm::dmat4> skinMatrices) {
  const SkinnedMesh posed =
      skinMesh(mesh, skinMatrices, {.influenceLimit = 0, .morphWeights = mesh.defaultMorphWeights});
  std::vector<std::array<Corner, 3>> triangles;
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    std::array<Corner, 3> triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = mesh.indices[i + k];
      triangle[k].place = lens.placeOf(posed.positions[v]);
      Vertex& vertex = triangle[k].vertex;
      vertex.normal = lens.turn * posed.normals[v];
      if (!mesh.uvs.empty()) vertex.uv = glm::dvec2(mesh.uvs[v]);
      if (!mesh.secondUvs.empty()) vertex.secondUv = glm::dvec2(mesh.secondUvs[v]);
      if (!mesh.colors.empty()) vertex.color = glm::dvec4(mesh.colors[v]);
    }
    // Back faces are lit as if their normals pointed to the viewer.
    const glm::dvec3 middle =
        triangle[0].vertex.normal + triangle[1].vertex.normal + triangle[2].vertex.normal;
    for (Corner& corner : triangle) {
      if (middle.z < 0.0) corner.vertex.normal = -corner.vertex.normal;
    }
    triangles.push_back(triangle);
  }
  // Translucent surfaces are drawn from the back to the front.
  const auto depthOf = [](const std::array<Corner, 3>& t) {
    return t[0].place.z + t[1].place.z + t[2].place.z;
  };
  if (paint.isBlended()) std::ranges::stable_sort(triangles, std::greater(), depthOf);
  for (const std::array<Corner, 3>& triangle : triangles) fillTriangle(canvas, triangle, paint);
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
        return Shown{
            lit(glm::dvec3(0.55, 0.65, 0.8), glm::dvec3(dx, -dy, std::sqrt(square) + 1e-6))};
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
  for (const bool blended : {false, true}) {
    for (const Mesh& mesh : character.meshes) {
      const Paint paint(character, mesh);
      if (paint.isBlended() == blended) drawMesh(canvas, lens, mesh, paint, skinMatrices);
    }
  }
  if (character.meshes.empty()) drawBones(canvas, lens, character, skinMatrices);
  return shrunk(canvas, width, height);
}

}  // namespace ck
