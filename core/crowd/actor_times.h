#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "core/crowd/fade.h"
#include "core/crowd/own_time.h"

namespace ck {

// A visible actor with commands.
struct CommandedActor {
  SharedList<PlayCommand> commands = {};
  OwnTime time = OwnTime();
  FadeSide first = {};  // the clip of an actor without a timed fade
  double rate = 1.0;
};

// The time at which every actor of a crowd is evaluated: the crowd's, and own time for those with
// commands. Those are stored apart from the arrays that advance eight at a time.
class ActorTimes {
 public:
  double seconds() const { return seconds_; }  // of the crowd
  void setSeconds(double seconds) { seconds_ = seconds; }

  double of(std::size_t actor) const {
    const CommandedActor* commanded = find(actor);
    return commanded != nullptr ? commanded->time.at(seconds_) : seconds_;
  }
  const CommandedActor* find(std::size_t actor) const {
    if (commanded_.empty()) return nullptr;
    const auto found = commanded_.find(actor);
    return found == commanded_.end() ? nullptr : &found->second;
  }
  // Sets `commanded.time`; that of actors which share their commands is one in memory.
  void set(std::size_t actor, CommandedActor commanded);
  void remove(std::size_t actor) { commanded_.erase(actor); }
  const std::map<std::size_t, CommandedActor>& commanded() const { return commanded_; }
  // As OwnTime::jumpsBetween(), for any actor.
  bool jumpBetween(double from, double to) const;

 private:
  double seconds_ = 0.0;
  std::map<std::size_t, CommandedActor> commanded_;  // by actor
  CommandedActor last_;                              // that was set
};

// The clips that an actor plays: `fade` if it is not null, else `first`, with `second` over it if
// that is not null.
struct PlayedSides {
  FadeSide first = {};
  const FadeSide* second = nullptr;
  const TimedFade* fade = nullptr;
  double rate = 1.0;
};

// withCommand() for an actor that plays these.
std::vector<PlayCommand> withCommand(std::span<const PlayCommand> commands, PlayAction action,
                                     double seconds, const PlayedSides& played);

}  // namespace ck
