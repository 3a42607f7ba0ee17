// Reads the stored data of a joint from an atlas, for all shader stages. Layout and sizes are
// compile-time constants, because software renderers run both sides of a branch, and a division per
// texel would be half of the work.
// CK_LAYOUT: 0 one column block, a frame per row; 1 several column blocks; 2 linear.
// CK_LINE_SHIFT: linear layout: log2 of the width, or -1 if the width is not a power of two.
// CK_TEXELS: texels per joint.
// CK_RANGED: number of values with a range; they are the first ones.
// CK_RANGE_PER_CLIP: 1 if ranges are stored per clip.
// Those of the encoding are in shaders/README.md.
#include "shared/atlas_address.glsl"
#include "shared/pose.glsl"
#include "shared/matrix_pose.glsl"
#include CK_FORM_FILE

#if CK_PACKED
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
#if CK_LOCAL
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
#if CK_LOCAL
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
#if CK_PACKED
  ivec4 words = ckTexel(start, joint);
  values[0] = CK_PLACE;
  values[1] = CK_TURN;
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

#if CK_LOCAL
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

// The constants that a form asks for (CK_DECODE, CK_SKIN), of the joint at hand.
#define ckPivotOf(joint) constants.pivot
#define ckInverseBindOf(joint) constants.inverseBind

// The pose of values as stored; a rotation is not normalised.
CkLink ckDecode(vec4 values[CK_VALUES], CkJoint constants) {
  ckRange(values, constants);
  vec4 first = values[0];
#if CK_VALUES == 1
  vec4 second = first;
  first = vec4(constants.pivot, 0.0);
#else
  vec4 second = values[1];
#endif
#if CK_VALUES == 3
  vec4 third = values[2];
#else
  vec4 third = vec4(1.0);
#endif
  return CK_DECODE;
}
