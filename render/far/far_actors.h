#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/crowd/actor_records.h"
#include "core/crowd/actor_share.h"
#include "render/gl/buffer.h"

namespace ck::render {

// Where each far actor's selection mark lies in FarActor::number.
inline constexpr std::uint32_t kFarSelected = 0x80000000u;

// An actor's record as one vertex: the bytes of CkPlace and CkFrames.
struct FarActor {
  gpu::CkPlace place;
  std::uint32_t number = 0;  // index into the crowd's records, and kFarSelected
  gpu::CkFrames frames;
};
static_assert(sizeof(FarActor) == 64);

// The records of actors that are drawn as one point each, as the attributes 6 to 10 of
// crowd/actor_record.glsl with CK_FAR_ACTORS. They are plain vertices, because instances of one
// vertex cost software renderers one to two microseconds each.
class FarActors {
 public:
  // The records `actors` (indices into `all`), which are drawn in this order: put near ones first,
  // so that they hide others. `marks` has a flag per entry of `actors`, not 0 for a selected one,
  // or is empty; so have `shares` where actors dissolve (DrawPass::dissolves). Fails with
  // LimitExceeded; there are no actors then.
  Result<void> upload(const ActorRecords& all, std::span<const std::uint32_t> actors,
                      std::span<const std::uint8_t> marks = {},
                      std::span<const ActorShare> shares = {});

  std::size_t size() const { return size_; }
  std::size_t uploadedBytes() const { return size_ * sizeof(FarActor); }  // by the last upload()

  // Binds the vertex array. The context of the upload must be current.
  void bind() const;

 private:
  Buffer buffer_;
  mutable GlHandle vertexArray_;
  std::size_t size_ = 0;
};

}  // namespace ck::render
