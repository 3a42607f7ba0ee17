#include "render/skinning/actor_list.h"

#include <epoxy/gl.h>

#include "core/base/assert.h"

namespace ck::render {

Result<void> ActorList::set(const ActorChoice& chosen) {
  CK_ASSERT(!chosen.isAll());
  uploadedBytes_ = 0;
  if (chosen.stamp() == stamp_) return {};
  stamp_ = 0;
  size_ = 0;
  const std::span<const std::uint32_t> actors = chosen.actors();
  if (!actors.empty()) {
    auto stored = indices_.upload(actors, BufferUse::Stream, "the list of actors");
    if (!stored) return stored;
  }
  stamp_ = chosen.stamp();
  size_ = actors.size();
  uploadedBytes_ = actors.size_bytes();
  return {};
}

void ActorList::draw() const {
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.name());
  glDrawElements(GL_POINTS, static_cast<GLsizei>(size_), GL_UNSIGNED_INT, nullptr);
}

}  // namespace ck::render
