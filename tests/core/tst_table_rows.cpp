#include <QFile>
#include <QProcess>
#include <QTest>
#include <nlohmann/json.hpp>

#include "core/atlas/encoding.h"
#include "core/export/export_format.h"
#include "core/import/rig_format.h"
#include "tests/support/test_program.h"

// Every row of a table is found where people look for it: on the command line and in the manuals.
// The window's own tests look for them there.
namespace {

using Json = nlohmann::json;

QString textOf(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QString contents(const char* file) {
  QFile manual(QStringLiteral(CK_SOURCE_DIR "/") + file);
  return manual.open(QIODevice::ReadOnly) ? QString::fromUtf8(manual.readAll()) : QString();
}

Json schema() {
  return Json::parse(contents("docs/atlas.schema.json").toStdString());
}

// The help of a command of kiln about the words that one of its options takes; all of its help for
// no option.
QString offered(const QString& command, const QString& option) {
  QProcess kiln;
  kiln.start(QStringLiteral(CK_BIN_DIR "/kiln"), {command, "--help"});
  if (!kiln.waitForFinished()) return {};
  const QString help = QString::fromUtf8(kiln.readAllStandardOutput()).simplified();
  return option.isEmpty() ? help : help.mid(help.indexOf("--" + option + " ")).section(" --", 0, 0);
}

void verifyIn(const char* manual, const QString& words) {
  QVERIFY2(contents(manual).contains(words), qPrintable(words + " is missing in " + manual));
}

}  // namespace

class tst_table_rows : public QObject {
  Q_OBJECT
 private slots:
  void encodings() {
    const QString help = offered("bake", "encoding");
    Json names = Json::array();
    for (const ck::EncodingInfo& info : ck::kEncodings) {
      const QString name = textOf(info.name);
      verifyIn("docs/cli.md", "| `" + name + "`");
      verifyIn("docs/atlas-json.md", "`\"" + name + "\"`");
      verifyIn("docs/ckatlas.md", "`" + name + "`");
      QVERIFY2(help.contains(name), qPrintable(help));
      names.push_back(info.name);
    }
    QVERIFY(schema()["properties"]["encoding"]["properties"]["name"]["enum"] == names);
  }

  void sentencesAreMadeFromTheTable() {
    QCOMPARE(ck::encodingNames(ck::storesMatrices), std::string("M32, M16 and M16F"));
    QCOMPARE(ck::encodingNames(ck::storesComponents, "or"), std::string("T32, T16 or T8"));
    QCOMPARE(ck::encodingNames(ck::measuresClips), std::string("P8, U64, R64, R32 and T8"));
    QCOMPARE(ck::encodingNames(ck::isPacked), std::string("U128, U64, R64 and R32"));
    QCOMPARE(ck::imageFormatNames(ck::TexelFormat::Rgba32F), std::string("ckatlas, exr or raw"));
    QCOMPARE(ck::encodingNames(ck::isLocal, "or"), std::string("R64 or R32"));
    QCOMPARE(ck::imageFormatNames(ck::TexelFormat::Rg32Ui), std::string("ckatlas or raw"));
    QCOMPARE(ck::imageFormatNames(ck::TexelFormat::Rgb10A2Ui), std::string("ckatlas or raw"));
  }

  void exportFormats() {
    const QString help = offered("bake", "export");
    Json kinds = Json::array();
    for (const ck::ExportFormat& format : ck::kExportFormats) {
      const QString name = textOf(format.name);
      verifyIn("README.md", "`NAME" + textOf(format.ending) + "`");
      QVERIFY2(help.contains(name), qPrintable(help));
      QVERIFY(ck::exportKindFromName(format.name) == format.kind);
      if (format.stored == nullptr) continue;
      verifyIn("docs/atlas-json.md", "`\"" + name + "\"`");
      kinds.push_back(format.name);
    }
    const Json files = schema()["properties"]["files"]["items"]["properties"];
    QVERIFY(files["kind"]["enum"] == kinds);
  }

  void rigFormats() {
    QVERIFY(offered("bake", "").contains(QString::fromStdString(ck::rigFormatNames())));
    for (const ck::RigFormat& format : ck::kRigFormats) {
      const QString ending = textOf(format.ending);
      verifyIn("README.md", textOf(format.name) + " ");
      verifyIn("README.md", "`." + ending + "`");
      const std::string file = ("rig." + ending.toUpper()).toStdString();
      QVERIFY(ck::rigFormatByEnding(file) == &format);
    }
    QVERIFY(ck::rigFormatByEnding("rig.txt") == nullptr);
    QVERIFY(ck::rigFormatByEnding("rig") == nullptr);
  }
};

CK_TEST(tst_table_rows)
#include "tst_table_rows.moc"
