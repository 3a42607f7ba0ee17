#include <QFile>
#include <QTest>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "core/bake/bake.h"
#include "core/export/targets/crowd_shader.h"
#include "core/export/targets/shader_files.h"
#include "core/export/targets/shader_resources.h"
#include "tests/support/atlas_variants.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/chromium_page.h"
#include "tests/support/test_program.h"

using ck::CrowdShaderPart;
using ck::test::AtlasVariant;

// The examples in the README of an exported shader folder and in docs/decode.md, run by WebGL 2 in
// Chromium with nothing but the exported files.
namespace {

// A name that breaks JavaScript strings and paths unless it is escaped.
const std::string kName = "tom's `rig`";

const QStringList kOptions = {"--use-angle=swiftshader", "--enable-unsafe-swiftshader"};

// The block of JavaScript in a README.
std::string exampleIn(const std::string& readme) {
  constexpr std::string_view kFence = "```js\n";
  const std::size_t start = readme.find(kFence);
  const std::size_t end = readme.find("```\n", start + kFence.size());
  if (start == std::string::npos || end == std::string::npos) return {};
  return readme.substr(start + kFence.size(), end - start - kFence.size());
}

std::string textOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string base64(const std::vector<std::byte>& bytes) {
  return QByteArray(reinterpret_cast<const char*>(bytes.data()),
                    static_cast<qsizetype>(bytes.size()))
      .toBase64()
      .toStdString();
}

// Serves FILES by fetch(), runs EXAMPLE for ACTORS at SECONDS, and reads the positions of one
// vertex per joint of every actor back: vertex j follows joint j and joint 0 by halves.
constexpr const char* kPage = R"(<canvas></canvas><script>
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const FILES = @FILES@;
const fetch = async (path) => {
  if (!(path in FILES)) throw new Error('no file ' + path);
  const bytes = bytesOf(FILES[path]);
  return {arrayBuffer: async () => bytes.buffer, text: async () => new TextDecoder().decode(bytes)};
};
@EXAMPLE@
const compiled = (gl, kind, text) => {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, text);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
  return shader;
};
(async () => {
  const answer = {last: true};
  try {
    const actors = @ACTORS@, joints = @JOINTS@;
    const gl = document.querySelector('canvas').getContext('webgl2');
    const vertex = await crowd(gl, actors);
    const program = gl.createProgram();
    gl.attachShader(program, compiled(gl, gl.VERTEX_SHADER, vertex));
    gl.attachShader(program, compiled(gl, gl.FRAGMENT_SHADER,
      '#version 300 es\nprecision highp float; in vec3 vNormal; out vec4 color;' +
      'void main() { color = vec4(vNormal, 1.0); }'));
    gl.transformFeedbackVaryings(program, ['gl_Position', 'vNormal'], gl.INTERLEAVED_ATTRIBS);
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    for (const [unit, name] of ['ckAtlas', 'ckTable', 'ckActors'].entries()) {
      gl.uniform1i(gl.getUniformLocation(program, name), unit);
    }
    gl.uniform1f(gl.getUniformLocation(program, 'seconds'), @SECONDS@);
    gl.uniformMatrix4fv(gl.getUniformLocation(program, 'camera'), false,
                        [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    const attribute = (place, data, integer) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      if (integer) gl.vertexAttribIPointer(place, 4, gl.UNSIGNED_BYTE, 0, 0);
      else gl.vertexAttribPointer(place, data.length / joints, gl.FLOAT, false, 0, 0);
    };
    const perJoint = (f) => Array.from({length: joints}, (_, joint) => f(joint)).flat();
    attribute(0, new Float32Array(perJoint((joint) => [0.1, 0.2 + 0.1 * joint, -0.3])));
    attribute(1, new Float32Array(perJoint(() => [0, 0.6, 0.8])));
    attribute(2, new Uint8Array(perJoint((joint) => [joint, 0, 0, 0])), true);
    attribute(3, new Float32Array(perJoint(() => [0.5, 0.5, 0, 0])));
    const out = gl.createBuffer(), size = 28 * joints * actors.length;
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out);
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, size, gl.STATIC_READ);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArraysInstanced(gl.POINTS, 0, joints, actors.length);
    gl.endTransformFeedback();
    const floats = new Float32Array(size / 4);
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, floats);
    if (gl.getError()) throw new Error('WebGL error');
    answer.vertices = Array.from(floats);
  } catch (error) {
    answer.error = String(error);
  }
  say(answer);
})();
</script>)";

// Runs EXAMPLE, and the pass of PASS, with the files of the folder. Reads the three targets back.
constexpr const char* kPalettePage = R"(<canvas></canvas><script>
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const FILES = @FILES@;
const fileText = (path) => new TextDecoder().decode(bytesOf(FILES[path]));
const fetch = async (path) => ({arrayBuffer: async () => bytesOf(FILES[path]).buffer,
                                text: async () => fileText(path)});
@EXAMPLE@
@PASS@
(async () => {
  const answer = {last: true};
  try {
    const gl = document.querySelector('canvas').getContext('webgl2');
    if (!gl.getExtension('EXT_color_buffer_float')) throw new Error('no float targets');
    const actors = @ACTORS@, joints = @JOINTS@;
    await crowd(gl, actors);
    const fill = palettePass(gl, fileText("@NAME@.shaders/es300/fill.vert"),
                             fileText("@NAME@.shaders/es300/fill.frag"), joints, actors.length);
    fill(0.1);
    fill(@SECONDS@);
    answer.rows = [0, 1, 2].map((target) => {
      const floats = new Float32Array(4 * joints * actors.length);
      gl.readBuffer(gl.COLOR_ATTACHMENT0 + target);
      gl.readPixels(0, 0, joints, actors.length, gl.RGBA, gl.FLOAT, floats);
      return Array.from(floats);
    });
    if (gl.getError()) throw new Error('WebGL error');
  } catch (error) {
    answer.error = String(error);
  }
  say(answer);
})();
</script>)";

// Compiles and links TEXTS, pairs of a vertex and a fragment shader with a name.
constexpr const char* kCompilePage = R"(<canvas></canvas><script>
const answer = {last: true, faults: [], count: 0};
const gl = document.querySelector('canvas').getContext('webgl2');
for (const {name, vertex, fragment} of @TEXTS@) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      answer.faults.push(name + ': ' + gl.getShaderInfoLog(shader));
    }
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    answer.faults.push(name + ': ' + gl.getProgramInfoLog(program));
  }
  answer.count += 1;
}
say(answer);
</script>)";

// Opens PAGES, which are in base64, one after the other, each in a frame of its own, and says
// {answer} for each: to start Chromium takes longer than to run a page.
constexpr const char* kFrames = R"(<body><script>
(async () => {
  for (const [number, page] of @PAGES@.entries()) {
    const frame = document.createElement('iframe');
    const answer = await new Promise((answered) => {
      window.answered = answered;
      frame.srcdoc = '<script>const say = (value) => parent.answered(value);</' + 'script>' +
        new TextDecoder().decode(Uint8Array.from(atob(page), (c) => c.charCodeAt(0)));
      document.body.append(frame);
    });
    frame.remove();
    say({answer, ...(number + 1 === @COUNT@ && {last: true})});
  }
})();
</script>)";

// The exported folder of an atlas of `limb`, as the pages fetch it, and the example of its README.
struct Served {
  nlohmann::json files;  // base64 by path
  std::string example;
};
Served servedFolder(const ck::Character& limb, const ck::Atlas& atlas) {
  Served served;
  served.files[kName + ".atlas.raw"] = base64(atlas.texels);
  const auto files = ck::shaderFiles({.character = limb, .atlas = atlas, .name = kName}, {});
  for (const ck::TargetFile& file : files.value()) {
    served.files[file.path] = base64(file.bytes);
    if (file.path == kName + ".shaders/README.md") served.example = exampleIn(textOf(file.bytes));
  }
  return served;
}

constexpr double kSeconds = 2.3;

nlohmann::json twelveActors() {
  nlohmann::json actors;
  for (int i = 0; i < 12; ++i) {
    actors.push_back({{"clip", i % 3}, {"phase", 0.07 * i}, {"rate", 1.0 - 0.25 * (i % 5)}});
  }
  return actors;
}

// The matrices of one of them at kSeconds.
std::vector<glm::dmat4> matricesOf(const ck::Atlas& atlas, const nlohmann::json& actor,
                                   ck::Reading reading) {
  const int clip = actor["clip"];
  const ck::AtlasClip& played = atlas.clips[static_cast<std::size_t>(clip)];
  const double cycles = actor["phase"].get<double>() +
                        kSeconds * actor["rate"].get<double>() / played.durationSeconds;
  return ck::atlasSkinMatrices(atlas, clip, ck::unitTime(cycles, played.loop), reading);
}

void fillIn(std::string& text, std::string_view word, const std::string& value) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    text.replace(at, word.size(), value);
    at += value.size();
  }
}

}  // namespace

class tst_shaders_in_webgl : public QObject {
  Q_OBJECT

  struct Played {
    ck::Atlas atlas;
    nlohmann::json answer;  // null where the browser gave none
  };
  std::map<ck::Encoding, Played> played_;  // what the example of the README made of each encoding

  void playEveryEncoding() {
    const ck::Character limb = ck::test::swingingLimb();
    nlohmann::json pages = nlohmann::json::array();
    std::vector<ck::Encoding> order;
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      ck::BakeSettings settings;
      settings.encoding = info.encoding;
      auto baked = ck::bake(limb, settings);
      QVERIFY(baked);
      const Served served = servedFolder(limb, baked->atlas);
      QVERIFY(!served.example.empty());
      std::string page = kPage;
      fillIn(page, "@FILES@", served.files.dump());
      fillIn(page, "@EXAMPLE@", served.example);
      fillIn(page, "@ACTORS@", twelveActors().dump());
      fillIn(page, "@JOINTS@", std::to_string(baked->atlas.joints.size()));
      fillIn(page, "@SECONDS@", std::to_string(kSeconds));
      pages.push_back(QByteArray::fromStdString(page).toBase64().toStdString());
      order.push_back(info.encoding);
      played_[info.encoding].atlas = std::move(baked->atlas);
    }
    std::string frames = kFrames;
    fillIn(frames, "@COUNT@", std::to_string(pages.size()));
    fillIn(frames, "@PAGES@", pages.dump());
    const auto answers = ck::test::answersOfPage(frames, kOptions);
    QVERIFY(answers.size() <= order.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      played_[order[i]].answer = answers[i]["answer"];
    }
  }

 private slots:
  void theExampleOfTheReadmeMovesActors_data() {
    QTest::addColumn<int>("encoding");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      QTest::newRow(std::string(info.name).c_str()) << static_cast<int>(info.encoding);
    }
  }
  void theExampleOfTheReadmeMovesActors() {
    QFETCH(int, encoding);
    if (ck::test::chromiumPath().isEmpty()) QSKIP("Chromium is not installed: nothing was run");
    if (played_.empty()) playEveryEncoding();
    const auto& [atlas, answer] = played_[static_cast<ck::Encoding>(encoding)];
    QVERIFY2(answer.is_object(), "Chromium gave no answer");
    const nlohmann::json actors = twelveActors();
    QVERIFY2(!answer.contains("error"), answer.value("error", "").c_str());
    QCOMPARE(answer["vertices"].size(), 7 * atlas.joints.size() * actors.size());

    double largest = 0.0;
    for (std::size_t i = 0; i < actors.size(); ++i) {
      const auto matrices = matricesOf(atlas, actors[i], ck::Reading::Direct);
      for (std::size_t joint = 0; joint < matrices.size(); ++joint) {
        const glm::dmat4 matrix = 0.5 * matrices[joint] + 0.5 * matrices[0];
        const glm::dvec3 place =
            1.5 * glm::dvec3(static_cast<double>(i % 10), 0.0, static_cast<double>(i / 10));
        const auto number = static_cast<double>(joint);
        const glm::dvec3 at =
            glm::dvec3(matrix * glm::dvec4(0.1, 0.2 + 0.1 * number, -0.3, 1.0)) + place;
        // The mean of two rotations is none, so a normal needs the inverse transpose.
        const glm::dvec3 normal = glm::normalize(glm::transpose(glm::inverse(glm::dmat3(matrix))) *
                                                 glm::dvec3(0.0, 0.6, 0.8));
        const std::size_t first = 7 * (i * matrices.size() + joint);
        for (int axis = 0; axis < 3; ++axis) {
          const auto offset = static_cast<std::size_t>(axis);
          const double p = answer["vertices"][first + offset];
          const double n = answer["vertices"][first + 4 + offset];
          largest = std::max({largest, std::abs(p - at[axis]), std::abs(n - normal[axis])});
        }
      }
    }
    QVERIFY2(largest < 1e-4, qPrintable(QString("off by %1").arg(largest)));
    qInfo("largest difference: %g", largest);
  }

  void theExampleOfTheDocumentationFillsAPalette() {
    if (ck::test::chromiumPath().isEmpty()) QSKIP("Chromium is not installed: nothing was run");
    QFile document(CK_SOURCE_DIR "/docs/decode.md");
    QVERIFY(document.open(QIODevice::ReadOnly));
    const std::string pass = exampleIn(document.readAll().toStdString());
    QVERIFY(!pass.empty());
    const ck::Character limb = ck::test::swingingLimb();
    const auto baked = ck::bake(limb, {});
    QVERIFY(baked);
    const std::size_t joints = baked->atlas.joints.size();
    const Served served = servedFolder(limb, baked->atlas);
    const nlohmann::json actors = twelveActors();
    std::string page = kPalettePage;
    fillIn(page, "@FILES@", served.files.dump());
    fillIn(page, "@EXAMPLE@", served.example);
    fillIn(page, "@PASS@", pass);
    fillIn(page, "@NAME@", kName);
    fillIn(page, "@ACTORS@", actors.dump());
    fillIn(page, "@JOINTS@", std::to_string(joints));
    fillIn(page, "@SECONDS@", std::to_string(kSeconds));
    const auto answers = ck::test::answersOfPage(page, kOptions);
    QVERIFY2(answers.size() == 1, "Chromium gave no answer");
    QVERIFY2(!answers[0].contains("error"), answers[0].value("error", "").c_str());
    double largest = 0.0;
    for (std::size_t i = 0; i < actors.size(); ++i) {
      const auto matrices = matricesOf(baked->atlas, actors[i], ck::Reading::Palette);
      for (std::size_t joint = 0; joint < joints; ++joint) {
        for (std::size_t element = 0; element < 12; ++element) {
          const std::size_t at = 4 * (i * joints + joint) + element % 4;
          const double got = answers[0]["rows"][element / 4][at];
          const double wanted =
              matrices[joint][static_cast<int>(element % 4)][static_cast<int>(element / 4)];
          largest = std::max(largest, std::abs(got - wanted));
        }
      }
    }
    QVERIFY2(largest < 1e-5, qPrintable(QString("off by %1").arg(largest)));
    qInfo("largest difference: %g", largest);
  }

  // The compiler of browsers is stricter than others.
  void everyTextCompilesInTheBrowser() {
    if (ck::test::chromiumPath().isEmpty()) QSKIP("Chromium is not installed: nothing was run");
    constexpr ck::ShaderDialect kEs = ck::ShaderDialect::GlslEs300;
    nlohmann::json texts;
    for (const AtlasVariant& variant : ck::test::everyAtlasVariant()) {
      texts.push_back({{"name", variant.name},
                       {"vertex", ck::fillVertexShader(kEs)},
                       {"fragment", ck::fillShader(variant.atlas, kEs)}});
    }
    const ck::Atlas atlas = ck::test::everyAtlasVariant().front().atlas;
    texts.push_back(
        {{"name", "palette"},
         {"vertex",
          ck::versionText(kEs) +
              ck::crowdShader(atlas, kEs, {CrowdShaderPart::Common, CrowdShaderPart::Palette}) +
              "void main() { gl_Position = vec4(ck_matrixPoint(ckPaletteSkin("
              "gl_InstanceID, ivec4(0), vec4(1.0)), vec3(1.0)), 1.0); }"},
         {"fragment", "#version 300 es\nvoid main() {}"}});
    std::string page = kCompilePage;
    fillIn(page, "@TEXTS@", texts.dump());
    const auto answers = ck::test::answersOfPage(page, kOptions);
    QVERIFY2(answers.size() == 1, "Chromium gave no answer");
    QCOMPARE(answers[0]["count"].get<std::size_t>(), texts.size());
    QVERIFY2(answers[0]["faults"].empty(), answers[0]["faults"].dump(1).substr(0, 5000).c_str());
  }
};

CK_TEST(tst_shaders_in_webgl, QCoreApplication)
#include "tst_shaders_in_webgl.moc"
