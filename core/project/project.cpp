#include "core/project/project.h"

#include <algorithm>
#include <span>

#include "core/base/assert.h"
#include "core/base/parallel_for.h"

namespace ck {

const std::string& titleOf(const ProjectClip& clip) {
  return clip.title.empty() ? clip.name : clip.title;
}

ActorList::ActorList(const std::vector<Actor>& actors)
    : size_(actors.size()), chunks_((actors.size() + kChunk - 1) / kChunk) {
  parallelFor(chunks_.size(), {}, [&](std::size_t chunk) {
    const auto some = std::span(actors).subspan(chunk * kChunk);
    const auto own = some.first(std::min(kChunk, some.size()));
    chunks_[chunk] = std::make_shared<std::vector<Actor>>(own.begin(), own.end());
  });
}

void ActorList::set(std::size_t index, const Actor& actor) {
  CK_ASSERT(index < size_);
  std::shared_ptr<const std::vector<Actor>>& shared = chunks_[index / kChunk];
  if (shared.use_count() > 1) shared = std::make_shared<std::vector<Actor>>(*shared);
  // This chunk is not shared, and every chunk is created as a non-const vector, so it can be
  // changed in place: an edit of many actors copies each chunk once.
  const_cast<std::vector<Actor>&>(*shared)[index % kChunk] = actor;
}

std::vector<Actor> ActorList::toVector() const {
  std::vector<Actor> actors;
  actors.reserve(size_);
  for (const auto& chunk : chunks_) actors.insert(actors.end(), chunk->begin(), chunk->end());
  return actors;
}

bool ActorList::operator==(const ActorList& other) const {
  if (size_ != other.size_) return false;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    if (chunks_[i] != other.chunks_[i] && *chunks_[i] != *other.chunks_[i]) return false;
  }
  return true;
}

std::vector<std::size_t> ActorList::differences(const ActorList& other) const {
  CK_ASSERT(size_ == other.size_);
  std::vector<std::size_t> indices;
  for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    if (chunks_[chunk] == other.chunks_[chunk]) continue;
    const std::vector<Actor>& mine = *chunks_[chunk];
    const std::vector<Actor>& theirs = *other.chunks_[chunk];
    for (std::size_t i = 0; i < mine.size(); ++i) {
      if (!(mine[i] == theirs[i])) indices.push_back(chunk * kChunk + i);
    }
  }
  return indices;
}

}  // namespace ck
