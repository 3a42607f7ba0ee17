#pragma once

#include <span>
#include <vector>

#include "core/crowd/crowd.h"

namespace ck::test {

// Clips of all kinds: a loop, a long loop, one that plays once, one there and back, one with step
// frames, one that is not baked, and a loop that walks by a way of its own.
std::vector<CrowdClip> clipsOfAllKinds();

// Actors that play and walk in every way, each of several rates and offsets: `count` of them,
// spread over 400 m.
std::vector<Actor> actorsOfAllKinds(int count);

// Actors whose records follow from the time alone: clips of any loop mode and rate, standing, and
// loops round a circle.
std::vector<Actor> steadyActors(int count);

// A crowd's time goes on by ticks of changing length, as in a window, to just `seconds`; `ticked`
// is called after each of them.
template <class Ticked>
void playTo(Crowd& crowd, double seconds, const Ticked& ticked) {
  constexpr double kTicks[] = {0.0167, 0.0171, 0.0311, 0.0163, 0.7, 0.0502, 0.0127, 11.3};
  for (std::size_t i = 0; crowd.timeSeconds() < seconds; ++i) {
    const double left = seconds - crowd.timeSeconds();
    crowd.advance(std::min(kTicks[i % std::size(kTicks)], left));
    ticked();
  }
}

// The bytes of the table of a crowd's clips and of its unnamed one: three numbers of each, and
// three of every moment of those whose moments are not their frames.
inline std::size_t clipTableBytes(std::span<const CrowdClip> clips) {
  std::size_t numbers = 3;
  for (const CrowdClip& clip : clips) {
    const bool isEven = clip.stepFrames.empty() && clip.keptMoments.empty();
    const int moments = isEven || clip.atlasClip < 0 ? 0 : momentCount(frameGridOf(clip));
    numbers += 3 + 3 * static_cast<std::size_t>(moments);
  }
  return 4 * numbers;
}

}  // namespace ck::test
