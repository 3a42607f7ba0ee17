#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/crowd/crowd.h"

namespace ck {

// Where a visible actor of several crowds is found.
struct ActorPlace {
  std::uint32_t character = 0;  // which crowd
  std::uint32_t index = 0;      // which visible actor of that crowd
  bool operator==(const ActorPlace&) const = default;
};

// A crowd of several characters: one Crowd for each, played by one clock. A visible actor has one
// number through all of them, in the order of the actors given.
class MixedCrowd {
 public:
  // `clips[c]` are the clips of character c, indexed by the Actor::clip of actors whose character
  // it is, `masks` by Actor::mask of all. Actors whose `on` is false and those of a character that
  // is not there are left out.
  MixedCrowd(std::span<const Actor> actors, std::span<const std::vector<CrowdClip>> clips,
             std::span<const JointMask> masks = {});

  std::size_t size() const { return places_.size(); }  // visible actors

  // As for one crowd.
  void advance(double seconds);
  void seek(double seconds);
  double timeSeconds() const;
  void setTint(std::size_t visible, std::uint32_t tint);
  // As for one crowd; FiredEvent::clip is one of its actor's character.
  std::vector<FiredEvent> eventsBetween(double from, double to) const;

  std::span<const Crowd> crowds() const { return crowds_; }  // by character
  const Crowd& crowdOf(std::size_t visible) const { return crowds_[placeOf(visible).character]; }
  ActorPlace placeOf(std::size_t visible) const;
  std::size_t visibleOf(ActorPlace place) const;         // the way back
  std::size_t sourceIndexOf(std::size_t visible) const;  // into the actors given
  std::size_t fadingActors() const;

  // One record per visible actor, in their order; `records` must be size() of them.
  void writeInstances(std::span<gpu::CkActor> records) const;

 private:
  std::vector<Crowd> crowds_;
  std::vector<std::vector<std::size_t>> sources_;     // of each character: the actors given to it
  std::vector<std::vector<std::uint32_t>> visibles_;  // of each character, by index
  std::vector<ActorPlace> places_;                    // by visible actor
};

// One crowd or several, to look at: what it is made of must outlive it.
class CrowdView {
 public:
  CrowdView(const Crowd& crowd) : crowds_(&crowd, 1) {}  // NOLINT(google-explicit-constructor)
  CrowdView(const MixedCrowd& crowd)                     // NOLINT(google-explicit-constructor)
      : crowds_(crowd.crowds()), mixed_(&crowd) {}

  std::span<const Crowd> crowds() const { return crowds_; }  // by character
  std::size_t size() const { return mixed_ != nullptr ? mixed_->size() : crowds_[0].size(); }
  ActorPlace placeOf(std::size_t visible) const;
  std::size_t visibleOf(ActorPlace place) const;

 private:
  std::span<const Crowd> crowds_;
  const MixedCrowd* mixed_ = nullptr;
};

}  // namespace ck
