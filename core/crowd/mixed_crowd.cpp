#include "core/crowd/mixed_crowd.h"

#include <algorithm>

#include "core/base/assert.h"

namespace ck {

// A million actors are 150 MB, so those of a crowd of one character are not copied, and those of
// several only one character at a time.
MixedCrowd::MixedCrowd(std::span<const Actor> actors, std::span<const std::vector<CrowdClip>> clips,
                       std::span<const JointMask> masks)
    : visibles_(clips.size()) {
  places_.reserve(actors.size());
  sources_.reserve(actors.size());
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const Actor& actor = actors[i];
    const auto character = static_cast<std::uint32_t>(actor.character);
    if (!actor.on || actor.character < 0 || character >= clips.size()) continue;
    const auto index = static_cast<std::uint32_t>(visibles_[character].size());
    visibles_[character].push_back(static_cast<std::uint32_t>(places_.size()));
    places_.push_back({character, index});
    sources_.push_back(i);
  }
  crowds_.reserve(clips.size());
  for (std::size_t c = 0; c < clips.size(); ++c) {
    if (visibles_[c].size() == actors.size()) {
      crowds_.emplace_back(actors, clips[c], masks);
      continue;
    }
    std::vector<Actor> own;
    own.reserve(visibles_[c].size());
    for (const std::uint32_t visible : visibles_[c]) own.push_back(actors[sources_[visible]]);
    crowds_.emplace_back(own, clips[c], masks);
  }
}

void MixedCrowd::advance(double seconds) {
  for (Crowd& crowd : crowds_) crowd.advance(seconds);
}

void MixedCrowd::seek(double seconds) {
  for (Crowd& crowd : crowds_) crowd.seek(seconds);
}

double MixedCrowd::timeSeconds() const {
  return crowds_.empty() ? 0.0 : crowds_.front().timeSeconds();
}

void MixedCrowd::setTint(std::size_t visible, std::uint32_t tint) {
  const ActorPlace place = placeOf(visible);
  crowds_[place.character].setTint(place.index, tint);
}

void MixedCrowd::command(std::size_t visible, PlayAction action) {
  const ActorPlace place = placeOf(visible);
  crowds_[place.character].command(place.index, action);
}

void MixedCrowd::update(std::size_t visible, const Actor& actor) {
  const ActorPlace place = placeOf(visible);
  CK_ASSERT(static_cast<std::uint32_t>(actor.character) == place.character);
  crowds_[place.character].update(place.index, actor);
}

std::vector<FiredEvent> MixedCrowd::eventsBetween(double from, double to) const {
  std::vector<FiredEvent> all;
  for (std::size_t c = 0; c < crowds_.size(); ++c) {
    for (FiredEvent event : crowds_[c].eventsBetween(from, to)) {
      event.actor = visibles_[c][event.actor];
      all.push_back(event);
    }
  }
  sortByTime(all, {from, to});
  return all;
}

ActorPlace MixedCrowd::placeOf(std::size_t visible) const {
  CK_ASSERT(visible < size());
  return places_[visible];
}

std::size_t MixedCrowd::visibleOf(ActorPlace place) const {
  CK_ASSERT(place.character < visibles_.size() && place.index < visibles_[place.character].size());
  return visibles_[place.character][place.index];
}

std::size_t MixedCrowd::fadingActors() const {
  std::size_t fading = 0;
  for (const Crowd& crowd : crowds_) fading += crowd.fadingActors();
  return fading;
}

ActorPlace CrowdView::placeOf(std::size_t visible) const {
  if (mixed_ != nullptr) return mixed_->placeOf(visible);
  return {0, static_cast<std::uint32_t>(visible)};
}

std::size_t CrowdView::visibleOf(ActorPlace place) const {
  return mixed_ != nullptr ? mixed_->visibleOf(place) : place.index;
}

}  // namespace ck
