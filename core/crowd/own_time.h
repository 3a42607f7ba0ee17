#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/names.h"
#include "core/base/result.h"
#include "core/base/shared_list.h"

namespace ck {

// A command to an actor at a moment of the crowd's time.
enum class PlayAction {
  Play,     // goes on, forwards
  Pause,    // stands still as it is
  Reverse,  // reverses the direction; a paused actor goes on backwards
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

// The largest number of commands of an actor in files and in the editor, and the largest magnitude
// of their times.
inline constexpr std::size_t kMostPlayCommands = 1000;
inline constexpr double kLatestPlayCommand = 1e9;

// A stretch of the crowd's time over which an actor's own time runs evenly.
struct OwnTimeSpan {
  double fromSeconds = 0.0;  // of the crowd's time; the span ends where the next one begins
  double ownSeconds = 0.0;   // own time at `fromSeconds`
  double pace = 1.0;         // seconds of own time per second: 1, 0 or -1
  bool jumps = false;        // whether own time jumps at `fromSeconds`: a restart
  double at(double seconds) const { return ownSeconds + (seconds - fromSeconds) * pace; }
  // The crowd's time at a moment of own time. The pace must not be 0.
  double secondsAt(double own) const { return fromSeconds + (own - ownSeconds) * pace; }
};

// An actor's own time as a function of the crowd's time. Everything about an actor (its clip, its
// fade, the way it walks, its events) is a function of its own time, so that a pause in the middle
// of a fade holds the fade too, and an actor that retraces walks its way back. Own time runs with
// the crowd's until the first command, and no command but Restart makes it jump. Of equal times the
// later command in the list holds.
class OwnTime {
 public:
  // `commands` are in the order of their times.
  explicit OwnTime(std::span<const PlayCommand> commands = {});

  double at(double seconds) const { return spanAt(seconds).at(seconds); }
  double paceAt(double seconds) const { return spanAt(seconds).pace; }
  // At least one. The first holds before the first command, also at negative times.
  std::span<const OwnTimeSpan> spans() const { return spans_; }
  const OwnTimeSpan& spanAt(double seconds) const;
  // Whether own time jumps at a time in (from, to], or (to, from] if `to` is earlier.
  bool jumpsBetween(double from, double to) const;

 private:
  SharedList<OwnTimeSpan> spans_;
};

// The range of own time in which an actor moves: one whose clip plays once stands still at both
// ends of it.
struct OwnRange {
  double low;
  double high;
};

// The commands of an actor that gets a further one at `seconds`. Later ones are dropped. An actor
// that stands at the end of its clip is paused there first, at the time at which it arrived, so
// that it turns round at once. The time of the command is the last float not after `seconds`.
std::vector<PlayCommand> withCommand(std::span<const PlayCommand> commands, PlayAction action,
                                     double seconds, const OwnRange& moves);

// The text of commands in files and on command lines: "pause@1.5 play@3".
std::string commandsText(std::span<const PlayCommand> commands);
// Fails with InvalidInput if a word is not ACTION@SECONDS or the times descend, and with
// LimitExceeded.
Result<std::vector<PlayCommand>> commandsFromText(std::string_view text);

}  // namespace ck
