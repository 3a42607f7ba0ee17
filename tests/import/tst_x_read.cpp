#include <zlib.h>

#include <QTest>
#include <bit>
#include <cmath>
#include <regex>
#include <sstream>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/worker/assembly/assemble.h"
#include "core/import/worker/x/x_read.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/hostile_text.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

using ck::test::replaced;

namespace {

using ck::Result;
using ck::worker::SourceScene;

// A frame 1 above the root that turns by a quarter about z, and a quad of which the upper edge
// hangs on it. The quad lies at z = 2, is textured, and faces -z; corners are given as the file's
// own, left-handed axes have them.
const std::string kText = R"(xof 0303txt 0032
# by hand
template Mesh {
 <3D82AB44-62DA-11cf-AB39-0020AF71E433>
 DWORD nVertices;
 array Vector vertices[nVertices];
}
AnimTicksPerSecond { 100; }
Material cloth {
 0.5;0.25;1.0;0.5;; // blended
 8.0; 0.0;0.0;0.0;; 0.0;0.0;0.0;;
}
Frame root {
 FrameTransformMatrix { 1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,3.0,1.0;; }
 Frame arm {
  FrameTransformMatrix { 1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,1.0,0.0,1.0;; }
 }
}
Frame quad {
 Mesh {
  4; 0.0;0.0;2.0;, 0.0;2.0;2.0;, 1.0;2.0;2.0;, 1.0;0.0;2.0;;
  1; 4;0,1,2,3;;
  MeshNormals { 1; 0.0;0.0;-1.0;; 1; 4;0,0,0,0;; }
  MeshTextureCoords { 4; 0.0;1.0;, 0.0;0.25;, 1.0;0.25;, 1.0;1.0;; }
  MeshMaterialList { 1; 1; 0;; { cloth } }
  SkinWeights { "root"; 2; 0,3; 1.0,1.0; 1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,-3.0,1.0;; }
  SkinWeights { "arm"; 2; 1,2; 1.0,1.0; 1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,-1.0,-3.0,1.0;; }
 }
}
AnimationSet wave {
 Animation { { arm }
  AnimationKey { 0; 2; 0;4;1.0,0.0,0.0,0.0;;, 50;4;0.707106781,0.0,0.0,-0.707106781;;; }
 }
 Animation { { root }
  AnimationKey { 4; 2;
   0;16;1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,3.0,1.0;;,
   50;16;2.0,0.0,0.0,0.0,0.0,2.0,0.0,0.0,0.0,0.0,2.0,0.0,0.0,0.0,5.0,1.0;;; }
 }
}
)";

// The same as binary records: whole numbers and others are lists, the rest one record each.
std::string binaryOf(const std::string& text, bool wide) {
  std::string out = wide ? "xof 0303bin 0064" : "xof 0303bin 0032";
  const auto put = [&out](std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  };
  std::vector<std::string> numbers;  // of the list that is not written yet
  const auto flush = [&] {
    if (numbers.empty()) return;
    const bool whole = numbers[0].find('.') == std::string::npos;
    put(whole ? 6 : 7, 2);
    put(numbers.size(), 4);
    for (const std::string& number : numbers) {
      if (whole) {
        put(static_cast<std::uint32_t>(std::stoi(number)), 4);
      } else if (wide) {
        put(std::bit_cast<std::uint64_t>(std::stod(number)), 8);
      } else {
        put(std::bit_cast<std::uint32_t>(std::stof(number)), 4);
      }
    }
    numbers.clear();
  };
  std::istringstream lines(text.substr(text.find('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, std::min(line.find('#'), line.find("//")));
    for (const char mark : {'{', '}'}) {
      for (std::size_t at = 0; (at = line.find(mark, at)) != std::string::npos; at += 3) {
        line.replace(at, 1, std::string(" ") + mark + " ");
      }
    }
    for (char& c : line) c = c == ',' || c == ';' ? ' ' : c;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const bool isNumber = word[0] == '-' || (word[0] >= '0' && word[0] <= '9');
      const bool isWhole = word.find('.') == std::string::npos;
      const bool wasWhole = !numbers.empty() && numbers[0].find('.') == std::string::npos;
      if (!isNumber || (!numbers.empty() && isWhole != wasWhole)) flush();
      if (isNumber) {
        numbers.push_back(word);
      } else if (word == "{" || word == "}") {
        put(word == "{" ? 0x0a : 0x0b, 2);
      } else if (word[0] == '<') {
        put(5, 2);
        out.append(16, 'i');
      } else {
        const bool quoted = word[0] == '"';
        const std::string name = quoted ? word.substr(1, word.size() - 2) : word;
        put(quoted ? 2 : 1, 2);
        put(name.size(), 4);
        out += name;
        if (quoted) put(0x14, 2);
      }
    }
  }
  flush();
  return out;
}

// The same in packed blocks of `blockBytes`, each of which refers to those before it.
std::string packedOf(const std::string& file, std::size_t blockBytes) {
  std::string out = replaced(file.substr(0, 16), "txt ", "tzip");
  const std::string body = file.substr(16);
  const auto put = [&out](std::size_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  };
  put(body.size() + 16, 4);
  for (std::size_t at = 0; at < body.size(); at += blockBytes) {
    const std::size_t length = std::min(blockBytes, body.size() - at);
    std::string packed(length + 100, '\0');
    z_stream stream = {};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    const std::size_t known = std::min<std::size_t>(at, 32'768);
    deflateSetDictionary(&stream, reinterpret_cast<const Bytef*>(body.data() + at - known),
                         static_cast<uInt>(known));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data() + at));
    stream.avail_in = static_cast<uInt>(length);
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    put(length, 2);
    put(packed.size() + 2, 2);
    out += "CK" + packed;
  }
  return out;
}

Result<SourceScene> read(const std::string& bytes) {
  ck::worker::SourceFolder folder("/nowhere/rig.x");
  return ck::worker::readX(
      {std::as_bytes(std::span(bytes)), folder, [](float, std::string_view) {}});
}

Result<ck::Character> characterOf(const std::string& bytes) {
  auto scene = read(bytes);
  if (!scene) return tl::unexpected(scene.error());
  return ck::worker::assembleCharacter(std::move(*scene));
}

bool near(const glm::dvec3& a, const glm::dvec3& b) {
  return glm::distance(a, b) < 1e-5;
}

}  // namespace

// The reader of X by itself, on files whose poses are known by hand.
class tst_x_read : public QObject {
  Q_OBJECT
 private slots:
  void rejectsWithTheLine_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& file, const char* says) {
      QTest::newRow(name) << QByteArray::fromStdString(file) << QString(says);
    };
    row("a weight of a vertex that is not there", replaced(kText, "2; 1,2; 1.0", "2; 1,1000; 1.0"),
        "line 27: mesh 'quad' names vertex 1000 of 4");
    row("a weight of a vertex just behind the last one",
        replaced(kText, "2; 0,3; 1.0", "2; 0,4; 1.0"), "names vertex 4 of 4");
    row("a weight of a negative vertex", replaced(kText, "2; 0,3; 1.0", "2; 0,-3; 1.0"),
        "names vertex -3 of 4");
    row("a face of a vertex that is not there", replaced(kText, "4;0,1,2,3", "4;0,1,2,4"),
        "line 22: mesh 'quad' names vertex 4 of 4");
    row("a face of a normal that is not there", replaced(kText, "4;0,0,0,0", "4;0,0,0,1"),
        "names normal 1 of 1");
    row("two billion vertices", replaced(kText, "4; 0.0;0.0;2.0", "2000000000; 0.0;0.0;2.0"),
        "the file says 2000000000 vertices, but what is left of it has room for");
    row("a negative number of keys", replaced(kText, "{ 0; 2; 0;4", "{ 0; -2; 0;4"),
        "the file says -2 keys");
    row("fewer texture coordinates than vertices", replaced(kText, "Coords { 4;", "Coords { 3;"),
        "has 3 texture coordinates for 4 vertices");
    row("keys of an unknown kind", replaced(kText, "{ 0; 2; 0;4", "{ 9; 2; 0;4"),
        "there are no keys of kind 9");
    row("a key of three numbers where four belong", replaced(kText, "0;4;1.0", "0;3;1.0"),
        "a key has 3 numbers where its kind has 4");
    row("a number that is none", replaced(kText, "4; 0.0;0.0;2.0", "4; zero;0.0;2.0"),
        "a number for a position is expected, not 'zero'");
    row("a file that ends in the middle", kText.substr(0, kText.find("MeshTexture")),
        "the file ends where");
    row("a file that ends within a frame", kText.substr(0, kText.find("Frame quad") - 2),
        "the file ends within frame 'root'");
    row("an unknown form", replaced(kText, "txt ", "doc "), "a form of X, 'doc '");
    row("numbers of 16 bits", replaced(kText, "0032", "0016"), "numbers have '0016' bits");
    const std::string binary = binaryOf(kText, false);
    std::string longer = binary;
    const std::string listOfOne("\x06\0\x01\0\0\0", 6);  // the ticks of a second
    longer[binary.find(listOfOne) + 4] = '\x7f';
    row("a list longer than a binary file", longer, "a list is longer than the rest of the file");
    row("a weight of a binary file of a vertex that is not there",
        binaryOf(replaced(kText, "2; 1,2; 1.0", "2; 1,1000; 1.0"), false),
        "mesh 'quad' names vertex 1000 of 4");
    std::string packed = packedOf(kText, 500);
    row("a packed file that is cut", packed.substr(0, packed.size() - 9), "cut short or damaged");
    packed[30] = static_cast<char>(packed[30] ^ 0x55);
    row("a packed file with another byte", packed, "");
  }
  void rejectsWithTheLine() {
    QFETCH(QByteArray, file);
    QFETCH(QString, says);
    const auto scene = read(file.toStdString());
    QVERIFY(!scene.has_value());
    qInfo("%s", scene.error().message.c_str());
    QVERIFY(scene.error().message.find(says.toStdString()) != std::string::npos);
  }

  // No file may harm the reader, and what it takes must make a character that holds together.
  void spoiledFilesAreReadOrRefused() {
    int good = 0;
    int refused = 0;
    const std::string binary = binaryOf(kText, false);
    for (const std::string& file : {kText, binary, packedOf(kText, 700)}) {
      ck::test::forEachSpoiled(
          file, 3, 1'000, [&](const std::string& spoiled, const std::string& how) {
            auto scene = read(spoiled);
            ++(scene ? good : refused);
            if (!scene) {
              if (scene.error().message.empty()) qFatal("no sentence: %s", how.c_str());
              return;
            }
            const auto character = ck::worker::assembleCharacter(std::move(*scene));
            if (character && !ck::validate(*character)) qFatal("not valid: %s", how.c_str());
          });
    }
    qInfo("%d read, %d refused", good, refused);
    QVERIFY(refused > 1'500);
    QVERIFY(good > 100);
  }

  // Left is right-handed now: z and what turns about x and y are mirrored, and faces keep their
  // side.
  void axesAreMirroredAlongZ() {
    const auto character = characterOf(kText);
    QVERIFY2(character, character ? "" : character.error().message.c_str());
    QVERIFY(ck::test::hasNote(character->notes, "AxisMirrored"));
    const ck::Mesh& mesh = character->meshes[0];
    QCOMPARE(mesh.positions.size(), std::size_t{4});
    QCOMPARE(mesh.indices.size(), std::size_t{6});
    for (const glm::vec3& position : mesh.positions) QCOMPARE(position.z, -2.0f);
    for (const glm::vec3& normal : mesh.normals) QVERIFY(near(glm::dvec3(normal), {0, 0, 1}));
    for (std::size_t t = 0; t < 6; t += 3) {
      const glm::vec3& a = mesh.positions[mesh.indices[t]];
      const glm::vec3 up = glm::cross(mesh.positions[mesh.indices[t + 1]] - a,
                                      mesh.positions[mesh.indices[t + 2]] - a);
      QVERIFY(up.z > 0.5f);
    }
    for (std::size_t v = 0; v < 4; ++v) {
      const glm::vec3& p = mesh.positions[v];
      QCOMPARE(mesh.uvs[v], glm::vec2(p.x, p.y > 1.0f ? 0.25f : 1.0f));
    }
    const ck::Material& cloth = character->materials[static_cast<std::size_t>(mesh.material)];
    QCOMPARE(cloth.name, std::string("cloth"));
    QCOMPARE(cloth.baseColor.w, 0.5f);
  }

  // At half a second the root is doubled about (0, 0, -5) and the arm, 1 above it, has turned its
  // +x to +y.
  void clipsMoveWhatHangsOnFrames() {
    const auto character = characterOf(kText);
    QVERIFY(character);
    const ck::Clip& clip = character->clips[0];
    QCOMPARE(clip.name, std::string("wave"));
    QVERIFY(std::abs(clip.durationSeconds - 0.5) < 1e-9);
    const auto globals =
        ck::globalMatrices(character->rig, ck::sampleClip(character->rig, clip, 0.5));
    const auto root = static_cast<std::size_t>(*ck::findJoint(character->rig, "root"));
    const auto arm = static_cast<std::size_t>(*ck::findJoint(character->rig, "arm"));
    QVERIFY(near(glm::dvec3(globals[root][3]), {0, 0, -5}));
    QVERIFY(near(glm::dvec3(globals[root][0]), {2, 0, 0}));
    QVERIFY(near(glm::dvec3(globals[arm][3]), {0, 2, -5}));
    QVERIFY(near(glm::dvec3(globals[arm][0]), {0, 2, 0}));
  }

  void binaryAndPackedFilesAreTheSame() {
    const auto text = characterOf(kText);
    QVERIFY(text);
    for (const bool wide : {false, true}) {
      const auto binary = characterOf(binaryOf(kText, wide));
      QVERIFY2(binary, binary ? "" : binary.error().message.c_str());
      QVERIFY(binary->meshes == text->meshes);
      QVERIFY(binary->rig == text->rig);
      QVERIFY(binary->clips == text->clips);
    }
    for (const std::size_t block : {200, 1'000, 32'768}) {
      const auto packed = characterOf(packedOf(kText, block));
      QVERIFY2(packed, packed ? "" : packed.error().message.c_str());
      QVERIFY(*packed == *text);
    }
  }

  void separatorsLineEndsAndRemarksDoNotMatter() {
    const auto text = characterOf(kText);
    QVERIFY(text);
    for (const char* lineEnd : {"\r\n", "\r", "\n\n", " \t\n"}) {
      const auto again = characterOf(ck::test::withLineEnds(kText, lineEnd));
      QVERIFY2(again, again ? "" : again.error().message.c_str());
      QVERIFY(*again == *text);
    }
    std::string few = kText;
    for (const char* pair : {";;", ";,"}) {
      while (few.find(pair) != std::string::npos) few = replaced(few, pair, ";");
    }
    const auto again = characterOf(few);
    QVERIFY2(again, again ? "" : again.error().message.c_str());
    QVERIFY(*again == *text);
  }

  // Exporters write whole numbers without a point, in texts and as lists of whole numbers.
  void wholeNumbersNeedNoPoint() {
    const auto text = characterOf(kText);
    QVERIFY(text);
    const std::string whole = std::regex_replace(kText, std::regex("\\.0(?![0-9])"), "");
    QVERIFY(whole.size() + 100 < kText.size());
    for (const std::string& file : {whole, binaryOf(whole, false), binaryOf(whole, true)}) {
      const auto again = characterOf(file);
      QVERIFY2(again, again ? "" : again.error().message.c_str());
      QVERIFY(again->meshes == text->meshes);
      QVERIFY(again->rig == text->rig);
      QVERIFY(again->clips == text->clips);
    }
  }

  void textsOfWindowsAreTheSame_data() {
    QTest::addColumn<QByteArray>("mark");
    QTest::addColumn<bool>("bigEndian");
    QTest::newRow("little-endian") << QByteArray("\xFF\xFE") << false;
    QTest::newRow("big-endian") << QByteArray("\xFE\xFF") << true;
    QTest::newRow("little-endian without a mark") << QByteArray() << false;
    QTest::newRow("big-endian without a mark") << QByteArray() << true;
  }
  void textsOfWindowsAreTheSame() {
    QFETCH(QByteArray, mark);
    QFETCH(bool, bigEndian);
    // Names of one to four bytes in UTF-8.
    const std::string named =
        replaced(kText, "AnimationSet wave", "AnimationSet w\u00e4\u6ce2\U0001f44b");
    std::string file = mark.toStdString();
    for (const char16_t unit : QString::fromStdString(named).toStdU16String()) {
      const std::string pair = {static_cast<char>(unit & 0xff), static_cast<char>(unit >> 8)};
      file += bigEndian ? std::string(pair.rbegin(), pair.rend()) : pair;
    }
    QVERIFY(ck::worker::looksLikeX({file, file}));
    const auto character = characterOf(file);
    QVERIFY2(character, character ? "" : character.error().message.c_str());
    QVERIFY(*character == *characterOf(named));
    QCOMPARE(character->clips[0].name, std::string("w\u00e4\u6ce2\U0001f44b"));
    QVERIFY(*characterOf("\xEF\xBB\xBF" + named) == *character);
    // A character that is cut, and half a pair of surrogates.
    QVERIFY(!read(file.substr(0, file.size() - 41)));
    QVERIFY(!read(file.substr(0, 17)));
    const auto at = QString::fromStdString(named).indexOf(QString::fromUtf8("\U0001f44b"));
    file.erase(static_cast<std::size_t>(mark.size() + 2 * at), 2);
    QVERIFY(characterOf(file));
  }

  // Without a rate, keys are at 4800 ticks a second, unless that would be absurd for their times.
  void keysWithoutARateAreTicksOrFrames_data() {
    QTest::addColumn<QList<double>>("times");
    QTest::addColumn<double>("ticks");
    const auto row = [](const char* name, double step, int count, double ticks) {
      QList<double> times;
      for (int i = 0; i < count; ++i) times.append(i * step);
      QTest::newRow(name) << times << ticks;
    };
    row("every frame", 1, 31, 30);
    row("every fifth frame of 40 seconds", 5, 241, 30);
    row("two keys", 100, 2, 30);
    row("30 keys a second", 160, 31, 4800);
    row("60 keys a second", 80, 31, 4800);
    row("a key each second", 4800, 3, 4800);
    row("quarters of a tick", 0.25, 31, 4800);
    row("one pose", 0, 2, 4800);
  }
  void keysWithoutARateAreTicksOrFrames() {
    QFETCH(QList<double>, times);
    QFETCH(double, ticks);
    std::string keys = std::to_string(times.size()) + ";";
    for (const double time : times) keys += QString("%1;3;0,%1,0;;,").arg(time).toStdString();
    const std::string file =
        "xof 0303txt 0032\nFrame a { Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; } }\n"
        "AnimationSet { Animation { { a } AnimationKey { 2; " +
        keys + "; } } }";
    const auto scene = read(file);
    QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
    const auto lastTime = [](const SourceScene& of) {
      return of.clips.at(0).nodeTracks.at(0).translation.times.back();
    };
    QVERIFY(std::abs(lastTime(*scene) - times.back() / ticks) < 1e-9);
    QCOMPARE(ck::test::hasNote(scene->notes, "FramesCounted", "30 frames"), ticks == 30);
    // A rate that the file states is used as it is.
    const auto stated = read(file + "AnimTicksPerSecond { 25; }");
    QVERIFY(stated);
    QVERIFY(std::abs(lastTime(*stated) - times.back() / 25) < 1e-9);
  }

  // A concave polygon is cut along its edges: the area of its triangles is its own.
  void concavePolygonsKeepTheirShape() {
    const auto character = characterOf(R"(xof 0303txt 0032
Frame arrow { Mesh { 4; 0;0;0;, 2;2;0;, 4;0;0;, 2;4;0;; 1; 4;0,3,2,1;; } })");
    QVERIFY2(character, character ? "" : character.error().message.c_str());
    const ck::Mesh& mesh = character->meshes[0];
    QCOMPARE(mesh.indices.size(), std::size_t{6});
    double area = 0.0;
    for (std::size_t t = 0; t < 6; t += 3) {
      const glm::vec3& a = mesh.positions[mesh.indices[t]];
      area += 0.5 *
              static_cast<double>(glm::length(glm::cross(mesh.positions[mesh.indices[t + 1]] - a,
                                                         mesh.positions[mesh.indices[t + 2]] - a)));
    }
    QVERIFY(std::abs(area - 4.0) < 1e-5);
    QVERIFY(ck::test::hasNote(character->notes, "NormalsComputed"));
  }

  void framesMayLieInEachOtherToAnyDepth() {
    std::string deep = "xof 0303txt 0032\n";
    for (int i = 0; i < 200'000; ++i) deep += "Frame f {\n";
    const auto cut = read(deep);
    QVERIFY(!cut);
    deep += "Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; }";
    deep.append(200'000, '}');
    const auto scene = read(deep);
    QVERIFY(scene);
    const auto character = ck::worker::assembleCharacter(SourceScene(*scene));
    QVERIFY(character && ck::validate(*character));
    QCOMPARE(character->meshes.size(), std::size_t{1});
  }
};

CK_TEST(tst_x_read)
#include "tst_x_read.moc"
