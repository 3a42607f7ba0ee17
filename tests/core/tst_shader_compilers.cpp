#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "core/export/targets/crowd_shader.h"
#include "core/export/targets/shader_resources.h"
#include "tests/support/atlas_variants.h"
#include "tests/support/test_program.h"

using ck::CrowdShaderPart;
using ck::ShaderDialect;
using ck::test::AtlasVariant;

// The shader text of exports against the reference compiler.
namespace {

struct Source {
  std::string text;
  QString ending;  // that tells the compiler the stage, and whether it is HLSL
  QStringList options = {};
};

// The text with a macro, which stands behind #version.
std::string defining(const char* name, std::string text) {
  const std::size_t line = text.starts_with("#version") ? text.find('\n') + 1 : 0;
  return text.insert(line, std::string("#define ") + name + "\n");
}

// A vertex shader that reads the atlas without a palette, and one that reads a palette.
std::vector<Source> glslSources(const ck::Atlas& atlas, ShaderDialect dialect) {
  const std::string direct =
      ck::versionText(dialect) +
      ck::crowdShader(atlas, dialect,
                      {CrowdShaderPart::Common, CrowdShaderPart::Atlas, CrowdShaderPart::Actors}) +
      "void main() {\n"
      "  CkMatrix m = ckActorSkin(gl_VertexID, ivec4(0, 1, 2, 3), vec4(0.25), 0.5);\n"
      "  vec3 n = ck_matrixNormal(m, vec3(0.0, 1.0, 0.0));\n"
      "  gl_Position = vec4(ck_matrixPoint(m, n), 1.0);\n}\n";
  const std::string palette =
      ck::versionText(dialect) +
      ck::crowdShader(atlas, dialect, {CrowdShaderPart::Common, CrowdShaderPart::Palette}) +
      "void main() {\n"
      "  CkMatrix m = ckPaletteSkin(gl_VertexID, ivec4(0, 1, 2, 3), vec4(0.25));\n"
      "  gl_Position = vec4(ck_matrixPoint(m, vec3(1.0)), 1.0);\n}\n";
  std::vector<Source> sources = {
      {direct, "vert"}, {defining("CK_NORMALISED", direct), "vert"}, {palette, "vert"}};
  const std::string fill = ck::fillShader(atlas, dialect);
  if (dialect == ShaderDialect::Glsl450) {
    sources.push_back({fill, "comp"});
  } else {
    sources.push_back({defining("CK_PALETTE_ONE", palette), "vert"});
    sources.push_back({ck::fillVertexShader(dialect), "vert"});
    sources.push_back({fill, "frag"});
    sources.push_back({defining("CK_PALETTE_ONE", fill), "frag"});
  }
  return sources;
}

std::vector<Source> hlslSources(const ck::Atlas& atlas) {
  constexpr ShaderDialect kHlsl = ShaderDialect::Hlsl;
  const std::string direct =
      ck::crowdShader(atlas, kHlsl,
                      {CrowdShaderPart::Common, CrowdShaderPart::Atlas, CrowdShaderPart::Actors}) +
      "float4 main(uint id : SV_VertexID) : SV_Position {\n"
      "  CkMatrix m = ckActorSkin(int(id), int4(0, 1, 2, 3), float4(1, 0, 0, 0), 0.5);\n"
      "  float3 n = ck_matrixNormal(m, float3(0.0, 1.0, 0.0));\n"
      "  return float4(ck_matrixPoint(m, n), 1.0);\n}\n";
  const std::string palette =
      ck::crowdShader(atlas, kHlsl, {CrowdShaderPart::Common, CrowdShaderPart::Palette}) +
      "float4 main(uint id : SV_VertexID) : SV_Position {\n"
      "  CkMatrix m = ckPaletteSkin(int(id), int4(0, 1, 2, 3), float4(1, 0, 0, 0));\n"
      "  return float4(ck_matrixPoint(m, float3(1.0, 2.0, 3.0)), 1.0);\n}\n";
  const QStringList options = {"-e", "main"};
  return {{direct, "vert.hlsl", options},
          {defining("CK_NORMALISED", direct), "vert.hlsl", options},
          {palette, "vert.hlsl", options},
          {ck::fillShader(atlas, kHlsl), "comp.hlsl", {"-e", "fillPalette"}}};
}

std::vector<Source> sourcesOf(const ck::Atlas& atlas, ShaderDialect dialect) {
  return dialect == ShaderDialect::Hlsl ? hlslSources(atlas) : glslSources(atlas, dialect);
}

}  // namespace

class tst_shader_compilers : public QObject {
  Q_OBJECT
  const QString glslang_ = QStandardPaths::findExecutable("glslangValidator");
  const std::vector<AtlasVariant> variants_ = ck::test::everyAtlasVariant();

  // The compiler's complaints about `sources`, or empty where it takes all of them. It gets many
  // files with the same options at a time.
  QByteArray complaints(const std::vector<Source>& sources) const {
    const QTemporaryDir folder;
    std::map<QStringList, QStringList> files;  // by options
    int count = 0;
    for (const Source& source : sources) {
      const QString path = folder.filePath(QString("%1.%2").arg(++count).arg(source.ending));
      QFile file(path);
      if (!file.open(QIODevice::WriteOnly)) return "cannot be written";
      file.write(source.text.data(), static_cast<qint64>(source.text.size()));
      files[source.options] += path;
    }
    QByteArray said;
    for (const auto& [options, list] : files) {
      QProcess compiler;
      compiler.start(glslang_, options + list);
      if (!compiler.waitForFinished(300'000)) return "the compiler does not end";
      const QByteArray out = compiler.readAllStandardOutput();
      if (compiler.exitCode() != 0) said += options.join(' ').toUtf8() + "\n" + out;
    }
    return said;
  }

  void addDialects() {
    QTest::addColumn<int>("dialect");
    for (const ck::ShaderDialectInfo& info : ck::kShaderDialects) {
      if (info.dialect == ShaderDialect::Wgsl) continue;  // tst_wgsl_in_chromium
      QTest::newRow(std::string(info.name).c_str()) << static_cast<int>(info.dialect);
    }
  }

 private slots:
  void everyTextCompiles_data() { addDialects(); }
  void everyTextCompiles() {
    QFETCH(int, dialect);
    if (glslang_.isEmpty()) QSKIP("glslangValidator is not installed: nothing was compiled");
    std::vector<Source> sources;
    for (const AtlasVariant& variant : variants_) {
      const auto some = sourcesOf(variant.atlas, static_cast<ShaderDialect>(dialect));
      sources.insert(sources.end(), some.begin(), some.end());
    }
    const QByteArray said = complaints(sources);
    QVERIFY2(said.isEmpty(), said.left(5000));
  }

  // The compiler does see what is wrong.
  void faultsAreSeen_data() { addDialects(); }
  void faultsAreSeen() {
    QFETCH(int, dialect);
    if (glslang_.isEmpty()) QSKIP("glslangValidator is not installed: nothing was compiled");
    std::vector<Source> sources =
        sourcesOf(variants_.front().atlas, static_cast<ShaderDialect>(dialect));
    std::string& text = sources.back().text;
    text.replace(text.rfind("ckRelativeMatrix"), 16, "ckMistakenMatrix");
    QVERIFY(complaints(sources).contains("ckMistakenMatrix"));
  }

  // As Vulkan and Direct3D engines compile them.
  void hlslAndGlsl450BecomeSpirv() {
    if (glslang_.isEmpty()) QSKIP("glslangValidator is not installed: nothing was compiled");
    for (const ShaderDialect dialect : {ShaderDialect::Hlsl, ShaderDialect::Glsl450}) {
      for (std::size_t v = 0; v < variants_.size(); v += 4) {
        std::vector<Source> sources = hlslSources(variants_[v].atlas);
        if (dialect == ShaderDialect::Glsl450) {
          // Vulkan has another word for the number of the vertex.
          sources = {{ck::fillShader(variants_[v].atlas, dialect), "comp"}};
        }
        for (Source& source : sources) {
          source.options += {"-V", "-o", "/dev/null"};
          const QByteArray said = complaints({source});
          QVERIFY2(said.isEmpty(), variants_[v].name.c_str() + QByteArray("\n") + said.left(5000));
        }
      }
    }
  }
};

CK_TEST(tst_shader_compilers, QCoreApplication)
#include "tst_shader_compilers.moc"
