#include "render/far/far_records.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <utility>

#include "core/anim/clip_place.h"
#include "core/base/files.h"
#include "render/gl/shader_library.h"

namespace ck::render {
namespace {

constexpr std::size_t kBlock = 64;
// So many blocks at most are computed before they are uploaded.
constexpr std::size_t kBlocksAtOnce = 256;
constexpr GLuint kFirstAttribute = 6;

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

// Of every clip the first frame and the number of intervals.
std::vector<std::int32_t> clipsOf(const Crowd& crowd) {
  std::vector<std::int32_t> clips;
  for (const CrowdClip& clip : crowd.clips()) {
    clips.push_back(clip.firstShownFrame());
    clips.push_back(clip.lastInterval() + 1);
  }
  return clips;
}

// Replaces a hash. Returns whether it was another.
template <class Records>
bool isOther(std::uint64_t& kept, const Records& records) {
  const std::uint64_t hash = hashBytes(std::as_bytes(std::span(records)));
  return std::exchange(kept, hash) != hash;
}

}  // namespace

FarPlace farPlace(const gpu::CkPlace& place, std::uint32_t number) {
  return {.position = place.position,
          .look = place.look,
          .rotation = place.rotation,
          .scale = place.scale.x,
          .number = number};
}

// Attributes come from the buffer that is bound at the call.
void FarStreams::attach() const {
  constexpr GLsizei kStride = sizeof(FarPlace);
  for (GLuint i = 0; i < 6; ++i) glEnableVertexAttribArray(kFirstAttribute + i);
  glBindBuffer(GL_ARRAY_BUFFER, places.name());
  static_assert(offsetof(FarPlace, look) == 12);
  glVertexAttribIPointer(kFirstAttribute, 4, GL_INT, kStride, offset(0));
  glVertexAttribPointer(kFirstAttribute + 1, 4, GL_FLOAT, GL_FALSE, kStride,
                        offset(offsetof(FarPlace, rotation)));
  static_assert(offsetof(FarPlace, radius) == offsetof(FarPlace, scale) + 4);
  glVertexAttribPointer(kFirstAttribute + 2, 2, GL_FLOAT, GL_FALSE, kStride,
                        offset(offsetof(FarPlace, scale)));
  glVertexAttribIPointer(kFirstAttribute + 4, 1, GL_UNSIGNED_INT, kStride,
                         offset(offsetof(FarPlace, number)));
  glVertexAttribIPointer(kFirstAttribute + 5, 2, GL_INT, kStride,
                         offset(offsetof(FarPlace, walkLow)));
  glBindBuffer(GL_ARRAY_BUFFER, frames.name());
  glVertexAttribIPointer(kFirstAttribute + 3, 4, GL_INT, sizeof(glm::ivec4), nullptr);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

Result<void> FarRecords::makeRoom(const Crowd& crowd) {
  size_ = crowd.size();
  constexpr const char* kWhat = "the far actors";
  auto room = streams_.places.allocate(size_ * sizeof(FarPlace), kWhat);
  if (room) room = streams_.frames.allocate(size_ * sizeof(glm::ivec4), kWhat);
  if (room) blocks_.resize((size_ + kBlock - 1) / kBlock);
  return room;
}

// Returns whether the marks were others.
bool FarRecords::mark(std::span<const std::uint32_t> selected) {
  const std::size_t count = selected.empty() ? 0 : size_;
  if (marks_.size() == count && std::ranges::equal(selected, selected_)) return false;
  selected_.assign(selected.begin(), selected.end());
  marks_.assign(count, 0);
  for (const std::uint32_t actor : selected) {
    if (actor < count) marks_[actor] = 1;
  }
  return true;
}

Result<void> FarRecords::upload(const Crowd& crowd, std::span<const std::uint32_t> selected) {
  uploadedBytes_ = 0;
  seconds_ = crowd.timeSeconds();
  const bool isKnown = !blocks_.empty() && size_ == crowd.size();
  if (!isKnown) {
    blocks_.clear();
    if (auto room = makeRoom(crowd); !room) return room;
  }
  const bool isMarkedAnew = mark(selected);
  const bool isSame = isKnown && !isMarkedAnew && stamp_ == crowd.steadyStamp();
  if (!isSame) {
    const std::vector<std::int32_t> clips = clipsOf(crowd);
    if (auto stored = clips_.upload(clips, BufferUse::Static, "the clips"); !stored) {
      blocks_.clear();
      return stored;
    }
    uploadedBytes_ += clips.size() * sizeof(std::int32_t);
  }
  stamp_ = crowd.steadyStamp();
  for (std::size_t first = 0; first < blocks_.size();) {
    if (isSame && blocks_[first].isSteady) {
      ++first;
      continue;
    }
    std::size_t last = first + 1;
    while (last < blocks_.size() && last - first < kBlocksAtOnce &&
           !(isSame && blocks_[last].isSteady)) {
      ++last;
    }
    uploadBlocks(crowd, first, last);
    first = last;
  }
  return {};
}

// Blocks [first, last).
void FarRecords::uploadBlocks(const Crowd& crowd, std::size_t first, std::size_t last) {
  placesNow_.clear();
  framesNow_.clear();
  // Runs of records that differ, as indices into those at hand.
  struct Run {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  const auto add = [](std::vector<Run>& runs, const Run& run) {
    if (!runs.empty() && runs.back().end == run.begin) {
      runs.back().end = run.end;
    } else {
      runs.push_back(run);
    }
  };
  std::vector<Run> places;
  std::vector<Run> frames;
  for (std::size_t b = first; b < last; ++b) {
    const std::size_t from = placesNow_.size();
    Block& block = blocks_[b];
    block.isSteady = true;
    for (std::size_t actor = b * kBlock; actor < std::min(size_, (b + 1) * kBlock); ++actor) {
      const SteadyRecord record = crowd.steadyOf(actor);
      const auto number = static_cast<std::uint32_t>(actor);
      FarPlace& place = placesNow_.emplace_back(
          farPlace(record.place, isMarked(number) ? number | kFarSelected : number));
      if (record.walk) {
        place.position = record.walk->position;
        place.rotation = record.walk->rotation;
        place.radius = record.walk->radius;
        place.walkLow = static_cast<std::int32_t>(record.walk->pace);
        place.walkHigh = static_cast<std::int32_t>(record.walk->pace >> 32);
      }
      framesNow_.push_back(record.frames);
      block.isSteady = block.isSteady && record.placeIsSteady && record.framesAreSteady;
    }
    const Run run{from, placesNow_.size()};
    const auto of = [&run](const auto& records) {
      return std::span(records).subspan(run.begin, run.end - run.begin);
    };
    if (isOther(block.places, of(placesNow_))) add(places, run);
    if (isOther(block.frames, of(framesNow_))) add(frames, run);
  }
  const auto put = [&](Buffer& into, const auto& records, const std::vector<Run>& runs) {
    for (const Run& run : runs) {
      const auto some = std::span(records).subspan(run.begin, run.end - run.begin);
      into.uploadPart((first * kBlock + run.begin) * sizeof(some[0]), some);
      uploadedBytes_ += some.size_bytes();
    }
  };
  put(streams_.places, placesNow_, places);
  put(streams_.frames, framesNow_, frames);
}

glm::ivec4 FarRecords::time() const {
  const std::uint64_t looped = loopTime(seconds_);
  const std::uint64_t held = heldTime(seconds_);
  return {static_cast<int>(looped), static_cast<int>(looped >> 32), static_cast<int>(held),
          static_cast<int>(held >> 32)};
}

void FarRecords::bindClips() const {
  clips_.bind(unit::kClips);
}

}  // namespace ck::render
