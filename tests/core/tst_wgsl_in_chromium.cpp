#include <QTest>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/export/targets/crowd_shader.h"
#include "core/export/targets/joint_table.h"
#include "tests/support/atlas_variants.h"
#include "tests/support/chromium_page.h"
#include "tests/support/shown_actors.h"
#include "tests/support/test_program.h"

using ck::CrowdShaderPart;
using ck::test::AtlasVariant;
using ck::test::Shown;

// The WGSL text of exports in Chromium's WebGPU: all of it is compiled; one layout of every
// encoding is run, against the reading of the atlas on the CPU.
namespace {

constexpr ck::ShaderDialect kWgsl = ck::ShaderDialect::Wgsl;

std::string base64(const void* data, std::size_t size) {
  return QByteArray(static_cast<const char*>(data), static_cast<qsizetype>(size))
      .toBase64()
      .toStdString();
}

// Writes by the direct reading what the filling pass writes by the relative one.
std::string directShader(const ck::Atlas& atlas) {
  return ck::crowdShader(
             atlas, kWgsl,
             {CrowdShaderPart::Common, CrowdShaderPart::Atlas, CrowdShaderPart::Actors}) +
         R"(
struct Numbers { seconds: f32, actorCount: i32, }
@group(0) @binding(3) var<storage, read_write> rows: array<vec4<f32>>;
@group(0) @binding(4) var<uniform> numbers: Numbers;
@compute @workgroup_size(8, 8)
fn fillPalette(@builtin(global_invocation_id) id: vec3<u32>) {
  let joint = i32(id.x);
  let actor = i32(id.y);
  if (joint >= CK_JOINT_COUNT || actor >= numbers.actorCount) { return; }
  let m = ckActorSkin(actor, vec4<i32>(joint, 0, 0, 0), vec4<f32>(0.75, 0.25, 0.0, 0.0),
                      numbers.seconds);
  let at = (actor * CK_JOINT_COUNT + joint) * 3;
  rows[at] = m.x;
  rows[at + 1] = m.y;
  rows[at + 2] = m.z;
}
)";
}

// A vertex shader over a palette, which is compiled and not run.
std::string paletteShader(const ck::Atlas& atlas) {
  return ck::crowdShader(atlas, kWgsl, {CrowdShaderPart::Common, CrowdShaderPart::Palette}) + R"(
@vertex
fn main(@builtin(instance_index) actor: u32, @location(0) v: vec3<f32>,
        @location(1) n: vec3<f32>) -> @builtin(position) vec4<f32> {
  let m = ckPaletteSkin(i32(actor), vec4<i32>(0, 1, 2, 3), vec4<f32>(0.25, 0.25, 0.25, 0.25));
  return vec4<f32>(ck_matrixPoint(m, v) + normalize(ck_matrixNormal(m, n)), 1.0);
}
)";
}

nlohmann::json caseOf(const AtlasVariant& variant) {
  constexpr const char* kFormats[] = {"rgba16uint", "rgba32float", "rgba8uint", "rgba16float",
                                      "rgba32uint", "rg32uint",    "r32uint"};
  const ck::Atlas& atlas = variant.atlas;
  const ck::JointTable table = ck::jointTable(atlas);
  const std::vector<std::byte> tableBytes = ck::jointTableBytes(table);
  const auto list = ck::test::shownMoments(atlas);
  const auto actors = ck::test::actorTexels(atlas, list);
  const ck::TexelFormat format = ck::texelFormatOf(atlas);
  return {{"name", variant.name},
          {"run", !variant.onlyLayout},
          {"fill", ck::fillShader(atlas, kWgsl)},
          {"direct", directShader(atlas)},
          {"palette", paletteShader(atlas)},
          {"joints", atlas.joints.size()},
          {"actorCount", list.size()},
          {"seconds", ck::test::kShownSeconds},
          {"atlas",
           {{"width", ck::atlasWidth(atlas)},
            {"height", ck::atlasHeight(atlas)},
            {"format", kFormats[static_cast<std::size_t>(format)]},
            {"bytesPerTexel", ck::bytesPerTexel(format)},
            {"data", base64(atlas.texels.data(), atlas.texels.size())}}},
          {"table",
           {{"width", table.width},
            {"height", table.height},
            {"format", "rgba32float"},
            {"bytesPerTexel", 16},
            {"data", base64(tableBytes.data(), tableBytes.size())}}},
          {"actors",
           {{"width", 2},
            {"height", list.size()},
            {"format", "rgba32float"},
            {"bytesPerTexel", 16},
            {"data", base64(actors.data(), actors.size() * sizeof(glm::vec4))}}}};
}

// Runs the cases and says a value for each, and one at the end.
constexpr const char* kPage = R"(<script>
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
async function texture(device, t) {
  const texture = device.createTexture({size: [t.width, t.height], format: t.format,
    usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST});
  device.queue.writeTexture({texture}, bytesOf(t.data),
    {bytesPerRow: t.width * t.bytesPerTexel}, [t.width, t.height]);
  return texture.createView();
}
async function moduleOf(device, code) {
  const module = device.createShaderModule({code});
  const said = (await module.getCompilationInfo()).messages.filter((m) => m.type === 'error');
  if (said.length) throw new Error(said.map((m) => m.lineNum + ': ' + m.message).join('; '));
  return module;
}
async function run(device, c, code, views) {
  const module = await moduleOf(device, code);
  const pipeline = await device.createComputePipelineAsync({layout: 'auto',
    compute: {module, entryPoint: 'fillPalette'}});
  const size = c.joints * c.actorCount * 48;
  const rows = device.createBuffer({size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC});
  const copy = device.createBuffer({size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST});
  const numbers = device.createBuffer({size: 16,
    usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST});
  const data = new DataView(new ArrayBuffer(16));
  data.setFloat32(0, c.seconds, true);
  data.setInt32(4, c.actorCount, true);
  device.queue.writeBuffer(numbers, 0, data.buffer);
  const group = device.createBindGroup({layout: pipeline.getBindGroupLayout(0), entries: [
    ...views.map((resource, binding) => ({binding, resource})),
    {binding: 3, resource: {buffer: rows}}, {binding: 4, resource: {buffer: numbers}}]});
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(Math.ceil(c.joints / 8), Math.ceil(c.actorCount / 8));
  pass.end();
  encoder.copyBufferToBuffer(rows, 0, copy, 0, size);
  device.queue.submit([encoder.finish()]);
  await copy.mapAsync(GPUMapMode.READ);
  let text = '';
  for (const byte of new Uint8Array(copy.getMappedRange())) text += String.fromCharCode(byte);
  return btoa(text);
}
(async () => {
  const answer = {last: true};
  try {
    const adapter = navigator.gpu && await navigator.gpu.requestAdapter();
    if (!adapter) throw new Error('no WebGPU');
    answer.gpu = true;
    const device = await adapter.requestDevice();
    device.onuncapturederror = (event) => { answer.error ??= event.error.message; };
    for (const c of CASES) {
      const result = {name: c.name};
      try {
        if (!c.run) {
          for (const code of [c.fill, c.direct, c.palette]) await moduleOf(device, code);
          say(result);
          continue;
        }
        const views = [];
        for (const t of [c.atlas, c.table, c.actors]) views.push(await texture(device, t));
        result.fill = await run(device, c, c.fill, views);
        result.direct = await run(device, c, c.direct, views);
        await moduleOf(device, c.palette);
      } catch (error) {
        result.error = String(error);
      }
      say(result);
    }
  } catch (error) {
    answer.error = String(error);
  }
  say(answer);
})();
</script>)";

std::vector<glm::vec4> rowsOf(const nlohmann::json& text) {
  const QByteArray bytes =
      QByteArray::fromBase64(QByteArray::fromStdString(text.get<std::string>()));
  std::vector<glm::vec4> rows(static_cast<std::size_t>(bytes.size()) / sizeof(glm::vec4));
  std::memcpy(rows.data(), bytes.data(), rows.size() * sizeof(glm::vec4));
  return rows;
}

// The largest difference of an element; huge where rows are missing.
double furthest(const ck::Atlas& atlas, const std::vector<glm::vec4>& rows, bool relative) {
  const std::vector<Shown> list = ck::test::shownMoments(atlas);
  const std::size_t joints = atlas.joints.size();
  if (rows.size() != 3 * joints * list.size()) return 1e9;
  double largest = 0.0;
  for (std::size_t actor = 0; actor < list.size(); ++actor) {
    const auto wanted = relative ? ck::test::relativeMatrices(atlas, list[actor])
                                 : ck::test::directMatrices(atlas, list[actor]);
    for (std::size_t joint = 0; joint < joints; ++joint) {
      const glm::vec4* at = &rows[3 * (actor * joints + joint)];
      const glm::dmat4 matrix = relative ? wanted[joint] : 0.75 * wanted[joint] + 0.25 * wanted[0];
      largest = std::max(largest, ck::test::largestDifference(matrix, at[0], at[1], at[2]));
    }
  }
  return largest;
}

}  // namespace

class tst_wgsl_in_chromium : public QObject {
  Q_OBJECT
  const std::vector<AtlasVariant> variants_ = ck::test::everyAtlasVariant();

 private slots:
  void computesWhatTheProgramDoes() {
    if (ck::test::chromiumPath().isEmpty()) QSKIP("Chromium is not installed: WGSL was not run");
    nlohmann::json cases;
    for (const AtlasVariant& variant : variants_) cases.push_back(caseOf(variant));
    std::string page = kPage;
    // No end tag of a script lies in the cases: they hold shader text and base64.
    page.replace(page.find("CASES"), 5, cases.dump());
    const auto answers = ck::test::answersOfPage(
        page, {"--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"});
    QVERIFY2(!answers.empty(), "Chromium gave no answer");
    const nlohmann::json& last = answers.back();
    QVERIFY2(last.contains("last"), "Chromium gave no last answer");
    if (!last.contains("gpu")) QSKIP("Chromium has no WebGPU here: WGSL was not run");
    QVERIFY2(!last.contains("error"), last.value("error", "").c_str());
    QCOMPARE(answers.size(), variants_.size() + 1);
    double largest = 0.0;
    for (std::size_t v = 0; v < variants_.size(); ++v) {
      const nlohmann::json& result = answers[v];
      QCOMPARE(result["name"].get<std::string>(), variants_[v].name);
      QVERIFY2(!result.contains("error"),
               (variants_[v].name + ": " + result.value("error", "")).c_str());
      if (variants_[v].onlyLayout) continue;
      const double fill = furthest(variants_[v].atlas, rowsOf(result["fill"]), true);
      const double direct = furthest(variants_[v].atlas, rowsOf(result["direct"]), false);
      QVERIFY2(std::max(fill, direct) < 1e-4, qPrintable(QString("%1: off by %2 and %3")
                                                             .arg(variants_[v].name.c_str())
                                                             .arg(fill)
                                                             .arg(direct)));
      largest = std::max({largest, fill, direct});
    }
    qInfo("largest difference of an element: %g", largest);
  }
};

CK_TEST(tst_wgsl_in_chromium, QCoreApplication)
#include "tst_wgsl_in_chromium.moc"
