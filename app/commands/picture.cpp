#include "app/commands/picture.h"

#include <algorithm>
#include <cmath>

namespace ck::cli {
namespace {

std::size_t differingPixels(const render::Frame& a, const render::Frame& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 3 < a.rgba.size(); i += 4) {
    count += std::equal(a.rgba.begin() + static_cast<std::ptrdiff_t>(i),
                        a.rgba.begin() + static_cast<std::ptrdiff_t>(i + 4),
                        b.rgba.begin() + static_cast<std::ptrdiff_t>(i))
                 ? 0u
                 : 1u;
  }
  return count;
}

// In steps, because one step counts so many rounds of a clip and no more. A crowd passes millions
// in an hour, so all are counted but only those that will be listed are kept.
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

// Ticks before the picture: one for the motion view to compare with, and as many as it takes until
// actors that are posed in turn have all been. Returns how many.
Result<int> drawTicksBefore(render::CrowdRenderer& renderer, MixedCrowd& crowd, const Shot& shot) {
  const bool staggered = methodInfo(shot.settings.method).obeys.updateEvery;
  const bool moves = shot.settings.shown == render::Shown::Motion;
  const int ticks = std::max(staggered ? shot.settings.updateEvery - 1 : 0, moves ? 1 : 0);
  if (ticks == 0) return 0;
  crowd.seek(crowd.timeSeconds() - ticks * shot.tickSeconds);
  for (int i = 0; i < ticks; ++i) {
    const auto before = renderer.drawToFrame(crowd, shot.camera, shot.settings, 1, 1);
    if (!before) return tl::unexpected(before.error());
    crowd.advance(shot.tickSeconds);
  }
  return ticks;
}

// The whole picture once: the first of its kind takes the time in which drivers compile shaders.
Result<void> warmUp(render::CrowdRenderer& renderer, MixedCrowd& crowd, const Shot& shot) {
  const auto cold =
      renderer.drawToFrame(crowd, shot.camera, shot.settings, shot.size.width, shot.size.height);
  if (!cold) return tl::unexpected(cold.error());
  crowd.seek(crowd.timeSeconds());  // so that the actors are posed again
  return {};
}

}  // namespace

Result<Drawn> drawCrowd(render::CrowdRenderer& renderer, MixedCrowd& crowd, const Shot& shot) {
  // The ground and sky alone, to count what the crowd covers.
  const auto empty =
      renderer.drawToFrame(MixedCrowd({}, std::vector<std::vector<CrowdClip>>(1)), shot.camera,
                           shot.settings, shot.size.width, shot.size.height);
  if (!empty) return tl::unexpected(empty.error());
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
  drawn.coveredPixels = differingPixels(*frame, *empty);
  drawn.frame = std::move(*frame);
  drawn.stats = renderer.stats();
  drawn.facts = renderer.facts();
  drawn.fading = crowd.fadingActors();
  constexpr std::size_t kMostListed = 10'000;
  drawn.events = eventsSinceStart(crowd, shot.seconds, shot.listsEvents ? kMostListed : 0);
  return drawn;
}

}  // namespace ck::cli
