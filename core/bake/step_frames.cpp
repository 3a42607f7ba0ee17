#include "core/bake/step_frames.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/bake/pose/shell.h"
#include "core/bake/pose/window_sampler.h"

namespace ck {
namespace {

constexpr double kLeastJumpMeters = 1e-6;
constexpr double kLeastJumpOfWeight = 1e-3;

// Whether the last frame of a window shows the first pose.
bool closes(const BakeWindow& window) {
  return window.loop == LoopMode::Loop && window.seam != Seam::None;
}

// How the first frame of a step frame is sampled: the pose that is left at a moment >= 1. At the
// end of a closed loop all but the Step tracks are at the first pose already.
StoredFrame leftAt(const BakeWindow& window, const std::vector<double>& times, std::size_t moment) {
  const bool atEnd = moment + 1 == times.size() && closes(window);
  return {atEnd ? times.front() : times[moment], times[moment - 1]};
}

StoredFrame arrivedAt(const BakeWindow& window, const std::vector<double>& times,
                      std::size_t moment) {
  const bool atEnd = moment + 1 == times.size() && closes(window);
  return {atEnd ? times.front() : times[moment], {}};
}

// The moments of a window at which Step tracks may jump.
class Candidates {
 public:
  Candidates(const BakeWindow& window, const std::vector<double>& times)
      : times_(times), closes_(closes(window)), marked_(times.size(), 0) {}

  // Marks the moments of a track: `differ(a, b)` compares two values.
  template <class Value, class Differ>
  void add(const Track<Value>& track, const Differ& differ) {
    if (track.interpolation != Interpolation::Step || track.empty()) return;
    const std::size_t last = times_.size() - 1;
    for (std::size_t key = 1; key < track.times.size(); ++key) {
      if (!differ(track.values[key - 1], track.values[key])) continue;
      const auto moment = static_cast<std::size_t>(
          std::lower_bound(times_.begin(), times_.end(), track.times[key]) - times_.begin());
      if (moment > 0 && moment <= last) marked_[moment] = 1;
    }
    if (!closes_) return;
    // The last frame shows the first pose, whatever the last key is.
    const Value before(sampleTrack(track, times_[last - 1]));
    const Value first(sampleTrack(track, times_.front()));
    if (differ(before, first)) marked_[last] = 1;
  }

  bool at(std::size_t moment) const { return marked_[moment] != 0; }

 private:
  const std::vector<double>& times_;
  bool closes_;
  std::vector<char> marked_;
};

// Whether any joint is at another place in the second of two poses.
bool jumps(const Shell& shell, std::span<const glm::dmat4> before,
           std::span<const glm::dmat4> after) {
  for (std::size_t joint = 0; joint < before.size(); ++joint) {
    // Written so that NaN counts as no jump.
    if (shellDistance(shell, joint, before[joint], after[joint]) > kLeastJumpMeters) return true;
  }
  return false;
}

}  // namespace

std::vector<int> stepFramesOf(const Character& character, const BakeWindow& window,
                              int momentCount) {
  const Clip& clip = *window.motion;
  if (!hasSteps(clip)) return {};
  BakeWindow even = window;
  even.frameCount = momentCount;
  even.stepFrames.clear();
  even.keptMoments.clear();
  const std::vector<double> times = frameTimes(even);
  Candidates joints(window, times);
  const auto other = [](const auto& a, const auto& b) { return a != b; };
  for (const JointTracks& tracks : clip.jointTracks) {
    joints.add(tracks.translation, other);
    joints.add(tracks.rotation, other);
    joints.add(tracks.scale, other);
  }
  Candidates morphs(window, times);
  for (const MorphTrack& track : clip.morphTracks) {
    morphs.add(track.weight, [](float a, float b) {
      return std::abs(static_cast<double>(a) - static_cast<double>(b)) > kLeastJumpOfWeight;
    });
  }
  std::vector<int> steps;
  std::optional<Shell> shell;
  std::optional<WindowSampler> sampler;
  std::vector<glm::dmat4> before;
  for (std::size_t moment = 1; moment < times.size(); ++moment) {
    bool doubled = morphs.at(moment);
    if (!doubled && joints.at(moment)) {
      if (!shell) shell = makeShell(character);
      if (!sampler) sampler.emplace(character.rig, clip, window.closingSeconds);
      const StoredFrame left = leftAt(window, times, moment);
      const auto skins = sampler->skinMatrices(left.seconds, left.heldSeconds);
      before.assign(skins.begin(), skins.end());
      const StoredFrame now = arrivedAt(window, times, moment);
      doubled = jumps(*shell, before, sampler->skinMatrices(now.seconds));
    }
    if (doubled) steps.push_back(static_cast<int>(moment));
  }
  return steps;
}

void setMoments(const Character& character, int momentCount, BakeWindow& window) {
  window.stepFrames = stepFramesOf(character, window, momentCount);
  window.keptMoments.clear();
  window.frameCount = momentCount + static_cast<int>(window.stepFrames.size());
}

std::vector<StoredFrame> storedFrames(const BakeWindow& window) {
  const std::vector<double> times = frameTimes(window);
  std::vector<StoredFrame> frames;
  frames.reserve(static_cast<std::size_t>(window.frameCount));
  auto step = window.stepFrames.begin();
  for (std::size_t moment = 0; moment < times.size(); ++moment) {
    if (!window.keptMoments.empty() &&
        !std::ranges::binary_search(window.keptMoments, static_cast<int>(moment))) {
      continue;
    }
    if (step != window.stepFrames.end() && *step == static_cast<int>(moment)) {
      frames.push_back(leftAt(window, times, moment));
      ++step;
    }
    frames.push_back({times[moment], {}});
  }
  return frames;
}

Notes stepNotes(const std::vector<BakeWindow>& windows, std::size_t bytesPerFrame) {
  std::vector<std::string> clips;
  std::size_t frames = 0;
  for (const BakeWindow& window : windows) {
    const std::size_t count = window.stepFrames.size();
    if (count == 0) continue;
    frames += count;
    const auto moments = static_cast<std::size_t>(momentCount(frameGridOf(window)));
    clips.push_back(fmt::format("'{}' ({} more {}{})", window.motion->name, count,
                                count == 1 ? "frame" : "frames",
                                count + 1 == moments ? ", one for every frame" : ""));
  }
  if (clips.empty()) return {};
  return {
      {Note::Level::Info, "StepFrames",
       fmt::format("step keys make joints or morphs jump, so those frames are stored twice, "
                   "just before and after: {}; {:.1f} kB in all",
                   fmt::join(clips, ", "), static_cast<double>(frames * bytesPerFrame) / 1000.0)}};
}

}  // namespace ck
