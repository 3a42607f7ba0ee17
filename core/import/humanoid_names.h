#pragma once

#include <vector>

#include "core/scene/rig.h"

namespace ck {

// The bones that figures of all naming conventions have.
enum class HumanoidBone {
  None,
  Hips,
  Spine,
  Chest,
  UpperChest,
  Neck,
  Head,
  // The bones from here on exist on two sides.
  Shoulder,
  UpperArm,
  LowerArm,
  Hand,
  UpperLeg,
  LowerLeg,
  Foot,
  Toes,
  Thumb1,
  Thumb2,
  Thumb3,
  Index1,
  Index2,
  Index3,
  Middle1,
  Middle2,
  Middle3,
  Ring1,
  Ring2,
  Ring3,
  Little1,
  Little2,
  Little3,
};

enum class BodySide { Center, Left, Right };

// Which part of a figure a joint is.
struct HumanoidPart {
  HumanoidBone bone = HumanoidBone::None;
  BodySide side = BodySide::Center;
  explicit operator bool() const { return bone != HumanoidBone::None; }
  auto operator<=>(const HumanoidPart&) const = default;
};

// The parts of a figure by the names of its joints, one per joint. The names are read by the one
// convention that explains most of them: Mixamo, Unity, Unreal, Rigify, CMU motion capture,
// MakeHuman, Biped, VRoid, CATS (VRChat), Reallusion, Daz, or words in common use, without the
// numbers of Sketchfab. A part that several joints claim is given to none of them. All are None if
// fewer than four joints are explained.
std::vector<HumanoidPart> humanoidParts(const Rig& rig);

}  // namespace ck
