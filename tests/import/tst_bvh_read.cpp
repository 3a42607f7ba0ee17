#include <QTest>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/worker/assembly/assemble.h"
#include "core/import/worker/bvh/bvh_read.h"
#include "core/import/worker/text/text_scan.h"
#include "tests/support/hostile_text.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

using ck::test::replaced;

namespace {

using ck::Result;
using ck::worker::SourceScene;

// A root with positions and rotations in Z X Y order, an arm whose channels are Y then Z.
const std::string kBvh = R"(HIERARCHY
ROOT Hips
{
	OFFSET 0 1 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Left Arm
	{
		OFFSET 0 2 0
		CHANNELS 2 Yrotation Zrotation
		End Site
		{
			OFFSET 3 0 0
		}
	}
	JOINT Tail
	{
		OFFSET 0 0 -1
		CHANNELS 0
	}
}
MOTION
Frames: 3
Frame Time: .05
0 1 0 0 0 0 0 0
0 1 1 90 0 0 90 0
5 1.5 2 90 90 0 90 90
)";

Result<SourceScene> read(const std::string& text) {
  ck::worker::SourceFolder folder("/nowhere/clip.bvh");
  return ck::worker::readBvh({std::as_bytes(std::span(text)), folder, {}});
}

bool near(const glm::dvec3& a, const glm::dvec3& b) {
  return glm::distance(a, b) < 1e-5;
}

}  // namespace

// The reader of BVH by itself, on a text whose poses are known by hand.
class tst_bvh_read : public QObject {
  Q_OBJECT
 private slots:
  void rejectsWithTheLine_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& text, const char* says) {
      QTest::newRow(name) << QString::fromStdString(text) << QString(says);
    };
    row("no full frame", kBvh.substr(0, kBvh.find("\n0 1 1 90") - 2),
        "the file ends where a number for a channel is expected; it is cut short, so export it "
        "again (number 8 of 8 in frame 1 of 3)");
    row("a value that is not a number", replaced(kBvh, "90 90 0", "90 nan 0"),
        "line 26: a number for a channel is expected, not 'nan'");
    row("no frame time", replaced(kBvh, ".05", "0"), "line 23: the frame time is 0 s");
    row("a channel of no known name", replaced(kBvh, "Yrotation Zrotation", "Yrotation Zscale"),
        "line 9: a channel is expected (Xposition to Zrotation), 1 of 2 were read");
    row("a channel that comes twice", replaced(kBvh, "Yrotation Zrotation", "Yrotation Yrotation"),
        "Yrotation comes a second time");
    row("seven channels", replaced(kBvh, "CHANNELS 6", "CHANNELS 7"), "line 5: ");
    row("a brace too few", replaced(kBvh, "}\nMOTION", "MOTION"),
        "line 20: '}' is expected, not 'MOTION'");
    row("a comma for a point", replaced(kBvh, "OFFSET 0 2 0", "OFFSET 0,0 2,0 0,0"),
        "line 8: a number for an offset is expected, not '0,0'");
  }
  void rejectsWithTheLine() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto scene = read(text.toStdString());
    QVERIFY(!scene.has_value());
    qInfo("%s", scene.error().message.c_str());
    QVERIFY(scene.error().message.find(says.toStdString()) != std::string::npos);
  }

  void rejectsAHierarchyWithoutEnd() {
    std::string text = "HIERARCHY\nROOT a\n{\n";
    for (int depth = 0; depth < 200'000; ++depth) text += "JOINT b\n{\n";
    const auto scene = read(text);
    QVERIFY(!scene.has_value());
    QCOMPARE(int(scene.error().code), int(ck::ErrorCode::LimitExceeded));
    // Deep but closed: refused by the limit on depth, without a deep stack.
    std::string deep = "HIERARCHY\nROOT a\n{\n";
    for (int depth = 0; depth < 20'000; ++depth) deep += "JOINT b\n{\nOFFSET 0 1 0\n";
    for (int depth = 0; depth < 20'001; ++depth) deep += "}\n";
    auto closed = read(deep + "MOTION\nFrames: 0\nFrame Time: 1\n");
    QVERIFY2(closed, closed ? "" : closed.error().message.c_str());
    const auto character = ck::worker::assembleCharacter(std::move(*closed));
    QVERIFY(!character.has_value());
    QCOMPARE(int(character.error().code), int(ck::ErrorCode::LimitExceeded));
  }

  void spoiledTextsAreReadOrRefused() {
    int readCount = 0;
    int refused = 0;
    ck::test::forEachSpoiled(kBvh, 1, 3'000, [&](const std::string& text, const std::string& how) {
      auto scene = read(text);
      ++(scene ? readCount : refused);
      if (!scene) return;
      const auto character = ck::worker::assembleCharacter(std::move(*scene));
      if (character && !ck::validate(*character)) qFatal("not valid: %s", how.c_str());
    });
    qInfo("%d read, %d refused", readCount, refused);
    QVERIFY(refused > 1'000);
    QVERIFY(readCount > 50);
  }

  void lineEndsAndTabsDoNotMatter() {
    const auto plain = ck::worker::assembleCharacter(std::move(*read(kBvh)));
    QVERIFY(plain);
    for (const char* lineEnd : {"\r\n", "\r", "\n\n", "\t \n"}) {
      auto again = read(ck::test::withLineEnds(kBvh, lineEnd));
      QVERIFY2(again, again ? "" : again.error().message.c_str());
      QVERIFY(*ck::worker::assembleCharacter(std::move(*again)) == *plain);
    }
    QVERIFY(read(kBvh.substr(0, kBvh.size() - 1)).has_value());  // no last line end
    QVERIFY(read("\xEF\xBB\xBF" + kBvh).has_value());
  }

  void namesMayHoldBlanksOrNothing() {
    auto scene = read(replaced(kBvh, "JOINT Tail", "JOINT"));
    QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
    const auto character = ck::worker::assembleCharacter(std::move(*scene));
    QVERIFY(character);
    QCOMPARE(character->rig.joints[1].name, std::string("Left Arm"));
    QCOMPARE(character->rig.joints[2].name, std::string("Joint 3"));
  }

  void channelsTurnInTheirOwnOrder() {
    auto scene = read(kBvh);
    QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
    const auto character = ck::worker::assembleCharacter(std::move(*scene));
    QVERIFY2(character, character ? "" : character.error().message.c_str());
    const ck::Clip& clip = character->clips[0];
    QVERIFY(std::abs(clip.durationSeconds - 0.1) < 1e-12);
    const auto at = [&](double time) {
      return ck::globalMatrices(character->rig, ck::sampleClip(character->rig, clip, time));
    };
    // Positions take the place of the OFFSET (0, 1, 0).
    QVERIFY(near(glm::dvec3(at(0.0)[0][3]), {0, 1, 0}));
    QVERIFY(near(glm::dvec3(at(0.05)[0][3]), {0, 1, 1}));
    // Frame 1: the root turns by 90 about Z: its Y, where the arm lies, is -X. The arm turns by 90
    // about its Y: its X is its parent's -Z, which a turn about Z leaves alone.
    QVERIFY(near(glm::dvec3(at(0.05)[1][3]), {-2, 1, 1}));
    QVERIFY(near(glm::dvec3(at(0.05)[1][0]), {0, 0, -1}));
    // Frame 2: root Rz(90) Rx(90): (0, 2, 0) -> Rx -> (0, 0, 2) -> Rz -> (0, 0, 2).
    const auto last = at(0.1);
    QVERIFY(near(glm::dvec3(last[1][3]), {5, 1.5, 4}));
    // Arm Ry(90) Rz(90): X -> Rz -> Y -> Ry -> Y -> Rx -> Z -> Rz -> Z.
    QVERIFY(near(glm::dvec3(last[1][0]), {0, 0, 1}));
  }

  void framesThatAreMissingAreNoted_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("due");
    QTest::newRow("a billion frames")
        << QString::fromStdString(replaced(kBvh, "Frames: 3", "Frames: 1000000000")) << 3;
    QTest::newRow("cut in the third frame")
        << QString::fromStdString(kBvh.substr(0, kBvh.rfind(" 90"))) << 2;
  }
  void framesThatAreMissingAreNoted() {
    QFETCH(QString, text);
    QFETCH(int, due);
    const auto scene = read(text.toStdString());
    QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
    QVERIFY(ck::test::hasNote(scene->notes, "KeysDropped", "frames"));
    QCOMPARE(scene->clips.at(0).nodeTracks.at(0).rotation.times.size(), std::size_t(due));
  }

  // Recordings that went on after their head was written.
  void framesBeyondThoseStatedAreRead_data() {
    QTest::addColumn<QString>("frames");
    QTest::addColumn<QString>("more");
    QTest::addColumn<int>("due");
    QTest::addColumn<bool>("leavesOut");
    QTest::newRow("none more") << "Frames: 3"
                               << "" << 3 << false;
    QTest::newRow("all but one") << "Frames: 1"
                                 << "" << 3 << false;
    QTest::newRow("all") << "Frames: 0"
                         << "" << 3 << false;
    QTest::newRow("two more") << "Frames: 2"
                              << "5 1 2 9 9 0 9 -9\n1e1 2 3 4 5 6 7 +8\n"
                              << 5 << false;
    QTest::newRow("the last one is cut") << "Frames: 2"
                                         << "5 1 2 9" << 3 << true;
    QTest::newRow("words below") << "Frames: 2"
                                 << "the end 1 2 3" << 3 << true;
  }
  void framesBeyondThoseStatedAreRead() {
    QFETCH(QString, frames);
    QFETCH(QString, more);
    QFETCH(int, due);
    QFETCH(bool, leavesOut);
    const auto scene = read(replaced(kBvh, "Frames: 3", frames.toStdString()) + more.toStdString());
    QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
    const auto& tracks = scene->clips.at(0).nodeTracks.at(0);
    QCOMPARE(tracks.translation.times.size(), std::size_t(due));
    QVERIFY(std::abs(tracks.translation.times.back() - 0.05 * (due - 1)) < 1e-9);
    QCOMPARE(tracks.translation.values.at(2), glm::vec3(5.0f, 1.5f, 2.0f));
    QCOMPARE(ck::test::hasNote(scene->notes, "FramesUnstated", "frames"), frames != "Frames: 3");
    QCOMPARE(ck::test::hasNote(scene->notes, "KeysDropped"), leavesOut);
  }

  void labelsNeedNoBlankAndRemarksMayStandAbove() {
    const std::string text =
        "# Recorded on stage 2, take 7\n" +
        replaced(replaced(kBvh, "Frames: 3", "Frames:3"), "Time: .05", "Time:.04");
    const auto scene = read(text);
    QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
    const auto& times = scene->clips.at(0).nodeTracks.at(0).rotation.times;
    QCOMPARE(times.size(), std::size_t{3});
    QVERIFY(std::abs(times.back() - 0.08) < 1e-12);
  }

  void aRootWithOffsetAndPositionsIsNoted() {
    const auto scene = read(kBvh);
    QVERIFY(ck::test::hasNote(scene->notes, "RootOffset"));
    const auto zero = read(replaced(kBvh, "OFFSET 0 1 0", "OFFSET 0 0 0"));
    QVERIFY(!ck::test::hasNote(zero->notes, "RootOffset"));
  }

  void aRefusedTextHasEnded() {
    ck::worker::TextScan scan("HIERARCHY ROOT Left Arm", false);
    scan.expect("HIERARCHY");
    scan.expect("MOTION");
    QVERIFY(!scan.good() && scan.atEnd());
    QVERIFY(scan.restOfLine().empty() && scan.next().empty());
    QCOMPARE(scan.bytesLeft(), std::size_t{0});
  }

  void bonesReachFromJointToJointAndToTheTip() {
    const auto scene = read(kBvh);
    QCOMPARE(scene->meshes.size(), std::size_t{1});
    const ck::Mesh& mesh = scene->meshes[0].mesh;
    // Hips to arm, hips to tail, arm to its tip, the end of the tail: 8 faces each.
    QCOMPARE(mesh.indices.size(), std::size_t{4 * 8 * 3});
    float farthest = 0.0f;
    for (const glm::vec3& p : mesh.positions) farthest = std::max(farthest, p.x);
    QVERIFY(std::abs(farthest - 3.0f) < 1e-5f);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      QVERIFY(std::abs(glm::length(mesh.normals[v]) - 1.0f) < 1e-5f);
    }
  }
};

CK_TEST(tst_bvh_read)
#include "tst_bvh_read.moc"
