#include "core/import/worker/collada/collada_clips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/import/worker/assembly/motion_tracks.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr double kMostKeys = 20e6;

glm::dmat4 matrixOf(const ColladaTransform& transform) {
  const std::vector<double>& n = transform.numbers;
  switch (transform.kind) {
    case ColladaTransform::Kind::Translate:
      return toMatrix({.translation = {n[0], n[1], n[2]}});
    case ColladaTransform::Kind::Scale:
      return toMatrix({.scale = {n[0], n[1], n[2]}});
    case ColladaTransform::Kind::Rotate: {
      const glm::dvec3 axis(n[0], n[1], n[2]);
      if (!(glm::length(axis) > 1e-12)) return glm::dmat4(1.0);
      return glm::mat4_cast(glm::angleAxis(glm::radians(n[3]), glm::normalize(axis)));
    }
    case ColladaTransform::Kind::Matrix: {
      glm::dmat4 m(1.0);
      for (int i = 0; i < 12; ++i) m[i % 4][i / 4] = n[static_cast<std::size_t>(i)];
      return m;
    }
    case ColladaTransform::Kind::Other:
      break;
  }
  return glm::dmat4(1.0);
}

// The window of a clip, in seconds.
struct Window {
  double from = 0.0;
  double to = 0.0;
  bool isStated = false;  // by the file, so that every track has keys at its ends
};

// The local transform of one node over time.
class NodeMotion {
 public:
  NodeMotion(const std::vector<ColladaTransform>& transforms,
             std::vector<const ColladaChannel*> channels, const Window& window)
      : transforms_(transforms), channels_(std::move(channels)), now_(transforms) {
    bool beyond = window.isStated;
    for (const ColladaChannel* channel : channels_) {
      for (const KeyCurve& curve : channel->curves) {
        curve.addTimes(window.from, window.to, times_);
        curve.addTimes(std::min(window.from, curve.keys.front().seconds),
                       std::max(window.to, curve.keys.back().seconds), poseTimes_);
        beyond = beyond || curve.before != Beyond::Constant || curve.after != Beyond::Constant;
      }
    }
    if (beyond || times_.empty()) times_.insert(times_.end(), {window.from, window.to});
    times_ = distinctTimes(std::move(times_));
    poseTimes_ = distinctTimes(std::move(poseTimes_));
    isPoses_ = moves(ColladaTransform::Kind::Matrix) &&
               std::all_of(channels_.begin(), channels_.end(), [](const ColladaChannel* channel) {
                 return std::none_of(channel->curves.begin(), channel->curves.end(), hasSplines);
               });
  }

  // The times of keys within the window, or its ends.
  const std::vector<double>& times() const { return times_; }

  // `side` as KeyCurve::at().
  Trs at(double seconds, int side) {
    if (!isPoses_) return pose(seconds, side);
    // Matrix keys are poses: between them the decomposed pose is interpolated, not the matrix
    // elements, which would shrink what turns.
    const auto& times = poseTimes_;
    const auto after = side < 0 ? std::lower_bound(times.begin(), times.end(), seconds)
                                : std::upper_bound(times.begin(), times.end(), seconds);
    const bool isKey = side == 0 && after != times.begin() && *std::prev(after) == seconds;
    if (after == times.begin() || after == times.end() || isKey) return pose(seconds, side);
    const double start = *std::prev(after);
    const Trs first = pose(start, 1);
    const Trs last = pose(*after, -1);
    const double unit = (seconds - start) / (*after - start);
    return {.translation = glm::mix(first.translation, last.translation, unit),
            .rotation = slerpShortest(first.rotation, last.rotation, unit),
            .scale = glm::mix(first.scale, last.scale, unit)};
  }

  double shear() const { return shear_; }
  bool hasOther() const {
    return std::any_of(transforms_.begin(), transforms_.end(), [](const ColladaTransform& t) {
      return t.kind == ColladaTransform::Kind::Other;
    });
  }

 private:
  static bool hasSplines(const KeyCurve& curve) {
    return std::any_of(curve.keys.begin(), curve.keys.end(), [](const KeyCurve::Key& key) {
      return key.after == KeyCurve::Between::Cubic;
    });
  }

  bool moves(ColladaTransform::Kind kind) const {
    return std::any_of(channels_.begin(), channels_.end(), [&](const ColladaChannel* channel) {
      return transforms_[static_cast<std::size_t>(channel->transform)].kind == kind;
    });
  }

  Trs pose(double seconds, int side) {
    for (const ColladaChannel* channel : channels_) {
      std::vector<double>& numbers = now_[static_cast<std::size_t>(channel->transform)].numbers;
      const auto first = static_cast<std::size_t>(channel->firstNumber);
      for (std::size_t part = 0; part < channel->curves.size(); ++part) {
        numbers[first + part] = channel->curves[part].at(seconds, side);
      }
    }
    glm::dmat4 local(1.0);
    for (const ColladaTransform& transform : now_) local = local * matrixOf(transform);
    const Decomposed parts = decompose(local);
    shear_ = std::max(shear_, parts.shear);
    return parts.trs;
  }

  const std::vector<ColladaTransform>& transforms_;
  std::vector<const ColladaChannel*> channels_;
  std::vector<ColladaTransform> now_;  // at the time of the last pose
  std::vector<double> times_;
  std::vector<double> poseTimes_;  // of all keys, those outside the window as well
  bool isPoses_ = false;
  double shear_ = 0.0;
};

template <class Value>
bool isConstant(const Track<Value>& track) {
  return track.interpolation != Interpolation::Cubic &&
         std::all_of(track.values.begin(), track.values.end(),
                     [&track](const Value& value) { return value == track.values.front(); });
}

// A track that does not move has one key, or one at either end if it has to state the window.
template <class Value>
void shortenConstant(Track<Value>& track, bool keepEnds) {
  if (!isConstant(track) || track.times.size() < 2) return;
  track.times = {track.times.front(), track.times.back()};
  track.times.resize(keepEnds ? 2 : 1);
  track.values.resize(track.times.size());
}

SourceNodeTracks tracksOf(NodeMotion& motion, double unitMeters) {
  const std::vector<double>& times = motion.times();
  const Motion<glm::dvec3> place = [&motion](double t, int side) {
    return motion.at(t, side).translation;
  };
  const Motion<glm::dquat> turn = [&motion](double t, int side) {
    return motion.at(t, side).rotation;
  };
  const Motion<glm::dvec3> size = [&motion](double t, int side) {
    return motion.at(t, side).scale;
  };
  SourceNodeTracks tracks;
  tracks.translation = motionTrack(times, place, placeTolerance(times, place, unitMeters));
  tracks.rotation = motionTrack(times, turn, kRotationTolerance);
  tracks.scale = motionTrack(times, size, kShareTolerance);
  const bool turns = !isConstant(tracks.rotation);
  const bool shifts = !isConstant(tracks.translation);
  const bool stretches = !isConstant(tracks.scale);
  shortenConstant(tracks.translation, false);
  shortenConstant(tracks.scale, false);
  shortenConstant(tracks.rotation, !turns && !shifts && !stretches);
  return tracks;
}

class ClipAdder {
 public:
  ClipAdder(const ColladaMotion& motion, SourceScene& scene) : motion_(motion), scene_(scene) {
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
      nodesOfId_[scene.nodes[n].name].push_back(static_cast<int>(n));
    }
  }

  void add(const ColladaClip& clip) {
    SourceClip result;
    result.name = clip.name;
    const Window window = windowOf(clip);
    std::map<std::string, std::vector<const ColladaChannel*>> byNode;
    for (const int index : clip.channels) {
      const ColladaChannel& channel = motion_.channels[static_cast<std::size_t>(index)];
      if (channel.transform < 0) {
        addMorph(channel, window, result);
      } else {
        byNode[channel.node].push_back(&channel);
      }
    }
    int sheared = 0;
    for (auto& [id, channels] : byNode) {
      NodeMotion node(motion_.transforms.at(id), std::move(channels), window);
      const auto found = nodesOfId_.find(id);
      if (found == nodesOfId_.end() || node.hasOther()) {
        warn(scene_.notes, "ChannelDropped",
             fmt::format("clip '{}': '{}' {}", cleanText(clip.name), cleanText(id),
                         node.hasOther() ? "is placed by <lookat> or <skew>; its motion is not read"
                                         : "is moved but is not in the scene"));
        continue;
      }
      keyCount_ += 3.0 * static_cast<double>(node.times().size() * found->second.size());
      if (keyCount_ > kMostKeys) continue;
      SourceNodeTracks tracks = tracksOf(node, motion_.unitMeters);
      sheared += node.shear() > 1e-3 ? 1 : 0;
      for (const int index : found->second) {
        tracks.node = index;
        result.nodeTracks.push_back(tracks);
      }
    }
    if (sheared > 0) {
      warn(scene_.notes, "ShearDropped",
           fmt::format("clip '{}': {} joints are sheared by their keys; the shear was left out",
                       cleanText(clip.name), sheared));
    }
    scene_.clips.push_back(std::move(result));
  }

 private:
  // Ends that the file states lie on a key where they are meant to: exporters round both.
  Window windowOf(const ColladaClip& clip) const {
    constexpr double kSameSeconds = 1e-5;
    Window window{1e300, -1e300, clip.startSeconds.has_value()};
    for (const int index : clip.channels) {
      for (const KeyCurve& curve : motion_.channels[static_cast<std::size_t>(index)].curves) {
        window.from = std::min(window.from, curve.keys.front().seconds);
        window.to = std::max(window.to, curve.keys.back().seconds);
      }
    }
    if (!window.isStated) return window;
    window.from = *clip.startSeconds;
    window.to = std::max(window.from, clip.endSeconds.value_or(window.to));
    double* const ends[] = {&window.from, &window.to};
    for (double* end : ends) {
      const double stated = *end;
      double nearest = kSameSeconds;
      for (const int index : clip.channels) {
        for (const KeyCurve& curve : motion_.channels[static_cast<std::size_t>(index)].curves) {
          for (const KeyCurve::Key& key : curve.keys) {
            if (std::abs(key.seconds - stated) >= nearest) continue;
            nearest = std::abs(key.seconds - stated);
            *end = key.seconds;
          }
        }
      }
    }
    return window;
  }

  void addMorph(const ColladaChannel& channel, const Window& window, SourceClip& result) {
    const KeyCurve& curve = channel.curves.front();
    std::vector<double> times;
    curve.addTimes(window.from, window.to, times);
    const bool beyond = curve.before != Beyond::Constant || curve.after != Beyond::Constant;
    if (window.isStated || beyond || times.empty()) {
      times.insert(times.end(), {window.from, window.to});
    }
    const Track<float> track = motionTrack(
        distinctTimes(std::move(times)),
        [&curve](double seconds, int side) { return curve.at(seconds, side); }, kShareTolerance);
    // The file animates the weights of a controller, which moves all its instances.
    const auto number = static_cast<std::size_t>(channel.firstNumber);
    const auto isAtNode = [&](const SourceMesh& mesh) {
      return mesh.mesh.morphTargets.size() > number && mesh.node >= 0 &&
             scene_.nodes[static_cast<std::size_t>(mesh.node)].name == channel.node;
    };
    std::set<int> driven;
    for (const SourceMesh& mesh : scene_.meshes) {
      if (isAtNode(mesh)) driven.insert(mesh.mesh.morphTargets[number].channel);
    }
    driven.erase(-1);
    for (std::size_t m = 0; m < scene_.meshes.size(); ++m) {
      const SourceMesh& mesh = scene_.meshes[m];
      const bool shares = mesh.mesh.morphTargets.size() > number &&
                          driven.contains(mesh.mesh.morphTargets[number].channel);
      if (!shares && !isAtNode(mesh)) continue;
      result.morphTracks.push_back({static_cast<int>(m), channel.firstNumber, track});
    }
  }

  const ColladaMotion& motion_;
  SourceScene& scene_;
  std::map<std::string, std::vector<int>> nodesOfId_;
  double keyCount_ = 0.0;
};

void noteLostMeshes(const ColladaMotion& motion, SourceScene& scene) {
  for (const std::string& id : motion.meshNodes) {
    const bool there =
        std::any_of(scene.meshes.begin(), scene.meshes.end(), [&](const SourceMesh& mesh) {
          return mesh.node >= 0 && scene.nodes[static_cast<std::size_t>(mesh.node)].name == id;
        });
    if (there) continue;
    warn(scene.notes, "MeshDropped",
         fmt::format(
             "the mesh of '{}' could not be read (it has lines or points only, or its geometry "
             "is not there); export it as glTF",
             cleanText(id)));
  }
}

void nameByIds(const ColladaMotion& motion, SourceScene& scene) {
  const auto rename = [&motion](std::string& name) {
    const auto found = motion.nameOfId.find(name);
    if (found != motion.nameOfId.end()) name = found->second;
  };
  for (SourceNode& node : scene.nodes) rename(node.name);
  for (SourceMesh& mesh : scene.meshes) rename(mesh.mesh.name);
}

}  // namespace

void addColladaClips(const ColladaMotion& motion, SourceScene& scene) {
  scene.notes.insert(scene.notes.end(), motion.notes.begin(), motion.notes.end());
  ClipAdder adder(motion, scene);
  for (const ColladaClip& clip : motion.clips) adder.add(clip);
}

void setColladaSpace(const ColladaMotion& motion, SourceInfo& source) {
  const double u = motion.unitMeters;
  glm::dmat3 axes(1.0);
  if (motion.upAxis == 'Z') {
    axes = glm::dmat3(glm::dvec3(1, 0, 0), glm::dvec3(0, 0, -1), glm::dvec3(0, 1, 0));
  } else if (motion.upAxis == 'X') {
    axes = glm::dmat3(glm::dvec3(0, 1, 0), glm::dvec3(-1, 0, 0), glm::dvec3(0, 0, 1));
  }
  source.unitScale = u;
  source.upAxis = std::string(1, motion.upAxis);
  source.sourceToModel = glm::dmat4(axes * u);
}

void completeCollada(const ColladaMotion& motion, SourceScene& scene) {
  setColladaSpace(motion, scene.source);
  noteLostMeshes(motion, scene);
  addColladaClips(motion, scene);
  nameByIds(motion, scene);
}

}  // namespace ck::worker
