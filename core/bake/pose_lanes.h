#pragma once

#include <array>
#include <cstddef>
#include <glm/glm.hpp>
#include <span>

#include "core/atlas/pose_code.h"
#include "core/bake/pose/lane_poser.h"

// Eight poses of a joint at once, from the poser to the bytes of texels (docs/techniques.md 2.2,
// 3.2). A bake passes twice over its frames: first every pose becomes up to three values of four
// numbers; those that need no range are stored at once, the others are kept until the ranges of
// all frames are known.
namespace ck {

// Where the texels of up to eight frames begin.
struct LaneTexels {
  std::array<std::byte*, kLaneCount> at = {};
  std::size_t count = 0;
};

// The largest value of something in each lane.
struct alignas(32) LaneMost {
  float at[kLaneCount] = {};
};
float largestOf(const LaneMost& most);

// Four numbers at eight moments: what a texel holds before it is quantised.
struct alignas(32) LaneValue {
  float at[4][kLaneCount];
};

inline constexpr std::size_t kMostValues = 3;

// How the values of a pose become texels. Values are numbered: the position, with the scale in the
// pivot form, or the dual part of a dual quaternion; the rotation; the scale. Those of the matrix
// form are its rows.
struct TexelPlan {
  // A texel, or one of the two values of a packed one.
  struct Part {
    std::size_t value = 0;
    std::size_t offset = 0;  // of the texel, in bytes, among those of the joint
    bool kept = false;       // until ranges are known; otherwise it is stored at once
    bool turns = false;      // whether it is negated where the sign of the rotation changes
    // With a range: its index among those of the joint. Without any: integers span -1..1.
    int range = -1;
  };
  TexelCode code;
  std::array<Part, kMostValues> parts = {};
  std::size_t partCount = 0;
  std::size_t keptCount = 0;
  std::size_t bytes = 0;  // of a joint
  bool dual = false;
  bool hasRotation = true;
};
// For encodings whose joints stand alone (standsAlone()).
TexelPlan texelPlanOf(TexelCode code);

// Keeps all values of a form, in order, and stores no texels.
TexelPlan valuePlanOf(PoseForm form);

// Brings eight poses into pivot form (pivotPoseOf()). `lostSquares` has one entry per joint and
// keeps the largest squared distance between the axes of a pose and its matrix. False if a pose is
// not finite or has no size in some direction; its scale is not a number then (PoseMender::mend()).
bool pivotsOf(std::span<const LanePose> poses, std::span<LanePivot> pivots,
              std::span<LaneMost> lostSquares, LanePath path);

// The extremes and ends of consecutive poses of one joint, which grow while these are stored.
struct alignas(32) PoseTrail {
  // Of each value; of dual quaternions the third is the scale that they leave out.
  float low[kMostValues][4][kLaneCount];
  float high[kMostValues][4][kLaneCount];
  float first[4];  // the first rotation, as stored
  float last[4];   // the last rotation, as stored
  bool started = false;
};

// The same when it is complete.
struct PoseSpan {
  std::array<glm::vec4, kMostValues> low = {};
  std::array<glm::vec4, kMostValues> high = {};
  float first[4] = {};
  float last[4] = {};
  bool turned = false;  // whether all rotations change their sign after all
};
PoseSpan spanOf(const PoseTrail& trail);

// The constants of a joint by which its pose becomes values.
struct JointConstants {
  float pivot[3] = {};      // of dual quaternions, in model space
  float bindScale[3] = {};  // of the trs form (bindScaleOf())
};

class PoseMender;

// The first pass over eight moments: takes one pose per joint, stores the texels that need no
// range, and appends the others to `kept`, plan.keptCount per joint. Goes on with the trails, one
// per joint; the sign of a rotation is that of the one before. False, with undefined texels, if a
// pose is not finite.
struct LaneStore {
  const TexelPlan& plan;
  std::span<const JointConstants> joints;
  const LaneTexels& texels;
  std::span<PoseTrail> trails;
  LaneValue* kept = nullptr;
  PoseMender* mender = nullptr;  // storeTrs() only
};
void storePivots(const LaneStore& store, std::span<const LanePivot> pivots, LanePath path);
bool storeTrs(const LaneStore& store, std::span<const LaneRows* const> globals, LanePath path);
bool storeMatrices(const LaneStore& store, std::span<const LanePose> poses, LanePath path);

// The measures of a joint that bound how far its vertices stray without some components.
struct ComponentReach {
  float bindScale[3] = {};
  float pivot[3] = {};
  // The box of its vertices in its own space.
  float center[3] = {};
  float half[3] = {};
  bool hasVertices = false;
};
// The most, in metres, by which vertices can stray at eight moments if poses in trs form leave
// something out: shear; scales as well; positions as well. Not finite where a pose has no size.
struct alignas(32) ComponentBounds {
  float at[3][kLaneCount];
};
ComponentBounds componentBounds(std::span<const ComponentReach> reaches,
                                std::span<const LaneRows* const> globals, LanePath path);

// How the kept values of a joint become texels.
struct KeptScale {
  struct Value {
    float low[4] = {};
    float perStep[4] = {};  // steps per unit, or 0 where the range has no size
  };
  std::array<Value, kMostValues> parts = {};  // by part of the plan
  bool turned = false;                        // PoseSpan::turned
};
// `ranges`: those of the joint.
KeptScale keptScaleOf(const TexelPlan& plan, std::span<const TexelRange> ranges, bool turned);

// The second pass: quantises the kept values of eight moments into their texels, and changes the
// signs of stored rotations where all have to turn. One scale per joint.
void encodeKept(const TexelPlan& plan, const LaneValue* kept, std::span<const KeptScale> scales,
                const LaneTexels& texels, LanePath path);

}  // namespace ck
