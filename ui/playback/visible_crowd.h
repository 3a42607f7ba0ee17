#pragma once

#include <QElapsedTimer>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "core/crowd/mixed_crowd.h"
#include "ui/playback/shown_clips.h"

namespace ck::ui {

// The crowd of those of a project's actors that there is time to draw: always the same ones, spread
// over the crowd. Actors that pass events flash.
class VisibleCrowd {
 public:
  VisibleCrowd() { clock_.start(); }

  // `clips` has the clips of every character. `seconds` is the time of the crowd. Where few actors
  // differ from those of the crowd that is there, only these are replaced.
  void build(const Project& project, std::span<const std::vector<CrowdClip>> clips,
             const SoloClip& solo, double seconds);
  void clear();

  // Null before it was built.
  const MixedCrowd* crowd() const { return crowd_ ? &*crowd_ : nullptr; }
  // Project actors of visible ones, and the way back (`actors` ascending).
  int actorOf(std::size_t visible) const { return given_[crowd_->sourceIndexOf(visible)]; }
  std::vector<std::uint32_t> visibleOf(const std::vector<int>& actors) const;

  void seek(double seconds);
  // Moves the crowd on and returns the events from the time before, included, to the time after,
  // excluded. `actors` have the tints that flashes end with.
  std::vector<FiredEvent> advance(double seconds, const ActorList& actors);

  // These return whether the crowd is to be built anew.
  bool setLimit(std::size_t limit);
  bool setPreferred(std::vector<int> actors);
  // A crowd that is new or has grown comes step by step whatever the limit, so that a slow renderer
  // can say stop, unless all are to come at once.
  void setAllAtOnce(bool all) { allAtOnce_ = all; }

  std::size_t limit() const { return limit_; }
  std::size_t wanted() const { return wanted_; }  // actors that are shown

 private:
  // A visible actor that flashes, and until when.
  struct Flash {
    std::size_t visible = 0;
    qint64 untilMs = 0;
  };
  void endFlashes(const ActorList& actors);
  bool update(const Project& project, std::span<const std::vector<CrowdClip>> clips);
  std::size_t mostAtOnce() const;
  // The drawn ones of so many project actors, ascending.
  std::vector<int> drawnOf(std::size_t actors) const;

  // The input of crowd_, besides given_. Crowds with a clip that plays alone are not kept.
  struct Inputs {
    ActorList actors;
    std::vector<std::vector<CrowdClip>> clips;
    std::vector<JointMask> masks;
    std::vector<bool> shownCrowds;
  };

  std::optional<MixedCrowd> crowd_;
  std::optional<Inputs> builtOf_;
  std::vector<int> given_;  // project actor of each actor in crowd_
  std::size_t wanted_ = 0;
  std::size_t limit_ = SIZE_MAX;
  bool allAtOnce_ = false;
  std::vector<int> preferred_;  // ascending
  std::deque<Flash> flashes_;   // the latest last
  QElapsedTimer clock_;         // of the flashes
};

}  // namespace ck::ui
