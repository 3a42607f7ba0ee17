#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/import/import_process.h"
#include "core/import/worker/collada/collada_file.h"
#include "core/system/files.h"
#include "tests/support/hostile_text.h"
#include "tests/support/import_worker.h"
#include "tests/support/test_program.h"

using ck::test::replaced;

namespace {

std::string strip() {
  const auto bytes = ck::readFile(
      std::filesystem::path(CK_SOURCE_DIR) / "tests/data/rigs/strip.dae", std::uint64_t{1} << 20);
  if (!bytes) qFatal("%s", bytes.error().message.c_str());
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

// A library of nodes, of which the first one stands in the scene.
std::string withNodes(const std::string& nodes) {
  const std::string place = "<library_visual_scenes>";
  const std::string text =
      replaced(strip(), place, "<library_nodes>" + nodes + "</library_nodes>" + place);
  return replaced(text, "<node id=\"strip\" name=\"strip\">",
                  "<node id=\"strip\" name=\"strip\"><instance_node url=\"#k0\"/>");
}

// Every node stands twice in the one before it: 2 to the power of `levels`.
std::string doubled(int levels) {
  std::string nodes;
  for (int i = 0; i < levels; ++i) {
    const std::string next = "<instance_node url=\"#k" + std::to_string(i + 1) + "\"/>";
    nodes += "<node id=\"k" + std::to_string(i) + "\">" + next + next + "</node>";
  }
  return withNodes(nodes + "<node id=\"k" + std::to_string(levels) + "\"/>");
}

// A chain of instances, each in the next one.
std::string chained(int levels) {
  std::string nodes;
  for (int i = 0; i < levels; ++i) {
    nodes += "<node id=\"k" + std::to_string(i) + "\"><instance_node url=\"#k" +
             std::to_string(i + 1) + "\"/></node>";
  }
  return withNodes(nodes + "<node id=\"k" + std::to_string(levels) + "\"/>");
}

std::string withParameters(const std::string& parameters) {
  const std::string text = replaced(strip(), "<profile_COMMON>", "<profile_COMMON>" + parameters);
  return replaced(text, "<color>0.8 0.4 0.2 1</color>", "<texture texture=\"b\" texcoord=\"u\"/>");
}

}  // namespace

// Collada files that Assimp does not survive: counts, indices and references that lie.
class tst_collada_check : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void rejectsWhatLies_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    const std::string whole = strip();
    const auto row = [](const char* name, const std::string& text, const char* says) {
      QTest::newRow(name) << QByteArray::fromStdString(text) << QString(says);
    };
    const auto edit = [&](const char* name, const char* from, const char* to, const char* says) {
      row(name, replaced(whole, from, to), says);
    };
    edit("array of more values", "count=\"24\">", "count=\"30\">",
         "<float_array> 'positions-a': it states 30 values and holds 24");
    edit("array of four billion", "count=\"24\">", "count=\"4000000000\">",
         "it states 4000000000 values and holds 24");
    edit("array of fewer values", "count=\"24\">", "count=\"3\">", "ends at value 24 of 3");
    edit("positions of words", "<float_array id=\"positions-a\" count=\"24\">-0.5",
         "<float_array id=\"no\" count=\"0\"/><Name_array id=\"positions-a\" count=\"1\">x"
         "</Name_array><float_array id=\"rest\" count=\"23\">",
         "its source '#positions' holds words");
    edit("a wide stride", "#positions-a\" count=\"8\" stride=\"3\"",
         "#positions-a\" count=\"8\" stride=\"3000000\"",
         "<vertices> 'vertices': entry 7 of its source '#positions' ends at value 21000003 of 24");
    edit("an offset", "#positions-a\" count=\"8\"",
         "#positions-a\" count=\"8\" offset=\"400000000\"", "ends at value 400000024 of 24");
    edit("a negative count", "#positions-a\" count=\"8\"", "#positions-a\" count=\"-8\"",
         "<accessor> of 'positions': it states -8 entries");
    edit("a far index", "<p>0 0 0", "<p>7000 0 0",
         "its indices go to 7000, and its source '#positions' has 8 entries");
    edit("a far normal", "<p>0 0 0", "<p>0 1 0",
         "<triangles> of 'mesh': its indices go to 1, and its source '#normals' has 1 entries");
    edit("an index beyond all integers", "<p>0 0 0", "<p>99999999999999999999 0 0",
         "'99999999999999999999' is no whole number");
    edit("an index that is a word", "<p>0 0 0", "<p>x 0 0",
         "<p> of 'mesh': 'x' is no whole number");
    edit("an index with a point", "<p>0 0 0", "<p>0.5 0 0", "'0.5' is no whole number");
    edit("too few triangles", "<triangles count=\"6\"", "<triangles count=\"5\"",
         "it holds 54 indices where 15 corners of 3 belong");
    edit("two billion triangles", "<triangles count=\"6\"", "<triangles count=\"2000000000\"",
         "it holds 54 indices where 6000000000 corners of 3 belong");
    edit("negative triangles", "<triangles count=\"6\"", "<triangles count=\"-1\"",
         "<triangles> of 'mesh': it states -1 of them");
    edit("an input far away", "#uvs\" offset=\"2\"", "#uvs\" offset=\"4000000000\"",
         "an input has the offset 4000000000");
    edit("no vertices", "semantic=\"VERTEX\"", "semantic=\"TEXTANGENT\"", "it has no positions");
    edit("no positions", "semantic=\"POSITION\"", "semantic=\"NORMAL\"", "it has no positions");
    edit("no source", "id=\"positions\"", "id=\"normals\"", "its source '#positions' is not there");
    edit("no array", "source=\"#positions-a\"", "source=\"#nope\"",
         "its source '#positions' has no array");
    row("polygons without sizes",
        replaced(replaced(whole, "<triangles ", "<polylist "), "</triangles>", "</polylist>"),
        "<polylist> of 'mesh': it has no <vcount> before its <p>");
    row("polygons of other sizes",
        replaced(
            replaced(replaced(whole, "<triangles ", "<polylist "), "</triangles>", "</polylist>"),
            "<p>", "<vcount>3 3 3 3 3 4</vcount><p>"),
        "it holds 54 indices where 19 corners of 3 belong");
    row("a strip of one corner",
        replaced(replaced(replaced(whole, "<triangles count=\"6\"", "<tristrips count=\"1\""),
                          "</triangles>", "</tristrips>"),
                 whole.substr(whole.find("<p>"), whole.find("</p>") - whole.find("<p>")),
                 "<p>0 0 0"),
        "it holds 3 indices, and a strip begins with 2 corners");
    edit("weights of fewer vertices", "<vertex_weights count=\"8\">",
         "<vertex_weights count=\"4\">",
         "<skin> of 'skin': it has weights for 4 vertices, and its mesh has 8");
    edit("weights of no vertex", "<vertex_weights count=\"8\">", "<vertex_weights count=\"0\">",
         "it has weights for 0 vertices, and its mesh has 8");
    edit("weights of two billion vertices", "<vertex_weights count=\"8\">",
         "<vertex_weights count=\"2000000000\">",
         "<vcount> of 'skin': it states 2000000000 numbers and holds 8");
    edit("negative weights", "<vertex_weights count=\"8\">", "<vertex_weights count=\"-1\">",
         "it has weights for -1 vertices");
    edit("a vertex of four billion weights", "<vcount>1 1 2", "<vcount>1 1 4000000000",
         "'4000000000' is no whole number");
    edit("a vertex of too many weights", "<vcount>1 1 2", "<vcount>1 1 900",
         "<v> of 'skin': it holds 24 numbers where 910 pairs belong");
    edit("weights beyond all sums", "<vcount>1 1 2", "<vcount>2147483647 2147483647 2",
         "<vcount> of 'skin': its numbers add up to more than 4294967295");
    edit("a skin of a mesh elsewhere", "<skin source=\"#mesh\">",
         "<skin source=\"other.dae#mesh\">",
         "<skin> of 'skin': its source is 'other.dae#mesh'; meshes of other files are not read");
    edit("a skin of itself", "<skin source=\"#mesh\">", "<skin source=\"#skin\">",
         "<skin> of 'skin': its source is itself");
    row("a skin of a morph, with weights of fewer vertices",
        replaced(replaced(replaced(whole, "<skin source=\"#mesh\">", "<skin source=\"#m\">"),
                          "<vertex_weights count=\"8\">", "<vertex_weights count=\"4\">"),
                 "</library_controllers>",
                 "<controller id=\"m\"><morph source=\"#mesh\"/></controller>"
                 "</library_controllers>"),
        "<skin> of 'skin': it has weights for 4 vertices, and its mesh has 8");
    edit("a far joint", "<v>0 2 ", "<v>99 2 ", "its weights name joint 99, and it has 3 joints");
    edit("a negative joint", "<v>0 2 ", "<v>-2 2 ", "'-2' is no whole number");
    edit("no joint", "<v>0 2 ", "<v>-1 2 ", "<v> of 'skin': vertices weighted to no joint (-1)");
    edit("a far weight", "<v>0 2 ", "<v>0 99999999 ",
         "<vertex_weights> of 'skin': entry 99999999 of its source '#weights'");
    edit("too few bind matrices", "id=\"binds-a\" count=\"48\"", "id=\"binds-a\" count=\"40\"",
         "<joints> of 'skin': entry 2 of its source '#binds' ends at value 48 of 40");
    edit("names far apart", "#joints-a\" count=\"3\" stride=\"1\"",
         "#joints-a\" count=\"3\" stride=\"100000\"", "ends at value 200001 of 3");
    edit("no bind matrices", "semantic=\"INV_BIND_MATRIX\"", "semantic=\"OTHER\"",
         "it has no joints, bind matrices or weights");
    edit("a morph of no mesh", "</library_controllers>",
         "<controller id=\"m\"><morph source=\"mesh\"/></controller></library_controllers>",
         "<morph> of 'm': its source is no address of a mesh in this file");
    edit("a node within itself", "<node id=\"strip\" name=\"strip\">",
         "<node id=\"strip\" name=\"strip\"><instance_node url=\"#strip\"/>",
         "<node> 'strip': it is an instance of itself");
    edit("a node within itself by its name", "<node id=\"strip\" name=\"strip\">",
         "<node id=\"strip\" name=\"Bob\"><instance_node url=\"#Bob\"/>",
         "<node> 'strip': it is an instance of itself");
    row("nodes within each other",
        withNodes("<node id=\"k0\"><instance_node url=\"#k1\"/></node><node id=\"k1\"><node>"
                  "<instance_node url=\"#k0\"/></node></node>"),
        "it is an instance of itself");
    row("a billion copies", doubled(30), "its instances make more than 1000000 nodes");
    row("deep copies", chained(20'000),
        "its instances make more than 1000000 nodes or 4096 levels");
    row("a parameter of itself",
        withParameters(
            "<newparam sid=\"b\"><surface><init_from>b</init_from></surface></newparam>"),
        "<effect> 'cloth-fx': its parameter 'b' refers to itself");
    row("parameters in a circle",
        withParameters(
            "<newparam sid=\"a\"><surface><init_from> b </init_from></surface></newparam>"
            "<newparam sid=\"b\"><sampler2D><source>a</source></sampler2D></newparam>"),
        "refers to itself");
    row("a parameter with the name of its picture",
        replaced(withParameters("<newparam sid=\"b\"><surface><init_from>b</init_from></surface>"
                                "</newparam>"),
                 "<library_effects>",
                 "<library_images><image id=\"b\"><init_from>b.png</init_from></image>"
                 "</library_images><library_effects>"),
        "<effect> 'cloth-fx': its parameter 'b' has the name of its picture, which is not read; "
        "rename one of the two");
  }
  void rejectsWhatLies() {
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    const auto motion = ck::worker::readColladaMotion(text.toStdString());
    QVERIFY(!motion.has_value());
    QVERIFY2(QString::fromStdString(motion.error().message).contains(says),
             motion.error().message.c_str());
    QVERIFY(motion.error().code == ck::ErrorCode::InvalidInput ||
            motion.error().code == ck::ErrorCode::LimitExceeded ||
            motion.error().code == ck::ErrorCode::Unsupported);
    // The worker refuses it as well, instead of dying.
    const QTemporaryDir folder;
    const auto path = ck::pathFromText(folder.filePath("rig.dae").toStdString());
    std::ofstream(path, std::ios::binary) << text.toStdString();
    const auto character = ck::importCharacter(path);
    QVERIFY(!character.has_value());
    QCOMPARE(int(character.error().code), int(motion.error().code));
  }

  // Odd and harmless files are read.
  void readsWhatIsOdd_data() {
    QTest::addColumn<QByteArray>("text");
    const std::string whole = strip();
    const auto row = [](const char* name, const std::string& text) {
      QTest::newRow(name) << QByteArray::fromStdString(text);
    };
    row("as it is", whole);
    row("more values than it states",
        replaced(whole, "0.5 -0 6</float_array>", "0.5 -0 6 9 9</float_array>"));
    row("entries that nothing names",
        replaced(whole, "#positions-a\" count=\"8\"", "#positions-a\" count=\"2000000000\""));
    row("a negative index", replaced(whole, "<p>0 0 0", "<p>-5 0 0"));
    row("one of several nodes of a name",
        replaced(
            replaced(whole, "<library_visual_scenes>",
                     "<library_nodes><node id=\"Bob\"/></library_nodes><library_visual_scenes>"),
            "<node id=\"strip\" name=\"strip\">",
            "<node id=\"strip\" name=\"Bob\"><instance_node url=\"#Bob\"/>"));
    row("skins that nothing shows",
        replaced(whole, "</library_controllers>",
                 "<controller id=\"left-1\"><skin source=\"#mesh\"><vertex_weights count=\"0\"/>"
                 "</skin></controller><controller id=\"left-2\"><skin source=\"#mesh\">"
                 "<vertex_weights count=\"1\"><vcount>1</vcount><v>-1 0</v></vertex_weights></skin>"
                 "</controller></library_controllers>"));
    row("a thousand copies", doubled(10));
    row("a picture by two parameters",
        withParameters("<newparam sid=\"a\"><surface><init_from>c</init_from></surface></newparam>"
                       "<newparam sid=\"b\"><sampler2D><source>a</source></sampler2D></newparam>"));
  }
  void readsWhatIsOdd() {
    QFETCH(QByteArray, text);
    const QTemporaryDir folder;
    const auto path = ck::pathFromText(folder.filePath("rig.dae").toStdString());
    std::ofstream(path, std::ios::binary) << text.toStdString();
    const auto character = ck::importCharacter(path);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->meshes.size(), std::size_t{1});
    QCOMPARE(character->meshes[0].indices.size(), std::size_t{18});
  }
};

CK_TEST(tst_collada_check)
#include "tst_collada_check.moc"
