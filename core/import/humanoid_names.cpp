#include "core/import/humanoid_names.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/import/joint_names.h"

namespace ck {
namespace {

using Bone = HumanoidBone;

// A joint's name in lower case, without prefix, side and separators.
struct Entry {
  std::string_view stem;
  Bone bone;
};

// Adobe Mixamo, the auto-rigger's skeleton; MotionBuilder's characters have the same names.
constexpr Entry kMixamo[] = {
    {"hips", Bone::Hips},           {"spine", Bone::Spine},         {"spine1", Bone::Chest},
    {"spine2", Bone::UpperChest},   {"neck", Bone::Neck},           {"head", Bone::Head},
    {"shoulder", Bone::Shoulder},   {"arm", Bone::UpperArm},        {"forearm", Bone::LowerArm},
    {"hand", Bone::Hand},           {"upleg", Bone::UpperLeg},      {"leg", Bone::LowerLeg},
    {"foot", Bone::Foot},           {"toebase", Bone::Toes},        {"handthumb1", Bone::Thumb1},
    {"handthumb2", Bone::Thumb2},   {"handthumb3", Bone::Thumb3},   {"handindex1", Bone::Index1},
    {"handindex2", Bone::Index2},   {"handindex3", Bone::Index3},   {"handmiddle1", Bone::Middle1},
    {"handmiddle2", Bone::Middle2}, {"handmiddle3", Bone::Middle3}, {"handring1", Bone::Ring1},
    {"handring2", Bone::Ring2},     {"handring3", Bone::Ring3},     {"handpinky1", Bone::Little1},
    {"handpinky2", Bone::Little2},  {"handpinky3", Bone::Little3},
};

// Unity, HumanBodyBones (docs.unity3d.com/ScriptReference/HumanBodyBones.html). VRM has the same.
constexpr Entry kUnity[] = {
    {"hips", Bone::Hips},
    {"spine", Bone::Spine},
    {"chest", Bone::Chest},
    {"upperchest", Bone::UpperChest},
    {"neck", Bone::Neck},
    {"head", Bone::Head},
    {"shoulder", Bone::Shoulder},
    {"upperarm", Bone::UpperArm},
    {"lowerarm", Bone::LowerArm},
    {"hand", Bone::Hand},
    {"upperleg", Bone::UpperLeg},
    {"lowerleg", Bone::LowerLeg},
    {"foot", Bone::Foot},
    {"toes", Bone::Toes},
    {"thumbproximal", Bone::Thumb1},
    {"thumbintermediate", Bone::Thumb2},
    {"thumbdistal", Bone::Thumb3},
    {"indexproximal", Bone::Index1},
    {"indexintermediate", Bone::Index2},
    {"indexdistal", Bone::Index3},
    {"middleproximal", Bone::Middle1},
    {"middleintermediate", Bone::Middle2},
    {"middledistal", Bone::Middle3},
    {"ringproximal", Bone::Ring1},
    {"ringintermediate", Bone::Ring2},
    {"ringdistal", Bone::Ring3},
    {"littleproximal", Bone::Little1},
    {"littleintermediate", Bone::Little2},
    {"littledistal", Bone::Little3},
};

// Unreal Engine, the mannequin's skeleton (SK_Mannequin).
constexpr Entry kUnreal[] = {
    {"pelvis", Bone::Hips},        {"spine01", Bone::Spine},     {"spine02", Bone::Chest},
    {"spine03", Bone::UpperChest}, {"neck01", Bone::Neck},       {"head", Bone::Head},
    {"clavicle", Bone::Shoulder},  {"upperarm", Bone::UpperArm}, {"lowerarm", Bone::LowerArm},
    {"hand", Bone::Hand},          {"thigh", Bone::UpperLeg},    {"calf", Bone::LowerLeg},
    {"foot", Bone::Foot},          {"ball", Bone::Toes},         {"thumb01", Bone::Thumb1},
    {"thumb02", Bone::Thumb2},     {"thumb03", Bone::Thumb3},    {"index01", Bone::Index1},
    {"index02", Bone::Index2},     {"index03", Bone::Index3},    {"middle01", Bone::Middle1},
    {"middle02", Bone::Middle2},   {"middle03", Bone::Middle3},  {"ring01", Bone::Ring1},
    {"ring02", Bone::Ring2},       {"ring03", Bone::Ring3},      {"pinky01", Bone::Little1},
    {"pinky02", Bone::Little2},    {"pinky03", Bone::Little3},
};

// Blender's Rigify, the human meta-rig (docs.blender.org/manual, Rigify, Bone Positioning Guide);
// its generated rig puts DEF- in front.
constexpr Entry kRigify[] = {
    {"spine", Bone::Hips},          {"spine001", Bone::Spine},    {"spine002", Bone::Chest},
    {"spine003", Bone::UpperChest}, {"spine004", Bone::Neck},     {"spine006", Bone::Head},
    {"shoulder", Bone::Shoulder},   {"upperarm", Bone::UpperArm}, {"forearm", Bone::LowerArm},
    {"hand", Bone::Hand},           {"thigh", Bone::UpperLeg},    {"shin", Bone::LowerLeg},
    {"foot", Bone::Foot},           {"toe", Bone::Toes},          {"thumb01", Bone::Thumb1},
    {"thumb02", Bone::Thumb2},      {"thumb03", Bone::Thumb3},    {"findex01", Bone::Index1},
    {"findex02", Bone::Index2},     {"findex03", Bone::Index3},   {"fmiddle01", Bone::Middle1},
    {"fmiddle02", Bone::Middle2},   {"fmiddle03", Bone::Middle3}, {"fring01", Bone::Ring1},
    {"fring02", Bone::Ring2},       {"fring03", Bone::Ring3},     {"fpinky01", Bone::Little1},
    {"fpinky02", Bone::Little2},    {"fpinky03", Bone::Little3},
};

// The CMU motion capture database (mocap.cs.cmu.edu) as BVH for MotionBuilder.
constexpr Entry kCmuBvh[] = {
    {"hips", Bone::Hips},         {"lowerback", Bone::Spine}, {"spine", Bone::Chest},
    {"spine1", Bone::UpperChest}, {"neck", Bone::Neck},       {"head", Bone::Head},
    {"shoulder", Bone::Shoulder}, {"arm", Bone::UpperArm},    {"forearm", Bone::LowerArm},
    {"hand", Bone::Hand},         {"upleg", Bone::UpperLeg},  {"leg", Bone::LowerLeg},
    {"foot", Bone::Foot},         {"toebase", Bone::Toes},    {"thumb", Bone::Thumb1},
    {"handindex1", Bone::Index1},
};

// The same database in its own skeletons (ASF).
constexpr Entry kCmuAsf[] = {
    {"root", Bone::Hips},         {"lowerback", Bone::Spine},  {"upperback", Bone::Chest},
    {"thorax", Bone::UpperChest}, {"lowerneck", Bone::Neck},   {"head", Bone::Head},
    {"clavicle", Bone::Shoulder}, {"humerus", Bone::UpperArm}, {"radius", Bone::LowerArm},
    {"hand", Bone::Hand},         {"femur", Bone::UpperLeg},   {"tibia", Bone::LowerLeg},
    {"foot", Bone::Foot},         {"toes", Bone::Toes},        {"thumb", Bone::Thumb1},
};

// MakeHuman, the default rig (its game engine rig has Unreal's names).
constexpr Entry kMakeHuman[] = {
    {"root", Bone::Hips},          {"spine05", Bone::Spine},       {"spine03", Bone::Chest},
    {"spine01", Bone::UpperChest}, {"neck01", Bone::Neck},         {"head", Bone::Head},
    {"clavicle", Bone::Shoulder},  {"upperarm01", Bone::UpperArm}, {"lowerarm01", Bone::LowerArm},
    {"wrist", Bone::Hand},         {"upperleg01", Bone::UpperLeg}, {"lowerleg01", Bone::LowerLeg},
    {"foot", Bone::Foot},          {"toe11", Bone::Toes},          {"finger11", Bone::Thumb1},
    {"finger12", Bone::Thumb2},    {"finger13", Bone::Thumb3},     {"finger21", Bone::Index1},
    {"finger22", Bone::Index2},    {"finger23", Bone::Index3},     {"finger31", Bone::Middle1},
    {"finger32", Bone::Middle2},   {"finger33", Bone::Middle3},    {"finger41", Bone::Ring1},
    {"finger42", Bone::Ring2},     {"finger43", Bone::Ring3},      {"finger51", Bone::Little1},
    {"finger52", Bone::Little2},   {"finger53", Bone::Little3},
};

// Autodesk 3ds Max, Biped ("Bip001 L UpperArm"). Valve's skeletons have the same with underscores.
constexpr Entry kBiped[] = {
    {"pelvis", Bone::Hips},       {"spine", Bone::Spine},      {"spine1", Bone::Chest},
    {"spine2", Bone::UpperChest}, {"neck", Bone::Neck},        {"neck1", Bone::Neck},
    {"head", Bone::Head},         {"head1", Bone::Head},       {"clavicle", Bone::Shoulder},
    {"upperarm", Bone::UpperArm}, {"forearm", Bone::LowerArm}, {"hand", Bone::Hand},
    {"thigh", Bone::UpperLeg},    {"calf", Bone::LowerLeg},    {"foot", Bone::Foot},
    {"toe0", Bone::Toes},         {"finger0", Bone::Thumb1},   {"finger01", Bone::Thumb2},
    {"finger02", Bone::Thumb3},   {"finger1", Bone::Index1},   {"finger11", Bone::Index2},
    {"finger12", Bone::Index3},   {"finger2", Bone::Middle1},  {"finger21", Bone::Middle2},
    {"finger22", Bone::Middle3},  {"finger3", Bone::Ring1},    {"finger31", Bone::Ring2},
    {"finger32", Bone::Ring3},    {"finger4", Bone::Little1},  {"finger41", Bone::Little2},
    {"finger42", Bone::Little3},
};

// VRoid Studio ("J_Bip_L_UpperArm"): Unity's words, with toes and fingers by number.
constexpr Entry kVroid[] = {
    {"hips", Bone::Hips},         {"spine", Bone::Spine},
    {"chest", Bone::Chest},       {"upperchest", Bone::UpperChest},
    {"neck", Bone::Neck},         {"head", Bone::Head},
    {"shoulder", Bone::Shoulder}, {"upperarm", Bone::UpperArm},
    {"lowerarm", Bone::LowerArm}, {"hand", Bone::Hand},
    {"upperleg", Bone::UpperLeg}, {"lowerleg", Bone::LowerLeg},
    {"foot", Bone::Foot},         {"toebase", Bone::Toes},
    {"thumb1", Bone::Thumb1},     {"thumb2", Bone::Thumb2},
    {"thumb3", Bone::Thumb3},     {"index1", Bone::Index1},
    {"index2", Bone::Index2},     {"index3", Bone::Index3},
    {"middle1", Bone::Middle1},   {"middle2", Bone::Middle2},
    {"middle3", Bone::Middle3},   {"ring1", Bone::Ring1},
    {"ring2", Bone::Ring2},       {"ring3", Bone::Ring3},
    {"little1", Bone::Little1},   {"little2", Bone::Little2},
    {"little3", Bone::Little3},
};

// Avatars for VRChat, as the Blender plugin CATS names them ("Left elbow", "IndexFinger1_L").
constexpr Entry kCats[] = {
    {"hips", Bone::Hips},
    {"spine", Bone::Spine},
    {"chest", Bone::Chest},
    {"upperchest", Bone::UpperChest},
    {"neck", Bone::Neck},
    {"head", Bone::Head},
    {"shoulder", Bone::Shoulder},
    {"arm", Bone::UpperArm},
    {"elbow", Bone::LowerArm},
    {"wrist", Bone::Hand},
    {"leg", Bone::UpperLeg},
    {"knee", Bone::LowerLeg},
    {"ankle", Bone::Foot},
    {"toe", Bone::Toes},
    {"thumb0", Bone::Thumb1},
    {"thumb1", Bone::Thumb2},
    {"thumb2", Bone::Thumb3},
    {"indexfinger1", Bone::Index1},
    {"indexfinger2", Bone::Index2},
    {"indexfinger3", Bone::Index3},
    {"middlefinger1", Bone::Middle1},
    {"middlefinger2", Bone::Middle2},
    {"middlefinger3", Bone::Middle3},
    {"ringfinger1", Bone::Ring1},
    {"ringfinger2", Bone::Ring2},
    {"ringfinger3", Bone::Ring3},
    {"littlefinger1", Bone::Little1},
    {"littlefinger2", Bone::Little2},
    {"littlefinger3", Bone::Little3},
};

// Reallusion, Character Creator and iClone ("CC_Base_L_Upperarm").
constexpr Entry kReallusion[] = {
    {"hip", Bone::Hips},           {"waist", Bone::Spine},       {"spine01", Bone::Chest},
    {"spine02", Bone::UpperChest}, {"necktwist01", Bone::Neck},  {"head", Bone::Head},
    {"clavicle", Bone::Shoulder},  {"upperarm", Bone::UpperArm}, {"forearm", Bone::LowerArm},
    {"hand", Bone::Hand},          {"thigh", Bone::UpperLeg},    {"calf", Bone::LowerLeg},
    {"foot", Bone::Foot},          {"toebase", Bone::Toes},      {"thumb1", Bone::Thumb1},
    {"thumb2", Bone::Thumb2},      {"thumb3", Bone::Thumb3},     {"index1", Bone::Index1},
    {"index2", Bone::Index2},      {"index3", Bone::Index3},     {"mid1", Bone::Middle1},
    {"mid2", Bone::Middle2},       {"mid3", Bone::Middle3},      {"ring1", Bone::Ring1},
    {"ring2", Bone::Ring2},        {"ring3", Bone::Ring3},       {"pinky1", Bone::Little1},
    {"pinky2", Bone::Little2},     {"pinky3", Bone::Little3},
};

// Daz 3D, Genesis 1 to 9 ("lShldrBend", "l_upperarm").
constexpr Entry kDaz[] = {
    {"hip", Bone::Hips},          {"abdomen", Bone::Spine},    {"abdomenlower", Bone::Spine},
    {"spine1", Bone::Spine},      {"abdomen2", Bone::Chest},   {"abdomenupper", Bone::Chest},
    {"spine2", Bone::Chest},      {"chest", Bone::UpperChest}, {"chestlower", Bone::UpperChest},
    {"spine3", Bone::UpperChest}, {"neck", Bone::Neck},        {"necklower", Bone::Neck},
    {"neck1", Bone::Neck},        {"head", Bone::Head},        {"collar", Bone::Shoulder},
    {"shoulder", Bone::Shoulder}, {"shldr", Bone::UpperArm},   {"shldrbend", Bone::UpperArm},
    {"upperarm", Bone::UpperArm}, {"forearm", Bone::LowerArm}, {"forearmbend", Bone::LowerArm},
    {"hand", Bone::Hand},         {"thigh", Bone::UpperLeg},   {"thighbend", Bone::UpperLeg},
    {"shin", Bone::LowerLeg},     {"foot", Bone::Foot},        {"toe", Bone::Toes},
    {"toes", Bone::Toes},         {"thumb1", Bone::Thumb1},    {"thumb2", Bone::Thumb2},
    {"thumb3", Bone::Thumb3},     {"index1", Bone::Index1},    {"index2", Bone::Index2},
    {"index3", Bone::Index3},     {"mid1", Bone::Middle1},     {"mid2", Bone::Middle2},
    {"mid3", Bone::Middle3},      {"ring1", Bone::Ring1},      {"ring2", Bone::Ring2},
    {"ring3", Bone::Ring3},       {"pinky1", Bone::Little1},   {"pinky2", Bone::Little2},
    {"pinky3", Bone::Little3},
};

// Words in common use among rigs that follow no product.
constexpr Entry kCommon[] = {
    {"hips", Bone::Hips},         {"hip", Bone::Hips},          {"pelvis", Bone::Hips},
    {"spine", Bone::Spine},       {"abdomen", Bone::Spine},     {"chest", Bone::Chest},
    {"torso", Bone::Chest},       {"neck", Bone::Neck},         {"head", Bone::Head},
    {"shoulder", Bone::Shoulder}, {"clavicle", Bone::Shoulder}, {"collar", Bone::Shoulder},
    {"upperarm", Bone::UpperArm}, {"uparm", Bone::UpperArm},    {"lowerarm", Bone::LowerArm},
    {"forearm", Bone::LowerArm},  {"hand", Bone::Hand},         {"wrist", Bone::Hand},
    {"upperleg", Bone::UpperLeg}, {"upleg", Bone::UpperLeg},    {"thigh", Bone::UpperLeg},
    {"lowerleg", Bone::LowerLeg}, {"shin", Bone::LowerLeg},     {"calf", Bone::LowerLeg},
    {"foot", Bone::Foot},         {"ankle", Bone::Foot},        {"toe", Bone::Toes},
    {"toes", Bone::Toes},
};

// On a tie the earlier convention wins.
constexpr std::span<const Entry> kConventions[] = {
    kMixamo, kUnity, kUnreal, kRigify,     kCmuBvh, kCmuAsf, kMakeHuman,
    kBiped,  kVroid, kCats,   kReallusion, kDaz,    kCommon};

struct SidedName {
  std::string stem;
  BodySide side = BodySide::Center;
};

bool isSeparator(char c) {
  return c == '_' || c == '.' || c == '-' || c == ' ';
}

// Takes "left", "l_" and the like from the beginning or ".l", "_left" and the like from the end.
BodySide takeSide(std::string_view& name) {
  constexpr std::pair<std::string_view, BodySide> kSides[] = {{"left", BodySide::Left},
                                                              {"right", BodySide::Right},
                                                              {"l", BodySide::Left},
                                                              {"r", BodySide::Right}};
  for (const auto& [word, side] : kSides) {
    if (name.size() <= word.size() + 1) continue;
    const bool isWord = word.size() > 1;
    if (name.starts_with(word) && (isWord || isSeparator(name[word.size()]))) {
      name.remove_prefix(word.size());
      return side;
    }
    if (name.ends_with(word) && isSeparator(name[name.size() - word.size() - 1])) {
      name.remove_suffix(word.size());
      return side;
    }
  }
  return BodySide::Center;
}

SidedName sidedName(std::string_view joint) {
  const std::string bare = bareJointName(joint);
  std::string_view name = bare;
  for (const std::string_view prefix : {"def-", "j_bip_c_", "j_bip_", "cc_base_"}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  SidedName result;
  result.side = takeSide(name);
  for (const char c : name) {
    if (!isSeparator(c)) result.stem += c;
  }
  return result;
}

HumanoidPart partOf(const SidedName& name, std::span<const Entry> convention) {
  const auto boneOf = [convention](std::string_view stem) {
    const auto found = std::ranges::find(convention, stem, &Entry::stem);
    return found == convention.end() ? Bone::None : found->bone;
  };
  const Bone bone = boneOf(name.stem);
  const bool isPaired = bone >= Bone::Shoulder;
  if (bone != Bone::None && isPaired == (name.side != BodySide::Center)) return {bone, name.side};
  // CMU and Daz have their sides without a separator: "lfemur", "LThumb", "lShldr".
  const bool isJoined =
      convention.data() == kCmuAsf || convention.data() == kCmuBvh || convention.data() == kDaz;
  if (!isJoined || name.side != BodySide::Center || name.stem.size() < 2) return {};
  const Bone paired = boneOf(std::string_view(name.stem).substr(1));
  if (paired < Bone::Shoulder) return {};
  if (name.stem.front() == 'l') return {paired, BodySide::Left};
  if (name.stem.front() == 'r') return {paired, BodySide::Right};
  return {};
}

}  // namespace

std::vector<HumanoidPart> humanoidParts(const Rig& rig) {
  constexpr std::size_t kFewest = 4;
  std::vector<SidedName> names;
  names.reserve(rig.joints.size());
  const bool numbered = areNumbered(rig);
  for (const Joint& joint : rig.joints) {
    names.push_back(sidedName(numbered ? withoutNumber(joint.name) : joint.name));
  }
  std::vector<HumanoidPart> best(names.size());
  std::size_t most = kFewest - 1;
  for (const std::span<const Entry> convention : kConventions) {
    std::vector<HumanoidPart> parts;
    std::map<HumanoidPart, int> claims;
    for (const SidedName& name : names) {
      parts.push_back(partOf(name, convention));
      if (parts.back()) ++claims[parts.back()];
    }
    const auto single = static_cast<std::size_t>(
        std::ranges::count(claims, 1, [](const auto& claim) { return claim.second; }));
    if (single <= most) continue;
    most = single;
    for (HumanoidPart& part : parts) {
      if (part && claims[part] > 1) part = {};
    }
    best = std::move(parts);
  }
  return best;
}

}  // namespace ck
