#include <epoxy/gl.h>

#include <QTest>
#include <algorithm>
#include <bit>
#include <numeric>
#include <random>

#include "render/far/far_actors.h"
#include "render/gl/framebuffer.h"
#include "render/gl/handle.h"
#include "render/gl/shader_library.h"
#include "tests/support/gl_stage.h"
#include "tests/support/steady_crowds.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Crowd;
using ck::render::CrowdRecords;
using ck::render::FarActors;

namespace {

constexpr double kTenMinutes = 600.0;

// The record that crowd/steady_record.glsl makes of an actor.
struct Shown {
  glm::vec4 position{0.0f};  // w: fraction of frame A
  glm::vec4 rotation{0.0f};
  glm::vec4 scale{0.0f};  // w: fraction of frame B
  glm::ivec4 frames{0};   // frame A, frame B, look, index
};

// Runs the text in a vertex shader, once for every actor in the list.
class Reader {
 public:
  Reader()
      : library_([](std::string_view path) -> std::optional<std::string> {
          if (path != "test.vert") return ck::render::embeddedShaders()(path);
          return "#version 330 core\n"
                 "#include \"crowd/steady_record.glsl\"\n"
                 "out vec4 vPosition;\nout vec4 vRotation;\nout vec4 vScale;\n"
                 "flat out ivec4 vFrames;\n"
                 "void main() {\n"
                 "  CkActor actor = ckActor();\n"
                 "  vPosition = actor.positionAlphaA;\n"
                 "  vRotation = actor.rotation;\n"
                 "  vScale = actor.scaleAlphaB;\n"
                 "  vFrames = ivec4(actor.frames, actor.look, ckActorIndex());\n"
                 "  gl_Position = vec4(0.0);\n"
                 "}\n";
        }) {}

  std::vector<Shown> read(const FarActors& far) {
    auto program =
        library_.program({"test.vert", "", {}, {"vPosition", "vRotation", "vScale", "vFrames"}});
    if (!program) qFatal("%s", program.error().message.c_str());
    // Feedback needs a complete framebuffer.
    auto target = ck::render::Target::make(1, 1, ck::render::TargetFormat::Rgba8);
    if (!target) qFatal("%s", target.error().message.c_str());
    glBindFramebuffer(GL_FRAMEBUFFER, target->name());
    std::vector<Shown> shown(far.size());
    ck::render::Buffer out;
    if (!out.allocate(shown.size() * sizeof(Shown), "the outputs")) qFatal("no memory");
    glEnable(GL_RASTERIZER_DISCARD);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, out.name());
    glBeginTransformFeedback(GL_POINTS);
    far.draw(**program);
    glEndTransformFeedback();
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    glDisable(GL_RASTERIZER_DISCARD);
    out.read(std::as_writable_bytes(std::span(shown)));
    return shown;
  }

 private:
  ck::render::ShaderLibrary library_;
};

// All actors, the last one first.
std::vector<std::uint32_t> backwards(const Crowd& crowd) {
  std::vector<std::uint32_t> all(crowd.size());
  std::iota(all.rbegin(), all.rend(), 0u);
  return all;
}

void compare(const std::vector<Shown>& shown, const Crowd& crowd,
             std::span<const std::uint32_t> actors) {
  QCOMPARE(shown.size(), actors.size());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const ck::gpu::CkActor actor = crowd.instances()[actors[i]];
    const Shown& one = shown[i];
    QCOMPARE(one.frames, glm::ivec4(actor.frames, actor.look, int(actors[i])));
    QCOMPARE(std::bit_cast<int>(one.position.w), std::bit_cast<int>(actor.positionAlphaA.w));
    QCOMPARE(one.scale, actor.scaleAlphaB);
    QVERIFY(glm::distance(glm::vec3(one.position), glm::vec3(actor.positionAlphaA)) < 2e-4f);
    QVERIFY(glm::distance(one.rotation, actor.rotation) < 2e-6f);
  }
}

}  // namespace

class tst_crowd_records : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;

 private slots:
  void init() {
    CK_NEEDS_GL(stage_);
    ck::render::resetGlState();
  }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  // Frames to the bit, places to a fifth of a millimetre.
  void theShaderAgreesWithTheCrowdAfterTenMinutes_data() {
    QTest::addColumn<bool>("steady");
    QTest::newRow("loops and circles") << true;
    QTest::newRow("all that actors do") << false;
  }
  void theShaderAgreesWithTheCrowdAfterTenMinutes() {
    QFETCH(bool, steady);
    const auto clips = ck::test::clipsOfAllKinds();
    Crowd crowd(steady ? ck::test::steadyActors(3000) : ck::test::actorsOfAllKinds(3000), clips);
    const auto records = std::make_shared<CrowdRecords>();
    const std::vector<std::uint32_t> all = backwards(crowd);
    FarActors far;
    Reader reader;
    QVERIFY(records->upload(crowd));
    QVERIFY(records->uploadedBytes() >= crowd.size() * 68);
    QVERIFY(far.choose(records, {all, 1}));
    compare(reader.read(far), crowd, all);
    std::size_t uploaded = 0;
    ck::test::playTo(crowd, kTenMinutes, [&] {
      if (!records->upload(crowd)) qFatal("no memory");
      uploaded += records->uploadedBytes();
    });
    if (steady) {
      QCOMPARE(uploaded, std::size_t{0});
    } else {
      QVERIFY(uploaded > 0);
    }
    compare(reader.read(far), crowd, all);
    crowd.seek(-12.3);
    QVERIFY(records->upload(crowd));
    compare(reader.read(far), crowd, all);
    // As they are uploaded one by one.
    FarActors gathered;
    QVERIFY(gathered.upload(crowd.instances(), all));
    compare(reader.read(gathered), crowd, all);
  }

  // The actors stand, so that nothing but the frames depends on the time.
  void clipsOfAllModesAreThereAtAnyTime() {
    const auto clips = ck::test::clipsOfAllKinds();
    std::vector<Actor> actors = ck::test::steadyActors(1500);
    for (Actor& actor : actors) actor.travels = false;
    Crowd crowd(actors, clips);
    const auto records = std::make_shared<CrowdRecords>();
    const std::vector<std::uint32_t> all = backwards(crowd);
    FarActors far;
    Reader reader;
    QVERIFY(records->upload(crowd));
    QVERIFY(far.choose(records, {all, 1}));
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> minutes(-700.0, 700.0);
    std::vector<double> times = {0.0, 500.0, 1e9, -1e9, 7e11, -7e11, 1e300, -1e300};
    for (int i = 0; i < 40; ++i) times.push_back(minutes(random));
    for (const double seconds : times) {
      crowd.seek(seconds);
      QVERIFY(records->upload(crowd));
      QCOMPARE(records->uploadedBytes(), std::size_t{0});
      compare(reader.read(far), crowd, all);
    }
  }

  void editsUploadTheirNeighbourhood() {
    const auto clips = ck::test::clipsOfAllKinds();
    const std::vector<Actor> actors = ck::test::steadyActors(1000);
    Crowd crowd(actors, clips);
    const auto records = std::make_shared<CrowdRecords>();
    const std::vector<std::uint32_t> all = backwards(crowd);
    FarActors far;
    Reader reader;
    const std::size_t table = ck::test::clipTableBytes(clips);
    const auto bytes = [&](const Crowd& now) {
      if (!records->upload(now) || !far.choose(records, {all, 1})) qFatal("no memory");
      compare(reader.read(far), now, all);
      return records->uploadedBytes();
    };
    QCOMPARE(bytes(crowd), crowd.size() * 68 + table);
    crowd.setTint(700, 0x00ff00);
    QCOMPARE(bytes(crowd), std::size_t{64 * 52});
    crowd.advance(0.3);
    QCOMPARE(bytes(crowd), std::size_t{0});
    // A paused actor is written as it is, and then not again.
    crowd.command(130, ck::PlayAction::Pause);
    QVERIFY(bytes(crowd) >= 64u * 16u);
    crowd.advance(0.3);
    QCOMPARE(bytes(crowd), std::size_t{0});
    std::vector<Actor> moved = actors;
    moved[300].position.x += 1.0f;
    crowd.update(300, moved[300]);
    QCOMPARE(bytes(crowd), std::size_t{64 * 52});
    // The editor makes a crowd anew: its last actor has another place.
    moved.back().position.x += 1.0f;
    Crowd other(moved, clips);
    other.setTint(700, 0x00ff00);
    other.seek(crowd.timeSeconds());
    // The paused one plays again.
    QCOMPARE(bytes(other), 40u * 52u + 64u * 16u + table);
    // A smaller one is another one.
    moved.pop_back();
    Crowd fewer(moved, clips);
    QVERIFY(records->upload(fewer));
    QCOMPARE(records->uploadedBytes(), fewer.size() * 68 + table);
  }

  void listsAreUploadedWhenTheyChange() {
    const auto clips = ck::test::clipsOfAllKinds();
    Crowd crowd(ck::test::steadyActors(200), clips);
    const auto records = std::make_shared<CrowdRecords>();
    QVERIFY(records->upload(crowd));
    FarActors far;
    Reader reader;
    const std::vector<std::uint32_t> some = {7, 3, 199};
    const std::vector<std::uint32_t> others = {0, 101};
    QVERIFY(far.choose(records, {some, 1}));
    QCOMPARE(far.uploadedBytes(), std::size_t{12});
    crowd.advance(0.7);
    QVERIFY(records->upload(crowd));
    QVERIFY(far.choose(records, {some, 1}));
    QCOMPARE(far.uploadedBytes(), std::size_t{0});
    compare(reader.read(far), crowd, some);
    QVERIFY(far.choose(records, {others, 2}));
    QCOMPARE(far.uploadedBytes(), std::size_t{8});
    compare(reader.read(far), crowd, others);
    // From records of its own and back.
    QVERIFY(far.upload(crowd.instances(), some));
    compare(reader.read(far), crowd, some);
    QVERIFY(far.choose(records, {others, 2}));
    compare(reader.read(far), crowd, others);
    // A tint for all, and no second clips.
    far.setLook({.tint565 = 0x1234});
    for (const Shown& one : reader.read(far)) QCOMPARE(one.frames.z >> 16, 0x1234);
    QVERIFY(far.choose(records, {{}, 3}));
    QCOMPARE(far.size(), std::size_t{0});
    QVERIFY(reader.read(far).empty());
  }

  void secondClipsAreLeftOut() {
    const auto clips = ck::test::clipsOfAllKinds();
    std::vector<Actor> actors = ck::test::steadyActors(3);
    actors[1].fadeClip = 1;
    actors[1].fade = 0.8f;
    const Crowd crowd(actors, clips);
    const auto records = std::make_shared<CrowdRecords>();
    QVERIFY(records->upload(crowd));
    const std::vector<std::uint32_t> all = {0, 1, 2};
    FarActors far;
    Reader reader;
    QVERIFY(far.choose(records, {all, 1}));
    QVERIFY(ck::gpu::ck_lookBlend(reader.read(far)[1].frames.z) > 0.79f);
    far.setLook({.fades = false});
    const std::vector<Shown> plain = reader.read(far);
    QCOMPARE(ck::gpu::ck_lookBlend(plain[1].frames.z), 0.0f);
    QCOMPARE(plain[1].frames.z >> 16, crowd.instances().places()[1].look >> 16);
  }
};

CK_TEST(tst_crowd_records)
#include "tst_crowd_records.moc"
