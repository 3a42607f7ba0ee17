#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/atlas/shared_glsl.h"
#include "render/gl/buffer.h"

namespace ck::render {

// How an actor reaches the vertex shader (shaders/crowd/actor_record.glsl).
enum class ActorRecord {
  Full,     // CkActor, 64 bytes
  Compact,  // 40 bytes: place, size and heading, the nearest frame's number, and the look
  Block,    // CkActor from a uniform block, as the write-up draws; not from an ActorStream
};

// What the compact record holds. Actors of uneven scale do not fit it; crowds have none.
struct CompactActor {
  glm::vec4 positionScale{0.0f};
  glm::vec4 rotation{0.0f};
  int frame = 0;  // the nearest stored frame, numbered through the atlas
  int look = 0;   // CkActor::frames.w
};
static_assert(sizeof(CompactActor) == 40);
CompactActor compactActor(const gpu::CkActor& record);

// The actors' records and whether each is selected, as attributes that step once per instance.
class ActorStream {
 public:
  explicit ActorStream(ActorRecord form = ActorRecord::Full) : form_(form) {}

  // `selected` holds indices into `records`; those outside are passed over. Fails with
  // LimitExceeded.
  Result<void> upload(std::span<const gpu::CkActor> records,
                      std::span<const std::uint32_t> selected);

  // Points attributes 6 to 10 of the bound vertex array here, from that actor on.
  void attach(std::size_t firstActor = 0);

  ActorRecord form() const { return form_; }
  std::size_t size() const { return size_; }
  // Whether an actor's scale turns its body inside out.
  bool anyMirrored() const { return anyMirrored_; }
  bool isSelected(std::size_t actor) const { return marks_[actor] != 0; }
  std::size_t uploadedBytes() const;

 private:
  Result<void> uploadRecords(std::span<const gpu::CkActor> records);

  ActorRecord form_;
  Buffer records_;
  Buffer selected_;
  std::size_t size_ = 0;
  bool anyMirrored_ = false;
  std::vector<std::uint8_t> marks_;
  std::vector<CompactActor> compact_;
};

}  // namespace ck::render
