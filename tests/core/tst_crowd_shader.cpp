#include <QTest>
#include <regex>

#include "core/bake/bake.h"
#include "core/export/targets/crowd_shader.h"
#include "core/export/targets/joint_table.h"
#include "core/export/targets/shader_files.h"
#include "tests/support/atlas_variants.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/step_rigs.h"
#include "tests/support/test_program.h"

using ck::ShaderDialect;
using ck::test::AtlasVariant;

// The text of exported shaders, without compiling it.
namespace {

// Four floats of a table, as the shaders fetch them.
glm::vec4 texelOf(const ck::JointTable& table, int i) {
  const float* at = &table.values[4 * static_cast<std::size_t>(i)];
  return {at[0], at[1], at[2], at[3]};
}

ck::Atlas bakedSteps(ck::RangeMode ranges) {
  ck::BakeSettings settings = ck::test::steppingSettings();
  settings.rangeMode = ranges;
  return ck::bake(ck::test::steppingLimb(), settings).value().atlas;
}

// Words that cannot be names in WGSL: its keywords and reserved words. Words that HLSL reserves are
// listed with them.
const std::regex kReservedInWgsl(
    "\\b(alias|break|case|const|const_assert|continue|continuing|default|diagnostic|discard|else|"
    "enable|"
    "false|fn|for|if|let|loop|override|requires|return|struct|switch|true|var|while|NULL|Self|"
    "abstract|"
    "active|as|asm|async|attribute|auto|await|become|binding_array|cast|catch|class|coherent|"
    "common|"
    "compile|concept|crate|debugger|delete|demote|do|enum|explicit|export|extends|extern|external|"
    "fallthrough|filter|final|finally|friend|from|get|goto|groupshared|highp|impl|implements|"
    "import|"
    "inline|interface|layout|lowp|macro|match|mediump|meta|mod|module|move|mut|mutable|namespace|"
    "new|"
    "nil|null|of|operator|package|pass|patch|precise|precision|premerge|priv|protected|pub|public|"
    "readonly|ref|register|require|resource|restrict|self|set|shared|sizeof|smooth|snorm|static|"
    "std|"
    "subroutine|super|target|template|this|throw|trait|try|type|typedef|typeof|union|unless|unorm|"
    "unsafe|use|using|varying|virtual|volatile|where|with|writeonly|yield) *:");
const std::regex kReservedInHlsl(
    "\\b(int[24]?|float[234]?|Ck[A-Z]\\w*) "
    "(sample|point|line|triangle|texture|sampler|matrix|vector|linear|centroid|pass|technique|"
    "string|"
    "export|inline|packoffset|register|shared|static|uniform|volatile|half|double|min16float|clip|"
    "lerp|"
    "interface|class|snorm|unorm|in|out|inout|precise|discard|compile)\\b");

std::string textOf(const ck::TargetFile& file) {
  return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

}  // namespace

class tst_crowd_shader : public QObject {
  Q_OBJECT
 private slots:
  void theTableHoldsJointsRangesClipsAndSteps() {
    const ck::Atlas atlas = bakedSteps(ck::RangeMode::JointClip);
    const ck::JointTable table = ck::jointTable(atlas);
    QCOMPARE(table.values.size(), static_cast<std::size_t>(4 * table.width * table.height));
    for (std::size_t j = 0; j < atlas.joints.size(); ++j) {
      const ck::AtlasJoint& joint = atlas.joints[j];
      const int first = static_cast<int>(4 * j);
      QCOMPARE(texelOf(table, first), glm::vec4(joint.pivot, static_cast<float>(joint.parent)));
      for (int row = 0; row < 3; ++row) {
        const glm::vec4 texel = texelOf(table, first + 1 + row);
        for (int column = 0; column < 4; ++column) {
          QCOMPARE(texel[column], joint.inverseBind[column][row]);
        }
      }
    }
    QCOMPARE(table.ranges, static_cast<int>(4 * atlas.joints.size()));
    for (int clip = 0; clip < 4; ++clip) {
      for (int joint = 0; joint < 7; ++joint) {
        const int at = table.ranges + 2 * (clip * 7 + joint);
        QCOMPARE(texelOf(table, at), ck::rangesFor(atlas, clip, joint)[0].low);
        QCOMPARE(texelOf(table, at + 1), ck::rangesFor(atlas, clip, joint)[0].size);
      }
    }
    int interval = table.clips + 2 * static_cast<int>(atlas.clips.size());
    for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
      const ck::AtlasClip& clip = atlas.clips[c];
      const int first = table.clips + static_cast<int>(2 * c);
      QCOMPARE(texelOf(table, first),
               glm::vec4(static_cast<float>(clip.firstFrame),
                         static_cast<float>(clip.frameCount - int(clip.stepFrames.size())),
                         clip.loop == ck::LoopMode::Once ? 1.0f : 0.0f,
                         static_cast<float>(clip.durationSeconds)));
      const glm::vec4 second = texelOf(table, first + 1);
      QCOMPARE(second.x, static_cast<float>(clip.frameCount));
      QCOMPARE(second.y, static_cast<float>(interval));
      const int moments = clip.frameCount - static_cast<int>(clip.stepFrames.size());
      QCOMPARE(second.z, clip.stepFrames.empty() ? 0.0f : static_cast<float>(moments));
      for (int moment = 0; !clip.stepFrames.empty() && moment < moments; ++moment) {
        // Before the end the second frame of a moment is shown, at the end the last but one.
        const auto steps =
            std::ranges::count_if(clip.stepFrames, [&](int m) { return m <= moment; });
        const auto frame = moment + 1 < moments ? moment + steps : clip.frameCount - 2;
        QCOMPARE(texelOf(table, interval++),
                 glm::vec4(static_cast<float>(frame), 0.0f, 1.0f, 0.0f));
      }
    }
    QVERIFY(interval > table.clips + 8);  // there were some
  }

  void theTableIsNeverHigherThanEveryWebGlCanHold() {
    ck::Atlas atlas = bakedSteps(ck::RangeMode::Joint);
    QCOMPARE(ck::jointTable(atlas).width, 256);
    atlas.ranges.resize(700'000);
    const ck::JointTable table = ck::jointTable(atlas);
    QCOMPARE(table.width, 1024);
    QVERIFY(table.height <= 2048);
    QCOMPARE(texelOf(table, table.clips).w, static_cast<float>(atlas.clips[0].durationSeconds));
  }

  void theTableIsWrittenLittleEndian() {
    const ck::JointTable table = {.width = 1, .height = 1, .values = {1.0f, -2.0f, 0.0f, 0.5f}};
    const std::vector<std::byte> bytes = ck::jointTableBytes(table);
    const std::array<unsigned, 16> wanted = {0, 0, 0x80, 0x3f, 0, 0, 0,    0xc0,
                                             0, 0, 0,    0,    0, 0, 0x00, 0x3f};
    QCOMPARE(bytes.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      QCOMPARE(std::to_integer<unsigned>(bytes[i]), wanted[i]);
    }
  }

  void linesAreSelected() {
    const std::string text =
        "a\n#if CK_X == 1\nb\n  #if CK_Y == 2\nc\n  #else\nd\n  #endif\n#else\ne\n#endif\nf\n";
    QCOMPARE(ck::selectLines(text, {{{"CK_X", 1}, {"CK_Y", 3}}}), std::string("a\nb\nd\nf\n"));
    QCOMPARE(ck::selectLines(text, {{{"CK_X", 0}, {"CK_Y", 2}}}), std::string("a\ne\nf\n"));
  }

  void textIsTranslated_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("hlsl");
    QTest::addColumn<QString>("wgsl");
    QTest::newRow("structs") << "struct CkA {\n  vec3 at;  // metres\n  int kind;\n};\n"
                             << "struct CkA {\n  float3 at;  // metres\n  int kind;\n};\n"
                             << "struct CkA {\n  at: vec3<f32>,  // metres\n  kind: i32,\n}\n";
    QTest::newRow("parameters that change")
        << "CK_FN CkA ck_f(CkA a, float b) {\n  a.at.x += b;\n  return a;\n}\n"
        << "CkA ck_f(CkA a, float b) {\n  a.at.x += b;\n  return a;\n}\n"
        << "fn ck_f(a_in: CkA, b: f32) -> CkA {\n  var a = a_in;\n  a.at.x += b;\n  return a;\n}\n";
    QTest::newRow("choices")
        << "CK_FN float ck_f(int i) {\n  float s = i < 2 ? 1.0f : (i > 7 ? 3.0f : 2.0f);\n"
           "  return max(s, i == 0 ? 0.5f : s);\n}\n"
        << "float ck_f(int i) {\n  float s = i < 2 ? 1.0f : (i > 7 ? 3.0f : 2.0f);\n"
           "  return max(s, i == 0 ? 0.5f : s);\n}\n"
        << "fn ck_f(i: i32) -> f32 {\n"
           "  var s: f32 = select((select(2.0f, 3.0f, i > 7)), 1.0f, i < 2);\n"
           "  return max(s, select(s, 0.5f, i == 0));\n}\n";
    QTest::newRow("loops")
        << "CK_FN ivec2 ck_f(ivec2 v) {\n  for (int i = 0; i < 3; ++i) {\n    if (i == v.x) "
           "break;\n"
           "    else v.y = i;\n  }\n  return ivec2(int(1.5f), v.y);\n}\n"
        << "int2 ck_f(int2 v) {\n  for (int i = 0; i < 3; ++i) {\n    if (i == v.x) break;\n"
           "    else v.y = i;\n  }\n  return int2(int(1.5f), v.y);\n}\n"
        << "fn ck_f(v_in: vec2<i32>) -> vec2<i32> {\n  var v = v_in;\n"
           "  for (var i: i32 = 0; i < 3; i++) {\n    if (i == v.x) { break; }\n"
           "    else { v.y = i; }\n  }\n  return vec2<i32>(i32(1.5f), v.y);\n}\n";
  }
  void textIsTranslated() {
    QFETCH(QString, text);
    QFETCH(QString, hlsl);
    QFETCH(QString, wgsl);
    const auto in = [&](ShaderDialect dialect) {
      return QString::fromStdString(ck::inDialect(text.toStdString(), dialect));
    };
    QCOMPARE(in(ShaderDialect::Hlsl), hlsl);
    QCOMPARE(in(ShaderDialect::Wgsl), wgsl);
    QCOMPARE(in(ShaderDialect::GlslEs300), QString(text).remove("CK_FN "));
  }

  void filesAreThereAndSpeakTheirDialect() {
    const ck::Character limb = ck::test::swingingLimb();
    for (const AtlasVariant& variant : ck::test::everyAtlasVariant()) {
      const ck::TargetInput input = {.character = limb, .atlas = variant.atlas, .name = "limb"};
      const auto files = ck::shaderFiles(input, {});
      QVERIFY(files);
      QCOMPARE(files->size(), std::size_t{2 + 5 * 5 + 2});
      const std::regex macros("CK_FN|#(if|elif) |@\\w+@");
      const std::regex glslTypes("\\b(i?vec[234]|gl_\\w+)[ (]");
      for (const ck::TargetFile& file : *files) {
        QVERIFY2(file.path.starts_with("limb.shaders/"), file.path.c_str());
        if (file.path.ends_with(".raw")) continue;
        const std::string text = textOf(file);
        QVERIFY2(!std::regex_search(text, macros), file.path.c_str());
        if (!file.path.ends_with("sl") || file.path.ends_with("glsl")) continue;
        // Without comments.
        const std::string code = std::regex_replace(text, std::regex("//[^\n]*"), "");
        QVERIFY2(!std::regex_search(code, glslTypes), file.path.c_str());
        std::smatch word;
        const bool reserved = std::regex_search(
            code, word, file.path.ends_with("hlsl") ? kReservedInHlsl : kReservedInWgsl);
        QVERIFY2(!reserved, (file.path + ": " + word.str()).c_str());
      }
      const auto again = ck::shaderFiles(input, {});
      for (std::size_t i = 0; i < files->size(); ++i) {
        QVERIFY((*files)[i].bytes == (*again)[i].bytes);
      }
    }
  }
};

CK_TEST(tst_crowd_shader)
#include "tst_crowd_shader.moc"
