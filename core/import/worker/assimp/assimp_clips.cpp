#include "core/import/worker/assimp/assimp_clips.h"

#include <assimp/anim.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr unsigned kMostKeys = 50'000'000;

// Ticks per second; 0 where the file does not give a rate that time can be told with.
double tickRate(const aiAnimation& source, RigKind kind) {
  const double rate = source.mTicksPerSecond;
  if (std::isfinite(rate) && rate != 0.0) return rate;
  return kind == RigKind::X ? 4800.0 : 0.0;  // what DirectX takes where the file is silent
}

glm::vec3 convert(const aiVector3D& v) {
  return {v.x, v.y, v.z};
}
glm::quat convert(const aiQuaternion& q) {
  return {q.w, q.x, q.y, q.z};
}

template <class Key>
auto trackOf(const Key* keys, unsigned count, double rate) {
  Track<decltype(convert(keys->mValue))> track;
  for (unsigned k = 0; k < count; ++k) {
    track.times.push_back(keys[k].mTime / rate);
    track.values.push_back(convert(keys[k].mValue));
  }
  return track;
}

// Assimp adds one key with the rest value for properties without keys. Such keys would extend the
// clip's window, so they are dropped.
void dropFillers(SourceNodeTracks& tracks, const Trs& rest) {
  const auto single = [](const auto& track) { return track.times.size() == 1; };
  const bool moves = tracks.translation.times.size() > 1 || tracks.rotation.times.size() > 1 ||
                     tracks.scale.times.size() > 1;
  if (!moves) return;
  const auto same = [](const glm::vec3& key, const glm::dvec3& value) {
    return glm::distance(glm::dvec3(key), value) <= 1e-5 * (1e-6 + glm::length(value));
  };
  if (single(tracks.translation) && same(tracks.translation.values[0], rest.translation)) {
    tracks.translation = {};
  }
  if (single(tracks.scale) && same(tracks.scale.values[0], rest.scale)) tracks.scale = {};
  if (single(tracks.rotation)) {
    const double dot = glm::dot(glm::dquat(tracks.rotation.values[0]), rest.rotation);
    if (std::abs(dot) > 1.0 - 1e-9) tracks.rotation = {};
  }
}

void addNodeTracks(const aiAnimation& source, double rate, const AssimpNodes& nodes,
                   SourceScene& scene, SourceClip& clip) {
  std::set<int> taken;
  for (unsigned c = 0; c < source.mNumChannels; ++c) {
    const aiNodeAnim& channel = *source.mChannels[c];
    const int node = nodes.find(channel.mNodeName.C_Str());
    if (node < 0 || !taken.insert(node).second) {
      warn(scene.notes, "ChannelDropped",
           fmt::format("clip '{}': '{}' {}", cleanText(clip.name),
                       cleanText(channel.mNodeName.C_Str()),
                       node < 0 ? "is moved but is not in the hierarchy"
                                : "is moved twice; the first motion was used"));
      continue;
    }
    if (std::max({channel.mNumPositionKeys, channel.mNumRotationKeys, channel.mNumScalingKeys}) >
        kMostKeys) {
      continue;
    }
    SourceNodeTracks tracks;
    tracks.node = node;
    tracks.translation = trackOf(channel.mPositionKeys, channel.mNumPositionKeys, rate);
    tracks.rotation = trackOf(channel.mRotationKeys, channel.mNumRotationKeys, rate);
    tracks.scale = trackOf(channel.mScalingKeys, channel.mNumScalingKeys, rate);
    dropFillers(tracks, decompose(scene.nodes[static_cast<std::size_t>(node)].restMatrix).trs);
    clip.nodeTracks.push_back(std::move(tracks));
  }
}

// The meshes that a morph channel moves, named by node or mesh.
std::vector<std::size_t> meshesOf(std::string name, const AssimpNodes& nodes,
                                  const SourceScene& scene) {
  if (const std::size_t star = name.rfind('*'); star != std::string::npos) name.resize(star);
  const auto found = nodes.byName.find(name);
  std::vector<std::size_t> meshes;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SourceMesh& mesh = scene.meshes[m];
    if (mesh.mesh.morphTargets.empty()) continue;
    const bool atNode =
        found != nodes.byName.end() &&
        std::find(found->second.begin(), found->second.end(), mesh.node) != found->second.end();
    if (atNode || mesh.mesh.name == name) meshes.push_back(m);
  }
  return meshes;
}

// A key lists only the targets with a key at its time, so every target gets its own curve.
void addMorphTracks(const aiAnimation& source, double rate, const AssimpNodes& nodes,
                    const SourceScene& scene, SourceClip& clip) {
  for (unsigned c = 0; c < source.mNumMorphMeshChannels; ++c) {
    const aiMeshMorphAnim& channel = *source.mMorphMeshChannels[c];
    for (const std::size_t m : meshesOf(channel.mName.C_Str(), nodes, scene)) {
      std::vector<Track<float>> tracks(scene.meshes[m].mesh.morphTargets.size());
      for (unsigned k = 0; k < channel.mNumKeys; ++k) {
        const aiMeshMorphKey& key = channel.mKeys[k];
        for (unsigned v = 0; v < key.mNumValuesAndWeights; ++v) {
          if (key.mValues[v] >= tracks.size()) continue;
          tracks[key.mValues[v]].times.push_back(key.mTime / rate);
          tracks[key.mValues[v]].values.push_back(static_cast<float>(key.mWeights[v]));
        }
      }
      for (std::size_t t = 0; t < tracks.size(); ++t) {
        if (tracks[t].empty()) continue;
        clip.morphTracks.push_back(
            {static_cast<int>(m), static_cast<int>(t), std::move(tracks[t])});
      }
    }
  }
}

}  // namespace

void addAssimpClips(const aiScene& source, RigKind kind, const AssimpNodes& nodes,
                    SourceScene& scene) {
  for (unsigned a = 0; a < source.mNumAnimations; ++a) {
    const aiAnimation& animation = *source.mAnimations[a];
    SourceClip clip;
    clip.name = animation.mName.C_Str();
    const double rate = tickRate(animation, kind);
    if (rate == 0.0) {
      warn(scene.notes, "ClipRefused",
           fmt::format("clip '{}' has no frame rate, so its key times mean nothing; set a frame "
                       "rate and export it again",
                       cleanText(clip.name)));
      continue;
    }
    addNodeTracks(animation, rate, nodes, scene, clip);
    addMorphTracks(animation, rate, nodes, scene, clip);
    scene.clips.push_back(std::move(clip));
  }
}

}  // namespace ck::worker
