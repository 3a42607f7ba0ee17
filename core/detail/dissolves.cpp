#include "core/detail/dissolves.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "core/crowd/actor_share.h"

namespace ck {
namespace {

// An actor that changes level during a dissolve starts from the level with the larger share. A
// return to the previous level runs the dissolve backwards.
Dissolves::One begun(const Dissolves::Change& change, std::span<const Dissolves::One> before,
                     double now) {
  Dissolves::One one{change.actor, change.from, change.to, now};
  const auto last = std::ranges::lower_bound(before, change.actor, {}, &Dissolves::One::actor);
  if (last == before.end() || last->actor != change.actor) return one;
  const double age = now - last->since;
  if (age < 0.0 || age >= Dissolves::kSeconds) return one;
  if (last->from == change.to) {
    one.since = now - (Dissolves::kSeconds - age);
  } else if (age < 0.5 * Dissolves::kSeconds) {
    one.from = last->from;
  }
  return one;
}

}  // namespace

void Dissolves::update(std::optional<double> seconds, std::span<const std::uint8_t> ways,
                       std::vector<Change> changes, std::size_t most) {
  if (!seconds || !std::isfinite(*seconds)) return all_.clear();
  const double now = *seconds;
  const std::vector<One> before = std::move(all_);
  all_.clear();
  std::ranges::copy_if(before, std::back_inserter(all_), [&](const One& one) {
    const double age = now - one.since;
    return ways[one.actor] == one.to && age >= 0.0 && age < kSeconds;
  });
  if (all_.size() > most) all_.resize(most);  // fewer are allowed than before
  const std::size_t room = most - all_.size();
  if (changes.size() > room) {
    const auto nearer = [](const Change& a, const Change& b) {
      return std::tie(a.distance, a.actor) < std::tie(b.distance, b.actor);
    };
    std::nth_element(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(room),
                     changes.end(), nearer);
    changes.resize(room);
  }
  for (const Change& change : changes) all_.push_back(begun(change, before, now));
  if (!changes.empty()) std::ranges::sort(all_, {}, &One::actor);
  for (One& one : all_) {
    const int step = static_cast<int>((now - one.since) / kSeconds * kShareSteps);
    one.step = std::clamp(step, 1, kShareSteps - 1);
  }
}

}  // namespace ck
