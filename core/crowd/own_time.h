#pragma once

#include <span>
#include <string_view>

#include "core/base/names.h"

namespace ck {

// What an actor is told to do at a moment of the crowd's time.
enum class PlayAction {
  Play,     // goes on, forwards
  Pause,    // stands still as it is
  Reverse,  // the other way round: what played forwards plays backwards; a pause ends backwards
  Restart,  // begins again at its own time 0, forwards
  Retrace,  // goes back the way it came to its own time 0, and stands still there
};
inline constexpr std::string_view kPlayActionNames[] = {"play", "pause", "reverse", "restart",
                                                        "retrace"};
inline std::string_view playActionName(PlayAction action) {
  return nameOf(kPlayActionNames, action);
}

struct PlayCommand {
  float atSeconds = 0.0f;  // of the crowd's time
  PlayAction action = PlayAction::Play;
  bool operator==(const PlayCommand&) const = default;
};

// An actor's own time, in seconds, at `seconds` of the crowd's time. Everything about an actor (its
// clip, its fade, the way it walks, its events) is a function of this time, so that a pause in the
// middle of a fade holds the fade too, and an actor that retraces walks its way back. Own time runs
// with the crowd's until the first command and stays where it was at every command but Restart.
// `commands` are in the order of their times; of equal times the later one in the list holds.
double ownTime(std::span<const PlayCommand> commands, double seconds);

}  // namespace ck
