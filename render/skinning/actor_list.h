#pragma once

#include <cstddef>
#include <cstdint>

#include "core/crowd/actor_choice.h"
#include "render/gl/buffer.h"

namespace ck::render {

// Some of a crowd's actors, by their indices, as the points that a shader reads from the crowd's
// records (CrowdRecords).
class ActorList {
 public:
  // A choice that was set before, by its stamp, is not uploaded again. Not of all actors. Fails
  // with LimitExceeded; the list is empty then.
  Result<void> set(const ActorChoice& chosen);

  std::size_t size() const { return size_; }
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // by the last set()

  // Draws one point an actor with the bound vertex array and program. Changes the element buffer of
  // the vertex array.
  void draw() const;

 private:
  Buffer indices_;
  std::size_t size_ = 0;
  std::size_t uploadedBytes_ = 0;
  std::uint64_t stamp_ = 0;  // of the choice; 0 is unknown
};

}  // namespace ck::render
