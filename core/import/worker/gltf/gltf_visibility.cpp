#include "core/import/worker/gltf/gltf_visibility.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/import/worker/gltf/gltf_vrm.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

bool statedVisibility(const tinygltf::Node& node) {
  const auto found = node.extensions.find("KHR_node_visibility");
  if (found == node.extensions.end() || !found->second.IsObject()) return true;
  const tinygltf::Value& source = found->second;
  return !source.Has("visible") || !source.Get("visible").IsBool() ||
         source.Get("visible").Get<bool>();
}

class Visibility {
 public:
  Visibility(const tinygltf::Model& model, std::span<const VisibilityKeys> keys,
             const SourceScene& scene)
      : scene_(scene) {
    for (const tinygltf::Node& node : model.nodes) atRest_.push_back(statedVisibility(node));
    for (const VisibilityKeys& entry : keys) {
      if (!entry.times.empty()) keys_[entry.node].try_emplace(entry.clip, &entry);
    }
  }

  bool isPlain() const {
    return keys_.empty() && std::find(atRest_.begin(), atRest_.end(), false) == atRest_.end();
  }

  bool isShownAtRest(int node) const {
    const std::vector<int> line = lineOf(node);
    return std::all_of(line.begin(), line.end(),
                       [this](int n) { return atRest_[static_cast<std::size_t>(n)]; });
  }
  bool isAnimated(int node) const {
    const std::vector<int> line = lineOf(node);
    return std::any_of(line.begin(), line.end(), [this](int n) { return keys_.contains(n); });
  }

  // The steps by which a clip shows the node; empty if it is shown throughout.
  Track<glm::vec3> scale(int node, std::size_t clip) const {
    const std::vector<int> line = lineOf(node);
    std::vector<double> times;
    for (const int n : line) {
      if (const VisibilityKeys* keys = keysOf(n, clip)) {
        times.insert(times.end(), keys->times.begin(), keys->times.end());
      }
    }
    if (times.empty()) times.push_back(firstTime(clip));
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    Track<glm::vec3> track;
    track.interpolation = Interpolation::Step;
    bool always = true;
    for (const double time : times) {
      const bool shown =
          std::all_of(line.begin(), line.end(), [&](int n) { return isShown(n, clip, time); });
      always = always && shown;
      track.times.push_back(time);
      track.values.emplace_back(shown ? 1.0f : 0.0f);
    }
    return always ? Track<glm::vec3>() : track;
  }

 private:
  // The node and all above it. Hierarchies may still be circular.
  std::vector<int> lineOf(int node) const {
    std::vector<int> line;
    while (node >= 0 && static_cast<std::size_t>(node) < atRest_.size() &&
           line.size() < atRest_.size()) {
      line.push_back(node);
      node = scene_.nodes[static_cast<std::size_t>(node)].parent;
    }
    return line;
  }

  const VisibilityKeys* keysOf(int node, std::size_t clip) const {
    const auto found = keys_.find(node);
    if (found == keys_.end()) return nullptr;
    const auto entry = found->second.find(clip);
    return entry == found->second.end() ? nullptr : entry->second;
  }

  bool isShown(int node, std::size_t clip, double time) const {
    const VisibilityKeys* keys = keysOf(node, clip);
    if (keys == nullptr) return atRest_[static_cast<std::size_t>(node)];
    const auto behind = std::upper_bound(keys->times.begin(), keys->times.end(), time);
    const auto place = behind == keys->times.begin() ? 0 : behind - keys->times.begin() - 1;
    return keys->visible[static_cast<std::size_t>(place)];
  }

  // A key that says one thing throughout must not make the clip longer.
  double firstTime(std::size_t clip) const {
    std::optional<double> first;
    const auto see = [&first](const auto& track) {
      if (!track.empty()) first = std::min(first.value_or(track.times[0]), track.times[0]);
    };
    for (const SourceNodeTracks& tracks : scene_.clips[clip].nodeTracks) {
      see(tracks.translation);
      see(tracks.rotation);
      see(tracks.scale);
    }
    for (const MorphTrack& track : scene_.clips[clip].morphTracks) see(track.weight);
    return first.value_or(0.0);
  }

  const SourceScene& scene_;
  std::vector<bool> atRest_;
  std::map<int, std::map<std::size_t, const VisibilityKeys*>> keys_;  // by node, then by clip
};

// Erases meshes, and the tracks of their morph targets.
void leaveOut(const std::vector<bool>& hidden, SourceScene& scene) {
  std::vector<int> placeOf(scene.meshes.size(), -1);
  std::vector<SourceMesh> kept;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    if (hidden[m]) continue;
    placeOf[m] = static_cast<int>(kept.size());
    kept.push_back(std::move(scene.meshes[m]));
  }
  scene.meshes = std::move(kept);
  for (SourceClip& clip : scene.clips) {
    for (MorphTrack& track : clip.morphTracks) {
      track.mesh = placeOf[static_cast<std::size_t>(track.mesh)];
    }
    std::erase_if(clip.morphTracks, [](const MorphTrack& track) { return track.mesh < 0; });
  }
}

}  // namespace

void applyVisibility(const tinygltf::Model& model, std::span<const VisibilityKeys> keys,
                     SourceScene& scene) {
  const Visibility visibility(model, keys, scene);
  const std::vector<bool> isFirstPerson = firstPersonNodes(model);
  if (visibility.isPlain() && std::ranges::count(isFirstPerson, true) == 0) return;
  std::vector<bool> hidden(scene.meshes.size(), false);
  std::string ownView;
  std::map<int, int> switchOf;  // node -> the node that shows and hides its meshes
  std::string left;
  std::set<int> leftNodes;
  std::string fixed;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    SourceMesh& mesh = scene.meshes[m];
    const int node = mesh.node;
    if (isFirstPerson[static_cast<std::size_t>(node)]) {
      hidden[m] = true;
      if (ownView.empty()) ownView = cleanText(mesh.mesh.name);
      continue;
    }
    if (!visibility.isAnimated(node)) {
      if (visibility.isShownAtRest(node)) continue;
      hidden[m] = true;
      leftNodes.insert(node);
      if (left.empty()) left = cleanText(mesh.mesh.name);
      continue;
    }
    if (mesh.skin >= 0) {
      if (fixed.empty()) fixed = cleanText(mesh.mesh.name);
      continue;
    }
    const auto [place, isNew] = switchOf.try_emplace(node, static_cast<int>(scene.nodes.size()));
    if (isNew) {
      SourceNode added;
      added.name = scene.nodes[static_cast<std::size_t>(node)].name + " visibility";
      added.parent = node;
      added.inScene = scene.nodes[static_cast<std::size_t>(node)].inScene;
      for (std::size_t c = 0; c < scene.clips.size(); ++c) {
        SourceNodeTracks tracks;
        tracks.node = place->second;
        tracks.scale = visibility.scale(node, c);
        if (!tracks.scale.empty()) scene.clips[c].nodeTracks.push_back(std::move(tracks));
      }
      scene.nodes.push_back(std::move(added));
    }
    mesh.node = place->second;
  }
  if (!leftNodes.empty()) {
    inform(scene.notes, "MeshHidden",
           fmt::format("{} hidden meshes were left out, '{}' first; show them in the file to have "
                       "them",
                       leftNodes.size(), left));
  }
  if (!ownView.empty()) {
    inform(scene.notes, "MeshHidden",
           fmt::format("meshes of a VRM that only the figure itself would see were left out, '{}' "
                       "first",
                       ownView));
  }
  leaveOut(hidden, scene);
  if (!fixed.empty()) {
    warn(scene.notes, "VisibilityFixed",
         fmt::format("clips show and hide the skinned mesh '{}'; it is always shown, because only "
                     "meshes without a skin can be hidden",
                     fixed));
  }
}

}  // namespace ck::worker
