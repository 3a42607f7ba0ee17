#include <QTest>
#include <nlohmann/json.hpp>

#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/export/targets/one_picture.h"
#include "core/export/targets/playcanvas.h"
#include "core/morph/morph_set.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/step_rigs.h"
#include "tests/support/test_program.h"

namespace {

using Json = nlohmann::json;

template <class Number>
Number numberAt(const QByteArray& bytes, qsizetype offset) {
  Number value;
  std::memcpy(&value, bytes.constData() + offset, sizeof(value));
  return value;
}

// A .vat, read as scripts/esm/vat/vat-data.mjs does.
struct Vat {
  Json json;
  QByteArray binary;

  explicit Vat(const QByteArray& bytes) {
    if (numberAt<quint32>(bytes, 0) != 0x54415650 || numberAt<quint32>(bytes, 4) != 1 ||
        qsizetype(numberAt<quint32>(bytes, 8)) != bytes.size()) {
      throw std::runtime_error("no container of version 1");
    }
    for (qsizetype at = 12; at + 8 <= bytes.size();) {
      const auto length = qsizetype(numberAt<quint32>(bytes, at));
      const auto type = numberAt<quint32>(bytes, at + 4);
      if (length % 4 != 0) throw std::runtime_error("a chunk is not aligned");
      const QByteArray chunk = bytes.mid(at + 8, length);
      if (type == 0x4E4F534A) json = Json::parse(chunk.toStdString());
      if (type == 0x004E4942) binary = chunk;
      at += 8 + length;
    }
    if (binary.size() < json["binary"]["byteLength"].get<qsizetype>()) {
      throw std::runtime_error("the binary chunk is too short");
    }
  }

  template <class Number>
  std::vector<Number> view(const char* name) const {
    const auto offset = json[name]["byteOffset"].get<qsizetype>();
    const auto length = json[name]["byteLength"].get<qsizetype>();
    if (offset % 4 != 0) throw std::runtime_error("a view is not aligned");
    std::vector<Number> values(std::size_t(length) / sizeof(Number));
    std::memcpy(values.data(), binary.constData() + offset, std::size_t(length));
    return values;
  }

  glm::dvec3 position(const std::vector<quint16>& texels, int vertex, int frame) const {
    const auto at = std::size_t(vertex * json["frameCount"].get<int>() + frame) * 4;
    glm::dvec3 result;
    for (int axis = 0; axis < 3; ++axis) {
      const auto low = json["bounds"]["min"][std::size_t(axis)].get<double>();
      const auto high = json["bounds"]["max"][std::size_t(axis)].get<double>();
      result[axis] = low + (high - low) * texels[at + std::size_t(axis)] / 65535.0;
    }
    return result;
  }

  glm::dvec3 normal(const std::vector<quint16>& texels, int vertex, int frame) const {
    const quint16 packed =
        texels[std::size_t(vertex * json["frameCount"].get<int>() + frame) * 4 + 3];
    const double x = (packed & 255) / 255.0 * 2.0 - 1.0;
    const double y = (packed >> 8) / 255.0 * 2.0 - 1.0;
    const double z = 1.0 - std::abs(x) - std::abs(y);
    const double fold = std::max(-z, 0.0);
    return glm::normalize(
        glm::dvec3(x + (x >= 0.0 ? -fold : fold), y + (y >= 0.0 ? -fold : fold), z));
  }
};

Vat vatOf(const ck::Character& character, const ck::Atlas& atlas) {
  const auto files =
      ck::playCanvasFiles({.character = character, .atlas = atlas, .name = "limb"}, {});
  if (!files) throw std::runtime_error(files.error().message);
  for (const ck::TargetFile& file : *files) {
    if (file.path != "limb.playcanvas/limb.vat") continue;
    return Vat(
        QByteArray(reinterpret_cast<const char*>(file.bytes.data()), qsizetype(file.bytes.size())));
  }
  throw std::runtime_error("there is no limb.vat");
}

ck::BakeSettings settingsAt(double rateHz) {
  ck::BakeSettings settings;
  settings.rateHz = rateHz;
  return settings;
}

void addVertices(ck::Character& limb, std::size_t count) {
  ck::Mesh& mesh = limb.meshes[0];
  while (mesh.positions.size() < count) {
    mesh.positions.push_back(mesh.positions[0]);
    mesh.normals.push_back(mesh.normals[0]);
    mesh.influences.push_back({0, 1.0f});
    mesh.influenceStarts.push_back(std::uint32_t(mesh.influences.size()));
  }
}

// As 0xRRGGBB, of the texel that holds the uv.
unsigned colorAt(const ck::Image& picture, glm::vec2 uv) {
  const int x = std::min(int(uv.x * float(picture.width)), picture.width - 1);
  const int y = std::min(int(uv.y * float(picture.height)), picture.height - 1);
  const std::uint8_t* texel = picture.rgba.data() + std::size_t(y * picture.width + x) * 4;
  return unsigned(texel[0]) << 16 | unsigned(texel[1]) << 8 | texel[2];
}

ck::Image plainImage(int width, int height, std::array<std::uint8_t, 3> color) {
  ck::Image image{.name = "plain", .width = width, .height = height, .rgba = {}};
  for (int i = 0; i < width * height; ++i) {
    image.rgba.insert(image.rgba.end(), {color[0], color[1], color[2], 255});
  }
  return image;
}

}  // namespace

class tst_playcanvas : public QObject {
  Q_OBJECT
 private slots:
  // Every stored frame of every clip, against the source.
  void framesAreThePosesOfTheClips() {
    const ck::Character limb = ck::test::swingingLimb();
    const Vat vat = vatOf(limb, ck::bake(limb, {})->atlas);
    const auto texels = vat.view<quint16>("vat");
    const int width = vat.json["texture"]["width"];
    QCOMPARE(width & (width - 1), 0);
    QCOMPARE(texels.size(),
             std::size_t(width) * vat.json["texture"]["height"].get<std::size_t>() * 4);
    QCOMPARE(vat.json["vertexCount"].get<std::size_t>(), limb.meshes[0].positions.size());
    int frames = 0;
    for (std::size_t c = 0; c < limb.clips.size(); ++c) {
      const Json& animation = vat.json["animations"][c];
      QCOMPARE(animation["frameStart"].get<int>(), frames);
      const int intervals = animation["frameCount"];
      // "Open end" closes with a step of its own, in which it has no source.
      const int last = c == 1 ? intervals - 1 : intervals;
      QCOMPARE(animation["duration"].get<double>(),
               limb.clips[c].durationSeconds + (c == 1 ? 1.0 / 30.0 : 0.0));
      for (int f = 0; f <= last; ++f) {
        const auto skins =
            ck::skinMatricesAt(limb.rig, limb.clips[c], limb.clips[c].startSeconds + f / 30.0);
        const auto posed = ck::skinMesh(limb.meshes[0], skins);
        for (int v = 0; v < int(posed.positions.size()); ++v) {
          const double mm = 1000.0 * glm::distance(posed.positions[std::size_t(v)],
                                                   vat.position(texels, v, frames + f));
          QVERIFY2(mm < 0.2, qPrintable(QString("%1 mm").arg(mm)));
          const double cosine =
              glm::dot(posed.normals[std::size_t(v)], vat.normal(texels, v, frames + f));
          QVERIFY2(cosine > std::cos(0.0175), qPrintable(QString("cosine %1").arg(cosine)));
        }
      }
      frames += intervals + 1;
    }
    QCOMPARE(vat.json["frameCount"].get<int>(), frames);
  }

  void statesTheErrorBetweenFrames() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = ck::bake(limb, settingsAt(10.0))->atlas;
    const Vat vat = vatOf(limb, atlas);
    const auto texels = vat.view<quint16>("vat");
    const auto stated =
        ck::playCanvasShown({.character = limb, .atlas = atlas, .name = "limb"}, {});
    QVERIFY(stated);
    double largest = 0.0;
    for (std::size_t c = 0; c < limb.clips.size(); ++c) {
      const Json& animation = vat.json["animations"][c];
      const auto intervals = animation["frameCount"].get<double>();
      const auto duration = animation["duration"].get<double>();
      for (int i = 0; i < 400; ++i) {
        const double seconds = limb.clips[c].durationSeconds * std::fmod(0.003 + i * 0.618034, 1.0);
        const double frame = std::min(seconds / duration * intervals, intervals - 1e-4);
        const int before = animation["frameStart"].get<int>() + int(frame);
        const auto skins =
            ck::skinMatricesAt(limb.rig, limb.clips[c], limb.clips[c].startSeconds + seconds);
        const auto posed = ck::skinMesh(limb.meshes[0], skins).positions;
        for (int v = 0; v < int(posed.size()); ++v) {
          const glm::dvec3 drawn =
              glm::mix(vat.position(texels, v, before), vat.position(texels, v, before + 1),
                       frame - std::floor(frame));
          largest = std::max(largest, 1000.0 * glm::distance(posed[std::size_t(v)], drawn));
        }
      }
    }
    QVERIFY2(largest > 5.0 && largest < 1.03 * stated->max && largest > 0.9 * stated->max,
             qPrintable(QString("%1 mm, stated %2").arg(largest).arg(stated->max)));
  }

  // Morphs and influences beyond the bake's limit cost nothing here, so they are in it.
  void holdsMorphsAndAllInfluences() {
    ck::Character limb = ck::test::swingingLimb();
    ck::test::addStepMorphs(limb);
    ck::BakeSettings settings;
    settings.influences = 1;
    const ck::Atlas atlas = ck::bake(limb, settings)->atlas;
    const Vat vat = vatOf(limb, atlas);
    const auto texels = vat.view<quint16>("vat");
    const ck::MorphSet morphs = ck::morphSetOf(limb);
    const ck::Clip& clip = limb.clips[0];
    for (const int frame : {5, 12, 20}) {
      const double seconds = clip.startSeconds + frame / 30.0 + 1e-9;
      const auto weights =
          ck::weightsOfMesh(morphs, limb, 0, ck::sampleMorphs(morphs, clip, seconds));
      const auto posed = ck::skinMesh(limb.meshes[0], ck::skinMatricesAt(limb.rig, clip, seconds),
                                      {.morphWeights = weights});
      for (int v = 0; v < int(posed.positions.size()); ++v) {
        const double mm =
            1000.0 * glm::distance(posed.positions[std::size_t(v)], vat.position(texels, v, frame));
        QVERIFY2(mm < 1.0, qPrintable(QString("frame %1: %2 mm").arg(frame).arg(mm)));
      }
    }
  }

  void aPingPongClipIsStoredThereAndBack() {
    const ck::Character limb = ck::test::swingingLimb();
    ck::BakeSettings settings;
    settings.clips = {{.name = "Away", .loop = ck::LoopMode::PingPong}};
    const Vat vat = vatOf(limb, ck::bake(limb, settings)->atlas);
    const auto texels = vat.view<quint16>("vat");
    const Json& animation = vat.json["animations"][0];
    const int intervals = animation["frameCount"];
    QCOMPARE(intervals, 2 * 19);
    QCOMPARE(animation["duration"].get<double>(), 2.0 * limb.clips[2].durationSeconds);
    for (int f = 0; f <= intervals; ++f) {
      QCOMPARE(vat.position(texels, 40, f), vat.position(texels, 40, intervals - f));
    }
    QVERIFY(glm::distance(vat.position(texels, 40, 0), vat.position(texels, 40, 19)) > 0.01);
  }

  void aClipWithoutLengthPlays() {
    ck::Character limb = ck::test::limbCharacter();
    limb.clips.push_back(ck::test::swingClip(limb, {.name = "Still", .keyCount = 1}));
    const Vat vat = vatOf(limb, ck::bake(limb, {})->atlas);
    QVERIFY(vat.json["animations"][0]["duration"].get<double>() > 0.0);
    const auto texels = vat.view<quint16>("vat");
    QCOMPARE(vat.position(texels, 9, 0), vat.position(texels, 9, 1));
  }

  void whatDoesNotFitGetsFewerFrames() {
    ck::Character limb = ck::test::limbCharacter();
    addVertices(limb, 20000);
    limb.clips.push_back(ck::test::swingClip(limb, {.name = "Long", .keyCount = 1001}));
    limb.clips.push_back(ck::test::swingClip(limb, {.name = "Coarse", .keyCount = 11, .hz = 5.0}));
    const ck::Atlas atlas = ck::bake(limb, {})->atlas;
    // 4096 x 4096 / 20000 = 838 frames; 33.3 s at 24 Hz and the 11 of the other clip fit.
    const auto losses = ck::playCanvasLosses({.character = limb, .atlas = atlas, .name = "limb"});
    QVERIFY2(losses[0].find("room for 812 frames, so clips have at most 24") != std::string::npos,
             losses[0].c_str());
  }

  void moreTexelsThanItHoldsAreRefusedWithWhatToDo() {
    ck::Character limb = ck::test::limbCharacter();
    addVertices(limb, 60000);
    limb.clips.push_back(ck::test::swingClip(limb, {.name = "Long", .keyCount = 1001}));
    const auto texture = ck::playCanvasTexture(limb, ck::bake(limb, {})->atlas, {});
    QVERIFY(!texture);
    QCOMPARE(texture.error().code, ck::ErrorCode::LimitExceeded);
    QVERIFY2(texture.error().message.find("is 279 frames") != std::string::npos,
             texture.error().message.c_str());
  }

  void trianglesAddressTheVerticesOfAllMeshes() {
    ck::Character limb = ck::test::swingingLimb();
    limb.meshes.push_back(limb.meshes[0]);
    limb.meshes[1].name = "Second";
    const Vat vat = vatOf(limb, ck::bake(limb, {})->atlas);
    QCOMPARE(vat.json["indices"]["type"].get<std::string>(), "uint16");
    const auto indices = vat.view<quint16>("indices");
    const std::size_t half = limb.meshes[0].indices.size();
    QCOMPARE(indices.size(), 2 * half);
    const auto vertices = quint16(limb.meshes[0].positions.size());
    for (std::size_t i = 0; i < half; ++i) {
      QCOMPARE(std::uint32_t(indices[i]), limb.meshes[0].indices[i]);
      QCOMPARE(indices[half + i], quint16(indices[i] + vertices));
    }
    QCOMPARE(vat.view<float>("uvs").size(), std::size_t(vertices) * 2 * 2);
  }

  // Two pictures and a plain colour, each found again through the uvs of its mesh.
  void oneSurfaceHasTheColoursOfAllMaterials() {
    ck::Character limb = ck::test::limbCharacter();
    ck::Mesh mesh = limb.meshes[0];
    mesh.uvs.assign(mesh.positions.size(), glm::vec2(0.25f, 0.75f));
    mesh.uvs.back() = {1.0f, 0.0f};
    limb.meshes.assign(4, mesh);
    limb.images = {plainImage(64, 32, {200, 0, 0}), plainImage(16, 16, {255, 255, 255})};
    limb.materials = {
        {.name = "red", .base = {.image = 0}},
        {.name = "tinted", .baseColor = {0.0f, 1.0f, 0.2158605f, 1.0f}, .base = {.image = 1}},
        {.name = "blue", .baseColor = {0.0f, 0.0f, 1.0f, 1.0f}}};
    limb.meshes[0].material = 0;
    limb.meshes[1].material = 1;
    limb.meshes[2].material = 2;
    limb.meshes[3].material = 2;
    const ck::OnePicture one = ck::onePictureOf(limb);
    QVERIFY(one.image && !one.cutsRepeats && !one.isShrunk);
    const unsigned expected[] = {0xC80000, 0x00FF80, 0x0000FF, 0x0000FF};
    for (std::size_t m = 0; m < 4; ++m) {
      for (const std::size_t v : {std::size_t{0}, mesh.positions.size() - 1}) {
        QCOMPARE(colorAt(*one.image, one.uvs[m][v]), expected[m]);
      }
    }
    // A surface in another repeat of its picture is moved, one that spans several is cut.
    for (glm::vec2& uv : limb.meshes[0].uvs) uv += glm::vec2(3.0f, -2.0f);
    const ck::OnePicture moved = ck::onePictureOf(limb);
    QVERIFY(!moved.cutsRepeats);
    QVERIFY(glm::distance(moved.uvs[0][0], one.uvs[0][0]) < 1e-5f);
    limb.meshes[0].uvs[0] += glm::vec2(1.0f, 0.0f);
    QVERIFY(ck::onePictureOf(limb).cutsRepeats);
    QVERIFY(ck::onePictureOf(limb, 64).isShrunk);
  }

  void aSinglePictureStaysAsItIs() {
    ck::Character limb = ck::test::limbCharacter();
    QVERIFY(!ck::onePictureOf(limb).image);
    limb.images = {plainImage(5, 3, {10, 20, 30})};
    limb.images[0].rgba[3] = 7;  // colours count, whatever their alpha
    limb.materials = {{.name = "skin", .base = {.image = 0}}};
    limb.meshes[0].material = 0;
    limb.meshes[0].uvs.assign(limb.meshes[0].positions.size(), glm::vec2(4.5f, -1.0f));
    const ck::OnePicture one = ck::onePictureOf(limb);
    QCOMPARE(one.image->width, 5);
    QCOMPARE(one.image->rgba[0], std::uint8_t{10});
    QCOMPARE(one.image->rgba[3], std::uint8_t{255});
    QVERIFY(one.uvs[0] == limb.meshes[0].uvs);
  }

  void lossesHaveTheirDistances() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = ck::bake(limb, settingsAt(10.0))->atlas;
    const auto losses = ck::playCanvasLosses({.character = limb, .atlas = atlas, .name = "limb"});
    QVERIFY(losses.size() == 4);
    const QString first = QString::fromStdString(losses[0]);
    QVERIFY2(first.section("up to ", 1, 1).section(" mm", 0, 0).toDouble() > 2.0,
             qPrintable(first));
    const QString second = QString::fromStdString(losses[1]);
    const double mm = second.section("up to ", -1).section(" mm", 0, 0).toDouble();
    QVERIFY2(mm > 0.005 && mm < 0.05, qPrintable(second));
  }
};

CK_TEST(tst_playcanvas)
#include "tst_playcanvas.moc"
