#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "core/anim/clip_sampler.h"
#include "core/anim/edited_clip.h"
#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/bake/bake_window.h"
#include "core/error/bake_error.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::ClipEdit;
using ck::Trim;

namespace {

const ck::RootEdit kStripped{.motion = ck::RootMotion::Strip};

// The limb with a clip that swings all joints at 30 keys a second and walks its root ahead, to the
// side and up, under a parent that is turned and scaled.
ck::Character walkingLimb() {
  ck::Character limb = ck::test::limbCharacter();
  limb.rig.joints[0].preTransform =
      ck::toMatrix({.translation = {0.4, 0.0, -1.0},
                    .rotation = glm::angleAxis(1.1, glm::normalize(glm::dvec3(1.0, 2.0, 0.5))),
                    .scale = glm::dvec3(0.5)});
  ck::Clip clip = ck::test::swingClip(limb, {.name = "Walk", .startSeconds = 0.25});
  ck::Track<glm::vec3>& root = clip.jointTracks[0].translation;
  for (std::size_t key = 0; key < root.times.size(); ++key) {
    const auto t = static_cast<float>(key) / 30.0f;
    root.values[key] += glm::vec3(1.4f * t, 0.1f * t, -0.6f * t * t);
  }
  limb.clips = {clip};
  return limb;
}

template <class Value>
void makeSpline(ck::Track<Value>& track, float slope) {
  std::vector<Value> values;
  for (const Value& value : track.values) {
    values.insert(values.end(), {value * slope, value, value * -slope});
  }
  track.values = values;
  track.interpolation = ck::Interpolation::Cubic;
}

ck::Character characterOf(const QString& kind) {
  ck::Character limb = walkingLimb();
  for (ck::JointTracks& tracks : limb.clips[0].jointTracks) {
    if (kind == "steps") {
      tracks.rotation.interpolation = ck::Interpolation::Step;
      tracks.translation.interpolation = ck::Interpolation::Step;
    }
    if (kind == "splines") {
      makeSpline(tracks.rotation, 0.7f);
      makeSpline(tracks.translation, 0.4f);
    }
  }
  return limb;
}

double largestDifference(const std::vector<glm::dmat4>& a, const std::vector<glm::dmat4>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (int c = 0; c < 4; ++c) {
      for (int r = 0; r < 4; ++r) largest = std::max(largest, std::abs(a[i][c][r] - b[i][c][r]));
    }
  }
  return largest;
}

// Joint places of a clip in model space.
std::vector<glm::dvec3> placesAt(const ck::Character& character, const ck::Clip& clip,
                                 double seconds) {
  std::vector<glm::dvec3> places;
  for (const glm::dmat4& m :
       ck::globalMatrices(character.rig, ck::sampleClip(character.rig, clip, seconds))) {
    places.emplace_back(m[3]);
  }
  return places;
}

// A made track: keys at random times within [0, `length`] seconds, so that most tracks begin and
// end inside a clip of that length.
template <class Value, class Make>
ck::Track<Value> madeTrack(std::mt19937& random, double length, Make&& make) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  ck::Track<Value> track;
  track.interpolation = static_cast<ck::Interpolation>(random() % 3);
  std::vector<double> times(1 + random() % 6);
  for (double& time : times) time = std::round(unit(random) * length * 1000.0) / 1000.0;
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const bool cubic = track.interpolation == ck::Interpolation::Cubic;
  for (std::size_t key = 0; key < times.size(); ++key) {
    if (cubic) track.values.push_back(make(0.0f));
    track.values.push_back(make(1.0f));
    if (cubic) track.values.push_back(make(0.0f));
  }
  track.times = std::move(times);
  return track;
}

double distance(double a, double b) {
  return std::abs(a - b);
}
double distance(const glm::dvec3& a, const glm::dvec3& b) {
  return glm::distance(a, b);
}
double distance(const glm::dquat& a, const glm::dquat& b) {
  return std::min(glm::length(a - b), glm::length(a + b));
}

// The largest difference of two tracks over [start, end], at many moments and at both ends. A step
// is passed over by 1e-6 s on either side, because the moment of a step is one value or the other.
template <class Value>
double largestGap(const ck::Track<Value>& whole, const ck::Track<Value>& cut, const Trim& trim) {
  double largest = 0.0;
  constexpr int kMoments = 600;
  const double length = trim.endSeconds - trim.startSeconds;
  for (int i = 0; i <= kMoments; ++i) {
    const double time = std::min(trim.startSeconds + length * i / kMoments, trim.endSeconds);
    const bool steps = whole.interpolation == ck::Interpolation::Step;
    const auto atStep = [&](double key) { return steps && std::abs(key - time) < 1e-6; };
    if (std::ranges::any_of(whole.times, atStep)) continue;
    largest = std::max(largest, distance(ck::sampleTrack(whole, time), ck::sampleTrack(cut, time)));
  }
  return largest;
}

}  // namespace

class tst_edited_clip : public QObject {
  Q_OBJECT
 private slots:
  void rejectsShapesThatDoNotFit_data() {
    QTest::addColumn<double>("start");
    QTest::addColumn<double>("end");
    QTest::addColumn<double>("rate");
    QTest::addColumn<QString>("says");
    const double none = std::nan("");
    QTest::newRow("a cut that begins before the clip") << 0.1 << 0.5 << 1.0 << "0.2500 .. 1.2500";
    QTest::newRow("a cut that ends behind the clip") << 0.3 << 1.3 << 1.0 << "0.2500 .. 1.2500";
    QTest::newRow("a cut of no length") << 0.5 << 0.5 << 1.0 << "cannot be cut";
    QTest::newRow("a cut that ends before it begins") << 0.6 << 0.5 << 1.0 << "cannot be cut";
    QTest::newRow("a cut at no time") << none << 0.5 << 1.0 << "cannot be cut";
    QTest::newRow("a rate of 0") << 0.3 << 0.5 << 0.0 << "0 times as fast";
    QTest::newRow("a rate below 0") << 0.3 << 0.5 << -1.0 << "-1 times as fast";
    QTest::newRow("a rate that is no number") << 0.3 << 0.5 << none << "times as fast";
  }
  void rejectsShapesThatDoNotFit() {
    QFETCH(double, start);
    QFETCH(double, end);
    QFETCH(double, rate);
    QFETCH(QString, says);
    const ck::Character limb = walkingLimb();
    const auto shaped =
        ck::editedClip(limb, limb.clips[0], {.trim = Trim{start, end}, .rate = rate});
    QVERIFY(!shaped);
    QCOMPARE(shaped.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY2(QString::fromStdString(shaped.error().message).contains(says),
             shaped.error().message.c_str());
    ck::BakeSettings settings;
    settings.clips = {{.name = "Walk", .edit = {.trim = Trim{start, end}, .rate = rate}}};
    QVERIFY(!ck::bake(limb, settings));
  }

  void rejectsTwoClipsOfOneName() {
    const ck::Character bar = ck::test::barCharacter();
    ck::BakeSettings settings;
    settings.clips = {{.name = "Bend"}, {.name = "Twist", .title = "Bend"}};
    const auto baked = ck::bake(bar, settings);
    QVERIFY(!baked);
    QVERIFY(baked.error().message.find("both be called 'Bend'") != std::string::npos);
  }

  void plainShapeChangesNothing() {
    const ck::Character limb = walkingLimb();
    const auto shaped = ck::editedClip(limb, limb.clips[0], {});
    QVERIFY(shaped);
    QVERIFY(*shaped == limb.clips[0]);
  }

  // The witness is the clip of the file, sampled at the moment that the shape stands for.
  void cutAndRetimedClipMovesAsItsSource_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<double>("start");
    QTest::addColumn<double>("end");
    QTest::addColumn<double>("rate");
    for (const char* kind : {"lines", "splines", "steps"}) {
      QTest::addRow("%s cut at keys", kind) << kind << 0.25 + 4 / 30.0 << 0.25 + 20 / 30.0 << 1.0;
      QTest::addRow("%s cut between keys", kind) << kind << 0.4111 << 0.97531 << 1.0;
      QTest::addRow("%s cut within one step", kind) << kind << 0.2551 << 0.2741 << 1.0;
      QTest::addRow("%s twice as fast", kind) << kind << 0.25 << 1.25 << 2.0;
      QTest::addRow("%s cut and slower", kind) << kind << 0.3 << 1.1 << 0.37;
    }
  }
  void cutAndRetimedClipMovesAsItsSource() {
    QFETCH(QString, kind);
    QFETCH(double, start);
    QFETCH(double, end);
    QFETCH(double, rate);
    const ck::Character limb = characterOf(kind);
    const ck::Clip& source = limb.clips[0];
    const auto shaped = ck::editedClip(limb, source, {.trim = Trim{start, end}, .rate = rate});
    QVERIFY(shaped);
    QCOMPARE(shaped->startSeconds, start);
    QVERIFY(std::abs(shaped->durationSeconds - (end - start) / rate) < 1e-12);
    const auto times = ck::keyTimes(*shaped);
    QVERIFY(std::abs(times.front() - start) < 1e-9);
    QVERIFY(std::abs(times.back() - start - shaped->durationSeconds) < 1e-9);
    for (int i = 0; i <= 200; ++i) {
      // Not on keys, where a step is one value or the other.
      const double at = (end - start) * (i + 0.013) / 200.1;
      const auto wanted = ck::skinMatricesAt(limb.rig, source, start + at);
      const auto got = ck::skinMatricesAt(limb.rig, *shaped, start + at / rate);
      const double off = largestDifference(wanted, got);
      QVERIFY2(off < 3e-6, qPrintable(QString("%1 off after %2 s").arg(off).arg(at)));
    }
  }

  // The first key's in-tangent and the last key's out-tangent lead nowhere in the file.
  void cutHoldsTracksThatBeginOrEndInsideIt() {
    ck::Character bar = ck::test::barCharacter();
    ck::Clip& clip = bar.clips[0];
    clip.startSeconds = 0.0;
    clip.durationSeconds = 2.0;
    const glm::vec3 fast(1.0f, 0.0f, 0.0f);
    const glm::vec3 still(0.0f);
    clip.jointTracks = {{.joint = 1,
                         .translation = {ck::Interpolation::Cubic,
                                         {0.5, 1.5},
                                         {fast, still, still, still, still, fast}},
                         .rotation = {},
                         .scale = {}}};
    for (const Trim trim : {Trim{0.0, 2.0}, Trim{0.1, 1.9}, Trim{0.1, 1.0}, Trim{1.0, 1.9}}) {
      const auto shaped = ck::editedClip(bar, clip, {.trim = trim});
      QVERIFY(shaped);
      const double gap =
          largestGap(clip.jointTracks[0].translation, shaped->jointTracks[0].translation, trim);
      QVERIFY2(gap < 1e-6, qPrintable(QString("%1 m").arg(gap)));
    }
  }

  void randomTracksAreCutExactly() {
    std::mt19937 random(13);
    std::uniform_real_distribution<float> number(-1.0f, 1.0f);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    const ck::Character bar = ck::test::barCharacter();
    for (int round = 0; round < 2000; ++round) {
      const double length = 0.2 + 3.0 * unit(random);
      const auto vector = [&](float) {
        return glm::vec3(number(random), number(random), number(random));
      };
      // Splines of rotations stay far from length 0, where a direction means nothing.
      const auto turn = [&](float real) {
        return glm::quat(real, 0.3f * number(random), 0.3f * number(random), 0.3f * number(random));
      };
      ck::Clip clip;
      clip.name = "Made";
      clip.durationSeconds = length;
      clip.jointTracks = {{.joint = 1,
                           .translation = madeTrack<glm::vec3>(random, length, vector),
                           .rotation = madeTrack<glm::quat>(random, length, turn),
                           .scale = madeTrack<glm::vec3>(random, length, vector)}};
      clip.morphTracks = {
          {.mesh = 0, .target = 0, .weight = madeTrack<float>(random, length, [&](float) {
                                     return number(random);
                                   })}};
      const ck::JointTracks& whole = clip.jointTracks[0];
      Trim trim{unit(random) * length, unit(random) * length};
      // Every third trim begins at a key, every fifth ends at one.
      if (round % 3 == 0) trim.startSeconds = whole.translation.times.front();
      if (round % 5 == 0) trim.endSeconds = whole.rotation.times.back();
      if (trim.startSeconds > trim.endSeconds) std::swap(trim.startSeconds, trim.endSeconds);
      if (trim.endSeconds - trim.startSeconds < 0.01) continue;
      const auto shaped = ck::editedClip(bar, clip, {.trim = trim});
      QVERIFY(shaped);
      const ck::JointTracks& cut = shaped->jointTracks[0];
      const double gap = std::max(
          {largestGap(whole.translation, cut.translation, trim),
           largestGap(whole.rotation, cut.rotation, trim), largestGap(whole.scale, cut.scale, trim),
           largestGap(clip.morphTracks[0].weight, shaped->morphTracks[0].weight, trim)});
      QVERIFY2(gap < 1e-6, qPrintable(QString("%1 in round %2").arg(gap).arg(round)));
    }
  }

  // A key that decimals miss by less than 1e-9 s is the key.
  void stepsAtTheEndsOfTheTrimAreKept() {
    const ck::Character bar = ck::test::barCharacter();
    ck::Clip clip;
    clip.name = "Steps";
    clip.durationSeconds = 3.0;
    clip.jointTracks = {{.joint = 1,
                         .translation = {ck::Interpolation::Step,
                                         {0.0, 1.0 + 5e-10, 2.0 + 5e-10},
                                         {glm::vec3(0.0f), glm::vec3(1.0f), glm::vec3(2.0f)}},
                         .rotation = {},
                         .scale = {}}};
    const auto shaped = ck::editedClip(bar, clip, {.trim = Trim{1.0, 2.0}});
    QVERIFY(shaped);
    const ck::Track<glm::vec3>& cut = shaped->jointTracks[0].translation;
    QCOMPARE(cut.values, (std::vector{glm::vec3(1.0f), glm::vec3(2.0f)}));
  }

  // The witness: every joint is where it was, less the way of the root over the ground.
  void clipInPlaceKeepsEverythingButItsWay_data() {
    QTest::addColumn<QString>("kind");
    QTest::newRow("lines") << "lines";
    QTest::newRow("splines") << "splines";
    QTest::newRow("steps") << "steps";
  }
  void clipInPlaceKeepsEverythingButItsWay() {
    QFETCH(QString, kind);
    const ck::Character limb = characterOf(kind);
    const ck::Clip& source = limb.clips[0];
    QCOMPARE(ck::travellingJoint(limb.rig, source), 0);
    const double start = 0.31;
    const auto shaped = ck::editedClip(limb, source, {.trim = Trim{start, 1.2}, .root = kStripped});
    QVERIFY(shaped);
    const glm::dvec3 first = placesAt(limb, source, start)[0];
    double farthest = 0.0;
    for (int i = 0; i <= 100; ++i) {
      const double time = start + 0.89 * i / 100.0;
      const auto before = placesAt(limb, source, time);
      const auto after = placesAt(limb, *shaped, time);
      const glm::dvec3 way(before[0].x - first.x, 0.0, before[0].z - first.z);
      farthest = std::max(farthest, glm::length(way));
      for (std::size_t j = 0; j < before.size(); ++j) {
        QVERIFY(glm::distance(after[j], before[j] - way) < 2e-6);
      }
    }
    QVERIFY(farthest > 0.3);
  }

  void waySpeedBecomesGroundSpeed() {
    ck::Character bar = ck::test::barCharacter();
    ck::JointTracks tracks;
    tracks.joint = 0;
    tracks.translation.times = {0.0, 1.0};
    tracks.translation.values = {{0.0f, 0.0f, 0.0f}, {0.3f, 0.0f, 1.5f}};
    bar.clips[0].jointTracks.push_back(tracks);
    const auto shaped = ck::editedClip(bar, bar.clips[0], {.rate = 2.0, .root = kStripped});
    QVERIFY(shaped);
    QVERIFY(std::abs(shaped->groundSpeedMetersPerSecond - 3.0) < 1e-6);
    // A clip that is in place already stays as it is.
    QCOMPARE(ck::travellingJoint(bar.rig, bar.clips[1]), -1);
    QVERIFY(*ck::editedClip(bar, bar.clips[1], {.root = kStripped}) == bar.clips[1]);
  }

  // The atlas against the source clip of the file, by hand: decoded frames at the times that the
  // shape gives them.
  void atlasHoldsTheShape() {
    const ck::Character limb = walkingLimb();
    const double start = 0.25 + 3.0 / 30.0;
    const double end = 0.25 + 24.0 / 30.0;
    ck::BakeSettings settings;
    settings.clips = {{.name = "Walk",
                       .title = "Stroll",
                       .edit = {.trim = Trim{start, end}, .rate = 1.5, .root = kStripped}}};
    const auto baked = ck::bake(limb, settings);
    QVERIFY(baked);
    const ck::AtlasClip& clip = baked->atlas.clips.at(0);
    QCOMPARE(clip.name, std::string("Stroll"));
    QCOMPARE(clip.sourceName, std::string("Walk"));
    QCOMPARE(clip.frameCount, 22);
    QVERIFY(std::abs(clip.durationSeconds - 0.7 / 1.5) < 1e-9);
    QCOMPARE(clip.startSeconds, start);
    const glm::dvec3 first = placesAt(limb, limb.clips[0], start)[0];
    for (int frame = 0; frame < clip.frameCount; ++frame) {
      const double time = start + frame / 30.0;
      // As docs/atlas-json.md has it: the duration is as played.
      const double stated =
          clip.startSeconds + frame * clip.durationSeconds * clip.edit.rate / 21.0;
      QVERIFY(std::abs(stated - time) < 1e-9);
      const glm::dvec3 root = placesAt(limb, limb.clips[0], time)[0];
      auto wanted = ck::skinMatricesAt(limb.rig, limb.clips[0], time);
      for (glm::dmat4& m : wanted) {
        m[3].x -= root.x - first.x;
        m[3].z -= root.z - first.z;
      }
      const auto got = ck::atlasSkinMatrices(baked->atlas, 0, frame / 21.0, ck::Reading::Palette);
      QVERIFY(largestDifference(wanted, got) < 2e-4);
    }
    const auto error = ck::measureBakeError(limb, baked->atlas);
    QVERIFY(error);
    QVERIFY2(error->palette.shell.max < 1.0, qPrintable(QString::number(error->palette.shell.max)));
    QVERIFY(error->palette.shell.worstTimeSeconds >= start &&
            error->palette.shell.worstTimeSeconds <= end);
    QCOMPARE(error->palette.shell.worstClip, std::string("Stroll"));
    // Taken as another part of the clip it does not fit.
    ck::Atlas other = baked->atlas;
    other.clips[0].edit.trim->startSeconds += 0.1;
    QVERIFY(!ck::measureBakeError(limb, other));
  }

  void walkPutInPlaceCloses() {
    ck::Character limb = ck::test::limbCharacter();
    ck::Clip clip = ck::test::swingClip(limb, {.name = "Walk"});
    ck::Track<glm::vec3>& root = clip.jointTracks[0].translation;
    for (std::size_t key = 0; key < root.times.size(); ++key) {
      root.values[key].z += 1.4f * static_cast<float>(key) / 30.0f;
    }
    limb.clips = {clip};
    const auto walking = ck::planWindow(limb, {.name = "Walk"}, {});
    QCOMPARE(walking->measured, ck::Seam::None);
    for (const double rate : {1.0, 0.2, 3.0}) {
      const auto inPlace =
          ck::planWindow(limb, {.name = "Walk", .edit = {.rate = rate, .root = kStripped}}, {});
      QCOMPARE(inPlace->measured, ck::Seam::Inclusive);
      QCOMPARE(inPlace->loop, ck::LoopMode::Loop);
      QVERIFY(std::abs(inPlace->durationSeconds - 1.0 / rate) < 1e-9);
    }
  }

  void seamIsAsTheArtistSays() {
    const ck::Character limb = ck::test::swingingLimb();
    const auto open = ck::planWindow(limb, {.name = "Open end", .seam = ck::SeamChoice::None}, {});
    QCOMPARE(open->measured, ck::Seam::Exclusive);
    QCOMPARE(open->seam, ck::Seam::None);
    QCOMPARE(open->loop, ck::LoopMode::Once);
    const auto closed =
        ck::planWindow(limb, {.name = "Away", .seam = ck::SeamChoice::Exclusive}, {});
    QCOMPARE(closed->seam, ck::Seam::Exclusive);
    QVERIFY(std::abs(closed->closingSeconds - 1.0 / 30.0) < 1e-9);
  }
};

CK_TEST(tst_edited_clip)
#include "tst_edited_clip.moc"
