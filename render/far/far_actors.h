#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/crowd/actor_choice.h"
#include "core/crowd/actor_records.h"
#include "core/crowd/actor_share.h"
#include "render/gl/buffer.h"

namespace ck::render {

// Where each far actor's selection mark lies in FarPlace::number.
inline constexpr std::uint32_t kFarSelected = 0x80000000u;

// What of an actor's record changes seldom, as one vertex.
struct FarPlace {
  gpu::CkPlace place;
  std::uint32_t number = 0;  // index into the crowd's records, and kFarSelected
};
static_assert(sizeof(FarPlace) == 48);

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
  // The same; where the choice and the places are those of the last upload, by their stamps, frames
  // alone are uploaded, which are a quarter of the bytes.
  Result<void> upload(const ActorRecords& all, const ActorChoice& chosen);

  std::size_t size() const { return size_; }
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // by the last upload()

  // Binds the vertex array. The context of the upload must be current.
  void bind() const;

 private:
  Result<void> uploadPlaces(const ActorRecords& all, std::span<const std::uint32_t> actors,
                            std::span<const std::uint8_t> marks,
                            std::span<const ActorShare> shares);
  Result<void> uploadFrames(const ActorRecords& all, std::span<const std::uint32_t> actors);

  Buffer places_;  // FarPlace
  Buffer frames_;  // gpu::CkFrames
  mutable GlHandle vertexArray_;
  std::size_t size_ = 0;
  std::size_t uploadedBytes_ = 0;
  // Of the choice and the places in places_; 0 is unknown.
  std::uint64_t choiceStamp_ = 0;
  std::uint64_t placesStamp_ = 0;
};

}  // namespace ck::render
