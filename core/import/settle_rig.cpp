#include "core/import/settle_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/anim/pose.h"
#include "core/import/skin_joints.h"

namespace ck {
namespace {

using Names = std::unordered_set<std::string_view>;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

std::vector<char> movedJoints(const Character& character) {
  std::vector<char> moved(character.rig.joints.size(), 0);
  for (const Clip& clip : character.clips) {
    for (const JointTracks& tracks : clip.jointTracks) moved[at(tracks.joint)] = 1;
  }
  return moved;
}

// Joints that vertices are bound to.
std::vector<char> boundJoints(const Rig& rig) {
  std::vector<char> bound(rig.joints.size(), 0);
  for (const SkinJoint& skinJoint : rig.skinJoints) bound[at(skinJoint.joint)] = 1;
  return bound;
}

std::vector<char> keptJoints(const Character& character, const Names& optional,
                             const Names& sockets) {
  const std::vector<Joint>& joints = character.rig.joints;
  const std::vector<char> moved = movedJoints(character);
  std::vector<char> carries = boundJoints(character.rig);
  // A file that holds motion only has nothing to carry.
  const bool motionOnly = character.meshes.empty() && character.rig.skinJoints.empty();
  std::vector<char> kept(joints.size(), 0);
  for (std::size_t j = joints.size(); j-- > 0;) {
    const bool needed = !optional.contains(joints[j].name);
    if (needed) carries[j] = 1;
    if (carries[j] != 0 && joints[j].parent >= 0) carries[at(joints[j].parent)] = 1;
    kept[j] = needed || sockets.contains(joints[j].name) ||
                      (moved[j] != 0 && (carries[j] != 0 || motionOnly))
                  ? 1
                  : 0;
  }
  return kept;
}

// Where the joints of the file are in the settled rig.
struct Folding {
  Rig rig;                          // without skinJoints
  std::vector<int> joint;           // per old joint: the new one, or -1
  std::vector<int> carrier;         // per old joint: the nearest new one at or above it, or -1
  std::vector<glm::dmat4> inFrame;  // the old joint at rest in the space of its carrier; in file
                                    // space if it has none
};

Folding fold(const Character& character, const std::vector<char>& kept) {
  const glm::dmat4& toModel = character.source.sourceToModel;
  const std::vector<Joint>& joints = character.rig.joints;
  Folding result;
  result.joint.assign(joints.size(), -1);
  result.carrier.assign(joints.size(), -1);
  result.inFrame.assign(joints.size(), glm::dmat4(1.0));
  for (std::size_t j = 0; j < joints.size(); ++j) {
    Joint joint = joints[j];
    const bool isRoot = joint.parent < 0;
    const int above = isRoot ? -1 : result.carrier[at(joint.parent)];
    const glm::dmat4 toAbove = isRoot ? glm::dmat4(1.0) : result.inFrame[at(joint.parent)];
    // The preTransform of a root converts to model space; here it is taken in file space.
    glm::dmat4 pre = joint.preTransform;
    if (isRoot) pre = pre == toModel ? glm::dmat4(1.0) : affineInverse(toModel) * pre;
    if (kept[j] == 0) {
      result.carrier[j] = above;
      result.inFrame[j] = toAbove * pre * toMatrix(joint.rest);
      continue;
    }
    const bool folded = !isRoot && kept[at(joint.parent)] == 0;
    if (folded) joint.preTransform = above < 0 ? toModel * (toAbove * pre) : toAbove * pre;
    joint.parent = above;
    result.joint[j] = result.carrier[j] = static_cast<int>(result.rig.joints.size());
    result.rig.joints.push_back(std::move(joint));
  }
  return result;
}

// A static joint for meshes whose nodes never move.
int addRoot(Rig& rig, const glm::dmat4& toModel) {
  Joint root;
  root.name = "Root";
  for (int number = 2; findJoint(rig, root.name); ++number) {
    root.name = fmt::format("Root ({})", number);
  }
  root.preTransform = toModel;
  rig.joints.push_back(std::move(root));
  return static_cast<int>(rig.joints.size()) - 1;
}

void addSockets(const Rig& rig, const std::vector<std::string>& sockets, SkinJoints& skinJoints,
                Notes& notes) {
  const std::vector<glm::dmat4> rest = restMatrices(rig);
  const std::vector<char> bound = boundJoints(rig);
  std::vector<char> added(bound.size(), 0);
  for (const std::string& name : sockets) {
    const auto joint = findJoint(rig, name);
    bool singular = false;
    const glm::dmat4 inverse = joint ? affineInverse(rest[at(*joint)], &singular) : glm::dmat4(1.0);
    if (!joint || singular) {
      notes.push_back(
          {Note::Level::Warning, "SocketMissing",
           fmt::format("socket '{}': {}; it is not baked", name,
                       singular ? "this node has no size" : "the rig has no node of this name")});
      continue;
    }
    if (bound[at(*joint)] != 0) {
      notes.push_back({Note::Level::Info, "SocketHasWeights",
                       fmt::format("socket '{}': this joint moves vertices, so the atlas has it "
                                   "anyway, and it is no socket",
                                   name)});
      continue;
    }
    if (std::exchange(added[at(*joint)], 1) == 0) skinJoints.add({*joint, inverse, true});
  }
}

// Takes the tracks of folded joints out of the clips, which stay as long as they are, and clips
// without tracks out of the character.
void settleClips(Character& character, const Folding& folding) {
  std::vector<Clip> clips;
  for (Clip& clip : character.clips) {
    std::erase_if(clip.jointTracks, [&folding](const JointTracks& tracks) {
      return folding.joint[at(tracks.joint)] < 0;
    });
    for (JointTracks& tracks : clip.jointTracks) tracks.joint = folding.joint[at(tracks.joint)];
    if (clip.jointTracks.empty() && clip.morphTracks.empty()) {
      character.notes.push_back(
          {Note::Level::Warning, "ClipEmpty",
           fmt::format("clip '{}' moves nothing of this rig and was left out", clip.name)});
      continue;
    }
    clips.push_back(std::move(clip));
  }
  character.clips = std::move(clips);
}

}  // namespace

Character settled(Character character, const std::vector<std::string>& sockets) {
  const std::vector<std::string> listed = character.socketCandidates;
  const Names optional(listed.begin(), listed.end());
  Names carrying;
  for (const SkinJoint& skinJoint : character.rig.skinJoints) {
    carrying.insert(character.rig.joints[at(skinJoint.joint)].name);
  }
  std::erase_if(character.socketCandidates,
                [&carrying](const std::string& name) { return carrying.contains(name); });
  const std::vector<char> kept = keptJoints(character, optional, {sockets.begin(), sockets.end()});
  const bool foldsAny = std::ranges::count(kept, 0) > 0;
  if (!foldsAny && sockets.empty()) return character;

  Folding folding = fold(character, kept);
  SkinJoints skinJoints;
  std::vector<int> entries;
  int root = -1;
  for (const SkinJoint& skinJoint : character.rig.skinJoints) {
    const std::size_t joint = at(skinJoint.joint);
    SkinJoint moved = skinJoint;
    moved.joint = folding.carrier[joint];
    if (kept[joint] == 0) moved.inverseBind = folding.inFrame[joint] * skinJoint.inverseBind;
    if (moved.joint < 0) {
      if (root < 0) root = addRoot(folding.rig, character.source.sourceToModel);
      moved.joint = root;
    }
    entries.push_back(skinJoints.add(moved));
    folding.rig.skinJoints.push_back(moved);
  }
  addSockets(folding.rig, sockets, skinJoints, character.notes);
  const std::vector<int> places = skinJoints.finish(folding.rig);
  for (Mesh& mesh : character.meshes) {
    for (Influence& influence : mesh.influences) {
      influence.skinJoint = places[at(entries[at(influence.skinJoint)])];
    }
  }
  if (foldsAny) settleClips(character, folding);
  character.rig = std::move(folding.rig);
  return character;
}

}  // namespace ck
