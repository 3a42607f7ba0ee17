#include <QTest>
#include <cmath>

#include "core/crowd/crowd.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::CrowdClip;
using ck::FadePhase;
using ck::FadeRequest;
using ck::LoopMode;

namespace {

CrowdClip clipOf(double seconds, LoopMode loop = LoopMode::Loop, int firstFrame = 100) {
  CrowdClip clip;
  clip.atlasClip = 0;
  clip.firstFrame = firstFrame;
  clip.frameCount = 41;
  clip.durationSeconds = seconds;
  clip.loop = loop;
  return clip;
}

Actor fading(double atSeconds, double seconds, FadePhase phase = FadePhase::Own) {
  Actor actor;
  actor.fadeClip = 1;
  actor.fadeSeconds = static_cast<float>(seconds);
  actor.fadeAtSeconds = static_cast<float>(atSeconds);
  actor.fadePhase = phase;
  return actor;
}

ck::Crowd crowdOf(const Actor& actor, const std::vector<CrowdClip>& clips) {
  return ck::Crowd(std::vector{actor}, clips);
}

double wrapped(double x) {
  return x - std::floor(x);
}

bool sameOnCircle(double a, double b, double tolerance) {
  const double apart = std::abs(a - b);
  return apart < tolerance || apart > 1.0 - tolerance;
}

// Frames after the first of `clip` that a record's side shows.
double frameOf(int frame, float alpha, const CrowdClip& clip) {
  return frame - clip.firstFrame + static_cast<double>(alpha);
}

}  // namespace

Q_DECLARE_METATYPE(glm::vec3)

class tst_crowd_fades : public QObject {
  Q_OBJECT
 private slots:
  void rejectsFadesToClipsThatAreNotThere() {
    Actor actor = fading(1.0, 1.0);
    actor.fadeClip = 5;
    ck::Crowd crowd = crowdOf(actor, {clipOf(2.0), clipOf(3.0)});
    crowd.seek(9.0);
    QCOMPARE(crowd.clipOf(0), 0);
    QVERIFY(!crowd.fadeOf(0));
    QCOMPARE(ck::fadingFrom(actor, crowd.clips(), 0.0, {.clip = -1}), actor);
    QCOMPARE(ck::fadingFrom(actor, crowd.clips(), 0.0, {.clip = 7}), actor);
  }

  void passesFromOneClipToTheOther() {
    const std::vector<CrowdClip> clips{clipOf(2.0), clipOf(5.0, LoopMode::Loop, 300)};
    ck::Crowd crowd = crowdOf(fading(1.0, 0.5), clips);
    crowd.seek(1.0);
    QVERIFY(!crowd.fadeOf(0));
    QCOMPARE(crowd.fadingActors(), std::size_t{0});
    crowd.seek(1.125);
    QCOMPARE(crowd.clipOf(0), 0);
    QVERIFY(std::abs(crowd.fadeOf(0)->blend - 0.25) < 0.5 / 1023.0);
    QCOMPARE(crowd.fadeOf(0)->clip, 1);
    QVERIFY(std::abs(crowd.fadeOf(0)->unit - 1.125 / 5.0) < 1e-6);
    QCOMPARE(crowd.fadingActors(), std::size_t{1});
    const ck::gpu::CkActor during = crowd.instances()[0];
    QVERIFY(std::abs(frameOf(during.frames.x, during.positionAlphaA.w, clips[0]) -
                     40.0 * 1.125 / 2.0) < 1e-4);
    QVERIFY(std::abs(frameOf(during.frames.y, during.scaleAlphaB.w, clips[1]) -
                     40.0 * 1.125 / 5.0) < 1e-4);
    QVERIFY(std::abs(ck::gpu::ck_lookBlend(during.look) - 0.25f) < 0.001f);
    crowd.seek(1.5);
    QCOMPARE(crowd.clipOf(0), 1);
    QVERIFY(!crowd.fadeOf(0));
    QCOMPARE(crowd.fadingActors(), std::size_t{0});
    const ck::gpu::CkActor after = crowd.instances()[0];
    QVERIFY(std::abs(frameOf(after.frames.x, after.positionAlphaA.w, clips[1]) - 12.0) < 1e-4);
    QCOMPARE(after.frames.y, -1);
    QCOMPARE(ck::gpu::ck_lookBlend(after.look), 0.0f);
  }

  void easedFadesAreSlowAtBothEnds() {
    Actor actor = fading(0.0, 1.0);
    actor.fadeEased = true;
    ck::Crowd crowd = crowdOf(actor, {clipOf(2.0), clipOf(2.0)});
    // 3 t^2 - 2 t^3
    for (const auto& [time, blend] : {std::pair(0.25, 0.15625), {0.5, 0.5}, {0.75, 0.84375}}) {
      crowd.seek(time);
      QVERIFY(std::abs(crowd.fadeOf(0)->blend - blend) < 0.5 / 1023.0);
    }
  }

  void targetTakesItsPhase_data() {
    QTest::addColumn<int>("phase");
    QTest::addColumn<double>("atStart");
    QTest::addRow("of its own") << int(FadePhase::Own) << wrapped(1.3 * 3.0 / 3.0 + 0.1);
    QTest::addRow("of the first clip") << int(FadePhase::Synced) << wrapped(1.3 * 3.0 / 2.0 + 0.1);
    QTest::addRow("from its start") << int(FadePhase::Start) << 0.0;
  }
  void targetTakesItsPhase() {
    QFETCH(int, phase);
    QFETCH(double, atStart);
    Actor actor = fading(3.0, 2.0, static_cast<FadePhase>(phase));
    actor.rate = 1.3f;
    actor.offset = 0.1f;
    ck::Crowd crowd = crowdOf(actor, {clipOf(2.0), clipOf(3.0)});
    crowd.seek(3.0 + 0.01);
    QVERIFY(sameOnCircle(crowd.fadeOf(0)->unit, wrapped(atStart + 0.013 / 3.0), 1e-6));
    crowd.seek(8.0);
    QVERIFY(sameOnCircle(crowd.unitOf(0), wrapped(atStart + 6.5 / 3.0), 1e-6));
  }

  void syncedTargetKeepsTheWayOfAPingPong() {
    Actor actor = fading(3.0, 1.0, FadePhase::Synced);
    const auto back = LoopMode::PingPong;
    ck::Crowd crowd = crowdOf(actor, {clipOf(2.0, back), clipOf(2.0, back)});
    // At 3 s the first clip is half way back; both go on backwards.
    crowd.seek(3.2);
    // The time is off by 2^-25 s at most (docs/techniques.md 1.2), and a place by 2^-31.
    QVERIFY(std::abs(crowd.unitOf(0) - 0.4) < 0x1p-26 + 0x1p-30);
    QVERIFY(std::abs(crowd.fadeOf(0)->unit - 0.4) < 0x1p-26 + 0x1p-30);
  }

  void clipsThatPlayOnceCanStartLate() {
    ck::Crowd crowd =
        crowdOf(fading(10.0, 0.5, FadePhase::Start), {clipOf(2.0), clipOf(1.0, LoopMode::Once)});
    crowd.seek(10.25);
    QVERIFY(std::abs(crowd.fadeOf(0)->unit - 0.25) < 1e-9);
    crowd.seek(10.75);
    QVERIFY(std::abs(crowd.unitOf(0) - 0.75) < 1e-9);
    QCOMPARE(crowd.loopOf(0), LoopMode::Once);
    crowd.seek(12.0);
    QCOMPARE(crowd.unitOf(0), 1.0);
  }

  void everyWayToAMomentShowsTheSame_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<float>("rate");
    for (int mode = 0; mode < 3; ++mode) {
      for (const float rate : {1.0f, -0.7f}) {
        QTest::addRow("%s at rate %g", ck::loopModeName(static_cast<LoopMode>(mode)).data(),
                      static_cast<double>(rate))
            << mode << rate;
      }
    }
  }
  void everyWayToAMomentShowsTheSame() {
    QFETCH(int, mode);
    QFETCH(float, rate);
    Actor actor = fading(2.0, 1.5, FadePhase::Synced);
    actor.rate = rate;
    actor.offset = 0.3f;
    const std::vector<CrowdClip> clips{clipOf(2.0), clipOf(1.1, static_cast<LoopMode>(mode))};
    ck::Crowd stepped = crowdOf(actor, clips);
    ck::Crowd seeked = crowdOf(actor, clips);
    const auto agree = [&](double time) {
      seeked.seek(time);
      const ck::gpu::CkActor a = stepped.instances()[0];
      const ck::gpu::CkActor b = seeked.instances()[0];
      return stepped.clipOf(0) == seeked.clipOf(0) &&
             sameOnCircle(stepped.unitOf(0), seeked.unitOf(0), 1e-6) && a.look == b.look &&
             ((a.frames.y < 0) == (b.frames.y < 0));
    };
    double time = 0.0;
    // Through the fade, back through it, and forth again. No step ends where one of the 1023 steps
    // of blending does.
    for (const double step : {0.0371, -0.0513, 0.0293}) {
      for (int i = 0; i < 130; ++i) {
        stepped.advance(step);
        time += step;
        if (!agree(time)) QFAIL(qPrintable(QString("apart at %1 s").arg(time)));
      }
    }
  }

  void requestsFadeFromTheirMomentOn() {
    const std::vector<CrowdClip> clips{clipOf(2.0), clipOf(3.0), clipOf(1.0)};
    Actor actor;
    ck::Crowd crowd = crowdOf(actor, clips);
    crowd.seek(4.5);
    const auto request = [&](const FadeRequest& asked) {
      const double seconds = crowd.timeSeconds();
      actor = ck::fadingFrom(actor, clips, seconds, asked);
      crowd = crowdOf(actor, clips);
      crowd.seek(seconds);
    };
    request({.clip = 1, .seconds = 1.0, .phase = FadePhase::Synced});
    QVERIFY(!crowd.fadeOf(0));
    crowd.advance(0.5);
    QVERIFY(std::abs(crowd.fadeOf(0)->blend - 0.5) < 0.001);
    QVERIFY(sameOnCircle(crowd.fadeOf(0)->unit, 0.25 + 0.5 / 3.0, 1e-6));
    crowd.advance(0.25);
    // The second clip weighs more now, so it is the one that is faded from, where it is.
    const double before = crowd.fadeOf(0)->unit;
    request({.clip = 2, .seconds = 1.0});
    QCOMPARE(crowd.clipOf(0), 1);
    QVERIFY(sameOnCircle(crowd.unitOf(0), before, 1e-5));
    crowd.advance(2.0);
    QCOMPARE(crowd.clipOf(0), 2);
    request({.clip = 0, .seconds = 0.0});
    crowd.advance(0.002);  // an actor has no fade without length
    QCOMPARE(crowd.clipOf(0), 0);
  }

  void walkersComeToAStandAsTheyFade() {
    CrowdClip walk = clipOf(1.0);
    walk.groundSpeedMetersPerSecond = 2.0;
    Actor actor = fading(3.0, 1.0);
    actor.travels = true;
    ck::Crowd crowd = crowdOf(actor, {walk, clipOf(1.5)});
    const auto metersAt = [&crowd](double time) {
      crowd.seek(time);
      return static_cast<double>(crowd.instances()[0].positionAlphaA.z);
    };
    QVERIFY(std::abs(metersAt(3.0) - 6.0) < 1e-5);
    // The speed falls evenly from 2 m/s to nothing.
    QVERIFY(std::abs(metersAt(3.5) - 6.75) < 1e-3);
    QVERIFY(std::abs(metersAt(4.0) - 7.0) < 1e-3);
    QVERIFY(std::abs(metersAt(60.0) - 7.0) < 1e-3);
  }

  void standersSetOutFromTheirPlacesAsTheyFadeToAWalk() {
    CrowdClip walk = clipOf(1.0);
    walk.groundSpeedMetersPerSecond = 2.0;
    std::vector<Actor> actors(6);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      actors[i].clip = static_cast<int>(i % 2);
      actors[i].position.x = static_cast<float>(i);
      actors[i].travels = true;
    }
    const std::vector<CrowdClip> clips{clipOf(1.5), walk};
    actors[2] = ck::fadingFrom(actors[2], clips, 1.0, {.clip = 1, .seconds = 1.0});
    ck::Crowd crowd(actors, clips);
    crowd.advance(4.0);
    // The speed rises evenly for a second and stays at 2 m/s for two.
    const float meters[] = {0.0f, 8.0f, 5.0f, 8.0f, 0.0f, 8.0f};
    for (std::size_t i = 0; i < actors.size(); ++i) {
      const glm::vec3 place(crowd.instances()[i].positionAlphaA);
      QVERIFY(glm::distance(place, glm::vec3(float(i), 0.0f, meters[i])) < 1e-3f);
    }
  }

  void keptFadesGoOnFromWhereWalkersAre_data() {
    QTest::addColumn<glm::vec3>("degrees");
    QTest::addRow("upright") << glm::vec3(0.0f, 40.0f, 0.0f);
    QTest::addRow("up a slope") << glm::vec3(-25.0f, 110.0f, 0.0f);
    QTest::addRow("leaning") << glm::vec3(15.0f, -170.0f, 35.0f);
    QTest::addRow("along a wall") << glm::vec3(90.0f, 20.0f, 50.0f);
  }
  void keptFadesGoOnFromWhereWalkersAre() {
    QFETCH(glm::vec3, degrees);
    CrowdClip walk = clipOf(1.0);
    walk.groundSpeedMetersPerSecond = 2.0;
    const std::vector<CrowdClip> clips{walk, clipOf(1.5)};
    for (const float radius : {0.0f, 3.0f, -1.5f}) {
      Actor actor = fading(3.0, 1.0);
      actor.travels = true;
      actor.turnRadius = radius;
      actor.rotationDegrees = degrees;
      ck::Crowd before = crowdOf(actor, clips);
      before.seek(6.0);
      const FadeRequest walkAgain{.clip = 0, .seconds = 0.5};
      ck::Crowd after = crowdOf(ck::fadingFrom(actor, clips, 6.0, walkAgain), clips);
      after.seek(6.0);
      const ck::gpu::CkActor a = before.instances()[0];
      const ck::gpu::CkActor b = after.instances()[0];
      QVERIFY(glm::distance(glm::vec3(a.positionAlphaA), glm::vec3(b.positionAlphaA)) < 1e-3f);
      QVERIFY(std::abs(glm::dot(a.rotation, b.rotation)) > 0.99999f);
    }
  }

  void othersAreNotTouched() {
    const std::vector<CrowdClip> clips{clipOf(2.0), clipOf(3.0)};
    std::vector<Actor> plain(20);
    for (std::size_t i = 0; i < plain.size(); ++i) plain[i].offset = float(i) * 0.05f;
    std::vector<Actor> some = plain;
    for (const std::size_t i : {3u, 11u}) {
      some[i].fadeClip = 1;
      some[i].fadeSeconds = 1.0f;
    }
    ck::Crowd alone(plain, clips);
    ck::Crowd mixed(some, clips);
    for (int i = 0; i < 40; ++i) {
      alone.advance(0.05);
      mixed.advance(0.05);
    }
    for (std::size_t i = 0; i < plain.size(); ++i) {
      if (i == 3 || i == 11) {
        QCOMPARE(mixed.clipOf(i), 1);
        continue;
      }
      QCOMPARE(mixed.instances()[i].frames, alone.instances()[i].frames);
      QCOMPARE(mixed.instances()[i].look, alone.instances()[i].look);
      QCOMPARE(mixed.instances()[i].positionAlphaA, alone.instances()[i].positionAlphaA);
    }
  }

  void masksAreThoseOfTheCrowd() {
    std::vector<Actor> actors(3);
    actors[1].mask = 0;
    actors[2].mask = 4;  // none of them
    const ck::JointMask mask{"arms", {{"Arm"}}};
    const ck::Crowd crowd(actors, std::vector{clipOf(1.0)}, std::span(&mask, 1));
    QCOMPARE(crowd.maskOf(0), -1);
    QCOMPARE(crowd.maskOf(1), 0);
    QCOMPARE(crowd.maskOf(2), -1);
    QCOMPARE(crowd.masks().front().name, std::string("arms"));
  }
};

CK_TEST(tst_crowd_fades)
#include "tst_crowd_fades.moc"
