#include "core/anim/live_clip.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ck {
namespace {

constexpr std::size_t kApart = 4;

template <class Value>
void put(const Value& v, float (&to)[kApart]) {
  for (int c = 0; c < 4; ++c) to[c] = c < Value::length() ? v[c] : 0.0f;
}

class Maker {
 public:
  Maker(const Rig& rig, const Clip& clip) {
    live_.startSeconds = clip.startSeconds;
    for (const Joint& joint : rig.joints) {
      LiveClip::Joint at;
      put(glm::vec3(joint.rest.translation), at.translation.still);
      put(glm::quat(joint.rest.rotation), at.rotation.still);
      put(glm::vec3(joint.rest.scale), at.scale.still);
      live_.joints.push_back(at);
    }
    for (const JointTracks& tracks : clip.jointTracks) {
      LiveClip::Joint& at = live_.joints[static_cast<std::size_t>(tracks.joint)];
      add(tracks.translation, at.translation);
      add(tracks.rotation, at.rotation);
      add(tracks.scale, at.scale);
    }
  }

  LiveClip take() { return std::move(live_); }

 private:
  int axisOf(const std::vector<double>& times) {
    const auto found = axisOf_.find(times);
    if (found != axisOf_.end()) return found->second;
    LiveClip::Axis axis;
    for (const double time : times) {
      axis.times.push_back(time - live_.startSeconds);
    }
    axis.first = axis.times.front();
    const double step = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
    const bool even = std::all_of(times.begin(), times.end(), [&](const double& time) {
      const double expected = times.front() + step * static_cast<double>(&time - times.data());
      return std::abs(time - expected) < 1e-6 * step;
    });
    if (even) axis.perSecond = 1.0 / step;
    const int index = static_cast<int>(live_.axes.size());
    live_.axes.push_back(std::move(axis));
    axisOf_.emplace(times, index);
    return index;
  }

  template <class Value>
  void add(const Track<Value>& from, LiveClip::Track& to) {
    if (from.empty()) return;
    to.interpolation = from.interpolation;
    const bool cubic = from.interpolation == Interpolation::Cubic;
    const auto same = [&](const Value& value) { return value == from.values.front(); };
    if (from.times.size() == 1 ||
        (!cubic && std::all_of(from.values.begin(), from.values.end(), same))) {
      put(from.values[cubic ? 1 : 0], to.still);
      return;
    }
    to.axis = axisOf(from.times);
    to.values = static_cast<std::uint32_t>(live_.values.size());
    float before[4] = {};
    for (std::size_t i = 0; i < from.values.size(); ++i) {
      float value[kApart];
      put(from.values[i], value);
      float along = 0.0f;
      for (std::size_t c = 0; c < kApart; ++c) along += value[c] * before[c];
      const bool turns = std::is_same_v<Value, glm::quat> &&
                         from.interpolation == Interpolation::Linear && along < 0.0f;
      for (std::size_t c = 0; c < kApart; ++c) before[c] = turns ? -value[c] : value[c];
      live_.values.insert(live_.values.end(), before, before + kApart);
    }
  }

  LiveClip live_;
  std::map<std::vector<double>, int> axisOf_;
};

}  // namespace

LiveClip makeLiveClip(const Rig& rig, const Clip& clip) {
  return Maker(rig, clip).take();
}

}  // namespace ck
