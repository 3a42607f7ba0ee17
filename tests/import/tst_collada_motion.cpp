#include <QTest>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/import/worker/collada/collada_clips.h"
#include "core/import/worker/collada/collada_file.h"
#include "tests/support/hostile_text.h"
#include "tests/support/test_program.h"

namespace {

using ck::Result;
using ck::worker::ColladaMotion;
using ck::worker::SourceScene;

std::string source(const std::string& id, const std::string& numbers, int stride) {
  return "<source id=\"" + id + "\"><float_array id=\"" + id + "-a\">" + numbers +
         "</float_array>\n<technique_common><accessor source=\"#" + id + "-a\" stride=\"" +
         std::to_string(stride) + "\"/></technique_common></source>\n";
}

// An <animation> with one channel; tangents only for splines.
std::string animation(const std::string& id, const std::string& target, const std::string& times,
                      const std::string& values, int stride, const std::string& kinds,
                      const std::string& in = "", const std::string& out = "") {
  std::string text = "<animation id=\"" + id + "\">\n" + source(id + "-i", times, 1) +
                     source(id + "-o", values, stride) + "<source id=\"" + id +
                     "-k\"><Name_array>" + kinds + "</Name_array></source>\n";
  if (!in.empty()) text += source(id + "-ti", in, 2) + source(id + "-to", out, 2);
  text += "<sampler id=\"" + id + "-s\"><input semantic=\"INPUT\" source=\"#" + id +
          "-i\"/><input semantic=\"OUTPUT\" source=\"#" + id +
          "-o\"/><input semantic=\"INTERPOLATION\" source=\"#" + id + "-k\"/>";
  if (!in.empty()) {
    text += "<input semantic=\"IN_TANGENT\" source=\"#" + id +
            "-ti\"/><input semantic=\"OUT_TANGENT\" source=\"#" + id + "-to\"/>";
  }
  return text + "</sampler>\n<channel source=\"#" + id + "-s\" target=\"" + target +
         "\"/></animation>\n";
}

std::string file(const std::string& animations, const std::string& clips = "") {
  return "<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\"><asset><unit meter=\"0.01\"/>"
         "<up_axis>Z_UP</up_axis></asset>\n"
         "<library_controllers><controller id=\"morph\"><morph source=\"#g\"><source "
         "id=\"weights\">"
         "<float_array>0 0</float_array></source></morph></controller></library_controllers>\n"
         "<library_animations>\n" +
         animations + "</library_animations>\n" + clips +
         "<library_visual_scenes><visual_scene id=\"s\">\n"
         "<node id=\"a\" name=\"Arm\"><translate sid=\"t\"> 1 2 3</translate>\n"
         "<rotate sid=\"rz\">0 0 1 0</rotate><scale sid=\"s\">1 1 1</scale></node>\n"
         "<node id=\"m\" name=\"Hand\"><matrix sid=\"transform\">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"
         "</matrix><instance_controller url=\"#morph\"/></node>\n"
         "</visual_scene></library_visual_scenes></COLLADA>\n";
}

// The nodes "a" and "m" as the other reader gives them, with what the motion adds.
SourceScene sceneOf(const ColladaMotion& motion) {
  SourceScene scene;
  scene.nodes.resize(2);
  scene.nodes[0].name = "a";
  scene.nodes[0].rest.translation = {1, 2, 3};
  scene.nodes[1].name = "m";
  ck::worker::SourceMesh mesh;
  mesh.node = 1;
  mesh.mesh.morphTargets.resize(2);
  scene.meshes.push_back(std::move(mesh));
  ck::worker::addColladaClips(motion, scene);
  return scene;
}

SourceScene read(const std::string& text) {
  const auto motion = ck::worker::readColladaMotion(text);
  if (!motion) qFatal("%s", motion.error().message.c_str());
  return sceneOf(*motion);
}

// Degrees about Z of the clip's first node at a time.
double degreesAt(const SourceScene& scene, double seconds) {
  const glm::dquat q = ck::sampleTrack(scene.clips[0].nodeTracks[0].rotation, seconds);
  return std::remainder(glm::degrees(2.0 * std::atan2(q.z, q.w)), 360.0);
}

bool near(double a, double b, double tolerance) {
  return std::abs(std::remainder(a - b, 360.0)) < tolerance;
}

}  // namespace

// The reader of Collada's curves by itself, on curves whose values are known by formula.
class tst_collada_motion : public QObject {
  Q_OBJECT
 private slots:
  void rejectsBrokenXmlWithTheLine() {
    const std::string whole = file(animation("x", "a/rz.ANGLE", "0 1", "0 90", 1, "LINEAR LINEAR"));
    const auto cut = ck::worker::readColladaMotion(whole.substr(0, whole.find("<sampler") + 20));
    QVERIFY(!cut.has_value());
    qInfo("%s", cut.error().message.c_str());
    QVERIFY(cut.error().message.starts_with("line "));
    QVERIFY(!ck::worker::readColladaMotion("<svg/>").has_value());
    QVERIFY(!ck::worker::readColladaMotion("").has_value());
  }

  void spoiledTextsAreReadOrRefused() {
    const std::string text =
        file(animation("x", "a/rz.ANGLE", "0 1 2", "0 90 0", 1, "BEZIER BEZIER STEP",
                       "-0.3 0 0.7 90 1.7 0", "0.3 0 1.3 90 2.3 0") +
                 animation("y", "weights(1)", "0 1", "0 1", 1, "LINEAR LINEAR"),
             "<library_animation_clips><animation_clip name=\"c\" start=\"0.5\" end=\"1.5\">"
             "<instance_animation url=\"#x\"/></animation_clip></library_animation_clips>");
    int readCount = 0;
    int refused = 0;
    ck::test::forEachSpoiled(text, 7, 2'000, [&](const std::string& bad, const std::string&) {
      const auto motion = ck::worker::readColladaMotion(bad);
      ++(motion ? readCount : refused);
      if (motion) sceneOf(*motion);
    });
    qInfo("%d read, %d refused", readCount, refused);
    QVERIFY(readCount > 100 && refused > 100);
  }

  void turnsOfHalfACircleAndMoreAreKept() {
    const auto scene =
        read(file(animation("x", "a/rz.ANGLE", "0 1 2", "0 360 1080", 1, "LINEAR LINEAR LINEAR")));
    for (double time = 0.0; time < 2.0; time += 0.06) {
      const double wanted = time < 1.0 ? 360.0 * time : 360.0 + 720.0 * (time - 1.0);
      QVERIFY(near(degreesAt(scene, time), wanted, 0.05));
    }
  }

  void splinesFollowTheirTangents() {
    // Tangents a third of the way along, so that time is linear: 90 (3 s^2 - 2 s^3).
    const auto scene = read(file(
        animation("x", "a/rz.ANGLE", "0 3", "0 90", 1, "BEZIER BEZIER", "-1 0 2 90", "1 0 4 90")));
    for (double time = 0.0; time <= 3.0; time += 0.11) {
      const double s = time / 3.0;
      QVERIFY(near(degreesAt(scene, time), 90.0 * (3.0 * s * s - 2.0 * s * s * s), 0.05));
    }
    // Hermite slopes of 0 are the same curve.
    const auto hermite = read(file(
        animation("x", "a/rz.ANGLE", "0 3", "0 90", 1, "HERMITE HERMITE", "0 0 0 0", "0 0 0 0")));
    for (double time = 0.0; time <= 3.0; time += 0.11) {
      QVERIFY(near(degreesAt(hermite, time), degreesAt(scene, time), 0.05));
    }
  }

  void stepsHold() {
    const auto scene = read(file(animation("x", "a/t.X", "0 1 2", "5 6 7", 1, "STEP STEP STEP")));
    const auto& track = scene.clips[0].nodeTracks[0].translation;
    QVERIFY(glm::distance(glm::dvec3(ck::sampleTrack(track, 0.9)), glm::dvec3(5, 2, 3)) < 1e-6);
    QVERIFY(glm::distance(glm::dvec3(ck::sampleTrack(track, 1.1)), glm::dvec3(6, 2, 3)) < 1e-6);
  }

  void straightCurvesGetNoKeysInBetween() {
    const auto scene = read(file(animation("x", "a/t", "0 1 2", "0 0 0 1 0 0 5 5 5", 3, "LINEAR") +
                                 animation("y", "a/rz.ANGLE", "0 2", "0 90", 1, "LINEAR")));
    QCOMPARE(scene.clips.size(), std::size_t{1});
    QCOMPARE(scene.clips[0].nodeTracks.size(), std::size_t{1});
    QCOMPARE(scene.clips[0].nodeTracks[0].translation.times, (std::vector<double>{0, 1, 2}));
    QVERIFY(near(degreesAt(scene, 1.0), 45.0, 1e-3));
  }

  void matricesAreRows() {
    const auto scene = read(file(animation(
        "x", "m/transform", "0 1",
        "1 0 0 7 0 1 0 8 0 0 1 9 0 0 0 1  0 -1 0 7 1 0 0 8 0 0 1 9 0 0 0 1", 16, "LINEAR LINEAR")));
    const auto& tracks = scene.clips[0].nodeTracks[0];
    QCOMPARE(tracks.node, 1);
    QVERIFY(glm::distance(glm::dvec3(ck::sampleTrack(tracks.translation, 0.3)),
                          glm::dvec3(7, 8, 9)) < 1e-6);
    // Between the keys the joint turns; its axes do not shrink.
    QVERIFY(near(degreesAt(scene, 0.5), 45.0, 1e-3));
  }

  // The weights are those of the controller, wherever it is instanced.
  void morphWeightsReachAllInstancesOfTheirController() {
    const auto motion = ck::worker::readColladaMotion(
        file(animation("x", "weights(1)", "0 2", "0 1", 1, "LINEAR LINEAR")));
    QVERIFY(motion.has_value());
    SourceScene scene = sceneOf(*motion);
    scene.clips.clear();
    std::vector<ck::MorphTarget>& targets = scene.meshes[0].mesh.morphTargets;
    targets[0].channel = 0;
    targets[1].channel = 1;
    // The same controller at another node, and another controller there.
    scene.meshes.push_back(scene.meshes[0]);
    scene.meshes[1].node = 0;
    scene.meshes.push_back(scene.meshes[1]);
    for (ck::MorphTarget& target : scene.meshes[2].mesh.morphTargets) target.channel += 2;
    ck::worker::addColladaClips(*motion, scene);
    std::vector<int> meshes;
    for (const ck::MorphTrack& track : scene.clips.at(0).morphTracks) {
      QCOMPARE(track.target, 1);
      meshes.push_back(track.mesh);
    }
    QCOMPARE(meshes, (std::vector<int>{0, 1}));
  }

  void morphWeightsReachTheirTarget() {
    const auto scene = read(file(animation("x", "weights(1)", "0 2", "0 1", 1, "LINEAR LINEAR") +
                                 animation("y", "weights(Weight_0_0)", "0 1", "1 1", 1, "LINEAR")));
    QCOMPARE(scene.clips[0].morphTracks.size(), std::size_t{2});
    QCOMPARE(scene.clips[0].morphTracks[0].target, 1);
    QVERIFY(std::abs(ck::sampleTrack(scene.clips[0].morphTracks[0].weight, 1.0) - 0.5) < 1e-6);
    QCOMPARE(scene.clips[0].morphTracks[1].target, 0);
  }

  void clipsAreCutFromTheMotion() {
    const auto scene =
        read(file(animation("x", "a/t.X", "0 1 2 3", "0 10 20 30", 1, "LINEAR") +
                      animation("y", "m/transform", "0", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", 16, ""),
                  "<library_animation_clips><animation_clip name=\"late\" start=\"1.5\" end=\"3\">"
                  "<instance_animation url=\"#x\"/></animation_clip></library_animation_clips>"));
    QCOMPARE(scene.clips.size(), std::size_t{1});
    QCOMPARE(scene.clips[0].name, std::string("late"));
    QCOMPARE(scene.clips[0].nodeTracks.size(), std::size_t{1});
    const auto& track = scene.clips[0].nodeTracks[0].translation;
    QCOMPARE(track.times, (std::vector<double>{1.5, 2, 3}));
    QVERIFY(std::abs(track.values[0].x - 15.0f) < 1e-5f);
  }

  // A step, a line and a spline in one curve: 5 until 1 s, 6 to 8 until 2 s, then 8 + 4 (3 s^2 - 2
  // s^3).
  void stepsBesideOtherSegmentsStaySteps() {
    const auto scene =
        read(file(animation("x", "a/t.X", "0 1 2 3", "5 6 8 12", 1, "STEP LINEAR BEZIER LINEAR",
                            "-0.333333333 5 0.666666667 6 1.666666667 8 2.666666667 12",
                            "0.333333333 5 1.333333333 6 2.333333333 8 3.333333333 12")));
    const auto& track = scene.clips[0].nodeTracks[0].translation;
    for (double time = 0.0; time <= 3.0; time += 0.03125) {
      const double s = time - 2.0;
      const double due = time < 1.0   ? 5.0
                         : time < 2.0 ? 4.0 + 2.0 * time
                                      : 8.0 + 4.0 * (3.0 * s * s - 2.0 * s * s * s);
      QVERIFY2(std::abs(ck::sampleTrack(track, time).x - due) < 1e-4,
               qPrintable(QString("%1 at %2 s").arg(ck::sampleTrack(track, time).x).arg(time)));
    }
    QVERIFY(std::abs(ck::sampleTrack(track, 1.0 - 1e-8).x - 5.0) < 1e-5);
  }

  // Keys of a matrix: held, then turned at once.
  void stepsOfMatricesAreSteps() {
    const auto scene = read(file(animation("x", "m/transform", "0 1 2",
                                           "1 0 0 7 0 1 0 8 0 0 1 9 0 0 0 1 "
                                           "0 -1 0 7 1 0 0 8 0 0 1 9 0 0 0 1 "
                                           "1 0 0 7 0 1 0 8 0 0 1 9 0 0 0 1",
                                           16, "STEP LINEAR LINEAR")));
    QVERIFY(near(degreesAt(scene, 0.99), 0.0, 1e-3));
    QVERIFY(near(degreesAt(scene, 1.01), 89.1, 1e-3));
    QVERIFY(near(degreesAt(scene, 1.5), 45.0, 1e-3));
  }

  // Keys from 1 s to 2 s in a clip that is stated to last from 0 to 4 s, and one that begins later.
  void clipsLastAsLongAsTheyAreStatedTo() {
    const auto scene =
        read(file(animation("x", "a/t.X", "1 2", "10 20", 1, "LINEAR") +
                      animation("y", "weights(0)", "1 2 6", "0 1 5", 1, "LINEAR"),
                  "<library_animation_clips><animation_clip name=\"held\" start=\"0\" end=\"4\">"
                  "<instance_animation url=\"#x\"/><instance_animation url=\"#y\"/>"
                  "</animation_clip><animation_clip name=\"after\" start=\"3\" end=\"5\">"
                  "<instance_animation url=\"#x\"/></animation_clip></library_animation_clips>"));
    QCOMPARE(scene.clips.size(), std::size_t{2});
    const auto& held = scene.clips[0].nodeTracks.at(0).translation;
    QCOMPARE(held.times.front(), 0.0);
    QCOMPARE(held.times.back(), 4.0);
    for (const auto& [time, due] : {std::pair(0.5, 10.0), {1.5, 15.0}, {3.0, 20.0}}) {
      QVERIFY(std::abs(ck::sampleTrack(held, time).x - due) < 1e-5);
    }
    const auto& weight = scene.clips[0].morphTracks.at(0).weight;
    QCOMPARE(weight.times.back(), 4.0);
    QVERIFY(std::abs(ck::sampleTrack(weight, 4.0) - 3.0) < 1e-5);
    const auto& after = scene.clips[1].nodeTracks.at(0);
    QVERIFY(std::abs(ck::sampleTrack(after.translation, 3.5).x - 20.0) < 1e-5);
    QCOMPARE(after.rotation.times, (std::vector<double>{3, 5}));
  }

  void aClipWithoutAnEndLastsToItsLastKey() {
    const std::string keys = animation("x", "a/t.X", "0 1 2", "0 10 20", 1, "LINEAR");
    const auto clip = [](const std::string& range) {
      return "<library_animation_clips><animation_clip name=\"c\" " + range +
             "><instance_animation url=\"#x\"/></animation_clip></library_animation_clips>";
    };
    const auto times = [](const SourceScene& scene) {
      return scene.clips.at(0).nodeTracks.at(0).translation.times;
    };
    QCOMPARE(times(read(file(keys, clip("start=\"0.5\"")))), (std::vector<double>{0.5, 1, 2}));
    QCOMPARE(times(read(file(keys, clip("end=\"1.5\"")))), (std::vector<double>{0, 1, 1.5}));
    const auto whole = read(file(keys, clip("start=\"2\" end=\"1\"")));
    QCOMPARE(times(whole), (std::vector<double>{0, 1, 2}));
    QCOMPARE(whole.notes.at(0).code, std::string("ClipRangeIgnored"));
  }

  void channelsOutsideOfAllClipsAreAClip() {
    const auto scene =
        read(file(animation("x", "a/t.X", "0 1", "0 10", 1, "LINEAR") +
                      animation("y", "a/rz.ANGLE", "0 3", "0 90", 1, "LINEAR"),
                  "<library_animation_clips><animation_clip name=\"go\" start=\"0\" end=\"1\">"
                  "<instance_animation url=\"#x\"/></animation_clip></library_animation_clips>"));
    QCOMPARE(scene.clips.size(), std::size_t{2});
    QCOMPARE(scene.clips[1].nodeTracks.at(0).rotation.times.back(), 3.0);
  }

  // COLLADA 1.5 states it at the sampler, exporters for Maya beside the keys.
  void curvesRepeatBeyondTheirKeysWhereTheFileSaysSo_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<double>("due");  // at 2.25 s of keys from 0 to 1 s, 10 to 14
    QTest::newRow("held") << "CONSTANT" << 14.0;
    QTest::newRow("straight on") << "GRADIENT" << 19.0;
    QTest::newRow("again") << "CYCLE" << 11.0;
    QTest::newRow("again from there") << "CYCLE_RELATIVE" << 19.0;
    QTest::newRow("back and forth") << "OSCILLATE" << 11.0;
  }
  void curvesRepeatBeyondTheirKeysWhereTheFileSaysSo() {
    QFETCH(QString, how);
    QFETCH(double, due);
    const std::string word = how.toStdString();
    const std::string plain = animation("x", "a/t.X", "0 1", "10 14", 1, "LINEAR");
    const std::string other = animation("y", "m/transform", "0 3",
                                        "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 "
                                        "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1",
                                        16, "LINEAR");
    std::string newer = plain;
    newer.insert(newer.find("<sampler") + 8, " post_behavior=\"" + word + "\"");
    std::string maya = plain;
    maya.insert(maya.find("</source>"), "<technique profile=\"MAYA\"><post_infinity>" + word +
                                            "</post_infinity></technique>");
    for (const std::string& text : {newer, maya}) {
      const auto scene = read(file(text + other));
      const auto& track = scene.clips.at(0).nodeTracks.at(0).translation;
      QVERIFY2(std::abs(ck::sampleTrack(track, 2.25).x - due) < 1e-4,
               qPrintable(QString::number(ck::sampleTrack(track, 2.25).x)));
      QVERIFY(std::abs(ck::sampleTrack(track, 0.25).x - 11.0) < 1e-4);
    }
  }

  // "controller/weights(1)", and one channel for all weights of a morph.
  void morphWeightsAreFoundByTheirControllerAndTogether() {
    const auto one = read(file(animation("x", "morph/weights(1)", "0 2", "0 1", 1, "LINEAR")));
    QCOMPARE(one.clips.at(0).morphTracks.size(), std::size_t{1});
    QCOMPARE(one.clips[0].morphTracks[0].target, 1);
    const auto both = read(file(animation("x", "weights", "0 2", "0 1 4 3", 2, "LINEAR")));
    QCOMPARE(both.clips.at(0).morphTracks.size(), std::size_t{2});
    QVERIFY(std::abs(ck::sampleTrack(both.clips[0].morphTracks[0].weight, 1.0) - 2.0) < 1e-5);
    QVERIFY(std::abs(ck::sampleTrack(both.clips[0].morphTracks[1].weight, 1.0) - 2.0) < 1e-5);
  }

  void channelsThatHideNodesAreNoted() {
    const auto motion = ck::worker::readColladaMotion(
        file(animation("x", "a/visibility", "0 1", "0 1", 1, "STEP")));
    QVERIFY(motion && motion->channels.empty());
    QCOMPARE(motion->notes.at(0).code, std::string("VisibilityFixed"));
  }

  void unsortedAndBrokenKeysAreRepairedAndNoted() {
    const auto motion = ck::worker::readColladaMotion(
        file(animation("x", "a/t.X", "2 NaN 1 1", "20 5 10 11", 1, "LINEAR")));
    QVERIFY(motion);
    const auto& keys = motion->channels[0].curves.at(0).keys;
    QCOMPARE(keys.size(), std::size_t{2});
    QCOMPARE(keys[0].seconds, 1.0);
    QCOMPARE(keys[0].value, 10.0);
    QCOMPARE(keys[1].seconds, 2.0);
    QCOMPARE(keys[1].value, 20.0);
    QCOMPARE(motion->notes.size(), std::size_t{2});
  }

  void whatNothingAnswersToIsNotedOnce() {
    std::string many;
    for (int i = 0; i < 30; ++i) {
      many += animation("x" + std::to_string(i), "gone/t.X", "0 1", "0 1", 1, "LINEAR");
    }
    const auto motion = ck::worker::readColladaMotion(file(many));
    QVERIFY(motion && motion->channels.empty() && motion->clips.empty());
    QCOMPARE(motion->notes.size(), std::size_t{1});
    QVERIFY(motion->notes[0].message.starts_with("30 channels were left out"));
  }

  void unitsAxesAndNamesAreThoseOfTheFile() {
    const auto motion = ck::worker::readColladaMotion(file(""));
    QVERIFY(motion);
    ck::SourceInfo info;
    ck::worker::setColladaSpace(*motion, info);
    QCOMPARE(info.unitScale, 0.01);
    // Z up: the file's Z is our Y, its Y our -Z.
    QVERIFY(glm::distance(ck::transformPoint(info.sourceToModel, {100, 200, 300}),
                          glm::dvec3(1, 3, -2)) < 1e-12);
    QCOMPARE(motion->nameOfId.at("a"), std::string("Arm"));
    QVERIFY(motion->withoutMotion.find("library_animations") == std::string::npos);
    QVERIFY(motion->withoutMotion.find("<rotate") != std::string::npos);
  }

  void utf16IsRead() {
    const std::string text = file(animation("x", "a/t.X", "0 1", "0 1", 1, "LINEAR"));
    std::string wide = "\xFF\xFE";
    for (const char c : text) {
      wide += c;
      wide += '\0';
    }
    const auto motion = ck::worker::readColladaMotion(wide);
    QVERIFY(motion && motion->channels.size() == 1);
  }

  void rejectsNestingAsDeepAsTheFileIsLong() {
    std::string deep;
    for (int i = 0; i < 200'000; ++i) deep += "<animation>";
    for (int i = 0; i < 200'000; ++i) deep += "</animation>";
    const auto motion = ck::worker::readColladaMotion(file(deep));
    QVERIFY(!motion);
    QCOMPARE(int(motion.error().code), int(ck::ErrorCode::LimitExceeded));
  }
};

CK_TEST(tst_collada_motion)
#include "tst_collada_motion.moc"
