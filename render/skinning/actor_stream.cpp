#include "render/skinning/actor_stream.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cstddef>

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

}  // namespace

Result<void> ActorStream::upload(std::span<const gpu::CkActor> records,
                                 std::span<const std::uint32_t> selected) {
  marks_.assign(records.size(), 0);
  for (const std::uint32_t actor : selected) {
    if (actor < marks_.size()) marks_[actor] = 1;
  }
  size_ = 0;
  anyMirrored_ = std::any_of(records.begin(), records.end(), isMirrored);
  auto stored = records_.upload(std::as_bytes(records), BufferUse::Stream, "the actors");
  if (!stored) return stored;
  auto marked =
      selected_.upload(std::as_bytes(std::span(marks_)), BufferUse::Stream, "the selection");
  if (!marked) return marked;
  size_ = records.size();
  return {};
}

void ActorStream::attach() {
  glBindBuffer(GL_ARRAY_BUFFER, records_.name());
  constexpr GLsizei kStride = sizeof(gpu::CkActor);
  for (GLuint i = 0; i < 4; ++i) {
    const GLuint attribute = kFirstAttribute + i;
    glEnableVertexAttribArray(attribute);
    if (i < 3) {
      glVertexAttribPointer(attribute, 4, GL_FLOAT, GL_FALSE, kStride, offset(i * 16));
    } else {
      glVertexAttribIPointer(attribute, 4, GL_INT, kStride, offset(i * 16));
    }
    glVertexAttribDivisor(attribute, 1);
  }
  glBindBuffer(GL_ARRAY_BUFFER, selected_.name());
  glEnableVertexAttribArray(kFirstAttribute + 4);
  glVertexAttribIPointer(kFirstAttribute + 4, 1, GL_UNSIGNED_BYTE, 1, nullptr);
  glVertexAttribDivisor(kFirstAttribute + 4, 1);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

std::size_t ActorStream::uploadedBytes() const {
  return records_.sizeBytes() + selected_.sizeBytes();
}

}  // namespace ck::render
