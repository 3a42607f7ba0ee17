#include <QTest>
#include <random>

#include "core/skinning/cpu_skinning.h"
#include "core/skinning/tangent_skinning.h"
#include "render/reference/read_back.h"
#include "render/skinning/actor_poses.h"
#include "render/skinning/method_offers.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_agreement.h"
#include "tests/support/gl_stage.h"
#include "tests/support/test_program.h"

using ck::test::BakedRig;
using ck::test::GlStage;

namespace {

// The most that an eye does not see in a highlight.
constexpr double kMostDegrees = 0.5;

// Where joints that mirror meet those that do not, the blended matrix flattens what it moves, and a
// vector that it nearly deletes has no direction: below this share of the matrix's size, the 10
// bits of a tangent and the 16 bits of a normal decide.
constexpr double kLeastShare = 0.1;
// Of the vertices of a rig at most this share may be left out for that reason.
constexpr double kMostLeftOut = 0.1;

// The limb with a shape that moves vertices and turns normals, in the clip and of some actors.
ck::Character bulgingLimb() {
  ck::Character limb = ck::test::stretchedLimb();
  ck::Mesh& mesh = limb.meshes[0];
  ck::MorphTarget target;
  target.name = "bulge";
  for (std::uint32_t v = 0; v < mesh.positions.size(); v += 2) {
    target.vertices.push_back(v);
    target.positionDeltas.push_back(mesh.normals[v] * 0.1f);
    target.normalDeltas.emplace_back(0.1f, 0.5f, -0.2f);
  }
  mesh.morphTargets = {target};
  mesh.defaultMorphWeights = {0.0f};
  return limb;
}

ck::Character madeRig(int rig) {
  switch (rig) {
    case 0:
      return ck::test::swingingLimb();
    case 1:
      return ck::test::stretchedLimb();
    case 2:
      return ck::test::mirroredLimb();
    case 3:
      return bulgingLimb();
    default:
      return ck::test::twoMeshesOnOneSkeleton();
  }
}
constexpr const char* kRigs[] = {"a limb", "uneven scales", "a mirrored joint", "a morph",
                                 "two meshes"};
// The rigs of which most joints move against their parents, which encodings of local poses refuse
// (tst_local_poses).
constexpr bool kMostlyMove[] = {false, true, true, true, false};

struct Worst {
  double normalDegrees = 0.0;
  double tangentDegrees = 0.0;
  int sides = 0;  // tangents whose bitangent is on the other side
  int compared = 0;
  int leftOut = 0;
  std::string where;
};

double degreesBetween(const glm::dvec3& a, const glm::dvec3& b) {
  const double angle = glm::degrees(std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)));
  return std::isnan(angle) ? 180.0 : angle;
}

double sizeOf(const glm::dmat3& m) {
  return std::sqrt(glm::dot(m[0], m[0]) + glm::dot(m[1], m[1]) + glm::dot(m[2], m[2]));
}

// The linear part that moves a vertex, blended from its heaviest four influences.
glm::dmat3 linearOf(const ck::Mesh& mesh, std::size_t vertex,
                    const std::vector<glm::dmat4>& matrices) {
  const ck::LimitedInfluences kept = ck::limitInfluences(ck::influencesOf(mesh, vertex), 4);
  glm::dmat3 sum(0.0);
  for (int i = 0; i < 4; ++i) {
    if (kept.weights[i] <= 0.0f) continue;
    sum += static_cast<double>(kept.weights[i]) *
           glm::dmat3(matrices[static_cast<std::size_t>(kept.skinJoints[i])]);
  }
  return sum;
}

std::vector<float> weightsOf(const ck::Mesh& mesh, const ck::Actor& actor) {
  std::vector<float> weights = mesh.defaultMorphWeights;
  for (std::size_t t = 0; t < mesh.morphTargets.size(); ++t) {
    if (const auto own = ck::morphOf(actor, mesh.morphTargets[t].name)) weights[t] = *own;
  }
  return weights;
}

struct Drawn {
  std::vector<glm::vec3> normals;
  std::vector<glm::vec4> tangents;
};

// Against the processor in double: joints are those of the decoded atlas, or of the clips.
void compare(const Drawn& drawn, const BakedRig& rig, const ck::Crowd& crowd,
             const std::vector<ck::Actor>& actors, const ck::render::RenderSettings& settings,
             const std::string& name, Worst& worst) {
  const ck::MethodInfo& method = ck::methodInfo(settings.view.pose.method);
  const ck::render::ActorPoses poses(
      *rig.character, rig.atlas.get(), crowd,
      {.interpolate = ck::isBetweenFrames(settings.view.pose.sampling),
       .reading = method.reading,
       .mixes = method.reads == ck::VertexReads::Pool,
       .masks = method.posesClips});
  const ck::ActorRecords records = crowd.instances();
  std::size_t at = 0;
  const auto note = [&](double degrees, double& most, std::size_t actor, std::size_t v) {
    if (degrees <= most) return;
    most = degrees;
    worst.where = name + ", actor " + std::to_string(actor) + ", vertex " + std::to_string(v);
  };
  for (std::size_t actor = 0; actor < crowd.size(); ++actor) {
    auto matrices = method.posesClips ? poses.source(actor) : poses.baked(actor);
    for (glm::dmat4& m : matrices) m = ck::render::actorMatrix(records[actor]) * m;
    const double facing = actors[actor].scale < 0.0f ? -1.0 : 1.0;
    for (const ck::Mesh& mesh : rig.character->meshes) {
      const std::vector<float> weights = weightsOf(mesh, actors[actor]);
      const ck::SkinningOptions options{.influenceLimit = 4, .morphWeights = weights};
      const ck::SkinnedMesh posed = ck::skinMesh(mesh, matrices, options);
      const ck::MorphedMesh bound = ck::morphedMesh(mesh, weights);
      for (std::size_t v = 0; v < mesh.positions.size(); ++v, ++at) {
        const glm::dmat3 linear = linearOf(mesh, v, matrices);
        const glm::dvec3 raw = ck::cofactor(linear) * glm::normalize(bound.normals[v]);
        const glm::dvec3 along = linear * glm::dvec3(mesh.tangents[v]);
        const glm::dvec3 across = along - posed.normals[v] * glm::dot(posed.normals[v], along);
        if (glm::length(raw) < kLeastShare * sizeOf(ck::cofactor(linear)) ||
            glm::length(across) < kLeastShare * sizeOf(linear)) {
          ++worst.leftOut;
          continue;
        }
        ++worst.compared;
        note(degreesBetween(glm::dvec3(drawn.normals[at]), facing * posed.normals[v]),
             worst.normalDegrees, actor, v);
        note(degreesBetween(glm::dvec3(drawn.tangents[at]), glm::dvec3(posed.tangents[v])),
             worst.tangentDegrees, actor, v);
        worst.sides += drawn.tangents[at].w == static_cast<float>(posed.tangents[v].w) ? 0 : 1;
      }
    }
  }
}

}  // namespace

// Normals and tangents of every method, read back from the GPU.
class tst_surface_directions : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }

  void agreeWithTheProcessor_data() {
    QTest::addColumn<int>("rig");
    QTest::addColumn<int>("encoding");
    for (int rig = 0; rig < 5; ++rig) {
      for (const ck::EncodingInfo& encoding : ck::allEncodings()) {
        if (kMostlyMove[rig] && ck::isLocal(encoding)) continue;
        QTest::addRow("%s in %s", kRigs[rig], std::string(encoding.name).c_str())
            << rig << static_cast<int>(encoding.encoding);
      }
    }
  }
  void agreeWithTheProcessor() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, rig);
    QFETCH(int, encoding);
    ck::Character character = madeRig(rig);
    ck::test::addTangents(character);
    ck::BakeSettings bake;
    bake.encoding = static_cast<ck::Encoding>(encoding);
    const BakedRig baked = ck::test::bakedRig(std::move(character), bake);
    auto renderer = ck::test::rendererFor(baked);
    QVERIFY(renderer != nullptr);
    std::vector<ck::Actor> actors = ck::test::variedActors(7, static_cast<int>(baked.clips.size()));
    actors[2].scale = -actors[2].scale;
    for (std::size_t i = 0; i < actors.size(); ++i) {
      actors[i].fadeClip = i % 3 == 0 ? static_cast<int>(i % baked.clips.size()) : -1;
      actors[i].fade = 0.4f;
      if (rig == 3) ck::setMorph(actors[i], "bulge", 0.25f * static_cast<float>(i) - 0.4f);
    }
    ck::Crowd crowd(actors, baked.clips);
    std::mt19937 random(static_cast<unsigned>(7 * encoding + rig));
    std::uniform_real_distribution<double> seconds(0.0, 5.0);
    Worst worst;
    for (const ck::MethodInfo& info : ck::kMethods) {
      const ck::Method method = info.method;
      const bool refused =
          !ck::render::whyNotDrawn(method, encodingOf(baked.atlas->recipe)).empty();
      if (refused) continue;
      for (const ck::Sampling sampling : {ck::Sampling::Nearest, ck::Sampling::Interpolated}) {
        for (int moment = 0; moment < 2; ++moment) {
          crowd.seek(seconds(random));
          ck::render::RenderSettings settings = ck::test::plainSettings();
          settings.view.pose.method = method;
          settings.view.pose.sampling = sampling;
          settings.view.pose.viewMode = ck::ViewMode::Tangents;
          const auto normals = readBackNormals(*renderer, crowd, settings);
          QVERIFY2(normals.has_value(), normals ? "" : normals.error().message.c_str());
          const auto tangents = readBackTangents(*renderer, crowd, settings);
          QVERIFY2(tangents.has_value(), tangents ? "" : tangents.error().message.c_str());
          const std::string name =
              std::string(ck::methodName(method)) + " " + std::string(ck::samplingName(sampling));
          QCOMPARE(normals->size(), tangents->size());
          compare({*normals, *tangents}, baked, crowd, actors, settings, name, worst);
        }
      }
    }
    const QString said = QString("normals %1, tangents %2 degrees: %3; %4 left out of %5")
                             .arg(worst.normalDegrees)
                             .arg(worst.tangentDegrees)
                             .arg(QString::fromStdString(worst.where))
                             .arg(worst.leftOut)
                             .arg(worst.compared);
    qInfo("%s", qPrintable(said));
    QVERIFY2(worst.normalDegrees < kMostDegrees, qPrintable(said));
    QVERIFY2(worst.tangentDegrees < kMostDegrees, qPrintable(said));
    QCOMPARE(worst.sides, 0);
    QVERIFY2(worst.leftOut < kMostLeftOut * worst.compared, qPrintable(said));
  }

 private:
  GlStage stage_;
};

CK_TEST(tst_surface_directions)
#include "tst_surface_directions.moc"
