#include "core/import/worker/fbx/fbx_clips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/import/character_file.h"
#include "core/import/worker/assembly/motion_tracks.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

// The curves that move one model.
struct Moved {
  const FbxAnimated* translation = nullptr;
  const FbxAnimated* rotation = nullptr;
  const FbxAnimated* scale = nullptr;
  bool any() const { return translation || rotation || scale; }
};

class ClipMaker {
 public:
  ClipMaker(const FbxAnimation& animation, const FbxNodes& nodes, const FbxShapes& shapes,
            SourceScene& scene)
      : animation_(animation),
        nodes_(nodes),
        shapes_(shapes),
        scene_(scene),
        moved_(movedModels(animation, nodes)),
        scales_(nodes.scales([this](int model) { return movedOf(model).scale != nullptr; })),
        scaleTimes_(nodes.models.size()) {
    // Some exporters count from a date. Clips that start too late for a track are moved to 0.
    shift_ = std::abs(animation.from) > kLongestClipSeconds ? animation.from : 0.0;
  }

  Result<SourceClip> make(std::size_t mostScaleTimes) {
    for (const int model : nodes_.order) {
      if (movedOf(model).scale == nullptr) continue;
      setScaleTimes(model);
      if (scaleTimeCount_ <= mostScaleTimes) continue;
      return fail(
          ErrorCode::LimitExceeded,
          fmt::format("clip '{}', model '{}': the moving scales up to here have more than {} "
                      "times of keys; bake the motion at one rate, or remove keys of scales, "
                      "and export the file again",
                      cleanText(animation_.name, 80), titleOf(model), mostScaleTimes));
    }
    SourceClip clip;
    clip.name = animation_.name;
    for (std::size_t m = 0; m < nodes_.models.size(); ++m) addModel(static_cast<int>(m), clip);
    addShapes(clip);
    return clip;
  }

 private:
  // All models at a time.
  struct Moment {
    ClipMaker& clip;
    double seconds;
    int side;

    glm::dvec3 translation(int model) const {
      return clip.animation_.valueOf(clip.movedOf(model).translation,
                                     clip.restOf(model).translation, seconds, side);
    }
    glm::dvec3 degrees(int model) const {
      const FbxTransform& rest = clip.restOf(model);
      return clip.animation_.valueOf(clip.movedOf(model).rotation, rest.degrees, seconds, side,
                                     rest.order);
    }
    glm::dvec3 scale(int model) const {
      return clip.animation_.valueOf(clip.movedOf(model).scale, clip.restOf(model).scale, seconds,
                                     side);
    }
    glm::dvec3 inherited(int model) const {
      return clip.scales_.inherited(model, seconds, side, [this](int m) { return scale(m); });
    }
  };

  // Ascending and distinct. Models whose scales have keys at the same times share them.
  using Times = std::shared_ptr<const std::vector<double>>;

  static std::vector<Moved> movedModels(const FbxAnimation& animation, const FbxNodes& nodes) {
    std::vector<Moved> moved;
    for (const FbxModel& model : nodes.models) {
      moved.push_back({animation.find(model.object, "Lcl Translation"),
                       animation.find(model.object, "Lcl Rotation"),
                       animation.find(model.object, "Lcl Scaling")});
    }
    return moved;
  }

  const Moved& movedOf(int model) const { return moved_[static_cast<std::size_t>(model)]; }
  const FbxTransform& restOf(int model) const {
    return nodes_.models[static_cast<std::size_t>(model)].transform;
  }

  std::string titleOf(int model) const {
    const int node = nodes_.models[static_cast<std::size_t>(model)].frame;
    return cleanText(scene_.nodes[static_cast<std::size_t>(node)].name, 80);
  }

  // All times at which a property has a key, with the ends of the clip, ascending and distinct.
  std::vector<double> timesOf(std::initializer_list<const FbxAnimated*> properties) const {
    std::vector<double> times = {animation_.from, animation_.to};
    for (const FbxAnimated* property : properties) animation_.addTimes(property, times);
    return distinctTimes(std::move(times));
  }

  // Sets the times at which the scale of a model or the scale that it inherits has a key. Those of
  // its ancestors must be set already.
  void setScaleTimes(int model) {
    const int mover = scales_.moverAbove(model);
    const Times above = mover < 0 ? nullptr : scaleTimes_[static_cast<std::size_t>(mover)];
    std::vector<double> times = timesOf({movedOf(model).scale});
    if (above) times.insert(times.end(), above->begin(), above->end());
    times = distinctTimes(std::move(times));
    Times& own = scaleTimes_[static_cast<std::size_t>(model)];
    if (above && *above == times) {
      own = above;
      return;
    }
    times.shrink_to_fit();
    scaleTimeCount_ += times.size();
    own = std::make_shared<const std::vector<double>>(std::move(times));
  }

  // The model whose scale times count for the translation of a model: its parent, or the nearest
  // ancestor whose scale moves and reaches the parent. -1 if there is none.
  int moverOfPlace(const FbxModel& model) const {
    if (model.inheritsPlainly()) return -1;
    return movedOf(model.parent).scale ? model.parent : scales_.moverAbove(model.parent);
  }

  void addModel(int index, SourceClip& clip) {
    const FbxModel& model = nodes_.models[static_cast<std::size_t>(index)];
    const Moved& own = moved_[static_cast<std::size_t>(index)];
    std::vector<double> times = timesOf({own.translation, own.rotation, own.scale});
    // Scales of ancestors move the place of a model, or its place and its scale.
    const int mover = moverOfPlace(model);
    const bool fromAbove = mover >= 0;
    if (!own.any() && !fromAbove) return;
    if (fromAbove) {
      const std::vector<double>& above = *scaleTimes_[static_cast<std::size_t>(mover)];
      times.insert(times.end(), above.begin(), above.end());
    }
    times = distinctTimes(std::move(times));
    // Only what a track depends on is evaluated: this is where most of the time goes.
    const FbxTransform& rest = model.transform;
    const bool pivots = rest.hasPivots();
    SourceNodeTracks frame;
    frame.node = model.frame;
    SourceNodeTracks whole;
    whole.node = model.whole;
    if (own.translation || fromAbove || (pivots && (own.rotation || own.scale))) {
      const auto at = [&](double t, int side) {
        return nodes_.translationOf(index, Moment{*this, t, side});
      };
      const bool isStraight = model.inheritsPlainly() && !pivots && own.translation != nullptr &&
                              animation_.isStraight(*own.translation);
      frame.translation =
          motionTrack(times, at, placeTolerance(times, at, scene_.source.unitScale), isStraight);
    }
    if (own.rotation) {
      const auto at = [&](double t, int side) {
        return rest.rotation(Moment{*this, t, side}.degrees(index));
      };
      frame.rotation = motionTrack(timesOf({own.rotation}), at, kRotationTolerance);
    }
    SourceNodeTracks& scaled = model.frame == model.whole ? frame : whole;
    if (own.scale || scales_.moverAbove(index) >= 0) {
      const auto at = [&](double t, int side) {
        return nodes_.scaleOf(index, Moment{*this, t, side});
      };
      const bool isStraight = model.inheritsPlainly() && animation_.isStraight(*own.scale);
      scaled.scale = motionTrack(times, at, kShareTolerance, isStraight);
    }
    for (SourceNodeTracks* tracks : {&frame, &whole}) {
      if (tracks->translation.empty() && tracks->rotation.empty() && tracks->scale.empty())
        continue;
      shifted(tracks->translation);
      shifted(tracks->rotation);
      shifted(tracks->scale);
      clip.nodeTracks.push_back(std::move(*tracks));
    }
  }

  void addShapes(SourceClip& clip) {
    for (const FbxShapes::Channel& channel : shapes_.channels) {
      const FbxAnimated* animated = animation_.find(channel.object, "DeformPercent");
      if (animated == nullptr) continue;
      const auto percent = [&](double t, int side) {
        return animation_.valueOf(animated, glm::dvec3(channel.percent), t, side).x;
      };
      const std::vector<double> times = withFullWeights(timesOf({animated}), channel, percent);
      for (std::size_t s = 0; s < channel.fullPercents.size(); ++s) {
        const auto at = [&](double t, int side) { return channel.weightOf(s, percent(t, side)); };
        Track<float> track = motionTrack(times, at, kShareTolerance);
        shifted(track);
        for (const FbxShapes::Target& target : channel.targets) {
          clip.morphTracks.push_back(
              {target.mesh, target.firstTarget + static_cast<int>(s), track});
        }
      }
    }
  }

  // Adds the times at which a channel passes the percent of one of its shapes, where the weights of
  // its shapes have corners.
  template <class Percent>
  static std::vector<double> withFullWeights(std::vector<double> times,
                                             const FbxShapes::Channel& channel, Percent&& percent) {
    constexpr int kParts = 8;  // of a segment, each of which is taken to pass at most once
    std::vector<double> corners = channel.fullPercents;
    corners.push_back(0.0);
    if (channel.fullPercents.size() < 2) return times;
    const std::vector<double> keys = times;
    for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
      for (int part = 0; part < kParts; ++part) {
        const double step = (keys[k + 1] - keys[k]) / kParts;
        for (const double corner : corners) {
          double low = keys[k] + part * step;
          double high = low + step;
          const double atLow = percent(low, 1) - corner;
          if (atLow * (percent(high, -1) - corner) >= 0.0) continue;
          for (int round = 0; round < 50; ++round) {
            const double middle = 0.5 * (low + high);
            ((percent(middle, 0) - corner) * atLow > 0.0 ? low : high) = middle;
          }
          times.push_back(0.5 * (low + high));
        }
      }
    }
    return distinctTimes(std::move(times));
  }

  template <class Value>
  void shifted(Track<Value>& track) const {
    if (shift_ == 0.0) return;
    for (double& time : track.times) time -= shift_;
  }

  const FbxAnimation& animation_;
  const FbxNodes& nodes_;
  const FbxShapes& shapes_;
  SourceScene& scene_;
  std::vector<Moved> moved_;
  FbxScales scales_;
  std::vector<Times> scaleTimes_;   // of models whose scale moves; else empty
  std::size_t scaleTimeCount_ = 0;  // of all of them, shared ones once
  double shift_ = 0.0;
};

}  // namespace

Result<void> addFbxClips(std::vector<FbxAnimation>& animations, const FbxNodes& nodes,
                         const FbxShapes& shapes, SourceScene& scene, std::size_t mostScaleTimes) {
  for (FbxAnimation& animation : animations) {
    // Maya writes a take without curves for every file that is not animated.
    if (animation.properties.empty()) continue;
    animation.readCurves();
    if (animation.badKeys() > 0) {
      warn(scene.notes, "KeysDropped",
           fmt::format("clip '{}': {} keys are not numbers, beyond 1e9 or not in order, and were "
                       "left out",
                       cleanText(animation.name), animation.badKeys()));
    }
    auto clip = ClipMaker(animation, nodes, shapes, scene).make(mostScaleTimes);
    if (!clip) return tl::unexpected(clip.error());
    scene.clips.push_back(std::move(*clip));
    animation.dropCurves();
  }
  return {};
}

}  // namespace ck::worker
