#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/atlas/texel_format.h"

namespace ck {

// How the pose of one joint is stored in texels (docs/techniques.md 3.2). A new encoding of an
// existing form needs an enumerator here and a row of kEncodings below.
enum class Encoding {
  P16,   // pivot form: position + scale, and quaternion, as two RGBA16 texels; the default
  P16F,  // as P16 in RGBA16F texels; no ranges
  P8,    // as P16 in RGBA8 texels with ranges, also for quaternions
  U128,  // the numbers of P16 as one texel of four words
  U64,   // pivot form in one texel of two words; scales do not change within a range
  D16,   // pivot form without scale, as a dual quaternion in two RGBA16 texels
  R64,   // pivot form as the parent sees it: rotation and scale in one texel of two words
  R32,   // as R64 in one RGB10_A2UI texel; scales do not change within a range
  T32,   // trs form: position, quaternion and scale as three RGBA32F texels; no ranges
  T16,   // as T32 in RGBA16 texels with ranges; quaternions over -1..1
  T8,    // as T32 in RGBA8 texels with ranges, also for quaternions
  M32,   // matrix form: the rows of the skin matrix as RGBA32F texels
  M16,   // matrix form about the pivot: its rows as RGBA16 texels with ranges
  M16F,  // as M16 in RGBA16F texels; no ranges
};

// The meaning of a pose (docs/techniques.md 2.2, shaders/shared/pose.glsl).
enum class PoseForm {
  Pivot,   // v' = scale * rotation * (v - pivot) + position
  Trs,     // v' = rotation * scale * (inverseBind * v) + position
  Matrix,  // v' = linear * (v - pivot) + position; any matrix (shaders/shared/matrix_pose.glsl)
};

// How words of 32 bits hold the numbers of a pose (shaders/shared/packed.glsl). Packed texels are
// read without a filter, and the first of their two values has a range.
enum class Packing {
  None,    // a number in each channel
  Bits16,  // four words: position and scale, then a quaternion over -1..1, of 16 bits each
  Bits10,  // two words: a position and a sign; the three smaller numbers of a quaternion and which
           // one is left out; numbers of 10 bits
  Turn15,  // two words: the three smaller numbers of a quaternion of 15 bits, which one is left
           // out, and a scale of 17 bits
  Turn10,  // one word: the three smaller numbers of a quaternion of 10 bits, which one is left out
};

// The stored components of a pose in trs form, one texel each: position, rotation, scale. A
// component that is not stored is that of the bind pose: a scale of 1, and the pivot as position.
// The pivot and matrix forms always store all components (Trs).
enum class Components {
  Trs,
  Tr,
  R,
};
std::string_view componentsName(Components components);  // "trs", "tr", "r"

// Which of a joint's texels have a range. Texels of floats have none. An integer texel without a
// range spans -1..1.
enum class RangedTexels { None, First, Each };

// One row of the table of encodings, with everything that the program knows about an encoding.
// Lists, messages, help texts and files are made from it.
struct EncodingInfo {
  Encoding encoding;
  std::string_view name;     // "P16"
  std::string_view summary;  // one line for the user
  TexelFormat format;
  PoseForm form;
  int texelsPerJoint;  // with all components; at most 3
  RangedTexels ranged = RangedTexels::None;
  bool fixedRotation = false;  // trs form: rotations span -1..1 instead of their smallest range
  bool rangesPerClip = false;  // by default, ranges are measured per joint and clip
  bool atOrigin = false;       // matrix form: v' = linear * v + t, without the pivot
  Packing packing = Packing::None;
  // Pivot form: the low value of a range has the scale of all its poses, the middle of theirs.
  bool scaleInRange = false;
  // Pivot form: the unit dual quaternion of the rigid skin matrix, its dual part first; no scale.
  bool dual = false;
  // Pivot form: not 0 if poses are as the parent sees them, so that readers walk from the roots.
  // The position is the constant low value of the range. Where a range has a size the joint moves,
  // and has so many texels for its position, a track, behind the texels of all joints.
  int trackTexels = 0;
};

// Indexed by Encoding.
inline constexpr EncodingInfo kEncodings[] = {
    {.encoding = Encoding::P16,
     .name = "P16",
     .summary = "position + scale and rotation about the pivot, two 16-bit texels",
     .format = TexelFormat::Rgba16,
     .form = PoseForm::Pivot,
     .texelsPerJoint = 2,
     .ranged = RangedTexels::First},
    {.encoding = Encoding::P16F,
     .name = "P16F",
     .summary = "position + scale and rotation about the pivot, two texels of 16-bit floats",
     .format = TexelFormat::Rgba16F,
     .form = PoseForm::Pivot,
     .texelsPerJoint = 2},
    {.encoding = Encoding::P8,
     .name = "P8",
     .summary = "position + scale and rotation about the pivot, two 8-bit texels",
     .format = TexelFormat::Rgba8,
     .form = PoseForm::Pivot,
     .texelsPerJoint = 2,
     .ranged = RangedTexels::Each,
     .rangesPerClip = true},
    {.encoding = Encoding::U128,
     .name = "U128",
     .summary = "the numbers of P16 in one texel of whole numbers",
     .format = TexelFormat::Rgba32Ui,
     .form = PoseForm::Pivot,
     .texelsPerJoint = 1,
     .ranged = RangedTexels::First,
     .packing = Packing::Bits16},
    {.encoding = Encoding::U64,
     .name = "U64",
     .summary = "position and rotation about the pivot in 10 bits, one texel of whole numbers",
     .format = TexelFormat::Rg32Ui,
     .form = PoseForm::Pivot,
     .texelsPerJoint = 1,
     .ranged = RangedTexels::First,
     .rangesPerClip = true,
     .packing = Packing::Bits10,
     .scaleInRange = true},
    {.encoding = Encoding::D16,
     .name = "D16",
     .summary = "rotation and position as a dual quaternion, two 16-bit texels",
     .format = TexelFormat::Rgba16,
     .form = PoseForm::Pivot,
     .texelsPerJoint = 2,
     .ranged = RangedTexels::First,
     .dual = true},
    {.encoding = Encoding::R64,
     .name = "R64",
     .summary = "how each joint turns against its parent in 15 bits, one texel of whole numbers",
     .format = TexelFormat::Rg32Ui,
     .form = PoseForm::Pivot,
     .texelsPerJoint = 1,
     .ranged = RangedTexels::First,
     .rangesPerClip = true,
     .packing = Packing::Turn15,
     .trackTexels = 1},
    {.encoding = Encoding::R32,
     .name = "R32",
     .summary = "how each joint turns against its parent in 10 bits, one texel of 32 bits",
     .format = TexelFormat::Rgb10A2Ui,
     .form = PoseForm::Pivot,
     .texelsPerJoint = 1,
     .ranged = RangedTexels::First,
     .rangesPerClip = true,
     .packing = Packing::Turn10,
     .scaleInRange = true,
     .trackTexels = 2},
    {.encoding = Encoding::T32,
     .name = "T32",
     .summary = "the joint's position, rotation and scale, three float texels",
     .format = TexelFormat::Rgba32F,
     .form = PoseForm::Trs,
     .texelsPerJoint = 3},
    {.encoding = Encoding::T16,
     .name = "T16",
     .summary = "the joint's position, rotation and scale, three 16-bit texels",
     .format = TexelFormat::Rgba16,
     .form = PoseForm::Trs,
     .texelsPerJoint = 3,
     .ranged = RangedTexels::Each,
     .fixedRotation = true},
    {.encoding = Encoding::T8,
     .name = "T8",
     .summary = "the joint's position, rotation and scale, three 8-bit texels",
     .format = TexelFormat::Rgba8,
     .form = PoseForm::Trs,
     .texelsPerJoint = 3,
     .ranged = RangedTexels::Each,
     .rangesPerClip = true},
    {.encoding = Encoding::M32,
     .name = "M32",
     .summary = "any matrix: the rows of the skin matrix, three float texels",
     .format = TexelFormat::Rgba32F,
     .form = PoseForm::Matrix,
     .texelsPerJoint = 3,
     .atOrigin = true},
    {.encoding = Encoding::M16,
     .name = "M16",
     .summary = "any matrix about the pivot, three 16-bit texels",
     .format = TexelFormat::Rgba16,
     .form = PoseForm::Matrix,
     .texelsPerJoint = 3,
     .ranged = RangedTexels::Each},
    {.encoding = Encoding::M16F,
     .name = "M16F",
     .summary = "any matrix about the pivot, three texels of 16-bit floats",
     .format = TexelFormat::Rgba16F,
     .form = PoseForm::Matrix,
     .texelsPerJoint = 3},
};

std::span<const EncodingInfo> allEncodings();
constexpr const EncodingInfo& encodingInfo(Encoding encoding) {
  return kEncodings[static_cast<std::size_t>(encoding)];
}
std::string_view encodingName(Encoding encoding);
std::optional<Encoding> encodingFromName(std::string_view name);

// Predicates for encodingNames() and messages.
constexpr bool storesMatrices(const EncodingInfo& info) {
  return info.form == PoseForm::Matrix;
}
constexpr bool storesComponents(const EncodingInfo& info) {
  return info.form == PoseForm::Trs;
}
constexpr bool measuresClips(const EncodingInfo& info) {
  return info.rangesPerClip;
}
constexpr bool isPacked(const EncodingInfo& info) {
  return info.packing != Packing::None;
}
// Whether poses are relative to the parent joint. Such poses are decoded by walks from the root.
constexpr bool isLocal(const EncodingInfo& info) {
  return info.trackTexels > 0;
}
constexpr bool standsAlone(const EncodingInfo& info) {
  return !isLocal(info);
}
// Whether two stored poses may be mixed before they are decoded, as texture units do.
constexpr bool mixesAsStored(const EncodingInfo& info) {
  return !isPacked(info) && !info.dual;
}
// The names of the encodings for which `which` is true, for a message: "M32, M16 and M16F".
std::string encodingNames(bool (*which)(const EncodingInfo&), std::string_view last = "and");

}  // namespace ck
