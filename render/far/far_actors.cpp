#include "render/far/far_actors.h"

#include <epoxy/gl.h>

#include <cstring>
#include <utility>

#include "core/base/assert.h"

namespace ck::render {
namespace {

// Fills a buffer with `make(i)` for the numbers below `count`. It is allocated anew each time, so
// that the driver need not wait for the last frame.
template <class Record, class Make>
Result<void> fill(Buffer& buffer, std::size_t count, const Make& make) {
  const std::size_t bytes = count * sizeof(Record);
  if (auto room = buffer.allocate(bytes, "the far actors"); !room) return room;
  const std::span<std::byte> mapped = buffer.mapToWrite(0, bytes, false);
  if (mapped.empty()) {
    return fail(ErrorCode::LimitExceeded, "the graphics driver has no memory for the far actors");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Record record = make(i);
    std::memcpy(mapped.data() + i * sizeof(Record), &record, sizeof(Record));
  }
  buffer.unmap();
  return {};
}

}  // namespace

Result<void> FarActors::upload(const ActorRecords& all, std::span<const std::uint32_t> actors,
                               std::span<const std::uint8_t> marks,
                               std::span<const ActorShare> shares) {
  CK_ASSERT(marks.empty() || marks.size() == actors.size());
  CK_ASSERT(shares.empty() || shares.size() == actors.size());
  drawFrom(nullptr);
  size_ = 0;
  uploadedBytes_ = 0;
  if (actors.empty()) return {};
  const auto placed = fill<CrowdPlace>(own_.places, actors.size(), [&](std::size_t i) {
    const std::uint32_t mark = !marks.empty() && marks[i] != 0 ? kSelectedActor : 0;
    CrowdPlace place = crowdPlace(all.places()[actors[i]], actors[i] | mark);
    if (!shares.empty()) place.look = withShare(place.look, shares[i]);
    return place;
  });
  if (!placed) return placed;
  auto framed = fill<gpu::CkFrames>(own_.frames, actors.size(),
                                    [&](std::size_t i) { return all.frames()[actors[i]]; });
  if (!framed) return framed;
  uploadedBytes_ = actors.size() * (sizeof(CrowdPlace) + sizeof(gpu::CkFrames));
  size_ = actors.size();
  return {};
}

void FarActors::drawFrom(std::shared_ptr<const CrowdRecords> records) {
  if (records == records_) return;
  records_ = std::move(records);
  isAttached_ = false;
}

Result<void> FarActors::choose(std::shared_ptr<const CrowdRecords> records,
                               const ActorChoice& chosen) {
  CK_ASSERT(records != nullptr && !chosen.isAll() && chosen.shares().empty());
  drawFrom(std::move(records));
  auto done = chosen_.set(chosen);
  uploadedBytes_ = chosen_.uploadedBytes();
  size_ = chosen_.size();
  return done;
}

void FarActors::draw(const Program& program) const {
  if (size_ == 0 || (records_ != nullptr && records_->size() == 0)) return;
  look_.set(program);
  // Nothing in streams of its own depends on the time.
  if (records_ != nullptr) records_->bind(program);
  if (!vertexArray_) vertexArray_ = GlHandle::generate(GlKind::VertexArray);
  glBindVertexArray(vertexArray_.name());
  if (!isAttached_) (records_ != nullptr ? records_->streams() : own_).attach();
  isAttached_ = true;
  glEnable(GL_PROGRAM_POINT_SIZE);
  if (records_ != nullptr) {
    chosen_.draw();
  } else {
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(size_));
  }
  glDisable(GL_PROGRAM_POINT_SIZE);
  glBindVertexArray(0);
}

}  // namespace ck::render
