#include "core/crowd/own_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace ck {
namespace {

float floatNotAfter(double seconds) {
  const float nearest = static_cast<float>(seconds);
  return static_cast<double>(nearest) <= seconds
             ? nearest
             : std::nextafter(nearest, -std::numeric_limits<float>::infinity());
}

std::optional<PlayCommand> commandFrom(std::string_view word) {
  const std::size_t sign = word.find('@');
  if (sign == std::string_view::npos) return std::nullopt;
  const auto action = valueNamed<PlayAction>(kPlayActionNames, word.substr(0, sign));
  float seconds = 0.0f;
  const std::string_view number = word.substr(sign + 1);
  const auto [end, problem] =
      std::from_chars(number.data(), number.data() + number.size(), seconds);
  if (!action || problem != std::errc() || end != number.data() + number.size() ||
      !(std::abs(static_cast<double>(seconds)) <= kLatestPlayCommand)) {
    return std::nullopt;
  }
  return PlayCommand{seconds, *action};
}

}  // namespace

OwnTime::OwnTime(std::span<const PlayCommand> commands) {
  std::vector<OwnTimeSpan> spans(1);
  double pacedBefore = 1.0;  // the pace before a pause
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const double at = static_cast<double>(commands[i].atSeconds);
    OwnTimeSpan next{.fromSeconds = at, .ownSeconds = spans.back().at(at)};
    switch (commands[i].action) {
      case PlayAction::Play:
        break;
      case PlayAction::Pause:
        next.pace = 0.0;
        break;
      case PlayAction::Reverse:
        next.pace = -pacedBefore;
        break;
      case PlayAction::Restart:
        next.ownSeconds = 0.0;
        next.jumps = true;
        break;
      case PlayAction::Retrace:
        next.pace = next.ownSeconds > 0.0 ? -1.0 : 1.0;
        break;
    }
    if (next.pace != 0.0) pacedBefore = next.pace;
    spans.push_back(next);
    if (commands[i].action != PlayAction::Retrace) continue;
    const double arrival = at + std::abs(next.ownSeconds);
    const bool isLast = i + 1 == commands.size();
    if (!isLast && arrival > static_cast<double>(commands[i + 1].atSeconds)) continue;
    spans.push_back({.fromSeconds = arrival, .ownSeconds = 0.0, .pace = 0.0});
    pacedBefore = 1.0;
  }
  spans_ = std::move(spans);
}

const OwnTimeSpan& OwnTime::spanAt(double seconds) const {
  const auto after =
      std::upper_bound(spans_.begin() + 1, spans_.end(), seconds,
                       [](double at, const OwnTimeSpan& span) { return at < span.fromSeconds; });
  return *(after - 1);
}

bool OwnTime::jumpsBetween(double from, double to) const {
  const double low = std::min(from, to);
  const double high = std::max(from, to);
  return std::ranges::any_of(spans_, [low, high](const OwnTimeSpan& span) {
    return span.jumps && span.fromSeconds > low && span.fromSeconds <= high;
  });
}

std::vector<PlayCommand> withCommand(std::span<const PlayCommand> commands, PlayAction action,
                                     double seconds, const OwnRange& moves) {
  const float at = floatNotAfter(seconds);
  std::vector<PlayCommand> kept(commands.begin(), commands.end());
  std::erase_if(kept, [at](const PlayCommand& command) { return command.atSeconds > at; });
  const OwnTime time(kept);
  const OwnTimeSpan& now = time.spanAt(seconds);
  const double own = now.at(seconds);
  const double end = std::clamp(own, moves.low, moves.high);
  const bool hasEnded = now.pace * (own - end) > 0.0;
  if (hasEnded && action != PlayAction::Restart) {
    const float arrived = static_cast<float>(now.secondsAt(end));
    if (kept.empty() || arrived >= kept.back().atSeconds) {
      kept.push_back({std::min(arrived, at), PlayAction::Pause});
    }
  }
  // Other actions do not depend on a command of the same moment, except for a restart's jump.
  if (action != PlayAction::Pause && action != PlayAction::Reverse) {
    while (!kept.empty() && kept.back().atSeconds == at &&
           (kept.back().action != PlayAction::Restart || action == PlayAction::Restart)) {
      kept.pop_back();
    }
  }
  kept.push_back({at, action});
  return kept;
}

std::string commandsText(std::span<const PlayCommand> commands) {
  std::string text;
  for (const PlayCommand& command : commands) {
    text += fmt::format("{}{}@{}", text.empty() ? "" : " ", playActionName(command.action),
                        command.atSeconds);
  }
  return text;
}

Result<std::vector<PlayCommand>> commandsFromText(std::string_view text) {
  std::vector<PlayCommand> commands;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return commands;
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    const auto command = commandFrom(word);
    if (!command) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("'{}' is not ACTION@SECONDS, such as pause@1.5; actions: {}",
                              word.substr(0, 40), fmt::join(kPlayActionNames, ", ")));
    }
    if (!commands.empty() && command->atSeconds < commands.back().atSeconds) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("'{}' is earlier than the command before it", word.substr(0, 40)));
    }
    if (commands.size() == kMostPlayCommands) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("there are more than {} commands", kMostPlayCommands));
    }
    commands.push_back(*command);
  }
}

}  // namespace ck
