// What is stored in an atlas of a joint, for every stage that reads it.
// CK_LAYOUT: 0 all frames in one column, a frame a row; 1 several blocks of rows; 2 linear. Known
//   here because software renderers run both sides of a branch, divisions included.
// CK_FORM: what a pose means: 0 pivot, 1 trs (shared/pose.glsl), 2 matrix (shared/matrix_pose.glsl).
// CK_AT_ORIGIN: 1 where matrices are stored without the pivot.
// CK_LINE_SHIFT: the linear layout's width is 2 to this power; -1 where it is another number. Known
//   because a division for every texel would be half of the work.
// CK_TEXELS: texels a joint has; of the form trs 3, 2 (no scale) or 1 (no place either).
// CK_RANGED: how many texels, from the first on, have a range of their own.
// CK_SIGNED: 1 where the texels without one are 0..1 that stand for -1..1.
// CK_RANGE_PER_CLIP: ranges are stored for every clip.
#include "shared/atlas_address.glsl"
#include "shared/pose.glsl"
#include "shared/matrix_pose.glsl"

uniform sampler2D ckAtlas;
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
};

CkJoint ckJointOf(int frame, int joint) {
#if CK_RANGE_PER_CLIP
  int at = (texelFetch(ckFrameClips, frame).x * ckJointCount + joint) * CK_JOINT_VECTORS;
#else
  int at = joint * CK_JOINT_VECTORS;
#endif
  CkJoint constants;
#if CK_FORM != 1
  constants.pivot = texelFetch(ckJoints, at).xyz;
  constants.ranges = at + 1;
#else
  constants.inverseBind.x = texelFetch(ckJoints, at);
  constants.inverseBind.y = texelFetch(ckJoints, at + 1);
  constants.inverseBind.z = texelFetch(ckJoints, at + 2);
  constants.pivot = texelFetch(ckJoints, at + 3).xyz;
  constants.ranges = at + 4;
#endif
  return constants;
}

// The first texel of a frame.
ivec2 ckStartOf(CkAtlasShape shape, int frame) {
#if CK_LAYOUT == 0
  return ivec2(0, frame);
#elif CK_LAYOUT == 2 && CK_LINE_SHIFT >= 0
  int index = frame * shape.block.y;
  return ivec2(index & ((1 << CK_LINE_SHIFT) - 1), index >> CK_LINE_SHIFT);
#else
  return ck_atlasTexel(shape, frame, 0, 0);
#endif
}

vec4 ckTexel(CkAtlasShape shape, ivec2 start, int along) {
#if CK_LAYOUT == 2 && CK_LINE_SHIFT >= 0
  int index = start.x + along;
  return texelFetch(
      ckAtlas, ivec2(index & ((1 << CK_LINE_SHIFT) - 1), start.y + (index >> CK_LINE_SHIFT)), 0);
#elif CK_LAYOUT == 2
  return texelFetch(ckAtlas, ck_atlasTexelAlong(shape, start, along), 0);
#else
  return texelFetch(ckAtlas, ivec2(start.x + along, start.y), 0);
#endif
}

// From what is stored to units.
void ckRange(inout vec4 texels[CK_TEXELS], CkJoint joint) {
#if CK_RANGED > 0
  for (int i = 0; i < CK_RANGED; ++i) {
    texels[i] = ck_ranged(texels[i], texelFetch(ckJoints, joint.ranges + 2 * i),
                          texelFetch(ckJoints, joint.ranges + 2 * i + 1));
  }
#endif
#if CK_SIGNED
  for (int i = CK_RANGED; i < CK_TEXELS; ++i) {
    texels[i] = ck_ranged(texels[i], vec4(-1.0), vec4(2.0));
  }
#endif
}

#if CK_FORM == 2
CkMatrix ckDecodeRows(vec4 texels[CK_TEXELS], CkJoint joint) {
  ckRange(texels, joint);
  return ck_decodeMatrix(texels[0], texels[1], texels[2]);
}
#else
// `texels`: up to three texels, as stored.
CkPose ckDecode(vec4 texels[CK_TEXELS], CkJoint joint) {
  ckRange(texels, joint);
#if CK_FORM == 0
  return ck_decodePivot(texels[0], texels[1]);
#elif CK_TEXELS == 3
  return ck_decodeTrs(texels[0], texels[1], texels[2]);
#elif CK_TEXELS == 2
  return ck_decodeTrs(texels[0], texels[1], vec4(1.0));
#else
  return ck_decodeTrs(vec4(joint.pivot, 0.0), texels[0], vec4(1.0));
#endif
}
#endif
