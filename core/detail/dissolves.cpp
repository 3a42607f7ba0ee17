#include "core/detail/dissolves.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/crowd/actor_share.h"

namespace ck {

void Dissolves::update(std::optional<double> seconds, std::span<const std::uint8_t> ways,
                       std::vector<Change> changes, std::size_t most) {
  if (!seconds || !std::isfinite(*seconds)) return all_.clear();
  const double now = *seconds;
  std::erase_if(all_, [&](const One& one) {
    const double age = now - one.since;
    return ways[one.actor] != one.to || age < 0.0 || age >= kSeconds;
  });
  // Fewer may be allowed than before.
  if (all_.size() > most) all_.resize(most);
  const std::size_t room = most - all_.size();
  if (changes.size() > room) {
    const auto nearer = [](const Change& a, const Change& b) {
      return std::tie(a.distance, a.actor) < std::tie(b.distance, b.actor);
    };
    std::nth_element(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(room),
                     changes.end(), nearer);
    changes.resize(room);
  }
  for (const Change& change : changes) {
    all_.push_back({change.actor, change.from, change.to, now});
  }
  if (!changes.empty()) std::ranges::sort(all_, {}, &One::actor);
  for (One& one : all_) {
    const int step = static_cast<int>((now - one.since) / kSeconds * kShareSteps);
    one.step = std::clamp(step, 1, kShareSteps - 1);
  }
}

}  // namespace ck
