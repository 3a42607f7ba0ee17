#include "core/import/worker/gltf/gltf_clips.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>

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

// "/nodes/3/rotation": the list, the index in it, and the rest without the slash.
struct Pointer {
  std::string_view list;
  int index = -1;
  std::string_view rest;
};

std::optional<int> wholeNumber(std::string_view text) {
  int value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  return whole && value >= 0 ? std::optional(value) : std::nullopt;
}

std::optional<Pointer> pointerOf(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  text.remove_prefix(1);
  const auto part = [&text] {
    const std::string_view first = text.substr(0, text.find('/'));
    text.remove_prefix(std::min(first.size() + 1, text.size()));
    return first;
  };
  const std::string_view list = part();
  const auto index = wholeNumber(part());
  if (!index) return std::nullopt;
  return Pointer{list, *index, text};
}

// The pointer of a channel; empty if it names none.
std::string pointerText(const tinygltf::AnimationChannel& channel) {
  const auto found = channel.target_extensions.find("KHR_animation_pointer");
  if (found == channel.target_extensions.end() || !found->second.IsObject() ||
      !found->second.Has("pointer") || !found->second.Get("pointer").IsString()) {
    return {};
  }
  return found->second.Get("pointer").Get<std::string>();
}

// The parts of a file's clips beside tracks.
struct Findings {
  std::vector<VisibilityKeys> visibility;
  std::set<std::string> unread;  // pointers to what is not animated here
};

class ClipReader {
 public:
  ClipReader(const tinygltf::Model& model, const tinygltf::Animation& source, std::string shownName,
             SourceScene& scene, Findings& findings)
      : model_(model),
        source_(source),
        shownName_(std::move(shownName)),
        scene_(scene),
        findings_(findings) {}

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
  // KHR_animation_pointer: the channel names what it animates by a path in the document.
  Result<void> addPointer(const tinygltf::AnimationChannel& channel) {
    const std::string text = pointerText(channel);
    const auto pointer = pointerOf(text);
    const auto aimed = [&channel](int node, std::string_view path) {
      tinygltf::AnimationChannel result = channel;
      result.target_node = node;
      result.target_path = path;
      return result;
    };
    constexpr std::string_view kWeight = "weights/";
    if (pointer && pointer->list == "nodes") {
      for (const char* path : {"translation", "rotation", "scale", "weights"}) {
        if (pointer->rest == path) return addChannel(aimed(pointer->index, path));
      }
      if (pointer->rest == "extensions/KHR_node_visibility/visible") {
        return addVisibility(aimed(pointer->index, "visible"));
      }
      const auto target = pointer->rest.starts_with(kWeight)
                              ? wholeNumber(pointer->rest.substr(kWeight.size()))
                              : std::nullopt;
      if (target) return addOneWeight(aimed(pointer->index, "weights"), *target);
    }
    if (pointer && pointer->list == "meshes" && pointer->rest == "weights") {
      // They are the weights of all nodes that have none of their own.
      for (std::size_t n = 0; n < model_.nodes.size() && n < scene_.nodes.size(); ++n) {
        const tinygltf::Node& node = model_.nodes[n];
        if (node.mesh != pointer->index || !node.weights.empty() || !scene_.nodes[n].inScene) {
          continue;
        }
        if (auto ok = addChannel(aimed(static_cast<int>(n), "weights")); !ok) return ok;
      }
      return {};
    }
    findings_.unread.insert(cleanText(text.empty() ? "(none)" : text, 80));
    return {};
  }

  Result<void> addVisibility(const tinygltf::AnimationChannel& channel) {
    if (static_cast<std::size_t>(channel.target_node) >= scene_.nodes.size()) {
      return fail(ErrorCode::InvalidInput, "it shows a node that is not there");
    }
    const auto read = keys(channel, 1, 1);
    if (!read) return tl::unexpected(read.error());
    VisibilityKeys result;
    result.clip = scene_.clips.size();
    result.node = channel.target_node;
    if (read->interpolation == Interpolation::Cubic) {
      return fail(ErrorCode::InvalidInput, "it shows a node along a curve");
    }
    for (std::size_t k = 0; k < read->times.size(); ++k) {
      const double time = read->times[k];
      if (!(std::abs(time) < 1e9) || (!result.times.empty() && time <= result.times.back()))
        continue;
      result.times.push_back(time);
      result.visible.push_back(read->values.values[k] != 0.0f);
    }
    findings_.visibility.push_back(std::move(result));
    return {};
  }

  Result<void> addChannel(const tinygltf::AnimationChannel& channel) {
    if (channel.target_path == "pointer") return addPointer(channel);
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

  // The weights of a key: those of the mesh's targets, of which a primitive may have fewer.
  std::size_t weightsPerKey(int node) const {
    const int mesh = model_.nodes[static_cast<std::size_t>(node)].mesh;
    std::size_t most = 0;
    for (const auto& primitive : model_.meshes[static_cast<std::size_t>(mesh)].primitives) {
      most = std::max(most, primitive.targets.size());
    }
    return most;
  }

  Result<void> addWeights(const tinygltf::AnimationChannel& channel) {
    bool any = false;
    for (std::size_t m = 0; m < scene_.meshes.size(); ++m) {
      const SourceMesh& mesh = scene_.meshes[m];
      const std::size_t targets = mesh.mesh.morphTargets.size();
      if (mesh.node != channel.target_node || targets == 0) continue;
      const std::size_t perKey = weightsPerKey(mesh.node);
      auto read = keys(channel, 1, perKey);
      if (!read) return tl::unexpected(read.error());
      for (std::size_t t = 0; t < targets; ++t) addWeightTrack(*read, m, t, perKey);
      any = true;
    }
    if (any) return {};
    return fail(ErrorCode::InvalidInput, "it moves morph targets of a node that has none");
  }

  Result<void> addOneWeight(const tinygltf::AnimationChannel& channel, int target) {
    bool any = false;
    for (std::size_t m = 0; m < scene_.meshes.size(); ++m) {
      const SourceMesh& mesh = scene_.meshes[m];
      if (mesh.node != channel.target_node ||
          static_cast<std::size_t>(target) >= mesh.mesh.morphTargets.size()) {
        continue;
      }
      const auto read = keys(channel, 1, 1);
      if (!read) return tl::unexpected(read.error());
      MorphTrack track;
      track.mesh = static_cast<int>(m);
      track.target = target;
      track.weight.interpolation = read->interpolation;
      track.weight.times = read->times;
      track.weight.values = read->values.values;
      clip_.morphTracks.push_back(std::move(track));
      any = true;
    }
    if (any) return {};
    return fail(ErrorCode::InvalidInput, "it moves a morph target that is not there");
  }

  // A key holds the weights of all targets. A cubic key has all in-tangents, then all values, then
  // all out-tangents.
  void addWeightTrack(const Keys& keys, std::size_t mesh, std::size_t target, std::size_t perKey) {
    MorphTrack track;
    track.mesh = static_cast<int>(mesh);
    track.target = static_cast<int>(target);
    track.weight.interpolation = keys.interpolation;
    track.weight.times = keys.times;
    const std::size_t groups = keys.values.rows / perKey;
    for (std::size_t group = 0; group < groups; ++group) {
      track.weight.values.push_back(keys.values.values[group * perKey + target]);
    }
    clip_.morphTracks.push_back(std::move(track));
  }

  const tinygltf::Model& model_;
  const tinygltf::Animation& source_;
  std::string shownName_;
  SourceScene& scene_;
  Findings& findings_;
  SourceClip clip_;
  std::map<int, std::size_t> placeOfNode_;
};

}  // namespace

std::vector<VisibilityKeys> addGltfClips(const tinygltf::Model& model, SourceScene& scene) {
  Findings findings;
  for (std::size_t c = 0; c < model.animations.size(); ++c) {
    const tinygltf::Animation& source = model.animations[c];
    std::string shown =
        source.name.empty() ? fmt::format("Clip {}", c + 1) : cleanText(source.name);
    scene.clips.push_back(ClipReader(model, source, std::move(shown), scene, findings).read());
  }
  if (!findings.unread.empty()) {
    std::vector<std::string> names(findings.unread.begin(), findings.unread.end());
    const std::size_t more = names.size() > 3 ? names.size() - 3 : 0;
    names.resize(names.size() - more);
    warn(scene.notes, "PointerIgnored",
         fmt::format("clips animate {}{}, which stays as it is: movement, morph weights and "
                     "visibility of nodes are read",
                     fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : std::string()));
  }
  return std::move(findings.visibility);
}

}  // namespace ck::worker
