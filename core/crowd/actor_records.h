#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/shared_glsl.h"

namespace ck {

// The records of many actors, kept as two streams: what time changes at every tick, and all else,
// which stays as it is where nobody walks. So a tick of a standing crowd reads and writes a quarter
// of the bytes. A view: whoever owns the streams keeps them as they are while it is used.
class ActorRecords {
 public:
  ActorRecords() = default;
  // As many of the one as of the other. See placesStamp().
  ActorRecords(std::span<const gpu::CkPlace> places, std::span<const gpu::CkFrames> frames,
               std::uint64_t placesStamp = 0)
      : places_(places), frames_(frames), placesStamp_(placesStamp) {}

  std::size_t size() const { return frames_.size(); }
  bool empty() const { return frames_.empty(); }
  // Both put together, by value.
  gpu::CkActor operator[](std::size_t actor) const {
    return gpu::ck_actorOf(places_[actor], frames_[actor]);
  }
  std::span<const gpu::CkPlace> places() const { return places_; }
  std::span<const gpu::CkFrames> frames() const { return frames_; }

  // Equal only while no place has changed, in the whole program; 0 says nothing.
  std::uint64_t placesStamp() const { return placesStamp_; }

 private:
  std::span<const gpu::CkPlace> places_;
  std::span<const gpu::CkFrames> frames_;
  std::uint64_t placesStamp_ = 0;
};

// Streams of one's own.
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
