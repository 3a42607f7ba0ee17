#include "render/skinning/actor_stream.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cstddef>

#include "core/base/assert.h"

namespace ck::render {
namespace {

constexpr GLuint kFirstAttribute = 6;
constexpr const char* kWhat = "the actors";

bool isMirrored(const gpu::CkPlace& place) {
  return place.scale.x * place.scale.y * place.scale.z < 0.0f;
}

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

std::size_t bytesOf(ActorRecord form) {
  return form == ActorRecord::Full ? sizeof(gpu::CkActor) : sizeof(CompactActor);
}

void attachFull(std::size_t firstActor) {
  constexpr GLsizei kStride = sizeof(gpu::CkActor);
  const std::size_t start = firstActor * sizeof(gpu::CkActor);
  glVertexAttribPointer(kFirstAttribute, 4, GL_FLOAT, GL_FALSE, kStride,
                        offset(start + offsetof(gpu::CkActor, positionAlphaA)));
  glVertexAttribPointer(kFirstAttribute + 1, 4, GL_FLOAT, GL_FALSE, kStride,
                        offset(start + offsetof(gpu::CkActor, rotation)));
  glVertexAttribPointer(kFirstAttribute + 2, 4, GL_FLOAT, GL_FALSE, kStride,
                        offset(start + offsetof(gpu::CkActor, scaleAlphaB)));
  static_assert(offsetof(gpu::CkActor, look) == offsetof(gpu::CkActor, frames) + 8);
  glVertexAttribIPointer(kFirstAttribute + 3, 3, GL_INT, kStride,
                         offset(start + offsetof(gpu::CkActor, frames)));
}

void attachCompact(std::size_t firstActor) {
  constexpr GLsizei kStride = sizeof(CompactActor);
  const std::size_t start = firstActor * sizeof(CompactActor);
  glVertexAttribPointer(kFirstAttribute, 4, GL_FLOAT, GL_FALSE, kStride,
                        offset(start + offsetof(CompactActor, positionScale)));
  glVertexAttribPointer(kFirstAttribute + 1, 4, GL_FLOAT, GL_FALSE, kStride,
                        offset(start + offsetof(CompactActor, rotation)));
  glVertexAttribIPointer(kFirstAttribute + 2, 2, GL_INT, kStride,
                         offset(start + offsetof(CompactActor, frame)));
}

CompactActor compactActor(const gpu::CkActor& full) {
  CompactActor actor;
  actor.positionScale = glm::vec4(glm::vec3(full.positionAlphaA), full.scaleAlphaB.x);
  actor.rotation = full.rotation;
  actor.frame = full.frames.x + (full.positionAlphaA.w >= 0.5f ? 1 : 0);
  actor.look = full.look;
  return actor;
}

// The outputs of crowd/steady_record.vert, in the order of the record.
ProgramRequest computeRequest(ActorRecord form) {
  ProgramRequest request;
  request.vertex = "crowd/steady_record.vert";
  if (form == ActorRecord::Full) {
    request.feedback = {"vPositionAlphaA", "vRotation", "vScaleAlphaB", "vFramesLook"};
  } else {
    request.defines = {{"CK_COMPACT_RECORD", 1}};
    request.feedback = {"vPositionScale", "vRotation", "vFrameLook"};
  }
  return request;
}

}  // namespace

Result<void> ActorStream::run(const Source& source, std::size_t actors, ShaderLibrary& shaders) {
  const std::size_t bytes = actors * bytesOf(form_);
  if (records_.sizeBytes() != bytes) {
    if (auto room = records_.allocate(bytes, kWhat); !room) return room;
  }
  if (!nowhere_) {
    auto target = Target::make(1, 1, TargetFormat::Rgba8);
    if (!target) return tl::unexpected(target.error());
    nowhere_ = std::move(*target);
    vertexArray_ = GlHandle::generate(GlKind::VertexArray);
  }
  const auto program = shaders.program(computeRequest(form_));
  if (!program) return tl::unexpected(program.error());
  source.crowd.bind(**program);
  source.look.set(**program);
  const KeptFramebuffer kept;
  glBindFramebuffer(GL_FRAMEBUFFER, nowhere_->name());
  glBindVertexArray(vertexArray_.name());
  source.crowd.streams().attach();
  glEnable(GL_RASTERIZER_DISCARD);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, records_.name());
  glBeginTransformFeedback(GL_POINTS);
  if (source.chosen.isAll()) {
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(actors));
  } else {
    list_.draw();
  }
  glEndTransformFeedback();
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  glDisable(GL_RASTERIZER_DISCARD);
  glBindVertexArray(0);
  return {};
}

Result<void> ActorStream::compute(const Source& source, std::span<const std::uint32_t> selected,
                                  ShaderLibrary& shaders) {
  CK_ASSERT(source.chosen.shares().empty());
  size_ = 0;
  uploadedBytes_ = 0;
  if (!source.chosen.isAll()) {
    if (auto stored = list_.set(source.chosen); !stored) return stored;
    uploadedBytes_ += list_.uploadedBytes();
  }
  const std::size_t actors = source.chosen.isAll() ? source.crowd.size() : list_.size();
  if (auto marked = uploadMarks(actors, selected); !marked) return marked;
  if (actors > 0) {
    if (auto done = run(source, actors, shaders); !done) return done;
  }
  anyMirrored_ = source.crowd.anyMirrored();
  size_ = actors;
  return {};
}

Result<void> ActorStream::uploadMarks(std::size_t actors, std::span<const std::uint32_t> selected) {
  std::vector<std::uint8_t> marks(actors);
  for (const std::uint32_t actor : selected) {
    if (actor < actors) marks[actor] = 1;
  }
  if (marks == marks_) return {};
  marks_.clear();
  auto stored = selected_.upload(marks, BufferUse::Stream, "the selection");
  if (!stored) return stored;
  marks_ = std::move(marks);
  uploadedBytes_ += marks_.size();
  return {};
}

Result<void> ActorStream::upload(const ActorRecords& records,
                                 std::span<const std::uint32_t> selected) {
  size_ = 0;
  uploadedBytes_ = 0;
  const auto put = [&](const auto& make) {
    std::vector<decltype(make(records[0]))> all;
    all.reserve(records.size());
    for (std::size_t actor = 0; actor < records.size(); ++actor)
      all.push_back(make(records[actor]));
    return records_.upload(all, BufferUse::Stream, kWhat);
  };
  const auto asItIs = [](const gpu::CkActor& actor) { return actor; };
  auto stored = form_ == ActorRecord::Full ? put(asItIs) : put(compactActor);
  if (!stored) return stored;
  uploadedBytes_ += records_.sizeBytes();
  if (auto marked = uploadMarks(records.size(), selected); !marked) return marked;
  anyMirrored_ = std::ranges::any_of(records.places(), isMirrored);
  size_ = records.size();
  return {};
}

void ActorStream::attach(std::size_t firstActor) {
  const bool full = form_ == ActorRecord::Full;
  const GLuint attributes = full ? 4 : 3;
  for (GLuint i = 0; i < attributes; ++i) {
    glEnableVertexAttribArray(kFirstAttribute + i);
    glVertexAttribDivisor(kFirstAttribute + i, 1);
  }
  glBindBuffer(GL_ARRAY_BUFFER, records_.name());
  if (full) {
    attachFull(firstActor);
  } else {
    attachCompact(firstActor);
  }
  glBindBuffer(GL_ARRAY_BUFFER, selected_.name());
  glEnableVertexAttribArray(kFirstAttribute + 4);
  glVertexAttribIPointer(kFirstAttribute + 4, 1, GL_UNSIGNED_BYTE, 1, offset(firstActor));
  glVertexAttribDivisor(kFirstAttribute + 4, 1);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

std::vector<gpu::CkActor> ActorStream::read() const {
  CK_ASSERT(form_ == ActorRecord::Full);
  std::vector<gpu::CkActor> records(size_);
  if (!records.empty()) records_.read(records);
  return records;
}

}  // namespace ck::render
