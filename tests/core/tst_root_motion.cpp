#include <QTest>
#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <random>

#include "core/anim/clip_sampler.h"
#include "core/anim/edited_clip.h"
#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/bake/bake_window.h"
#include "core/crowd/crowd.h"
#include "tests/support/test_program.h"

using ck::ClipEdit;
using ck::GroundMotion;
using ck::RootMotion;

namespace {

constexpr double kPi = glm::pi<double>();
constexpr double kCycleSeconds = 1.0;
constexpr double kStartSeconds = 0.5;

const ClipEdit kExtracted{.root = {.motion = RootMotion::Extract}};

// How the made figure walks: on a circle to its left, `turn` radians a cycle.
struct Walk {
  double radius = 2.0;
  double turn = 0.7;
  int keys = 31;
  ck::Interpolation interpolation = ck::Interpolation::Linear;
  bool closes = true;  // the last key is the first pose; else one step is missing
};

glm::dmat4 translation(const glm::dvec3& v) {
  glm::dmat4 m(1.0);
  m[3] = glm::dvec4(v, 1.0);
  return m;
}

glm::dmat4 about(double radians, const glm::dvec3& axis) {
  return glm::dmat4(glm::mat4_cast(glm::angleAxis(radians, axis)));
}

// The witness: where the walk has come to after so many cycles, as a matrix, by the circle.
glm::dmat4 circle(const Walk& walk, double cycles) {
  const double angle = walk.turn * cycles;
  return translation({walk.radius * (1.0 - std::cos(angle)), 0.0, walk.radius * std::sin(angle)}) *
         about(angle, {0.0, 1.0, 0.0});
}

// The pose of the hips in place: they sway and nod, and come back to where they were.
glm::dmat4 swayed(double cycles) {
  const double angle = 2.0 * kPi * cycles;
  return translation({0.02 * std::sin(angle), 1.0 + 0.03 * std::cos(2.0 * angle), 0.0}) *
         about(0.1 * std::sin(angle), {1.0, 0.0, 0.0});
}

// Hips below a node in centimetres with Z up, a leg, and a hat that is no child of them but goes
// along; a vertex for each.
ck::Character walker(const Walk& walk) {
  ck::Character figure;
  figure.name = "walker";
  const glm::dmat4 pre = about(-0.5 * kPi, {1.0, 0.0, 0.0}) * glm::dmat4(glm::dmat3(0.01));
  figure.rig.joints = {
      {"Hips", -1, pre, {}}, {"Leg", 0, glm::dmat4(1.0), {}}, {"Hat", -1, pre, {}}};
  figure.rig.joints[1].rest.translation = {0.0, 0.0, -50.0};
  ck::Clip clip;
  clip.name = "Walk";
  clip.startSeconds = kStartSeconds;
  clip.durationSeconds = walk.closes ? kCycleSeconds : kCycleSeconds * (walk.keys - 1) / walk.keys;
  const glm::dmat4 fromModel = glm::inverse(pre);
  for (const int joint : {0, 1, 2}) {
    ck::JointTracks tracks;
    tracks.joint = joint;
    tracks.rotation.interpolation = tracks.translation.interpolation = walk.interpolation;
    glm::dquat before(1.0, 0.0, 0.0, 0.0);
    for (int key = 0; key < walk.keys; ++key) {
      const double cycles = static_cast<double>(key) / (walk.closes ? walk.keys - 1 : walk.keys);
      const double seconds = kStartSeconds + cycles * kCycleSeconds;
      glm::dmat4 local = translation({0.0, 0.0, -50.0}) *
                         about(0.4 * std::sin(2.0 * kPi * cycles), {1.0, 0.0, 0.0});
      if (joint != 1) {
        const glm::dvec3 above(0.0, joint == 2 ? 0.8 : 0.0, 0.0);
        local = fromModel * circle(walk, cycles) * translation(above) * swayed(cycles) * pre;
      }
      glm::dquat rotation = ck::rotationOf(glm::dmat3(local));
      if (glm::dot(rotation, before) < 0.0) rotation = -rotation;
      before = rotation;
      tracks.rotation.times.push_back(seconds);
      tracks.translation.times.push_back(seconds);
      const bool cubic = walk.interpolation == ck::Interpolation::Cubic;
      const glm::vec3 place(local[3]);
      if (cubic) tracks.rotation.values.emplace_back(0.0f, 0.0f, 0.0f, 0.0f);
      if (cubic) tracks.translation.values.emplace_back(0.0f);
      tracks.rotation.values.emplace_back(rotation);
      tracks.translation.values.push_back(place);
      if (cubic) tracks.rotation.values.emplace_back(0.0f, 0.0f, 0.0f, 0.0f);
      if (cubic) tracks.translation.values.emplace_back(0.0f);
    }
    clip.jointTracks.push_back(tracks);
  }
  figure.clips = {clip};
  const std::vector<glm::dmat4> rest = ck::restMatrices(figure.rig);
  ck::Mesh& mesh = figure.meshes.emplace_back();
  mesh.name = "points";
  mesh.influenceStarts = {0};
  for (int joint = 0; joint < 3; ++joint) {
    figure.rig.skinJoints.push_back({joint, glm::inverse(rest[static_cast<std::size_t>(joint)])});
    mesh.positions.emplace_back(rest[static_cast<std::size_t>(joint)][3]);
    mesh.positions.back().x += 0.1f;
    mesh.normals.emplace_back(0.0f, 1.0f, 0.0f);
    mesh.influences.push_back({joint, 1.0f});
    mesh.influenceStarts.push_back(static_cast<std::uint32_t>(joint + 1));
  }
  mesh.indices = {0, 1, 2};
  return figure;
}

std::vector<glm::dmat4> globalsAt(const ck::Character& figure, const ck::Clip& clip,
                                  double seconds) {
  return ck::globalMatrices(figure.rig, ck::sampleClip(figure.rig, clip, seconds));
}

// A turn and a shift, by the words of docs/atlas-json.md.
glm::dmat4 matrixOf(const glm::dvec3& position, double yaw) {
  return translation(position) * about(yaw, {0.0, 1.0, 0.0});
}

// How far apart two matrices take points within a metre of their own origin.
double distance(const glm::dmat4& a, const glm::dmat4& b, double unit) {
  double largest = 0.0;
  for (int axis = 0; axis < 4; ++axis) {
    glm::dvec4 point(0.0, 0.0, 0.0, 1.0);
    if (axis < 3) point[axis] = 1.0 / unit;
    largest = std::max(largest, glm::length(glm::dvec3(a * point - b * point)));
  }
  return largest;
}

// The settings of a bake of clips whose way is extracted.
ck::BakeSettings ofClips(const std::vector<std::string>& names) {
  ck::BakeSettings settings;
  for (const std::string& name : names)
    settings.clips.push_back({.name = name, .edit = kExtracted});
  return settings;
}

}  // namespace

Q_DECLARE_METATYPE(ck::Interpolation)

class tst_root_motion : public QObject {
  Q_OBJECT
 private slots:
  // By the definition: the way times what is left is the source, for every joint, in and out of the
  // root's branch, and the root keeps its place and its heading.
  void wayTimesTheClipInPlaceIsTheSource_data() {
    QTest::addColumn<ck::Interpolation>("interpolation");
    QTest::addColumn<int>("keys");
    QTest::addColumn<double>("between");
    QTest::newRow("lines") << ck::Interpolation::Linear << 31 << 2e-4;
    QTest::newRow("few keys") << ck::Interpolation::Linear << 4 << 1e-3;
    QTest::newRow("splines") << ck::Interpolation::Cubic << 31 << 4e-3;
  }
  void wayTimesTheClipInPlaceIsTheSource() {
    QFETCH(ck::Interpolation, interpolation);
    QFETCH(int, keys);
    QFETCH(double, between);
    const ck::Character figure = walker({.keys = keys, .interpolation = interpolation});
    const ck::Clip& source = figure.clips[0];
    const auto edited = ck::editedClipWithWay(figure, source, kExtracted);
    QVERIFY(edited);
    const std::vector<glm::dmat4> first = globalsAt(figure, source, kStartSeconds);
    double farthest = 0.0;
    for (int i = 0; i <= 240; ++i) {
      const double seconds = kStartSeconds + kCycleSeconds * i / 240.0;
      const GroundMotion way = ck::placeAt(edited->way, seconds);
      const auto before = globalsAt(figure, source, seconds);
      const auto after = globalsAt(figure, edited->clip, seconds);
      const auto& times = source.jointTracks[0].translation.times;
      const bool onKey =
          std::ranges::any_of(times, [&](double time) { return std::abs(time - seconds) < 1e-12; });
      for (std::size_t joint = 0; joint < before.size(); ++joint) {
        const double off =
            distance(matrixOf(way.position, way.yaw) * after[joint], before[joint], 0.01);
        QVERIFY2(off < (onKey ? 2e-6 : between), qPrintable(QString::number(off)));
      }
      farthest = std::max(farthest, glm::length(way.position));
      if (!onKey) continue;
      QVERIFY(std::abs(after[0][3].x - first[0][3].x) < 2e-6);
      QVERIFY(std::abs(after[0][3].z - first[0][3].z) < 2e-6);
      QVERIFY(std::abs(after[0][3].y - before[0][3].y) < 2e-6);
    }
    QVERIFY(farthest > 1.2);
    // The turn of the walk, which the sway of the hips does not change at the end of a cycle.
    QVERIFY(std::abs(edited->way.places.back().yaw - 0.7) < 1e-5);
  }

  void onlyTheAxesOfTheEditAreTakenOut() {
    const ck::Character figure = walker({});
    const ck::Clip& source = figure.clips[0];
    ClipEdit edit = kExtracted;
    edit.root.x = false;
    edit.root.yaw = false;
    const auto edited = ck::editedClipWithWay(figure, source, edit);
    QVERIFY(edited);
    const glm::dvec3 first(globalsAt(figure, source, kStartSeconds)[0][3]);
    for (const double share : {0.2, 0.5, 1.0}) {
      const double seconds = kStartSeconds + share * kCycleSeconds;
      const glm::dvec3 before(globalsAt(figure, source, seconds)[0][3]);
      const glm::dvec3 after(globalsAt(figure, edited->clip, seconds)[0][3]);
      QVERIFY(glm::distance(after, glm::dvec3(before.x, before.y, first.z)) < 2e-6);
      const GroundMotion way = ck::placeAt(edited->way, seconds);
      QVERIFY(glm::distance(way.position, glm::dvec3(0.0, 0.0, before.z - first.z)) < 2e-6);
      QCOMPARE(way.yaw, 0.0);
    }
  }

  void turnsAreCountedOn() {
    const ck::Character figure = walker({.radius = 0.3, .turn = 6.0 * kPi, .keys = 61});
    const auto edited = ck::editedClipWithWay(figure, figure.clips[0], kExtracted);
    QVERIFY(edited);
    QVERIFY(std::abs(edited->way.places.back().yaw - 6.0 * kPi) < 1e-5);
  }

  void rejectsWhatCannotBeTakenOut() {
    const ck::Character steps = walker({.interpolation = ck::Interpolation::Step});
    const auto jumping = ck::editedClip(steps, steps.clips[0], kExtracted);
    QVERIFY(!jumping && jumping.error().message.find("step keys") != std::string::npos);
    ClipEdit lost = kExtracted;
    lost.root.joint = "Tail";
    for (const RootMotion motion : {RootMotion::Extract, RootMotion::Strip}) {
      lost.root.motion = motion;
      const auto none = ck::editedClip(steps, steps.clips[0], lost);
      QVERIFY(!none && none.error().message.find("'Tail'") != std::string::npos);
    }
    ck::Character stretched = walker({});
    stretched.rig.joints[0].preTransform[0] *= 2.0;
    const auto bent = ck::editedClip(stretched, stretched.clips[0], kExtracted);
    QVERIFY(!bent && bent.error().message.find("stretches") != std::string::npos);
  }

  // Every pose and place of the clip that starts later is that of the loop at its own time.
  void aLoopStartsAtAnotherMoment_data() {
    QTest::addColumn<bool>("closes");
    QTest::addColumn<ck::Interpolation>("interpolation");
    QTest::newRow("closed") << true << ck::Interpolation::Linear;
    QTest::newRow("one step short") << false << ck::Interpolation::Linear;
    QTest::newRow("closed splines") << true << ck::Interpolation::Cubic;
  }
  void aLoopStartsAtAnotherMoment() {
    QFETCH(bool, closes);
    QFETCH(ck::Interpolation, interpolation);
    const Walk walk{.interpolation = interpolation, .closes = closes};
    const ck::Character figure = walker(walk);
    for (const double share : {0.3, 1.0 / 3.0, 0.77}) {
      ClipEdit edit = kExtracted;
      const auto whole = ck::editedClipWithWay(figure, figure.clips[0], edit);
      edit.loopOffset = share;
      const auto later = ck::editedClipWithWay(figure, figure.clips[0], edit);
      QVERIFY(whole && later);
      QVERIFY(std::abs(later->clip.durationSeconds - kCycleSeconds) < 1e-9);
      const GroundMotion cut = ck::placeAt(whole->way, kStartSeconds + share);
      for (int i = 0; i <= 100; ++i) {
        const double t = i / 100.0;
        double from = t + share;
        const bool again = from > 1.0;
        if (again) from -= 1.0;
        // Within the step that closes the loop there is no source to compare with.
        if (from > whole->clip.durationSeconds - 1e-9 && !closes) continue;
        const auto due = globalsAt(figure, whole->clip, kStartSeconds + from);
        const auto is = globalsAt(figure, later->clip, kStartSeconds + t);
        for (std::size_t joint = 0; joint < due.size(); ++joint) {
          QVERIFY(distance(is[joint], due[joint], 0.01) < 5e-6);
        }
        // Of the circle, which both sides follow to within what a step of lines cuts off.
        const GroundMotion way = ck::placeAt(later->way, kStartSeconds + t);
        const glm::dmat4 expected = glm::inverse(circle(walk, share)) * circle(walk, share + t);
        QVERIFY(distance(matrixOf(way.position, way.yaw), expected, 1.0) < 0.05);
        if (again) continue;
        const GroundMotion there = ck::placeAt(whole->way, kStartSeconds + from);
        QVERIFY(distance(matrixOf(cut.position, cut.yaw) * matrixOf(way.position, way.yaw),
                         matrixOf(there.position, there.yaw), 1.0) < 1e-6);
      }
      const auto window = ck::planWindow(figure, {.name = "Walk", .edit = edit}, {});
      QVERIFY(window);
      QVERIFY(window->seam == ck::Seam::Inclusive && window->loop == ck::LoopMode::Loop);
    }
  }

  void whatDoesNotCloseStartsNowhereElse() {
    const ck::Character figure = walker({});
    const auto away = ck::editedClip(figure, figure.clips[0], {.loopOffset = 0.5});
    QVERIFY(!away && away.error().message.find("does not close") != std::string::npos);
    for (const double share : {-0.1, 1.0, std::nan("")}) {
      ClipEdit edit = kExtracted;
      edit.loopOffset = share;
      QVERIFY(!ck::editedClip(figure, figure.clips[0], edit));
    }
  }

  void scalesAndCloseKeysAreLeftOut() {
    ck::Character figure = walker({});
    ck::Clip& clip = figure.clips[0];
    clip.jointTracks[1].scale = {ck::Interpolation::Linear, {0.5, 1.5}, {{1, 1, 1}, {3, 3, 3}}};
    const auto plain = ck::editedClip(figure, clip, {.dropScale = true});
    QVERIFY(plain);
    QVERIFY(plain->jointTracks[1].scale.empty());
    QVERIFY(plain->jointTracks[1].rotation == clip.jointTracks[1].rotation);
    ck::Track<glm::vec3>& track = clip.jointTracks[1].translation;
    track = {ck::Interpolation::Linear,
             {0.5, 0.501, 0.6, 0.6004, 0.6008, 1.5},
             {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}}};
    ck::Track<glm::vec3>& spline = clip.jointTracks[2].translation;
    spline = {ck::Interpolation::Cubic, {0.5, 0.5005, 1.5}, {}};
    for (int i = 0; i < 9; ++i) spline.values.emplace_back(static_cast<float>(i));
    const auto thinned = ck::editedClip(figure, clip, {.smallestKeyGapSeconds = 0.0011});
    QVERIFY(thinned);
    QCOMPARE(thinned->jointTracks[1].translation.times, (std::vector<double>{0.5, 0.6, 1.5}));
    QCOMPARE(thinned->jointTracks[1].translation.values[1].x, 2.0f);
    QCOMPARE(thinned->jointTracks[2].translation.times, (std::vector<double>{0.5, 1.5}));
    QCOMPARE(thinned->jointTracks[2].translation.values[3].x, 6.0f);
    QVERIFY(!ck::editedClip(figure, clip, {.smallestKeyGapSeconds = -1.0}));
    QVERIFY(!ck::editedClip(figure, clip, {.smallestKeyGapSeconds = std::nan("")}));
  }

  void theBakeKeepsOnePlaceForEachMoment() {
    for (const bool closes : {true, false}) {
      const Walk walk{.closes = closes};
      const ck::Character figure = walker(walk);
      const auto baked = ck::bake(figure, ofClips({"Walk"}));
      QVERIFY(baked);
      const ck::AtlasClip& clip = baked->atlas.clips[0];
      QCOMPARE(clip.loop, ck::LoopMode::Loop);
      QCOMPARE(clip.seam, closes ? ck::Seam::Inclusive : ck::Seam::Exclusive);
      const int moments = ck::momentCount(clip);
      QCOMPARE(clip.rootMotion.size(), static_cast<std::size_t>(moments));
      QVERIFY(clip.rootMotion.front() == ck::RootPlace{});
      for (int moment = 0; moment < moments; ++moment) {
        const ck::RootPlace& place = clip.rootMotion[static_cast<std::size_t>(moment)];
        // The hips sway to the side on the circle; their nod is no turn.
        const double cycles = static_cast<double>(moment) / (moments - 1);
        const glm::dmat4 due =
            circle(walk, cycles) * translation({0.02 * std::sin(2.0 * kPi * cycles), 0.0, 0.0});
        QVERIFY(std::abs(place.position.x - due[3].x) < 2e-3);
        QVERIFY(std::abs(place.position.z - due[3].z) < 2e-3);
        QVERIFY(std::abs(place.yaw - walk.turn * cycles) < 2e-3);
      }
    }
  }

  // The root of the source, by the formulae that made it, is where the actor shows it: in any pass
  // of a loop, forwards and backwards, advanced or seeked, after eight hours too.
  void actorsWalkTheWay() {
    const Walk walk;
    const ck::Character figure = walker(walk);
    const auto baked = ck::bake(figure, ofClips({"Walk"}));
    QVERIFY(baked);
    const std::vector<std::string> names{"Walk"};
    const std::vector<ck::CrowdClip> clips = ck::crowdClips(baked->atlas, names);
    std::vector<ck::Actor> actors(6);
    std::mt19937 random(5);
    std::uniform_real_distribution<float> unit(0.0f, 1.0f);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      ck::Actor& actor = actors[i];
      actor.travels = true;
      actor.position = glm::vec3(4.0f * unit(random), unit(random), -3.0f * unit(random));
      actor.rotationDegrees = glm::vec3(0.0f, 300.0f * unit(random), 0.0f);
      actor.scale = 0.5f + unit(random);
      actor.offset = i == 0 ? 0.0f : unit(random);
      actor.rate = i == 3 ? -0.8f : 0.7f + unit(random);
    }
    ck::Crowd crowd(actors, clips);
    ck::Crowd advanced(actors, clips);
    double now = 0.0;
    for (const double seconds : {0.0, 0.4, 3.21, 17.9, 60.0 * 60.0 * 8.0 + 0.37}) {
      crowd.seek(seconds);
      advanced.advance(seconds - now);
      now = seconds;
      for (std::size_t i = 0; i < actors.size(); ++i) {
        const ck::Actor& actor = actors[i];
        const ck::gpu::CkPlace& place = crowd.instances().places()[i];
        const double cycles = static_cast<double>(actor.offset) +
                              seconds * static_cast<double>(actor.rate) / kCycleSeconds;
        const glm::dmat4 base =
            translation(glm::dvec3(actor.position)) *
            about(glm::radians(static_cast<double>(actor.rotationDegrees.y)), {0.0, 1.0, 0.0});
        // The hips stand over the circle, not at it.
        const auto hips = [&](double c) { return circle(walk, c); };
        glm::dmat4 moved = glm::inverse(hips(static_cast<double>(actor.offset))) * hips(cycles);
        moved[3] *= glm::dvec4(glm::dvec3(static_cast<double>(actor.scale)), 1.0);
        const glm::dmat4 due = base * moved;
        const glm::dmat4 is =
            translation(glm::dvec3(place.position)) *
            glm::dmat4(glm::mat4_cast(
                glm::quat(place.rotation.w, place.rotation.x, place.rotation.y, place.rotation.z)));
        // Lines between moments, and the sway of the hips, which is in the way.
        const double allowed = seconds > 1000.0 ? 0.12 : 0.06;
        QVERIFY2(
            distance(is, due, 1.0) < allowed,
            qPrintable(
                QString("actor %1 at %2 s: %3").arg(i).arg(seconds).arg(distance(is, due, 1.0))));
        const ck::gpu::CkPlace& other = advanced.instances().places()[i];
        QVERIFY(glm::distance(place.position, other.position) < 1e-4f);
      }
    }
  }

  // The same to the millimetre: actor times skin of the atlas is the source in the first pass, and
  // the source after the pass in the next.
  void actorTimesAtlasIsTheSource() {
    const ck::Character figure = walker({});
    ck::BakeSettings settings = ofClips({"Walk"});
    settings.encoding = ck::Encoding::T32;
    const auto baked = ck::bake(figure, settings);
    QVERIFY(baked);
    const std::vector<std::string> names{"Walk"};
    const std::vector<ck::CrowdClip> clips = ck::crowdClips(baked->atlas, names);
    ck::Actor actor;
    actor.travels = true;
    ck::Crowd crowd(std::span(&actor, 1), clips);
    const std::vector<glm::dmat4> first =
        ck::skinMatricesAt(figure.rig, figure.clips[0], kStartSeconds);
    const std::vector<glm::dmat4> last =
        ck::skinMatricesAt(figure.rig, figure.clips[0], kStartSeconds + kCycleSeconds);
    const glm::dmat4 pass = last[0] * glm::inverse(first[0]);
    std::mt19937 random(9);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    glm::dmat4 passes(1.0);
    for (int n = 0; n < 4; ++n) {
      for (int i = 0; i < 10; ++i) {
        const double u = unit(random);
        crowd.seek((n + u) * kCycleSeconds);
        const ck::gpu::CkPlace& place = crowd.instances().places()[0];
        const glm::dmat4 actorMatrix =
            translation(glm::dvec3(place.position)) *
            glm::dmat4(glm::mat4_cast(
                glm::quat(place.rotation.w, place.rotation.x, place.rotation.y, place.rotation.z)));
        const auto stored = ck::atlasSkinMatrices(baked->atlas, 0, u, ck::Reading::Palette);
        const auto source =
            ck::skinMatricesAt(figure.rig, figure.clips[0], kStartSeconds + u * kCycleSeconds);
        for (std::size_t joint = 0; joint < stored.size(); ++joint) {
          const double off = distance(actorMatrix * stored[joint], passes * source[joint], 1.0);
          QVERIFY2(off < 1e-3, qPrintable(QString::number(off)));
        }
      }
      passes = passes * pass;
    }
  }

  void onceAndPingPongStayAtTheirPose() {
    const ck::Character figure = walker({});
    const auto baked = ck::bake(figure, ofClips({"Walk"}));
    QVERIFY(baked);
    const std::vector<std::string> names{"Walk"};
    const std::vector<ck::CrowdClip> clips = ck::crowdClips(baked->atlas, names);
    const std::vector<ck::RootPlace>& way = clips[0].rootMotion;
    std::vector<ck::Actor> actors(3);
    actors[0].loop = ck::LoopMode::Once;
    actors[1].loop = ck::LoopMode::PingPong;
    for (ck::Actor& actor : actors) actor.travels = true;
    actors[2].travels = false;
    ck::Crowd crowd(actors, clips);
    crowd.seek(5.0 * kCycleSeconds);
    const auto places = crowd.instances().places();
    QVERIFY(glm::distance(places[0].position, way.back().position) < 1e-5f);
    QVERIFY(glm::distance(places[1].position, way.back().position) < 1e-5f);
    QCOMPARE(places[2].position, glm::vec3(0.0f));
    crowd.seek(6.0 * kCycleSeconds);
    QVERIFY(glm::length(crowd.instances().places()[1].position) < 1e-5f);
  }

  // A fade between two clips with the same way is the walk itself; before, in and after it.
  void fadesBlendWays() {
    const Walk walk;
    ck::Character figure = walker(walk);
    figure.clips.push_back(figure.clips[0]);
    figure.clips[1].name = "Stroll";
    const auto baked = ck::bake(figure, ofClips({"Walk", "Stroll"}));
    QVERIFY(baked);
    const std::vector<std::string> names{"Walk", "Stroll"};
    const std::vector<ck::CrowdClip> clips = ck::crowdClips(baked->atlas, names);
    std::vector<ck::Actor> actors(2);
    for (ck::Actor& actor : actors) actor.travels = true;
    actors[1].fadeClip = 1;
    actors[1].fadeAtSeconds = 1.2f;
    actors[1].fadeSeconds = 0.8f;
    ck::Crowd crowd(actors, clips);
    for (const double seconds : {0.3, 1.2, 1.5, 1.9, 2.0, 2.6, 9.1}) {
      crowd.seek(seconds);
      const auto places = crowd.instances().places();
      QVERIFY(glm::distance(places[0].position, places[1].position) < 2e-3f);
    }
    // A walk that fades into standing comes to rest, once, and stays there.
    std::vector<ck::CrowdClip> resting = clips;
    resting[1].rootMotion.clear();
    resting[1].groundSpeedMetersPerSecond = 0.0;
    ck::Crowd stopping(actors, resting);
    stopping.seek(2.0);
    const glm::vec3 rest = stopping.instances().places()[1].position;
    stopping.seek(30.0);
    QVERIFY(glm::distance(stopping.instances().places()[1].position, rest) < 1e-5f);
    QVERIFY(glm::length(rest) > 1.5f);
    // Another fade begins where the actor is.
    const ck::Actor next = ck::fadingFrom(actors[1], clips, 5.0, {.clip = 0});
    ck::Crowd before(std::span(&actors[1], 1), clips);
    ck::Crowd after(std::span(&next, 1), clips);
    before.seek(5.0);
    after.seek(5.0);
    QVERIFY(glm::distance(before.instances().places()[0].position,
                          after.instances().places()[0].position) < 1e-3f);
  }

  void aMillionPassesAreAsExactAsOne() {
    for (const double yaw : {0.0, 1e-12, 0.3, -2.0, 2.0 * kPi, 4.0}) {
      const GroundMotion pass{{0.3, 0.01, 1.2}, yaw};
      GroundMotion sum;
      for (int n = 0; n <= 40; ++n) {
        const GroundMotion power = ck::power(pass, n);
        QVERIFY(glm::distance(power.position, sum.position) < 1e-9);
        QVERIFY(std::abs(power.yaw - sum.yaw) < 1e-9);
        const GroundMotion back = ck::power(pass, -n) * power;
        QVERIFY(glm::length(back.position) < 1e-9 && std::abs(back.yaw) < 1e-9);
        sum = sum * pass;
      }
      const GroundMotion whole = ck::power(pass, 1e6);
      const GroundMotion halves = ck::power(pass, 5e5) * ck::power(pass, 5e5);
      QVERIFY(glm::distance(whole.position, halves.position) < 1e-5);
    }
  }
};

CK_TEST(tst_root_motion)
#include "tst_root_motion.moc"
