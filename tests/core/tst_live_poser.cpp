#include <QTest>

#include "core/anim/clip_sampler.h"
#include "core/anim/joint_mask.h"
#include "core/anim/live_poser.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::LiveMoment;
using ck::LivePose;
using ck::LivePoser;
using ck::Trs;

namespace {

using Matrices = std::vector<glm::dmat4>;

std::vector<Trs> localsAt(const ck::Character& character, const LiveMoment& moment) {
  const ck::Rig& rig = character.rig;
  if (moment.clip < 0) return ck::sampleClip(rig, ck::Clip{}, 0.0);
  const ck::Clip& clip = character.clips[static_cast<std::size_t>(moment.clip)];
  return ck::sampleClip(rig, clip, clip.startSeconds + moment.seconds);
}

// Along the arc where `arc`, else by normalised lerp along the shorter way.
void blend(std::vector<Trs>& a, const std::vector<Trs>& b, const std::vector<float>& weights,
           bool arc) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double t = static_cast<double>(weights[j]);
    a[j].translation = glm::mix(a[j].translation, b[j].translation, t);
    const glm::dquat& from = a[j].rotation;
    const glm::dquat to = glm::dot(from, b[j].rotation) < 0.0 ? -b[j].rotation : b[j].rotation;
    a[j].rotation =
        arc ? ck::slerpShortest(from, to, t) : glm::normalize(from * (1.0 - t) + to * t);
    a[j].scale = glm::mix(a[j].scale, b[j].scale, t);
  }
}

std::vector<Trs> closedLocals(const ck::Character& character, const LiveMoment& moment) {
  std::vector<Trs> locals = localsAt(character, moment);
  if (moment.closing > 0.0f) {
    std::vector<Trs> first = localsAt(character, {moment.clip, 0.0, 0.0f});
    const ck::Clip& clip = character.clips[static_cast<std::size_t>(moment.clip)];
    // Properties that step are held until the end.
    if (moment.closing < 1.0f) ck::holdSteps(clip, clip.startSeconds + moment.seconds, first);
    blend(locals, first, std::vector<float>(locals.size(), moment.closing), true);
  }
  return locals;
}

// The pose by the reference, in double and along true arcs.
Matrices expected(const ck::Character& character, const LivePose& pose,
                  const std::vector<std::vector<float>>& masks) {
  std::vector<Trs> locals = closedLocals(character, pose.first);
  const auto mask = pose.mask < 0 ? std::vector<float>() : masks.at(std::size_t(pose.mask));
  if (pose.blend > 0.0f && pose.second.clip >= 0) {
    std::vector<float> weights(locals.size(), pose.blend);
    for (std::size_t j = 0; j < mask.size(); ++j) weights[j] *= mask[j];
    blend(locals, closedLocals(character, pose.second), weights, false);
  }
  return ck::globalMatrices(character.rig, locals);
}

// The farthest that any number of a posed matrix is from the reference's.
double largestError(const ck::Character& character, const LivePoser& poser,
                    const std::vector<LivePose>& poses,
                    const std::vector<std::vector<float>>& masks = {}) {
  const std::size_t perPose = poser.posedJoints().size() * 3;
  std::vector<glm::vec4> rows(poses.size() * perPose, glm::vec4(1e9f));
  poser.pose(poses, rows);
  double worst = 0.0;
  for (std::size_t p = 0; p < poses.size(); ++p) {
    const Matrices reference = expected(character, poses[p], masks);
    for (std::size_t i = 0; i < poser.posedJoints().size(); ++i) {
      const auto joint = static_cast<std::size_t>(poser.posedJoints()[i]);
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
          const double is = rows[p * perPose + i * 3 + static_cast<std::size_t>(row)][column];
          worst = std::max(worst, std::abs(is - reference[joint][column][row]));
        }
      }
    }
  }
  return worst;
}

// Poses of all clips in turn, before, within and after their keys; numbers follow from the index.
std::vector<LivePose> manyPoses(const ck::Character& character, int count, bool fades) {
  std::vector<LivePose> poses;
  const int clips = static_cast<int>(character.clips.size());
  for (int i = 0; i < count; ++i) {
    const auto momentOf = [&](int clip, int seed) {
      const double length = character.clips[static_cast<std::size_t>(clip)].durationSeconds;
      const double along = static_cast<double>(seed * 37 % 101) / 95.0 - 0.02;
      return LiveMoment{clip, length * along,
                        seed % 5 == 0 ? static_cast<float>(seed % 7) / 7.0f : 0.0f};
    };
    LivePose pose;
    pose.first = momentOf(i * 7 % clips, i);
    if (fades && i % 3 != 0) {
      pose.second = momentOf((i * 5 + 1) % clips, i + 13);
      pose.blend = static_cast<float>(i % 11) / 10.0f;
    }
    poses.push_back(pose);
  }
  return poses;
}

ck::Track<glm::quat> turns(ck::Interpolation interpolation, std::vector<double> times) {
  ck::Track<glm::quat> track{interpolation, std::move(times), {}};
  for (std::size_t k = 0; k < track.times.size(); ++k) {
    const glm::quat value =
        glm::angleAxis(0.5f * static_cast<float>(k), glm::vec3(0.0f, 0.6f, 0.8f));
    const glm::quat tangent(0.0f, 0.1f, -0.2f, 0.3f);
    if (interpolation == ck::Interpolation::Cubic) track.values.push_back(tangent);
    // A spline takes its keys as they are; everything else goes the shorter way.
    const bool turned = k % 2 == 1 && interpolation != ck::Interpolation::Cubic;
    track.values.push_back(turned ? -value : value);
    if (interpolation == ck::Interpolation::Cubic) track.values.push_back(tangent);
  }
  return track;
}

}  // namespace

class tst_live_poser : public QObject {
  Q_OBJECT

 private slots:
  void restsWithoutAClip() {
    const ck::Character limb = ck::test::swingingLimb();
    const LivePoser poser(limb.rig, limb.clips);
    QVERIFY(largestError(limb, poser, {LivePose{}, LivePose{}}) < 1e-6);
  }

  void posesNobody() {
    const ck::Character limb = ck::test::swingingLimb();
    const LivePoser poser(limb.rig, limb.clips);
    poser.pose({}, {});
  }

  void agreesWithTheReference_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("fades");
    for (const int count : {1, 7, 8, 9, 203}) {
      QTest::addRow("%d actors", count) << count << false;
      QTest::addRow("%d fading actors", count) << count << true;
    }
  }
  void agreesWithTheReference() {
    QFETCH(int, count);
    QFETCH(bool, fades);
    const ck::Character limb = ck::test::swingingLimb();
    const LivePoser poser(limb.rig, limb.clips);
    const double error = largestError(limb, poser, manyPoses(limb, count, fades));
    QVERIFY2(error < 2e-4, qPrintable(QString::number(error)));
  }

  void readsEveryInterpolation_data() {
    QTest::addColumn<int>("interpolation");
    QTest::addColumn<bool>("even");
    for (const bool even : {true, false}) {
      const char* keys = even ? "even" : "uneven";
      QTest::addRow("step, %s keys", keys) << int(ck::Interpolation::Step) << even;
      QTest::addRow("linear, %s keys", keys) << int(ck::Interpolation::Linear) << even;
      QTest::addRow("cubic, %s keys", keys) << int(ck::Interpolation::Cubic) << even;
    }
  }
  void readsEveryInterpolation() {
    QFETCH(int, interpolation);
    QFETCH(bool, even);
    ck::Character bar = ck::test::barCharacter();
    const std::vector<double> times =
        even ? std::vector<double>{2.0, 2.5, 3.0, 3.5} : std::vector<double>{2.0, 2.2, 3.1, 3.5};
    ck::Clip clip;
    clip.name = "Keys";
    clip.startSeconds = 2.0;
    clip.durationSeconds = 1.5;
    clip.jointTracks = {{.joint = 1,
                         .translation = {},
                         .rotation = turns(static_cast<ck::Interpolation>(interpolation), times),
                         .scale = {}}};
    bar.clips = {clip};
    const LivePoser poser(bar.rig, bar.clips);
    const double error = largestError(bar, poser, manyPoses(bar, 64, false));
    QVERIFY2(error < 2e-4, qPrintable(QString::number(error)));
  }

  // At the end of 8 hours a float of seconds has steps of 2 ms: 20 mm at 10 m/s.
  void longClipsMoveEvenly_data() {
    QTest::addColumn<int>("interpolation");
    QTest::addColumn<bool>("even");
    for (const bool even : {true, false}) {
      const char* keys = even ? "even" : "uneven";
      QTest::addRow("linear, %s keys", keys) << int(ck::Interpolation::Linear) << even;
      QTest::addRow("cubic, %s keys", keys) << int(ck::Interpolation::Cubic) << even;
      QTest::addRow("step, %s keys", keys) << int(ck::Interpolation::Step) << even;
    }
  }
  void longClipsMoveEvenly() {
    QFETCH(int, interpolation);
    QFETCH(bool, even);
    constexpr double kHours = 8.0 * 3600.0;
    ck::Track<glm::vec3> track;
    track.interpolation = static_cast<ck::Interpolation>(interpolation);
    for (double time = 0.0; time <= kHours; time += even                   ? 0.25
                                                    : time < kHours - 60.0 ? 1.5
                                                                           : 0.25) {
      const bool there = track.times.size() % 2 == 0;
      const std::vector<glm::vec3> spline{
          glm::vec3(0.0f), glm::vec3(there ? 0.0f : 2.5f, 0.0f, 0.0f), glm::vec3(0.0f)};
      track.times.push_back(time);
      if (track.interpolation == ck::Interpolation::Cubic) {
        track.values.insert(track.values.end(), spline.begin(), spline.end());
      } else {
        track.values.push_back(spline[1]);
      }
    }
    ck::Character bar = ck::test::barCharacter();
    ck::Clip clip;
    clip.name = "Night";
    clip.startSeconds = 100.0;
    clip.durationSeconds = kHours;
    for (double& time : track.times) time += clip.startSeconds;
    clip.jointTracks = {{.joint = 1, .translation = track, .rotation = {}, .scale = {}}};
    bar.clips = {clip};
    std::vector<LivePose> poses;
    for (int i = 0; i < 4000; ++i) {
      LivePose pose;
      pose.first = {0, kHours - 20.0 + i * 0.004567, 0.0f};
      poses.push_back(pose);
    }
    const double error = largestError(bar, LivePoser(bar.rig, bar.clips), poses);
    QVERIFY2(error < 1e-5, qPrintable(QString("%1 m").arg(error)));
  }

  void masksTheSecondClip() {
    const ck::Character limb = ck::test::swingingLimb();
    LivePoser poser(limb.rig, limb.clips);
    std::vector<float> upper(limb.rig.joints.size(), 0.0f);
    for (std::size_t j = upper.size() / 2; j < upper.size(); ++j) upper[j] = 1.0f;
    upper.back() = 0.5f;
    const std::vector<std::vector<float>> masks{upper,
                                                std::vector<float>(limb.rig.joints.size(), 0.3f)};
    poser.setMasks(masks);
    // Neighbours that share a batch have other masks, or none.
    std::vector<LivePose> poses = manyPoses(limb, 50, true);
    for (std::size_t p = 0; p < poses.size(); ++p) poses[p].mask = static_cast<int>(p % 3) - 1;
    const double error = largestError(limb, poser, poses, masks);
    QVERIFY2(error < 2e-4, qPrintable(QString::number(error)));
    poser.setMasks({});
    QVERIFY2(largestError(limb, poser, poses, masks) > 1e-2, "a mask that changes nothing");
  }

  void masksNameJoints() {
    ck::Rig rig;
    for (const auto& [name, parent] :
         {std::pair("hips", -1), {"spine", 0}, {"arm", 1}, {"hand", 2}, {"leg", 0}, {"head", 1}}) {
      rig.joints.push_back({.name = name, .parent = parent, .rest = {}});
    }
    const std::vector<float> none(6, 0.0f);
    QCOMPARE(ck::maskWeights(rig, {}), none);
    QCOMPARE(ck::maskWeights(rig, {"lost", {{"tail"}}}), none);
    const ck::JointMask upper{
        "upper", {{"spine"}, {"arm", 0.5f}, {"hand", 0.25f, false}, {"hips", 2.0f, false}}};
    QCOMPARE(ck::maskWeights(rig, upper), (std::vector{1.0f, 1.0f, 0.5f, 0.25f, 0.0f, 1.0f}));
    const std::vector<float> weights{0.0f, 1.0f, 0.5f, 0.5f, 0.0f, 0.0f};
    const auto parts = ck::maskPartsOf(rig, weights);
    QCOMPARE(parts.size(), std::size_t{3});
    QCOMPARE(ck::maskWeights(rig, {"same", parts}), weights);
  }

  void givesTheSameOnAnyNumberOfThreads() {
    const ck::Character limb = ck::test::swingingLimb();
    const LivePoser poser(limb.rig, limb.clips);
    const std::vector<LivePose> poses = manyPoses(limb, 333, true);
    std::vector<glm::vec4> one(poses.size() * poser.posedJoints().size() * 3);
    std::vector<glm::vec4> two = one;
    ck::JobContext job;
    job.threadCount = 1;
    poser.pose(poses, one, job);
    job.threadCount = 4;
    poser.pose(poses, two, job);
    QVERIFY(one == two);
  }

  void posesTheSample() {
    ck::test::useBuiltImportWorker();
    const auto sample = ck::importCharacter(ck::test::sampleHumanoid());
    QVERIFY(sample.has_value());
    const LivePoser poser(sample->rig, sample->clips);
    const double error = largestError(*sample, poser, manyPoses(*sample, 120, true));
    QVERIFY2(error < 5e-4, qPrintable(QString::number(error)));
  }
};

CK_TEST(tst_live_poser)
#include "tst_live_poser.moc"
