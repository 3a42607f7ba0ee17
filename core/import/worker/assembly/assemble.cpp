#include "core/import/worker/assembly/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/import/skin_joints.h"
#include "core/import/worker/assembly/dual_quaternions.h"
#include "core/import/worker/assembly/repairs.h"
#include "core/import/worker/assembly/rig_assembly.h"
#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/assembly/surface_maps.h"
#include "core/import/worker/assembly/surface_tangents.h"
#include "core/import/worker/text/names.h"
#include "core/scene/clip_window.h"

namespace ck::worker {
namespace {

// Some exporters write one unnamed clip per joint. These clips form one motion.
void mergeOneJointClips(SourceScene& scene) {
  if (scene.clips.size() < 2) return;
  std::set<int> nodes;
  for (const SourceClip& clip : scene.clips) {
    if (!clip.name.empty() || clip.nodeTracks.size() != 1 || !clip.morphTracks.empty()) return;
    if (!nodes.insert(clip.nodeTracks.front().node).second) return;
  }
  SourceClip merged;
  for (SourceClip& clip : scene.clips) {
    merged.nodeTracks.push_back(std::move(clip.nodeTracks.front()));
  }
  inform(scene.notes, "ClipsMerged",
         fmt::format("{} clips without names move one joint each; they were joined to one clip",
                     scene.clips.size()));
  scene.clips.clear();
  scene.clips.push_back(std::move(merged));
}

void repairClips(SourceScene& scene) {
  std::vector<SourceClip> kept;
  for (std::size_t c = 0; c < scene.clips.size(); ++c) {
    SourceClip& clip = scene.clips[c];
    KeyRepairs repairs;
    for (SourceNodeTracks& tracks : clip.nodeTracks) {
      repairTrack(tracks.translation, repairs);
      repairTrack(tracks.rotation, repairs);
      repairTrack(tracks.scale, repairs);
    }
    for (MorphTrack& track : clip.morphTracks) repairTrack(track.weight, repairs);
    if (clip.name.empty()) clip.name = fmt::format("Clip {}", c + 1);
    const std::string name = cleanText(clip.name);
    noteRepairs(repairs, name, scene.notes);
    if (repairs.tooLong) {
      warn(
          scene.notes, "ClipRefused",
          fmt::format(
              "clip '{}' has keys more than 1,000 hours away and was left out; check its key times",
              name));
      continue;
    }
    std::erase_if(clip.nodeTracks, [](const SourceNodeTracks& tracks) {
      return tracks.translation.empty() && tracks.rotation.empty() && tracks.scale.empty();
    });
    std::erase_if(clip.morphTracks, [](const MorphTrack& track) { return track.weight.empty(); });
    kept.push_back(std::move(clip));
  }
  scene.clips = std::move(kept);
}

void convertClips(SourceScene& scene, const RigAssembly& rig, Character& character) {
  UniqueNames names;
  for (std::size_t c = 0; c < scene.clips.size(); ++c) {
    SourceClip& source = scene.clips[c];
    Clip clip;
    clip.groundSpeedMetersPerSecond = source.groundSpeedMetersPerSecond;
    for (SourceNodeTracks& tracks : source.nodeTracks) {
      const int joint = rig.jointOfNode[static_cast<std::size_t>(tracks.node)];
      clip.jointTracks.push_back({joint, std::move(tracks.translation), std::move(tracks.rotation),
                                  std::move(tracks.scale)});
    }
    clip.morphTracks = std::move(source.morphTracks);
    clip.events = std::move(source.events);
    const std::string fallback = fmt::format("Clip {}", c + 1);
    // Nodes that are no joints count for the length of a clip, too.
    if (!clip.jointTracks.empty() || !clip.morphTracks.empty()) setWindowToKeys(clip);
    std::erase_if(clip.jointTracks, [](const JointTracks& tracks) { return tracks.joint < 0; });
    if (clip.jointTracks.empty() && clip.morphTracks.empty()) {
      warn(character.notes, "ClipEmpty",
           fmt::format("clip '{}' moves nothing of this rig and was left out",
                       source.name.empty() ? fallback : cleanText(source.name)));
      continue;
    }
    std::sort(clip.jointTracks.begin(), clip.jointTracks.end(),
              [](const JointTracks& a, const JointTracks& b) { return a.joint < b.joint; });
    clip.name = names.take(source.name, fallback);
    character.clips.push_back(std::move(clip));
  }
  if (names.renamedCount() > 0) {
    inform(
        character.notes, "NamesMadeUnique",
        fmt::format("{} clips had the name of another one and got a number", names.renamedCount()));
  }
}

// Converts a vertex from the file's units and axes to model space.
void toModelSpace(Mesh& mesh, const glm::dmat4& sourceToModel) {
  if (sourceToModel == glm::dmat4(1.0)) return;
  const glm::dmat3 linear(sourceToModel);
  const double size = std::cbrt(std::abs(glm::determinant(linear)));
  const glm::dmat3 turn = linear * (size > 0.0 ? 1.0 / size : 1.0);
  for (glm::vec3& p : mesh.positions) p = glm::vec3(transformPoint(sourceToModel, glm::dvec3(p)));
  for (glm::vec3& n : mesh.normals) n = glm::vec3(turn * glm::dvec3(n));
  for (glm::vec4& t : mesh.tangents) t = glm::vec4(glm::vec3(turn * glm::dvec3(t)), t.w);
  for (MorphTarget& target : mesh.morphTargets) {
    for (glm::vec3& d : target.positionDeltas) d = glm::vec3(linear * glm::dvec3(d));
    for (glm::vec3& d : target.normalDeltas) d = glm::vec3(turn * glm::dvec3(d));
    for (glm::vec3& d : target.tangentDeltas) d = glm::vec3(turn * glm::dvec3(d));
  }
  if (glm::determinant(linear) < 0.0) {
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
      std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
    }
    for (glm::vec4& t : mesh.tangents) t.w = -t.w;
  }
}

// Adds the skin joints that the meshes need and binds the meshes to them.
class Binder {
 public:
  Binder(SourceScene& scene, RigAssembly& rig)
      : scene_(scene), rig_(rig), fromModel_(affineInverse(scene.source.sourceToModel)) {}

  void addSkins() {
    const bool anySkinned = std::any_of(scene_.meshes.begin(), scene_.meshes.end(),
                                        [](const SourceMesh& mesh) { return mesh.skin >= 0; });
    std::vector<char> used(scene_.skins.size(), anySkinned ? 0 : 1);
    for (const SourceMesh& mesh : scene_.meshes) {
      if (mesh.skin >= 0) used[static_cast<std::size_t>(mesh.skin)] = 1;
    }
    entriesOfSkin_.resize(scene_.skins.size());
    int singularCount = 0;
    for (std::size_t s = 0; s < scene_.skins.size(); ++s) {
      const SourceSkin& skin = scene_.skins[s];
      for (std::size_t i = 0; used[s] && i < skin.nodes.size(); ++i) {
        bool singular = false;
        affineInverse(skin.inverseBinds[i], &singular);
        singularCount += singular ? 1 : 0;
        const int joint = rig_.jointOfNode[static_cast<std::size_t>(skin.nodes[i])];
        entriesOfSkin_[s].push_back(joints_.add({joint, skin.inverseBinds[i] * fromModel_}));
      }
    }
    if (singularCount > 0) {
      warn(scene_.notes, "BindMatrixSingular",
           fmt::format("{} bind matrices flatten the mesh", singularCount));
    }
  }

  void bind(SourceMesh& source) {
    const std::vector<int> none;
    const std::vector<int>& entries =
        source.skin < 0 ? none : entriesOfSkin_[static_cast<std::size_t>(source.skin)];
    const int jointCount = static_cast<int>(entries.size());
    Mesh& mesh = source.mesh;
    if (source.skin < 0) {
      mesh.influences.clear();
      mesh.influenceStarts.assign(mesh.positions.size() + 1, 0);
    }
    const WeightRepairs repairs = repairWeights(mesh, jointCount, jointCount);
    if (source.skin >= 0) noteRepairs(repairs, mesh.name, scene_.notes);
    const int follow = repairs.withoutWeights > 0 ? followEntry(source.node) : -1;
    for (Influence& influence : mesh.influences) {
      influence.skinJoint = influence.skinJoint == jointCount
                                ? follow
                                : entries[static_cast<std::size_t>(influence.skinJoint)];
    }
  }

  void finish(std::vector<SourceMesh>& meshes) {
    const std::vector<int> places = joints_.finish(rig_.rig);
    for (SourceMesh& source : meshes) {
      for (Influence& influence : source.mesh.influences) {
        influence.skinJoint = places[static_cast<std::size_t>(influence.skinJoint)];
      }
    }
  }

 private:
  // The skin joint to which a rigid mesh of that node is bound.
  int followEntry(int node) {
    const std::size_t n = static_cast<std::size_t>(node);
    int joint = node < 0 ? -1 : rig_.carrierOfNode[n];
    const glm::dmat4 inCarrier = node < 0 ? glm::dmat4(1.0) : rig_.inCarrier[n];
    if (joint < 0) joint = rootJoint();
    return joints_.add({joint, inCarrier * fromModel_});
  }

  // A static joint for meshes whose nodes never move.
  int rootJoint() {
    if (rootJoint_ >= 0) return rootJoint_;
    Joint root;
    UniqueNames names;
    for (const Joint& joint : rig_.rig.joints) names.take(joint.name, "Joint");
    root.name = names.take("Root", "Root");
    root.preTransform = scene_.source.sourceToModel;
    rootJoint_ = static_cast<int>(rig_.rig.joints.size());
    rig_.rig.joints.push_back(std::move(root));
    return rootJoint_;
  }

  SourceScene& scene_;
  RigAssembly& rig_;
  glm::dmat4 fromModel_;
  SkinJoints joints_;
  std::vector<std::vector<int>> entriesOfSkin_;
  int rootJoint_ = -1;
};

void convertMeshes(SourceScene& scene, RigAssembly& rig) {
  Binder binder(scene, rig);
  binder.addSkins();
  UniqueNames names;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    SourceMesh& source = scene.meshes[m];
    source.mesh.name = names.take(source.mesh.name, fmt::format("Mesh {}", m + 1));
    toModelSpace(source.mesh, scene.source.sourceToModel);
    binder.bind(source);
  }
  completeTangents(scene);
  noteMissingUvs(scene);
  binder.finish(scene.meshes);
}

void nameMaterials(SourceScene& scene) {
  for (std::size_t m = 0; m < scene.materials.size(); ++m) {
    std::string& name = scene.materials[m].name;
    name = cleanText(name);
    if (name.empty()) name = fmt::format("Material {}", m + 1);
  }
  for (Image& image : scene.images) image.name = cleanText(image.name);
}

// Matrices that are each of sane numbers can multiply to ones that are not.
Result<void> checkMatrices(const Rig& rig) {
  for (const Joint& joint : rig.joints) {
    if (isSane(joint.preTransform)) continue;
    return fail(ErrorCode::InvalidInput,
                fmt::format("joint '{}' has a transform that is not a number", joint.name));
  }
  for (const SkinJoint& skinJoint : rig.skinJoints) {
    if (isSane(skinJoint.inverseBind)) continue;
    return fail(ErrorCode::InvalidInput,
                fmt::format("the bind matrix of '{}' is not a number",
                            rig.joints[static_cast<std::size_t>(skinJoint.joint)].name));
  }
  return {};
}

}  // namespace

Result<Character> assembleCharacter(SourceScene scene) {
  mergeOneJointClips(scene);
  repairClips(scene);
  auto rig = assembleRig(scene);
  if (!rig) return tl::unexpected(rig.error());
  convertMeshes(scene, *rig);
  nameMaterials(scene);

  Character character;
  character.notes = std::move(scene.notes);
  character.notes.insert(character.notes.end(), rig->notes.begin(), rig->notes.end());
  convertClips(scene, *rig, character);
  std::size_t needed = rig->rig.joints.size();
  for (std::size_t j = 0; j < rig->isOptional.size(); ++j) {
    if (rig->isOptional[j] == 0) continue;
    --needed;
    character.socketCandidates.push_back(rig->rig.joints[j].name);
  }
  character.rig = std::move(rig->rig);
  std::vector<std::vector<float>> dualShares;
  for (SourceMesh& source : scene.meshes) {
    character.meshes.push_back(std::move(source.mesh));
    dualShares.push_back(std::move(source.dualShares));
  }
  character.materials = std::move(scene.materials);
  character.images = std::move(scene.images);
  character.source = std::move(scene.source);
  if (character.meshes.empty() && character.clips.empty() && needed == 0) {
    return fail(ErrorCode::InvalidInput, "the file holds no mesh and no motion");
  }
  if (auto ok = checkMatrices(character.rig); !ok) return tl::unexpected(ok.error());
  if (auto ok = validate(character); !ok) return tl::unexpected(ok.error());
  noteDualQuaternions(dualShares, character);
  return character;
}

}  // namespace ck::worker
