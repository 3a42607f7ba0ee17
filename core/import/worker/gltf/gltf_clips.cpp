#include "core/import/worker/gltf/gltf_clips.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <cmath>
#include <map>
#include <optional>

#include "core/import/worker/gltf/gltf_numbers.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostKeys = 50'000'000;

constexpr std::size_t kMostEvents = 1000;  // per clip
constexpr double kLatestSeconds = 24.0 * 3600.0;

std::optional<double> secondsOf(const tinygltf::Value& value) {
  if (!value.IsNumber()) return std::nullopt;
  const double seconds = value.GetNumberAsDouble();
  return std::abs(seconds) <= kLatestSeconds ? std::optional(seconds) : std::nullopt;
}

// Collects valid events and counts invalid ones.
class EventList {
 public:
  void add(std::string_view name, std::optional<double> seconds) {
    if (!seconds || events_.size() >= kMostEvents) {
      ++dropped_;
      return;
    }
    events_.push_back({cleanText(name), *seconds});
  }

  // {"name": "step", "seconds": 0.25}, or "time" instead of "seconds".
  void addObject(const tinygltf::Value& entry) {
    if (!entry.IsObject() || !entry.Has("name") || !entry.Get("name").IsString()) {
      ++dropped_;
      return;
    }
    const char* key = entry.Has("seconds") ? "seconds" : "time";
    const auto seconds = entry.Has(key) ? secondsOf(entry.Get(key)) : std::nullopt;
    add(entry.Get("name").Get<std::string>(), seconds);
  }

  // "step": 0.25, or "step": [0.25, 0.75].
  void addNamed(const std::string& name, const tinygltf::Value& times) {
    if (!times.IsArray()) return add(name, secondsOf(times));
    for (std::size_t i = 0; i < times.ArrayLen(); ++i) {
      add(name, secondsOf(times.Get(static_cast<int>(i))));
    }
  }

  std::size_t dropped() const { return dropped_; }
  std::vector<ClipEvent> taken() && { return std::move(events_); }

 private:
  std::vector<ClipEvent> events_;
  std::size_t dropped_ = 0;
};

// The events in an animation's extras, under "events" or "markers": a list of {"name", "seconds"}
// (or "time"), or an object of names with a time or a list of times, as Blender exports custom
// properties. The glTF standard has no events.
std::vector<ClipEvent> gltfEvents(const tinygltf::Animation& source, const std::string& shownName,
                                  Notes& notes) {
  if (!source.extras.IsObject()) return {};
  EventList list;
  for (const char* key : {"events", "markers"}) {
    if (!source.extras.Has(key)) continue;
    const tinygltf::Value& value = source.extras.Get(key);
    if (value.IsArray()) {
      for (std::size_t i = 0; i < value.ArrayLen(); ++i) {
        list.addObject(value.Get(static_cast<int>(i)));
      }
    } else if (value.IsObject()) {
      for (const std::string& name : value.Keys()) list.addNamed(name, value.Get(name));
    }
  }
  if (list.dropped() > 0) {
    warn(notes, "EventDropped",
         fmt::format("clip '{}': {} events have no name, no time in seconds, or are more than {}",
                     shownName, list.dropped(), kMostEvents));
  }
  return std::move(list).taken();
}

struct Keys {
  Interpolation interpolation = Interpolation::Linear;
  std::vector<double> times;
  NumberRows values;
};

class ClipReader {
 public:
  ClipReader(const tinygltf::Model& model, const tinygltf::Animation& source, std::string shownName,
             SourceScene& scene)
      : model_(model), source_(source), shownName_(std::move(shownName)), scene_(scene) {}

  SourceClip read() {
    clip_.name = source_.name;
    const char* speed = "groundSpeedMetersPerSecond";
    if (source_.extras.IsObject() && source_.extras.Has(speed) &&
        source_.extras.Get(speed).IsNumber()) {
      const double value = source_.extras.Get(speed).GetNumberAsDouble();
      if (std::abs(value) < 1e3) clip_.groundSpeedMetersPerSecond = value;
    }
    clip_.events = gltfEvents(source_, shownName_, scene_.notes);
    for (std::size_t c = 0; c < source_.channels.size(); ++c) {
      if (auto ok = addChannel(source_.channels[c]); !ok) {
        warn(scene_.notes, "ChannelDropped",
             fmt::format("clip '{}': channel {} was left out: {}", shownName_, c,
                         ok.error().message));
      }
    }
    return std::move(clip_);
  }

 private:
  Result<void> addChannel(const tinygltf::AnimationChannel& channel) {
    // A channel without a target is valid and ignored (glTF 2.0, 3.11).
    if (channel.target_node < 0) return {};
    if (static_cast<std::size_t>(channel.target_node) >= scene_.nodes.size()) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("it moves node {} of {}", channel.target_node, scene_.nodes.size()));
    }
    if (channel.target_path == "weights") return addWeights(channel);
    if (channel.target_path == "translation")
      return addTrack(channel, &SourceNodeTracks::translation);
    if (channel.target_path == "scale") return addTrack(channel, &SourceNodeTracks::scale);
    if (channel.target_path == "rotation") return addTrack(channel, &SourceNodeTracks::rotation);
    return fail(ErrorCode::Unsupported,
                fmt::format("'{}' cannot be animated", cleanText(channel.target_path, 40)));
  }

  Result<Keys> keys(const tinygltf::AnimationChannel& channel, std::size_t components,
                    std::size_t valuesPerKey) const {
    if (channel.sampler < 0 ||
        static_cast<std::size_t>(channel.sampler) >= source_.samplers.size()) {
      return fail(ErrorCode::InvalidInput, "its sampler is not there");
    }
    const auto& sampler = source_.samplers[static_cast<std::size_t>(channel.sampler)];
    Keys result;
    if (sampler.interpolation == "STEP") result.interpolation = Interpolation::Step;
    if (sampler.interpolation == "CUBICSPLINE") result.interpolation = Interpolation::Cubic;
    const auto times = readFloats(model_, sampler.input, 1, kMostKeys);
    if (!times) return tl::unexpected(times.error());
    if (times->rows == 0) return fail(ErrorCode::InvalidInput, "it has no keys");
    result.times.assign(times->values.begin(), times->values.end());
    const std::size_t perKey =
        valuesPerKey * (result.interpolation == Interpolation::Cubic ? 3 : 1);
    const std::size_t needed = times->rows * perKey;
    if (accessorRows(model_, sampler.output) != needed) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("it has {} values for {} keys, which need {}",
                              accessorRows(model_, sampler.output), times->rows, needed));
    }
    auto values = readFloats(model_, sampler.output, components, kMostKeys);
    if (!values) return tl::unexpected(values.error());
    result.values = std::move(*values);
    return result;
  }

  SourceNodeTracks& tracksOf(int node) {
    const auto [place, isNew] = placeOfNode_.try_emplace(node, clip_.nodeTracks.size());
    if (isNew) {
      clip_.nodeTracks.emplace_back();
      clip_.nodeTracks.back().node = node;
    }
    return clip_.nodeTracks[place->second];
  }

  template <class Value>
  Result<void> addTrack(const tinygltf::AnimationChannel& channel,
                        Track<Value> SourceNodeTracks::*part) {
    const auto components = static_cast<std::size_t>(Value::length());
    auto read = keys(channel, components, 1);
    if (!read) return tl::unexpected(read.error());
    Track<Value>& track = tracksOf(channel.target_node).*part;
    if (!track.empty()) {
      return fail(ErrorCode::InvalidInput, "an earlier channel moves the same thing");
    }
    track.interpolation = read->interpolation;
    track.times = std::move(read->times);
    for (std::size_t v = 0; v < read->values.rows; ++v) {
      const float* at = read->values.row(v);
      if constexpr (std::is_same_v<Value, glm::quat>) {
        track.values.emplace_back(at[3], at[0], at[1], at[2]);
      } else {
        track.values.emplace_back(at[0], at[1], at[2]);
      }
    }
    return {};
  }

  Result<void> addWeights(const tinygltf::AnimationChannel& channel) {
    bool any = false;
    for (std::size_t m = 0; m < scene_.meshes.size(); ++m) {
      const SourceMesh& mesh = scene_.meshes[m];
      const std::size_t targets = mesh.mesh.morphTargets.size();
      if (mesh.node != channel.target_node || targets == 0) continue;
      auto read = keys(channel, 1, targets);
      if (!read) return tl::unexpected(read.error());
      for (std::size_t t = 0; t < targets; ++t) addWeightTrack(*read, m, t, targets);
      any = true;
    }
    if (any) return {};
    return fail(ErrorCode::InvalidInput, "it moves morph targets of a node that has none");
  }

  // A key holds the weights of all targets. A cubic key has all in-tangents, then all values, then
  // all out-tangents.
  void addWeightTrack(const Keys& keys, std::size_t mesh, std::size_t target, std::size_t targets) {
    MorphTrack track;
    track.mesh = static_cast<int>(mesh);
    track.target = static_cast<int>(target);
    track.weight.interpolation = keys.interpolation;
    track.weight.times = keys.times;
    const std::size_t groups = keys.values.rows / targets;
    for (std::size_t group = 0; group < groups; ++group) {
      track.weight.values.push_back(keys.values.values[group * targets + target]);
    }
    clip_.morphTracks.push_back(std::move(track));
  }

  const tinygltf::Model& model_;
  const tinygltf::Animation& source_;
  std::string shownName_;
  SourceScene& scene_;
  SourceClip clip_;
  std::map<int, std::size_t> placeOfNode_;
};

}  // namespace

void addGltfClips(const tinygltf::Model& model, SourceScene& scene) {
  for (std::size_t c = 0; c < model.animations.size(); ++c) {
    const tinygltf::Animation& source = model.animations[c];
    std::string shown =
        source.name.empty() ? fmt::format("Clip {}", c + 1) : cleanText(source.name);
    scene.clips.push_back(ClipReader(model, source, std::move(shown), scene).read());
  }
}

}  // namespace ck::worker
