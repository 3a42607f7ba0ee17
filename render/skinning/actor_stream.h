#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/crowd/actor_records.h"
#include "render/gl/buffer.h"

namespace ck::render {

// The format of an actor's record in the vertex shader (shaders/crowd/actor_record.glsl).
enum class ActorRecord {
  Full,     // CkPlace and CkFrames, 44 and 16 bytes; places are uploaded only when they change
  Compact,  // 40 bytes: position, scale, rotation, nearest frame and look
};

// The compact record. It has one scale for all axes; crowds use no other.
struct CompactActor {
  glm::vec4 positionScale{0.0f};
  glm::vec4 rotation{0.0f};
  int frame = 0;  // the nearest stored frame, numbered through the atlas
  int look = 0;   // CkPlace::look
};
static_assert(sizeof(CompactActor) == 40);

// The actors' records and selection flags as per-instance attributes.
class ActorStream {
 public:
  explicit ActorStream(ActorRecord form = ActorRecord::Full) : form_(form) {}

  // `selected` holds indices into `records`; others are ignored. Fails with LimitExceeded.
  Result<void> upload(const ActorRecords& records, std::span<const std::uint32_t> selected);

  // Sets attributes 6 to 10 of the bound vertex array to this stream, starting at `firstActor`.
  void attach(std::size_t firstActor = 0);

  ActorRecord form() const { return form_; }
  std::size_t size() const { return size_; }
  // Whether any actor has a mirroring scale.
  bool anyMirrored() const { return anyMirrored_; }
  bool isSelected(std::size_t actor) const { return marks_[actor] != 0; }
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // by the last upload

 private:
  Result<void> uploadPlaces(const ActorRecords& records);
  Result<void> uploadCompact(const ActorRecords& records);
  Result<void> uploadMarks(std::size_t actors, std::span<const std::uint32_t> selected);

  ActorRecord form_;
  Buffer places_;  // CkPlace or CompactActor
  Buffer frames_;  // with ActorRecord::Full
  Buffer selected_;
  std::size_t size_ = 0;
  std::size_t uploadedBytes_ = 0;
  std::uint64_t placesStamp_ = 0;  // stamp of the uploaded places; 0: unknown
  bool anyMirrored_ = false;
  std::vector<std::uint8_t> marks_;
  std::vector<CompactActor> compact_;
};

}  // namespace ck::render
