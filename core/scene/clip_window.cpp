#include "core/scene/clip_window.h"

#include <algorithm>
#include <limits>

namespace ck {

void setWindowToKeys(Clip& clip) {
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  const auto widen = [&first, &last](const std::vector<double>& times) {
    if (times.empty()) return;
    first = std::min(first, times.front());
    last = std::max(last, times.back());
  };
  for (const JointTracks& tracks : clip.jointTracks) {
    widen(tracks.translation.times);
    widen(tracks.rotation.times);
    widen(tracks.scale.times);
  }
  for (const MorphTrack& track : clip.morphTracks) widen(track.weight.times);
  clip.startSeconds = first;
  clip.durationSeconds = last - first;
}

}  // namespace ck
