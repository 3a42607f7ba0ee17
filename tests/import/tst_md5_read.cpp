#include <QTest>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/worker/assembly/assemble.h"
#include "core/import/worker/md5/md5_read.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/hostile_text.h"
#include "tests/support/test_program.h"

using ck::test::replaced;

namespace {

using ck::Result;
using ck::worker::SourceScene;

// Two joints, the second 2 above the first and turned by 90 degrees about X; one triangle whose
// third corner hangs half on each joint.
const std::string kMesh = R"(MD5Version 10
commandline "by hand"

numJoints 2
numMeshes 1

joints {
	"root"	-1 ( 1 0 0 ) ( 0 0 0 )		// the first
	"arm L"	0 ( 1 0 2 ) ( -0.70710678118654752 0 0 )		/* the
second */
}

mesh {
	shader "models/guard/skin"

	numverts 3
	vert 0 ( 0 0.25 ) 0 1
	vert 1 ( 1 0.25 ) 1 1
	vert 2 ( 0 0.75 ) 2 2

	numtris 1
	tri 0 0 1 2

	numweights 4
	weight 0 0 1 ( 0 0 0 )
	weight 1 0 1 ( 1 0 0 )
	weight 2 0 0.5 ( 0 3 4 )
	weight 3 1 0.5 ( 0 2 -3 )
}
)";

// The root moves along Y only, the arm turns about Z from nothing to half a turn.
const std::string kAnim = R"(MD5Version 10
commandline ""

numFrames 3
numJoints 2
frameRate 30
numAnimatedComponents 2

hierarchy {
	"root"	-1 2 0
	"arm L"	0 32 1
}

bounds {
	( -1 -1 -1 ) ( 1 1 1 )
	( -1 -1 -1 ) ( 1 1 1 )
	( -1 -1 -1 ) ( 1 1 1 )
}

baseframe {
	( 1 0 0 ) ( 0 0 0 )
	( 0 0 2 ) ( 0 0 0 )
}

frame 0 {
	0 0
}
frame 1 {
	0.5 -0.70710678118654752
}
frame 2 {
	1 -1
}
)";

Result<SourceScene> readMesh(const std::string& text) {
  ck::worker::SourceFolder folder("/nowhere/rig.md5mesh");
  return ck::worker::readMd5Mesh({std::as_bytes(std::span(text)), folder, {}});
}
Result<SourceScene> readAnim(const std::string& text) {
  ck::worker::SourceFolder folder("/nowhere/clip.md5anim");
  return ck::worker::readMd5Anim({std::as_bytes(std::span(text)), folder, {}});
}

bool near(const glm::dvec3& a, const glm::dvec3& b) {
  return glm::distance(a, b) < 1e-5;
}

}  // namespace

// The reader of md5mesh and md5anim by itself, on texts whose poses are known by hand.
class tst_md5_read : public QObject {
  Q_OBJECT
 private slots:
  void rejectsWithTheLine_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& text, const char* says) {
      QTest::newRow(name) << QString::fromLatin1(text.data(), int(text.size())) << QString(says);
    };
    row("a version that is not 10", replaced(kMesh, "10", "11"), "version 11");
    row("a joint that is its own parent's child", replaced(kMesh, "\"root\"\t-1", "\"root\"\t7"),
        "line 8: ");
    row("two billion vertices", replaced(kMesh, "numverts 3", "numverts 2000000000"),
        "line 16: the file says 2000000000 vertices, but what is left of it has room for");
    row("a weight of joint 999", replaced(kMesh, "weight 3 1", "weight 3 999"), "line 28: ");
    row("a vertex with weights that are not there", replaced(kMesh, "0.75 ) 2 2", "0.75 ) 2 50"),
        "line 19: this vertex asks for weights 2 to 52 of 4");
    row("a corner that is no vertex", replaced(kMesh, "tri 0 0 1 2", "tri 0 0 1 3"),
        "a triangle names vertex 3 of 3");
    row("a vertex that comes twice", replaced(kMesh, "vert 1", "vert 0"),
        "line 18: vertex 0 comes a second time");
    row("a place that is not a number", replaced(kMesh, "( 1 0 2 )", "( 1 nan 2 )"),
        "line 9: a number for the place of a joint is expected, not 'nan'");
    row("a file that ends in the middle", kMesh.substr(0, kMesh.find("-3 )") + 2),
        "the file ends where");
  }
  void rejectsWithTheLine() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto scene = readMesh(text.toStdString());
    QVERIFY(!scene.has_value());
    qInfo("%s", scene.error().message.c_str());
    QVERIFY(scene.error().message.find(says.toStdString()) != std::string::npos);
  }

  void rejectsClipsWithTheLine_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& text, const char* says) {
      QTest::newRow(name) << QString::fromStdString(text) << QString(says);
    };
    row("no frame rate", replaced(kAnim, "frameRate 30", "frameRate 0"),
        "line 6: the frame rate is 0");
    row("a billion frames", replaced(kAnim, "numFrames 3", "numFrames 1000000000"),
        "line 4: the file says 1000000000 frames");
    row("a frame number beyond the count", replaced(kAnim, "frame 2", "frame 1000000"),
        "line 31: ");
    row("a frame that comes twice", replaced(kAnim, "frame 2", "frame 1"),
        "line 31: frame 1 comes a second time");
    row("components that are not there", replaced(kAnim, "0 32 1", "0 63 1"),
        "line 11: this joint uses components 1 to 6 of 2");
    row("infinity in a frame", replaced(kAnim, "0.5 -0.7", "inf -0.7"), "line 29: ");
  }
  void rejectsClipsWithTheLine() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto scene = readAnim(text.toStdString());
    QVERIFY(!scene.has_value());
    qInfo("%s", scene.error().message.c_str());
    QVERIFY(scene.error().message.find(says.toStdString()) != std::string::npos);
  }

  // No text may harm the reader, and what it takes must make a character that holds together.
  void spoiledTextsAreReadOrRefused() {
    int read = 0;
    int refused = 0;
    const auto check = [&](Result<SourceScene> scene, const std::string& how) {
      ++(scene ? read : refused);
      if (!scene) {
        if (scene.error().message.empty()) qFatal("no sentence: %s", how.c_str());
        return;
      }
      const auto character = ck::worker::assembleCharacter(std::move(*scene));
      if (character && !ck::validate(*character)) qFatal("not valid: %s", how.c_str());
    };
    ck::test::forEachSpoiled(kMesh, 1, 2'000, [&](const std::string& text, const std::string& how) {
      check(readMesh(text), how);
    });
    ck::test::forEachSpoiled(kAnim, 1, 2'000, [&](const std::string& text, const std::string& how) {
      check(readAnim(text), how);
    });
    qInfo("%d read, %d refused", read, refused);
    QVERIFY(refused > 2'000);
    QVERIFY(read > 100);
  }

  void lineEndsTabsAndCommentsDoNotMatter() {
    const auto mesh = ck::worker::assembleCharacter(std::move(*readMesh(kMesh)));
    const auto anim = ck::worker::assembleCharacter(std::move(*readAnim(kAnim)));
    QVERIFY(mesh && anim);
    for (const char* lineEnd : {"\r\n", "\r", "\n\n", " \t\n"}) {
      auto meshAgain = readMesh(ck::test::withLineEnds(kMesh, lineEnd));
      auto animAgain = readAnim(ck::test::withLineEnds(kAnim, lineEnd));
      // With CR alone a // comment still ends at the line's end.
      QVERIFY2(meshAgain, meshAgain ? "" : meshAgain.error().message.c_str());
      QVERIFY2(animAgain, animAgain ? "" : animAgain.error().message.c_str());
      QVERIFY(*ck::worker::assembleCharacter(std::move(*meshAgain)) == *mesh);
      QVERIFY(*ck::worker::assembleCharacter(std::move(*animAgain)) == *anim);
    }
    std::string tight = kMesh.substr(0, kMesh.find_last_of('}') + 1);  // no last line end
    tight = replaced(tight, "( 0 3 4 )", "(0 3 4)");
    QVERIFY(readMesh(tight).has_value());
  }

  void namesOfAnyBytesComeThrough() {
    const auto scene = readMesh(replaced(kMesh, "arm L",
                                         "H\xFC"
                                         "fte\xE9\xAA\xA8"));
    QVERIFY(scene.has_value());
    const auto character = ck::worker::assembleCharacter(SourceScene(*scene));
    QVERIFY(character && ck::validate(*character));
    QCOMPARE(character->rig.joints[1].name, std::string("H?fte\xE9\xAA\xA8"));
  }

  void verticesLieWhereTheirWeightsPutThem() {
    const auto scene = readMesh(kMesh);
    QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
    QCOMPARE(scene->nodes[1].name, std::string("arm L"));
    // The arm as the root sees it: 2 up; w is never positive, so the turn is +90 degrees about X.
    QVERIFY(near(scene->nodes[1].rest.translation, {0, 0, 2}));
    QVERIFY(near(scene->nodes[1].rest.rotation * glm::dvec3(0, 1, 0), {0, 0, 1}));
    const ck::Mesh& mesh = scene->meshes[0].mesh;
    QCOMPARE(mesh.name, std::string("skin"));
    QVERIFY(near(glm::dvec3(mesh.positions[0]), {1, 0, 0}));
    QVERIFY(near(glm::dvec3(mesh.positions[1]), {2, 0, 0}));
    // Half of (1, 3, 4), and half of (1, 0, 2) + Rx(90) (0, 2, -3) = (1, 3, 4).
    QVERIFY(near(glm::dvec3(mesh.positions[2]), {1, 3, 4}));
    QCOMPARE(mesh.uvs[2], glm::vec2(0.0f, 0.75f));
    QVERIFY(scene->notes.empty());
  }

  void weightsThatDisagreeAreNamed() {
    const auto scene = readMesh(replaced(kMesh, "( 0 2 -3 )", "( 0 2 -2 )"));
    QVERIFY(scene.has_value());
    QCOMPARE(scene->notes.size(), std::size_t{1});
    QCOMPARE(scene->notes[0].code, std::string("WeightsApart"));
  }

  void facesLookOutwards() {
    // Clockwise seen from the front: (1,0,0) (2,0,0) (1,3,4) is turned round.
    const auto scene = readMesh(kMesh);
    const ck::Mesh& mesh = scene->meshes[0].mesh;
    QCOMPARE(mesh.indices, (std::vector<std::uint32_t>{0, 2, 1}));
  }

  void framesAreAtTheirRateAndHoldTheBaseFrame() {
    auto scene = readAnim(kAnim);
    QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
    const auto character = ck::worker::assembleCharacter(std::move(*scene));
    QVERIFY2(character, character ? "" : character.error().message.c_str());
    const ck::Clip& clip = character->clips[0];
    QVERIFY(std::abs(clip.durationSeconds - 2.0 / 30.0) < 1e-12);
    const auto globals =
        ck::globalMatrices(character->rig, ck::sampleClip(character->rig, clip, 1.0 / 30.0));
    // Root at (1, 0.5, 0), arm 2 above it, in model space Y up: (x, z, -y).
    QVERIFY(near(glm::dvec3(globals[0][3]), {1, 0, -0.5}));
    QVERIFY(near(glm::dvec3(globals[1][3]), {1, 2, -0.5}));
    // Qz = -sin(45), w = -sin(45): a quarter turn about the file's Z, the model's Y.
    QVERIFY(near(glm::dvec3(globals[1][0]), {0, 0, -1}));
  }

  void everyWeightIsKept() {
    std::string text = replaced(kMesh, "numweights 4", "numweights 8");
    text = replaced(text, "0.75 ) 2 2", "0.75 ) 2 6");
    text = replaced(text, "weight 3 1 0.5", "weight 3 1 0.1");
    for (int w = 4; w < 8; ++w) {
      text.insert(text.rfind('}'), "\tweight " + std::to_string(w) + " 1 0.1 ( 0 2 -3 )\n");
    }
    const auto scene = readMesh(text);
    QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
    QCOMPARE(scene->meshes[0].mesh.influences.size(), std::size_t{8});
  }

  void aClipAloneShowsBones() {
    auto scene = readAnim(kAnim);
    const auto character = ck::worker::assembleCharacter(std::move(*scene));
    QVERIFY(character);
    QCOMPARE(character->meshes.size(), std::size_t{1});
    // The root's bone to the arm and the end of the arm: 8 faces each.
    QCOMPARE(character->meshes[0].indices.size(), std::size_t{2 * 8 * 3});
    const ck::Bounds bounds = ck::bindBounds(*character);
    QVERIFY(bounds.low.y < 0.01 && bounds.high.y >= 2.0 && bounds.high.y < 2.1);
    // Faces look away from the bone's middle.
    const ck::Mesh& mesh = character->meshes[0];
    for (std::size_t v = 0; v < 24; ++v) {
      const glm::vec3 away = mesh.positions[v] - glm::vec3(1, 0.4f, 0);
      QVERIFY(glm::dot(away, mesh.normals[v]) > 0.0f);
    }
  }
};

CK_TEST(tst_md5_read)
#include "tst_md5_read.moc"
