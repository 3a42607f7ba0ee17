#include "render/methods/cpu/cpu_upload_skinner.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/parallel_for.h"
#include "core/skinning/cpu_skinning.h"
#include "core/skinning/tangent_skinning.h"
#include "render/methods/cpu/affine.h"
#include "render/methods/cpu/source_distance.h"
#include "render/morph/morph_stage.h"
#include "render/skinning/actor_poses.h"
#include "render/skinning/draw_actors.h"

namespace ck::render {
namespace {

constexpr std::size_t kLargestUpload = 512u << 20;

// Positions and normals of all vertices of an actor in world space, skinned from the source with
// all influences by skinMesh().
struct WorldVertices {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;
  std::vector<glm::dvec4> tangents;  // all 0 if the mesh has no tangents
};

// A mirroring matrix changes the sign of the bitangent.
double sideAfter(const glm::dmat3& linear) {
  return glm::determinant(linear) < 0.0 ? -1.0 : 1.0;
}

WorldVertices sourceVertices(const Character& character, const ActorPoses& poses, std::size_t actor,
                             const glm::dmat4& world) {
  const std::vector<glm::dmat4> matrices = poses.source(actor);
  const glm::dmat3 turn = cofactor(glm::dmat3(world));
  WorldVertices all;
  for (std::size_t m = 0; m < character.meshes.size(); ++m) {
    const Mesh& mesh = character.meshes[m];
    const std::vector<float> weights = poses.sourceMorphWeights(actor, static_cast<int>(m));
    const SkinnedMesh posed =
        skinMesh(mesh, matrices, {.influenceLimit = 0, .morphWeights = weights});
    for (const glm::dvec3& position : posed.positions) {
      all.positions.push_back(transformPoint(world, position));
    }
    for (const glm::dvec3& normal : posed.normals) all.normals.push_back(turn * normal);
    for (const glm::dvec4& tangent : posed.tangents) {
      all.tangents.emplace_back(glm::dmat3(world) * glm::dvec3(tangent),
                                tangent.w * sideAfter(glm::dmat3(world)));
    }
    all.tangents.resize(all.positions.size(), glm::dvec4(0.0));
  }
  return all;
}

class CpuUploadSkinner : public ActorSkinner {
 public:
  explicit CpuUploadSkinner(const SkinnerInput& input) : ActorSkinner(input) {
    if (input.from == PoseFrom::AtlasError) distance_.emplace(input.character);
  }

  // Fails with LimitExceeded, which says how many actors would fit.
  Result<void> update(const SkinningTick& tick) override {
    const std::size_t actors = tick.records.size();
    const std::size_t count = input_.character.vertexCount();
    if (auto fits = checkSize(actors); !fits) return fits;
    vertices_.resize(actors * count);
    tangents_.resize(tick.tangents ? actors * count : 0);
    const Character& character = *input_.character.character;
    const Atlas* atlas = input_.atlas != nullptr ? input_.atlas->atlas.get() : nullptr;
    const MethodInfo& method = methodInfo(tick.pose.method);
    const ActorPoses poses(character, atlas, tick.crowd,
                           {.interpolate = isBetweenFrames(tick.pose.sampling),
                            .fades = tick.pose.fades,
                            .reading = method.reading,
                            .mixes = method.reads == VertexReads::Pool,
                            .filters = tick.pose.sampling == Sampling::HardwareLinear,
                            .masks = method.posesClips});
    worst_.assign(distance_ ? actors : 0, {});
    const std::vector<bool> shown = shownVertices(tick.hiddenMeshes);
    parallelFor(actors, {}, [&](std::size_t drawn) {
      const std::span<Vertex> mine = std::span(vertices_).subspan(drawn * count, count);
      const glm::dmat4 world = actorMatrix(tick.records[drawn]);
      const std::size_t actor = tick.chosen[drawn];
      if (input_.from != PoseFrom::Source) {
        // Without the actor's place, which would cost the last digits of a distance.
        glm::dmat4 turn = world;
        turn[3] = glm::dvec4(0.0, 0.0, 0.0, 1.0);
        std::vector<glm::dmat4> matrices =
            method.posesClips ? poses.source(actor) : poses.baked(actor);
        for (glm::dmat4& matrix : matrices) matrix = turn * matrix;
        const Bind bind = bindOf(drawn, tick.morphs, tick.tangents);
        skin(bind, matrices, tick.pose.influences, mine);
        if (distance_) worst_[drawn] = measure(poses, actor, glm::dmat3(turn), shown, mine);
        for (Vertex& vertex : mine) vertex.positionError += glm::vec4(glm::vec3(world[3]), 0.0f);
        if (tick.tangents) {
          skinTangents(bind, matrices, tick.pose.influences,
                       std::span(tangents_).subspan(drawn * count, count));
        }
      }
      if (input_.from != PoseFrom::Source) return;
      const WorldVertices source = sourceVertices(character, poses, actor, world);
      for (std::size_t v = 0; v < count; ++v) {
        const std::size_t original = input_.character.welded.originalOf[v];
        mine[v] = {glm::vec4(glm::vec3(source.positions[original]), 0.0f),
                   glm::vec4(glm::vec3(source.normals[original]), 0.0f)};
        if (tick.tangents) tangents_[drawn * count + v] = glm::vec4(source.tangents[original]);
      }
    });
    auto stored = texture_.upload(vertices_, BufferUse::Stream, "the vertices of all actors");
    if (!stored || !tick.tangents) return stored;
    return tangentTexture_.upload(tangents_, BufferUse::Stream, "the tangents of all actors");
  }

  Result<void> draw(const DrawPass& pass) const override {
    PoseShader pose{.file = "pose/uploaded_pose.glsl"};
    DrawPass own = pass;
    own.morphs = nullptr;  // uploaded vertices are already morphed
    if (input_.from == PoseFrom::AtlasError) {
      pose.defines.push_back({"CK_ERROR", 1});
      own.litBefore = false;  // the distance is shown per pixel
    }
    const auto used = program(pose, own);
    if (used) (*used)->set("ckVertexCount", static_cast<int>(input_.character.vertexCount()));
    texture_.bind(unit::kSkinned);
    if (showsTangents(own, input_.character)) tangentTexture_.bind(unit::kTangents);
    return drawAll(used, own);
  }

  std::optional<WorstVertex> worstVertex() const override {
    std::optional<WorstVertex> worst;
    for (std::size_t actor = 0; actor < worst_.size(); ++actor) {
      const WorstVertex& own = worst_[actor];
      if (worst && own.meters <= worst->meters) continue;
      worst = own;
      worst->actor = actor;
    }
    return worst;
  }

  SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const override {
    const std::size_t bytes = texture_.sizeBytes() + tangentTexture_.sizeBytes();
    return {.drawCalls = instancedCalls(actors, runs),
            .uploadedBytes = bytes,
            .heldBytes = bytes,
            .onCpu = true};
  }

 private:
  // Two texels of the buffer texture.
  struct Vertex {
    glm::vec4 positionError{0.0f};  // world, metres; w: distance to the source
    glm::vec4 normal{0.0f};
  };
  // The morphed bind vertices of an actor.
  struct Bind {
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;
    std::vector<glm::vec4> tangents;  // of any length, w as in unpackTangent(); or empty
  };
  Result<void> checkSize(std::size_t actors) const {
    const std::size_t perActor = input_.character.vertexCount() * sizeof(Vertex);
    if (actors * perActor <= kLargestUpload) return {};
    return fail(
        ErrorCode::LimitExceeded,
        fmt::format("the processor would skin and upload {} MB a frame for {} whole actors; "
                    "at most {} of this character can be shown so: take fewer, or levels "
                    "of detail in the views baked and source",
                    actors * perActor / 1000000, actors, kLargestUpload / perActor));
  }

  // Whether each merged vertex belongs to a mesh that is drawn.
  std::vector<bool> shownVertices(std::span<const int> hiddenMeshes) const {
    std::vector<bool> shown(input_.character.vertexCount(), true);
    std::vector<bool> originals;
    const std::vector<Mesh>& meshes = input_.character.character->meshes;
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      const bool isShown =
          std::ranges::find(hiddenMeshes, static_cast<int>(m)) == hiddenMeshes.end();
      originals.insert(originals.end(), meshes[m].positions.size(), isShown);
    }
    for (std::size_t v = 0; v < shown.size(); ++v) {
      shown[v] = originals[input_.character.welded.originalOf[v]];
    }
    return shown;
  }

  // Measures an actor's vertices, which are relative to its place, and returns the worst one.
  WorstVertex measure(const ActorPoses& poses, std::size_t actor, const glm::dmat3& turn,
                      const std::vector<bool>& shown, std::span<Vertex> vertices) const {
    std::vector<glm::vec3> drawn;
    for (const Vertex& vertex : vertices) drawn.emplace_back(vertex.positionError);
    std::vector<float> meters(vertices.size());
    distance_->measure(poses, actor, turn, drawn, meters);
    WorstVertex worst;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      vertices[v].positionError.w = meters[v];
      if (!shown[v] || static_cast<double>(meters[v]) <= worst.meters) continue;
      worst = {static_cast<double>(meters[v]), actor, input_.character.welded.originalOf[v]};
    }
    return worst;
  }

  Bind bindOf(std::size_t actor, const MorphStage* morphs, bool tangents) const {
    Bind bind;
    for (const GpuVertex& vertex : input_.character.welded.vertices) {
      bind.positions.push_back(vertex.position);
      bind.normals.emplace_back(glm::vec3(vertex.normal[0], vertex.normal[1], vertex.normal[2]) /
                                32767.0f);
    }
    if (tangents) {
      for (const std::uint32_t packed : input_.character.welded.tangents) {
        bind.tangents.push_back(unpackTangent(packed));
      }
    }
    if (morphs != nullptr) morphs->shape(actor, bind.positions, bind.normals, bind.tangents);
    return bind;
  }

  void skin(const Bind& bind, const std::vector<glm::dmat4>& matrices, int influences,
            std::span<Vertex> vertices) const {
    std::vector<Affine> joints;
    joints.reserve(matrices.size());
    for (const glm::dmat4& matrix : matrices) joints.push_back(toAffine(matrix));
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      const GpuVertex& vertex = input_.character.welded.vertices[v];
      Affine sum;
      float total = 0.0f;
      for (std::size_t i = 0; i < static_cast<std::size_t>(influences); ++i) {
        const float weight = vertex.weights[i];
        if (weight <= 0.0f) break;
        addWeighted(sum, joints[vertex.skinJoints[i]], weight);
        total += weight;
      }
      const float scale = total > 0.0f ? 1.0f / total : 0.0f;
      const glm::vec3 p = bind.positions[v];
      const glm::vec3 moved = movedPoint(sum, p);
      const glm::vec3 n = bind.normals[v];
      const glm::vec3 turned = glm::cross(sum.columns[1], sum.columns[2]) * n.x +
                               glm::cross(sum.columns[2], sum.columns[0]) * n.y +
                               glm::cross(sum.columns[0], sum.columns[1]) * n.z;
      vertices[v].positionError = glm::vec4(moved * scale, 0.0f);
      vertices[v].normal = glm::vec4(turned, 0.0f);
    }
  }

  // The shader makes tangents orthogonal to normals.
  void skinTangents(const Bind& bind, const std::vector<glm::dmat4>& matrices, int influences,
                    std::span<glm::vec4> tangents) const {
    const WeldedCharacter& welded = input_.character.welded;
    for (std::size_t v = 0; v < tangents.size(); ++v) {
      const glm::vec4& bound = bind.tangents[v];
      glm::dmat3 sum(0.0);
      for (std::size_t i = 0; i < static_cast<std::size_t>(influences); ++i) {
        const double weight = static_cast<double>(welded.vertices[v].weights[i]);
        if (weight <= 0.0) break;
        sum += weight * glm::dmat3(matrices[welded.vertices[v].skinJoints[i]]);
      }
      tangents[v] = glm::vec4(glm::vec3(sum * glm::dvec3(bound)),
                              bound.w * static_cast<float>(sideAfter(sum)));
    }
  }

  BufferTexture texture_;
  std::vector<Vertex> vertices_;
  BufferTexture tangentTexture_;            // one texel per vertex, if tangents are shown
  std::vector<glm::vec4> tangents_;         // empty if tangents are not shown
  std::optional<SourceDistance> distance_;  // for PoseFrom::AtlasError
  std::vector<WorstVertex> worst_;          // one per actor, for PoseFrom::AtlasError
};

}  // namespace

template <>
SkinnerResult skinnerOf<Method::Cpu>(const SkinnerInput& input) {
  return std::make_unique<CpuUploadSkinner>(input);
}

}  // namespace ck::render
