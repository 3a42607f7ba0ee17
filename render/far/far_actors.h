#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/crowd/actor_choice.h"
#include "core/crowd/actor_records.h"
#include "core/crowd/actor_share.h"
#include "render/skinning/actor_list.h"
#include "render/skinning/crowd_records.h"

namespace ck::render {

// Actors that are drawn as one point each. They are plain vertices, because instances of one vertex
// cost software renderers one to two microseconds each.
class FarActors {
 public:
  // The records `actors` (indices into `all`), which are drawn in this order: put near ones first,
  // so that they hide others. `marks` has a flag per entry of `actors`, not 0 for a selected one,
  // or is empty; so have `shares` where actors dissolve (DrawPass::dissolves). Fails with
  // LimitExceeded; there are no actors then.
  Result<void> upload(const ActorRecords& all, std::span<const std::uint32_t> actors,
                      std::span<const std::uint8_t> marks = {},
                      std::span<const ActorShare> shares = {});
  // Some of a crowd's actors, drawn in this order from its records. A list that was chosen before,
  // by its stamp, is not uploaded again. `chosen` has no shares. Fails as upload() does.
  Result<void> choose(std::shared_ptr<const CrowdRecords> records, const ActorChoice& chosen);
  // From the next draw() on.
  void setLook(const ActorLook& look) { look_ = look; }

  std::size_t size() const { return size_; }
  // By the last upload() or choose(), without the crowd's records.
  std::size_t uploadedBytes() const { return uploadedBytes_; }

  // Draws the points with a program that is in use, and whose vertex shader includes
  // crowd/steady_record.glsl. The context of the upload must be current.
  void draw(const Program& program) const;

 private:
  void drawFrom(std::shared_ptr<const CrowdRecords> records);

  std::shared_ptr<const CrowdRecords> records_;  // none: actors have streams of their own
  CrowdStreams own_;
  ActorList chosen_;  // in the records
  mutable GlHandle vertexArray_;
  mutable bool isAttached_ = false;  // whether vertexArray_ is set for the streams
  std::size_t size_ = 0;
  std::size_t uploadedBytes_ = 0;
  ActorLook look_;
};

}  // namespace ck::render
