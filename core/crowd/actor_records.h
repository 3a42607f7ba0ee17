#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/shared_glsl.h"

namespace ck {

// A number > 0 that is unique in the program, by which contents are told from others.
std::uint64_t newStamp();

// A colour of 8 bits per channel, 0xRRGGBB, as 5-6-5 bits, with rounding.
int tint565(std::uint32_t tint);
// CkPlace::look without a second clip.
int withoutFade(int look);
// CkPlace::look with another tint, or as it is.
int repainted(int look, std::optional<int> tint565);

// The records of many actors as two streams: frames, which change in every tick, and places, which
// change only where actors move. A tick of a standing crowd so touches a quarter of the bytes. This
// is a view: the owner of the streams must keep them unchanged while it is used.
class ActorRecords {
 public:
  ActorRecords() = default;
  // Both spans have equal length. For the stamp see placesStamp().
  ActorRecords(std::span<const gpu::CkPlace> places, std::span<const gpu::CkFrames> frames,
               std::uint64_t placesStamp = 0)
      : places_(places), frames_(frames), placesStamp_(placesStamp) {}

  std::size_t size() const { return frames_.size(); }
  bool empty() const { return frames_.empty(); }
  // Both parts of a record, combined.
  gpu::CkActor operator[](std::size_t actor) const {
    return gpu::ck_actorOf(places_[actor], frames_[actor]);
  }
  std::span<const gpu::CkPlace> places() const { return places_; }
  std::span<const gpu::CkFrames> frames() const { return frames_; }

  // Two records with equal stamps have equal places; stamps are unique in the program. 0 is
  // unknown.
  std::uint64_t placesStamp() const { return placesStamp_; }

 private:
  std::span<const gpu::CkPlace> places_;
  std::span<const gpu::CkFrames> frames_;
  std::uint64_t placesStamp_ = 0;
};

// Records with their own storage.
struct OwnedActorRecords {
  std::vector<gpu::CkPlace> places;
  std::vector<gpu::CkFrames> frames;

  void reserve(std::size_t actors) {
    places.reserve(actors);
    frames.reserve(actors);
  }
  void add(const gpu::CkPlace& place, const gpu::CkFrames& frame) {
    places.push_back(place);
    frames.push_back(frame);
  }
  std::size_t size() const { return frames.size(); }
  ActorRecords view() const { return {places, frames}; }
};

}  // namespace ck
