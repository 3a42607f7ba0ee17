#include "render/far/far_actors.h"

#include <epoxy/gl.h>

#include <cstring>

#include "core/base/assert.h"

namespace ck::render {
namespace {

constexpr GLuint kFirstAttribute = 6;

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

void attach(const Buffer& buffer) {
  constexpr GLsizei kStride = sizeof(FarActor);
  static_assert(offsetof(gpu::CkPlace, look) == 12);
  glBindBuffer(GL_ARRAY_BUFFER, buffer.name());
  for (GLuint i = 0; i < 5; ++i) glEnableVertexAttribArray(kFirstAttribute + i);
  glVertexAttribIPointer(kFirstAttribute, 4, GL_INT, kStride,
                         offset(offsetof(FarActor, place) + offsetof(gpu::CkPlace, position)));
  glVertexAttribPointer(kFirstAttribute + 1, 4, GL_FLOAT, GL_FALSE, kStride,
                        offset(offsetof(FarActor, place) + offsetof(gpu::CkPlace, rotation)));
  glVertexAttribPointer(kFirstAttribute + 2, 3, GL_FLOAT, GL_FALSE, kStride,
                        offset(offsetof(FarActor, place) + offsetof(gpu::CkPlace, scale)));
  glVertexAttribIPointer(kFirstAttribute + 3, 4, GL_INT, kStride,
                         offset(offsetof(FarActor, frames)));
  glVertexAttribIPointer(kFirstAttribute + 4, 1, GL_UNSIGNED_INT, kStride,
                         offset(offsetof(FarActor, number)));
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

}  // namespace

Result<void> FarActors::upload(const ActorRecords& all, std::span<const std::uint32_t> actors,
                               std::span<const std::uint8_t> marks,
                               std::span<const ActorShare> shares) {
  CK_ASSERT(marks.empty() || marks.size() == actors.size());
  CK_ASSERT(shares.empty() || shares.size() == actors.size());
  size_ = 0;
  if (actors.empty()) return {};
  const std::size_t bytes = actors.size() * sizeof(FarActor);
  // Allocated anew each time, so that the driver need not wait for the last frame.
  if (auto room = buffer_.allocate(bytes, "the far actors"); !room) return room;
  const std::span<std::byte> mapped = buffer_.mapToWrite(0, bytes, false);
  if (mapped.empty()) {
    return fail(ErrorCode::LimitExceeded, "the graphics driver has no memory for the far actors");
  }
  const auto places = all.places();
  const auto frames = all.frames();
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const std::uint32_t mark = !marks.empty() && marks[i] != 0 ? kFarSelected : 0;
    FarActor actor{places[actors[i]], actors[i] | mark, frames[actors[i]]};
    if (!shares.empty()) actor.place.look = withShare(actor.place.look, shares[i]);
    std::memcpy(mapped.data() + i * sizeof(FarActor), &actor, sizeof(FarActor));
  }
  buffer_.unmap();
  size_ = actors.size();
  return {};
}

void FarActors::bind() const {
  if (!vertexArray_) {
    vertexArray_ = GlHandle::generate(GlKind::VertexArray);
    glBindVertexArray(vertexArray_.name());
    attach(buffer_);
    return;
  }
  glBindVertexArray(vertexArray_.name());
}

}  // namespace ck::render
