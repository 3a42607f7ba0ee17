#include "core/scene/character.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <unordered_set>

namespace ck {
namespace {

template <class... Values>
tl::unexpected<Error> bad(fmt::format_string<Values...> what, Values&&... values) {
  return fail(ErrorCode::InvalidInput, fmt::format(what, std::forward<Values>(values)...));
}

template <class Value>
bool finite(const Value& value) {
  if constexpr (std::is_floating_point_v<Value>) {
    return std::isfinite(value);
  } else {  // a vector, quaternion or matrix
    for (int i = 0; i < Value::length(); ++i) {
      if (!finite(value[i])) return false;
    }
    return true;
  }
}

template <class... Lists>
bool allFinite(const Lists&... lists) {
  const auto isFinite = [](const auto& value) { return finite(value); };
  return (std::ranges::all_of(lists, isFinite) && ...);
}

template <class Value>
bool isIndex(int index, const std::vector<Value>& values) {
  return index >= 0 && static_cast<std::size_t>(index) < values.size();
}

// Whether a stream that may be left out has `count` entries.
template <class Values>
bool fits(const Values& values, std::size_t count) {
  return values.empty() || values.size() == count;
}

Result<void> validateRig(const Rig& rig) {
  std::unordered_set<std::string_view> names;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const Joint& joint = rig.joints[j];
    if (joint.parent < -1 || joint.parent >= static_cast<int>(j)) {
      return bad("joint {} does not come after its parent", j);
    }
    if (!names.insert(joint.name).second) {
      return bad("two joints are called '{}'", joint.name);
    }
    if (!finite(joint.preTransform) || !finite(joint.rest.translation) ||
        !finite(joint.rest.rotation) || !finite(joint.rest.scale)) {
      return bad("joint '{}' has numbers that are not finite", joint.name);
    }
    if (std::abs(glm::length(joint.rest.rotation) - 1.0) > 1e-4) {
      return bad("joint '{}' has a rotation that is not a unit one", joint.name);
    }
  }
  for (const SkinJoint& skinJoint : rig.skinJoints) {
    if (!isIndex(skinJoint.joint, rig.joints)) {
      return bad("a skin names a joint that is not there");
    }
    if (!finite(skinJoint.inverseBind)) {
      return bad("the bind matrix of joint '{}' is not finite", rig.joints[skinJoint.joint].name);
    }
  }
  const std::vector<int> parents = skinJointParents(rig);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] >= static_cast<int>(i)) return bad("skin joints are not parents-first");
  }
  return {};
}

Result<void> validateTarget(const MorphTarget& target, std::size_t vertexCount) {
  const std::size_t count = target.vertices.size();
  if (target.positionDeltas.size() != count || !fits(target.normalDeltas, count) ||
      !fits(target.tangentDeltas, count)) {
    return bad("morph target '{}' has deltas of unequal number", target.name);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (target.vertices[i] >= vertexCount ||
        (i > 0 && target.vertices[i] <= target.vertices[i - 1])) {
      return bad("morph target '{}' names vertices out of order or range", target.name);
    }
  }
  if (!allFinite(target.positionDeltas, target.normalDeltas, target.tangentDeltas)) {
    return bad("morph target '{}' has numbers that are not finite", target.name);
  }
  return {};
}

Result<void> validateInfluences(const Mesh& mesh, const Rig& rig) {
  const std::size_t vertexCount = mesh.positions.size();
  if (mesh.influenceStarts.size() != vertexCount + 1 || mesh.influenceStarts.front() != 0 ||
      mesh.influenceStarts.back() != mesh.influences.size()) {
    return bad("mesh '{}' has influences that do not fit its vertices", mesh.name);
  }
  for (std::size_t v = 0; v < vertexCount; ++v) {
    // A start beyond the end must be refused before it is used as an index.
    if (mesh.influenceStarts[v + 1] > mesh.influences.size()) {
      return bad("mesh '{}' has influences that do not fit its vertices", mesh.name);
    }
    if (mesh.influenceStarts[v + 1] <= mesh.influenceStarts[v]) {
      return bad("vertex {} of mesh '{}' has no influence", v, mesh.name);
    }
    double sum = 0.0;
    for (const Influence& influence : influencesOf(mesh, v)) {
      if (!isIndex(influence.skinJoint, rig.skinJoints) || !(influence.weight > 0.0f) ||
          !std::isfinite(influence.weight)) {
        return bad("vertex {} of mesh '{}' has a bad influence", v, mesh.name);
      }
      sum += influence.weight;
    }
    if (std::abs(sum - 1.0) > 1e-3) {
      return bad("the weights of vertex {} of mesh '{}' sum to {}", v, mesh.name, sum);
    }
  }
  return {};
}

Result<void> validateMesh(const Mesh& mesh, const Character& character) {
  const std::size_t count = mesh.positions.size();
  if (mesh.normals.size() != count || !fits(mesh.tangents, count) || !fits(mesh.uvs, count) ||
      !fits(mesh.secondUvs, count) || !fits(mesh.colors, count)) {
    return bad("mesh '{}' has vertex streams of unequal length", mesh.name);
  }
  if (!allFinite(mesh.positions, mesh.normals, mesh.tangents, mesh.uvs, mesh.secondUvs,
                 mesh.colors)) {
    return bad("mesh '{}' has numbers that are not finite", mesh.name);
  }
  if (mesh.material != -1 && !isIndex(mesh.material, character.materials)) {
    return bad("mesh '{}' names a material that is not there", mesh.name);
  }
  if (!(mesh.bindScale > 0.0) || !std::isfinite(mesh.bindScale)) {
    return bad("mesh '{}' has a bind scale of {}", mesh.name, mesh.bindScale);
  }
  if (!(glm::determinant(mesh.bindStretch) > 0.0)) {
    return bad("mesh '{}' has a bind stretch without a size", mesh.name);
  }
  if (mesh.indices.size() % 3 != 0) {
    return bad("mesh '{}' ends within a triangle", mesh.name);
  }
  for (const std::uint32_t index : mesh.indices) {
    if (index >= count) return bad("mesh '{}' names vertex {} of {}", mesh.name, index, count);
  }
  if (auto ok = validateInfluences(mesh, character.rig); !ok) return ok;
  if (mesh.defaultMorphWeights.size() != mesh.morphTargets.size() ||
      !allFinite(mesh.defaultMorphWeights)) {
    return bad("mesh '{}' has bad default morph weights", mesh.name);
  }
  for (const MorphTarget& target : mesh.morphTargets) {
    if (auto ok = validateTarget(target, count); !ok) return ok;
  }
  return {};
}

template <class Value>
bool validTrack(const Track<Value>& track) {
  const std::size_t perKey = track.interpolation == Interpolation::Cubic ? 3 : 1;
  if (track.values.size() != track.times.size() * perKey || !allFinite(track.values)) return false;
  for (std::size_t k = 0; k < track.times.size(); ++k) {
    if (!std::isfinite(track.times[k])) return false;
    if (k > 0 && !(track.times[k] > track.times[k - 1])) return false;
  }
  return true;
}

Result<void> validateClip(const Clip& clip, const Character& character) {
  const auto badClip = [&clip](std::string_view what) {
    return bad("clip '{}' {}", clip.name, what);
  };
  if (!std::isfinite(clip.startSeconds) || !std::isfinite(clip.durationSeconds) ||
      clip.durationSeconds < 0.0 || !std::isfinite(clip.groundSpeedMetersPerSecond)) {
    return badClip("has a length or start that makes no sense");
  }
  std::unordered_set<int> seen;
  for (const JointTracks& tracks : clip.jointTracks) {
    if (!isIndex(tracks.joint, character.rig.joints) || !seen.insert(tracks.joint).second) {
      return badClip("names a joint that is not there, or one twice");
    }
    if (!validTrack(tracks.translation) || !validTrack(tracks.rotation) ||
        !validTrack(tracks.scale)) {
      return badClip("has keys out of order or numbers that are not finite");
    }
  }
  for (const MorphTrack& track : clip.morphTracks) {
    if (!isIndex(track.mesh, character.meshes) ||
        !isIndex(track.target, character.meshes[track.mesh].morphTargets)) {
      return badClip("names a morph target that is not there");
    }
    if (!validTrack(track.weight)) return badClip("has bad morph keys");
  }
  for (const ClipEvent& event : clip.events) {
    if (!std::isfinite(event.seconds)) return badClip("has an event at no time");
  }
  return {};
}

bool isSound(const SurfaceMap& map, const Character& character) {
  return (map.image == -1 || isIndex(map.image, character.images)) && map.uvSet >= 0 &&
         map.uvSet <= 1 && finite(map.offset) && finite(map.scale) && std::isfinite(map.rotation);
}

Result<void> validateMaterial(const Material& material, const Character& character) {
  const auto share = [](float value) { return value >= 0.0f && value <= 1.0f; };
  for (const SurfaceMap* map :
       {&material.base, &material.normal, &material.metalRoughness, &material.emissive}) {
    if (!isSound(*map, character)) {
      return bad("material '{}' has a picture that is not there", material.name);
    }
  }
  if (!finite(material.baseColor) || !std::isfinite(material.normalScale) ||
      !finite(material.emission) || !share(material.metallic) || !share(material.roughness) ||
      !share(material.alphaCutoff)) {
    return bad("material '{}' is damaged", material.name);
  }
  return {};
}

}  // namespace

std::string_view mimeOfImage(std::span<const std::byte> file) {
  using namespace std::string_view_literals;
  const auto starts = [file](std::string_view with) {
    return file.size() >= with.size() && std::memcmp(file.data(), with.data(), with.size()) == 0;
  };
  if (starts("\x89PNG\r\n\x1a\n"sv)) return "image/png";
  return starts("\xff\xd8\xff"sv) ? "image/jpeg" : "";
}

std::optional<std::size_t> clipNamed(const Character& character, std::string_view name) {
  const auto indexOf = [&character, name](std::string Clip::*called) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(character.clips, name, called);
    if (found == character.clips.end()) return std::nullopt;
    return static_cast<std::size_t>(found - character.clips.begin());
  };
  const auto known = indexOf(&Clip::name);
  return known || name.empty() ? known : indexOf(&Clip::nameInFile);
}

Result<void> validate(const Character& character) {
  if (auto ok = validateRig(character.rig); !ok) return ok;
  std::unordered_set<std::string_view> meshNames;
  for (const Mesh& mesh : character.meshes) {
    if (!meshNames.insert(mesh.name).second) {
      return bad("two meshes are called '{}'", mesh.name);
    }
    if (auto ok = validateMesh(mesh, character); !ok) return ok;
  }
  std::unordered_set<std::string_view> clipNames;
  for (const Clip& clip : character.clips) {
    if (!clipNames.insert(clip.name).second) {
      return bad("two clips are called '{}'", clip.name);
    }
    if (auto ok = validateClip(clip, character); !ok) return ok;
  }
  for (const Image& image : character.images) {
    if (image.width <= 0 || image.height <= 0 ||
        image.rgba.size() != std::size_t(image.width) * std::size_t(image.height) * 4) {
      return bad("picture '{}' has a size that does not fit its data", image.name);
    }
    if (!image.file.empty() && mimeOfImage(image.file).empty()) {
      return bad("picture '{}' has a file that is neither PNG nor JPEG", image.name);
    }
  }
  for (const Material& material : character.materials) {
    if (auto ok = validateMaterial(material, character); !ok) return ok;
  }
  return {};
}

Character scaled(const Character& character, double factor) {
  Character result = character;
  const glm::dmat4 grow = toMatrix({.scale = glm::dvec3(factor)});
  const glm::dmat4 shrink = toMatrix({.scale = glm::dvec3(1.0 / factor)});
  const float f = static_cast<float>(factor);
  for (Joint& joint : result.rig.joints) {
    if (joint.parent < 0) joint.preTransform = grow * joint.preTransform;
  }
  for (SkinJoint& skinJoint : result.rig.skinJoints) {
    skinJoint.inverseBind = skinJoint.inverseBind * shrink;
  }
  for (Mesh& mesh : result.meshes) {
    for (glm::vec3& position : mesh.positions) position *= f;
    for (MorphTarget& target : mesh.morphTargets) {
      for (glm::vec3& delta : target.positionDeltas) delta *= f;
    }
  }
  for (Clip& clip : result.clips) clip.groundSpeedMetersPerSecond *= factor;
  result.source.sourceToModel = grow * result.source.sourceToModel;
  result.source.unitScale *= factor;
  return result;
}

}  // namespace ck
