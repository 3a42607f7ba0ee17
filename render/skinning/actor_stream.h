#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/crowd/actor_records.h"
#include "render/gl/buffer.h"

namespace ck::render {

// How an actor reaches the vertex shader (shaders/crowd/actor_record.glsl).
enum class ActorRecord {
  Full,     // CkPlace and CkFrames, 44 and 16 bytes; places only when they have changed
  Compact,  // 40 bytes: place, size and heading, the nearest frame's number, and the look
};

// What the compact record holds. Actors of uneven scale do not fit it; crowds have none.
struct CompactActor {
  glm::vec4 positionScale{0.0f};
  glm::vec4 rotation{0.0f};
  int frame = 0;  // the nearest stored frame, numbered through the atlas
  int look = 0;   // CkPlace::look
};
static_assert(sizeof(CompactActor) == 40);
CompactActor compactActor(const gpu::CkPlace& place, const gpu::CkFrames& frames);

// The actors' records and whether each is selected, as attributes that step once per instance.
class ActorStream {
 public:
  explicit ActorStream(ActorRecord form = ActorRecord::Full) : form_(form) {}

  // `selected` holds indices into `records`; those outside are passed over. Fails with
  // LimitExceeded.
  Result<void> upload(const ActorRecords& records, std::span<const std::uint32_t> selected);

  // Points attributes 6 to 10 of the bound vertex array here, from that actor on.
  void attach(std::size_t firstActor = 0);

  ActorRecord form() const { return form_; }
  std::size_t size() const { return size_; }
  // Whether an actor's scale turns its body inside out.
  bool anyMirrored() const { return anyMirrored_; }
  bool isSelected(std::size_t actor) const { return marks_[actor] != 0; }
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // by the last upload

 private:
  Result<void> uploadPlaces(const ActorRecords& records);
  Result<void> uploadCompact(const ActorRecords& records);
  Result<void> uploadMarks(std::size_t actors, std::span<const std::uint32_t> selected);

  ActorRecord form_;
  Buffer places_;  // CkPlace or CompactActor
  Buffer frames_;  // ActorRecord::Full
  Buffer selected_;
  std::size_t size_ = 0;
  std::size_t uploadedBytes_ = 0;
  std::uint64_t placesStamp_ = 0;  // of what `places_` has; 0: nothing that will do again
  bool anyMirrored_ = false;
  std::vector<std::uint8_t> marks_;
  std::vector<CompactActor> compact_;
};

}  // namespace ck::render
