#include "render/methods/prepass/vertex_prepass.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <bit>

#include "core/base/parallel_for.h"
#include "render/morph/morph_stage.h"

namespace ck::render {
namespace {

constexpr int kGroup = 64;  // work group size, as in prepass/skin.comp
constexpr std::size_t kMostGroups = 65535;
constexpr GLuint kVerticesBinding = 0;
constexpr GLuint kTangentsBinding = 1;

std::int32_t twoShorts(std::uint16_t low, std::uint16_t high) {
  return std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(low) |
                                     (static_cast<std::uint32_t>(high) << 16));
}

// The three texels of a vertex that prepass/skin_vertex.glsl reads.
void appendTexels(const GpuVertex& vertex, std::uint32_t tangent, std::vector<glm::ivec4>& texels) {
  const auto bits = [](float value) { return std::bit_cast<std::int32_t>(value); };
  const auto word = [](std::int16_t value) { return static_cast<std::uint16_t>(value); };
  texels.emplace_back(bits(vertex.position.x), bits(vertex.position.y), bits(vertex.position.z),
                      twoShorts(word(vertex.normal[0]), word(vertex.normal[1])));
  texels.emplace_back(twoShorts(vertex.skinJoints[0], vertex.skinJoints[1]),
                      twoShorts(vertex.skinJoints[2], vertex.skinJoints[3]),
                      twoShorts(word(vertex.normal[2]), word(vertex.normal[3])),
                      std::bit_cast<std::int32_t>(tangent));
  texels.emplace_back(bits(vertex.weights[0]), bits(vertex.weights[1]), bits(vertex.weights[2]),
                      bits(vertex.weights[3]));
}

BindVertex bindVertex(const GpuVertex& vertex) {
  const glm::vec3 normal(vertex.normal[0], vertex.normal[1], vertex.normal[2]);
  return {vertex.position, normal / 32767.0f, vertex.skinJoints, vertex.weights};
}

std::vector<BindVertex> bindVertices(const WeldedCharacter& welded) {
  std::vector<BindVertex> vertices(welded.vertices.size());
  std::transform(welded.vertices.begin(), welded.vertices.end(), vertices.begin(), bindVertex);
  return vertices;
}

}  // namespace

VertexPrepass::VertexPrepass(PrepassWay way, const CharacterGpu& character, ShaderLibrary& shaders)
    : way_(way), character_(character), shaders_(shaders) {}

std::vector<VertexPrepass::Share> VertexPrepass::shareOut(const PrepassJob& job,
                                                          const SkinnedStore::Lease& lease) {
  std::vector<Share> shares;
  targets_.clear();
  const std::size_t each = character_.vertexCount();
  for (const SkinnedStore::Run& run : lease.runs()) {
    Share share{run, targets_.size(), 0};
    while (targets_.size() < job.actors.size() &&
           job.actors[targets_.size()] < run.firstActor + run.actors) {
      const std::size_t inRun = job.actors[targets_.size()] - run.firstActor;
      targets_.push_back(static_cast<std::uint32_t>(run.firstVertex + inRun * each));
    }
    share.targets = targets_.size() - share.firstTarget;
    if (share.targets > 0) shares.push_back(share);
  }
  return shares;
}

Result<void> VertexPrepass::uploadBind() {
  if (bind_.sizeBytes() > 0) return {};
  std::vector<glm::ivec4> texels;
  texels.reserve(character_.vertexCount() * 3);
  const WeldedCharacter& welded = character_.welded;
  for (std::size_t v = 0; v < welded.vertices.size(); ++v) {
    appendTexels(welded.vertices[v], welded.tangents.empty() ? 0 : welded.tangents[v], texels);
  }
  return bind_.upload(texels, BufferUse::Static, "the vertices of the character");
}

Result<const Program*> VertexPrepass::prepare(const PrepassJob& job) {
  if (auto stored = uploadBind(); !stored) return tl::unexpected(stored.error());
  if (job.morphs != nullptr) {
    if (auto made = job.morphs->makeRows(); !made) return tl::unexpected(made.error());
  }
  ProgramRequest request;
  request.vertex = way_ == PrepassWay::Compute ? "prepass/skin.comp" : "prepass/skin.vert";
  request.defines = {{"CK_INFLUENCES", job.influences},
                     {"CK_FOLD_WORLD", job.foldWorld},
                     {"CK_PALETTE_TARGETS", job.palette.drawsTargets()},
                     {"CK_MORPHS", job.morphs != nullptr},
                     {"CK_TANGENTS", job.tangents}};
  if (way_ == PrepassWay::Feedback) {
    request.feedback = {"vVertex"};
    if (job.tangents) request.feedback.emplace_back("vTangent");
    request.feedbackApart = true;
  }
  auto program = shaders_.program(request);
  if (!program) return program;
  (*program)->set("ckVertexCount", static_cast<int>(character_.vertexCount()));
  job.palette.bind(**program);
  if (job.foldWorld) job.records.bindTexels();
  bind_.bind(unit::kBinds);
  if (job.morphs != nullptr) {
    job.morphs->bind(**program);
    actorTexels_.bind(unit::kTargetActors);
  }
  return program;
}

Result<void> VertexPrepass::uploadTargets(const PrepassJob& job) {
  if (way_ == PrepassWay::Compute) {
    auto stored = targetTexels_.set(targets_, "the places of skinned vertices");
    if (!stored) return stored;
    uploadedBytes_ += targetTexels_.uploadedBytes();
  }
  if (job.morphs == nullptr) return {};
  auto stored = actorTexels_.set(job.actors, "the actors to be skinned");
  uploadedBytes_ += actorTexels_.uploadedBytes();
  return stored;
}

Result<void> VertexPrepass::run(const PrepassJob& job, SkinnedStore& store,
                                const SkinnedStore::Lease& lease) {
  uploadedBytes_ = 0;
  if (job.actors.empty()) return {};
  const std::vector<Share> shares = shareOut(job, lease);
  if (way_ == PrepassWay::Cpu) return runCpu(job, store, shares);
  // All uploads come before any binding, because uploads change bindings.
  if (auto stored = uploadTargets(job); !stored) return stored;
  auto program = prepare(job);
  if (!program) return tl::unexpected(program.error());
  if (way_ == PrepassWay::Feedback) return runFeedback(**program, store, job.tangents, shares);
  runCompute(**program, store, job.tangents, shares);
  return {};
}

void VertexPrepass::runCompute(const Program& program, SkinnedStore& store, bool tangents,
                               std::span<const Share> shares) {
  targetTexels_.bind(unit::kSlots);
  const auto across = static_cast<GLuint>((character_.vertexCount() + kGroup - 1) / kGroup);
  for (const Share& share : shares) {
    program.set("ckFirstTarget", static_cast<int>(share.firstTarget));
    program.set("ckTargetCount", static_cast<int>(share.targets));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kVerticesBinding, store.page(share.run.page).name());
    if (tangents) {
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kTangentsBinding,
                       store.tangents(share.run.page).name());
    }
    const std::size_t down = std::min(share.targets, kMostGroups);
    glDispatchCompute(across, static_cast<GLuint>(down),
                      static_cast<GLuint>((share.targets + down - 1) / down));
  }
  // Later passes read the buffer as texels, or as bytes.
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kVerticesBinding, 0);
  if (tangents) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kTangentsBinding, 0);
}

// Transform feedback writes contiguously, so actors that are not adjacent need separate draws.
Result<void> VertexPrepass::runFeedback(const Program& program, SkinnedStore& store, bool tangents,
                                        std::span<const Share> shares) {
  if (!nowhere_) {
    auto target = Target::make(1, 1, TargetFormat::Rgba8);
    if (!target) return tl::unexpected(target.error());
    nowhere_ = std::move(*target);
    emptyArray_ = GlHandle::generate(GlKind::VertexArray);
  }
  const KeptFramebuffer kept;
  glBindFramebuffer(GL_FRAMEBUFFER, nowhere_->name());
  glBindVertexArray(emptyArray_.name());
  glEnable(GL_RASTERIZER_DISCARD);
  const auto each = static_cast<std::uint32_t>(character_.vertexCount());
  for (const Share& share : shares) {
    const std::size_t end = share.firstTarget + share.targets;
    for (std::size_t first = share.firstTarget; first < end;) {
      std::size_t last = first + 1;
      while (last < end && targets_[last] == targets_[last - 1] + each) ++last;
      const auto actors = static_cast<GLsizei>(last - first);
      program.set("ckFirstTarget", static_cast<int>(first));
      glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, store.page(share.run.page).name(),
                        targets_[first] * static_cast<GLintptr>(SkinnedStore::kVertexBytes),
                        static_cast<GLsizeiptr>(actors) * each *
                            static_cast<GLsizeiptr>(SkinnedStore::kVertexBytes));
      if (tangents) {
        glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 1, store.tangents(share.run.page).name(),
                          targets_[first] * static_cast<GLintptr>(SkinnedStore::kTangentBytes),
                          static_cast<GLsizeiptr>(actors) * each *
                              static_cast<GLsizeiptr>(SkinnedStore::kTangentBytes));
      }
      glBeginTransformFeedback(GL_POINTS);
      glDrawArraysInstanced(GL_POINTS, 0, static_cast<GLsizei>(each), actors);
      glEndTransformFeedback();
      first = last;
    }
  }
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  if (tangents) glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 1, 0);
  glDisable(GL_RASTERIZER_DISCARD);
  glBindVertexArray(0);
  return {};
}

void VertexPrepass::keepSkinFor(int influences) {
  if (skin_ && skinInfluences_ == influences) return;
  skin_.emplace(bindVertices(character_.welded), influences);
  shapes_.reset();
  fastTangents_.reset();
  morphTangents_.reset();
  skinInfluences_ = influences;
}

void VertexPrepass::keepShapesFor(const MorphStage& morphs) {
  if (shapes_) return;
  std::vector<BindVertex> places;
  for (const std::uint32_t vertex : morphs.differences().vertices) {
    places.push_back(bindVertex(character_.welded.vertices[vertex]));
  }
  shapes_.emplace(morphs.differences(), places, skinInfluences_);
  if (!morphs.differences().turnsTangents) return;
  std::vector<std::uint32_t> tangents;
  for (const std::uint32_t vertex : morphs.differences().vertices) {
    tangents.push_back(character_.welded.tangents[vertex]);
  }
  morphTangents_.emplace(morphs.differences(), places, tangents, skinInfluences_);
}

// After the vertices and with the same matrices, so that passes without tangents do not pay for
// them.
Result<void> VertexPrepass::skinTangentsCpu(const PrepassJob& job, SkinnedStore& store,
                                            const Share& share) {
  const WeldedCharacter& welded = character_.welded;
  if (!fastTangents_) {
    fastTangents_.emplace(bindVertices(welded), welded.tangents, skinInfluences_);
  }
  const std::size_t each = character_.vertexCount();
  const std::size_t rowsEach = rows_.size() / job.actors.size();
  Buffer& buffer = store.tangents(share.run.page);
  const std::span<std::byte> mapped = buffer.mapToWrite(
      share.run.firstVertex * SkinnedStore::kTangentBytes,
      share.run.actors * each * SkinnedStore::kTangentBytes, share.targets != share.run.actors);
  if (mapped.empty()) {
    return fail(ErrorCode::LimitExceeded,
                "the graphics driver has no memory for the skinned tangents; show fewer actors");
  }
  auto* tangents = reinterpret_cast<std::uint32_t*>(mapped.data());
  std::vector<TangentPose> poses;
  for (std::size_t i = share.firstTarget; i < share.firstTarget + share.targets; ++i) {
    const std::size_t first = static_cast<std::size_t>(targets_[i]) - share.run.firstVertex;
    poses.push_back({std::span(rows_).subspan(i * rowsEach, rowsEach), {tangents + first, each}});
  }
  fastTangents_->turn(poses);
  if (job.morphs != nullptr && morphTangents_) {
    parallelFor(poses.size(), {}, [&](std::size_t i) {
      thread_local std::vector<ShownShape> shown;
      job.morphs->shapesOf(job.actors[share.firstTarget + i], shown);
      if (!shown.empty()) morphTangents_->turn(shown, poses[i]);
    });
  }
  buffer.unmap();
  uploadedBytes_ += share.targets * each * SkinnedStore::kTangentBytes;
  return {};
}

Result<void> VertexPrepass::runCpu(const PrepassJob& job, SkinnedStore& store,
                                   std::span<const Share> shares) {
  keepSkinFor(job.influences);
  if (job.morphs != nullptr) keepShapesFor(*job.morphs);
  job.palette.read(rows_);
  const std::size_t rowsEach = rows_.size() / job.actors.size();
  const std::size_t each = character_.vertexCount();
  std::vector<SkinPose> poses;
  for (const Share& share : shares) {
    Buffer& buffer = store.page(share.run.page);
    const std::size_t bytes = share.run.actors * each * SkinnedStore::kVertexBytes;
    const bool allOfThem = share.targets == share.run.actors;
    const std::span<std::byte> mapped =
        buffer.mapToWrite(share.run.firstVertex * SkinnedStore::kVertexBytes, bytes, !allOfThem);
    if (mapped.empty()) {
      return fail(ErrorCode::LimitExceeded,
                  "the graphics driver has no memory for the skinned vertices; show fewer actors");
    }
    auto* vertices = reinterpret_cast<PackedVertex*>(mapped.data());
    poses.clear();
    for (std::size_t i = share.firstTarget; i < share.firstTarget + share.targets; ++i) {
      const std::size_t first = static_cast<std::size_t>(targets_[i]) - share.run.firstVertex;
      const glm::vec3 place = job.foldWorld ? job.places[i].position : glm::vec3(0.0f);
      poses.push_back(
          {std::span(rows_).subspan(i * rowsEach, rowsEach), place, {vertices + first, each}});
    }
    skin_->skin(poses);
    if (job.morphs != nullptr) {
      parallelFor(poses.size(), {}, [&](std::size_t i) {
        thread_local std::vector<ShownShape> shown;
        job.morphs->shapesOf(job.actors[share.firstTarget + i], shown);
        if (!shown.empty()) shapes_->skin(shown, poses[i]);
      });
    }
    buffer.unmap();
    uploadedBytes_ += share.targets * each * SkinnedStore::kVertexBytes;
    if (!job.tangents) continue;
    if (auto done = skinTangentsCpu(job, store, share); !done) return done;
  }
  return {};
}

}  // namespace ck::render
