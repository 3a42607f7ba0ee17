#include "core/crowd/mixed_crowd.h"

#include <algorithm>

#include "core/base/assert.h"

namespace ck {

MixedCrowd::MixedCrowd(std::span<const Actor> actors, std::span<const std::vector<CrowdClip>> clips,
                       std::span<const JointMask> masks)
    : visibles_(clips.size()) {
  std::vector<std::vector<Actor>> ofCharacter(clips.size());
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const Actor& actor = actors[i];
    const auto character = static_cast<std::uint32_t>(actor.character);
    if (!actor.on || actor.character < 0 || character >= clips.size()) continue;
    const auto index = static_cast<std::uint32_t>(visibles_[character].size());
    visibles_[character].push_back(static_cast<std::uint32_t>(places_.size()));
    places_.push_back({character, index});
    sources_.push_back(i);
    ofCharacter[character].push_back(actor);
  }
  crowds_.reserve(clips.size());
  for (std::size_t c = 0; c < clips.size(); ++c)
    crowds_.emplace_back(ofCharacter[c], clips[c], masks);
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
