#include "render/skinning/actor_stream.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cstddef>

namespace ck::render {
namespace {

constexpr GLuint kFirstAttribute = 6;

bool isMirrored(const gpu::CkPlace& place) {
  return place.scale.x * place.scale.y * place.scale.z < 0.0f;
}

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

// Integers with the bits of the place's floats, as crowd/actor_record.glsl reads them.
void attachPlaces(std::size_t firstActor) {
  constexpr GLsizei kStride = sizeof(gpu::CkPlace);
  const std::size_t start = firstActor * sizeof(gpu::CkPlace);
  static_assert(offsetof(gpu::CkPlace, look) == 12);
  glVertexAttribIPointer(kFirstAttribute, 4, GL_INT, kStride,
                         offset(start + offsetof(gpu::CkPlace, position)));
  glVertexAttribPointer(kFirstAttribute + 1, 4, GL_FLOAT, GL_FALSE, kStride,
                        offset(start + offsetof(gpu::CkPlace, rotation)));
  glVertexAttribPointer(kFirstAttribute + 2, 3, GL_FLOAT, GL_FALSE, kStride,
                        offset(start + offsetof(gpu::CkPlace, scale)));
}

void attachFrames(std::size_t firstActor) {
  constexpr GLsizei kStride = sizeof(gpu::CkFrames);
  glVertexAttribIPointer(kFirstAttribute + 3, 4, GL_INT, kStride,
                         offset(firstActor * sizeof(gpu::CkFrames)));
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

CompactActor compactActor(const gpu::CkPlace& place, const gpu::CkFrames& frames) {
  CompactActor actor;
  actor.positionScale = glm::vec4(place.position, place.scale.x);
  actor.rotation = place.rotation;
  actor.frame = frames.frameA + (frames.alphaA >= 0.5f ? 1 : 0);
  actor.look = place.look;
  return actor;
}

}  // namespace

Result<void> ActorStream::uploadPlaces(const ActorRecords& records) {
  if (records.placesStamp() != 0 && records.placesStamp() == placesStamp_) return {};
  placesStamp_ = 0;
  const auto places = records.places();
  if (auto stored = places_.upload(places, BufferUse::Stream, "the actors"); !stored) return stored;
  placesStamp_ = records.placesStamp();
  anyMirrored_ = std::any_of(places.begin(), places.end(), isMirrored);
  uploadedBytes_ += places.size_bytes();
  return {};
}

Result<void> ActorStream::uploadCompact(const ActorRecords& records) {
  const auto places = records.places();
  compact_.resize(records.size());
  std::transform(places.begin(), places.end(), records.frames().begin(), compact_.begin(),
                 compactActor);
  anyMirrored_ = std::any_of(places.begin(), places.end(), isMirrored);
  uploadedBytes_ += compact_.size() * sizeof(CompactActor);
  return places_.upload(compact_, BufferUse::Stream, "the actors");
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
  if (form_ == ActorRecord::Compact) {
    if (auto stored = uploadCompact(records); !stored) return stored;
  } else {
    if (auto stored = uploadPlaces(records); !stored) return stored;
    auto stored = frames_.upload(records.frames(), BufferUse::Stream, "the actors' frames");
    if (!stored) return stored;
    uploadedBytes_ += records.frames().size_bytes();
  }
  if (auto marked = uploadMarks(records.size(), selected); !marked) return marked;
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
  glBindBuffer(GL_ARRAY_BUFFER, places_.name());
  if (full) {
    attachPlaces(firstActor);
    glBindBuffer(GL_ARRAY_BUFFER, frames_.name());
    attachFrames(firstActor);
  } else {
    attachCompact(firstActor);
  }
  glBindBuffer(GL_ARRAY_BUFFER, selected_.name());
  glEnableVertexAttribArray(kFirstAttribute + 4);
  glVertexAttribIPointer(kFirstAttribute + 4, 1, GL_UNSIGNED_BYTE, 1, offset(firstActor));
  glVertexAttribDivisor(kFirstAttribute + 4, 1);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

}  // namespace ck::render
