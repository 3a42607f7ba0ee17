#include <QTest>

#include "core/export/targets/crowd_shader.h"
#include "core/export/targets/shader_resources.h"
#include "tests/support/atlas_variants.h"
#include "tests/support/gl_exported_shader.h"
#include "tests/support/gl_stage.h"
#include "tests/support/shown_actors.h"
#include "tests/support/test_program.h"

using ck::CrowdShaderPart;
using ck::ShaderDialect;
using ck::test::actorTexels;
using ck::test::AtlasTexture;
using ck::test::AtlasVariant;
using ck::test::directMatrices;
using ck::test::ExportedShader;
using ck::test::kShownSeconds;
using ck::test::largestDifference;
using ck::test::relativeMatrices;
using ck::test::Shown;
using ck::test::shownMoments;

// The shader text of an export against the reading of the atlas on the CPU. Compiling takes most of
// the time, so layouts are tried with the direct reading alone.
namespace {

// A fragment shader that writes what `matrix` is for an actor (row) and a joint (column).
std::string writing(const std::string& version, const std::string& parts,
                    const std::string& matrix) {
  return version + parts +
         "uniform highp float ckSeconds;\n"
         "layout(location = 0) out vec4 x;\nlayout(location = 1) out vec4 y;\n"
         "layout(location = 2) out vec4 z;\n"
         "void main() {\n"
         "  int joint = int(gl_FragCoord.x);\n  int actor = int(gl_FragCoord.y);\n"
         "  CkMatrix m = " +
         matrix + ";\n  x = m.x;\n  y = m.y;\n  z = m.z;\n}\n";
}

// How far drivers may be off by the relative reading. The matrix of a joint without a size has a
// shape that is nothing but rounding, and fades keep a part of it.
double mostOff(const ck::Atlas& atlas) {
  return ck::formOf(atlas) == ck::PoseForm::Matrix ? 5e-4 : 1e-4;
}

std::string defined(std::string text, const char* name) {
  return text.insert(text.find('\n') + 1, std::string("#define ") + name + "\n");
}

}  // namespace

class tst_exported_shader : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;
  std::vector<AtlasVariant> variants_;

 private slots:
  void initTestCase() { variants_ = ck::test::everyAtlasVariant(); }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }

  void fillsAPaletteByTheRelativeReading_data() {
    QTest::addColumn<int>("dialect");
    QTest::addColumn<bool>("normalised");
    QTest::newRow("330, normalised") << int(ShaderDialect::Glsl330) << true;
    QTest::newRow("es300") << int(ShaderDialect::GlslEs300) << false;
  }
  void fillsAPaletteByTheRelativeReading() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, dialect);
    QFETCH(bool, normalised);
    const auto language = static_cast<ShaderDialect>(dialect);
    double largest = 0.0;
    for (const AtlasVariant& variant : variants_) {
      const ck::Atlas& atlas = variant.atlas;
      if (variant.onlyLayout) continue;
      const std::vector<Shown> list = shownMoments(atlas);
      const int joints = static_cast<int>(atlas.joints.size());
      const int actors = static_cast<int>(list.size());
      ExportedShader shader(atlas, normalised ? AtlasTexture::Normalised : AtlasTexture::Integer);
      shader.setActors(actorTexels(atlas, list), 14);
      // Several columns of actors.
      const int rows = 16;
      const int columns = (actors + rows - 1) / rows;
      std::string fragment = ck::fillShader(atlas, language);
      if (normalised) fragment = defined(fragment, "CK_NORMALISED");
      const auto drawn = shader.draw(ck::fillVertexShader(language), fragment, 3,
                                     {kShownSeconds, actors, rows, columns * joints});
      QVERIFY2(drawn, drawn ? "" : drawn.error().message.c_str());
      for (int actor = 0; actor < actors; ++actor) {
        const auto wanted = relativeMatrices(atlas, list[static_cast<std::size_t>(actor)]);
        for (int joint = 0; joint < joints; ++joint) {
          const auto at = static_cast<std::size_t>(actor % rows * columns * joints +
                                                   actor / rows * joints + joint);
          const double off = largestDifference(wanted[static_cast<std::size_t>(joint)],
                                               (*drawn)[0][at], (*drawn)[1][at], (*drawn)[2][at]);
          QVERIFY2(off < mostOff(atlas), qPrintable(QString("%1, actor %2, joint %3: off by %4")
                                                        .arg(variant.name.c_str())
                                                        .arg(actor)
                                                        .arg(joint)
                                                        .arg(off)));
          largest = std::max(largest, off);
        }
      }
    }
    qInfo("largest difference of an element: %g", largest);
  }

  void readsEveryJointByItself_data() { fillsAPaletteByTheRelativeReading_data(); }
  void readsEveryJointByItself() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, dialect);
    QFETCH(bool, normalised);
    const auto language = static_cast<ShaderDialect>(dialect);
    double largest = 0.0;
    for (const AtlasVariant& variant : variants_) {
      const ck::Atlas& atlas = variant.atlas;
      if (normalised && variant.onlyLayout) continue;
      const std::vector<Shown> list = shownMoments(atlas);
      const std::size_t joints = atlas.joints.size();
      const int actors = static_cast<int>(list.size());
      ExportedShader shader(atlas, normalised ? AtlasTexture::Normalised : AtlasTexture::Integer);
      shader.setActors(actorTexels(atlas, list), 6);
      std::string fragment =
          writing(ck::versionText(language),
                  ck::crowdShader(
                      atlas, language,
                      {CrowdShaderPart::Common, CrowdShaderPart::Atlas, CrowdShaderPart::Actors}),
                  "ckActorSkin(actor, ivec4(joint, 0, (joint + 1) % CK_JOINT_COUNT, 0), "
                  "vec4(0.5, 0.25, 0.25, 0.0), ckSeconds)");
      if (normalised) fragment = defined(fragment, "CK_NORMALISED");
      const auto drawn = shader.draw(ck::fillVertexShader(language), fragment, 3,
                                     {kShownSeconds, actors, actors, static_cast<int>(joints)});
      QVERIFY2(drawn, drawn ? "" : drawn.error().message.c_str());
      for (std::size_t actor = 0; actor < list.size(); ++actor) {
        const auto wanted = directMatrices(atlas, list[actor]);
        for (std::size_t joint = 0; joint < joints; ++joint) {
          const glm::dmat4 sum =
              0.5 * wanted[joint] + 0.25 * wanted[0] + 0.25 * wanted[(joint + 1) % joints];
          const std::size_t at = actor * joints + joint;
          const double off =
              largestDifference(sum, (*drawn)[0][at], (*drawn)[1][at], (*drawn)[2][at]);
          QVERIFY2(off < 1e-4, qPrintable(QString("%1, actor %2, joint %3: off by %4")
                                              .arg(variant.name.c_str())
                                              .arg(actor)
                                              .arg(joint)
                                              .arg(off)));
          largest = std::max(largest, off);
        }
      }
    }
    qInfo("largest difference of an element: %g", largest);
  }

  void readsThePaletteThatItFilled_data() {
    QTest::addColumn<bool>("one");
    QTest::newRow("three textures") << false;
    QTest::newRow("one texture") << true;
  }
  void readsThePaletteThatItFilled() {
    CK_NEEDS_GL(stage_);
    QFETCH(bool, one);
    constexpr ShaderDialect kLanguage = ShaderDialect::GlslEs300;
    const ck::Atlas& atlas = variants_.front().atlas;
    const std::vector<Shown> list = shownMoments(atlas);
    const int joints = static_cast<int>(atlas.joints.size());
    const int actors = static_cast<int>(list.size());
    ExportedShader shader(atlas, AtlasTexture::Integer);
    shader.setActors(actorTexels(atlas, list), 2);
    std::string fill = ck::fillShader(atlas, kLanguage);
    std::string fragment = writing(
        ck::versionText(kLanguage),
        ck::crowdShader(atlas, kLanguage, {CrowdShaderPart::Common, CrowdShaderPart::Palette}),
        "ckPaletteSkin(actor, ivec4(joint, 0, 0, 2), vec4(0.5, 0.25, 0.0, 0.25))");
    if (one) fill = defined(fill, "CK_PALETTE_ONE");
    if (one) fragment = defined(fragment, "CK_PALETTE_ONE");
    const int rows = 16;
    const int width = (actors + rows - 1) / rows * joints * (one ? 3 : 1);
    QVERIFY(shader.draw(ck::fillVertexShader(kLanguage), fill, one ? 1 : 3,
                        {kShownSeconds, actors, rows, width}));
    shader.usePalette();
    const auto drawn = shader.draw(ck::fillVertexShader(kLanguage), fragment, 3,
                                   {kShownSeconds, actors, actors, joints});
    QVERIFY2(drawn, drawn ? "" : drawn.error().message.c_str());
    for (std::size_t actor = 0; actor < list.size(); ++actor) {
      const auto wanted = relativeMatrices(atlas, list[actor]);
      for (std::size_t joint = 0; joint < wanted.size(); ++joint) {
        const glm::dmat4 sum = 0.5 * wanted[joint] + 0.25 * wanted[0] + 0.25 * wanted[2];
        const std::size_t at = actor * wanted.size() + joint;
        QVERIFY(largestDifference(sum, (*drawn)[0][at], (*drawn)[1][at], (*drawn)[2][at]) < 1e-4);
      }
    }
  }

  void fillsABufferByCompute() {
    CK_NEEDS_GL(stage_);
    for (const AtlasVariant& variant : variants_) {
      if (variant.onlyLayout) continue;
      const ck::Atlas& atlas = variant.atlas;
      const std::vector<Shown> list = shownMoments(atlas);
      const int joints = static_cast<int>(atlas.joints.size());
      ExportedShader shader(atlas, AtlasTexture::Integer);
      shader.setActors(actorTexels(atlas, list), 100);
      const auto palette = shader.compute(ck::fillShader(atlas, ShaderDialect::Glsl450), joints,
                                          {.seconds = kShownSeconds, .actors = int(list.size())});
      QVERIFY2(palette, palette ? "" : palette.error().message.c_str());
      for (std::size_t actor = 0; actor < list.size(); ++actor) {
        const auto wanted = relativeMatrices(atlas, list[actor]);
        for (std::size_t joint = 0; joint < wanted.size(); ++joint) {
          const glm::vec4* rows = &(*palette)[3 * (actor * wanted.size() + joint)];
          const double off = largestDifference(wanted[joint], rows[0], rows[1], rows[2]);
          QVERIFY2(off < mostOff(atlas),
                   qPrintable(QString("%1: off by %2").arg(variant.name.c_str()).arg(off)));
        }
      }
    }
  }
};

CK_TEST(tst_exported_shader)
#include "tst_exported_shader.moc"
