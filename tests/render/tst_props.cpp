#include <QTest>
#include <algorithm>

#include "core/skinning/cpu_skinning.h"
#include "tests/support/gl_agreement.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::render::PlacedProp;
using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::differentPixels;
using ck::test::GlStage;

namespace {

constexpr int kSide = 160;

// The bar, two metres tall, as a thing.
ck::CharacterPtr post() {
  return std::make_shared<const ck::Character>(ck::restShape(ck::test::barCharacter()));
}

// The same lying flat and stretched: a slab whose top is at that height.
ck::CharacterPtr slab(float top) {
  ck::Character flat = ck::restShape(ck::test::barCharacter());
  for (ck::Mesh& mesh : flat.meshes) {
    float high = 0.0f;
    for (const glm::vec3& p : mesh.positions) high = std::max(high, p.y);
    for (glm::vec3& p : mesh.positions) {
      p = glm::vec3(p.x * 20.0f, (p.y / high - 1.0f) * 0.05f + top, p.z * 20.0f);
    }
  }
  return std::make_shared<const ck::Character>(std::move(flat));
}

ck::render::Camera camera() {
  return ck::render::lookFrom({0.0, 1.2, 9.0}, {0.0, 1.0, 0.0});
}

std::uint32_t brightness(const ck::render::Frame& frame, std::size_t pixel) {
  return std::uint32_t{frame.rgba[pixel * 4]} + frame.rgba[pixel * 4 + 1] +
         frame.rgba[pixel * 4 + 2];
}

int darkerPixels(const ck::render::Frame& dark, const ck::render::Frame& light) {
  int count = 0;
  for (std::size_t p = 0; p * 4 < dark.rgba.size(); ++p) {
    if (brightness(dark, p) + 12 < brightness(light, p)) ++count;
  }
  return count;
}

}  // namespace

class tst_props : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (stage_.missing().empty()) rig_ = bakedRig(ck::test::barCharacter());
  }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void rejectsAShapeWithoutTriangles() {
    CK_NEEDS_GL(stage_);
    auto renderer = ck::test::rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    ck::Character empty = ck::restShape(ck::test::barCharacter());
    empty.meshes[0].indices.clear();
    const std::vector<PlacedProp> props{{std::make_shared<const ck::Character>(empty)}};
    const auto refused = renderer->setProps(props);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::InvalidInput);
    // The rest of the picture is drawn all the same.
    QVERIFY(renderer->drawToFrame(one({}), camera(), settings(), kSide, kSide).has_value());
    QCOMPARE(renderer->stats().props, std::size_t{0});
  }

  void aPropHidesWhatStandsBehindIt() {
    CK_NEEDS_GL(stage_);
    auto renderer = ck::test::rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd = one({});
    for (const auto method : {ck::Method::Palette, ck::Method::Prepass, ck::Method::Atlas}) {
      ck::render::RenderSettings with = settings();
      with.view.pose.method = method;
      QVERIFY(renderer->setProps({}).has_value());
      QCOMPARE(*renderer->pick(crowd, camera(), with, kSide, kSide, kSide / 2, kSide / 2), 0);
      const std::vector<PlacedProp> before{{post(), {0.0f, 0.0f, 2.0f}, 0.0f, 2.0f}};
      QVERIFY(renderer->setProps(before).has_value());
      QCOMPARE(*renderer->pick(crowd, camera(), with, kSide, kSide, kSide / 2, kSide / 2), -1);
      const std::vector<PlacedProp> behind{{post(), {0.0f, 0.0f, -2.0f}, 0.0f, 2.0f}};
      QVERIFY(renderer->setProps(behind).has_value());
      QCOMPARE(*renderer->pick(crowd, camera(), with, kSide, kSide, kSide / 2, kSide / 2), 0);
    }
  }

  // Half a turn and half the size are to be seen where they are asked for.
  void propsStandWhereTheyArePut() {
    CK_NEEDS_GL(stage_);
    auto renderer = ck::test::rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    const ck::Crowd nobody(std::vector<ck::Actor>{}, rig_.clips);
    const auto empty = renderer->drawToFrame(nobody, camera(), settings(), kSide, kSide);
    QVERIFY(empty.has_value());
    const std::vector<PlacedProp> props{{post(), {2.0f, 0.0f, 0.0f}, 180.0f, 0.5f}};
    QVERIFY(renderer->setProps(props).has_value());
    const auto frame = renderer->drawToFrame(nobody, camera(), settings(), kSide, kSide);
    QVERIFY(frame.has_value());
    // The changed pixels lie about the position of the prop's middle, half a metre up.
    const glm::dmat4 toScreen(ck::render::projectionMatrix(camera(), 1.0) *
                              ck::render::viewMatrix(camera()));
    const auto pixelOf = [&](const glm::dvec3& place) {
      const glm::dvec4 clip = toScreen * glm::dvec4(place, 1.0);
      return glm::dvec2((clip.x / clip.w * 0.5 + 0.5) * kSide,
                        (0.5 - clip.y / clip.w * 0.5) * kSide);
    };
    glm::dvec2 low(1e9);
    glm::dvec2 high(-1e9);
    for (int p = 0; p < kSide * kSide; ++p) {
      if (std::equal(&frame->rgba[std::size_t(p) * 4], &frame->rgba[std::size_t(p) * 4] + 3,
                     &empty->rgba[std::size_t(p) * 4])) {
        continue;
      }
      const glm::dvec2 at(p % kSide + 0.5, p / kSide + 0.5);
      low = glm::min(low, at);
      high = glm::max(high, at);
    }
    const glm::dvec2 middle = pixelOf({2.0, 0.5, 0.0});
    QVERIFY(glm::distance((low + high) * 0.5, middle) < 2.0);
    QVERIFY(std::abs(high.y - low.y - (pixelOf({2, 0, 0}).y - pixelOf({2, 1, 0}).y)) < 3.0);
  }

  void propsCastAndReceiveShadows() {
    CK_NEEDS_GL(stage_);
    auto renderer = ck::test::rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    const ck::Crowd nobody(std::vector<ck::Actor>{}, rig_.clips);
    const auto above = ck::render::lookFrom({0.0, 7.0, 9.0}, {0.0, 0.0, 0.0});
    const auto frameOf = [&](const ck::Crowd& crowd, ck::Shadows shadows) {
      ck::render::RenderSettings with = settings();
      with.view.shadows = shadows;
      return *renderer->drawToFrame(crowd, above, with, kSide, kSide);
    };
    const std::vector<PlacedProp> posts{{post(), {-1.0f, 0.0f, 0.0f}},
                                        {post(), {1.0f, 0.0f, 0.0f}}};
    QVERIFY(renderer->setProps(posts).has_value());
    for (const auto shadows : {ck::Shadows::Cascades, ck::Shadows::Soft}) {
      QVERIFY(darkerPixels(frameOf(nobody, shadows), frameOf(nobody, ck::Shadows::Off)) > 60);
    }
    // On a slab that hides the ground an actor's shadow is the slab's.
    const std::vector<PlacedProp> floors{{slab(0.0f), {0.0f, 0.02f, 0.0f}}};
    QVERIFY(renderer->setProps(floors).has_value());
    const ck::Crowd actor = one({});
    QVERIFY(darkerPixels(frameOf(actor, ck::Shadows::Cascades), frameOf(actor, ck::Shadows::Off)) >
            30);
  }

  void everyMethodDrawsThemAlike() {
    CK_NEEDS_GL(stage_);
    auto renderer = ck::test::rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    const ck::CharacterPtr shape = post();
    std::vector<PlacedProp> props{{shape, {-1.5f, 0.0f, 0.5f}, 30.0f}, {shape, {1.5f, 0.0f, 0.0f}}};
    props.push_back({slab(0.2f), {0.0f, 0.0f, -3.0f}});
    QVERIFY(renderer->setProps(props).has_value());
    const ck::Crowd nobody(std::vector<ck::Actor>{}, rig_.clips);
    ck::Crowd crowd(ck::test::variedActors(6, 2), rig_.clips);
    crowd.seek(0.3);
    std::optional<ck::render::Frame> first;
    std::optional<ck::render::Frame> firstAlone;
    for (const ck::MethodInfo& info : ck::kMethods) {
      if (info.matricesOnly) continue;
      ck::render::RenderSettings with = settings();
      with.view.pose.method = info.method;
      with.view.pose.sampling = ck::Sampling::Nearest;
      with.view.shadows = ck::Shadows::Cascades;
      const auto frame = renderer->drawToFrame(crowd, camera(), with, kSide, kSide);
      QVERIFY2(frame.has_value(), frame ? "" : frame.error().message.c_str());
      // Two shapes: one call where commands lie in a buffer.
      const bool indirect = renderer->facts().multiDrawIndirect;
      QCOMPARE(renderer->stats().props, std::size_t{3});
      QCOMPARE(renderer->stats().drawCalls, 1 + (indirect ? 1 : 2));
      const auto alone = renderer->drawToFrame(nobody, camera(), with, kSide, kSide);
      QVERIFY(alone.has_value());
      if (!first) {
        first = *frame;
        firstAlone = *alone;
      }
      // The live method poses between frames.
      const int allowed = info.posesClips ? kSide * kSide / 20 : kSide * kSide / 200;
      QVERIFY(differentPixels(*frame, *first) < allowed);
      QCOMPARE(differentPixels(*alone, *firstAlone, 0), 0);
    }
  }

  void propsOfMixedCastsAndHalvesAreDrawnOnce() {
    CK_NEEDS_GL(stage_);
    auto renderer = ck::test::rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    const std::vector<PlacedProp> props{{post(), {0.0f, 0.0f, 1.0f}}};
    QVERIFY(renderer->setProps(props).has_value());
    const ck::Crowd nobody(std::vector<ck::Actor>{}, rig_.clips);
    ck::render::RenderSettings with = settings();
    const auto whole = renderer->drawToFrame(nobody, camera(), with, kSide, kSide);
    with.view.pose.viewMode = ck::ViewMode::Split;
    const auto halves = renderer->drawToFrame(nobody, camera(), with, kSide, kSide);
    QVERIFY(whole.has_value() && halves.has_value());
    // But for the line in the middle.
    QVERIFY(differentPixels(*whole, *halves) <= 4 * kSide);
  }

 private:
  ck::Crowd one(const ck::Actor& actor) const {
    return ck::Crowd(std::vector<ck::Actor>{actor}, rig_.clips);
  }
  static ck::render::RenderSettings settings() { return ck::test::plainSettings(); }

  GlStage stage_;
  BakedRig rig_;
};

CK_TEST(tst_props)
#include "tst_props.moc"
