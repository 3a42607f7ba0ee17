#include <QByteArray>
#include <QRegularExpression>
#include <QTest>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/bake/bake.h"
#include "core/base/base64.h"
#include "core/error/bake_error.h"
#include "core/export/targets/folder_texts.h"
#include "core/export/targets/glb.h"
#include "core/export/targets/joint_table.h"
#include "core/export/targets/three.h"
#include "core/export/targets/web.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/step_rigs.h"
#include "tests/support/test_program.h"

namespace {

using Json = nlohmann::json;

std::string textOf(const std::vector<ck::TargetFile>& files, const std::string& path) {
  for (const ck::TargetFile& file : files) {
    if (file.path != path) continue;
    return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
  }
  return {};
}

QByteArray bytesOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), static_cast<int>(bytes.size())};
}

// The content of an element of a page.
QString elementOf(const std::string& page, const QString& id) {
  const QRegularExpression wanted("<script [^>]*id=\"" + id + "\">(.*?)</script>",
                                  QRegularExpression::DotMatchesEverythingOption);
  return wanted.match(QString::fromStdString(page)).captured(1);
}

// As DecompressionStream('deflate') does it. Qt wants the size in front.
QByteArray unpacked(const QString& text, int size) {
  QByteArray packed;
  for (int shift = 24; shift >= 0; shift -= 8) packed.append(static_cast<char>(size >> shift));
  return qUncompress(packed + QByteArray::fromBase64(text.toLatin1()));
}

// A character with morphs, steps and a name that is awkward in HTML and scripts.
struct Awkward {
  ck::Character character = ck::test::swingingLimb();
  ck::Atlas atlas;
  std::string name = "<limb> & 'co'";

  Awkward() {
    ck::test::addStepMorphs(character);
    atlas = ck::bake(character, {})->atlas;
  }
  ck::TargetInput input() const { return {.character = character, .atlas = atlas, .name = name}; }
};

}  // namespace

class tst_players : public QObject {
  Q_OBJECT
 private slots:
  void base64IsThatOfOthers() {
    for (int size = 0; size < 8; ++size) {
      QByteArray bytes;
      for (int i = 0; i < size; ++i) bytes.append(static_cast<char>(250 + 37 * i));
      const auto* data = reinterpret_cast<const std::byte*>(bytes.constData());
      QCOMPARE(QByteArray::fromStdString(ck::base64({data, std::size_t(size)})), bytes.toBase64());
      const std::vector<std::byte> same(data, data + size);
      const QByteArray digits = bytes.toBase64();
      QVERIFY(ck::bytesOfBase64(digits.toStdString()) == same);
      const QByteArray bare = bytes.toBase64(QByteArray::OmitTrailingEquals);
      QVERIFY(ck::bytesOfBase64(bare.toStdString()) == same);
      for (int i = 0; i < bare.size(); ++i) {
        for (const char wrong : {'-', '_', ' ', '=', '\0', '\xff'}) {
          std::string text = bare.toStdString();
          text[std::size_t(i)] = wrong;
          if (wrong == '=' && i + 1 == bare.size()) continue;  // padding
          QVERIFY2(!ck::bytesOfBase64(text), text.c_str());
        }
      }
      QVERIFY(!ck::bytesOfBase64(std::string(std::size_t(4 * size + 1), 'A')));
    }
  }

  void theFolderHasAllThatItsReadmeNames() {
    const Awkward awkward;
    const auto files = ck::threeFiles(awkward.input(), {});
    QVERIFY(files);
    const std::string folder = awkward.name + ".three/";
    const std::string readme = textOf(*files, folder + "README.md");
    for (const std::string& name :
         {std::string("crowd.js"), std::string("crowd.d.ts"), awkward.name + ".crowd.json",
          awkward.name + ".atlas.raw", awkward.name + ".mesh.glb"}) {
      QVERIFY2(readme.find(name) != std::string::npos, name.c_str());
      QVERIFY2(!textOf(*files, folder + name).empty(), name.c_str());
    }
    for (const ck::TargetFile& file : *files) {
      if (file.path.ends_with(".glb") || file.path.ends_with(".raw")) continue;
      const std::string text = textOf(*files, file.path);
      for (const char* word : {"@name@", "@scriptName@", "@htmlName@", "@clips@", "@clip@",
                               "@paletteMm@", "@directMm@"}) {
        QVERIFY2(text.find(word) == std::string::npos, file.path.c_str());
      }
    }
    QCOMPARE(QByteArray::fromStdString(textOf(*files, folder + awkward.name + ".atlas.raw")),
             bytesOf(awkward.atlas.texels));
  }

  // One module without neighbours: it exports what its types say and imports packages alone.
  void theModuleStandsAlone() {
    const Awkward awkward;
    const auto files = ck::threeFiles(awkward.input(), {});
    QVERIFY(files);
    const QString module = QString::fromStdString(textOf(*files, awkward.name + ".three/crowd.js"));
    const QRegularExpression anImport("^import .* from '([^']+)';$",
                                      QRegularExpression::MultilineOption);
    QStringList imported;
    for (auto found = anImport.globalMatch(module); found.hasNext();) {
      imported << found.next().captured(1);
    }
    QCOMPARE(imported, QStringList({"three", "three/addons/loaders/GLTFLoader.js"}));
    const QRegularExpression anExport("^export (?:async )?(?:class|function|const) (\\w+)",
                                      QRegularExpression::MultilineOption);
    QStringList exported;
    for (auto found = anExport.globalMatch(module); found.hasNext();) {
      exported << found.next().captured(1);
    }
    QCOMPARE(exported, QStringList({"CrowdSet", "loadCrowdSet", "Crowd"}));
  }

  void theDocumentSaysWhatWasBaked() {
    const Awkward awkward;
    const auto files = ck::threeFiles(awkward.input(), {});
    QVERIFY(files);
    const Json document =
        Json::parse(textOf(*files, awkward.name + ".three/" + awkward.name + ".crowd.json"));
    const ck::JointTable table = ck::jointTable(awkward.atlas);
    QCOMPARE(document["joints"].get<std::size_t>(), awkward.atlas.joints.size());
    QCOMPARE(document["clips"].size(), awkward.atlas.clips.size());
    QCOMPARE(document["texture"]["bytes"].get<std::size_t>(), awkward.atlas.texels.size());
    QCOMPARE(QByteArray::fromBase64(QByteArray::fromStdString(document["table"]["data"])).size(),
             static_cast<int>(table.values.size() * sizeof(float)));
    // Two targets on the first mesh, whose weights are the baked morphs 0 and 1.
    QCOMPARE(document["morphs"]["meshes"][0].get<std::vector<int>>(), std::vector<int>({0, 1}));
    const auto shown = ck::exportTarget(ck::TargetKind::Three).shown(awkward.input(), {});
    QVERIFY(shown);
    QCOMPARE(document["error"]["paletteMm"].get<double>(), shown->max);
    const auto measured = ck::measureBakeError(awkward.character, awkward.atlas);
    QVERIFY(measured);
    QCOMPARE(document["error"]["directMm"].get<double>(), measured->direct.vertices.max);
  }

  void thePageNeedsNothingElse() {
    const Awkward awkward;
    const auto files = ck::webFiles(awkward.input(), {});
    QVERIFY(files);
    QCOMPARE(files->size(), std::size_t{1});
    QCOMPARE(files->front().path, awkward.name + ".html");
    const std::string page = textOf(*files, files->front().path);
    for (const char* address :
         {"http:", "https:", "fetch(", "XMLHttpRequest", "import(", " from '"}) {
      QVERIFY2(page.find(address) == std::string::npos, address);
    }
    QVERIFY(page.find("<title>&lt;limb&gt;") != std::string::npos);
    const Json document = Json::parse(elementOf(page, "crowd").toStdString());
    QCOMPARE(document["name"].get<std::string>(), awkward.name);
    QCOMPARE(unpacked(elementOf(page, "texels"), int(awkward.atlas.texels.size())),
             bytesOf(awkward.atlas.texels));
    const auto mesh = ck::glbBytes(awkward.input());
    QVERIFY(mesh);
    QCOMPARE(unpacked(elementOf(page, "mesh"), int(mesh->size())), bytesOf(*mesh));
    // Three texels of four floats for every frame.
    const int frames =
        awkward.atlas.clips.back().firstFrame + awkward.atlas.clips.back().frameCount;
    QCOMPARE(unpacked(elementOf(page, "footprints"), 48 * frames).size(), 48 * frames);
  }

  void namesFillInNoWordsAndHoldNoHtml() {
    Awkward awkward;
    for (const char* name : {"@name@ @document@", "a@", "@", "@clips@", "<img src=x> | <b>"}) {
      awkward.atlas.clips[0].name = name;
      const auto page = ck::webFiles(awkward.input(), {});
      QVERIFY(page);
      const std::string text = textOf(*page, awkward.name + ".html");
      const auto document = Json::parse(elementOf(text, "crowd").toStdString());
      QCOMPARE(document["clips"][0]["name"].get<std::string>(), std::string(name));
      const std::string table = ck::clipTable(awkward.atlas);
      QVERIFY(table.find('<') == std::string::npos);
      // Four columns, whatever the name holds.
      QCOMPARE(QString::fromStdString(table).split('\n')[2].remove("\\|").count('|'), 5);
    }
    awkward.atlas.clips[0].name = "@name@";
    const auto folder = ck::threeFiles(awkward.input(), {});
    QVERIFY(folder);
    bool found = false;
    for (const ck::TargetFile& file : *folder) {
      if (!file.path.ends_with("README.md")) continue;
      found = textOf(*folder, file.path).find("| @name@ |") != std::string::npos;
    }
    QVERIFY(found);
  }

  void whatIsLostIsSaid() {
    Awkward awkward;
    QVERIFY(ck::webLosses(awkward.input()).empty());
    QVERIFY(ck::threeLosses(awkward.input()).empty());
    ck::Material material;
    material.normal.image = 0;
    awkward.character.materials.push_back(material);
    QCOMPARE(ck::webLosses(awkward.input()).size(), std::size_t{1});
    awkward.atlas.shape.extent.x = 4097;
    QCOMPARE(ck::webLosses(awkward.input()).size(), std::size_t{2});
    QCOMPARE(ck::threeLosses(awkward.input()).size(), std::size_t{1});
  }

  void equalInputGivesEqualBytes() {
    const Awkward awkward;
    for (const ck::TargetKind kind : {ck::TargetKind::Web, ck::TargetKind::Three}) {
      const auto once = ck::exportTarget(kind).files(awkward.input(), {});
      const auto twice = ck::exportTarget(kind).files(awkward.input(), {.threadCount = 1});
      QVERIFY(once && twice);
      QCOMPARE(once->size(), twice->size());
      for (std::size_t i = 0; i < once->size(); ++i) {
        QVERIFY2((*once)[i].bytes == (*twice)[i].bytes, (*once)[i].path.c_str());
      }
    }
  }
};

CK_TEST(tst_players)
#include "tst_players.moc"
