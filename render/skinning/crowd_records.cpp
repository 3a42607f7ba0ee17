#include "render/skinning/crowd_records.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/anim/clip_place.h"
#include "core/system/files.h"
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

// ckClips of crowd/steady_record.glsl.
std::vector<std::int32_t> clipsOf(const Crowd& crowd) {
  std::vector<std::int32_t> clips;
  std::vector<std::int32_t> entries;
  const std::size_t first = 3 * crowd.clips().size();
  for (const CrowdClip& clip : crowd.clips()) {
    std::vector<IntervalFrames> own;
    if (clip.lastInterval() >= 0) own = intervalFrames(frameGridOf(clip));
    clips.push_back(clip.firstShownFrame());
    clips.push_back(clip.lastInterval() + 1);
    clips.push_back(own.empty() ? -1 : static_cast<std::int32_t>(first + entries.size()));
    for (const IntervalFrames& one : own) {
      entries.insert(entries.end(), {one.frame, std::bit_cast<std::int32_t>(one.offset),
                                     std::bit_cast<std::int32_t>(one.share)});
    }
  }
  clips.insert(clips.end(), entries.begin(), entries.end());
  return clips;
}

// Replaces a hash. Returns whether it was another.
template <class Records>
bool isOther(std::uint64_t& kept, const Records& records) {
  const std::uint64_t hash = hashBytes(std::as_bytes(std::span(records)));
  return std::exchange(kept, hash) != hash;
}

}  // namespace

CrowdPlace crowdPlace(const gpu::CkPlace& place, std::uint32_t number) {
  return {.position = place.position,
          .look = place.look,
          .rotation = place.rotation,
          .scale = place.scale.x,
          .number = number};
}

// The look's bits that are kept, and those that are set.
void ActorLook::set(const Program& program) const {
  int kept = fades ? ~0 : withoutFade(~0);
  if (tint565) kept &= 0xffff;
  program.set("ckLookKept", kept);
  program.set("ckLookSet", tint565 ? *tint565 << 16 : 0);
}

// Attributes come from the buffer that is bound at the call.
void CrowdStreams::attach() const {
  constexpr GLsizei kStride = sizeof(CrowdPlace);
  for (GLuint i = 0; i < 6; ++i) glEnableVertexAttribArray(kFirstAttribute + i);
  glBindBuffer(GL_ARRAY_BUFFER, places.name());
  static_assert(offsetof(CrowdPlace, look) == 12);
  glVertexAttribIPointer(kFirstAttribute, 4, GL_INT, kStride, offset(0));
  glVertexAttribPointer(kFirstAttribute + 1, 4, GL_FLOAT, GL_FALSE, kStride,
                        offset(offsetof(CrowdPlace, rotation)));
  static_assert(offsetof(CrowdPlace, radius) == offsetof(CrowdPlace, scale) + 4);
  glVertexAttribPointer(kFirstAttribute + 2, 2, GL_FLOAT, GL_FALSE, kStride,
                        offset(offsetof(CrowdPlace, scale)));
  glVertexAttribIPointer(kFirstAttribute + 4, 1, GL_UNSIGNED_INT, kStride,
                         offset(offsetof(CrowdPlace, number)));
  glVertexAttribIPointer(kFirstAttribute + 5, 2, GL_INT, kStride,
                         offset(offsetof(CrowdPlace, walkLow)));
  glBindBuffer(GL_ARRAY_BUFFER, frames.name());
  glVertexAttribIPointer(kFirstAttribute + 3, 4, GL_INT, sizeof(glm::ivec4), nullptr);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

Result<void> CrowdRecords::makeRoom(const Crowd& crowd) {
  size_ = crowd.size();
  constexpr const char* kWhat = "the actors";
  auto room = streams_.places.allocate(size_ * sizeof(CrowdPlace), kWhat);
  if (room) room = streams_.frames.allocate(size_ * sizeof(glm::ivec4), kWhat);
  if (room) blocks_.resize((size_ + kBlock - 1) / kBlock);
  return room;
}

// Returns whether the marks were others.
bool CrowdRecords::mark(std::span<const std::uint32_t> selected) {
  const std::size_t count = selected.empty() ? 0 : size_;
  if (marks_.size() == count && std::ranges::equal(selected, selected_)) return false;
  selected_.assign(selected.begin(), selected.end());
  marks_.assign(count, 0);
  for (const std::uint32_t actor : selected) {
    if (actor < count) marks_[actor] = 1;
  }
  return true;
}

Result<void> CrowdRecords::upload(const Crowd& crowd, std::span<const std::uint32_t> selected) {
  uploadedBytes_ = 0;
  seconds_ = crowd.timeSeconds();
  const bool isKnown = !blocks_.empty() && size_ == crowd.size();
  if (!isKnown) {
    blocks_.clear();
    if (auto room = makeRoom(crowd); !room) return room;
  }
  const bool isMarkedAnew = mark(selected);
  if (auto noted = noteEdits(crowd, isKnown && !isMarkedAnew); !noted) {
    blocks_.clear();
    return noted;
  }
  const auto isDue = [](const Block& block) { return block.isEdited || block.changing != nullptr; };
  for (std::size_t first = 0; first < blocks_.size();) {
    if (!isDue(blocks_[first])) {
      ++first;
      continue;
    }
    std::size_t last = first + 1;
    while (last < blocks_.size() && last - first < kBlocksAtOnce && isDue(blocks_[last])) ++last;
    uploadBlocks(crowd, first, last);
    first = last;
  }
  return {};
}

// Marks the blocks that are to be computed anew: all, unless the crowd knows which actors have
// changed since the last upload.
Result<void> CrowdRecords::noteEdits(const Crowd& crowd, bool isKnown) {
  const std::uint64_t before = std::exchange(stamp_, crowd.steadyStamp());
  const auto changed = isKnown ? crowd.changedSince(before) : std::nullopt;
  if (changed) {
    for (const std::uint32_t actor : *changed) blocks_[actor / kBlock].isEdited = true;
    return {};
  }
  for (Block& block : blocks_) block.isEdited = true;
  const std::vector<std::int32_t> clips = clipsOf(crowd);
  uploadedBytes_ += clips.size() * sizeof(std::int32_t);
  return clips_.upload(clips, BufferUse::Static, "the clips");
}

// Appends the records of a block after an edit.
CrowdRecords::Difference CrowdRecords::takeAnew(const Crowd& crowd, std::size_t block) {
  Block& kept = blocks_[block];
  Changing changing;
  kept.isMirrored = false;
  const std::size_t from = placesNow_.size();
  for (std::size_t actor = block * kBlock; actor < std::min(size_, (block + 1) * kBlock); ++actor) {
    const SteadyRecord record = crowd.steadyOf(actor);
    const auto number = static_cast<std::uint32_t>(actor);
    CrowdPlace& place = placesNow_.emplace_back(
        crowdPlace(record.place, isMarked(number) ? number | kSelectedActor : number));
    if (record.walk) {
      place.position = record.walk->position;
      place.rotation = record.walk->rotation;
      place.radius = record.walk->radius;
      place.walkLow = static_cast<std::int32_t>(record.walk->pace);
      place.walkHigh = static_cast<std::int32_t>(record.walk->pace >> 32);
    }
    framesNow_.push_back(record.frames);
    kept.isMirrored = kept.isMirrored || place.scale < 0.0f;
    changing.placeChanges.push_back(!record.placeIsSteady);
    changing.framesChange.push_back(!record.framesAreSteady);
  }
  const auto places = std::span(placesNow_).subspan(from);
  const auto frames = std::span(framesNow_).subspan(from);
  kept.changing.reset();
  const auto isSet = [](bool changes) { return changes; };
  if (std::ranges::any_of(changing.placeChanges, isSet) ||
      std::ranges::any_of(changing.framesChange, isSet)) {
    changing.places.assign(places.begin(), places.end());
    changing.frames.assign(frames.begin(), frames.end());
    kept.changing = std::make_unique<Changing>(std::move(changing));
  }
  const bool placesDiffer = isOther(kept.places, places);
  return {placesDiffer, isOther(kept.frames, frames)};
}

// Appends the records of a block that is not steady.
CrowdRecords::Difference CrowdRecords::takeChanging(const ActorRecords& now, std::size_t block) {
  Block& kept = blocks_[block];
  Changing& changing = *kept.changing;
  Difference difference;
  const auto take = [](auto& before, const auto& after, bool& differs) {
    if (std::memcmp(&before, &after, sizeof(after)) == 0) return;
    before = after;
    differs = true;
  };
  for (std::size_t i = 0; i < changing.places.size(); ++i) {
    const std::size_t actor = block * kBlock + i;
    CrowdPlace& place = changing.places[i];
    if (changing.placeChanges[i]) {
      take(place, crowdPlace(now.places()[actor], place.number), difference.places);
    }
    if (changing.framesChange[i]) {
      take(changing.frames[i], std::bit_cast<glm::ivec4>(now.frames()[actor]), difference.frames);
    }
  }
  if (difference.places) kept.places = 0;
  if (difference.frames) kept.frames = 0;
  placesNow_.insert(placesNow_.end(), changing.places.begin(), changing.places.end());
  framesNow_.insert(framesNow_.end(), changing.frames.begin(), changing.frames.end());
  return difference;
}

// Blocks [first, last), which are edited or not steady.
void CrowdRecords::uploadBlocks(const Crowd& crowd, std::size_t first, std::size_t last) {
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
  const ActorRecords now = crowd.instances();
  for (std::size_t block = first; block < last; ++block) {
    const std::size_t from = placesNow_.size();
    const bool isEdited = std::exchange(blocks_[block].isEdited, false);
    const Difference difference = isEdited ? takeAnew(crowd, block) : takeChanging(now, block);
    const Run run{from, placesNow_.size()};
    if (difference.places) add(places, run);
    if (difference.frames) add(frames, run);
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

bool CrowdRecords::anyMirrored() const {
  return std::ranges::any_of(blocks_, [](const Block& block) { return block.isMirrored; });
}

void CrowdRecords::bind(const Program& program) const {
  const std::uint64_t looped = loopTime(seconds_);
  const std::uint64_t held = heldTime(seconds_);
  program.set("ckTime", glm::ivec4(static_cast<int>(looped), static_cast<int>(looped >> 32),
                                   static_cast<int>(held), static_cast<int>(held >> 32)));
  clips_.bind(unit::kClips);
}

}  // namespace ck::render
