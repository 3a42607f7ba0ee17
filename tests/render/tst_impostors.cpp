#include <epoxy/gl.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "core/view/footprints.h"
#include "render/far/impostor_set.h"
#include "render/gl/framebuffer.h"
#include "render/gl/handle.h"
#include "render/shadows/shadow_maps.h"
#include "render/view/environment.h"
#include "render/view/frame_image.h"
#include "tests/support/gl_covered_pixels.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::render::Camera;
using ck::render::DrawPass;
using ck::render::FarActors;
using ck::render::Frame;
using ck::render::ImpostorSet;
using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::compare;
using ck::test::Comparison;
using ck::test::farthest;
using ck::test::isCovered;
using ck::test::pixels;
using ck::test::textOf;

namespace {

constexpr std::size_t kBudget = std::size_t{4} << 20;
constexpr std::size_t kLargeBudget = std::size_t{16} << 20;
constexpr int kSide = 96;

ck::render::SceneLook lookOf(const Camera& camera, int width, int height) {
  ck::render::SceneLook look;
  look.aspect = float(width) / float(height);
  look.viewProjection = projectionMatrix(camera, double(look.aspect)) * viewMatrix(camera);
  look.eye = glm::vec3(eyeOf(camera));
  if (camera.orthographic) look.towardsEye = glm::vec3(towardsEye(camera));
  look.focusMeters = float(camera.distance);
  look.fogMeters = 1e6f;
  return look;
}

// A character that can be drawn as meshes, by the method atlas, and as pictures.
class Stand {
 public:
  explicit Stand(BakedRig rig, std::size_t budget = kBudget, std::vector<int> hidden = {})
      : rig_(std::move(rig)), facts_(*ck::render::readContextFacts()) {
    auto character = ck::render::uploadCharacter(rig_.character);
    auto atlas = ck::render::uploadAtlas(rig_.atlas);
    if (!character || !atlas) qFatal("the rig is refused");
    character_ = std::make_shared<ck::render::CharacterGpu>(std::move(*character));
    atlas_ = std::make_shared<ck::render::AtlasGpu>(std::move(*atlas));
    begin(budget, hidden);
    if (!set_->goOn(1e9) || !set_->isReady()) qFatal("the pictures are not drawn");
  }

  ImpostorSet& set() const { return *set_; }
  // Takes another set, whose pictures are not drawn yet.
  void begin(std::size_t budget, const std::vector<int>& hidden = {}) {
    auto set = make(budget, hidden);
    if (!set) qFatal("%s", set.error().message.c_str());
    set_ = std::move(*set);
  }
  // Another set, whose pictures are not drawn yet.
  ck::Result<std::unique_ptr<ImpostorSet>> make(std::size_t budget,
                                                const std::vector<int>& hidden = {}) const {
    return ImpostorSet::make(character_, atlas_, hidden, shaders_, facts_, budget);
  }

  enum class As { Meshes, Pictures, Points };

  // Sets the shadows that passes of the kind ShadedColor read.
  void setShadows(const ck::render::ShadowMaps* maps, const ck::render::ShadowLook& look) {
    shadows_ = maps;
    shadowLook_ = look;
  }

  // Draws the actors over black. Pixels of ids are given as bytes of the number.
  Frame draw(As as, const std::vector<ck::Actor>& actors, const Camera& camera, int width,
             int height, DrawPass::Kind kind = DrawPass::Kind::Color,
             std::vector<std::uint32_t> selected = {}) {
    const ck::Crowd crowd(actors, rig_.clips);
    const bool ids = kind == DrawPass::Kind::ActorIds;
    auto target = ck::render::Target::make(
        width, height, ids ? ck::render::TargetFormat::R32Ui : ck::render::TargetFormat::Rgba8);
    if (!target) qFatal("no target");
    ck::render::resetGlState();
    DrawPass pass{.kind = kind, .look = lookOf(camera, width, height)};
    if (shadows_ != nullptr) {
      shadows_->bind();
      pass.look.shadows = shadowLook_;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, target->name());
    glViewport(0, 0, width, height);
    if (ids) {
      const GLuint none[4] = {};
      glClearBufferuiv(GL_COLOR, 0, none);
    } else {
      glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
      glClear(GL_COLOR_BUFFER_BIT);
    }
    glClear(GL_DEPTH_BUFFER_BIT);
    const auto drawn = as == As::Meshes ? drawMeshes(crowd, pass, selected)
                                        : drawFar(as, crowd, pass, width, height, selected);
    if (!drawn) qFatal("%s", drawn.error().message.c_str());
    Frame frame{width, height, {}};
    depth_.resize(std::size_t(width * height));
    glReadPixels(0, 0, width, height, GL_DEPTH_COMPONENT, GL_FLOAT, depth_.data());
    if (!ids) {
      frame.rgba = target->readRgba();
      return frame;
    }
    for (const std::uint32_t id : target->readIds()) {
      for (int i = 0; i < 4; ++i) frame.rgba.push_back(std::uint8_t(id >> (8 * i)));
    }
    return frame;
  }

  // Soft shadows over white, by Environment for all actors or for far ones.
  Frame shadows(bool far, const std::vector<ck::Actor>& actors, const Camera& camera, int width,
                int height) {
    const ck::Crowd crowd(actors, rig_.clips);
    ck::render::Environment environment(shaders_);
    auto casters = ck::render::uploadShadowCasters(ck::atlasFootprints(*rig_.atlas));
    auto target = ck::render::Target::make(width, height, ck::render::TargetFormat::Rgba8);
    if (!casters || !target) qFatal("no target");
    ck::render::resetGlState();
    glBindFramebuffer(GL_FRAMEBUFFER, target->name());
    glViewport(0, 0, width, height);
    glClearColor(1.0f, 1.0f, 1.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const auto look = lookOf(camera, width, height);
    std::vector<std::uint32_t> all(crowd.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::uint32_t(i);
    ck::render::ActorStream stream;
    if (!stream.upload(crowd.instances(), {}) || !far_.upload(crowd.instances(), all)) {
      qFatal("no memory");
    }
    const auto drawn = far ? environment.drawFarFootprints(look, *casters, far_, ck::Shadows::Soft,
                                                           {.width = width, .height = height})
                           : environment.drawFootprints(look, *casters, stream, ck::Shadows::Soft);
    if (!drawn) qFatal("%s", drawn.error().message.c_str());
    return {width, height, target->readRgba()};
  }

  // How many pixels a depth pass writes.
  int depthPixels(As as, const std::vector<ck::Actor>& actors, const Camera& camera, int width,
                  int height) {
    draw(as, actors, camera, width, height, DrawPass::Kind::Depth);
    return int(std::ranges::count_if(depth_, [](float depth) { return depth < 1.0f; }));
  }

 private:
  ck::Result<void> drawMeshes(const ck::Crowd& crowd, const DrawPass& pass,
                              std::span<const std::uint32_t> selected) {
    if (auto stored = stream_.upload(crowd.instances(), selected); !stored) return stored;
    if (!skinner_) {
      auto made = ck::render::makeSkinner(ck::Method::Atlas, {.character = *character_,
                                                              .atlas = atlas_.get(),
                                                              .actors = stream_,
                                                              .shaders = shaders_,
                                                              .facts = facts_});
      if (!made) return tl::unexpected(made.error());
      skinner_ = std::move(*made);
    }
    ck::render::SkinningTick tick{.crowd = crowd, .records = crowd.instances()};
    tick.pose.sampling = ck::Sampling::Interpolated;
    tick.pose.influences = 4;
    if (auto posed = skinner_->update(tick); !posed) return posed;
    return skinner_->draw(pass);
  }

  ck::Result<void> drawFar(As as, const ck::Crowd& crowd, const DrawPass& pass, int width,
                           int height, const std::vector<std::uint32_t>& selected) {
    std::vector<std::uint32_t> all(crowd.size());
    std::vector<std::uint8_t> marks(crowd.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::uint32_t(i);
    for (const std::uint32_t one : selected) marks[one] = 1;
    if (auto stored = far_.upload(crowd.instances(), all, marks); !stored) return stored;
    return as == As::Pictures ? set_->draw(far_, pass, width, height)
                              : set_->drawPoints(far_, pass, width, height);
  }

  BakedRig rig_;
  ck::render::ContextFacts facts_;
  mutable ck::render::ShaderLibrary shaders_;
  std::shared_ptr<ck::render::CharacterGpu> character_;
  std::shared_ptr<ck::render::AtlasGpu> atlas_;
  ck::render::ActorStream stream_;
  std::unique_ptr<ck::render::Skinner> skinner_;
  FarActors far_;
  std::vector<float> depth_;  // of the last draw()
  const ck::render::ShadowMaps* shadows_ = nullptr;
  ck::render::ShadowLook shadowLook_;
  std::unique_ptr<ImpostorSet> set_;
};

using As = Stand::As;

// Writes a frame where the environment names a folder in CK_PICTURES.
void keep(const Frame& frame, const std::string& name) {
  const char* folder = std::getenv("CK_PICTURES");
  if (folder == nullptr) return;
  const auto written = writePng(frame, std::filesystem::path(folder) / (name + ".png"));
  if (!written) qWarning("%s", written.error().message.c_str());
}

// Both side by side, several times as large.
void keepBoth(const Frame& a, const Frame& b, const std::string& name) {
  constexpr int kTimes = 4;
  Frame both{(a.width + b.width) * kTimes, a.height * kTimes, {}};
  for (int y = 0; y < both.height; ++y) {
    for (int x = 0; x < both.width; ++x) {
      const Frame& from = x < a.width * kTimes ? a : b;
      const int column = (x < a.width * kTimes ? x : x - a.width * kTimes) / kTimes;
      const auto at = std::size_t(y / kTimes * from.width + column) * 4;
      for (std::size_t c = 0; c < 3; ++c) both.rgba.push_back(from.rgba[at + c]);
      both.rgba.push_back(255);
    }
  }
  keep(both, name);
}

// A camera that shows `heightMeters` with that many pixels of a picture of kSide.
Camera cameraFor(double azimuth, double elevation, double heightMeters, double pixels) {
  Camera camera;
  camera.fieldOfViewY = 0.09;  // what 96 of 720 pixels see
  camera.target = {0.0, 0.5 * heightMeters, 0.0};
  camera.yaw = azimuth;
  camera.pitch = elevation;
  camera.distance = heightMeters * kSide / pixels / (2.0 * std::tan(0.5 * camera.fieldOfViewY));
  return camera;
}

// A cube of 1 m on the ground whose sides are a mesh each: in front red, at the back green, on +X
// blue, on -X yellow, above white, below black. It does not move.
ck::Character cube() {
  ck::Character one = ck::test::barCharacter();
  one.meshes.clear();
  const glm::vec3 out[] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  const glm::vec4 colors[] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1},
                              {1, 1, 0, 1}, {1, 1, 1, 1}, {0, 0, 0, 1}};
  for (int side = 0; side < 6; ++side) {
    const glm::vec3 across =
        side == 4 || side == 5 ? glm::vec3(1, 0, 0) : glm::cross(glm::vec3(0, 1, 0), out[side]);
    const glm::vec3 high = glm::cross(out[side], across);
    ck::Mesh mesh;
    mesh.name = "Side" + std::to_string(side);
    mesh.material = side;
    mesh.indices = {0, 1, 2, 2, 1, 3};
    mesh.influenceStarts.push_back(0);
    for (int corner = 0; corner < 4; ++corner) {
      const float u = float(corner % 2) - 0.5f;
      const float v = float(corner / 2) - 0.5f;
      mesh.positions.push_back(out[side] * 0.5f + across * u + high * v + glm::vec3(0, 0.5f, 0));
      mesh.normals.push_back(out[side]);
      mesh.influences.push_back({0, 1.0f});
      mesh.influenceStarts.push_back(std::uint32_t(mesh.influences.size()));
    }
    one.meshes.push_back(std::move(mesh));
    ck::Material material;
    material.baseColor = colors[side];
    one.materials.push_back(material);
  }
  return one;
}

ck::Actor actorAt(float offset, float yawDegrees = 0.0f) {
  ck::Actor actor;
  actor.offset = offset;
  actor.rotationDegrees.y = yawDegrees;
  actor.tint = 0xFFFFFF;
  return actor;
}

constexpr double kDegrees = std::numbers::pi / 180.0;

}  // namespace

// The witness of all pictures is the mesh, drawn by the method atlas at the same size.
class tst_impostors : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;

  // The mesh and its picture or point; `name` is that of kept pictures.
  static Comparison drawnBoth(Stand& stand, const std::vector<ck::Actor>& actors,
                              const Camera& camera, const std::string& name, As as = As::Pictures) {
    const Frame mesh = stand.draw(As::Meshes, actors, camera, kSide, kSide);
    const Frame picture = stand.draw(as, actors, camera, kSide, kSide);
    keepBoth(mesh, picture, name);
    return compare(mesh, picture);
  }

 private slots:
  void init() { CK_NEEDS_GL(stage_); }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void looksLikeTheMeshFromItsDirections();
  void looksLikeTheMeshBetweenDirections();
  void showsTheSideThatIsSeen();
  void showsTheMoment();
  void liesWithTheActor();
  void takesTheTint();
  void glowsWhereSelected();
  void writesIdsWhereTheBodyIs();
  void writesDepthWhereTheBodyIs();
  void isLitThroughShadowMaps();
  void isSeenWhenItsMiddleIsOutside();
  void crowdsOfSmallPicturesCoverTheGround();
  void pointsHaveColorAndArea();
  void castsSoftShadows();
  void leavesHiddenMeshesOut();
  void keepsTheBudget();
  void goesOnInParts();
  void showsFewDirectionsFirst();
};

void tst_impostors::looksLikeTheMeshFromItsDirections() {
  Stand stand(ck::test::bakedHumanoid(), kLargeBudget);
  double overlap = 0.0;
  double area = 0.0;
  for (const double elevation : {0.0, 30.0}) {
    for (int step = 0; step < 4; ++step) {
      const Camera camera = cameraFor(90.0 * step * kDegrees, elevation * kDegrees, 1.8, 24.0);
      const Comparison same =
          drawnBoth(stand, {actorAt(0.0f)}, camera,
                    "direction_" + std::to_string(int(elevation)) + "_" + std::to_string(step));
      QVERIFY2(same.overlap >= 0.75, textOf(same).c_str());
      QVERIFY2(farthest(same.meanA, same.meanB) < 16.0, textOf(same).c_str());
      overlap += same.overlap / 8.0;
      area += same.area / 8.0;
    }
  }
  qInfo("overlap %.3f, area %.3f", overlap, area);
  QVERIFY(overlap >= 0.85);
  QVERIFY(std::abs(area - 1.0) < 0.1);
}

void tst_impostors::looksLikeTheMeshBetweenDirections() {
  Stand stand(ck::test::bakedHumanoid(), kLargeBudget);
  double overlap = 0.0;
  double area = 0.0;
  glm::dvec3 apart(0.0);
  int views = 0;
  for (const double elevation : {0.05, 0.3, 0.7}) {
    for (int step = 0; step < 8; ++step) {
      const Camera camera = cameraFor(0.11 + step * 0.8, elevation, 1.8, 24.0);
      const Comparison same =
          drawnBoth(stand, {actorAt(0.13f * float(step))}, camera,
                    "between_" + std::to_string(int(elevation * 100)) + "_" + std::to_string(step));
      QVERIFY2(same.overlap >= 0.65, textOf(same).c_str());
      QVERIFY2(farthest(same.meanA, same.meanB) < 30.0, textOf(same).c_str());
      overlap += same.overlap;
      area += same.area;
      apart += same.meanB - same.meanA;
      ++views;
    }
  }
  qInfo("overlap %.3f, area %.3f, mean colour %.1f %.1f %.1f off", overlap / views, area / views,
        apart.x / views, apart.y / views, apart.z / views);
  QVERIFY(overlap / views >= 0.8);
  QVERIFY(std::abs(area / views - 1.0) < 0.05);
  QVERIFY(farthest(apart / double(views), glm::dvec3(0.0)) < 8.0);
}

void tst_impostors::showsTheSideThatIsSeen() {
  Stand stand(bakedRig(cube()));
  for (const double elevation : {0.0, 30.0, 60.0, 88.0}) {
    for (int step = 0; step < 4; ++step) {
      if (elevation == 60.0 && step % 2 == 1) continue;  // between two directions
      const Camera camera = cameraFor(0.0, elevation * kDegrees, 1.0, 32.0);
      const ck::Actor actor = actorAt(0.0f, 90.0f * float(step));
      const Comparison same =
          drawnBoth(stand, {actor}, camera,
                    "cube_" + std::to_string(int(elevation)) + "_" + std::to_string(step));
      QVERIFY2(same.overlap >= 0.9, textOf(same).c_str());
      QVERIFY2(farthest(same.meanA, same.meanB) < 12.0, textOf(same).c_str());
    }
  }
}

void tst_impostors::showsTheMoment() {
  Stand stand(bakedRig(ck::test::barCharacter()), kLargeBudget);
  const Camera camera = cameraFor(0.0, 0.05, 2.0, 43.0);
  const float offsets[] = {0.0f, 0.2f, 0.35f, 0.5f};
  for (const float offset : offsets) {
    const Comparison same =
        drawnBoth(stand, {actorAt(offset)}, camera, "moment_" + std::to_string(int(offset * 100)));
    QVERIFY2(same.overlap >= 0.75, textOf(same).c_str());
    const Frame mesh = stand.draw(As::Meshes, {actorAt(offset)}, camera, kSide, kSide);
    for (const float other : offsets) {
      if (other == offset) continue;
      const Frame picture = stand.draw(As::Pictures, {actorAt(other)}, camera, kSide, kSide);
      QVERIFY(compare(mesh, picture).overlap < same.overlap - 0.1);
    }
  }
}

void tst_impostors::liesWithTheActor() {
  Stand stand(bakedRig(ck::test::barCharacter()));
  ck::Actor actor = actorAt(0.5f);
  actor.rotationDegrees = {0.0f, 20.0f, 70.0f};
  actor.scale = 1.3f;
  for (const bool orthographic : {false, true}) {
    Camera camera = cameraFor(0.2, 0.3, 2.0, 32.0);
    camera.orthographic = orthographic;
    const Comparison same = drawnBoth(stand, {actor}, camera, orthographic ? "lies_o" : "lies");
    QVERIFY2(same.overlap >= 0.7, textOf(same).c_str());
  }
}

void tst_impostors::takesTheTint() {
  Stand stand(bakedRig(ck::test::barCharacter()));
  const Camera camera = cameraFor(0.5, 0.3, 2.0, 32.0);
  for (const std::uint32_t tint : {0xFF2010u, 0x2040FFu}) {
    ck::Actor actor = actorAt(0.0f);
    actor.tint = tint;
    const Comparison same = drawnBoth(stand, {actor}, camera, "tint_" + std::to_string(tint));
    QVERIFY2(farthest(same.meanA, same.meanB) < 10.0, textOf(same).c_str());
  }
}

void tst_impostors::glowsWhereSelected() {
  Stand stand(bakedRig(ck::test::barCharacter()));
  const Camera camera = cameraFor(0.5, 0.3, 2.0, 32.0);
  const auto drawn = [&](As as) {
    return stand.draw(as, {actorAt(0.0f)}, camera, kSide, kSide, DrawPass::Kind::Color, {0});
  };
  const Comparison same = compare(drawn(As::Meshes), drawn(As::Pictures));
  QVERIFY2(farthest(same.meanA, same.meanB) < 12.0, textOf(same).c_str());
  const Comparison plain = drawnBoth(stand, {actorAt(0.0f)}, camera, "selected");
  QVERIFY(same.meanB.z - same.meanB.x > plain.meanB.z - plain.meanB.x + 20.0);
}

void tst_impostors::writesIdsWhereTheBodyIs() {
  Stand stand(bakedRig(ck::test::barCharacter()));
  std::vector<ck::Actor> actors(3, actorAt(0.0f));
  for (std::size_t i = 0; i < actors.size(); ++i) actors[i].position.x = float(i) - 1.0f;
  const Camera camera = cameraFor(0.0, 0.1, 2.0, 40.0);
  const auto ids = [&](As as) {
    const Frame frame = stand.draw(as, actors, camera, kSide, kSide, DrawPass::Kind::ActorIds);
    std::vector<int> counts(4, 0);
    for (std::size_t i = 0; i < pixels(frame); ++i) {
      if (frame.rgba[i * 4] > 3) return std::vector<int>();
      ++counts[frame.rgba[i * 4]];
    }
    return counts;
  };
  const std::vector<int> meshes = ids(As::Meshes);
  for (const As as : {As::Pictures, As::Points}) {
    const std::vector<int> far = ids(as);
    QCOMPARE(far.size(), meshes.size());
    for (std::size_t id = 1; id < far.size(); ++id) {
      QVERIFY2(std::abs(double(far[id]) / double(meshes[id]) - 1.0) < 0.35,
               qPrintable(QString("%1 and %2").arg(meshes[id]).arg(far[id])));
    }
  }
}

void tst_impostors::writesDepthWhereTheBodyIs() {
  Stand stand(bakedRig(ck::test::barCharacter()));
  const Camera camera = cameraFor(0.4, 0.2, 2.0, 40.0);
  const std::vector<ck::Actor> actors(1, actorAt(0.0f));
  const int meshes = stand.depthPixels(As::Meshes, actors, camera, kSide, kSide);
  const int pictures = stand.depthPixels(As::Pictures, actors, camera, kSide, kSide);
  QVERIFY(meshes > 100);
  QVERIFY2(std::abs(double(pictures) / double(meshes) - 1.0) < 0.1,
           qPrintable(QString("%1 and %2").arg(meshes).arg(pictures)));
}

void tst_impostors::isLitThroughShadowMaps() {
  Stand stand(bakedRig(ck::test::barCharacter()));
  const Camera camera = cameraFor(0.0, 0.1, 2.0, 40.0);
  const Frame without = stand.draw(As::Pictures, {actorAt(0.0f)}, camera, kSide, kSide);
  const auto cascades = ck::render::planCascades(
      camera, 1.0, {glm::dvec3(-1.0, 0.0, -1.0), glm::dvec3(1.0, 2.0, 1.0)});
  ck::render::ShadowMaps maps;
  for (const bool dark : {false, true}) {
    // All of a map is empty, or nearer to the light than anything.
    const auto drawn = maps.draw(cascades, [dark](const DrawPass&) -> ck::Result<void> {
      glClearDepth(dark ? 0.0 : 1.0);
      glClear(GL_DEPTH_BUFFER_BIT);
      glClearDepth(1.0);
      return {};
    });
    QVERIFY(drawn.has_value());
    stand.setShadows(&maps, cascades.look);
    const Comparison both = compare(without, stand.draw(As::Pictures, {actorAt(0.0f)}, camera,
                                                        kSide, kSide, DrawPass::Kind::ShadedColor));
    QCOMPARE(both.overlap, 1.0);
    const double darker = farthest(both.meanA, both.meanB);
    QVERIFY2(dark ? darker > 20.0 : darker < 1.0, textOf(both).c_str());
  }
}

void tst_impostors::isSeenWhenItsMiddleIsOutside() {
  Stand stand(bakedRig(ck::test::barCharacter()));
  Camera camera = cameraFor(0.0, 0.0, 2.0, 64.0);
  camera.target.y += 2.0;  // the lower edge cuts the bar above its middle
  const Comparison same = drawnBoth(stand, {actorAt(0.0f)}, camera, "outside");
  QVERIFY2(same.overlap >= 0.7, textOf(same).c_str());
}

// Each of many actors at one place shows other pixels. The witness is the mesh at eight times the
// size: the share of a pixel that it covers is what one actor shows of it.
void tst_impostors::crowdsOfSmallPicturesCoverTheGround() {
  Stand stand(ck::test::bakedHumanoid(), kLargeBudget);
  constexpr int kFiner = 8;
  constexpr int kMany = 16;
  const double size = 6.0;
  double expected = 0.0;
  double covered = 0.0;
  double ofOne = 0.0;
  for (int step = 0; step < 8; ++step) {
    const auto camera = [&](double pixels) {
      return cameraFor(0.11 + step * 0.8, 0.3, 1.8, pixels);
    };
    const auto coveredBy = [&](int count) {
      const std::vector<ck::Actor> actors(std::size_t(count), actorAt(0.0f));
      const Frame frame = stand.draw(As::Pictures, actors, camera(size), kSide, kSide);
      int all = 0;
      for (std::size_t i = 0; i < pixels(frame); ++i) all += isCovered(frame, i) ? 1 : 0;
      return double(all);
    };
    ofOne += coveredBy(1);
    covered += coveredBy(kMany);
    const Frame mesh = stand.draw(As::Meshes, {actorAt(0.0f)}, camera(size * kFiner), kSide, kSide);
    for (int block = 0; block < kSide / kFiner * kSide / kFiner; ++block) {
      const int left = block % (kSide / kFiner) * kFiner;
      const int top = block / (kSide / kFiner) * kFiner;
      int inside = 0;
      for (int i = 0; i < kFiner * kFiner; ++i) {
        const int pixel = (top + i / kFiner) * kSide + left + i % kFiner;
        inside += isCovered(mesh, std::size_t(pixel)) ? 1 : 0;
      }
      expected += 1.0 - std::pow(1.0 - double(inside) / (kFiner * kFiner), kMany);
    }
  }
  qInfo("%.0f pixels covered, %.0f expected, %.0f by one", covered, expected, ofOne);
  QVERIFY(std::abs(covered / expected - 1.0) < 0.25);
  QVERIFY(expected > 1.5 * ofOne);
}

// The witness is the mesh where it has enough pixels.
void tst_impostors::pointsHaveColorAndArea() {
  Stand stand(ck::test::bakedHumanoid(), kLargeBudget);
  constexpr double kWitnessPixels = 24.0;
  for (const double size : {6.0, 12.0}) {
    double area = 0.0;
    glm::dvec3 apart(0.0);
    constexpr int kViews = 8;
    for (int step = 0; step < kViews; ++step) {
      const std::vector<ck::Actor> actors(1, actorAt(0.0f));
      const auto camera = [&](double pixels) {
        return cameraFor(0.11 + step * 0.8, 0.3, 1.8, pixels);
      };
      const Frame mesh = stand.draw(As::Meshes, actors, camera(kWitnessPixels), kSide, kSide);
      const Frame point = stand.draw(As::Points, actors, camera(size), kSide, kSide);
      const Comparison same = compare(mesh, point);
      area += same.area * kWitnessPixels * kWitnessPixels / (size * size) / kViews;
      apart += (same.meanB - same.meanA) / double(kViews);
    }
    qInfo("%.0f pixels: area %.2f, mean colour %.1f %.1f %.1f off", size, area, apart.x, apart.y,
          apart.z);
    QVERIFY(std::abs(area - 1.0) < 0.2);
    QVERIFY(farthest(apart, glm::dvec3(0.0)) < 16.0);
  }
  // Never less than a pixel, which may be covered in part.
  const Frame tiny =
      stand.draw(As::Points, {actorAt(0.0f)}, cameraFor(0.0, 0.3, 1.8, 0.2), kSide, kSide);
  int covered = 0;
  for (std::size_t i = 0; i < pixels(tiny); ++i) covered += isCovered(tiny, i) ? 1 : 0;
  QCOMPARE(covered, 1);
}

// The witness is the shadow of actors that are near.
void tst_impostors::castsSoftShadows() {
  Stand stand(bakedRig(ck::test::barCharacter()));
  std::vector<ck::Actor> actors(2, actorAt(0.4f));
  actors[1].position = {1.3f, 0.0f, 0.5f};
  actors[1].rotationDegrees.y = 130.0f;
  actors[1].scale = 1.2f;
  for (const double elevation : {0.2, 0.6, 1.2}) {
    const Camera camera = cameraFor(0.4, elevation, 2.0, 40.0);
    const Frame near = stand.shadows(false, actors, camera, kSide, kSide);
    const Frame far = stand.shadows(true, actors, camera, kSide, kSide);
    keepBoth(near, far, "shadows_" + std::to_string(int(elevation * 10)));
    double dark = 0.0;
    double apart = 0.0;
    for (std::size_t i = 0; i < pixels(near); ++i) {
      dark += 255 - near.rgba[i * 4];
      apart += std::abs(int(near.rgba[i * 4]) - int(far.rgba[i * 4]));
    }
    QVERIFY(dark > 1000.0);
    QVERIFY2(apart < 0.06 * dark, qPrintable(QString("%1 of %2").arg(apart).arg(dark)));
  }
}

void tst_impostors::leavesHiddenMeshesOut() {
  const Camera camera = cameraFor(0.0, 0.0, 1.0, 32.0);
  const auto redder = [&](std::vector<int> hidden) {
    Stand stand(bakedRig(cube()), kBudget, std::move(hidden));
    const Frame frame = stand.draw(As::Pictures, {actorAt(0.0f)}, camera, kSide, kSide);
    const glm::dvec3 mean = compare(frame, frame).meanA;
    return mean.x - mean.y;
  };
  QVERIFY(redder({}) > 50.0);    // the front
  QVERIFY(redder({0}) < -50.0);  // the back, from within
}

void tst_impostors::keepsTheBudget() {
  const Stand large(ck::test::bakedHumanoid(), kBudget);
  const Stand small(ck::test::bakedHumanoid(), kBudget / 4);
  QVERIFY(large.set().bytes() <= kBudget);
  QVERIFY(large.set().bytes() > kBudget / 2);
  QVERIFY(small.set().bytes() <= kBudget / 4);
  QVERIFY(small.set().errorMeters() > large.set().errorMeters());
  const auto refused = large.make(1000);
  QVERIFY(!refused);
  QCOMPARE(refused.error().code, ck::ErrorCode::LimitExceeded);
}

void tst_impostors::goesOnInParts() {
  Stand stand(bakedRig(ck::test::barCharacter()));
  stand.begin(kBudget);
  ImpostorSet& set = stand.set();
  const auto target = ck::render::Target::make(16, 16, ck::render::TargetFormat::Rgba8);
  QVERIFY(target.has_value());
  glBindFramebuffer(GL_FRAMEBUFFER, target->name());
  glViewport(1, 2, 3, 4);
  double before = -1.0;
  while (!set.isReady()) {
    QVERIFY(set.readyShare() > before);
    before = set.readyShare();
    QVERIFY(set.goOn(0.0).has_value());
    GLint bound = 0;
    GLint viewport[4] = {};
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    glGetIntegerv(GL_VIEWPORT, viewport);
    QCOMPARE(unsigned(bound), target->name());
    QCOMPARE(viewport[0] + 10 * viewport[1] + 100 * viewport[2] + 1000 * viewport[3], 4321);
  }
  QVERIFY(before > 0.0);
  QCOMPARE(set.readyShare(), 1.0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

// Until all pictures are drawn the nearest ones are shown, which cover about as much.
void tst_impostors::showsFewDirectionsFirst() {
  Stand stand(ck::test::bakedHumanoid(), kLargeBudget);
  const auto seen = [&stand] {
    std::vector<Frame> frames;
    for (int i = 0; i < 24; ++i) {  // the first one from a direction that is drawn first
      const Camera camera = cameraFor(30.0 * i * kDegrees, i / 12 * 0.5, 1.8, 24.0);
      frames.push_back(stand.draw(As::Pictures, {actorAt(0.0f)}, camera, kSide, kSide));
    }
    return frames;
  };
  const std::vector<Frame> all = seen();
  stand.begin(kLargeBudget);
  while (!stand.set().isShowable()) QVERIFY(stand.set().goOn(0.0).has_value());
  QVERIFY(stand.set().readyShare() < 0.5);
  const std::vector<Frame> few = seen();
  int same = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Comparison both = compare(all[i], few[i]);
    QVERIFY2(std::abs(both.area - 1.0) < 0.3 && both.overlap > 0.45, textOf(both).c_str());
    same += all[i].rgba == few[i].rgba ? 1 : 0;
  }
  QVERIFY(all[0].rgba == few[0].rgba && same < 12);
  QVERIFY(stand.set().goOn(1e9).has_value() && stand.set().isReady());
  QVERIFY(std::ranges::equal(all, seen(), {}, &Frame::rgba, &Frame::rgba));
}

CK_TEST(tst_impostors)
#include "tst_impostors.moc"
