#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/atlas/shared_glsl.h"
#include "render/gl/buffer.h"

namespace ck::render {

// The actors' records and whether each is selected, as attributes that step once per instance.
class ActorStream {
 public:
  // `selected` holds indices into `records`; those outside are passed over. Fails with
  // LimitExceeded.
  Result<void> upload(std::span<const gpu::CkActor> records,
                      std::span<const std::uint32_t> selected);

  // Points attributes 6 to 10 of the bound vertex array here.
  void attach();

  std::size_t size() const { return size_; }
  // Whether an actor's scale turns its body inside out.
  bool anyMirrored() const { return anyMirrored_; }
  std::size_t uploadedBytes() const;

 private:
  Buffer records_;
  Buffer selected_;
  std::size_t size_ = 0;
  bool anyMirrored_ = false;
  std::vector<std::uint8_t> marks_;
};

}  // namespace ck::render
