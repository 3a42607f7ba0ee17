#include "core/import/joint_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/import/humanoid_names.h"

namespace ck {
namespace {

std::string lowered(std::string_view name) {
  std::string result(name);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return result;
}

// "bip01 head" -> "head"; the prefix alone is kept.
std::string_view withoutBiped(std::string_view name) {
  std::string_view rest = name;
  if (rest.starts_with("valvebiped.")) rest.remove_prefix(11);
  if (!rest.starts_with("bip")) return name;
  const std::size_t end = rest.find_first_not_of("0123456789", 3);
  if (end == 3 || end == std::string_view::npos || end + 1 >= rest.size()) return name;
  return rest[end] == ' ' || rest[end] == '_' ? rest.substr(end + 1) : name;
}

// The names that one rule compares, one per joint; empty: not compared.
using Keys = std::vector<std::string>;

template <class KeyOf>
Keys keysOf(const Rig& rig, KeyOf keyOf) {
  Keys keys;
  keys.reserve(rig.joints.size());
  for (const Joint& joint : rig.joints) keys.push_back(keyOf(joint.name));
  return keys;
}

Keys unnumberedKeys(const Rig& rig) {
  const bool numbered = areNumbered(rig);
  return keysOf(rig, [numbered](const std::string& name) {
    return bareJointName(numbered ? withoutNumber(name) : name);
  });
}

// The parts of arms and legs of which one file has both halves and the other only one. Half a limb
// would be torn from its other half.
std::set<HumanoidPart> halvedLimbs(const std::vector<HumanoidPart>& ours,
                                   const std::vector<HumanoidPart>& theirs) {
  using Bone = HumanoidBone;
  constexpr std::array<std::array<Bone, 3>, 2> kLimbs = {
      {{Bone::UpperArm, Bone::LowerArm, Bone::Hand}, {Bone::UpperLeg, Bone::LowerLeg, Bone::Foot}}};
  std::set<HumanoidPart> halved;
  for (const std::array<Bone, 3>& limb : kLimbs) {
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
      const auto owners = [&](Bone bone) {
        const HumanoidPart part{bone, side};
        return std::ranges::count(ours, part) + std::ranges::count(theirs, part);
      };
      if (owners(limb[0]) + owners(limb[1]) != 3) continue;
      for (const Bone bone : limb) halved.insert({bone, side});
    }
  }
  return halved;
}

Keys partKeys(const std::vector<HumanoidPart>& parts, const std::set<HumanoidPart>& without) {
  Keys keys;
  for (const HumanoidPart& part : parts) {
    const bool isUsed = part && !without.contains(part);
    keys.push_back(isUsed ? fmt::format("{} {}", int(part.bone), int(part.side)) : std::string());
  }
  return keys;
}

class Matching {
 public:
  Matching(const Rig& rig, const Rig& from) : rig_(rig), from_(from), given_(rig.joints.size(), 0) {
    result.rigJoints.assign(from.joints.size(), -1);
    result.rules.assign(from.joints.size(), MatchRule::None);
  }

  void matchByHand(const std::map<std::string, std::string>& byHand) {
    for (const auto& [theirs, ours] : byHand) {
      const auto joint = findJoint(from_, theirs);
      if (!joint) continue;  // one map may serve several files
      const auto j = static_cast<std::size_t>(*joint);
      const auto partner = ours.empty() ? std::nullopt : findJoint(rig_, ours);
      if (!ours.empty() && (!partner || given_[static_cast<std::size_t>(*partner)] != 0)) {
        result.unusable.push_back(fmt::format("'{}' to '{}'", theirs, ours));
        continue;
      }
      result.rules[j] = MatchRule::ByHand;
      if (partner) give(j, *partner);
    }
  }

  void match(MatchRule rule, const Keys& ours, const Keys& theirs) {
    constexpr int kSeveral = -2;
    std::unordered_map<std::string_view, int> inRig;
    for (std::size_t j = 0; j < ours.size(); ++j) {
      if (given_[j] != 0 || ours[j].empty()) continue;
      const auto [place, isNew] = inRig.try_emplace(ours[j], static_cast<int>(j));
      if (!isNew) place->second = kSeveral;
    }
    std::unordered_map<std::string_view, int> wanted;  // number of joints of the file with that key
    for (std::size_t j = 0; j < theirs.size(); ++j) {
      if (result.rules[j] == MatchRule::None) ++wanted[theirs[j]];
    }
    for (std::size_t j = 0; j < theirs.size(); ++j) {
      if (result.rules[j] != MatchRule::None) continue;
      const auto found = inRig.find(theirs[j]);
      if (found == inRig.end() || found->second < 0 || wanted[theirs[j]] > 1) continue;
      result.rules[j] = rule;
      give(j, found->second);
      if (rule == MatchRule::Exact || result.byRule++ > 0) continue;
      result.ruleSample = fmt::format("'{}' to '{}'", from_.joints[j].name,
                                      rig_.joints[static_cast<std::size_t>(found->second)].name);
    }
  }

  JointMatches result;

 private:
  void give(std::size_t joint, int partner) {
    result.rigJoints[joint] = partner;
    given_[static_cast<std::size_t>(partner)] = 1;
  }

  const Rig& rig_;
  const Rig& from_;
  std::vector<char> given_;  // joints of the rig that are matched
};

}  // namespace

std::string bareJointName(std::string_view name) {
  const std::size_t mark = name.find_last_of(":|");
  if (mark != std::string_view::npos && mark + 1 < name.size()) name = name.substr(mark + 1);
  const std::string small = lowered(name);
  return std::string(withoutBiped(small));
}

std::string_view withoutNumber(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool isNumbered = end != std::string_view::npos && end > 0 && end + 1 < name.size();
  return isNumbered && name[end] == '_' ? name.substr(0, end) : name;
}

bool areNumbered(const Rig& rig) {
  std::set<std::string_view> numbers;
  for (const Joint& joint : rig.joints) {
    const std::string_view bare = withoutNumber(joint.name);
    if (bare.size() < joint.name.size()) {
      numbers.insert(std::string_view(joint.name).substr(bare.size()));
    }
  }
  return rig.joints.size() > 3 && 5 * numbers.size() > 4 * rig.joints.size();
}

JointMatches matchJoints(const Rig& rig, const Rig& from,
                         const std::map<std::string, std::string>& byHand,
                         const std::vector<std::string>& spare) {
  Matching matching(rig, from);
  matching.matchByHand(byHand);
  const auto name = [](const Rig& of) {
    return keysOf(of, [](const std::string& each) { return each; });
  };
  matching.match(MatchRule::Exact, name(rig), name(from));
  const std::unordered_set<std::string_view> isSpare(spare.begin(), spare.end());
  const std::vector<HumanoidPart> ours = humanoidParts(rig);
  const std::vector<HumanoidPart> theirs = humanoidParts(from);
  const std::set<HumanoidPart> halved = halvedLimbs(ours, theirs);
  for (const bool spares : {false, true}) {
    const auto match = [&](MatchRule rule, Keys inRig, const Keys& inFile) {
      for (std::size_t j = 0; j < inRig.size(); ++j) {
        if (isSpare.contains(rig.joints[j].name) != spares) inRig[j].clear();
      }
      matching.match(rule, inRig, inFile);
    };
    match(MatchRule::Case, keysOf(rig, lowered), keysOf(from, lowered));
    match(MatchRule::Prefix, keysOf(rig, bareJointName), keysOf(from, bareJointName));
    match(MatchRule::Prefix, unnumberedKeys(rig), unnumberedKeys(from));
    if (!spares) match(MatchRule::Synonym, partKeys(ours, halved), partKeys(theirs, halved));
  }
  return std::move(matching.result);
}

}  // namespace ck
