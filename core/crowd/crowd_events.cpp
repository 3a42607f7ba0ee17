#include <algorithm>

#include "core/crowd/crowd_arrays.h"

namespace ck {
namespace {

// One clip of an actor, with the time span in which the clip is visible.
struct Seen {
  const FadeSide& side;
  double rate = 1.0;
  double since = -1e300;
  double until = 1e300;
};

class EventSearch {
 public:
  EventSearch(std::span<const CrowdClip> clips, const TimeStep& step)
      : clips_(clips), step_(step) {}

  // `weightAt` returns the blend weight of the clip at a time.
  template <class Weight>
  void add(std::size_t actor, const Seen& seen, Weight&& weightAt) {
    const auto& events = clips_[static_cast<std::size_t>(seen.side.clip)].events;
    for (std::size_t e = 0; e < events.size(); ++e) {
      passes_.clear();
      appendPasses(seen.side, seen.rate, events[e].unit, step_, passes_);
      for (const double at : passes_) {
        if (at < seen.since || at >= seen.until) continue;
        fired_.push_back({.actor = actor,
                          .clip = seen.side.clip,
                          .event = static_cast<int>(e),
                          .seconds = at,
                          .weight = weightAt(at)});
      }
    }
  }

  std::vector<FiredEvent> inOrder() && {
    const bool forwards = step_.from <= step_.to;
    std::stable_sort(fired_.begin(), fired_.end(),
                     [forwards](const FiredEvent& a, const FiredEvent& b) {
                       return forwards ? a.seconds < b.seconds : a.seconds > b.seconds;
                     });
    return std::move(fired_);
  }

 private:
  std::span<const CrowdClip> clips_;
  TimeStep step_;
  std::vector<double> passes_;
  std::vector<FiredEvent> fired_;
};

void addTimed(EventSearch& search, std::size_t actor, const TimedFade& fade) {
  // A clip that starts with the fade passes its first pose at that time, up to rounding.
  constexpr double kRounding = 1e-9;
  const double start = fade.startSeconds;
  search.add(actor, {.side = fade.from, .rate = fade.rate, .until = start + fade.seconds},
             [&fade](double at) { return 1.0 - blendAt(fade, at); });
  search.add(actor, {.side = fade.to, .rate = fade.rate, .since = start - kRounding},
             [&fade](double at) { return blendAt(fade, at); });
}

}  // namespace

std::vector<FiredEvent> Crowd::eventsBetween(double from, double to) const {
  const Arrays& a = *arrays_;
  const bool any = std::any_of(a.clips.begin(), a.clips.end(),
                               [](const CrowdClip& clip) { return !clip.events.empty(); });
  if (!any || from == to) return {};
  EventSearch search(a.clips, {from, to});
  auto timed = a.timed.begin();
  auto held = a.fades.begin();
  for (std::size_t actor = 0; actor < a.source.size(); ++actor) {
    if (timed != a.timed.end() && timed->actor == actor) {
      addTimed(search, actor, (timed++)->fade);
      continue;
    }
    double second = 0.0;
    if (held != a.fades.end() && held->actor == actor) {
      second = (held++)->blend / kBlendSteps;
      const FadeSide side = a.sideOf(actor, std::prev(held)->clip);
      search.add(actor, {.side = side, .rate = a.rate(actor)}, [second](double) { return second; });
      if (second >= 1.0) continue;
    }
    if (a.clips[static_cast<std::size_t>(a.clip[actor])].events.empty()) continue;
    const FadeSide side = a.sideOf(actor, a.clip[actor]);
    search.add(actor, {.side = side, .rate = a.rate(actor)},
               [second](double) { return 1.0 - second; });
  }
  return std::move(search).inOrder();
}

}  // namespace ck
