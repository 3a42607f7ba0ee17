#include "render/skinning/actor_stream.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cstddef>

#include "core/base/assert.h"

namespace ck::render {
namespace {

constexpr GLuint kFirstAttribute = 6;

bool isMirrored(const gpu::CkActor& record) {
  const glm::vec4& scale = record.scaleAlphaB;
  return scale.x * scale.y * scale.z < 0.0f;
}

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

void attachFull(std::size_t firstActor) {
  constexpr GLsizei kStride = sizeof(gpu::CkActor);
  const std::size_t start = firstActor * sizeof(gpu::CkActor);
  for (GLuint i = 0; i < 3; ++i) {
    glVertexAttribPointer(kFirstAttribute + i, 4, GL_FLOAT, GL_FALSE, kStride,
                          offset(start + i * 16));
  }
  glVertexAttribIPointer(kFirstAttribute + 3, 4, GL_INT, kStride, offset(start + 48));
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

}  // namespace

CompactActor compactActor(const gpu::CkActor& record) {
  const glm::vec4& place = record.positionAlphaA;
  CompactActor actor;
  actor.positionScale = glm::vec4(place.x, place.y, place.z, record.scaleAlphaB.x);
  actor.rotation = record.rotation;
  actor.frame = record.frames.x + (place.w >= 0.5f ? 1 : 0);
  actor.look = record.frames.w;
  return actor;
}

Result<void> ActorStream::uploadRecords(std::span<const gpu::CkActor> records) {
  if (form_ == ActorRecord::Full) {
    return records_.upload(std::as_bytes(records), BufferUse::Stream, "the actors");
  }
  compact_.resize(records.size());
  std::transform(records.begin(), records.end(), compact_.begin(), compactActor);
  return records_.upload(std::as_bytes(std::span(compact_)), BufferUse::Stream, "the actors");
}

Result<void> ActorStream::upload(std::span<const gpu::CkActor> records,
                                 std::span<const std::uint32_t> selected) {
  CK_ASSERT(form_ != ActorRecord::Block);
  marks_.assign(records.size(), 0);
  for (const std::uint32_t actor : selected) {
    if (actor < marks_.size()) marks_[actor] = 1;
  }
  size_ = 0;
  anyMirrored_ = std::any_of(records.begin(), records.end(), isMirrored);
  if (auto stored = uploadRecords(records); !stored) return stored;
  auto marked =
      selected_.upload(std::as_bytes(std::span(marks_)), BufferUse::Stream, "the selection");
  if (!marked) return marked;
  size_ = records.size();
  return {};
}

void ActorStream::attach(std::size_t firstActor) {
  glBindBuffer(GL_ARRAY_BUFFER, records_.name());
  const GLuint attributes = form_ == ActorRecord::Full ? 4 : 3;
  for (GLuint i = 0; i < attributes; ++i) {
    glEnableVertexAttribArray(kFirstAttribute + i);
    glVertexAttribDivisor(kFirstAttribute + i, 1);
  }
  if (form_ == ActorRecord::Full) {
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

std::size_t ActorStream::uploadedBytes() const {
  return records_.sizeBytes() + selected_.sizeBytes();
}

}  // namespace ck::render
