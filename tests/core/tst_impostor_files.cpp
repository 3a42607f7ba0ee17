#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "core/bake/bake.h"
#include "core/export/impostor_json.h"
#include "core/export/set/atlas_export.h"
#include "core/export/targets/impostor_folder.h"
#include "core/system/files.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/import_worker.h"
#include "tests/support/test_program.h"

namespace {

using Json = nlohmann::json;

ck::Atlas limbAtlas() {
  return ck::bake(ck::test::swingingLimb(), {})->atlas;
}

// Two directions of two moments for each clip, with pixels that are all different.
ck::Impostors made(const ck::Atlas& atlas) {
  ck::Impostors impostors;
  impostors.cellWidth = 8;
  impostors.cellHeight = 16;
  impostors.columns = 3;
  impostors.metersPerPixel = 0.1;
  impostors.errorMeters = 0.12345678901234567;
  impostors.rings = {{0.0, 0, 1}, {30.0, 1, 1}};
  impostors.directions = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}};
  impostors.depthPixels = {1.1f, 17.3f};
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    const ck::AtlasClip& clip = atlas.clips[c];
    impostors.clips.push_back(clip.name);
    impostors.momentOfFrame.resize(std::size_t(clip.firstFrame + clip.frameCount),
                                   int(impostors.moments.size()));
    for (const int frame : {clip.firstFrame, clip.firstFrame + clip.frameCount - 1}) {
      impostors.moments.push_back({int(c), frame, {0.1f, 0.7f, -1e-9f}, {0.3f, 0.9f, 1e-6f}});
    }
  }
  int byte = 0;
  for (ck::Image* layer : {&impostors.color, &impostors.form}) {
    layer->width = ck::impostorWidth(impostors);
    layer->height = ck::impostorHeight(impostors);
    layer->rgba.resize(4 * std::size_t(layer->width) * std::size_t(layer->height));
    for (std::uint8_t& each : layer->rgba) each = std::uint8_t((byte += 7) % 251);
  }
  return impostors;
}

ck::DrawImpostors drawing(const ck::Impostors& impostors) {
  return [impostors](const ck::Character&, const ck::Atlas&, const ck::JobContext&) {
    return ck::Result<ck::Impostors>(impostors);
  };
}

std::filesystem::path pathOf(const QTemporaryDir& folder, const char* name) {
  return ck::pathFromText(folder.filePath(name).toStdString());
}

}  // namespace

class tst_impostor_files : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void theLayersHaveRoomForAllCells() {
    const ck::Impostors impostors = made(limbAtlas());
    const auto cells = int(impostors.moments.size() * 2);
    QCOMPARE(ck::impostorWidth(impostors), 24);
    QCOMPARE(ck::impostorHeight(impostors), (cells + 2) / 3 * 16);
  }

  void theDocumentComesBack() {
    ck::Impostors impostors = made(limbAtlas());
    impostors.color = {};
    impostors.form = {};
    const ck::ImpostorDocument document = {"limb",
                                           impostors,
                                           {"limb.color.png", 12, "0123456789abcdef"},
                                           {"limb.form.png", 34, "fedcba9876543210"}};
    const auto read = ck::impostorsFromText(ck::impostorText(document));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY(*read == document);
  }

  void rejectsDocumentsThatMakeNoSense_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* path, const char* value) {
      QTest::addRow("%s %s", path, value) << QString(path) << QString(value);
    };
    row("/format", "\"other\"");
    row("/version", "2");
    row("/pictures/color/name", "\"../color.png\"");
    row("/cells/width", "12");
    row("/cells/height", "2048");
    row("/cells/columns", "0");
    row("/cells/columns", "16777216");
    row("/errorMeters", "-1");
    row("/clips", "[]");
    row("/rings/1/first", "2");
    row("/rings/0/count", "2");
    row("/directions/0/right", "[1, 0, 1]");
    row("/directions/0/up", "[0, -1, 0]");
    row("/directions/1/depthPixels", "0.5");
    row("/moments/0/clip", "77");
    row("/moments/0/frame", "10000");
    row("/moments/0/half", "[1, 0, 1]");
    row("/moments/0/center", "[0, 1e300, 0]");
    row("/metersPerPixel", "0");
    row("/moments", "[]");
    row("/momentOfFrame/0", "1000");
    row("/momentOfFrame/0", "-1");
  }
  void rejectsDocumentsThatMakeNoSense() {
    QFETCH(QString, path);
    QFETCH(QString, value);
    const ck::ImpostorDocument document = {
        "limb", made(limbAtlas()), {"a.png", 0, ""}, {"b.png", 0, ""}};
    auto json = Json::parse(ck::impostorText(document));
    QVERIFY(ck::impostorsFromText(json.dump()));
    json[Json::json_pointer(path.toStdString())] = Json::parse(value.toStdString());
    const auto read = ck::impostorsFromText(json.dump());
    QVERIFY(!read);
    QVERIFY(!read.error().message.empty());
  }

  void rejectsPicturesOfAnotherAtlas() {
    const ck::Atlas atlas = limbAtlas();
    const ck::Impostors impostors = made(atlas);
    QVERIFY(ck::checkImpostorsOf(impostors, atlas));
    ck::Atlas other = atlas;
    other.clips.front().name += "!";
    QVERIFY(!ck::checkImpostorsOf(impostors, other));
    other = atlas;
    other.clips.back().frameCount += 1;
    QVERIFY(!ck::checkImpostorsOf(impostors, other));
    other.clips.pop_back();
    QVERIFY(!ck::checkImpostorsOf(impostors, other));
    ck::Impostors mixed = impostors;
    QVERIFY(atlas.clips.size() > 1);
    mixed.momentOfFrame.back() = 0;
    QVERIFY(!ck::checkImpostorsOf(mixed, atlas));
  }

  // With the pictures of three.js and of the page, which are the same bytes.
  void anExportWritesAndReadsThem() {
    const QTemporaryDir folder;
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = limbAtlas();
    const ck::Impostors impostors = made(atlas);
    ck::ExportSettings settings = {
        .targets = {ck::TargetKind::Impostors, ck::TargetKind::Web, ck::TargetKind::Three},
        .drawImpostors = drawing(impostors),
        .character = &limb};
    const auto written = ck::exportAtlas(atlas, "limb", pathOf(folder, ""), settings);
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    QCOMPARE(written->targets.front().kind, std::string("impostors"));
    for (const ck::ExportedTarget& target : written->targets)
      QCOMPARE(target.losses.size(), std::size_t{1});
    for (const char* place : {"limb.impostors", "limb.three"}) {
      for (const bool own : {true, false}) {  // by this process and by kiln-import
        const auto read = ck::readImpostors(pathOf(folder, place), "limb", {.ownFiles = own});
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(*read == impostors);
      }
    }
    QFile page(folder.filePath("limb.html"));
    QFile picture(folder.filePath("limb.impostors/limb.form.png"));
    QVERIFY(page.open(QIODevice::ReadOnly) && picture.open(QIODevice::ReadOnly));
    QVERIFY(page.readAll().contains(picture.readAll().toBase64()));
    // Targets that are not requested are removed only on demand.
    settings.targets = {ck::TargetKind::Three};
    settings.only = true;
    QVERIFY(ck::exportAtlas(atlas, "limb", pathOf(folder, ""), settings));
    QVERIFY(!QFile::exists(folder.filePath("limb.impostors")));
    QVERIFY(!QFile::exists(folder.filePath("limb.three/limb.impostors.json")));
  }

  void damagedPicturesAreRefused() {
    const QTemporaryDir folder;
    const ck::Character limb = ck::test::swingingLimb();
    const ck::ExportSettings settings = {.targets = {ck::TargetKind::Impostors},
                                         .drawImpostors = drawing(made(limbAtlas())),
                                         .character = &limb};
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(folder, ""), settings));
    QFile picture(folder.filePath("limb.impostors/limb.color.png"));
    QVERIFY(picture.open(QIODevice::ReadWrite));
    const QByteArray whole = picture.readAll();
    for (const int at : {0, int(whole.size()) / 2, int(whole.size()) - 1}) {
      QByteArray bytes = whole;
      bytes[at] = char(bytes[at] ^ 1);
      QVERIFY(picture.seek(0) && picture.write(bytes) == bytes.size() && picture.flush());
      for (const bool own : {true, false}) {
        const auto read =
            ck::readImpostors(pathOf(folder, "limb.impostors"), "limb", {.ownFiles = own});
        QVERIFY(!read);
        QVERIFY(read.error().message.find("limb.color.png") != std::string::npos);
      }
    }
  }

  void aFailedDrawingLeavesTheOldSet() {
    const QTemporaryDir folder;
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = limbAtlas();
    ck::ExportSettings settings = {.targets = {ck::TargetKind::Impostors},
                                   .drawImpostors = drawing(made(atlas)),
                                   .character = &limb};
    QVERIFY(ck::exportAtlas(atlas, "limb", pathOf(folder, ""), settings));
    settings.drawImpostors = [](const ck::Character&, const ck::Atlas&, const ck::JobContext&) {
      return ck::Result<ck::Impostors>(ck::fail(ck::ErrorCode::NoGraphics, "no OpenGL"));
    };
    const auto failed = ck::exportAtlas(atlas, "limb", pathOf(folder, ""), settings);
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, ck::ErrorCode::NoGraphics);
    QVERIFY(ck::readImpostors(pathOf(folder, "limb.impostors"), "limb", {.ownFiles = true}));
  }
};

CK_TEST(tst_impostor_files)
#include "tst_impostor_files.moc"
