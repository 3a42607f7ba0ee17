// Reads the stored data of a joint from an atlas, for all shader stages. Layout and sizes are
// compile-time constants, because software renderers run both sides of a branch, and a division per
// texel would be half of the work.
// CK_LAYOUT: 0 one column block, a frame per row; 1 several column blocks; 2 linear.
// CK_FORM: pose form: 0 pivot, 1 trs (shared/pose.glsl), 2 matrix (shared/matrix_pose.glsl).
// CK_AT_ORIGIN: 1 if matrices are stored as A v + t.
// CK_LINE_SHIFT: linear layout: log2 of the width, or -1 if the width is not a power of two.
// CK_DUAL: 1 if the pivot form is stored as a dual quaternion (shared/dual_pose.glsl).
// CK_PACKING: 0 a number in each channel; 1 and 2 words of 16 or 10 bits, 3 and 4 turns of 15 or 10
//   bits as parents see them (shared/packed.glsl).
// CK_TRACK_TEXELS: not 0 if poses are as parents see them: texels of a joint that moves against its
//   parent.
// CK_TEXELS: texels per joint.
// CK_VALUES: values per joint, as many as texels where they are not packed; with the trs form 3, 2
//   (no scale) or 1 (rotation only).
// CK_RANGED: number of values with a range; they are the first ones.
// CK_SIGNED: 1 if values without a range hold 0..1 for numbers in -1..1.
// CK_RANGE_PER_CLIP: 1 if ranges are stored per clip.
#include "shared/atlas_address.glsl"
#include "shared/pose.glsl"
#include "shared/matrix_pose.glsl"

#if CK_DUAL
#include "shared/dual_pose.glsl"
#endif
#if CK_PACKING
#include "shared/packed.glsl"
#define CK_TEXEL_TYPE ivec4
uniform usampler2D ckAtlas;
#else
#define CK_TEXEL_TYPE vec4
uniform sampler2D ckAtlas;
#endif
uniform samplerBuffer ckJoints;
uniform isamplerBuffer ckFrameClips;
uniform ivec4 ckShapeBlock;
uniform ivec4 ckShapeExtent;
uniform int ckJointCount;
uniform int ckFrameCount;

// The constants of a joint. Its ranges begin at `ranges`.
struct CkJoint {
#if CK_FORM == 1
  CkMatrix inverseBind;
#endif
  vec3 pivot;
  int ranges;
#if CK_TRACK_TEXELS
  int track;  // its first texel in a frame, or -1
#endif
};

CkJoint ckJointOf(int frame, int joint) {
#if CK_RANGE_PER_CLIP
  int at = (texelFetch(ckFrameClips, frame).x * ckJointCount + joint) * CK_JOINT_VECTORS;
#else
  int at = joint * CK_JOINT_VECTORS;
#endif
  CkJoint constants;
#if CK_FORM != 1
  vec4 pivot = texelFetch(ckJoints, at);
  constants.pivot = pivot.xyz;
  constants.ranges = at + 1;
#if CK_TRACK_TEXELS
  constants.track = int(pivot.w);
#endif
#else
  constants.inverseBind.x = texelFetch(ckJoints, at);
  constants.inverseBind.y = texelFetch(ckJoints, at + 1);
  constants.inverseBind.z = texelFetch(ckJoints, at + 2);
  constants.pivot = texelFetch(ckJoints, at + 3).xyz;
  constants.ranges = at + 4;
#endif
  return constants;
}

CkAtlasShape ckShape() { return CkAtlasShape(ckShapeBlock, ckShapeExtent); }

// The first texel of a frame.
ivec2 ckStartOf(int frame) {
#if CK_LAYOUT == 0
  return ivec2(0, frame);
#elif CK_LAYOUT == 2 && CK_LINE_SHIFT >= 0
  int index = frame * ckShapeBlock.y;
  return ivec2(index & ((1 << CK_LINE_SHIFT) - 1), index >> CK_LINE_SHIFT);
#else
  return ck_atlasTexel(ckShape(), frame, 0, 0);
#endif
}

CK_TEXEL_TYPE ckTexel(ivec2 start, int along) {
#if CK_LAYOUT == 2 && CK_LINE_SHIFT >= 0
  int index = start.x + along;
  ivec2 at = ivec2(index & ((1 << CK_LINE_SHIFT) - 1), start.y + (index >> CK_LINE_SHIFT));
#elif CK_LAYOUT == 2
  ivec2 at = ck_atlasTexelAlong(ckShape(), start, along);
#else
  ivec2 at = ivec2(start.x + along, start.y);
#endif
  return CK_TEXEL_TYPE(texelFetch(ckAtlas, at, 0));
}

// The values of a joint at the frame that begins at `start`, without their ranges.
void ckReadValues(ivec2 start, int joint, out vec4 values[CK_VALUES]) {
#if CK_PACKING == 1
  ivec4 words = ckTexel(start, joint);
  values[0] = ck_place128(words);
  values[1] = ck_turn128(words);
#elif CK_PACKING == 2
  ivec4 words = ckTexel(start, joint);
  values[0] = ck_place64(words);
  values[1] = ck_turn64(words);
#elif CK_PACKING == 3
  ivec4 words = ckTexel(start, joint);
  values[0] = ck_seenScale64(words);
  values[1] = ck_seenTurn64(words);
#elif CK_PACKING == 4
  values[0] = vec4(0.0);
  values[1] = ck_seenTurn32(ckTexel(start, joint));
#else
  for (int i = 0; i < CK_VALUES; ++i) values[i] = ckTexel(start, joint * CK_TEXELS + i);
#endif
}

// Applies the ranges of values.
void ckRange(inout vec4 values[CK_VALUES], CkJoint joint) {
#if CK_RANGED > 0
  for (int i = 0; i < CK_RANGED; ++i) {
    values[i] = ck_ranged(values[i], texelFetch(ckJoints, joint.ranges + 2 * i),
                          texelFetch(ckJoints, joint.ranges + 2 * i + 1));
  }
#endif
#if CK_SIGNED
  for (int i = CK_RANGED; i < CK_VALUES; ++i) {
    values[i] = ck_ranged(values[i], vec4(-1.0), vec4(2.0));
  }
#endif
}

#if CK_TRACK_TEXELS
// The position of a joint with a track, as its parent sees it.
vec3 ckTrackPlace(ivec2 start, CkJoint joint) {
#if CK_TRACK_TEXELS == 1
  vec4 place = ck_track64(ckTexel(start, joint.track));
#else
  vec4 place = ck_track32(ckTexel(start, joint.track), ckTexel(start, joint.track + 1));
#endif
  return ck_ranged(place, texelFetch(ckJoints, joint.ranges),
                   texelFetch(ckJoints, joint.ranges + 1)).xyz;
}
#endif

#if CK_FORM == 2
CkMatrix ckDecodeRows(vec4 values[CK_VALUES], CkJoint joint) {
  ckRange(values, joint);
  return ck_decodeMatrix(values[0], values[1], values[2]);
}
#else
// `values`: up to three, as stored.
CkPose ckDecode(vec4 values[CK_VALUES], CkJoint joint) {
  ckRange(values, joint);
#if CK_DUAL
  return ck_decodeDual(values[0], values[1], joint.pivot);
#elif CK_FORM == 0
  return ck_decodePivot(values[0], values[1]);
#elif CK_VALUES == 3
  return ck_decodeTrs(values[0], values[1], values[2]);
#elif CK_VALUES == 2
  return ck_decodeTrs(values[0], values[1], vec4(1.0));
#else
  return ck_decodeTrs(vec4(joint.pivot, 0.0), values[0], vec4(1.0));
#endif
}
#endif
