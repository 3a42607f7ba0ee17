#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/export/set/atlas_export.h"
#include "core/export/sidecar_json.h"
#include "core/system/files.h"
#include "tests/support/atlas_decoder.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/test_program.h"

// Holds the program against tests/tools/decode_atlas.py, which was written from docs/atlas-json.md
// and shares no code with it.
namespace {

using Answer = ck::test::AtlasDecoder::Answer;

double largestDifference(const nlohmann::json& joints, const std::vector<glm::dmat4>& matrices) {
  double largest = 0.0;
  for (std::size_t joint = 0; joint < matrices.size(); ++joint) {
    for (int i = 0; i < 16; ++i) {
      const double value = joints[joint]["matrix"][static_cast<std::size_t>(i)].get<double>();
      largest = std::max(largest, std::abs(value - matrices[joint][i / 4][i % 4]));
    }
  }
  return largest;
}

}  // namespace

class tst_decode_atlas : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QString sidecar_;
  ck::Atlas atlas_;
  ck::test::AtlasDecoder decoder_;

  Answer decode(const QStringList& arguments) { return decoder_.answer(arguments); }

 private slots:
  void initTestCase() {
    const ck::Character limb = ck::test::swingingLimb();
    ck::BakeSettings settings;
    settings.maxTextureSize = 50;  // several columns
    settings.rangeMode = ck::RangeMode::JointClip;
    auto result = ck::bake(limb, settings);
    QVERIFY(result);
    atlas_ = std::move(result->atlas);
    const auto error = ck::measureBakeError(limb, atlas_);
    const auto path = ck::pathFromText(folder_.path().toStdString());
    QVERIFY(ck::exportAtlas(atlas_, "limb", path,
                            {.kinds = ck::test::everyKind(ck::TexelFormat::Rgba16)}, &*error));
    sidecar_ = folder_.filePath("limb.atlas.json");
  }

  void rejectsClipsThatAreNotThere() {
    const Answer answer = decode({sidecar_, "--clip", "Jump", "--frame", "0"});
    QVERIFY(answer.exitCode != 0);
    QVERIFY(answer.said.contains("Jump"));
  }

  void sidecarObeysThePublishedSchema() {
    const QString schema = QStringLiteral(CK_SOURCE_DIR "/docs/atlas.schema.json");
    const Answer good = decode({sidecar_, "--check", schema});
    QVERIFY2(good.exitCode == 0, good.said.constData());
    // And the check does see what is wrong.
    QFile file(sidecar_);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    text.replace("\"frames\": 31", "\"frames\": 1");
    QFile damaged(folder_.filePath("damaged.json"));
    QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write(text) > 0);
    damaged.close();
    QVERIFY(decode({damaged.fileName(), "--check", schema}).exitCode != 0);
  }

  void framesAgree() {
    for (std::size_t clip = 0; clip < atlas_.clips.size(); ++clip) {
      const int last = atlas_.clips[clip].frameCount - 1;
      const Answer answer =
          decode({sidecar_, "--clip", QString::fromStdString(atlas_.clips[clip].name), "--frame",
                  "0", "--frame", QString::number(last / 2), "--frame", QString::number(last)});
      QVERIFY2(answer.exitCode == 0, answer.said.constData());
      const auto json = nlohmann::json::parse(answer.out.toStdString());
      QCOMPARE(json["poses"].size(), std::size_t(3));
      for (const auto& pose : json["poses"]) {
        const double unit = pose["frame"].get<double>() / last;
        for (const auto reading : {ck::Reading::Palette, ck::Reading::Direct}) {
          const auto ours = ck::atlasSkinMatrices(atlas_, static_cast<int>(clip), unit, reading);
          QVERIFY(largestDifference(pose["joints"], ours) < 1e-5);
        }
      }
    }
  }

  void momentsBetweenFramesAgree_data() {
    QTest::addColumn<int>("reading");
    QTest::addColumn<QString>("word");
    QTest::newRow("relative to the parent") << static_cast<int>(ck::Reading::Palette) << "relative";
    QTest::newRow("each joint by itself") << static_cast<int>(ck::Reading::Direct) << "direct";
  }
  void momentsBetweenFramesAgree() {
    QFETCH(int, reading);
    QFETCH(QString, word);
    const Answer answer = decode({sidecar_, "--clip", "Closed", "--unit", "0.013", "--unit", "0.55",
                                  "--unit", "0.999", "--reading", word});
    QVERIFY2(answer.exitCode == 0, answer.said.constData());
    const auto json = nlohmann::json::parse(answer.out.toStdString());
    for (const auto& pose : json["poses"]) {
      const auto ours = ck::atlasSkinMatrices(atlas_, 0, pose["unit"].get<double>(),
                                              static_cast<ck::Reading>(reading));
      QVERIFY(largestDifference(pose["joints"], ours) < 1e-5);
    }
  }

  void everyEncodingAndLayoutAgrees_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("layout");
    QTest::addColumn<int>("components");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      for (int layout = 0; layout < 3; ++layout) {
        for (const auto components : {ck::Components::Trs, ck::Components::Tr, ck::Components::R}) {
          if (!ck::isPossible({info.encoding, components})) continue;
          // Components that are left out do not depend on the layout.
          if (layout > 0 && components != ck::Components::Trs) continue;
          QTest::addRow("%s %s %s", info.name.data(),
                        ck::layoutKindName(static_cast<ck::LayoutKind>(layout)).data(),
                        ck::componentsName(components).data())
              << static_cast<int>(info.encoding) << layout << static_cast<int>(components);
        }
      }
    }
  }
  void everyEncodingAndLayoutAgrees() {
    QFETCH(int, encoding);
    QFETCH(int, layout);
    QFETCH(int, components);
    ck::BakeSettings settings;
    settings.encoding = static_cast<ck::Encoding>(encoding);
    settings.layout = static_cast<ck::LayoutKind>(layout);
    settings.components = static_cast<ck::Components>(components);
    settings.tile = 32;
    ck::Character limb = ck::test::swingingLimb();
    auto& scale = limb.clips[0].jointTracks[0].scale;
    scale.times = {0.0, 1.0};
    scale.values = {glm::vec3(1.0f), glm::vec3(1.5f)};
    // R32 refuses it.
    const ck::EncodingInfo& info = ck::encodingInfo(settings);
    if (ck::isLocal(info) && info.scaleInRange) scale = {};
    const auto result = ck::bake(limb, settings);
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    const QTemporaryDir folder;
    const ck::TexelFormat format = ck::encodingInfo(settings).format;
    const bool png = !ck::storedInPng(format).empty();
    QVERIFY(ck::exportAtlas(result->atlas, "limb", ck::pathFromText(folder.path().toStdString()),
                            {.kinds = ck::test::everyKind(format)}));
    const QString sidecar = folder.filePath("limb.atlas.json");
    const QString schema = QStringLiteral(CK_SOURCE_DIR "/docs/atlas.schema.json");
    const Answer obeys = decode({sidecar, "--check", schema});
    QVERIFY2(obeys.exitCode == 0, obeys.said.constData());
    // Each picture in turn: all hold the same texels (tst_baked_forms).
    const QString picture = ck::isWords(format) ? "raw" : png && layout != 1 ? "png" : "exr";
    for (const auto reading : {ck::Reading::Palette, ck::Reading::Direct}) {
      const Answer answer =
          decode({sidecar, "--clip", "Closed", "--unit", "0.013", "--unit", "0.71", "--picture",
                  picture, "--reading", reading == ck::Reading::Palette ? "relative" : "direct"});
      QVERIFY2(answer.exitCode == 0, answer.said.constData());
      const auto json = nlohmann::json::parse(answer.out.toStdString());
      for (const auto& pose : json["poses"]) {
        const auto ours =
            ck::atlasSkinMatrices(result->atlas, 0, pose["unit"].get<double>(), reading);
        QVERIFY(largestDifference(pose["joints"], ours) < 2e-5);
      }
    }
  }

  // The page's rules for ways and sockets, followed by the decoder, lead back to the source: actor
  // times socket is the node of the rig, wherever the clip has walked to.
  void waysAndSocketsLeadBackToTheSource() {
    ck::Character limb = ck::test::swingingLimb();
    ck::Track<glm::vec3>& root = limb.clips[0].jointTracks[0].translation;
    for (std::size_t key = 0; key < root.times.size(); ++key) {
      const auto t = static_cast<float>(root.times[key]);
      root.values[key] += glm::vec3(0.4f * t, 0.0f, 1.3f * t);
    }
    const std::size_t grip = limb.rig.skinJoints.size() - 1;
    limb.rig.skinJoints[grip].isSocket = true;
    const ck::Clip& source = limb.clips[0];
    ck::BakeSettings settings;
    settings.clips = {{.name = source.name, .edit = {.root = {ck::RootMotion::Extract}}}};
    settings.encoding = ck::Encoding::T32;
    const auto baked = ck::bake(limb, settings);
    QVERIFY(baked);
    const QTemporaryDir folder;
    QVERIFY(ck::exportAtlas(baked->atlas, "limb", ck::pathFromText(folder.path().toStdString()),
                            {.kinds = ck::test::everyKind(ck::TexelFormat::Rgba32F)}));
    const QString sidecar = folder.filePath("limb.atlas.json");
    const Answer obeys =
        decode({sidecar, "--check", QStringLiteral(CK_SOURCE_DIR "/docs/atlas.schema.json")});
    QVERIFY2(obeys.exitCode == 0, obeys.said.constData());
    QFile file(sidecar);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto read = ck::sidecarFromText(file.readAll().toStdString());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY(read->atlas.clips == baked->atlas.clips && read->atlas.joints == baked->atlas.joints);
    const Answer answer = decode({sidecar, "--clip", QString::fromStdString(source.name), "--unit",
                                  "0.1", "--unit", "0.5", "--unit", "1.0", "--picture", "exr"});
    QVERIFY2(answer.exitCode == 0, answer.said.constData());
    for (const auto& pose : nlohmann::json::parse(answer.out.toStdString())["poses"]) {
      const double unit = pose["unit"].get<double>();
      const double seconds = source.startSeconds + unit * source.durationSeconds;
      const auto globals = ck::globalMatrices(limb.rig, ck::sampleClip(limb.rig, source, seconds));
      const auto matrixOf = [](const nlohmann::json& numbers) {
        glm::dmat4 m;
        for (int i = 0; i < 16; ++i) m[i / 4][i % 4] = numbers[std::size_t(i)].get<double>();
        return m;
      };
      QCOMPARE(pose["sockets"].size(), std::size_t(1));
      const glm::dmat4 is = matrixOf(pose["rootPlace"]) * matrixOf(pose["sockets"][0]["matrix"]);
      const glm::dmat4 due = globals[std::size_t(limb.rig.skinJoints[grip].joint)];
      for (int column = 0; column < 4; ++column) {
        const glm::dvec3 wanted(due[column]);
        const double length = column < 3 ? glm::length(wanted) : 1.0;
        QVERIFY(glm::distance(glm::dvec3(is[column]), wanted / length) < 1e-3);
      }
    }
  }
};

CK_TEST(tst_decode_atlas, QCoreApplication)
#include "tst_decode_atlas.moc"
