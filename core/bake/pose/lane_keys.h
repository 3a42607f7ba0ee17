#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/bake/pose/stored_frame.h"
#include "core/scene/clip.h"

namespace ck {

// Moments that are processed side by side.
inline constexpr std::size_t kLaneCount = 8;

// A property of a joint, as lanes read it.
struct LaneChannel {
  enum class Kind {
    Still,   // one value
    Linear,  // between the keys of a linear track
    Dense,   // one value per moment, sampled in double: steps and splines
  };
  Kind kind = Kind::Still;
  bool wide = false;       // of rotations: see LaneKeys::kArcTerms
  std::uint32_t axis = 0;  // Linear: into LaneRun::places
  std::size_t values = 0;  // Linear: into LaneKeys::values(); Dense: into a batch of LaneRun::dense
  std::size_t row = 0;     // Linear: floats from component to component
  float still[4] = {};
};

// Moments, found among the keys; each thread needs its own.
struct LaneRun {
  // Where the moments lie between the key times of one or more tracks.
  struct Places {
    std::vector<std::int32_t> first;  // per batch: the smallest of its keys
    std::vector<std::int32_t> keys;   // the key before each moment, from that key on
    std::vector<float> along;         // in [0, 1]
    std::vector<std::uint8_t> state;  // per batch: kFewSteps, kOnKeys
  };
  static constexpr std::uint8_t kFewSteps = 1;  // all key steps are among kLaneCount in a row
  static constexpr std::uint8_t kOnKeys = 2;    // all moments are on keys
  std::size_t batchCount = 0;  // of eight moments; the last batch repeats the last moment
  std::vector<Places> places;  // one per axis
  std::vector<float> dense;
};

// The keys of the tracks of one clip, prepared for reading eight moments at once: in float, each
// component by itself, with what interpolation along arcs needs. Times are double until they are a
// fraction of a key step.
class LaneKeys {
 public:
  // A row of a rotation holds, one after the other, its four components (signs aligned, so that the
  // way from key to key is the shorter arc) and the terms c of sin(t a) / sin(a) = t (c0 + c1 t^2 +
  // c2 t^4 + ...), where `a` is the angle to the next key: four, and six if an angle is wide.
  static constexpr std::size_t kArcTerms = 4;
  static constexpr std::size_t kWideArcTerms = 6;

  // The window continues after the last key as WindowSampler says. The clip must outlive the keys.
  LaneKeys(const Clip& clip, double closingSeconds);

  // Adds a track, which must be one of the clip's, and sets its channel, which must stay where it
  // is until write(). An empty track gives a channel that stays at `rest`.
  void add(const Track<glm::vec3>& track, const glm::dvec3& rest, LaneChannel& channel);
  void add(const Track<glm::quat>& track, const glm::dquat& rest, LaneChannel& channel);

  // Writes the keys of all tracks that were added; nothing can be read before. `threads`: how many
  // write; 0: one per core.
  void write(int threads);

  // The moments need not ascend. At least one.
  void prepare(std::span<const StoredFrame> moments, LaneRun& run) const;

  const float* values() const { return values_.get(); }
  std::size_t densePerBatch() const { return densePerBatch_; }  // floats

 private:
  // Key times of one or more linear tracks, with the closing step.
  struct Axis {
    const std::vector<double>* source = nullptr;  // of the first track
    std::vector<double> times;
  };
  template <class Value>
  struct Dense {
    const Track<Value>* track = nullptr;
    std::size_t at = 0;  // LaneChannel::values
  };
  // A linear track that write() has yet to write.
  template <class Value>
  struct Linear {
    const Track<Value>* track = nullptr;
    LaneChannel* channel = nullptr;
  };
  struct Sampling;

  double lastKeySeconds() const { return clip_->startSeconds + clip_->durationSeconds; }
  bool closes() const { return closingSeconds_ > 0.0; }
  std::size_t mostValues() const;
  std::vector<double> closedTimes(const std::vector<double>& times) const;
  std::uint32_t axisOf(const std::vector<double>& times);
  template <class Value, class Wide>
  void addAny(const Track<Value>& track, const Wide& rest, std::vector<Dense<Value>>& dense,
              std::vector<Linear<Value>>& linear, LaneChannel& channel);
  template <class Value>
  void writeLinear(const Linear<Value>& linear);

  const Clip* clip_;
  double closingSeconds_;
  std::vector<Axis> axes_;
  std::unique_ptr<float[]>
      values_;  // written by write(), never cleared: 200 MB for an hour of 60 joints
  std::size_t valueCount_ = 0;
  std::vector<Dense<glm::vec3>> denseVectors_;
  std::vector<Dense<glm::quat>> denseTurns_;
  std::vector<Linear<glm::vec3>> linearVectors_;
  std::vector<Linear<glm::quat>> linearTurns_;
  std::size_t densePerBatch_ = 0;
};

}  // namespace ck
