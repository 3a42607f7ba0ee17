#include "core/import/worker/collada/collada_clips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr double kShortestSeconds = 1.0 / 30.0;
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

// The local transform of one node over time.
class NodeMotion {
 public:
  NodeMotion(const std::vector<ColladaTransform>& transforms,
             std::vector<const ColladaChannel*> channels)
      : transforms_(transforms), channels_(std::move(channels)) {}

  Trs at(double seconds) {
    std::vector<ColladaTransform> now = transforms_;
    for (const ColladaChannel* channel : channels_) {
      std::vector<double>& numbers = now[static_cast<std::size_t>(channel->transform)].numbers;
      for (int part = 0; part < channel->curve.width; ++part) {
        numbers[static_cast<std::size_t>(channel->firstNumber) + static_cast<std::size_t>(part)] =
            channel->curve.at(seconds, part);
      }
    }
    glm::dmat4 local(1.0);
    for (const ColladaTransform& transform : now) local = local * matrixOf(transform);
    const Decomposed parts = decompose(local);
    shear_ = std::max(shear_, parts.shear);
    return parts.trs;
  }

  double shear() const { return shear_; }
  bool hasOther() const {
    return std::any_of(transforms_.begin(), transforms_.end(), [](const ColladaTransform& t) {
      return t.kind == ColladaTransform::Kind::Other;
    });
  }
  // Matrix keys are poses: between them the decomposed pose is interpolated, not the matrix
  // elements.
  bool byMatrix() const {
    return std::any_of(channels_.begin(), channels_.end(), [this](const ColladaChannel* c) {
      return transforms_[static_cast<std::size_t>(c->transform)].kind ==
             ColladaTransform::Kind::Matrix;
    });
  }
  bool steps() const {
    return std::all_of(channels_.begin(), channels_.end(),
                       [](const ColladaChannel* c) { return c->curve.isStepped(); });
  }

  std::vector<double> keyTimes(double start, double end) const {
    std::set<double> times;
    for (const ColladaChannel* channel : channels_) {
      const std::vector<double>& keys = channel->curve.times;
      for (const double time : keys) {
        if (time >= start - 1e-6 && time <= end + 1e-6) times.insert(time);
      }
      // A clip that is cut from a longer animation gets keys at its start and end.
      for (const double edge : {start, end}) {
        if (edge > keys.front() && edge < keys.back()) times.insert(edge);
      }
    }
    std::vector<double> result;
    for (const double time : times) {
      if (result.empty() || time > result.back() + 1e-6) result.push_back(time);
    }
    return result;
  }

  // Number of equal segments between two keys so that linear interpolation stays within 0.5 mrad
  // and 5e-5 relative error.
  int pieces(double from, double to) {
    int count = 1;
    while (count < 64 && (to - from) / count > 2.0 * kShortestSeconds && strays(from, to, count)) {
      count *= 2;
    }
    return count;
  }

 private:
  bool strays(double from, double to, int count) {
    for (int piece = 0; piece < count; ++piece) {
      const double a = from + (to - from) * piece / count;
      const double b = from + (to - from) * (piece + 1) / count;
      const Trs first = at(a);
      const Trs last = at(b);
      for (const double unit : {0.31, 0.5, 0.77}) {
        const Trs wanted = at(a + (b - a) * unit);
        const glm::dquat turn = slerpShortest(first.rotation, last.rotation, unit);
        const glm::dvec3 place = glm::mix(first.translation, last.translation, unit);
        const glm::dvec3 size = glm::mix(first.scale, last.scale, unit);
        const double cosine = std::min(1.0, std::abs(glm::dot(turn, wanted.rotation)));
        const double reach = 1e-9 + glm::length(first.translation) + glm::length(last.translation);
        if (2.0 * std::acos(cosine) > 5e-4 ||
            glm::distance(place, wanted.translation) > 5e-5 * reach ||
            glm::distance(size, wanted.scale) > 1e-4 * (1e-9 + glm::length(wanted.scale))) {
          return true;
        }
      }
    }
    return false;
  }

  const std::vector<ColladaTransform>& transforms_;
  std::vector<const ColladaChannel*> channels_;
  double shear_ = 0.0;
};

template <class Value>
bool isConstant(const Track<Value>& track) {
  return std::all_of(track.values.begin(), track.values.end(),
                     [&track](const Value& value) { return value == track.values.front(); });
}

template <class Value>
void keepFirstKey(Track<Value>& track) {
  track.times.resize(1);
  track.values.resize(1);
}

SourceNodeTracks tracksOf(NodeMotion& motion, const ColladaClip& clip) {
  SourceNodeTracks tracks;
  const std::vector<double> keys = motion.keyTimes(clip.startSeconds, clip.endSeconds);
  std::vector<double> times;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    times.push_back(keys[k]);
    if (k + 1 == keys.size() || motion.steps() || motion.byMatrix()) continue;
    const int pieces = motion.pieces(keys[k], keys[k + 1]);
    for (int piece = 1; piece < pieces; ++piece) {
      times.push_back(keys[k] + (keys[k + 1] - keys[k]) * piece / pieces);
    }
  }
  for (const double time : times) {
    const Trs trs = motion.at(time);
    tracks.translation.values.emplace_back(trs.translation);
    tracks.rotation.values.emplace_back(trs.rotation);
    tracks.scale.values.emplace_back(trs.scale);
  }
  tracks.translation.times = tracks.rotation.times = tracks.scale.times = times;
  if (motion.steps()) {
    tracks.translation.interpolation = tracks.rotation.interpolation = tracks.scale.interpolation =
        Interpolation::Step;
  }
  if (times.empty()) return tracks;
  // At least one track must define the clip's length.
  if (isConstant(tracks.scale)) keepFirstKey(tracks.scale);
  if (isConstant(tracks.translation) && !isConstant(tracks.rotation))
    keepFirstKey(tracks.translation);
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
    std::map<std::string, std::vector<const ColladaChannel*>> byNode;
    for (const int index : clip.channels) {
      const ColladaChannel& channel = motion_.channels[static_cast<std::size_t>(index)];
      if (channel.transform < 0) {
        addMorph(channel, clip, result);
      } else {
        byNode[channel.node].push_back(&channel);
      }
    }
    int sheared = 0;
    for (auto& [id, channels] : byNode) {
      NodeMotion node(motion_.transforms.at(id), std::move(channels));
      const auto found = nodesOfId_.find(id);
      if (found == nodesOfId_.end() || node.hasOther()) {
        warn(scene_.notes, "ChannelDropped",
             fmt::format("clip '{}': '{}' {}", cleanText(clip.name), cleanText(id),
                         node.hasOther() ? "is placed by <lookat> or <skew>; its motion is not read"
                                         : "is moved but is not in the scene"));
        continue;
      }
      SourceNodeTracks tracks = tracksOf(node, clip);
      keyCount_ += 3.0 * static_cast<double>(tracks.rotation.times.size() * found->second.size());
      if (keyCount_ > kMostKeys) continue;
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
  void addMorph(const ColladaChannel& channel, const ColladaClip& clip, SourceClip& result) {
    const ColladaCurve& curve = channel.curve;
    Track<float> track;
    for (std::size_t k = 0; k < curve.times.size(); ++k) {
      const double from = curve.times[k];
      if (from < clip.startSeconds - 1e-6 || from > clip.endSeconds + 1e-6) continue;
      const bool curved = k + 1 < curve.times.size() &&
                          curve.kinds[k] != ColladaCurve::Kind::Linear &&
                          curve.kinds[k] != ColladaCurve::Kind::Step;
      const double length = curved ? curve.times[k + 1] - from : 0.0;
      const int pieces = curved ? std::clamp(static_cast<int>(length * 30.0), 1, 16) : 1;
      for (int piece = 0; piece < pieces; ++piece) {
        const double time = from + length * piece / pieces;
        track.times.push_back(time);
        track.values.push_back(static_cast<float>(curve.at(time, 0)));
      }
    }
    if (track.empty()) return;
    if (curve.isStepped()) track.interpolation = Interpolation::Step;
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
         fmt::format("the mesh of '{}' could not be read (lines, points, or a morphed mesh without "
                     "a skin); export it as glTF",
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
