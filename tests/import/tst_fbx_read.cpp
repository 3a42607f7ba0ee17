#include <fmt/format.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <glm/gtc/matrix_transform.hpp>
#include <random>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "core/system/files.h"
#include "tests/support/fbx_text.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

using ck::test::fbxProperty;
using ck::test::FbxText;
using ck::test::hasNote;

namespace {

ck::Result<ck::Character> imported(const QTemporaryDir& folder, const std::string& text) {
  const auto path = ck::pathFromText(folder.filePath("rig.fbx").toStdString());
  std::ofstream(path, std::ios::binary) << text;
  return ck::importCharacter(path);
}

// Rotations of the formula: matrices about one axis each, in the order of the names.
glm::dmat4 turned(const glm::dvec3& degrees, const char* order) {
  glm::dmat4 matrix(1.0);
  for (const char* axis = order; *axis != '\0'; ++axis) {
    glm::dvec3 along(0.0);
    along[*axis - 'X'] = 1.0;
    matrix = glm::rotate(glm::dmat4(1.0), glm::radians(degrees[*axis - 'X']), along) * matrix;
  }
  return matrix;
}

double largest(const glm::dmat4& difference) {
  double most = 0.0;
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 4; ++r) most = std::max(most, std::abs(difference[c][r]));
  }
  return most;
}

constexpr const char* kOrders[] = {"XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"};

}  // namespace

class tst_fbx_read : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  // The formula of Autodesk's manual, multiplied out by matrices, for random values of all parts.
  void localTransformsAreTheFormula_data() {
    QTest::addColumn<int>("order");
    for (int order = 0; order < 6; ++order) QTest::newRow(kOrders[order]) << order;
  }
  void localTransformsAreTheFormula() {
    QFETCH(int, order);
    std::mt19937 random(7u + static_cast<unsigned>(order));
    std::uniform_real_distribution<double> angle(-170.0, 170.0);
    std::uniform_real_distribution<double> length(-3.0, 3.0);
    std::uniform_real_distribution<double> factor(0.5, 2.0);
    const auto vector = [&random](auto& from) {
      return glm::dvec3(from(random), from(random), from(random));
    };
    const glm::dvec3 t = vector(length), r = vector(angle), s = vector(factor);
    const glm::dvec3 rotationOffset = vector(length), rotationPivot = vector(length);
    const glm::dvec3 scalingOffset = vector(length), scalingPivot = vector(length);
    const glm::dvec3 before = vector(angle), after = vector(angle);
    FbxText file;
    const int limb = file.limb(
        "Limb", 0,
        fbxProperty("Lcl Translation", t) + fbxProperty("Lcl Rotation", r) +
            fbxProperty("Lcl Scaling", s) + fbxProperty("RotationOffset", rotationOffset) +
            fbxProperty("RotationPivot", rotationPivot) +
            fbxProperty("ScalingOffset", scalingOffset) +
            fbxProperty("ScalingPivot", scalingPivot) + fbxProperty("PreRotation", before) +
            fbxProperty("PostRotation", after) + fbxProperty("RotationOrder", order) +
            fbxProperty("InheritType", 1));
    file.stack(1.0);
    const std::vector<double> turns = {r.x, -40.0, 130.0};
    file.curve(limb, "Lcl Rotation", 'X', {0.0, 0.4, 1.0}, turns, FbxText::attributes(4, 3));
    for (const char component : {'Y', 'Z'}) {
      file.curve(limb, "Lcl Rotation", component, {0.0}, {r[component - 'X']});
    }
    const QTemporaryDir folder;
    const auto character = imported(folder, file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->rig.joints.size(), std::size_t{1});
    const auto due = [&](const glm::dvec3& degrees) {
      const auto moved = [](const glm::dvec3& by) { return glm::translate(glm::dmat4(1.0), by); };
      return moved(t) * moved(rotationOffset) * moved(rotationPivot) * turned(before, "XYZ") *
             turned(degrees, kOrders[order]) * glm::inverse(turned(after, "XYZ")) *
             moved(-rotationPivot) * moved(scalingOffset) * moved(scalingPivot) *
             glm::scale(glm::dmat4(1.0), s) * moved(-scalingPivot);
    };
    QVERIFY(largest(ck::restMatrices(character->rig)[0] - due(r)) < 1e-5);
    for (const double time : {0.0, 0.1, 0.23, 0.4, 0.57, 0.71, 0.99, 1.0}) {
      const double x = time < 0.4 ? turns[0] + (turns[1] - turns[0]) * time / 0.4
                                  : turns[1] + (turns[2] - turns[1]) * (time - 0.4) / 0.6;
      const auto pose = ck::sampleClip(character->rig, character->clips.at(0), time);
      const double off = largest(ck::globalMatrices(character->rig, pose)[0] - due({x, r.y, r.z}));
      QVERIFY2(off < 2e-4, qPrintable(QString("%1 at %2 s").arg(off).arg(time)));
    }
  }

  // Autodesk's manual: rotations and scales of a node and its parent, multiplied in the order that
  // the inherit type says. The scale of the root moves.
  void scaleIsInheritedAsTheTypeSays_data() {
    QTest::addColumn<int>("child");
    QTest::addColumn<int>("grandchild");
    for (const int child : {0, 1, 2}) {
      for (const int grandchild : {0, 1, 2}) {
        // Below a sheared node the manual's formula depends on how shear is split off.
        if (child == 1 && grandchild != 1) continue;
        QTest::addRow("%d %d", child, grandchild) << child << grandchild;
      }
    }
  }
  void scaleIsInheritedAsTheTypeSays() {
    QFETCH(int, child);
    QFETCH(int, grandchild);
    struct Node {
      glm::dvec3 t, r, s;
      int type;
    };
    std::vector<Node> chain = {{{1, 2, 3}, {20, 30, 40}, {2.0, 0.5, 1.5}, 1},
                               {{0.5, 1, -1}, {-50, 10, 70}, {1.2, 0.7, 3.0}, child},
                               {{-1, 0.3, 2}, {15, -80, 33}, {0.4, 1.7, 1.1}, grandchild}};
    FbxText file;
    int parent = 0;
    std::vector<int> ids;
    for (std::size_t n = 0; n < chain.size(); ++n) {
      parent = file.limb(
          fmt::format("Node{}", n), parent,
          fbxProperty("Lcl Translation", chain[n].t) + fbxProperty("Lcl Rotation", chain[n].r) +
              fbxProperty("Lcl Scaling", chain[n].s) + fbxProperty("InheritType", chain[n].type));
      ids.push_back(parent);
    }
    file.stack(1.0);
    file.curve(ids[0], "Lcl Scaling", 'X', {0.0, 1.0}, {2.0, 3.0}, FbxText::attributes(4, 2));
    for (const char component : {'Y', 'Z'}) {
      file.curve(ids[0], "Lcl Scaling", component, {0.0}, {chain[0].s[component - 'X']});
    }
    file.curve(ids[2], "Lcl Rotation", 'X', {0.0}, {chain[2].r.x});
    file.curve(ids[2], "Lcl Rotation", 'Y', {0.0}, {chain[2].r.y});
    file.curve(ids[2], "Lcl Rotation", 'Z', {0.0}, {chain[2].r.z});
    const QTemporaryDir folder;
    const auto character = imported(folder, file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    for (const double time : {0.0, 0.37, 1.0}) {
      chain[0].s.x = 2.0 + time;
      glm::dmat4 global(1.0), rotations(1.0), scales(1.0), parentScale(1.0);
      for (std::size_t n = 0; n < chain.size(); ++n) {
        const Node& node = chain[n];
        const glm::dmat4 r = turned(node.r, "XYZ");
        const glm::dmat4 s = glm::scale(glm::dmat4(1.0), node.s);
        const glm::dvec4 place = global * glm::dvec4(node.t, 1.0);
        const glm::dmat4 inherited = node.type == 2 ? scales * glm::inverse(parentScale) : scales;
        global = node.type == 1 ? rotations * scales * r * s : rotations * r * inherited * s;
        global[3] = place;
        rotations = node.type == 1 && n == 2 ? rotations : rotations * r;
        // The chain's roots have no shear, so what is not rotation is scale.
        scales = glm::inverse(rotations) * glm::dmat4(glm::dmat3(global));
        parentScale = s;
        const auto joint = ck::findJoint(character->rig, fmt::format("Node{}", n));
        if (n < 2 && !joint) continue;
        QVERIFY(joint.has_value());
        const auto pose = ck::sampleClip(character->rig, character->clips.at(0), time);
        const double off = largest(
            ck::globalMatrices(character->rig, pose)[static_cast<std::size_t>(*joint)] - global);
        QVERIFY2(off < 1e-5, qPrintable(QString("node %1: %2 at %3 s").arg(n).arg(off).arg(time)));
      }
    }
  }

  // A cubic segment with the slopes that the file gives is a Hermite curve.
  void userTangentsAreHermiteCurves() {
    FbxText file;
    const int limb = file.limb("Limb", 0, fbxProperty("InheritType", 1));
    file.stack(1.5);
    file.curve(limb, "Lcl Translation", 'X', {0.0, 1.5}, {1.0, 4.0},
               FbxText::attributes(0x408, 2, 6.0f, -3.0f));
    const QTemporaryDir folder;
    const auto character = imported(folder, file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    for (int i = 0; i <= 40; ++i) {
      const double x = i / 40.0;
      const double due = (2 * x * x * x - 3 * x * x + 1) * 1.0 +
                         (x * x * x - 2 * x * x + x) * 1.5 * 6.0 +
                         (3 * x * x - 2 * x * x * x) * 4.0 + (x * x * x - x * x) * 1.5 * -3.0;
      const auto pose = ck::sampleClip(character->rig, character->clips.at(0), 1.5 * x);
      QVERIFY(std::abs(pose.at(0).translation.x - due) < 1e-5);
    }
  }

  // A held key holds until the next one, not for one frame less.
  void heldKeysJump() {
    FbxText file;
    const int limb = file.limb("Limb", 0, fbxProperty("InheritType", 1));
    file.stack(1.0);
    file.curve(limb, "Lcl Translation", 'Y', {0.0, 0.5, 1.0}, {1.0, 2.0, 5.0},
               FbxText::attributes(2, 3));
    const QTemporaryDir folder;
    const auto character = imported(folder, file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const auto height = [&](double time) {
      return ck::sampleClip(character->rig, character->clips.at(0), time).at(0).translation.y;
    };
    QCOMPARE(height(0.4999), 1.0);
    QCOMPARE(height(0.5), 2.0);
    QCOMPARE(height(0.9999), 2.0);
    QCOMPARE(height(1.0), 5.0);
    QCOMPARE(character->clips[0].jointTracks.at(0).translation.interpolation,
             ck::Interpolation::Step);
  }

  // An additive layer turns on top of the layer below, by its weight.
  void additiveLayersTurnOnTop() {
    FbxText file;
    const int limb = file.limb("Limb", 0, fbxProperty("InheritType", 1));
    file.stack(1.0, 2, fbxProperty("BlendMode", 0) + fbxProperty("Weight", 50));
    const std::string linear = FbxText::attributes(4, 2);
    file.curve(limb, "Lcl Rotation", 'Y', {0.0, 1.0}, {0.0, 90.0}, linear);
    file.curve(limb, "Lcl Rotation", 'X', {0.0, 1.0}, {60.0, 60.0}, linear, 1);
    const QTemporaryDir folder;
    const auto character = imported(folder, file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    for (const double time : {0.0, 0.3, 0.77, 1.0}) {
      const glm::dmat4 due = turned({0, 90.0 * time, 0}, "XYZ") * turned({30, 0, 0}, "XYZ");
      const auto pose = ck::sampleClip(character->rig, character->clips.at(0), time);
      QVERIFY(largest(ck::globalMatrices(character->rig, pose)[0] - due) < 1e-4);
    }
  }

  // A file whose clock started years ago plays from 0.
  void timesOfYearsAreShifted() {
    FbxText file;
    const int limb = file.limb("Limb", 0, fbxProperty("InheritType", 1));
    file.stack(0.0);
    const double years = 30'000.0 * 3600.0;
    file.curve(limb, "Lcl Translation", 'X', {years, years + 1.0}, {1.0, 3.0},
               FbxText::attributes(4, 2));
    const QTemporaryDir folder;
    const auto character = imported(folder, file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->clips.at(0).startSeconds, 0.0);
    QVERIFY(std::abs(character->clips[0].durationSeconds - 1.0) < 1e-6);
    const auto pose = ck::sampleClip(character->rig, character->clips[0], 0.5);
    QVERIFY(std::abs(pose.at(0).translation.x - 2.0) < 1e-4);
  }

  void badFilesAreRefusedInASentence_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    FbxText circle;
    const int a = circle.limb("A", 0, "");
    const int b = circle.limb("B", a, "");
    std::string looped = circle.text();
    looped.replace(looped.find(fmt::format(" C: \"OO\",{},0", a)), 9 + std::to_string(a).size() + 2,
                   fmt::format(" C: \"OO\",{},{}", a, b));
    QTest::newRow("circle") << QByteArray::fromStdString(looped) << "goes in a circle";
    FbxText plain;
    plain.limb("A", 0, "");
    QTest::newRow("old") << QByteArray::fromStdString(plain.text(6100)) << "older than version 7.0";
    QTest::newRow("new") << QByteArray::fromStdString(plain.text(8000)) << "is not known";
    const std::string whole = plain.text();
    QTest::newRow("cut") << QByteArray::fromStdString(whole.substr(0, whole.size() / 2)) << "line ";
    std::string deep = "; FBX\nFBXHeaderExtension: {\n FBXVersion: 7400\n}\n";
    for (int i = 0; i < 100'000; ++i) deep += "a: {";
    QTest::newRow("deep") << QByteArray::fromStdString(deep) << "nested more than 64 deep";
  }
  void badFilesAreRefusedInASentence() {
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    const auto character = imported(folder, text.toStdString());
    QVERIFY(!character.has_value());
    QVERIFY2(QString::fromStdString(character.error().message).contains(says),
             character.error().message.c_str());
    QVERIFY(character.error().code == ck::ErrorCode::InvalidInput ||
            character.error().code == ck::ErrorCode::LimitExceeded ||
            character.error().code == ck::ErrorCode::Unsupported);
  }
};

CK_TEST(tst_fbx_read)
#include "tst_fbx_read.moc"
