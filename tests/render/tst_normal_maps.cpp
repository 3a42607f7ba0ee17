#include <QTest>
#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

#include "core/skinning/cpu_skinning.h"
#include "render/scene/character_gpu.h"
#include "render/scene/welded_character.h"
#include "tests/support/gl_agreement.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::differentPixels;
using ck::test::GlStage;

namespace {

constexpr int kSide = 160;
// The value of the map everywhere: halves, so that eight bits hold it well.
constexpr glm::vec3 kBent(0.45f, -0.3f, 0.84f);

// The part that mirrors a shape.
enum class Mirror { Nothing, Actor, BindPose, Joint, Prop };

// Binds all skin joints to the shape mirrored along x, as parts under a mirrored node are bound.
ck::Character boundMirrored(ck::Character character) {
  for (ck::SkinJoint& skin : character.rig.skinJoints) {
    skin.inverseBind *= glm::scale(glm::dmat4(1.0), glm::dvec3(-1, 1, 1));
  }
  return character;
}

// Mirrors the joint at the root, and all that hangs on it, along x.
ck::Character mirroredAtRoot(ck::Character character) {
  character.rig.joints[0].rest.scale.x *= -1.0f;
  return character;
}

ck::Character mirroredBy(ck::Character character, Mirror mirror) {
  if (mirror == Mirror::BindPose || mirror == Mirror::Prop) return boundMirrored(character);
  return mirror == Mirror::Joint ? mirroredAtRoot(character) : character;
}

// Tangents across the normals.
void addTangents(ck::Mesh& mesh) {
  for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
    const glm::vec3 n = mesh.normals[v];
    const glm::vec3 away = std::abs(n.y) < 0.8f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
    mesh.tangents.emplace_back(glm::normalize(glm::cross(n, away)), 1.0f);
  }
}

std::uint8_t coded8(float value) {
  return static_cast<std::uint8_t>(std::lround((value * 0.5f + 0.5f) * 255.0f));
}

// The bar with flat sides, so that normals are the same between vertices whoever bends them.
ck::Character flatBar() {
  ck::Character bar = ck::test::barCharacter();
  const ck::Mesh round = bar.meshes[0];
  ck::Mesh& flat = bar.meshes[0];
  flat.positions.clear(), flat.normals.clear(), flat.indices.clear();
  flat.influences.clear(), flat.influenceStarts = {0};
  for (std::size_t i = 0; i < round.indices.size(); ++i) {
    const auto corner = [&](std::size_t c) {
      return round.positions[round.indices[i / 3 * 3 + c]];
    };
    const std::uint32_t v = round.indices[i];
    flat.indices.push_back(static_cast<std::uint32_t>(i));
    flat.positions.push_back(round.positions[v]);
    flat.normals.push_back(
        glm::normalize(glm::cross(corner(1) - corner(0), corner(2) - corner(0))));
    for (const ck::Influence& pull : ck::influencesOf(round, v)) flat.influences.push_back(pull);
    flat.influenceStarts.push_back(static_cast<std::uint32_t>(flat.influences.size()));
  }
  flat.uvs.assign(flat.positions.size(), glm::vec2(0.5f));
  return bar;
}

// The bar with a map that bends every normal alike.
ck::Character mapped(const glm::vec3& bent, float scale = 1.0f) {
  ck::Character bar = flatBar();
  ck::Image picture{"map", 2, 2, {}};
  for (int p = 0; p < 4; ++p) {
    for (int c = 0; c < 3; ++c) picture.rgba.push_back(coded8(bent[c]));
    picture.rgba.push_back(255);
  }
  bar.images = {picture};
  ck::Material material;
  material.normal.image = 0;
  material.normalScale = scale;
  bar.materials = {material};
  for (ck::Mesh& mesh : bar.meshes) {
    addTangents(mesh);
    mesh.material = 0;
  }
  return bar;
}

// The same look by normals that are bent themselves.
ck::Character bentBy(const glm::vec3& bent) {
  ck::Character bar = flatBar();
  bar.materials = {ck::Material{}};
  for (ck::Mesh& mesh : bar.meshes) {
    ck::Mesh with = mesh;
    addTangents(with);
    mesh.material = 0;
    for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
      const glm::vec3 n = with.normals[v];
      const glm::vec3 t(with.tangents[v]);
      const glm::vec3 b = glm::cross(n, t) * with.tangents[v].w;
      mesh.normals[v] = glm::normalize(t * bent.x + b * bent.y + n * bent.z);
    }
  }
  return bar;
}

// How an actor is shown.
struct Shown {
  ck::Method method = ck::Method::Atlas;
  ck::SkinOn skinOn = ck::SkinOn::Gpu;
  ck::Encoding encoding = ck::Encoding::P16;
  Mirror mirror = Mirror::Nothing;
  bool byBook = false;  // by the write-up's formulation, not by `method`
};

ck::render::Frame pictureOf(ck::Character character, const Shown& shown) {
  ck::BakeSettings bake;
  bake.encoding = shown.encoding;
  const float scale = shown.mirror == Mirror::Actor ? -1.0f : 1.0f;
  const BakedRig rig = bakedRig(mirroredBy(std::move(character), shown.mirror), bake);
  auto renderer = ck::test::rendererFor(rig);
  if (renderer == nullptr) qFatal("the rig is refused");
  std::vector<ck::Actor> actors(1);
  actors[0].scale = scale;
  actors[0].rotationDegrees.y = 25.0f;
  ck::Crowd crowd(actors, rig.clips);
  crowd.seek(0.2);
  ck::render::RenderSettings settings = ck::test::plainSettings();
  settings.view.pose.method = shown.method;
  if (shown.byBook) ck::test::drawBy(ck::test::kBook, settings);
  settings.view.pose.skinOn = shown.skinOn;
  const double up = scale < 0.0f ? -1.0 : 1.0;
  const auto camera = ck::render::lookFrom({0.5, up * 1.2, 3.5}, {0.0, up, 0.0});
  auto frame = renderer->drawToFrame(crowd, camera, settings, kSide, kSide);
  if (!frame) qFatal("%s", frame.error().message.c_str());
  return std::move(*frame);
}

// How a square metre is looked at that leans by 25 degrees, by itself or as its map says.
struct Lean {
  glm::vec2 towards;                // right and up, of unit length
  bool byMap = false;               // else the square itself is turned
  bool behind = false;              // seen from there
  bool mirroredUv = false;          // the picture of the map is laid on it the other way round
  Mirror mirror = Mirror::Nothing;  // an actor is through its own origin
  float normalScale = 1.0f;         // of the map, whose lean is made smaller for it
};

// The square in the plane of x and y, facing +z, with the tangents that glTF asks for.
ck::Character square(const Lean& lean) {
  constexpr double kLean = glm::radians(25.0);
  const auto up = static_cast<float>(std::cos(kLean));
  const glm::vec3 normal(lean.towards * static_cast<float>(std::sin(kLean)), up);
  ck::Character one = ck::test::barCharacter();
  ck::Mesh mesh;
  mesh.name = "Square";
  mesh.material = 0;
  mesh.indices = {0, 1, 2, 2, 1, 3};
  mesh.influenceStarts.push_back(0);
  const glm::quat turn = glm::angleAxis(lean.byMap ? 0.0f : static_cast<float>(kLean),
                                        glm::vec3(-lean.towards.y, lean.towards.x, 0.0f));
  const glm::vec3 along = lean.mirroredUv ? glm::vec3(-1, 0, 0) : glm::vec3(1, 0, 0);
  for (int corner = 0; corner < 4; ++corner) {
    const auto right = static_cast<float>(corner % 2);
    const auto high = static_cast<float>(corner / 2);
    mesh.positions.push_back(turn * glm::vec3(right - 0.5f, high - 0.5f, 0.0f) +
                             glm::vec3(0, 1, 0));
    mesh.normals.push_back(turn * glm::vec3(0, 0, 1));
    mesh.tangents.emplace_back(turn * along, lean.mirroredUv ? -1.0f : 1.0f);
    mesh.uvs.emplace_back(lean.mirroredUv ? 1.0f - right : right, 1.0f - high);
    mesh.influences.push_back({0, 1.0f});
    mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
  }
  one.meshes = {mesh};
  ck::Material material;
  material.doubleSided = true;
  if (lean.byMap) {
    // Red is to the right of the picture and green up it, whichever way the picture lies.
    glm::vec3 coded = normal / glm::vec3(lean.normalScale, lean.normalScale, 1.0f);
    if (lean.mirroredUv) coded.x = -coded.x;
    ck::Image picture{"map", 1, 1, {}};
    for (int c = 0; c < 3; ++c) picture.rgba.push_back(coded8(coded[c] / glm::length(coded)));
    picture.rgba.push_back(255);
    one.images = {picture};
    material.normal.image = 0;
    material.normalScale = lean.normalScale;
  }
  one.materials = {material};
  return one;
}

// The colour in the middle of the square, by its first frame.
glm::ivec3 middleOf(const Lean& lean) {
  const BakedRig rig = bakedRig(mirroredBy(square(lean), lean.mirror));
  auto renderer = ck::test::rendererFor(rig);
  if (renderer == nullptr) qFatal("the square is refused");
  // Turned so that the light comes from one side.
  constexpr float kTurnDegrees = 50.0f;
  std::vector<ck::Actor> actors(lean.mirror == Mirror::Prop ? 0 : 1);
  for (ck::Actor& actor : actors) {
    actor.scale = lean.mirror == Mirror::Actor ? -1.0f : 1.0f;
    actor.rotationDegrees.y = kTurnDegrees;
  }
  if (lean.mirror == Mirror::Prop) {
    const auto shape = std::make_shared<const ck::Character>(ck::restShape(*rig.character));
    const std::vector<ck::render::PlacedProp> props{{shape, {}, kTurnDegrees}};
    if (!renderer->setProps(props)) qFatal("the prop is refused");
  }
  const ck::Crowd crowd(actors, rig.clips);
  const double height = lean.mirror == Mirror::Actor ? -1.0 : 1.0;
  const double away = (lean.behind ? -3.0 : 3.0) * height;
  const double turn = glm::radians(double{kTurnDegrees});
  const auto camera = ck::render::lookFrom({std::sin(turn) * away, height, std::cos(turn) * away},
                                           {0.0, height, 0.0});
  auto frame = renderer->drawToFrame(crowd, camera, ck::test::plainSettings(), 65, 65);
  if (!frame) qFatal("%s", frame.error().message.c_str());
  const std::uint8_t* middle = &frame->rgba[(32 * 65 + 32) * 4];
  return {middle[0], middle[1], middle[2]};
}

}  // namespace

class tst_normal_maps : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void rejectsAMapThatIsNotThere() {
    ck::Character bar = mapped(kBent);
    bar.materials[0].normal.image = 1;
    QVERIFY(!ck::validate(bar).has_value());
  }

  void charactersWithoutTangentsUploadNone() {
    CK_NEEDS_GL(stage_);
    ck::Character bar = mapped(kBent);
    QVERIFY(
        ck::render::uploadCharacter(std::make_shared<const ck::Character>(bar))->hasNormalMaps());
    bar.meshes[0].tangents.clear();
    QVERIFY(
        !ck::render::uploadCharacter(std::make_shared<const ck::Character>(bar))->hasNormalMaps());
  }

  // A map looks as normals do that are bent as it says.
  void mapsLookLikeBentNormals_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<int>("skinOn");
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("mirror");
    const auto row = [](const char* name, auto way, ck::SkinOn skinOn = ck::SkinOn::Gpu,
                        ck::Encoding encoding = ck::Encoding::P16) {
      const char* mirrors[] = {"", ", a mirrored actor", ", a mirrored bind pose",
                               ", a mirrored joint"};
      for (int mirror = 0; mirror < 4; ++mirror) {
        QTest::addRow("%s%s", name, mirrors[mirror])
            << static_cast<int>(way) << static_cast<int>(skinOn) << static_cast<int>(encoding)
            << mirror;
      }
    };
    row("palette", ck::Method::Palette);
    row("palette on the processor", ck::Method::Palette, ck::SkinOn::Cpu);
    row("prepass", ck::Method::Prepass);
    row("prepass on the processor", ck::Method::Prepass, ck::SkinOn::Cpu);
    row("atlas", ck::Method::Atlas);
    row("atlas of joints' own places", ck::Method::Atlas, ck::SkinOn::Gpu, ck::Encoding::T32);
    row("matrix", ck::Method::Matrix, ck::SkinOn::Gpu, ck::Encoding::M32);
    row("live", ck::Method::Live);
    row("pool", ck::Method::Pool);
    row("cpu", ck::Method::Cpu);
    row("book", ck::test::kBook);
  }
  void mapsLookLikeBentNormals() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    QFETCH(int, skinOn);
    QFETCH(int, encoding);
    QFETCH(int, mirror);
    const bool byBook = method == ck::test::kBook;
    const Shown shown{byBook ? ck::Method::Atlas : static_cast<ck::Method>(method),
                      static_cast<ck::SkinOn>(skinOn), static_cast<ck::Encoding>(encoding),
                      static_cast<Mirror>(mirror), byBook};
    const auto with = pictureOf(mapped(kBent), shown);
    const auto wanted = pictureOf(bentBy(glm::normalize(kBent)), shown);
    const auto flat = pictureOf(mapped({0.0f, 0.0f, 1.0f}), shown);
    const int unlike = differentPixels(with, wanted, 6);
    QVERIFY2(unlike < kSide * kSide / 100, qPrintable(QString::number(unlike)));
    QVERIFY(differentPixels(with, flat, 6) > kSide * kSide / 20);
    // A scale of 0 takes the map out.
    QVERIFY(differentPixels(pictureOf(mapped(kBent, 0.0f), shown), flat, 6) < kSide * kSide / 100);
  }

  // The witness is a square that does lean. By the formula of glTF, green leans up the picture, and
  // what leans to one side seen from the front leans to the same side of the world from behind.
  void leansLikeASquareThatDoes_data() {
    QTest::addColumn<float>("right");
    QTest::addColumn<float>("up");
    QTest::addColumn<bool>("behind");
    QTest::addColumn<bool>("mirroredUv");
    QTest::addColumn<int>("mirror");
    const char* mirrors[] = {"", ", a mirrored actor", ", a mirrored bind pose",
                             ", a mirrored joint", ", a mirrored prop"};
    for (int row = 0; row < 5 * 16; ++row) {
      const char* names[] = {"right", "up", "left", "down"};
      const int towards = row % 4;
      const bool behind = (row & 4) != 0;
      const bool mirroredUv = (row & 8) != 0;
      const int mirror = row / 16;
      QTest::addRow("%s%s%s%s", names[towards], behind ? " from behind" : "",
                    mirroredUv ? ", a mirrored picture" : "", mirrors[mirror])
          << (towards == 0   ? 1.0f
              : towards == 2 ? -1.0f
                             : 0.0f)
          << (towards == 1   ? 1.0f
              : towards == 3 ? -1.0f
                             : 0.0f)
          << behind << mirroredUv << mirror;
    }
  }
  void leansLikeASquareThatDoes() {
    CK_NEEDS_GL(stage_);
    QFETCH(float, right);
    QFETCH(float, up);
    QFETCH(bool, behind);
    QFETCH(bool, mirroredUv);
    QFETCH(int, mirror);
    Lean lean{{right, up}, false, behind, mirroredUv, static_cast<Mirror>(mirror)};
    const glm::ivec3 wanted = middleOf(lean);
    Lean other = lean;
    other.towards = -other.towards;
    const glm::ivec3 wrong = middleOf(other);
    lean.byMap = true;
    const auto apart = [](const glm::ivec3& a, const glm::ivec3& b) {
      return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
    };
    const auto told = [](const glm::ivec3& color) {
      return QString("%1 %2 %3").arg(color.x).arg(color.y).arg(color.z);
    };
    QVERIFY2(apart(wanted, wrong) > 12, "the light comes as much from either side");
    for (const float scale : {1.0f, 0.5f}) {
      lean.normalScale = scale;
      const glm::ivec3 got = middleOf(lean);
      QVERIFY2(apart(got, wanted) <= 3,
               qPrintable(told(got) + " for " + told(wanted) + ", the other way " + told(wrong)));
    }
  }

  // Light at the vertices would not show a map.
  void mapsAreShownHoweverSmallActorsAre() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(mapped(kBent));
    auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(ck::test::variedActors(36, static_cast<int>(rig.clips.size())),
                          rig.clips);
    const auto camera = ck::render::lookFrom({5.0, 12.0, 60.0}, {4.0, 1.0, 4.0});
    const auto frameOf = [&](ck::render::LightAt at) {
      ck::render::RenderSettings settings = ck::test::plainSettings();
      settings.lightAt = at;
      return *renderer->drawToFrame(crowd, camera, settings, kSide, kSide);
    };
    const auto pixels = frameOf(ck::render::LightAt::Pixels);
    QCOMPARE(differentPixels(pixels, frameOf(ck::render::LightAt::Auto), 0), 0);
    QCOMPARE(differentPixels(pixels, frameOf(ck::render::LightAt::Vertices), 0), 0);
  }

  // Skinned vertices keep tangents where a picture shows them, and only there.
  void prepassKeepsTangentsForPicturesThatShowThem() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(mapped(kBent));
    auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(ck::test::variedActors(40, 2), rig.clips);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = ck::Method::Prepass;
    settings.view.pose.skinnedBudgetBytes =
        ck::render::weldCharacter(*rig.character).vertices.size() * 40 * 16;
    const ck::render::Camera camera;
    const auto refused = renderer->drawToFrame(crowd, camera, settings, 64, 64);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::LimitExceeded);
    settings.view.pose.viewMode = ck::ViewMode::Motion;
    QVERIFY(renderer->drawToFrame(crowd, camera, settings, 64, 64).has_value());
  }

  // The motion view does without them and shares its ticks with the others.
  void mapsComeBackWhereAStandingCrowdLeavesTheMotionView_data() {
    QTest::addColumn<ck::Method>("method");
    QTest::addRow("prepass") << ck::Method::Prepass;
    QTest::addRow("palette") << ck::Method::Palette;
    QTest::addRow("cpu") << ck::Method::Cpu;
  }
  void mapsComeBackWhereAStandingCrowdLeavesTheMotionView() {
    CK_NEEDS_GL(stage_);
    QFETCH(ck::Method, method);
    const BakedRig rig = bakedRig(mapped(kBent));
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = method;
    settings.view.pose.skinOn = ck::SkinOn::Auto;
    ck::render::RenderSettings motion = settings;
    motion.view.pose.viewMode = ck::ViewMode::Motion;
    ck::Crowd crowd(ck::test::variedActors(9, 2), rig.clips);
    const auto camera = ck::render::lookFrom({1.5, 1.5, 5.0}, {0.0, 1.0, 0.0});
    const auto picture = [&](ck::render::CrowdRenderer& renderer,
                             const ck::render::RenderSettings& as) {
      return renderer.drawToFrame(crowd, camera, as, 160, 120).value().rgba;
    };
    auto toggled = ck::test::rendererFor(rig);
    auto fresh = ck::test::rendererFor(rig);
    QVERIFY(toggled != nullptr && fresh != nullptr);
    picture(*toggled, settings);
    crowd.advance(0.31);
    picture(*toggled, motion);
    QVERIFY(picture(*toggled, settings) == picture(*fresh, settings));
  }

  void propsShowTheirMaps() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::barCharacter());
    auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Crowd nobody(std::vector<ck::Actor>{}, rig.clips);
    const auto camera = ck::render::lookFrom({0.5, 1.2, 3.5}, {0.0, 1.0, 0.0});
    const auto frameOf = [&](const ck::Character& character) {
      const auto shape = std::make_shared<const ck::Character>(ck::restShape(character));
      const std::vector<ck::render::PlacedProp> props{{shape, {}, 25.0f}};
      if (!renderer->setProps(props)) qFatal("the prop is refused");
      return *renderer->drawToFrame(nobody, camera, ck::test::plainSettings(), kSide, kSide);
    };
    const auto with = frameOf(mapped(kBent));
    QVERIFY(differentPixels(with, frameOf(bentBy(glm::normalize(kBent))), 6) < kSide * kSide / 100);
    QVERIFY(differentPixels(with, frameOf(mapped({0.0f, 0.0f, 1.0f})), 6) > kSide * kSide / 20);
  }

 private:
  GlStage stage_;
};

CK_TEST(tst_normal_maps)
#include "tst_normal_maps.moc"
