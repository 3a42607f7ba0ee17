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

// Of CkPlace::look, the bits that are kept and those that are set.
glm::ivec2 bitsOf(const FarLook& look) {
  int kept = look.fades ? ~0 : withoutFade(~0);
  if (!look.tint565) return {kept, 0};
  const int tint = *look.tint565 << 16;
  kept &= 0xffff;
  return {kept, tint};
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
  const auto placed = fill<FarPlace>(own_.places, actors.size(), [&](std::size_t i) {
    const std::uint32_t mark = !marks.empty() && marks[i] != 0 ? kFarSelected : 0;
    FarPlace place = farPlace(all.places()[actors[i]], actors[i] | mark);
    if (!shares.empty()) place.look = withShare(place.look, shares[i]);
    return place;
  });
  if (!placed) return placed;
  auto framed = fill<gpu::CkFrames>(own_.frames, actors.size(),
                                    [&](std::size_t i) { return all.frames()[actors[i]]; });
  if (!framed) return framed;
  uploadedBytes_ = actors.size() * (sizeof(FarPlace) + sizeof(gpu::CkFrames));
  size_ = actors.size();
  return {};
}

void FarActors::drawFrom(std::shared_ptr<const FarRecords> records) {
  if (records == records_) return;
  records_ = std::move(records);
  isAttached_ = false;
  choiceStamp_ = 0;
}

Result<void> FarActors::choose(std::shared_ptr<const FarRecords> records,
                               const ActorChoice& chosen) {
  CK_ASSERT(records != nullptr && !chosen.isAll() && chosen.shares().empty());
  drawFrom(std::move(records));
  uploadedBytes_ = 0;
  if (chosen.stamp() == choiceStamp_) return {};
  choiceStamp_ = 0;
  size_ = 0;
  const std::span<const std::uint32_t> actors = chosen.actors();
  if (!actors.empty()) {
    auto stored = chosen_.upload(actors, BufferUse::Stream, "the far actors");
    if (!stored) return stored;
  }
  choiceStamp_ = chosen.stamp();
  size_ = actors.size();
  uploadedBytes_ = actors.size_bytes();
  return {};
}

void FarActors::draw(const Program& program) const {
  if (size_ == 0 || (records_ != nullptr && records_->size() == 0)) return;
  program.set("ckTime", records_ != nullptr ? records_->time() : glm::ivec4(0));
  const glm::ivec2 bits = bitsOf(look_);
  program.set("ckLookKept", bits.x);
  program.set("ckLookSet", bits.y);
  if (records_ != nullptr) records_->bindClips();
  if (!vertexArray_) vertexArray_ = GlHandle::generate(GlKind::VertexArray);
  glBindVertexArray(vertexArray_.name());
  if (!isAttached_) (records_ != nullptr ? records_->streams() : own_).attach();
  isAttached_ = true;
  glEnable(GL_PROGRAM_POINT_SIZE);
  const auto count = static_cast<GLsizei>(size_);
  if (records_ != nullptr) {
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, chosen_.name());
    glDrawElements(GL_POINTS, count, GL_UNSIGNED_INT, nullptr);
  } else {
    glDrawArrays(GL_POINTS, 0, count);
  }
  glDisable(GL_PROGRAM_POINT_SIZE);
  glBindVertexArray(0);
}

}  // namespace ck::render
