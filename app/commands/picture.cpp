#include "app/commands/picture.h"

#include <algorithm>
#include <cmath>

namespace ck::cli {
namespace {

// In steps, because one step counts a limited number of cycles. A crowd passes millions of events
// in an hour: all are counted, but only those that will be listed are stored.
PassedEvents eventsSinceStart(const MixedCrowd& crowd, double end, std::size_t mostKept) {
  const int steps = static_cast<int>(std::clamp(std::abs(end) / 10.0, 1.0, 10000.0));
  PassedEvents events;
  for (int i = 0; i < steps; ++i) {
    for (const FiredEvent& fired : crowd.eventsBetween(end * i / steps, end * (i + 1) / steps)) {
      if (events.count++ >= mostKept) continue;
      events.first.push_back(
          {fired, crowd.sourceIndexOf(fired.actor), crowd.placeOf(fired.actor).character});
    }
  }
  return events;
}

// Draws ticks before the image: one for the motion view to compare with, and enough for actors that
// are posed in turn. Returns their number.
Result<int> drawTicksBefore(render::CrowdRenderer& renderer, MixedCrowd& crowd, const Shot& shot) {
  const bool staggered = methodInfo(shot.settings.pose.method).obeys.updateEvery;
  const bool moves = shot.settings.pose.viewMode == ViewMode::Motion;
  const int ticks = std::max(staggered ? shot.settings.pose.updateEvery - 1 : 0, moves ? 1 : 0);
  if (ticks == 0) return 0;
  crowd.seek(crowd.timeSeconds() - ticks * shot.tickSeconds);
  for (int i = 0; i < ticks; ++i) {
    const auto before = renderer.drawToFrame(crowd, shot.camera, shot.settings, 1, 1);
    if (!before) return tl::unexpected(before.error());
    crowd.advance(shot.tickSeconds);
  }
  return ticks;
}

// Draws one frame to warm up: drivers compile shaders during the first.
Result<void> warmUp(render::CrowdRenderer& renderer, MixedCrowd& crowd, const Shot& shot) {
  const auto cold =
      renderer.drawToFrame(crowd, shot.camera, shot.settings, shot.size.width, shot.size.height);
  if (!cold) return tl::unexpected(cold.error());
  crowd.seek(crowd.timeSeconds());  // so that the actors are posed again
  return {};
}

}  // namespace

Result<Drawn> drawCrowd(render::CrowdRenderer& renderer, MixedCrowd& crowd, const Shot& shot) {
  if (shot.isMeasured) {
    if (auto warm = warmUp(renderer, crowd, shot); !warm) return tl::unexpected(warm.error());
  }
  const auto ticks = drawTicksBefore(renderer, crowd, shot);
  if (!ticks) return tl::unexpected(ticks.error());
  auto frame =
      renderer.drawToFrame(crowd, shot.camera, shot.settings, shot.size.width, shot.size.height);
  if (!frame) return tl::unexpected(frame.error());
  Drawn drawn;
  drawn.drawnBefore = *ticks + (shot.isMeasured ? 1 : 0);
  drawn.frame = std::move(*frame);
  drawn.stats = renderer.stats();
  const auto covered =
      renderer.countCovered(crowd, shot.camera, shot.settings, shot.size.width, shot.size.height);
  if (!covered) return tl::unexpected(covered.error());
  drawn.coveredPixels = *covered;
  drawn.facts = renderer.facts();
  drawn.fading = crowd.fadingActors();
  constexpr std::size_t kMostListed = 10'000;
  drawn.events = eventsSinceStart(crowd, shot.seconds, shot.listsEvents ? kMostListed : 0);
  return drawn;
}

}  // namespace ck::cli
