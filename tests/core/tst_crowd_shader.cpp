#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "core/export/targets/crowd_shader.h"
#include "core/export/targets/shader_resources.h"
#include "tests/support/atlas_variants.h"
#include "tests/support/test_program.h"

using ck::CrowdShaderPart;
using ck::ShaderDialect;

namespace {

struct Source {
  QString name;  // of the file; the ending is a stage of glslangValidator
  std::string text;
  QStringList options;
};

// A vertex shader that reads the atlas without a palette, and one that reads a palette.
std::vector<Source> glslSources(const ck::Atlas& atlas, ShaderDialect dialect) {
  const std::string direct =
      ck::crowdShader(atlas, dialect,
                      {CrowdShaderPart::Common, CrowdShaderPart::Atlas, CrowdShaderPart::Actors}) +
      "void main() {\n"
      "  CkMatrix m = ckActorSkin(gl_VertexID, ivec4(0, 1, 2, 3), vec4(0.25), 0.5);\n"
      "  vec3 n = ck_matrixNormal(m, vec3(0.0, 1.0, 0.0));\n"
      "  gl_Position = vec4(ck_matrixPoint(m, n), 1.0);\n}\n";
  const std::string palette =
      ck::crowdShader(atlas, dialect, {CrowdShaderPart::Common, CrowdShaderPart::Palette}) +
      "void main() {\n"
      "  CkMatrix m = ckPaletteSkin(gl_VertexID, ivec4(0, 1, 2, 3), vec4(0.25));\n"
      "  gl_Position = vec4(ck_matrixPoint(m, vec3(1.0)), 1.0);\n}\n";
  const QStringList normalised = {"-DCK_NORMALISED"};
  const QStringList one = {"-DCK_PALETTE_ONE"};
  std::vector<Source> sources = {{"direct.vert", ck::versionText(dialect) + direct, {}},
                                 {"direct.vert", ck::versionText(dialect) + direct, normalised},
                                 {"palette.vert", ck::versionText(dialect) + palette, {}}};
  if (dialect == ShaderDialect::Glsl450) {
    sources.push_back({"fill.comp", ck::fillShader(atlas, dialect), {}});
  } else {
    sources.push_back({"palette.vert", ck::versionText(dialect) + palette, one});
    sources.push_back({"fill.vert", ck::fillVertexShader(dialect), {}});
    sources.push_back({"fill.frag", ck::fillShader(atlas, dialect), {}});
    sources.push_back({"fill.frag", ck::fillShader(atlas, dialect), one});
  }
  return sources;
}

}  // namespace

class tst_crowd_shader : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QString glslang_ = QStandardPaths::findExecutable("glslangValidator");

  // What the compiler complains about, or empty.
  QByteArray complaint(const Source& source) {
    QFile file(folder_.filePath(source.name));
    if (!file.open(QIODevice::WriteOnly)) return "cannot be written";
    file.write(source.text.data(), static_cast<qint64>(source.text.size()));
    file.close();
    QProcess compiler;
    compiler.start(glslang_, source.options + QStringList{file.fileName()});
    if (!compiler.waitForFinished(60'000)) return "does not end";
    return compiler.exitCode() == 0 ? QByteArray() : compiler.readAllStandardOutput();
  }

 private slots:
  void everyGlslCompiles_data() {
    QTest::addColumn<int>("dialect");
    QTest::newRow("330") << int(ShaderDialect::Glsl330);
    QTest::newRow("450") << int(ShaderDialect::Glsl450);
    QTest::newRow("es300") << int(ShaderDialect::GlslEs300);
  }
  void everyGlslCompiles() {
    QFETCH(int, dialect);
    if (glslang_.isEmpty()) QSKIP("glslangValidator is not installed: nothing was compiled");
    for (const ck::test::AtlasVariant& variant : ck::test::everyAtlasVariant()) {
      for (const Source& source : glslSources(variant.atlas, ShaderDialect(dialect))) {
        const QByteArray fault = complaint(source);
        QVERIFY2(fault.isEmpty(),
                 qPrintable(QString::fromStdString(variant.name) + " " + source.name +
                            source.options.join(' ') + "\n" + fault));
      }
    }
  }
};

CK_TEST(tst_crowd_shader, QCoreApplication)
#include "tst_crowd_shader.moc"
