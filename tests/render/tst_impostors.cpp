#include <epoxy/gl.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "core/import/import_process.h"
#include "render/far/impostor_set.h"
#include "render/gl/framebuffer.h"
#include "render/gl/handle.h"
#include "render/view/frame_image.h"
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

namespace {

constexpr std::size_t kBudget = std::size_t{16} << 20;

ck::render::SceneLook lookOf(const Camera& camera, int width, int height) {
  ck::render::SceneLook look;
  look.aspect = float(width) / float(height);
  look.viewProjection = projectionMatrix(camera, double(look.aspect)) * viewMatrix(camera);
  look.eye = glm::vec3(eyeOf(camera));
  if (camera.orthographic) look.towardsEye = glm::vec3(towardsEye(camera));
  look.focusMeters = float(camera.distance);
  look.fogMeters = 400.0f;
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
    auto set = ImpostorSet::make(character_, atlas_, hidden, shaders_, facts_, budget);
    if (!set) qFatal("%s", set.error().message.c_str());
    set_ = std::move(*set);
    const auto done = set_->goOn(1e9);
    if (!done || !set_->isReady()) qFatal("the pictures are not drawn");
  }

  const ImpostorSet& set() const { return *set_; }
  const BakedRig& rig() const { return rig_; }

  enum class As { Meshes, Pictures, Points };

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
    const DrawPass pass{.kind = kind, .look = lookOf(camera, width, height)};
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
    if (!ids) {
      frame.rgba = target->readRgba();
      return frame;
    }
    for (const std::uint32_t id : target->readIds()) {
      for (int i = 0; i < 4; ++i) frame.rgba.push_back(std::uint8_t(id >> (8 * i)));
    }
    return frame;
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
  ck::render::ShaderLibrary shaders_;
  std::shared_ptr<ck::render::CharacterGpu> character_;
  std::shared_ptr<ck::render::AtlasGpu> atlas_;
  ck::render::ActorStream stream_;
  std::unique_ptr<ck::render::Skinner> skinner_;
  FarActors far_;
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

bool isCovered(const Frame& frame, std::size_t pixel) {
  return frame.rgba[pixel * 4 + 3] != 0;
}

std::size_t pixels(const Frame& frame) {
  return frame.rgba.size() / 4;
}

struct Comparison {
  double overlap = 0.0;  // pixels covered in both by pixels covered in any
  glm::dvec3 meanA{0.0};
  glm::dvec3 meanB{0.0};
  double area = 0.0;  // covered pixels of b by those of a
};

Comparison compare(const Frame& a, const Frame& b) {
  double both = 0.0;
  double any = 0.0;
  double inA = 0.0;
  double inB = 0.0;
  Comparison result;
  for (std::size_t i = 0; i < pixels(a); ++i) {
    const bool hasA = isCovered(a, i);
    const bool hasB = isCovered(b, i);
    both += hasA && hasB ? 1.0 : 0.0;
    any += hasA || hasB ? 1.0 : 0.0;
    inA += hasA ? 1.0 : 0.0;
    inB += hasB ? 1.0 : 0.0;
    for (int c = 0; c < 3; ++c) {
      result.meanA[c] += hasA ? a.rgba[i * 4 + std::size_t(c)] : 0;
      result.meanB[c] += hasB ? b.rgba[i * 4 + std::size_t(c)] : 0;
    }
  }
  result.overlap = both / std::max(any, 1.0);
  result.meanA /= std::max(inA, 1.0);
  result.meanB /= std::max(inB, 1.0);
  result.area = inB / std::max(inA, 1.0);
  return result;
}

// A camera that shows `heightMeters` with that many pixels of a picture of 96.
Camera cameraFor(double azimuth, double elevation, double heightMeters, double pixels) {
  constexpr double kSide = 96.0;
  Camera camera;
  camera.target = {0.0, 0.5 * heightMeters, 0.0};
  camera.yaw = azimuth;
  camera.pitch = elevation;
  camera.distance = heightMeters * kSide / pixels / (2.0 * std::tan(0.5 * camera.fieldOfViewY));
  return camera;
}

BakedRig humanoid() {
  auto imported = ck::importCharacter(ck::test::sampleHumanoid());
  if (!imported) qFatal("%s", imported.error().message.c_str());
  return bakedRig(std::move(*imported));
}

}  // namespace

class tst_impostors : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;

 private slots:
  void init() { CK_NEEDS_GL(stage_); }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void looksLikeTheMesh();
};

void tst_impostors::looksLikeTheMesh() {
  Stand stand(humanoid());
  const ImpostorSet& set = stand.set();
  qInfo("%d moments, %d directions, cells of %d, %zu bytes, %.4f m a pixel, error %.4f m",
        set.moments(), set.directions(), set.cellPixels(), set.bytes(), set.metersPerPixel(),
        set.errorMeters());
  for (const double size : {24.0, 48.0}) {
    for (const double elevation : {0.05, 0.3, 0.7}) {
      for (int step = 0; step < 8; ++step) {
        const double azimuth = 0.11 + step * 0.8;
        ck::Actor actor;
        actor.clip = 0;
        actor.offset = 0.13f * float(step);
        actor.tint = 0xFF8040;
        const Camera camera = cameraFor(azimuth, elevation, 1.8, size);
        const Frame mesh = stand.draw(As::Meshes, {actor}, camera, 96, 96);
        const Frame picture = stand.draw(As::Pictures, {actor}, camera, 96, 96);
        const Comparison same = compare(mesh, picture);
        qInfo(
            "%.0f px, elevation %.2f, azimuth %.2f: overlap %.3f, area %.3f, mean %.1f %.1f %.1f "
            "and %.1f %.1f %.1f",
            size, elevation, azimuth, same.overlap, same.area, same.meanA.x, same.meanA.y,
            same.meanA.z, same.meanB.x, same.meanB.y, same.meanB.z);
        keepBoth(mesh, picture,
                 "impostor_" + std::to_string(int(size)) + "_" +
                     std::to_string(int(elevation * 100)) + "_" + std::to_string(step));
      }
    }
  }
}

CK_TEST(tst_impostors)
#include "tst_impostors.moc"
