#include <QTest>
#include <algorithm>
#include <limits>

#include "core/bake/bake.h"
#include "core/crowd/actor.h"
#include "core/crowd/actor_morphs.h"
#include "core/crowd/morph_rows.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

// The bar with as many shapes, of which the first four follow the clips, one a clip each and two
// both; the last default to a weight.
ck::Character faceOf(int shapes) {
  ck::Character bar = ck::test::barCharacter();
  ck::Mesh& mesh = bar.meshes[0];
  for (int m = 0; m < shapes; ++m) {
    ck::MorphTarget target;
    target.name = "shape " + std::to_string(m);
    target.vertices = {static_cast<std::uint32_t>(m) % 8};
    target.positionDeltas = {glm::vec3(0.1f, 0.0f, 0.0f)};
    target.normalDeltas = {glm::vec3(0.0f)};
    mesh.morphTargets.push_back(target);
    mesh.defaultMorphWeights.push_back(m % 3 == 2 ? 0.3f : 0.0f);
  }
  const auto ramp = [](float from, float to) {
    return ck::Track<float>{ck::Interpolation::Linear, {0.0, 1.0}, {from, to}};
  };
  bar.clips[0].morphTracks.push_back({0, 0, ramp(0.0f, 1.0f)});
  bar.clips[0].morphTracks.push_back({0, 2, ramp(0.3f, -0.5f)});
  bar.clips[1].morphTracks.push_back({0, 1, ramp(1.0f, 0.2f)});
  bar.clips[1].morphTracks.push_back({0, 2, ramp(0.0f, 0.9f)});
  return bar;
}

std::vector<std::string> clipNames(const ck::Character& character) {
  std::vector<std::string> names;
  for (const ck::Clip& clip : character.clips) names.push_back(clip.name);
  return names;
}

std::vector<ck::Actor> actorsOf(int shapes) {
  std::vector<ck::Actor> actors(9);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    actors[i].clip = static_cast<int>(i % 2);
    actors[i].offset = 0.13f * static_cast<float>(i);
    if (i % 3 == 0) actors[i].fadeClip = actors[i].clip == 0 ? 1 : 0;
    actors[i].fade = 0.1f * static_cast<float>(i);
  }
  ck::setMorph(actors[2], "shape 2", 0.7f);
  ck::setMorph(actors[3], "shape 0", 0.0f);
  ck::setMorph(actors[4], "shape " + std::to_string(shapes - 1), -0.6f);
  ck::setMorph(actors[5], "no such shape", 1.0f);
  actors[8].clip = 7;  // a clip that is not there
  return actors;
}

}  // namespace

class tst_morph_rows : public QObject {
  Q_OBJECT

 private slots:
  void rejectsWeightsThatAreNoNumbers() {
    const ck::Character face = faceOf(3);
    const ck::MorphSet set = ck::morphSetOf(face);
    std::vector<ck::Actor> actors(1);
    actors[0].morphs = {{"shape 1", std::numeric_limits<float>::quiet_NaN()},
                        {"shape 2", std::numeric_limits<float>::infinity()}};
    const ck::Crowd crowd(actors, ck::sourceCrowdClips(face, clipNames(face)));
    const ck::MorphRows rows(set, nullptr, crowd);
    QVERIFY(!rows.moves(crowd.instances()[0], 0));
    std::vector<float> row(static_cast<std::size_t>(rows.texels()) * 4, 1.0f);
    rows.read(crowd.instances()[0], 0, row);
    QCOMPARE(row, std::vector<float>(row.size(), 0.0f));
  }

  // Rows say by frames the same weights that clips say by time.
  void sayWhatClipsSay_data() {
    QTest::addColumn<int>("shapes");
    QTest::addColumn<bool>("baked");
    QTest::newRow("four shapes") << 4 << true;
    QTest::newRow("seven shapes") << 7 << true;
    QTest::newRow("fifty shapes") << 50 << true;
    QTest::newRow("nothing baked") << 7 << false;
  }
  void sayWhatClipsSay() {
    QFETCH(int, shapes);
    QFETCH(bool, baked);
    const ck::Character face = faceOf(shapes);
    const ck::MorphSet set = ck::morphSetOf(face);
    const auto atlas = ck::bake(face, {});
    QVERIFY(atlas);
    const auto names = clipNames(face);
    const auto clips =
        baked ? ck::crowdClips(atlas->atlas, names) : ck::sourceCrowdClips(face, names);
    const ck::Atlas* shown = baked ? &atlas->atlas : nullptr;
    ck::Crowd crowd(actorsOf(shapes), clips);
    const ck::MorphRows rows(set, shown, crowd);
    QCOMPARE(rows.frames().empty(), !baked);
    for (const double seconds : {0.0, 0.21, 0.5, 0.999, 3.77}) {
      crowd.seek(seconds);
      for (std::size_t actor = 0; actor < crowd.size(); ++actor) {
        const ck::gpu::CkActor record = crowd.instances()[actor];
        std::vector<float> row(static_cast<std::size_t>(rows.texels()) * 4);
        rows.read(record, actor, row);
        std::vector<float> weights = ck::defaultWeights(set);
        for (std::size_t c = 0; c < rows.morphs().size(); ++c) {
          weights[static_cast<std::size_t>(rows.morphs()[c])] += row[c];
        }
        const std::vector<float> due = ck::actorMorphs(set, shown, crowd, actor, true);
        bool differs = false;
        for (std::size_t m = 0; m < due.size(); ++m) {
          QVERIFY2(std::abs(due[m] - weights[m]) < 2e-3f,
                   qPrintable(QString("actor %1, shape %2, at %3 s: %4, not %5")
                                  .arg(actor)
                                  .arg(m)
                                  .arg(seconds)
                                  .arg(weights[m])
                                  .arg(due[m])));
          differs = differs || std::abs(due[m] - set[m].defaultWeight) > 1e-3f;
        }
        QVERIFY(!differs || rows.moves(record, actor));
      }
    }
  }

  void readAgainAreThoseOfTheNewCrowd() {
    const ck::Character face = faceOf(7);
    const ck::MorphSet set = ck::morphSetOf(face);
    const auto atlas = ck::bake(face, {});
    QVERIFY(atlas);
    const auto clips = ck::crowdClips(atlas->atlas, clipNames(face));
    const ck::Crowd crowd(actorsOf(7), clips);
    ck::MorphRows rows(set, &atlas->atlas, crowd);
    const auto isNew = [&](const ck::Crowd& other) {
      const ck::MorphRows anew(set, &atlas->atlas, other);
      return rows.morphs() == anew.morphs() && std::ranges::equal(rows.frames(), anew.frames()) &&
             std::ranges::equal(rows.own(), anew.own()) && rows.frameTexels() == anew.frameTexels();
    };
    // The same shapes with other weights, of other actors.
    std::vector<ck::Actor> others = actorsOf(7);
    others.erase(others.begin());
    ck::setMorph(others[5], "shape 2", 0.1f);
    const ck::Crowd moved(others, clips);
    QVERIFY(rows.readAgain(set, &atlas->atlas, moved));
    QVERIFY(isNew(moved));
    // A morph that no actor had.
    ck::setMorph(others[0], "shape 5", 0.1f);
    const ck::Crowd more(others, clips);
    QVERIFY(!rows.readAgain(set, &atlas->atlas, more));
    QVERIFY(isNew(more));
    // A shape that was baked, and is now one of its own only.
    for (ck::Actor& actor : others) actor.clip = 0;
    const std::vector<ck::CrowdClip> first(clips.begin(), clips.begin() + 1);
    ck::setMorph(others[0], "shape 1", 0.1f);
    const ck::Crowd fewer(others, first);
    QVERIFY(!rows.readAgain(set, &atlas->atlas, fewer));
    QVERIFY(isNew(fewer));
  }

  void restingActorsAreLeftOut() {
    const ck::Character face = faceOf(4);
    const ck::MorphSet set = ck::morphSetOf(face);
    ck::Character still = face;
    still.clips[1].morphTracks.clear();
    const auto atlas = ck::bake(still, {});
    QVERIFY(atlas);
    std::vector<ck::Actor> actors(3);
    actors[0].clip = 0;
    actors[0].offset = 0.5f;
    actors[1].clip = 1;
    actors[2].clip = 1;
    ck::setMorph(actors[2], "shape 3", 0.5f);
    const ck::Crowd crowd(actors, ck::crowdClips(atlas->atlas, clipNames(still)));
    const ck::MorphRows rows(set, &atlas->atlas, crowd);
    QVERIFY(rows.moves(crowd.instances()[0], 0));
    QVERIFY(!rows.moves(crowd.instances()[1], 1));
    QVERIFY(rows.moves(crowd.instances()[2], 2));
  }
};

CK_TEST(tst_morph_rows)
#include "tst_morph_rows.moc"
