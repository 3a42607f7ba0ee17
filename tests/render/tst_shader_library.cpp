#include <QTest>

#include "render/gl/handle.h"
#include "render/gl/shader_library.h"
#include "tests/support/gl_stage.h"
#include "tests/support/test_program.h"

using namespace ck::render;

namespace {

ProgramRequest request(int number) {
  return {"scene/legend.vert", "scene/legend.frag", {{"CK_UNUSED", number}}, {}};
}

}  // namespace

class tst_shader_library : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;

 private slots:
  void aProgramIsMadeOnce() {
    CK_NEEDS_GL(stage_);
    ShaderLibrary shaders;
    const auto first = shaders.program(request(1));
    QVERIFY(first.has_value());
    const int objects = liveGlObjects();
    for (int frame = 0; frame < 5; ++frame) {
      shaders.startFrame();
      const auto again = shaders.program(request(1));
      QVERIFY(again.has_value());
      QCOMPARE(*again, *first);
    }
    QCOMPARE(liveGlObjects(), objects);
  }

  // A window in which every method is tried must not keep the programs of all of them.
  void whatFramesDoNotUseAnyMoreIsDropped() {
    CK_NEEDS_GL(stage_);
    constexpr auto kMost = static_cast<int>(ShaderLibrary::kKept);
    const int before = liveGlObjects();
    {
      ShaderLibrary shaders;
      const auto kept = shaders.program(request(-1));
      QVERIFY(kept.has_value());
      for (int frame = 0; frame < 3 * kMost; ++frame) {
        shaders.startFrame();
        QVERIFY(shaders.program(request(frame)).has_value());
        // A program that every frame uses stays, however many others come.
        const auto again = shaders.program(request(-1));
        QVERIFY(again.has_value());
        QCOMPARE(*again, *kept);
        QVERIFY(liveGlObjects() - before <= kMost + 2);
      }
      // A program that was dropped is made again.
      QVERIFY(shaders.program(request(0)).has_value());
      QCOMPARE(stage_.complaints(), std::string());
    }
    QCOMPARE(liveGlObjects(), before);
  }

  // A frame may need more than are kept.
  void whatAFrameUsesIsNotDropped() {
    CK_NEEDS_GL(stage_);
    constexpr auto kMost = static_cast<int>(ShaderLibrary::kKept);
    ShaderLibrary shaders;
    std::vector<const Program*> used;
    for (int frame = 0; frame < 3; ++frame) {
      shaders.startFrame();
      for (int i = 0; i < kMost + 8; ++i) {
        const auto program = shaders.program(request(i));
        QVERIFY(program.has_value());
        if (frame == 0) used.push_back(*program);
        QCOMPARE(*program, used[static_cast<std::size_t>(i)]);
      }
    }
  }
};

CK_TEST(tst_shader_library)
#include "tst_shader_library.moc"
