#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/crowd/crowd.h"

namespace ck {

// A visible actor as an index into one of several crowds.
struct ActorPlace {
  std::uint32_t character = 0;  // index of the crowd
  std::uint32_t index = 0;      // index of the visible actor in that crowd
  bool operator==(const ActorPlace&) const = default;
};

// A crowd of several characters: one Crowd per character, with a common clock. Visible actors are
// numbered through all characters, in the order of the given actors.
class MixedCrowd {
 public:
  // `clips[c]` are the clips of character c; Actor::clip is an index into the clips of the actor's
  // character. `masks` are indexed by Actor::mask. Actors that are off or whose character does not
  // exist are left out.
  MixedCrowd(std::span<const Actor> actors, std::span<const std::vector<CrowdClip>> clips,
             std::span<const JointMask> masks = {});

  std::size_t size() const { return places_.size(); }  // visible actors

  // As in Crowd.
  void advance(double seconds);
  void seek(double seconds);
  double timeSeconds() const;
  void setTint(std::size_t visible, std::uint32_t tint);
  void command(std::size_t visible, PlayAction action);
  void update(std::size_t visible, const Actor& actor);  // Actor::character stays as it is
  // As in Crowd. FiredEvent::clip is an index into the clips of the actor's character.
  std::vector<FiredEvent> eventsBetween(double from, double to) const;

  std::span<const Crowd> crowds() const { return crowds_; }  // one per character
  const Crowd& crowdOf(std::size_t visible) const { return crowds_[placeOf(visible).character]; }
  ActorPlace placeOf(std::size_t visible) const;
  std::size_t visibleOf(ActorPlace place) const;  // inverse of placeOf()
  // Index into the given actors.
  std::size_t sourceIndexOf(std::size_t visible) const { return sources_[visible]; }
  std::size_t fadingActors() const;

 private:
  std::vector<Crowd> crowds_;
  std::vector<std::vector<std::uint32_t>> visibles_;  // per character: its actors' visible numbers
  // One per visible actor.
  std::vector<ActorPlace> places_;
  std::vector<std::size_t> sources_;
};

// A view of one Crowd or of a MixedCrowd, which must outlive it.
class CrowdView {
 public:
  CrowdView(const Crowd& crowd) : crowds_(&crowd, 1) {}  // NOLINT(google-explicit-constructor)
  CrowdView(const MixedCrowd& crowd)                     // NOLINT(google-explicit-constructor)
      : crowds_(crowd.crowds()), mixed_(&crowd) {}

  std::span<const Crowd> crowds() const { return crowds_; }  // one per character
  std::size_t size() const { return mixed_ != nullptr ? mixed_->size() : crowds_[0].size(); }
  ActorPlace placeOf(std::size_t visible) const;
  std::size_t visibleOf(ActorPlace place) const;

 private:
  std::span<const Crowd> crowds_;
  const MixedCrowd* mixed_ = nullptr;
};

}  // namespace ck
