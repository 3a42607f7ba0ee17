#include "core/crowd/own_time.h"

#include <algorithm>

namespace ck {

double ownTime(std::span<const PlayCommand> commands, double seconds) {
  double own = commands.empty() ? seconds : std::min(seconds, double{commands[0].atSeconds});
  double pace = 1.0;   // seconds of own time per second
  double paced = 1.0;  // the pace before a pause
  bool isRetracing = false;
  for (std::size_t i = 0; i < commands.size() && double{commands[i].atSeconds} <= seconds; ++i) {
    switch (commands[i].action) {
      case PlayAction::Play:
        pace = 1.0;
        break;
      case PlayAction::Pause:
        pace = 0.0;
        break;
      case PlayAction::Reverse:
        pace = -paced;
        break;
      case PlayAction::Restart:
        own = 0.0;
        pace = 1.0;
        break;
      case PlayAction::Retrace:
        pace = own > 0.0 ? -1.0 : own < 0.0 ? 1.0 : 0.0;
        break;
    }
    isRetracing = commands[i].action == PlayAction::Retrace;
    if (pace != 0.0) paced = pace;
    const bool isLast = i + 1 == commands.size();
    const double until = isLast ? seconds : std::min(seconds, double{commands[i + 1].atSeconds});
    const double went = (until - double{commands[i].atSeconds}) * pace;
    // A way back ends at 0, from either side.
    if (isRetracing && (own + went) * own <= 0.0) {
      own = pace = 0.0;
      paced = 1.0;
    } else {
      own += went;
    }
  }
  return own;
}

}  // namespace ck
