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

// Attributes come from the buffer that is bound at the call.
void attach(const Buffer& places, const Buffer& frames) {
  constexpr GLsizei kStride = sizeof(FarPlace);
  static_assert(offsetof(gpu::CkPlace, look) == 12);
  for (GLuint i = 0; i < 5; ++i) glEnableVertexAttribArray(kFirstAttribute + i);
  glBindBuffer(GL_ARRAY_BUFFER, places.name());
  glVertexAttribIPointer(kFirstAttribute, 4, GL_INT, kStride,
                         offset(offsetof(FarPlace, place) + offsetof(gpu::CkPlace, position)));
  glVertexAttribPointer(kFirstAttribute + 1, 4, GL_FLOAT, GL_FALSE, kStride,
                        offset(offsetof(FarPlace, place) + offsetof(gpu::CkPlace, rotation)));
  glVertexAttribPointer(kFirstAttribute + 2, 3, GL_FLOAT, GL_FALSE, kStride,
                        offset(offsetof(FarPlace, place) + offsetof(gpu::CkPlace, scale)));
  glVertexAttribIPointer(kFirstAttribute + 4, 1, GL_UNSIGNED_INT, kStride,
                         offset(offsetof(FarPlace, number)));
  glBindBuffer(GL_ARRAY_BUFFER, frames.name());
  glVertexAttribIPointer(kFirstAttribute + 3, 4, GL_INT, sizeof(gpu::CkFrames), nullptr);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

// Fills a buffer with `make(i)` for the numbers below `count`. It is allocated anew each time, so
// that the driver need not wait for the last frame.
template <class Record, class Make>
Result<void> fill(Buffer& buffer, std::size_t count, const Make& make) {
  const std::size_t bytes = count * sizeof(Record);
  if (auto room = buffer.allocate(bytes, "the far actors"); !room) return room;
  const std::span<std::byte> mapped = buffer.mapToWrite(0, bytes, false);
  if (mapped.empty()) {
    return fail(ErrorCode::LimitExceeded, "the graphics driver has no memory for the far actors");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Record record = make(i);
    std::memcpy(mapped.data() + i * sizeof(Record), &record, sizeof(Record));
  }
  buffer.unmap();
  return {};
}

}  // namespace

Result<void> FarActors::uploadPlaces(const ActorRecords& all, std::span<const std::uint32_t> actors,
                                     std::span<const std::uint8_t> marks,
                                     std::span<const ActorShare> shares) {
  choiceStamp_ = 0;
  placesStamp_ = 0;
  uploadedBytes_ += actors.size() * sizeof(FarPlace);
  return fill<FarPlace>(places_, actors.size(), [&](std::size_t i) {
    const std::uint32_t mark = !marks.empty() && marks[i] != 0 ? kFarSelected : 0;
    FarPlace record{all.places()[actors[i]], actors[i] | mark};
    if (!shares.empty()) record.place.look = withShare(record.place.look, shares[i]);
    return record;
  });
}

Result<void> FarActors::uploadFrames(const ActorRecords& all,
                                     std::span<const std::uint32_t> actors) {
  uploadedBytes_ += actors.size() * sizeof(gpu::CkFrames);
  return fill<gpu::CkFrames>(frames_, actors.size(),
                             [&](std::size_t i) { return all.frames()[actors[i]]; });
}

Result<void> FarActors::upload(const ActorRecords& all, std::span<const std::uint32_t> actors,
                               std::span<const std::uint8_t> marks,
                               std::span<const ActorShare> shares) {
  CK_ASSERT(marks.empty() || marks.size() == actors.size());
  CK_ASSERT(shares.empty() || shares.size() == actors.size());
  size_ = 0;
  uploadedBytes_ = 0;
  if (actors.empty()) return {};
  if (auto stored = uploadPlaces(all, actors, marks, shares); !stored) return stored;
  if (auto stored = uploadFrames(all, actors); !stored) return stored;
  size_ = actors.size();
  return {};
}

Result<void> FarActors::upload(const ActorRecords& all, const ActorChoice& chosen) {
  const bool isKnown = chosen.stamp() != 0 && all.placesStamp() != 0;
  if (isKnown && size_ > 0 && chosen.stamp() == choiceStamp_ && all.placesStamp() == placesStamp_) {
    uploadedBytes_ = 0;
    auto stored = uploadFrames(all, chosen.actors());
    if (!stored) size_ = 0;
    return stored;
  }
  auto stored = upload(all, chosen.actors(), {}, chosen.shares());
  if (stored && isKnown) {
    choiceStamp_ = chosen.stamp();
    placesStamp_ = all.placesStamp();
  }
  return stored;
}

void FarActors::bind() const {
  if (!vertexArray_) {
    vertexArray_ = GlHandle::generate(GlKind::VertexArray);
    glBindVertexArray(vertexArray_.name());
    attach(places_, frames_);
    return;
  }
  glBindVertexArray(vertexArray_.name());
}

}  // namespace ck::render
