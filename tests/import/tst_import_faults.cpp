#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/reference_poses.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::hasNote;

namespace {

namespace fs = std::filesystem;
using ck::Character;
using ck::ErrorCode;

std::string noteCodes(const Character& character) {
  std::string codes;
  for (const ck::Note& note : character.notes) codes += " " + note.code;
  return codes;
}

bool near(double a, double b) {
  return std::abs(a - b) < 1e-5;
}

// The three vertices of gen_gltf.py's rigs: weights 3/4 on Hips and 1/4 on Spine.
bool hasQuarterWeights(const Character& character, double tolerance) {
  if (character.meshes.empty()) return false;
  const ck::Mesh& mesh = character.meshes[0];
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const auto influences = ck::influencesOf(mesh, v);
    if (influences.size() != 2 || std::abs(influences[0].weight - 0.75) > tolerance) return false;
  }
  return mesh.positions.size() == 3;
}

// The result expected of a file: an error of that code, or an import for which `holds` is true.
struct Expectation {
  bool refused = false;
  ErrorCode code = ErrorCode::InvalidInput;
  std::function<bool(const Character&)> holds = [](const Character&) { return true; };
};

Expectation refusedWith(ErrorCode code) {
  return {true, code, {}};
}
Expectation importsSo(std::function<bool(const Character&)> holds) {
  return {false, ErrorCode::Internal, std::move(holds)};
}
Expectation importsWith(const char* note) {
  return importsSo([note](const Character& c) { return hasNote(c.notes, note); });
}

// The rows of the fault list that a glTF file can show, with what must come of each.
std::map<std::string, Expectation> gltfExpectations() {
  const auto plain = [](const Character& c) {
    return hasQuarterWeights(c, 1e-6) && c.rig.joints.size() == 2 && c.clips.size() == 1;
  };
  const auto window = [](double start, double length) {
    return importsSo([start, length](const Character& c) {
      return c.clips.size() == 1 && near(c.clips[0].startSeconds, start) &&
             near(c.clips[0].durationSeconds, length);
    });
  };
  const auto interpolation = [](ck::Interpolation kind) {
    return importsSo([kind](const Character& c) {
      return c.clips.size() == 1 && c.clips[0].jointTracks[0].rotation.interpolation == kind;
    });
  };
  std::map<std::string, Expectation> rows;
  rows["ok"] = importsSo(plain);
  rows["noibm"] = importsSo([](const Character& c) {
    return c.rig.skinJoints.size() == 2 && c.rig.skinJoints[0].inverseBind == glm::dmat4(1.0);
  });
  rows["wbyte"] = importsSo([](const Character& c) { return hasQuarterWeights(c, 1.0 / 255.0); });
  rows["rotshort"] = importsSo([](const Character& c) {
    return c.clips[0].jointTracks[0].rotation.values[0] == glm::quat(1, 0, 0, 0);
  });
  rows["meshopt_required"] = importsSo(plain);  // needs what is read, and has nothing packed
  rows["step"] = interpolation(ck::Interpolation::Step);
  rows["cubic_ok"] = interpolation(ck::Interpolation::Cubic);
  for (const char* name : {"cubic_short", "cubic_short_big", "morph0keys", "morph_stride1_cubic",
                           "target_oob", "input_vec3"}) {
    rows[name] = importsWith("ChannelDropped");
  }
  rows["morph2"] = importsSo([](const Character& c) {
    // Weights 0.1, -0.2 at 0 s and 0.3, 0.4 at 1 s: the negative one stays negative.
    return c.clips[0].morphTracks.size() == 2 &&
           near(ck::sampleTrack(c.clips[0].morphTracks[1].weight, 0.0), -0.2);
  });
  rows["morph2cubic"] = importsSo([](const Character& c) {
    const auto& tracks = c.clips[0].morphTracks;
    // Per key: two in-tangents, two values, two out-tangents of the series 0.1, -0.2, 0.3, ...
    return c.meshes[0].morphTargets.size() == 2 && tracks.size() == 2 &&
           near(ck::sampleTrack(tracks[0].weight, 0.0), 0.3) &&
           near(ck::sampleTrack(tracks[1].weight, 1.0), 1.0);
  });
  rows["w1_noj1"] = importsSo(
      [plain](const Character& c) { return plain(c) && hasNote(c.notes, "WeightsWithoutJoints"); });
  rows["j1us"] = importsSo([](const Character& c) {
    // .75 + .1 and .25 + .1 over their sum.
    return std::abs(ck::influencesOf(c.meshes[0], 0)[0].weight - 0.85 / 1.2) < 1e-6;
  });
  rows["dupnames"] = importsSo([](const Character& c) {
    return c.rig.joints.size() == 2 && c.rig.joints[1].name == "Hips (2)" &&
           c.clips[0].jointTracks.size() == 1 && c.clips[0].jointTracks[0].joint == 0;
  });
  rows["dupclips"] = importsSo(
      [](const Character& c) { return c.clips.size() == 2 && c.clips[1].name == "walk (2)"; });
  rows["sharedmesh2skins"] = importsSo([](const Character& c) { return c.meshes.size() == 2; });
  rows["joints_not_in_scene"] = importsWith("JointsOutsideScene");
  rows["target_missing"] = importsSo([](const Character& c) { return c.clips.empty(); });
  rows["times_unsorted"] = importsWith("KeysSorted");
  rows["times_huge"] = importsWith("ClipRefused");
  rows["nankeys"] = importsWith("KeysDropped");
  rows["times_late"] = window(2.0, 1.0);
  rows["times_neg"] = window(-5.0, 10.0);
  rows["zeroscale"] = importsWith("ScaleZero");
  rows["negscale"] = importsWith("ScaleMirrored");
  rows["zeroquat"] = importsWith("RotationZero");
  rows["unnamed"] = importsSo([](const Character& c) { return c.rig.joints[0].name == "Joint 1"; });
  rows["utf8name"] = importsSo(
      [](const Character& c) { return c.rig.joints[0].name == "H\u00fcfte_\u9aa8_\U0001F600"; });
  rows["longname"] =
      importsSo([](const Character& c) { return c.rig.joints[0].name.size() <= 255; });
  rows["seam"] = importsSo([](const Character& c) { return c.meshes[0].positions.size() == 6; });
  rows["deep20000"] = importsSo(plain);
  for (const char* name :
       {"uri_traversal", "uri_abs", "uri_devzero", "uri_fifo", "nojoints", "bv_stride_wrap"}) {
    rows[name] = refusedWith(ErrorCode::ImportFailed);
  }
  rows["img_traversal"] = importsWith("PictureUnreadable");
  for (const char* name :
       {"jsondeep", "jsondeep2", "nodecycle", "joints4_ibm2", "joints6000_ibm2", "joints0",
        "indices_vec3", "sparse_oob_idx", "bv_off_wrap", "acc_off_wrap"}) {
    rows[name] = refusedWith(ErrorCode::InvalidInput);
  }
  for (const char* name : {"count_huge", "count_wrap", "nobv_count4e9"}) {
    rows[name] = refusedWith(ErrorCode::LimitExceeded);
  }
  rows["mode_lineloop"] = importsWith("PrimitiveSkipped");
  rows["nobv_count1e8"] = importsWith("StreamDropped");
  return rows;
}

}  // namespace

// Valid, damaged and hostile files made by the generators of the shared folder: each comes out
// right, or is refused by name; never silently wrong, and never is the host harmed.
class tst_import_faults : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  bool made_ = false;

  // Runs the generators in the temporary folder.
  void makeFiles() {
    const fs::path generators = fs::path(CK_SHARED_DIR) / "fixtures";
    if (!fs::exists(generators)) return;
    const std::string folder = folder_.path().toStdString();
    fs::copy(generators / "gen_gltf.py", folder);
    for (const char* name : {"gen_gltf", "gen_gltf_seam", "gen_fbx", "gen_dae", "gen_md5"}) {
      const std::string command = "cd '" + folder + "' && python3 '" +
                                  (generators / name).string() + ".py' > /dev/null 2>&1";
      QVERIFY2(std::system(command.c_str()) == 0, name);
    }
    ::mkfifo((folder + "/fifo").c_str(), 0600);
    made_ = true;
  }

  ck::Result<Character> import(const std::string& file) const {
    ck::ImportLimits limits;
    limits.memoryBytes = 2ull << 30;
    limits.cpuSeconds = 10;
    limits.wallSeconds = 60;
    return ck::importCharacter(fs::path(folder_.path().toStdString()) / file, {}, limits);
  }

 private slots:
  void initTestCase() {
    ck::test::useBuiltImportWorker();
    makeFiles();
  }

  void gltfComesOutRightOrIsRefused_data() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, expectation] : gltfExpectations()) {
      QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
  }
  void gltfComesOutRightOrIsRefused() {
    if (!made_) QSKIP("the generators of the shared folder are not there");
    QFETCH(QString, name);
    const Expectation expectation = gltfExpectations().at(name.toStdString());
    const auto character = import(name.toStdString() + ".gltf");
    if (character) {
      qInfo("imported;%s", noteCodes(*character).c_str());
    } else {
      qInfo("%s: %s", std::string(ck::errorCodeName(character.error().code)).c_str(),
            character.error().message.c_str());
    }
    QCOMPARE(character.has_value(), !expectation.refused);
    if (character) {
      QVERIFY(ck::validate(*character).has_value());
      QVERIFY(expectation.holds(*character));
    } else {
      QCOMPARE(std::string(ck::errorCodeName(character.error().code)),
               std::string(ck::errorCodeName(expectation.code)));
    }
  }

  // A symbolic link that leads out of the folder is not followed.
  void linksOutOfTheFolderAreNotRead() {
    if (!made_) QSKIP("the generators of the shared folder are not there");
    const fs::path folder = folder_.path().toStdString();
    const fs::path inner = folder / "inner";
    fs::create_directory(inner);
    fs::create_symlink(folder / "ok.gltf", inner / "data.bin");
    const auto bytes = ck::readFile(folder / "uri_fifo.gltf", 1u << 20);
    std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    text.replace(text.find("\"fifo\""), 6, "\"data.bin\"");
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    QVERIFY(ck::writeFileAtomically(inner / "link.gltf", {first, text.size()}).has_value());
    const auto character = import("inner/link.gltf");
    QVERIFY(!character.has_value());
    qInfo("%s", character.error().message.c_str());
    QCOMPARE(int(character.error().code), int(ErrorCode::ImportFailed));
  }

  void everyGeneratedFileLeavesTheHostUnharmed_data() {
    QTest::addColumn<QString>("file");
    if (!made_) QTest::newRow("no generators") << QString();
    if (!made_) return;
    const fs::path folder = folder_.path().toStdString();
    for (const char* ending : {".fbx", ".dae", ".md5mesh", ".md5anim", ".gltf"}) {
      for (const auto& file : ck::test::filesBelow(folder, ending)) {
        if (!fs::is_regular_file(file)) continue;
        const std::string name = ck::pathText(file.filename());
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
      }
    }
  }
  void everyGeneratedFileLeavesTheHostUnharmed() {
    QFETCH(QString, file);
    if (file.isEmpty()) QSKIP("the generators of the shared folder are not there");
    const auto character = import(file.toStdString());
    if (character) {
      QVERIFY(ck::validate(*character).has_value());
      qInfo("imported: %zu joints, %zu meshes, %zu clips;%s", character->rig.joints.size(),
            character->meshes.size(), character->clips.size(), noteCodes(*character).c_str());
      return;
    }
    qInfo("%s: %s", std::string(ck::errorCodeName(character.error().code)).c_str(),
          character.error().message.c_str());
    QVERIFY(character.error().code != ErrorCode::Internal);
    QVERIFY(character.error().code != ErrorCode::ImportBadResult);
    QVERIFY(character.error().message.starts_with(file.toStdString() + ": "));
  }

  // Bytes of small files changed at random, and the files cut at every 1/16.
  void alteredAndCutFilesLeaveTheHostUnharmed_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"seam.gltf", "plain.fbx", "ok.dae", "hero.md5mesh", "hero.md5anim"}) {
      QTest::newRow(file) << QString(file);
    }
  }
  void alteredAndCutFilesLeaveTheHostUnharmed() {
    if (!made_) QSKIP("the generators of the shared folder are not there");
    QFETCH(QString, file);
    const fs::path folder = folder_.path().toStdString();
    const auto whole = ck::readFile(folder / file.toStdString(), 1u << 24);
    QVERIFY(whole.has_value());
    std::mt19937 random(7);
    std::map<std::string, int> outcomes;
    for (int round = 0; round < 76; ++round) {
      std::vector<std::byte> bytes = *whole;
      if (round < 16) bytes.resize(1 + bytes.size() * static_cast<std::size_t>(round) / 16);
      for (std::uint32_t edit = 0; round >= 16 && edit < 1 + random() % 6; ++edit) {
        bytes[random() % bytes.size()] = static_cast<std::byte>(random());
      }
      const std::string name = "altered" + fs::path(file.toStdString()).extension().string();
      QVERIFY(ck::writeFileAtomically(folder / name, bytes).has_value());
      const auto character = import(name);
      if (character) QVERIFY(ck::validate(*character).has_value());
      const ErrorCode code = character ? ErrorCode::Internal : character.error().code;
      if (!character) QVERIFY(code != ErrorCode::Internal && code != ErrorCode::ImportBadResult);
      ++outcomes[character ? "imported" : std::string(ck::errorCodeName(code))];
    }
    for (const auto& [outcome, count] : outcomes) qInfo("%s: %d", outcome.c_str(), count);
  }

  void fbxKeysThatAreNoAnglesAreLeftOut_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("3e20") << "hugerot.fbx";
    QTest::newRow("more than a number holds") << "infrot.fbx";
  }
  void fbxKeysThatAreNoAnglesAreLeftOut() {
    if (!made_) QSKIP("the generators of the shared folder are not there");
    QFETCH(QString, file);
    const auto character = import(file.toStdString());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(hasNote(character->notes, "KeysDropped"));
  }

  void rejectsBrokenFbxTrees_data() {
    QTest::addColumn<QByteArray>("bytes");
    // Three keys as a binary file has them, without a node around them.
    QByteArray binary("Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", 27);
    binary +=
        QByteArray("\x0dKeyValueFloatf\x03\0\0\0\0\0\0\0\x0c\0\0\0", 27) + QByteArray(12, '\0');
    QTest::newRow("in binary") << binary;
    const QByteArray text = "; FBX 7.4.0 project file\nKeyValueFloat: *3 {\n\ta: 0,";
    QTest::newRow("behind a word") << text + "oops,3e20\n}\n";
    QTest::newRow("not closed") << text + "\n+3e20\nKeyValueFloat: *1 {\n\ta: 0\n}\n";
  }
  void rejectsBrokenFbxTrees() {
    QFETCH(QByteArray, bytes);
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "broken.fbx";
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    QVERIFY(ck::writeFileAtomically(path, {first, std::size_t(bytes.size())}).has_value());
    const auto character = ck::importCharacter(path);
    QVERIFY(!character.has_value());
    QVERIFY2(character.error().code == ErrorCode::InvalidInput, character.error().message.c_str());
  }

  void turnsOfAnFbxKeepTheirNumber() {
    if (!made_) QSKIP("the generators of the shared folder are not there");
    const auto character = import("bigturn.fbx");
    QVERIFY(character.has_value());
    QVERIFY(!character->clips.empty());
    // Two full turns are 720 degrees: summed over small steps.
    const ck::Clip& clip = character->clips[0];
    double turned = 0.0;
    glm::dquat last(1, 0, 0, 0);
    for (int step = 0; step <= 400; ++step) {
      const double time = clip.startSeconds + clip.durationSeconds * step / 400.0;
      const glm::dquat now = ck::sampleClip(character->rig, clip, time)[0].rotation;
      if (step > 0) turned += 2.0 * std::acos(std::min(1.0, std::abs(glm::dot(last, now))));
      last = now;
    }
    qInfo("turned by %.1f degrees", turned * 57.29577951308232);
    QVERIFY(std::abs(turned * 57.29577951308232 - 720.0) < 5.0);
  }

  void frameRatesOfFbxGiveSeconds_data() {
    QTest::addColumn<QString>("file");
    for (const char* name : {"fps5994", "fpscustom", "fpscustomneg", "fps0"}) {
      QTest::newRow(name) << QString(name) + ".fbx";
    }
  }
  void frameRatesOfFbxGiveSeconds() {
    if (!made_) QSKIP("the generators of the shared folder are not there");
    QFETCH(QString, file);
    const auto plain = import("plain.fbx");
    const auto character = import(file.toStdString());
    QVERIFY(plain.has_value() && character.has_value());
    QVERIFY(!plain->clips.empty() && !character->clips.empty());
    QVERIFY(std::abs(plain->clips[0].durationSeconds - character->clips[0].durationSeconds) < 1e-3);
  }

  void whatAnFbxHoldsIsPlayedOrNoted() {
    if (!made_) QSKIP("the generators of the shared folder are not there");
    const auto layers = import("layers.fbx");
    QVERIFY(layers.has_value() && !layers->clips.empty());
    const ck::Clip& clip = layers->clips[0];
    const auto turned = [&](double share) {
      const double time = clip.startSeconds + share * clip.durationSeconds;
      return ck::sampleClip(layers->rig, clip, time)[0].rotation;
    };
    // The layer on top turns by a constant, the one below from 0 to 90 degrees.
    const double cosine = std::abs(glm::dot(turned(0.0), turned(1.0)));
    QVERIFY(std::abs(2.0 * std::acos(cosine) * 57.29577951308232 - 90.0) < 0.1);
    const auto doubled = import("dupkeytimes.fbx");
    QVERIFY(doubled.has_value() && !doubled->clips.empty());
    QVERIFY(hasNote(doubled->notes, "KeysDropped"));
    const auto plain = import("plain.fbx");
    QVERIFY(plain.has_value() && !hasNote(plain->notes, "KeysDropped"));
  }

  void clipsOfMorphsAloneLastAsTheirKeysDo() {
    if (!made_) QSKIP("the generators of the shared folder are not there");
    const auto character = import("morphonly.fbx");
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->clips.size(), std::size_t{1});
    // Keys at 0 s and 1 s, and at 0.5 s and 2 s; the take states no range.
    QVERIFY(near(character->clips[0].startSeconds, 0.0));
    QVERIFY(near(character->clips[0].durationSeconds, 2.0));
    QCOMPARE(character->clips[0].morphTracks.size(), std::size_t{2});
  }

  void jointsOfOneNameInAnFbxSkinGetNumbers() {
    if (!made_) QSKIP("the generators of the shared folder are not there");
    const auto character = import("dupbones.fbx");
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(ck::validate(*character).has_value());
    QVERIFY(hasNote(character->notes, "NamesMadeUnique"));
  }
};

CK_TEST(tst_import_faults)
#include "tst_import_faults.moc"
