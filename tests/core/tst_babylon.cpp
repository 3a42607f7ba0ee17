#include <QByteArray>
#include <QTest>
#include <nlohmann/json.hpp>

#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/export/targets/babylon.h"
#include "core/export/targets/shown_error.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/step_rigs.h"
#include "tests/support/test_program.h"

namespace {

using Json = nlohmann::json;

ck::BakeSettings loops() {
  ck::BakeSettings settings;
  settings.clips = {{.name = "Closed", .loop = ck::LoopMode::Loop},
                    {.name = "Away", .loop = ck::LoopMode::PingPong}};
  return settings;
}

std::string textOf(const std::vector<ck::TargetFile>& files, const std::string& path) {
  for (const ck::TargetFile& file : files) {
    if (file.path != path) continue;
    return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
  }
  return {};
}

// The row that Babylon's shader reads (Shaders/ShadersInclude/bakedVertexAnimation), in its floats.
int rowOf(const Json& clip, float time, float offset = 0.0f) {
  const auto from = clip["from"].get<float>();
  const auto to = clip["to"].get<float>();
  const float frames = to - from + 1.0f;
  const float passes = time * clip["framesPerSecond"].get<float>() / frames;
  const float correction = passes < 1.0f ? 0.0f : 1.0f;
  const float shown = frames - correction;
  float row = (passes - std::floor(passes)) * shown;
  row = row + offset - shown * std::floor((row + offset) / shown);
  return static_cast<int>(std::floor(row) + from + correction);
}

// The export, read as Babylon does.
struct Read {
  Json crowd;
  int width = 0;
  int height = 0;
  QByteArray texels;

  std::vector<glm::dmat4> matrices(int row, std::size_t joints) const {
    const auto* floats = reinterpret_cast<const float*>(texels.constData());
    std::vector<glm::dmat4> result(joints);
    for (std::size_t j = 0; j < joints; ++j) {
      for (int i = 0; i < 16; ++i) {
        result[j][i / 4][i % 4] =
            floats[(std::size_t(row) * std::size_t(width) + 4 * j) * 4 + std::size_t(i)];
      }
    }
    return result;
  }
};

Read readBack(const ck::Character& character, const ck::Atlas& atlas) {
  const auto files = ck::babylonFiles({.character = character, .atlas = atlas, .name = "limb"}, {});
  if (!files) throw std::runtime_error(files.error().message);
  Read read;
  const Json vat = Json::parse(textOf(*files, "limb.babylon/limb.vat.json"));
  read.crowd = Json::parse(textOf(*files, "limb.babylon/limb.crowd.json"));
  read.width = vat["width"];
  read.height = vat["height"];
  read.texels =
      QByteArray::fromBase64(QByteArray::fromStdString(vat["vertexData"].get<std::string>()));
  return read;
}

double farthestMm(const ck::Character& character, const std::vector<glm::dmat4>& a,
                  const std::vector<glm::dmat4>& b) {
  double mm = 0.0;
  for (const ck::Mesh& mesh : character.meshes) {
    const auto first = ck::skinMesh(mesh, a).positions;
    const auto second = ck::skinMesh(mesh, b).positions;
    for (std::size_t v = 0; v < first.size(); ++v) {
      mm = std::max(mm, 1000.0 * glm::distance(first[v], second[v]));
    }
  }
  return mm;
}

}  // namespace

class tst_babylon : public QObject {
  Q_OBJECT
 private slots:
  void theFolderHasAllThatItsReadmeNames() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = ck::bake(limb, {})->atlas;
    const auto files = ck::babylonFiles({.character = limb, .atlas = atlas, .name = "limb"}, {});
    QVERIFY(files);
    const std::string readme = textOf(*files, "limb.babylon/README.md");
    for (const char* name : {"limb.glb", "limb.vat.json", "limb.crowd.json", "crowd.js"}) {
      QVERIFY2(readme.find(name) != std::string::npos, name);
      QVERIFY2(!textOf(*files, std::string("limb.babylon/") + name).empty(), name);
    }
    for (const ck::TargetFile& file : *files) {
      const std::string text = textOf(*files, file.path);
      if (file.path.ends_with(".glb")) continue;
      for (const char* word : {"@name@", "@scriptName@", "@htmlName@", "@clips@", "@rows@"}) {
        QVERIFY2(text.find(word) == std::string::npos, file.path.c_str());
      }
    }
    QVERIFY(textOf(*files, "limb.babylon/index.html").find("'limb'") != std::string::npos);
    QVERIFY(readme.find("| Open end |") != std::string::npos);
  }

  // Babylon shapes its texture by the number of bones that its loader makes.
  void widthIsThatOfTheBonesInTheMesh() {
    ck::Character limb = ck::test::swingingLimb();
    const bool severalRoots[] = {false, true};
    for (const bool several : severalRoots) {
      if (several) {
        limb.rig.joints[5].parent = -1;
        limb.rig.joints[6].parent = -1;
      }
      const ck::Atlas atlas = ck::bake(limb, {})->atlas;
      const auto files = ck::babylonFiles({.character = limb, .atlas = atlas, .name = "limb"}, {});
      QVERIFY(files);
      const std::string glb = textOf(*files, "limb.babylon/limb.glb");
      std::uint32_t length = 0;
      std::memcpy(&length, glb.data() + 12, sizeof(length));
      const Json mesh = Json::parse(glb.substr(20, length));
      const Json crowd = Json::parse(textOf(*files, "limb.babylon/limb.crowd.json"));
      const std::size_t bones = mesh["skins"][0]["joints"].size();
      QCOMPARE(bones, several ? std::size_t{8} : std::size_t{7});
      QCOMPARE(crowd["bones"].get<std::size_t>(), bones);
      QCOMPARE(crowd["width"].get<std::size_t>(), (bones + 1) * 4);
      const Read read = readBack(limb, atlas);
      QCOMPARE(read.texels.size(), qsizetype(read.width) * read.height * 16);
      // Matrices beyond the joints do not move.
      for (int row = 0; row < read.height; ++row) {
        const auto all = read.matrices(row, bones + 1);
        for (std::size_t j = 7; j <= bones; ++j) QCOMPARE(all[j], glm::dmat4(1.0));
      }
    }
  }

  // Three passes in a row after the first, at random moments, by the formula of Babylon's shader.
  void everyPassIsThatOfTheClip() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = ck::bake(limb, loops())->atlas;
    const Read read = readBack(limb, atlas);
    const auto stated = ck::babylonShown({.character = limb, .atlas = atlas, .name = "limb"}, {});
    QVERIFY(stated);
    double largest = 0.0;
    for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
      const Json& clip = read.crowd["clips"][c];
      const ck::Clip& source = limb.clips[c == 0 ? 0 : 2];
      const auto cycle = clip["seconds"].get<double>();
      QCOMPARE(cycle, (c == 0 ? 1.0 : 2.0) * atlas.clips[c].durationSeconds);
      for (int pass = 1; pass <= 3; ++pass) {
        for (int i = 0; i < 200; ++i) {
          const double share = std::fmod(0.0021 + i * 0.6180339887, 1.0);
          const int row = rowOf(clip, float((pass + share) * cycle));
          QVERIFY(row > clip["from"].get<int>() && row <= clip["to"].get<int>());
          const double inClip = c == 0 ? share : 1.0 - std::abs(2.0 * share - 1.0);
          const auto exact = ck::skinMatricesAt(
              limb.rig, source, source.startSeconds + inClip * source.durationSeconds);
          largest = std::max(largest, farthestMm(limb, exact, read.matrices(row, 7)));
        }
      }
    }
    QVERIFY2(largest < 1.03 * stated->max && largest > 0.8 * stated->max,
             qPrintable(QString("%1 mm, stated %2").arg(largest).arg(stated->max)));
  }

  void anOffsetIsAShareOfTheCycle() {
    const ck::Character limb = ck::test::swingingLimb();
    const Read read = readBack(limb, ck::bake(limb, loops())->atlas);
    const Json& clip = read.crowd["clips"][0];
    const int parts = clip["to"].get<int>() - clip["from"].get<int>();
    for (int i = 0; i < 50; ++i) {
      const double share = std::fmod(0.013 + i * 0.618, 1.0);
      const double phase = std::fmod(0.4 + i * 0.382, 1.0);
      const int row =
          rowOf(clip, float((1.0 + share) * clip["seconds"].get<double>()), float(phase * parts));
      const int expected = int(std::floor(std::fmod(share + phase, 1.0) * parts)) + 1;
      QCOMPARE(row - clip["from"].get<int>(), expected);
    }
  }

  void shortClipsHaveTwiceTheRowsOfAScreen() {
    const ck::Character limb = ck::test::swingingLimb();
    const auto texture = ck::babylonTexture(ck::bake(limb, loops())->atlas, {});
    QVERIFY(texture);
    QCOMPARE(texture->clips[0].to - texture->clips[0].from, 120);
    QCOMPARE(texture->clips[0].framesPerSecond, 121.0);
  }

  void longClipsGetFewerRows() {
    ck::Character limb = ck::test::limbCharacter();
    limb.clips.push_back(ck::test::swingClip(limb, {.name = "Long", .keyCount = 501, .hz = 5.0}));
    const ck::Atlas atlas = ck::bake(limb, {})->atlas;
    QCOMPARE(atlas.clips[0].durationSeconds, 100.0);
    const auto texture = ck::babylonTexture(atlas, {});
    QVERIFY(texture);
    QCOMPARE(texture->height, 4001);
    QCOMPARE(texture->rowsPerSecond, 40.0);
    const auto losses = ck::babylonLosses({.character = limb, .atlas = atlas, .name = "limb"});
    QVERIFY(losses[0].find("only 40 instead of 60") != std::string::npos);
  }

  void clipsThatNeverFitAreRefusedWithWhatToDo() {
    ck::Character limb = ck::test::limbCharacter();
    limb.clips.push_back(
        ck::test::swingClip(limb, {.name = "Endless", .keyCount = 901, .hz = 1.0}));
    const auto texture = ck::babylonTexture(ck::bake(limb, {})->atlas, {});
    QVERIFY(!texture);
    QCOMPARE(texture.error().code, ck::ErrorCode::LimitExceeded);
    QVERIFY(texture.error().message.find("fewer or shorter clips") != std::string::npos);
  }

  void aStillClipHasItsPose() {
    ck::Character limb = ck::test::limbCharacter();
    limb.clips.push_back(ck::test::swingClip(limb, {.name = "Still", .keyCount = 1}));
    const ck::Atlas atlas = ck::bake(limb, {})->atlas;
    const Read read = readBack(limb, atlas);
    const Json& clip = read.crowd["clips"][0];
    QCOMPARE(clip["seconds"].get<double>(), 0.0);
    const auto exact = ck::skinMatricesAt(limb.rig, limb.clips[0], 0.0);
    for (const float time : {0.0f, 0.5f, 7.3f}) {
      QVERIFY(farthestMm(limb, exact, read.matrices(rowOf(clip, time), 7)) < 0.5);
    }
    const auto shown = ck::babylonShown({.character = limb, .atlas = atlas, .name = "limb"}, {});
    QVERIFY(shown && shown->max < 0.5);
  }

  // The sentence about the missing interpolation has the distance that the measurement finds.
  void lossesHaveTheirDistances() {
    ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = ck::bake(limb, loops())->atlas;
    const ck::TargetInput input = {.character = limb, .atlas = atlas, .name = "limb"};
    const auto losses = ck::babylonLosses(input);
    const auto shown = ck::babylonShown(input, {});
    QVERIFY(shown);
    const QString first = QString::fromStdString(losses[0]);
    const double stated = first.section("up to ", -1).section(" mm", 0, 0).toDouble();
    QVERIFY2(stated > 1.0 && std::abs(stated - shown->max) < 0.1 * shown->max, qPrintable(first));
    QVERIFY(losses[2].find("no crossfade") != std::string::npos);
    QCOMPARE(losses.size(), std::size_t{3});

    ck::test::addStepMorphs(limb);
    const ck::Atlas morphed = ck::bake(limb, {})->atlas;
    const auto more = ck::babylonLosses({.character = limb, .atlas = morphed, .name = "limb"});
    QVERIFY(more.back().find("Morph targets keep") == 0);
    QVERIFY(more[more.size() - 2].find("play once") != std::string::npos);
  }
};

CK_TEST(tst_babylon)
#include "tst_babylon.moc"
