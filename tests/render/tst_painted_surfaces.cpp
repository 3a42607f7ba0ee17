#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/skinning/cpu_skinning.h"
#include "render/gl/handle.h"
#include "render/scene/surface_features.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::differentPixels;

namespace {

constexpr int kSide = 120;
constexpr double kAway = 4.0;

// The sRGB curve.
double coded(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055;
}
double decoded(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}
// From light to the screen: the fraction of shaders/crowd/look.glsl.
double filmic(double x) {
  const double s = std::sqrt(x);
  return (x * 5.45612364 - s * 0.09860762) / (x * 5.47887672 - s * 0.51478344 + 1.0);
}
double beforeFilmic(double shown) {
  double low = 0.0;
  double high = 16.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (filmic(middle) < shown ? low : high) = middle;
  }
  return low;
}

// A square of two metres in the plane of x and y about (0, 1, 0), facing +z. u runs to the right
// and v down, both from 0 to 1.
ck::Character square(const ck::Material& material) {
  ck::Character one = ck::test::barCharacter();
  ck::Mesh mesh;
  mesh.name = "Square";
  mesh.material = 0;
  mesh.indices = {0, 1, 2, 2, 1, 3};
  mesh.influenceStarts.push_back(0);
  for (int corner = 0; corner < 4; ++corner) {
    const auto right = static_cast<float>(corner % 2);
    const auto high = static_cast<float>(corner / 2);
    mesh.positions.emplace_back(2.0f * right - 1.0f, 2.0f * high, 0.0f);
    mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
    mesh.uvs.emplace_back(right, 1.0f - high);
    mesh.influences.push_back({0, 1.0f});
    mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
  }
  one.meshes = {mesh};
  one.materials = {material};
  one.materials[0].doubleSided = true;
  return one;
}

ck::Material unlit(const glm::vec4& color = glm::vec4(1.0f)) {
  ck::Material material;
  material.baseColor = color;
  material.unlit = true;
  return material;
}

ck::Image image(int side, const std::function<std::array<int, 4>(int x, int y)>& texel) {
  ck::Image made{"made", side, side, {}};
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      for (const int value : texel(x, y)) made.rgba.push_back(static_cast<std::uint8_t>(value));
    }
  }
  return made;
}

// Texels without any order.
ck::Image motley() {
  return image(8, [](int x, int y) -> std::array<int, 4> {
    const int seed = x * 7919 + y * 104729 + 13;
    return {seed * 31 % 256, seed * 57 % 256, seed * 91 % 256, 255};
  });
}

ck::render::Camera camera() {
  return ck::render::lookFrom({0.0, 1.0, kAway}, {0.0, 1.0, 0.0});
}

// Where the centre of a pixel lies on the square: (0, 0) to (1, 1) from the upper left.
glm::dvec2 placeOf(int x, int y) {
  const double metersHigh = 2.0 * kAway * std::tan(camera().fieldOfViewY / 2.0);
  const glm::dvec2 meters((x + 0.5) / kSide - 0.5, (y + 0.5) / kSide - 0.5);
  return meters * metersHigh / 2.0 + 0.5;
}

glm::ivec3 pixel(const ck::render::Frame& frame, int x, int y) {
  const std::size_t at = (std::size_t(y) * std::size_t(frame.width) + std::size_t(x)) * 4;
  return {frame.rgba[at], frame.rgba[at + 1], frame.rgba[at + 2]};
}

int farthest(const glm::ivec3& a, const glm::ivec3& b) {
  const glm::ivec3 apart = glm::abs(a - b);
  return std::max({apart.x, apart.y, apart.z});
}

glm::ivec3 screenOf(const glm::dvec3& linear) {
  return {std::lround(coded(linear.x) * 255), std::lround(coded(linear.y) * 255),
          std::lround(coded(linear.z) * 255)};
}

struct Shown {
  int way = int(ck::Method::Atlas);
  bool asProp = false;
  ck::Shadows shadows = ck::Shadows::Off;
  ck::render::LightAt lightAt = ck::render::LightAt::Pixels;
  int actors = 1;
  ck::render::Camera camera = ::camera();
};

ck::render::Frame pictureOf(const ck::Character& character, const Shown& shown = {}) {
  const BakedRig rig = bakedRig(shown.asProp ? ck::test::barCharacter() : character);
  auto renderer = ck::test::rendererFor(rig);
  if (renderer == nullptr) qFatal("the rig is refused");
  std::vector<ck::Actor> actors(shown.asProp ? 0 : std::size_t(shown.actors));
  for (std::size_t i = 0; i < actors.size(); ++i) actors[i].position.z = -0.5f * float(i);
  if (shown.asProp) {
    const ck::CharacterPtr shape = std::make_shared<const ck::Character>(ck::restShape(character));
    const std::vector<ck::render::PlacedProp> props(1, ck::render::PlacedProp{shape});
    if (!renderer->setProps(props)) qFatal("the prop is refused");
  }
  const ck::Crowd crowd(actors, rig.clips);
  ck::render::RenderSettings settings = ck::test::plainSettings();
  ck::test::drawBy(shown.way, settings);
  settings.view.shadows = shown.shadows;
  settings.lightAt = shown.lightAt;
  auto frame = renderer->drawToFrame(crowd, shown.camera, settings, kSide, kSide);
  if (!frame) qFatal("%s", frame.error().message.c_str());
  return std::move(*frame);
}

ck::render::Frame emptyPicture(const Shown& shown = {}) {
  Shown empty = shown;
  empty.asProp = false;
  empty.actors = 0;
  return pictureOf(square({}), empty);
}

// Pixels of the square, without its outline, that are further than `step` from `expected`.
int strayPixels(const ck::render::Frame& frame, int step,
                const std::function<glm::ivec3(const glm::dvec2& place, int x, int y)>& expected) {
  int stray = 0;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const glm::dvec2 place = placeOf(x, y);
      if (glm::any(glm::lessThan(place, glm::dvec2(0.02))) ||
          glm::any(glm::greaterThan(place, glm::dvec2(0.98)))) {
        continue;
      }
      stray += farthest(pixel(frame, x, y), expected(place, x, y)) > step ? 1 : 0;
    }
  }
  return stray;
}

int wrappedTexel(int texel, int size, ck::Wrap wrap) {
  if (wrap == ck::Wrap::Clamp) return std::clamp(texel, 0, size - 1);
  if (wrap == ck::Wrap::Repeat) return ((texel % size) + size) % size;
  const int there = ((texel % (2 * size)) + 2 * size) % (2 * size);
  return there < size ? there : 2 * size - 1 - there;
}

// Linear filtering between texels, each of them wrapped by itself, as OpenGL defines it.
glm::dvec3 filtered(const ck::Image& picture, const ck::SurfaceMap& map, const glm::dvec2& uv) {
  const double c = std::cos(double(map.rotation));
  const double s = std::sin(double(map.rotation));
  const glm::dvec2 scaled = glm::dvec2(map.scale) * uv;
  const glm::dvec2 place = glm::dvec2(map.offset) +
                           glm::dvec2(c * scaled.x + s * scaled.y, -s * scaled.x + c * scaled.y);
  const glm::dvec2 at = place * double(picture.width) - 0.5;
  const glm::dvec2 share = at - glm::floor(at);
  glm::dvec3 sum(0.0);
  for (int corner = 0; corner < 4; ++corner) {
    const int x = wrappedTexel(int(std::floor(at.x)) + corner % 2, picture.width, map.wrapU);
    const int y = wrappedTexel(int(std::floor(at.y)) + corner / 2, picture.height, map.wrapV);
    const double weight =
        (corner % 2 == 1 ? share.x : 1.0 - share.x) * (corner / 2 == 1 ? share.y : 1.0 - share.y);
    for (int i = 0; i < 3; ++i) {
      const auto texel = std::size_t((y * picture.width + x) * 4 + i);
      sum[i] += weight * decoded(picture.rgba[texel] / 255.0);
    }
  }
  return sum;
}

double brightness(const glm::ivec3& color) {
  return (color.x + color.y + color.z) / 3.0;
}

// A ball about (0, 1, 0).
ck::Character ball(const ck::Material& material) {
  ck::Character one = square(material);
  ck::Mesh& mesh = one.meshes[0];
  constexpr int kAround = 48;
  constexpr int kUp = 24;
  mesh.positions.clear(), mesh.normals.clear(), mesh.uvs.clear(), mesh.indices.clear();
  mesh.influences.clear(), mesh.influenceStarts = {0};
  for (int ring = 0; ring <= kUp; ++ring) {
    for (int spoke = 0; spoke < kAround; ++spoke) {
      const double down = ring * 3.14159265358979 / kUp;
      const double turn = spoke * 2.0 * 3.14159265358979 / kAround;
      const glm::vec3 n(std::sin(down) * std::cos(turn), std::cos(down),
                        std::sin(down) * std::sin(turn));
      mesh.positions.push_back(n * 0.9f + glm::vec3(0.0f, 1.0f, 0.0f));
      mesh.normals.push_back(n);
      mesh.uvs.emplace_back(0.0f, 0.0f);
      mesh.influences.push_back({0, 1.0f});
      mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
    }
  }
  for (std::uint32_t ring = 0; ring < kUp; ++ring) {
    for (std::uint32_t spoke = 0; spoke < kAround; ++spoke) {
      const std::uint32_t a = ring * kAround + spoke;
      const std::uint32_t b = ring * kAround + (spoke + 1) % kAround;
      mesh.indices.insert(mesh.indices.end(), {a, b, a + kAround, b, b + kAround, a + kAround});
    }
  }
  return one;
}

// Mean and contrast (standard deviation) of brightness, and the mean red and blue, over the ball.
struct Look {
  double mean = 0.0;
  double contrast = 0.0;
  double red = 0.0;
  double blue = 0.0;
};
Look lookOf(const ck::render::Frame& frame) {
  std::vector<glm::ivec3> inside;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      if (glm::distance(placeOf(x, y), glm::dvec2(0.5)) < 0.38)
        inside.push_back(pixel(frame, x, y));
    }
  }
  Look look;
  const auto count = static_cast<double>(inside.size());
  for (const glm::ivec3& color : inside) {
    look.mean += brightness(color) / count;
    look.red += color.x / count;
    look.blue += color.z / count;
  }
  for (const glm::ivec3& color : inside) {
    look.contrast += (brightness(color) - look.mean) * (brightness(color) - look.mean) / count;
  }
  look.contrast = std::sqrt(look.contrast);
  return look;
}

std::vector<int> allWays() {
  return {int(ck::Method::Palette), int(ck::Method::Atlas), int(ck::Method::Live),
          int(ck::Method::Prepass), int(ck::Method::Pool),  int(ck::Method::Cpu),
          ck::test::kBook};
}

}  // namespace

// Surfaces as they are painted: pixels against formulae and a sampler of the test's own.
class tst_painted_surfaces : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;

 private slots:
  void init() { CK_NEEDS_GL(stage_); }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void unlitColorsAreThoseOfTheFile() {
    const glm::vec4 color(0.5f, 0.2f, 0.03f, 1.0f);
    const ck::Character one = square(unlit(color));
    const auto expected = [&](const glm::dvec2&, int, int) { return screenOf(glm::dvec3(color)); };
    for (const int way : allWays()) {
      const int stray = strayPixels(pictureOf(one, {.way = way}), 1, expected);
      QVERIFY2(stray == 0, ck::test::wayName(way).c_str());
    }
    QCOMPARE(strayPixels(pictureOf(one, {.asProp = true}), 1, expected), 0);
  }

  void vertexColorsAreMultiplied() {
    ck::Character one = square(unlit({1.0f, 0.5f, 1.0f, 1.0f}));
    ck::Mesh& mesh = one.meshes[0];
    for (const glm::vec2& uv : mesh.uvs) mesh.colors.emplace_back(uv.x, uv.y, 0.25f, 1.0f);
    const auto expected = [](const glm::dvec2& place, int, int) {
      return screenOf({place.x, 0.5 * place.y, 0.25});
    };
    for (const int way : allWays()) {
      const int stray = strayPixels(pictureOf(one, {.way = way}), 2, expected);
      QVERIFY2(stray == 0, ck::test::wayName(way).c_str());
    }
    QCOMPARE(strayPixels(pictureOf(one, {.asProp = true}), 2, expected), 0);
  }

  // Under light, vertex colours look as a material of that colour does, wherever light is computed.
  void vertexColorsAreLitAsMaterialsAre() {
    ck::Material material;
    ck::Character painted = square(material);
    painted.meshes[0].colors.assign(4, {0.6f, 0.3f, 0.1f, 1.0f});
    material.baseColor = {0.6f, 0.3f, 0.1f, 1.0f};
    for (const auto lightAt : {ck::render::LightAt::Pixels, ck::render::LightAt::Vertices}) {
      const Shown shown{.lightAt = lightAt};
      QCOMPARE(differentPixels(pictureOf(painted, shown), pictureOf(square(material), shown), 1),
               0);
    }
  }

  void mapsAreWrappedAndPlaced_data() {
    QTest::addColumn<int>("wrapU");
    QTest::addColumn<int>("wrapV");
    QTest::addColumn<bool>("turned");
    QTest::addColumn<int>("uvSet");
    const char* names[] = {"repeat", "mirror", "clamp"};
    for (int u = 0; u < 3; ++u) {
      for (int v = 0; v < 3; ++v) {
        QTest::addRow("%s %s", names[u], names[v]) << u << v << false << (u + v) % 2;
      }
    }
    QTest::newRow("turned, mirrored") << 1 << 1 << true << 0;
    QTest::newRow("turned, clamped") << 2 << 2 << true << 0;
    QTest::newRow("turned, of the second set") << 0 << 2 << true << 1;
  }
  void mapsAreWrappedAndPlaced() {
    QFETCH(int, wrapU);
    QFETCH(int, wrapV);
    QFETCH(bool, turned);
    QFETCH(int, uvSet);
    ck::Material material = unlit();
    material.base.image = 0;
    material.base.wrapU = static_cast<ck::Wrap>(wrapU);
    material.base.wrapV = static_cast<ck::Wrap>(wrapV);
    material.base.uvSet = uvSet;
    if (turned) {
      material.base.offset = {0.3f, -0.2f};
      material.base.rotation = 0.7f;
      material.base.scale = {1.4f, 0.8f};
    }
    ck::Character one = square(material);
    one.images = {motley()};
    ck::Mesh& mesh = one.meshes[0];
    std::vector<glm::vec2> wide;  // from -1.25 to 2.25
    for (const glm::vec2& uv : mesh.uvs) wide.push_back(uv * 3.5f - 1.25f);
    if (uvSet == 0) {
      mesh.uvs = wide;
    } else {
      mesh.secondUvs = wide;
    }
    const ck::render::Frame frame = pictureOf(one);
    const auto expected = [&](const glm::dvec2& place, int, int) {
      return screenOf(filtered(one.images[0], material.base, place * 3.5 - 1.25));
    };
    // Texture units have eight bits of weights between texels.
    // In dark colours, which the screen's curve spreads, one step of them is up to sixteen of
    // the screen: llvmpipe is within four everywhere, a card but for 19 pixels.
    QVERIFY(strayPixels(frame, 4, expected) <= kSide * kSide / 500);
    QCOMPARE(strayPixels(frame, 16, expected), 0);
    QCOMPARE(differentPixels(frame, pictureOf(one, {.way = int(ck::Method::Prepass)}), 1), 0);
  }

  void emissionIsAddedToLight_data() {
    QTest::addColumn<bool>("byImage");
    QTest::newRow("of the material") << false;
    QTest::newRow("where an image says so") << true;
  }
  void emissionIsAddedToLight() {
    QFETCH(bool, byImage);
    const glm::dvec3 light(1.8, 0.4, 0.0);
    ck::Material dark;
    dark.baseColor = {0.0f, 0.0f, 0.0f, 1.0f};
    ck::Material glowing = dark;
    glowing.emission = light;
    if (byImage) glowing.emissive.image = 0;
    ck::Character one = square(glowing);
    // Texels of the left half are black.
    if (byImage) {
      one.images = {image(2, [](int x, int) -> std::array<int, 4> {
        return {255 * x, 255 * x, 255 * x, 255};
      })};
      one.materials[0].emissive.wrapU = ck::Wrap::Clamp;
    }
    ck::render::Frame before;
    const auto expected = [&](const glm::dvec2& place, int x, int y) {
      const double share = byImage ? std::clamp(2.0 * place.x - 0.5, 0.0, 1.0) : 1.0;
      glm::ivec3 shown;
      for (int i = 0; i < 3; ++i) {
        const double lit = beforeFilmic(pixel(before, x, y)[i] / 255.0);
        shown[i] = static_cast<int>(std::lround(filmic(lit + share * light[i]) * 255));
      }
      return shown;
    };
    // A pixel of `before` is within half a step, which the curve makes larger where it is steep.
    before = pictureOf(square(dark));
    QCOMPARE(strayPixels(pictureOf(one), 4, expected), 0);
    QCOMPARE(strayPixels(pictureOf(one, {.asProp = true}), 4, expected), 0);
    // An image needs light at the pixels, whatever is asked for.
    const Shown atVertices{.lightAt = ck::render::LightAt::Vertices};
    if (!byImage) before = pictureOf(square(dark), atVertices);
    QCOMPARE(strayPixels(pictureOf(one, atVertices), 4, expected), 0);
  }

  void masksAreCutOut() {
    ck::Material material = unlit({0.2f, 0.6f, 0.1f, 1.0f});
    material.alpha = ck::AlphaMode::Mask;
    material.base.image = 0;
    material.base.wrapU = ck::Wrap::Clamp;
    ck::Character one = square(material);
    // Alpha rises from 0 at a quarter of the width to 1 at three quarters: a half lies in the
    // middle.
    one.images = {image(2, [](int x, int) -> std::array<int, 4> {
      return {255, 255, 255, 255 * x};
    })};
    for (const float cutoff : {0.5f, 0.25f}) {
      one.materials[0].alphaCutoff = cutoff;
      const ck::render::Frame empty = emptyPicture();
      for (const int way : allWays()) {
        const ck::render::Frame frame = pictureOf(one, {.way = way});
        const auto expected = [&](const glm::dvec2& place, int x, int y) {
          const double alpha = std::clamp(2.0 * place.x - 0.5, 0.0, 1.0);
          if (std::abs(alpha - double(cutoff)) < 0.02) return pixel(frame, x, y);
          return alpha < double(cutoff) ? pixel(empty, x, y) : screenOf({0.2, 0.6, 0.1});
        };
        QVERIFY2(strayPixels(frame, 1, expected) == 0, ck::test::wayName(way).c_str());
      }
    }
  }

  void whatIsCutOutCannotBePicked() {
    ck::Material material = unlit();
    material.base.image = 0;
    material.base.wrapU = ck::Wrap::Clamp;
    for (const auto mode : {ck::AlphaMode::Mask, ck::AlphaMode::Blend, ck::AlphaMode::Opaque}) {
      material.alpha = mode;
      ck::Character one = square(material);
      one.images = {image(2, [](int x, int) -> std::array<int, 4> {
        return {255, 255, 255, 255 * x};
      })};
      const BakedRig rig = bakedRig(one);
      auto renderer = ck::test::rendererFor(rig);
      QVERIFY(renderer != nullptr);
      const ck::Crowd crowd(std::vector<ck::Actor>(1), rig.clips);
      for (const auto method : {ck::Method::Palette, ck::Method::Atlas, ck::Method::Cpu}) {
        ck::render::RenderSettings settings = ck::test::plainSettings();
        settings.view.pose.method = method;
        const auto at = [&](int x) {
          return renderer->pick(crowd, camera(), settings, kSide, kSide, x, kSide / 2).value_or(-2);
        };
        QCOMPARE(at(kSide / 2 + 20), 0);
        QCOMPARE(at(kSide / 2 - 22), mode == ck::AlphaMode::Opaque ? 0 : -1);
      }
    }
  }

  // The ground behind the square shows its shadow: a cut square has none, a half covered one less.
  void shadowsAreCutAndThinned() {
    Shown shown{.shadows = ck::Shadows::Cascades};
    shown.camera = ck::render::lookFrom({2.0, 3.0, -5.0}, {0.0, 0.5, 0.0});
    const auto groundBrightness = [&](float alpha, ck::AlphaMode mode) {
      ck::Material material;
      material.baseColor.w = alpha;
      material.alpha = mode;
      ck::Character one = square(material);
      // Lies on its side above the ground, so that its shadow is seen beside it.
      for (glm::vec3& p : one.meshes[0].positions) p = {p.x, 1.0f, p.y - 1.0f};
      for (glm::vec3& n : one.meshes[0].normals) n = {0.0f, 1.0f, 0.0f};
      const ck::render::Frame frame = pictureOf(one, shown);
      // Where the middle of the square throws its shadow.
      const glm::dvec3 toLight(-0.3145, 0.7863, 0.5318);
      const glm::dvec3 place = glm::dvec3(0.0, 1.0, 0.0) - toLight / toLight.y;
      const glm::dvec4 clip = glm::dmat4(ck::render::projectionMatrix(shown.camera, 1.0) *
                                         ck::render::viewMatrix(shown.camera)) *
                              glm::dvec4(place, 1.0);
      const int x = static_cast<int>((clip.x / clip.w * 0.5 + 0.5) * kSide);
      const int y = static_cast<int>((0.5 - clip.y / clip.w * 0.5) * kSide);
      double sum = 0.0;
      for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) sum += brightness(pixel(frame, x + dx, y + dy)) / 25.0;
      }
      return sum;
    };
    const double shaded = groundBrightness(1.0f, ck::AlphaMode::Opaque);
    const double bright = groundBrightness(0.0f, ck::AlphaMode::Mask);
    const double half = groundBrightness(0.5f, ck::AlphaMode::Blend);
    QVERIFY2(bright > shaded + 10.0, qPrintable(QString("%1 %2").arg(bright).arg(shaded)));
    QVERIFY2(std::abs(half - 0.5 * (bright + shaded)) < 0.25 * (bright - shaded),
             qPrintable(QString("%1 of %2 to %3").arg(half).arg(shaded).arg(bright)));
    QVERIFY(std::abs(groundBrightness(0.4f, ck::AlphaMode::Opaque) - shaded) < 1.0);
  }

  void blendingCoversItsShare() {
    const glm::dvec3 color(0.1, 0.5, 0.9);
    const double alpha = 0.4;
    ck::Material material = unlit(glm::vec4(color, alpha));
    material.alpha = ck::AlphaMode::Blend;
    const ck::Character one = square(material);
    const ck::render::Frame empty = emptyPicture();
    const auto covered = [&](double share) {
      return [&, share](const glm::dvec2&, int x, int y) {
        const glm::dvec3 over(screenOf(color));
        return glm::ivec3(
            glm::round(over * share + glm::dvec3(pixel(empty, x, y)) * (1.0 - share)));
      };
    };
    for (const int way : allWays()) {
      const int stray = strayPixels(pictureOf(one, {.way = way}), 2, covered(alpha));
      QVERIFY2(stray == 0, ck::test::wayName(way).c_str());
    }
    QCOMPARE(strayPixels(pictureOf(one, {.asProp = true}), 2, covered(alpha)), 0);
    // Three actors behind one another cover the product of what each leaves; those behind are
    // smaller, so only the middle of the picture has all three.
    const ck::render::Frame three = pictureOf(one, {.actors = 3});
    const glm::ivec3 middle = covered(1.0 - std::pow(1.0 - alpha, 3))({}, kSide / 2, kSide / 2);
    QVERIFY(farthest(pixel(three, kSide / 2, kSide / 2), middle) <= 2);
  }

  // A red and a green pane, one behind the other, as triangles in both orders.
  void blendingDoesNotDependOnOrder() {
    ck::Material red = unlit({0.8f, 0.1f, 0.1f, 0.5f});
    red.alpha = ck::AlphaMode::Blend;
    ck::Material green = red;
    green.baseColor = {0.1f, 0.8f, 0.1f, 0.5f};
    ck::render::Frame frames[2];
    for (const bool greenFirst : {false, true}) {
      ck::Character both = square(red);
      both.materials.push_back(green);
      both.materials[1].doubleSided = true;
      ck::Mesh back = both.meshes[0];
      back.name = "Back";
      back.material = 1;
      for (glm::vec3& p : back.positions) p.z = -0.5f;
      both.meshes.insert(greenFirst ? both.meshes.begin() : both.meshes.end(), back);
      frames[greenFirst ? 1 : 0] = pictureOf(both);
    }
    QCOMPARE(differentPixels(frames[0], frames[1], 0), 0);
    // The nearer one counts more.
    const glm::ivec3 middle = pixel(frames[0], kSide / 2, kSide / 2);
    QVERIFY2(middle.x > middle.y + 15, qPrintable(QString("%1 %2").arg(middle.x).arg(middle.y)));
  }

  void blendedSurfacesWithAlphaOneAreOpaque() {
    ck::Material material;
    material.baseColor = {0.5f, 0.4f, 0.3f, 1.0f};
    const ck::render::Frame opaque = pictureOf(ball(material));
    material.alpha = ck::AlphaMode::Blend;
    QCOMPARE(differentPixels(opaque, pictureOf(ball(material)), 1), 0);
  }

  void metalMirrorsInItsColor() {
    const glm::vec4 gold(1.0f, 0.71f, 0.29f, 1.0f);
    const auto looked = [&](float metallic, float roughness) {
      ck::Material material;
      material.baseColor = gold;
      material.metallic = metallic;
      material.roughness = roughness;
      return lookOf(pictureOf(ball(material)));
    };
    const Look rough = looked(0.0f, 1.0f);
    const Look metal = looked(1.0f, 0.15f);
    const Look dull = looked(1.0f, 0.7f);
    // Metal shows light and dark sides of its surroundings, the sharper the smoother it is, and
    // mirrors blue less than red.
    QVERIFY2(metal.contrast > 1.4 * rough.contrast,
             qPrintable(QString("%1 %2").arg(metal.contrast).arg(rough.contrast)));
    QVERIFY(metal.contrast > dull.contrast);
    QVERIFY(metal.red > metal.blue + 25.0);
    QVERIFY(dull.red > dull.blue + 25.0);
    QVERIFY(metal.mean > 40.0);
  }

  void glossComesFromImagesToo() {
    ck::Material byNumber;
    byNumber.metallic = 1.0f;
    byNumber.roughness = 0.2f;
    ck::Material byImage = byNumber;
    byImage.roughness = 1.0f;
    byImage.metalRoughness.image = 0;
    ck::Character one = ball(byImage);
    // Green is roughness and blue is metal; red says nothing.
    one.images = {image(1, [](int, int) -> std::array<int, 4> { return {190, 51, 255, 255}; })};
    QCOMPARE(differentPixels(pictureOf(ball(byNumber)), pictureOf(one), 2), 0);
  }

  // A glossy part must not change the look of the rough ones beside it.
  void roughSurfacesStayAsTheyWere() {
    ck::Material rough;
    rough.baseColor = {0.5f, 0.4f, 0.3f, 1.0f};
    ck::Character with = ball(rough);
    with.materials[0].roughness = 0.8f;  // too rough to mirror
    ck::Material glossy;
    glossy.metallic = 1.0f;
    glossy.roughness = 0.3f;
    glossy.emission = glm::vec3(0.5f);
    with.materials.push_back(glossy);
    ck::Mesh behind = with.meshes[0];
    behind.name = "Behind";
    behind.material = 1;
    for (glm::vec3& p : behind.positions) p = (p - glm::vec3(0, 1, 0)) * 0.2f + glm::vec3(0, 1, -3);
    with.meshes.push_back(behind);
    for (const auto lightAt : {ck::render::LightAt::Pixels, ck::render::LightAt::Vertices}) {
      const Shown shown{.lightAt = lightAt};
      QCOMPARE(differentPixels(pictureOf(ball(rough), shown), pictureOf(with, shown), 1), 0);
    }
  }

  // Wraps that uvs do not reach make no other program: the picture is the same to the bit, and
  // light stays at the vertices.
  void wrapsThatAreNotReachedCostNothing() {
    ck::Material material;
    material.base.image = 0;
    ck::Character one = square(material);
    one.images = {motley()};
    for (glm::vec2& uv : one.meshes[0].uvs) uv = uv * 0.98f + 0.01f;
    ck::Character clamped = one;
    clamped.materials[0].base.wrapU = ck::Wrap::Clamp;
    clamped.materials[0].base.wrapV = ck::Wrap::Mirror;
    const Shown atVertices{.lightAt = ck::render::LightAt::Vertices};
    const ck::render::Frame plain = pictureOf(one, atVertices);
    QCOMPARE(differentPixels(plain, pictureOf(clamped, atVertices), 0), 0);
    QVERIFY(differentPixels(plain, pictureOf(one), 0) > 0);
    clamped.meshes[0].uvs[0] = {0.0f, 1.0f};
    const auto features = ck::render::featuresOf(clamped);
    QVERIFY(features.placedMaps);
  }

  void glossAtVerticesLooksLikeGlossAtPixels() {
    ck::Material material;
    material.baseColor = {0.6f, 0.5f, 0.4f, 1.0f};
    material.metallic = 1.0f;
    material.roughness = 0.6f;
    const ck::Character one = ball(material);
    const ck::render::Frame pixels = pictureOf(one, {.lightAt = ck::render::LightAt::Pixels});
    const ck::render::Frame vertices = pictureOf(one, {.lightAt = ck::render::LightAt::Vertices});
    QVERIFY(differentPixels(pixels, vertices, 0) > 0);
    QVERIFY(differentPixels(pixels, vertices, 16) * 20 < kSide * kSide);
  }
};

CK_TEST(tst_painted_surfaces)
#include "tst_painted_surfaces.moc"
