#include "tests/support/gl_agreement.h"

#include <QFile>
#include <algorithm>
#include <cmath>

#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/rigs.h"

namespace ck::test {
namespace {

double distanceOf(const std::vector<glm::vec3>& drawn, const std::vector<glm::dvec3>& expected) {
  const double distance = largestDistance(drawn, expected);
  return distance < 0.0 ? 1e9 : distance;
}

// The fault in the refusals or in the number of compared pictures; or empty.
std::string wrongRefusals(const Agreement& agreement, Encoding encoding, std::size_t moments) {
  const std::vector<Method> expected = refusedOf(encoding);
  for (const Method method : expected) {
    if (agreement.refused.count(std::string(methodName(method))) == 0) {
      return std::string(methodName(method)) + " drew what it cannot";
    }
  }
  if (agreement.refused.size() != expected.size()) {
    std::string wrong = "refused:";
    for (const auto& [name, reason] : agreement.refused) wrong += " " + name + " (" + reason + ")";
    return wrong;
  }
  const std::size_t drawn = (kMethods.size() - expected.size()) * moments;
  if (static_cast<std::size_t>(agreement.compared) == drawn) return {};
  return std::to_string(agreement.compared) + " of " + std::to_string(drawn) + " were drawn";
}

}  // namespace

std::vector<Actor> fadingActors(int count, int clips) {
  std::vector<Actor> actors = variedActors(count, clips);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    Actor& actor = actors[i];
    actor.fadeClip = static_cast<int>((i + 1) % static_cast<std::size_t>(clips));
    actor.fade = 0.15f + 0.1f * static_cast<float>(i % 8);
    if (i % 2 == 0) continue;
    actor.fadeSeconds = 0.5f;
    actor.fadeAtSeconds = 0.2f;
    actor.fadePhase = static_cast<FadePhase>(i % 3);
    actor.fadeEased = i % 4 == 1;
  }
  return actors;
}

std::vector<Method> refusedOf(Encoding encoding) {
  if (storesMatrices(encodingInfo(encoding))) return {};
  if (isLocal(encodingInfo(encoding))) return {Method::Atlas, Method::Matrix};
  return {Method::Matrix};
}

Character twoMeshesOnOneSkeleton() {
  Character character = barCharacter();
  character.name = "two meshes";
  Mesh second = character.meshes[0];
  second.name = "Beside";
  for (glm::vec3& position : second.positions) position.x += 1.0f;
  character.meshes.push_back(second);
  return character;
}

Character stretchedLimb() {
  Character limb = swingingLimb();
  limb.name = "stretched";
  for (Clip& clip : limb.clips) {
    for (std::size_t t = 0; t < clip.jointTracks.size(); t += 2) {
      Track<glm::vec3>& scale = clip.jointTracks[t].scale;
      scale = {};
      const double end = clip.startSeconds + clip.durationSeconds;
      scale.times = {clip.startSeconds, 0.5 * (clip.startSeconds + end), end};
      scale.values = {glm::vec3(1.0f), glm::vec3(1.3f, 0.8f, 1.1f), glm::vec3(1.0f)};
    }
  }
  return limb;
}

Character mirroredLimb() {
  Character limb = stretchedLimb();
  limb.name = "mirrored";
  for (Clip& clip : limb.clips) {
    for (glm::vec3& scale : clip.jointTracks[2].scale.values) scale.x = -scale.x;
  }
  return limb;
}

void addTangents(Character& character) {
  for (Mesh& mesh : character.meshes) {
    for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
      const glm::vec3 n = mesh.normals[v];
      const glm::vec3 away =
          std::abs(n.y) < 0.8f ? glm::vec3(0.3f, 1.0f, 0.1f) : glm::vec3(1, 0, 0);
      mesh.tangents.emplace_back(glm::normalize(glm::cross(n, away)), v % 3 == 0 ? -1.0f : 1.0f);
    }
  }
}

std::vector<NamedCharacter> codedRigs() {
  std::vector<NamedCharacter> rigs;
  rigs.push_back({"a bar", barCharacter()});
  rigs.push_back({"an arm", swingingLimb()});
  rigs.push_back({"two meshes on one skeleton", twoMeshesOnOneSkeleton()});
  rigs.push_back({"uneven scales", stretchedLimb()});
  return rigs;
}

std::vector<Moment> momentsOf(const BakedRig& rig, int actors) {
  const int clips = static_cast<int>(rig.clips.size());
  const std::vector<Actor> varied = variedActors(actors, clips);
  const double length = rig.clips.front().durationSeconds;
  std::vector<Moment> moments;
  const auto at = [&](const char* name, double seconds) {
    moments.push_back({name, Crowd(varied, rig.clips)});
    moments.back().crowd.seek(seconds);
  };
  std::vector<Actor> atRest = varied;
  for (Actor& actor : atRest) actor.offset = 0.0f;
  moments.push_back({"start", Crowd(atRest, rig.clips)});
  at("middle", 0.4137 * length);
  at("before the seam", length * (1.0 - 1e-6));
  at("over the seam", length * 0.97);
  moments.back().crowd.advance(length * 0.06);
  moments.push_back({"fade", Crowd(fadingActors(actors, clips), rig.clips), true});
  moments.back().crowd.seek(0.43);
  return moments;
}

std::optional<double> documentedRoundingMm(Encoding encoding) {
  QFile page(QStringLiteral(CK_SOURCE_DIR "/docs/techniques.md"));
  if (!page.open(QIODevice::ReadOnly)) return std::nullopt;
  const QString name = QString::fromStdString(std::string(encodingName(encoding)));
  while (!page.atEnd()) {
    const QString line = QString::fromUtf8(page.readLine()).trimmed();
    if (!line.startsWith("| " + name + " |")) continue;
    bool isNumber = false;
    const double mm = line.section('|', -2, -2).trimmed().toDouble(&isNumber);  // the last column
    if (isNumber) return mm;
  }
  return std::nullopt;
}

double Agreement::toleranceMeters() const {
  constexpr double kFloats = 3e-5;  // of actors that stand within a few metres
  constexpr double kFewMeters = 8.0;
  constexpr double kShareOfRounding = 0.06;
  return kFloats * std::max(1.0, farthestMeters / kFewMeters) +
         kShareOfRounding * 0.001 * documentedRoundingMm(encoding).value_or(0.0);
}

Agreement agreementOf(render::CrowdRenderer& renderer, const BakedRig& rig,
                      const std::vector<Moment>& moments, const render::RenderSettings& asked) {
  Agreement agreement;
  agreement.encoding = encodingOf(rig.atlas->recipe);
  for (const MethodInfo& info : kMethods) {
    const Method method = info.method;
    render::RenderSettings settings = asked;
    settings.view.pose.method = method;
    // Between frames the pool mixes matrices, which loses more than the readings of an atlas.
    const bool mixes = method == Method::Pool;
    for (const Moment& moment : moments) {
      const auto drawn = readBackPositions(renderer, moment.crowd, settings);
      const std::string name(methodName(method));
      if (!drawn) {
        if (drawn.error().code != ErrorCode::Unsupported || drawn.error().message.empty()) {
          agreement.problem = name + ": " + drawn.error().message;
        }
        agreement.refused[name] = drawn.error().message;
        continue;
      }
      ++agreement.compared;
      const std::vector<glm::dvec3> reference = render::referencePositions(
          *rig.character, rig.atlas.get(), moment.crowd, settings, false);
      for (const glm::dvec3& position : reference) {
        agreement.farthestMeters = std::max(agreement.farthestMeters, glm::length(position));
      }
      const double distance = distanceOf(*drawn, reference);
      if (methodInfo(method).posesClips) {
        agreement.worstLiveMeters = std::max(agreement.worstLiveMeters, distance);
      } else if (distance > agreement.worstMeters) {
        agreement.worstMeters = distance;
        agreement.where = name + ", " + moment.name;
      }
      if (moment.fades || mixes) continue;
      const double ofSource =
          distanceOf(*drawn, render::referencePositions(*rig.character, rig.atlas.get(),
                                                        moment.crowd, settings, true));
      agreement.worstOfSourceMeters = std::max(agreement.worstOfSourceMeters, ofSource);
      if (&moment == &moments.front() && !methodInfo(method).posesClips) {
        agreement.worstOnFramesMeters = std::max(agreement.worstOnFramesMeters, ofSource);
      }
    }
  }
  if (agreement.problem.empty()) {
    agreement.problem = wrongRefusals(agreement, encodingOf(rig.atlas->recipe), moments.size());
  }
  return agreement;
}

}  // namespace ck::test
